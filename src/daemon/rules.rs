//! The person's rules for this desk: `rules.yaml` in the data folder, written by hand, and behind them
//! those that were made from answers, in `rules-made.yaml`. Both are seen as soon as they change.
//!
//! Only the files count: nothing in an agent's environment or in an ask adds a rule. A file that is
//! faulty or that others may write to has no rules, and every ask waits for a person.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use askuser_core::ask::Ask;
use askuser_core::command::RuleReach;
use askuser_core::entry::Entry;
use askuser_core::id::{ChoiceId, UserId};
use askuser_core::time::Timestamp;
use serde_json::Value;

use crate::client::home::{Home, write_private};
use crate::desk::{MadeRule, NoRule, Rulebook, Rules, Ruling};
use crate::rules::made::{self, Made};
use crate::rules::{self, Asked, Book, Found, Otherwise};
use crate::wire::{check, time};

/// The rules as they were last read.
struct Kept {
    by_hand: PathBuf,
    made: PathBuf,
    latest: Mutex<([Option<Stamp>; 2], Arc<Book>)>,
    /// Whoever changes the made ones.
    turn: Mutex<()>,
}

/// What changes when a file does.
type Stamp = (u64, i64, i64, u64);

/// Returns the rules of a data folder, to be asked for every ask.
pub fn of(home: &Home) -> Rules {
    let kept = Kept {
        by_hand: home.rules(),
        made: home.rules_made(),
        latest: Mutex::default(),
        turn: Mutex::default(),
    };
    kept.book();
    Arc::new(kept)
}

impl Rulebook for Kept {
    fn rule(&self, ask: &Ask, now: Timestamp) -> Ruling {
        if let Some(entries) = the_check(ask) {
            return entries;
        }
        let book = self.book();
        let asked = Asked { questions: &ask.questions, terms: &ask.terms, owner: Some(&ask.owner), now };
        match book.look_up(&asked) {
            Found::Answers { entries, rule, reach } => Ruling::Answer { entries, rule, reach },
            Found::Unanswered(why) => match book.otherwise() {
                Some(Otherwise::Fail) => Ruling::Refuse { why: why.join("; ") },
                Some(Otherwise::Ask) | None => Ruling::Silent,
            },
        }
    }

    fn made(&self, user: &UserId, now: Timestamp) -> Result<Vec<MadeRule>, NoRule> {
        let listed = made::listed(&self.entries()?);
        let theirs = listed.into_iter().filter(|rule| rule.user == *user && rule.until > now);
        Ok(theirs.map(told).collect())
    }

    fn make(&self, ask: &Ask, user: &UserId, until: Timestamp, now: Timestamp) -> Result<MadeRule, NoRule> {
        let new = made::make(ask, user, until, now).map_err(|why| NoRule::Unfit(why.to_string()))?;
        let id = made::id_of(ask.id);
        self.change(now, |entries| {
            // The newest goes first: of two that fit, it is what the person meant last.
            entries.retain(|entry| !is(entry, &id, user));
            entries.splice(0..0, new.iter().cloned());
            let n_theirs = made::listed(entries).iter().filter(|rule| rule.user == *user).count();
            if n_theirs > made::PER_PERSON_MAX { Err(NoRule::TooMany(made::PER_PERSON_MAX)) } else { Ok(()) }
        })?;
        made::listed(&new).pop().map(told).ok_or(NoRule::NotFound)
    }

    fn remove(&self, id: &str, user: &UserId, now: Timestamp) -> Result<(), NoRule> {
        self.change(now, |entries| {
            let n_before = entries.len();
            entries.retain(|entry| !is(entry, id, user));
            if entries.len() == n_before { Err(NoRule::NotFound) } else { Ok(()) }
        })
    }

    fn may_make(&self, ask: &Ask, user: &UserId) -> bool {
        made::may(ask, user).is_ok()
    }
}

fn is(entry: &Value, id: &str, user: &UserId) -> bool {
    let says = |name: &str, word: &str| entry.get(name).and_then(Value::as_str) == Some(word);
    says("id", id) && says("user", user.as_str())
}

fn told(made: Made) -> MadeRule {
    let Made { id, name, user: _, from, made_at, until, agent, project, says } = made;
    MadeRule { id, name, from, made_at, until, agent, project, says }
}

/// `askuser doctor` asks one question, always the same, which nobody need answer.
fn the_check(ask: &Ask) -> Option<Ruling> {
    let [question] = ask.questions.top() else { return None };
    let is_it = question.id.as_str() == check::QUESTION_ID && question.text == check::TEXT;
    let entry = Entry { picked: vec![ChoiceId::from(check::ANSWER_ID)], ..Entry::default() };
    is_it.then(|| Ruling::Answer {
        entries: vec![(question.id.clone(), entry)],
        rule: Some(check::RULE.to_owned()),
        reach: RuleReach::Decisions,
    })
}

impl Kept {
    fn book(&self) -> Arc<Book> {
        let stamps = [stamp(&self.by_hand), stamp(&self.made)];
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if latest.0 != stamps {
            *latest = (stamps, Arc::new(self.read()));
        }
        Arc::clone(&latest.1)
    }

    /// What is wrong with one of the files holds for both: rather ask than answer wrongly.
    fn read(&self) -> Book {
        match read(&self.by_hand).and_then(|book| Ok(book.and(read(&self.made)?))) {
            Ok(book) => book,
            Err(why) => {
                tracing::error!("No rule is applied, and every ask waits for a person: {why}");
                Book::default()
            }
        }
    }

    /// The entries of the made ones, as they stand in the file.
    fn entries(&self) -> Result<Vec<Value>, NoRule> {
        // Whether it may be believed is looked at as for any file of rules.
        read(&self.made).map_err(NoRule::File)?;
        match fs::read_to_string(&self.made) {
            Ok(text) => made::entries(&text).map_err(|fault| NoRule::File(fault.to_string())),
            Err(_) => Ok(Vec::new()),
        }
    }

    /// Changes the made ones, written whole or not at all; what has ended goes with it.
    fn change(
        &self,
        now: Timestamp,
        change: impl FnOnce(&mut Vec<Value>) -> Result<(), NoRule>,
    ) -> Result<(), NoRule> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut entries = self.entries()?;
        let until = |entry: &Value| time::read(entry.get("until")?.as_str()?);
        entries.retain(|entry| until(entry).is_some_and(|until| until > now));
        change(&mut entries)?;
        write_private(&self.made, &made::written(&entries)).map_err(|error| NoRule::File(error.to_string()))
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let file = fs::metadata(path).ok()?;
    Some((file.ino(), file.mtime(), file.mtime_nsec(), file.len()))
}

/// Reads the rules of a file; says what is wrong with it. None there is no fault.
pub fn read(path: &Path) -> Result<Book, String> {
    let Ok(metadata) = fs::metadata(path) else { return Ok(Book::default()) };
    let shown = path.display();
    let own = metadata.uid() == rustix::process::geteuid().as_raw();
    if !own || metadata.mode() & 0o022 != 0 {
        return Err(format!("{shown} may be written by others: `chmod go-w` it"));
    }
    let text = fs::read_to_string(path).map_err(|error| format!("{shown}: {error}"))?;
    let book = rules::read(&text).map_err(|faults| {
        let told: Vec<String> = faults.iter().map(|fault| format!("{shown}: {fault}")).collect();
        told.join("; ")
    })?;
    if book.otherwise().is_none() {
        return Err(format!(
            "{shown} does not say what becomes of other questions: `otherwise: ask` or `otherwise: fail`"
        ));
    }
    Ok(book)
}
