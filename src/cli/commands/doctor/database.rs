//! Whether the database is sound, the chain of facts in it, and what is served from it.

use std::fs;

use askuser_words::commands::{Around, Database};
use askuser_words::time::Times;
use serde_json::Value;

use super::{Finding, Verdict};
use crate::cli::commands::backup;
use crate::cli::fields::field;
use askuser_client::home::Home;
use askuser_store::sqlite;
use askuser_system::clock;

/// A larger one takes longer than somebody waits who asks how things are.
const BYTES_MAX: u64 = 512 * 1024 * 1024;
/// How far a clock may be off before it is worth a word.
const OFF_MS: i64 = 60_000;

pub(super) fn look(home: &Home, status: Option<&Value>) -> Vec<Finding> {
    if status.is_some_and(|told| field(told, "database") == "postgresql") {
        return vec![Finding::ok("database", Database::postgres)];
    }
    let path = home.database();
    let Ok(metadata) = fs::metadata(&path) else { return Vec::new() };
    if metadata.len() > BYTES_MAX {
        let megabytes = metadata.len() / (1024 * 1024);
        return vec![Finding::ok("database", |said: Database| said.large(megabytes))];
    }
    let sound = match sqlite::soundness(&path) {
        Ok(sound) => sound,
        Err(error) => {
            return vec![
                Finding::new("database", Verdict::Fail, backup::report(&error).what().clone())
                    .means(Database::unusable_means)
                    .hint(Database::unusable_hint),
            ];
        }
    };
    if !sound.is_sound() {
        return vec![
            Finding::fail("database", |said: Database| said.unsound(path.display(), sound.told()))
                .means(Database::unsound_means)
                .hint(Database::unsound_hint),
        ];
    }
    let n_facts = sound.chain.upto.number;
    let mut findings = vec![Finding::ok("database", |said: Database| match &sound.served {
        Some(served) => said.sound(path.display(), n_facts, served.n_asks),
        None => said.sound_chain(path.display(), n_facts),
    })];
    if let Some(latest) = sound.latest.filter(|latest| latest.0 > clock::now().0 + OFF_MS) {
        let moment = |language| Times::local(clock::now(), language).full(latest);
        findings.push(
            Finding::warn("clock", |language| Database(language).future(moment(language)))
                .means(Database::future_means)
                .hint(Around::set_clock_hint),
        );
    }
    findings
}
