//! What a person answered before, where they are asked the same or the like again (D19). Shown, and
//! never taken for an answer.
//!
//! The last answer is told, and may be put on the sheet, where the same was asked word for word. What was
//! usually picked is counted over questions that are alike as well: of the same template, with the same
//! header and choices, or in nearly the same words.

use crate::alike::taken_over;
use crate::ask::Ask;
use crate::asker::Purpose;
use crate::entry::Entry;
use crate::id::{AskId, ChoiceId, QuestionId, UserId};
use crate::near::Words;
use crate::outcome::{AnsweredBy, Ending, Outcome};
use crate::question::{Choice, Kind, Question};
use crate::time::Timestamp;

/// Earlier answers that are counted for a question, the newest.
pub const COUNTED_MAX: usize = 20;
/// Texts that are compared word by word, for an ask.
pub const COMPARED_MAX: usize = 2000;
/// A choice is named as the usual one from this many answers on.
const USUAL_MIN: usize = 2;

/// What is known from before about an open ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recall {
    /// The last answer to the same questions.
    pub last: Option<Last>,
    /// For each question what was picked most often.
    pub usual: Vec<Usual>,
}

/// The last answer to the same questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Last {
    /// The ask that was answered.
    pub ask: AskId,
    pub at: Timestamp,
    /// That answer, as a sheet for the open ask.
    pub entries: Vec<(QuestionId, Entry)>,
}

/// What was picked most often for one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usual {
    /// The question, of the open ask.
    pub question: QuestionId,
    /// What was picked, in words.
    pub label: String,
    pub n_picked: usize,
    /// Of how many answers.
    pub n_answers: usize,
    /// How many of those were to the same words.
    pub n_same: usize,
    /// The earliest that was counted.
    pub since: Timestamp,
}

/// Recalls what this person answered to such questions, from asks with the newest first. Nothing for a
/// permission, and nothing from one: that is looked at each time.
pub fn recall<'a>(ask: &Ask, user: &UserId, before: impl IntoIterator<Item = &'a Ask>) -> Option<Recall> {
    if ask.terms.purpose == Purpose::Permission {
        return None;
    }
    let mut last: Option<Last> = None;
    let questions = ask.questions.top().iter().enumerate();
    let mut counts: Vec<Count> =
        questions.filter_map(|(place, question)| Count::new(place, question)).collect();
    let mut n_compared = 0;
    for earlier in before {
        let Some(outcome) = answered_by(earlier, user).filter(|_| earlier.id != ask.id) else { continue };
        if last.as_ref().is_none_or(|last| last.at < outcome.at)
            && let Some(entries) = taken_over(&earlier.questions, &ask.questions, &outcome.answers.entries())
        {
            last = Some(Last { ask: earlier.id, at: outcome.at, entries });
        }
        let template = earlier.terms.template.is_some() && earlier.terms.template == ask.terms.template;
        for count in &mut counts {
            count.look(earlier, outcome, template, &mut n_compared);
        }
    }
    let usual: Vec<Usual> = counts.iter().filter_map(Count::usual).collect();
    (last.is_some() || !usual.is_empty()).then_some(Recall { last, usual })
}

/// How it ended, where this person answered it themselves.
fn answered_by<'a>(earlier: &'a Ask, user: &UserId) -> Option<&'a Outcome> {
    let outcome = earlier.state.outcome()?;
    let own =
        outcome.ending == Ending::Answered(AnsweredBy::Person) && outcome.by.user.as_ref() == Some(user);
    (own && earlier.terms.purpose != Purpose::Permission).then_some(outcome)
}

/// What was picked for one question of the open ask, so far.
struct Count<'a> {
    question: &'a Question,
    place: usize,
    words: Words,
    /// What was picked, when, and whether the words were the same.
    picks: Vec<(ChoiceId, Timestamp, bool)>,
}

impl<'a> Count<'a> {
    /// None for a question of which nothing is counted: a secret, a text, several choices.
    fn new(place: usize, question: &'a Question) -> Option<Self> {
        let counted = !question.secret && matches!(question.kind, Kind::OneOf | Kind::YesNo);
        counted.then(|| Self { question, place, words: Words::of(&question.text), picks: Vec::new() })
    }

    /// Looks for a question that is alike in an earlier ask, and counts what was picked there.
    fn look(&mut self, earlier: &Ask, outcome: &Outcome, template: bool, n_compared: &mut usize) {
        if self.picks.len() == COUNTED_MAX {
            return;
        }
        for (place, asked) in earlier.questions.top().iter().enumerate() {
            if asked.secret || asked.kind != self.question.kind {
                continue;
            }
            let same = asked.text == self.question.text && asked.header == self.question.header;
            let of_template = template && place == self.place;
            if !(same
                || of_template
                || self.has_its_header_and_choices(asked)
                || self.is_near(asked, n_compared))
            {
                continue;
            }
            let picked = outcome.answers.to(&asked.id).and_then(|answer| answer.picked.first());
            let Some(picked) = picked.and_then(|id| asked.choices.iter().position(|choice| choice.id == *id))
            else {
                continue;
            };
            if let Some(choice) = self.choice(asked, picked, of_template) {
                self.picks.push((choice.id.clone(), outcome.at, same));
                return;
            }
        }
    }

    /// A yes-or-no has the choices that all of them have: its header alone would be too little.
    fn has_its_header_and_choices(&self, asked: &Question) -> bool {
        let choices = || asked.choices.iter().zip(&self.question.choices);
        self.question.kind == Kind::OneOf
            && asked.header.is_some()
            && asked.header == self.question.header
            && asked.choices.len() == self.question.choices.len()
            && choices().all(|(one, other)| one.label == other.label)
    }

    fn is_near(&self, asked: &Question, n_compared: &mut usize) -> bool {
        *n_compared += 1;
        *n_compared <= COMPARED_MAX && Words::of(&asked.text).is_near(&self.words)
    }

    /// The choice of the open question that was picked then: by its label, or by its place in a template
    /// whose labels have places for what changes.
    fn choice(&self, asked: &Question, picked: usize, of_template: bool) -> Option<&'a Choice> {
        let label = &asked.choices.get(picked)?.label;
        let by_label = self.question.choices.iter().find(|choice| choice.label == *label);
        let as_many = asked.choices.len() == self.question.choices.len();
        by_label.or_else(|| self.question.choices.get(picked).filter(|_| of_template && as_many))
    }

    fn usual(&self) -> Option<Usual> {
        let count = |choice: &Choice| self.picks.iter().filter(|(pick, ..)| *pick == choice.id).count();
        let choice = self.question.choices.iter().max_by_key(|choice| count(choice))?;
        let n_picked = count(choice);
        // One that was picked as often as another is no usual one.
        let tied =
            self.question.choices.iter().any(|other| other.id != choice.id && count(other) == n_picked);
        if n_picked < USUAL_MIN || tied {
            return None;
        }
        Some(Usual {
            question: self.question.id.clone(),
            label: choice.shown_label().to_owned(),
            n_picked,
            n_answers: self.picks.len(),
            n_same: self.picks.iter().filter(|(.., same)| *same).count(),
            since: self.picks.iter().map(|(_, at, _)| *at).min()?,
        })
    }
}

#[cfg(test)]
mod tests;
