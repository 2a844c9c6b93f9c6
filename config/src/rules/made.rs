//! Rules that a person made from an answer they gave: "always answer this so".
//!
//! Such a rule is as narrow as can be said: the same question word for word with the same choices, from
//! the same agent in the same project with the same API key, for the same person, and it ends. What an
//! asker says of itself anybody can say; its key is what the desk knows. It never grants a permission and
//! never holds a secret.

use askuser_core::answer::Answer;
use askuser_core::ask::Ask;
use askuser_core::asker::{Purpose, Terms};
use askuser_core::content::{Content, VERSION};
use askuser_core::id::{AskId, KeyId, UserId};
use askuser_core::outcome::{AnsweredBy, Ending, Outcome, Proof};
use askuser_core::question::{Kind, Question, Questions, YES};
use askuser_core::time::Timestamp;
use askuser_words::failed::Failed;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Book;
use crate::said::Fault;
use askuser_core::content;
use askuser_wire::time;

/// Rules of this kind that one person may have.
pub const PER_PERSON_MAX: usize = 200;
/// What an entry calls the key that asked; `null` where none did.
pub(super) const ASKED_BY: &str = "asked_by";
/// What is asked and what about, as a digest: the same words about something else are another question.
pub(super) const CONTENT: &str = "content";
/// Characters of a rule's name.
const NAME_CHARS_MAX: usize = 80;

/// A rule that was made, as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeRule {
    /// Its id: `rule_` and the rest of the id of the ask that it was made from.
    pub id: String,
    /// What it is called in an outcome.
    pub name: String,
    /// Whose it is.
    pub user: UserId,
    /// The ask that it was made from.
    pub from: AskId,
    /// When it was made.
    pub made_at: Timestamp,
    /// When it ends.
    pub until: Timestamp,
    /// The agent that it answers, where that said who it is.
    pub agent: Option<String>,
    /// The project, or its folder.
    pub project: Option<String>,
    /// Whether it answers anything: one of an earlier version, which kept no key with it, does not.
    pub holds: bool,
    /// What is asked, and the answer, in words.
    pub says: Vec<(String, String)>,
}

/// Why no rule can be made from an ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotMade {
    /// A person has not answered it.
    NotAnswered,
    /// Somebody else did.
    NotYours,
    /// It grants something.
    Permission,
    /// The answer is a secret.
    Secret,
}

impl NotMade {
    /// Returns the phrase that says so.
    pub fn said(self) -> fn(Failed) -> &'static str {
        match self {
            Self::NotAnswered => Failed::rule_without_answer,
            Self::NotYours => Failed::rule_anothers_answer,
            Self::Permission => Failed::rule_for_permission,
            Self::Secret => Failed::rule_for_secret,
        }
    }
}

/// Whether a rule may be made from an ask that ended so, by this person.
pub fn may(ask: &Ask, user: &UserId) -> Result<(), NotMade> {
    let outcome = ask.state.outcome().ok_or(NotMade::NotAnswered)?;
    if outcome.ending != Ending::Answered(AnsweredBy::Person) {
        return Err(NotMade::NotAnswered);
    }
    // What people did not agree on is no one's answer.
    if outcome.is_disagreement() {
        return Err(NotMade::NotAnswered);
    }
    // What came in through the agent's own dialog, or where an agent's mark was set, is an answer, and no
    // proof that a person was there.
    let weak = matches!(outcome.by.proof, Proof::AgentDialog | Proof::AsPerson);
    if outcome.by.user.as_ref() != Some(user) || weak {
        return Err(NotMade::NotYours);
    }
    if ask.terms.purpose == Purpose::Permission {
        return Err(NotMade::Permission);
    }
    if ask.questions.all().iter().any(|question| question.secret) {
        return Err(NotMade::Secret);
    }
    Ok(())
}

/// Makes a rule from an ask that this person answered: an entry for each question, as in a file of rules.
pub fn make(ask: &Ask, user: &UserId, until: Timestamp, now: Timestamp) -> Result<Vec<Value>, NotMade> {
    may(ask, user)?;
    let outcome = ask.state.outcome().ok_or(NotMade::NotAnswered)?;
    let id = id_of(ask.id);
    let name = name(ask, outcome, &id);
    let rule = |question: &Question, answer: &Answer| {
        json!({
            "id": id, "name": name, "user": user.as_str(), "from": ask.id.to_string(),
            "made_at": time::write(now), "until": time::write(until),
            "match": matched(ask, question), "answer": value(question, answer),
        })
    };
    let rules = given(ask).filter_map(|question| Some(rule(question, outcome.answers.to(&question.id)?)));
    Ok(rules.collect())
}

/// The questions that a person gives answers to.
fn given(ask: &Ask) -> impl Iterator<Item = &Question> {
    ask.questions.all().into_iter().filter(|question| question.collected.is_none())
}

/// What a question must be like, as narrow as can be said.
fn matched(ask: &Ask, question: &Question) -> Value {
    let asker = &ask.terms.asker;
    let labels: Vec<&str> = question.choices.iter().map(|choice| choice.label.as_str()).collect();
    let mut matched = json!({
        "question": question.text, "options": labels,
        "agent": asker.agent, "project": asker.project, "folder": asker.folder,
        ASKED_BY: ask.asked_by.map(key), CONTENT: content_of(question, &ask.terms),
    });
    if let Some(header) = &question.header {
        matched["header"] = header.as_str().into();
    }
    matched
}

/// The content of one question, with all that it may open.
pub(super) fn content_of(question: &Question, terms: &Terms) -> String {
    let alone = Questions::remembered(vec![question.clone()]);
    let digest = content::digest(Content::new(&alone, terms));
    format!("{VERSION}:{:032x}", u128::from_be_bytes(digest))
}

/// A key as a rule names it: as `askuser key list` does.
pub(super) fn key(id: KeyId) -> String {
    format!("{:032x}", id.0)
}

/// Returns what stands for everything that an entry matches: by it the entry is found again.
pub fn mark(entry: &Value) -> [u8; 32] {
    mark_of(entry.get("match").unwrap_or(&Value::Null))
}

fn mark_of(matched: &Value) -> [u8; 32] {
    let said = ["question", "header", "options", "agent", "project", "folder", ASKED_BY, CONTENT]
        .map(|name| matched.get(name).unwrap_or(&Value::Null));
    Sha256::digest(json!(said).to_string()).into()
}

/// Returns the marks of the entries that could answer an ask. None for one that grants a permission: no
/// rule that was made does.
pub fn marks(ask: &Ask) -> Vec<[u8; 32]> {
    if ask.terms.purpose == Purpose::Permission {
        return Vec::new();
    }
    given(ask).map(|question| mark_of(&matched(ask, question))).collect()
}

/// Returns the id of the rule that is made from an ask; once more is the same one.
pub fn id_of(ask: AskId) -> String {
    let ask = ask.to_string();
    format!("rule_{}", ask.strip_prefix("ask_").unwrap_or(&ask))
}

/// Returns the ask that the rule of this id was made from.
pub fn from(id: &str) -> Option<AskId> {
    format!("ask_{}", id.strip_prefix("rule_")?).parse().ok()
}

fn name(ask: &Ask, outcome: &Outcome, id: &str) -> String {
    let first = ask.questions.top().first();
    let said = first.and_then(|question| Some((question, outcome.answers.to(&question.id)?)));
    let said = said.map(|(question, answer)| format!("{} → {}", question.title(), words(question, answer)));
    let said: String = said.unwrap_or_default().chars().take(NAME_CHARS_MAX).collect();
    format!("{said} ({id})")
}

/// An answer as a person's client sends it: by label, so that it reads as it did on the card.
fn value(question: &Question, answer: &Answer) -> Value {
    let picked: Vec<&str> = labels(question, answer).collect();
    match (question.kind, answer.text.as_deref()) {
        _ if answer.skipped => Value::Null,
        (Kind::Text, text) => json!(text),
        (Kind::YesNo, None) => (answer.picked.first().map(|id| id.as_str() == YES)).into(),
        (Kind::OneOf, None) => json!(picked.first()),
        (Kind::SomeOf { .. }, None) => json!(picked),
        (_, Some(text)) => json!({"selected": picked, "other": text}),
    }
}

fn labels<'a>(question: &'a Question, answer: &'a Answer) -> impl Iterator<Item = &'a str> {
    let picked = question.choices.iter().filter(|choice| answer.picked.contains(&choice.id));
    picked.map(|choice| choice.label.as_str())
}

/// An answer in words.
pub fn words(question: &Question, answer: &Answer) -> String {
    let mut said: Vec<&str> = labels(question, answer).collect();
    said.extend(answer.text.as_deref());
    if said.is_empty() { "—".to_owned() } else { said.join(", ") }
}

/// Returns the book of these entries, each written as JSON: that is YAML, and there is one reader.
pub fn book(entries: &[String]) -> Result<Book, Vec<Fault>> {
    super::read(&format!("{{\"rules\": [{}]}}", entries.join(", ")))
}

/// Returns the rules of a list of entries, each once and with its entries, in their order. What is no
/// entry of a rule that was made is left out.
pub fn listed(entries: impl IntoIterator<Item = Value>) -> Vec<(MadeRule, Vec<Value>)> {
    let mut made: Vec<(MadeRule, Vec<Value>)> = Vec::new();
    for entry in entries {
        let Some(rule) = read(&entry) else { continue };
        match made.iter_mut().find(|(known, _)| known.id == rule.id && known.user == rule.user) {
            Some((known, entries)) => {
                known.says.extend(rule.says);
                entries.push(entry);
            }
            None => made.push((rule, vec![entry])),
        }
    }
    made
}

fn read(entry: &Value) -> Option<MadeRule> {
    let word = |name: &str| entry.get(name).and_then(Value::as_str);
    let matched = |name: &str| entry.get("match").and_then(|matched| matched.get(name)?.as_str());
    let answer = match entry.get("answer")? {
        Value::String(text) => text.clone(),
        Value::Null => "—".to_owned(),
        other => other.to_string(),
    };
    Some(MadeRule {
        id: word("id")?.to_owned(),
        name: word("name")?.to_owned(),
        user: UserId::from(word("user")?),
        from: word("from")?.parse().ok()?,
        made_at: time::read(word("made_at")?)?,
        until: time::read(word("until")?)?,
        agent: matched("agent").map(str::to_owned),
        project: matched("project").or(matched("folder")).map(str::to_owned),
        holds: entry
            .get("match")
            .is_some_and(|matched| [ASKED_BY, CONTENT].iter().all(|name| matched.get(*name).is_some())),
        says: vec![(matched("question")?.to_owned(), answer)],
    })
}
