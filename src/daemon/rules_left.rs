//! The file in which an older version kept the rules that were made from answers, `rules-made.yaml`: taken
//! into the store once, when a daemon starts.

use std::fs;
use std::path::Path;

use askuser_words::config::Wrong;
use askuser_words::{Both, both};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tracing::{error, info};

use super::rules;
use askuser_client::home::Home;
use askuser_config::rules::made;
use askuser_desk::{Desk, MadeRule};
use askuser_system::{clock, disk};

/// The name by which it is told.
const FILE: &str = "rules-made.yaml";

/// Takes the rules of the file in, and puts the file aside. A faulty one is left where it is.
pub(super) async fn take_in(desk: &Desk, home: &Home) {
    let path = home.rules_made();
    if !path.exists() {
        return;
    }
    let (shown, aside) = (path.display(), path.with_extension("yaml.taken"));
    let found = match read(&path) {
        Ok(found) => found,
        Err(why) => return error!("Its rules are not applied, and the file is unchanged: {}", why.english),
    };
    // Told before it holds, as for any file of rules: whoever can write here could have made it up.
    let digest = fs::read(&path).ok().map(|bytes| Sha256::digest(bytes).into());
    if let Err(why) = desk.note_file(FILE, digest).await {
        return error!("The rules in {shown} are not applied, because this could not be recorded: {why}");
    }
    // First put aside: one that was taken in and then removed must not come back with the next start.
    if let Err(why) = fs::rename(&path, &aside).and_then(|()| disk::flush_name(&aside)) {
        return error!("Its rules are not applied, because {shown} could not be moved: {why}");
    }
    if let Err(why) = desk.note_file(FILE, None).await {
        error!("{shown} was moved, which could not be recorded: {why}");
    }
    let mut n_taken = 0;
    for (rule, entries) in found.iter().filter(|(rule, _)| rule.until > clock::now()) {
        match desk.take_rule_in(rule, entries).await {
            Ok(()) => n_taken += 1,
            Err(why) => error!(rule = rule.id, user = %rule.user, "{} was not imported: {why}", rule.id),
        }
    }
    info!(
        "Rules that were made from answers are in the database now: {n_taken} of {} were taken from {shown}, \
         which is {} from now on",
        found.len(),
        aside.display()
    );
}

/// Reads such a file; says what is wrong with it.
pub fn read(path: &Path) -> Result<Vec<(MadeRule, Vec<Value>)>, Both> {
    // Whether it may be believed is looked at as for any file of rules.
    rules::read(path)?;
    let of_file = |what: Both| both(|said: Wrong| said.in_file(path.display(), said.0.of(&what)));
    let text = fs::read_to_string(path).map_err(|error| of_file(error.to_string().into()))?;
    let entries = made::in_file(&text).map_err(|fault| of_file(fault.said().into()))?;
    let n_entries = entries.len();
    let found = made::listed(entries);
    let n_found: usize = found.iter().map(|(_, entries)| entries.len()).sum();
    if n_found < n_entries {
        return Err(of_file(both(|said: Wrong| said.made_of_nothing(n_entries - n_found))));
    }
    Ok(found)
}
