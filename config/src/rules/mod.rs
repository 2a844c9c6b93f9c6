//! Answers that a person wrote down beforehand: for tests, for CI, for questions that always get the
//! same answer.
//!
//! A rule answers one question; an ask is answered when every question of it is. What no rule
//! answers is told and never guessed. Permissions are answered only by a rule that says so, and that the
//! person who is asked confirmed.
//!
//! Rules are written by hand (`rules.yaml`) or made from an answer that a person gave (`made`): one form,
//! one reader, one way to be applied.

mod reading;
mod pattern;
mod permission;
pub mod check;
pub mod made;

use std::sync::Arc;

use askuser_core::asker::{Purpose, Terms};
use askuser_core::command::RuleReach;
use askuser_core::entry::Entry;
use askuser_core::id::{KeyId, QuestionId, UserId};
use askuser_core::question::{Question, Questions};
use askuser_core::sheet::Sheet;
use askuser_core::time::Timestamp;
use askuser_words::config::Wrong;
use askuser_words::{Both, both, fault};
use serde_json::Value;

use askuser_wire::answers::read_answer;

use pattern::Pattern;
pub use permission::{PermissionRule, RuleDigest};
pub use reading::read;

/// Every rule of a file.
#[derive(Debug, Clone, Default)]
pub struct Book {
    rules: Vec<Rule>,
    otherwise: Option<Otherwise>,
}

/// What becomes of an ask that the rules do not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Otherwise {
    /// A person is asked.
    Ask,
    /// It ends unanswered, with what was asked.
    Fail,
}

#[derive(Debug, Clone)]
struct Rule {
    name: Option<String>,
    matches: Matches,
    answer: Value,
    note: Option<String>,
    /// What has to be confirmed, where it is one for permissions.
    permission: Option<Arc<PermissionRule>>,
    /// Whose asks it answers; everybody's where nobody is named.
    user: Option<String>,
    /// When it ends.
    until: Option<Timestamp>,
}

/// An ask as the rules look at it.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// What is asked.
    pub questions: &'a Arc<Questions>,
    /// By whom, and around it.
    pub terms: &'a Terms,
    /// Who is asked, where that is known.
    pub owner: Option<&'a UserId>,
    /// The API key that asked, where one did.
    pub asked_by: Option<KeyId>,
    /// The rules for permissions that they confirmed.
    pub confirmed: &'a [RuleDigest],
    pub now: Timestamp,
}

/// What a question must be like; everything that is said must hold.
#[derive(Debug, Clone, Default)]
struct Matches {
    /// Its id or its header, word for word: the short form.
    key: Option<String>,
    id: Option<String>,
    header: Option<String>,
    text: Option<Pattern>,
    /// What is asked, word for word.
    question: Option<String>,
    /// The labels of its choices, all of them, in order.
    options: Option<Vec<String>>,
    template: Option<String>,
    agent: Wanted,
    project: Wanted,
    folder: Wanted,
    /// The API key: what the desk knows of an asker, whatever that says of itself.
    asked_by: Wanted,
    /// What is asked and what about, of a rule that was made from an answer.
    content: Wanted,
}

/// What an asker must say of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum Wanted {
    /// Whatever it likes.
    #[default]
    Anything,
    /// Nothing: `null` in the file.
    Nothing,
    Just(String),
}

impl Wanted {
    fn fits(&self, said: Option<&str>) -> bool {
        match self {
            Self::Anything => true,
            Self::Nothing => said.is_none(),
            Self::Just(wanted) => said == Some(wanted.as_str()),
        }
    }
}

/// What the rules make of an ask.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// Every question is answered.
    Answers {
        /// The whole sheet.
        entries: Vec<(QuestionId, Entry)>,
        /// The rules, by their names.
        rule: Option<String>,
        /// What the rules are good for.
        reach: RuleReach,
    },
    /// These questions are not, and why not.
    Unanswered(Vec<Both>),
    /// Rules would answer it that the person has not confirmed: it is theirs.
    Unconfirmed(Vec<Arc<PermissionRule>>),
}

/// Why no rule answers a question.
enum Unanswered {
    Because(Both),
    Unconfirmed(Arc<PermissionRule>),
}

impl Book {
    /// Returns what becomes of an ask that the rules do not answer, where the file says so.
    pub fn otherwise(&self) -> Option<Otherwise> {
        self.otherwise
    }

    /// Whether it says nothing of any ask.
    pub fn is_silent(&self) -> bool {
        self.rules.is_empty() && self.otherwise != Some(Otherwise::Fail)
    }

    /// Returns the rules for permissions.
    pub fn for_permissions(&self) -> impl Iterator<Item = &Arc<PermissionRule>> {
        self.rules.iter().filter_map(|rule| rule.permission.as_ref())
    }

    /// Adds the rules of another file behind these.
    #[must_use]
    pub fn and(mut self, more: Self) -> Self {
        self.rules.extend(more.rules);
        self.otherwise = self.otherwise.or(more.otherwise);
        self
    }

    /// Looks an ask up.
    pub fn look_up(&self, asked: &Asked<'_>) -> Found {
        let questions = asked.questions;
        let mut entries: Vec<(QuestionId, Entry)> = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        let mut seen: Vec<QuestionId> = Vec::new();
        let (mut unanswered, mut unconfirmed) = (Vec::new(), Vec::new());
        loop {
            // An answer may open follow-ups, which want answers of their own.
            let sheet = Sheet::filled(Arc::clone(questions), entries.iter().cloned());
            let Ok(sheet) = sheet else { break };
            let visible = sheet.visible();
            let next = visible.iter().map(|visible| visible.question).find(|next| !seen.contains(&next.id));
            let Some(question) = next else {
                if unanswered.is_empty() && unconfirmed.is_empty() {
                    unanswered.extend(sheet.problems().iter().map(|problem| {
                        both(|say: Wrong| say.in_file(&problem.path, fault::fault(&problem.fault, say.0)))
                    }));
                }
                break;
            };
            seen.push(question.id.clone());
            match self.answer(question, asked) {
                Ok((entry, name)) => {
                    entries.push((question.id.clone(), entry));
                    names.extend(name.filter(|name| !names.contains(name)));
                }
                Err(Unanswered::Because(why)) => unanswered.push(why),
                Err(Unanswered::Unconfirmed(rule)) => unconfirmed.push(rule),
            }
        }
        if !unconfirmed.is_empty() {
            return Found::Unconfirmed(unconfirmed);
        }
        if !unanswered.is_empty() {
            return Found::Unanswered(unanswered);
        }
        let rule = (!names.is_empty()).then(|| format!("rule: {}", names.join(", ")));
        let reach = match (asked.terms.purpose, asked.owner) {
            // Only rules for permissions were looked at, and only what was confirmed was taken.
            (Purpose::Permission, Some(owner)) => RuleReach::ConfirmedBy(owner.clone()),
            (Purpose::Decision | Purpose::Permission, _) => RuleReach::Decisions,
        };
        Found::Answers { entries, rule, reach }
    }

    fn answer(&self, question: &Question, about: &Asked<'_>) -> Result<(Entry, Option<&str>), Unanswered> {
        let terms = about.terms;
        let asked = match &question.header {
            Some(header) => format!("`{header}`: {}", question.text),
            None => question.text.clone(),
        };
        let permission = terms.purpose == Purpose::Permission;
        let mut fitting =
            self.rules.iter().filter(|rule| rule.permission.is_some() == permission && rule.holds(about));
        let rule = fitting.find(|rule| rule.matches.fit(question, about));
        let rule = rule.ok_or_else(|| Unanswered::Because(both(|say: Wrong| say.no_rule_answers(&asked))))?;
        // The first that fits counts: what was not confirmed does not make way for one behind it.
        if let Some(unconfirmed) = rule.permission.as_ref().filter(|rule| !about.is_confirmed(rule)) {
            return Err(Unanswered::Unconfirmed(Arc::clone(unconfirmed)));
        }
        let mut entry = read_answer(question, &rule.answer).map_err(|fault| {
            let name = rule.name.as_deref().map(|name| format!(" `{name}` ")).unwrap_or_default();
            Unanswered::Because(both(|say: Wrong| {
                let fault = fault::fault(&fault, say.0);
                say.rule_does_not_fit(say.0.pick(name.trim_end(), &name), &asked, fault)
            }))
        })?;
        entry.note.clone_from(&rule.note);
        Ok((entry, rule.name.as_deref()))
    }
}

impl Asked<'_> {
    fn is_confirmed(&self, rule: &PermissionRule) -> bool {
        self.confirmed.contains(&rule.digest)
    }
}

impl Rule {
    /// Whether it is about this person, and has not ended.
    fn holds(&self, about: &Asked<'_>) -> bool {
        let owner = about.owner.map(UserId::as_str);
        self.user.as_deref().is_none_or(|user| owner == Some(user))
            && self.until.is_none_or(|until| about.now < until)
    }
}

impl Matches {
    fn fit(&self, question: &Question, about: &Asked<'_>) -> bool {
        let terms = about.terms;
        let is = |wanted: &Option<String>, found: Option<&str>| {
            wanted.as_deref().is_none_or(|wanted| found == Some(wanted))
        };
        let (id, header) = (Some(question.id.as_str()), question.header.as_deref());
        // A place says something only in a file that was written for one ask: `q1` is asked by everybody.
        let by_place = |key: &str| {
            about.owner.is_none() && about.questions.keyed().key_of(question).is_some_and(|own| own == key)
        };
        let by_key =
            self.key.as_deref().is_none_or(|key| id == Some(key) || header == Some(key) || by_place(key));
        by_key
            && is(&self.id, id)
            && is(&self.header, header)
            && self.text.as_ref().is_none_or(|pattern| pattern.is_match(&question.text))
            && is(&self.question, Some(&question.text))
            && self.options.as_deref().is_none_or(|options| labels(question) == options)
            && is(&self.template, terms.template.as_deref())
            && self.agent.fits(terms.asker.agent.as_deref())
            && self.project.fits(terms.asker.project.as_deref())
            && self.folder.fits(terms.asker.folder.as_deref())
            && self.asked_by.fits(about.asked_by.map(made::key).as_deref())
            && (self.content == Wanted::Anything
                || self.content.fits(Some(&made::content_of(question, terms))))
    }
}

fn labels(question: &Question) -> Vec<&str> {
    question.choices.iter().map(|choice| choice.label.as_str()).collect()
}

#[cfg(test)]
mod tests;
