//! Whether the database is sound, the chain of facts in it, and what is served from it.

use std::fs;

use serde_json::Value;

use super::Finding;
use crate::cli::told::field;
use crate::client::home::Home;
use crate::clock;
use crate::store::sqlite;
use crate::wire::time;

/// A larger one takes longer than somebody waits who asks how things are.
const BYTES_MAX: u64 = 512 * 1024 * 1024;
/// How far a clock may be off before it is worth a word.
const OFF_MS: i64 = 60_000;

pub(super) fn look(home: &Home, status: Option<&Value>) -> Vec<Finding> {
    if status.is_some_and(|told| field(told, "database") == "postgresql") {
        return vec![Finding::ok(
            "database",
            "PostgreSQL; `askuser audit --verify` walks its chain of facts and compares every question with it",
        )];
    }
    let path = home.database();
    let Ok(metadata) = fs::metadata(&path) else { return Vec::new() };
    let shown = path.display();
    if metadata.len() > BYTES_MAX {
        let said = format!(
            "{} MB, not looked through; `askuser audit --verify` checks all of it",
            metadata.len() / (1024 * 1024)
        );
        return vec![Finding::ok("database", said)];
    }
    let sound = match sqlite::soundness(&path) {
        Ok(sound) => sound,
        Err(error) => {
            return vec![
                Finding::fail("database", error.to_string())
                    .means("askuser cannot start with it")
                    .hint("restore a backup (`askuser help operating`), or move it away to begin anew"),
            ];
        }
    };
    if !sound.is_sound() {
        return vec![
            Finding::fail("database", format!("{shown}: {}", sound.told()))
                .means("something other than askuser changed it, or the disk did")
                .hint("keep a copy of the folder, then restore a backup (`askuser help operating`)"),
        ];
    }
    let served = match &sound.served {
        Some(served) => format!("; {} questions and their answers agree with them", served.n_asks),
        None => "; the questions are compared with them once askuser has brought it up to date".to_owned(),
    };
    let said = format!(
        "{shown} is sound: {} facts, each chained to the one before{served}",
        sound.chain.upto.number
    );
    let mut findings = vec![Finding::ok("database", said)];
    if let Some(latest) = sound.latest.filter(|latest| latest.0 > clock::now().0 + OFF_MS) {
        findings.push(
            Finding::warn(
                "clock",
                format!("the latest fact is of {}, which is yet to come", time::write(latest)),
            )
            .means("the clock went back since: deadlines that were set before end later than they should")
            .hint("set the clock, best by NTP"),
        );
    }
    findings
}
