//! The person's rules for this desk: `rules.yaml` in the data folder, seen as soon as it changes.
//!
//! Only the file counts: nothing in an agent's environment or in an ask adds a rule. A file that is
//! faulty or that others may write to has no rules, and every ask waits for a person.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use askuser_core::ask::Ask;
use askuser_core::command::RuleReach;
use askuser_core::entry::Entry;
use askuser_core::id::ChoiceId;

use crate::client::home::Home;
use crate::desk::{Rules, Ruling};
use crate::rules::{self, Book, Found, Otherwise};
use crate::wire::check;

/// The rules as they were last read.
struct Kept {
    path: PathBuf,
    latest: Mutex<(Option<Stamp>, Arc<Book>)>,
}

/// What changes when a file does.
type Stamp = (u64, i64, i64, u64);

/// Returns the rules of a data folder, to be asked for every ask.
pub(super) fn of(home: &Home) -> Rules {
    let kept = Kept { path: home.rules(), latest: Mutex::default() };
    kept.book();
    Arc::new(move |ask| rule(&kept.book(), ask))
}

fn rule(book: &Book, ask: &Ask) -> Ruling {
    if let Some(entries) = the_check(ask) {
        return entries;
    }
    match book.look_up(&ask.questions, &ask.terms) {
        Found::Answers { entries, rule, reach } => Ruling::Answer { entries, rule, reach },
        Found::Unanswered(why) => match book.otherwise() {
            Some(Otherwise::Fail) => Ruling::Refuse { why: why.join("; ") },
            Some(Otherwise::Ask) | None => Ruling::Silent,
        },
    }
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
        let stamp = fs::metadata(&self.path)
            .ok()
            .map(|file| (file.ino(), file.mtime(), file.mtime_nsec(), file.len()));
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if latest.0 != stamp {
            *latest = (stamp, Arc::new(self.read()));
        }
        Arc::clone(&latest.1)
    }

    fn read(&self) -> Book {
        match read(&self.path) {
            Ok(book) => book,
            Err(why) => {
                tracing::error!("No rule is applied, and every ask waits for a person: {why}");
                Book::default()
            }
        }
    }
}

/// Reads the rules of a file; says what is wrong with it. None there is no fault.
pub fn read(path: &std::path::Path) -> Result<Book, String> {
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
