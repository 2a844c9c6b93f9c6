//! What is asked: questions, their choices, and what may be typed.
//!
//! [`Questions`] can only be had by checking a draft, so whoever holds one holds valid questions:
//! ids are unique, follow-ups belong to choices, conditions end.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::format::Format;
use crate::id::{ChoiceId, QuestionId};

/// The questions of one ask, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Questions {
    list: Vec<Question>,
    /// The hashes of all ids, sorted: whether an ask has a question is looked up often, and in many asks.
    ids: Box<[u64]>,
    /// Whether a question waits for one of another ask.
    waits_elsewhere: bool,
}

impl Questions {
    /// Wraps questions whose rules `draft::check` has just proven.
    pub(crate) fn checked(questions: Vec<Question>) -> Self {
        Self::indexed(questions)
    }

    /// Takes back questions that were checked before they were stored.
    pub fn remembered(questions: Vec<Question>) -> Self {
        Self::indexed(questions)
    }

    fn indexed(list: Vec<Question>) -> Self {
        let mut questions = Self { list, ids: Box::default(), waits_elsewhere: false };
        let mut ids: Vec<u64> = questions.all().iter().map(|question| id_hash(&question.id)).collect();
        ids.sort_unstable();
        questions.ids = ids.into_boxed_slice();
        questions.waits_elsewhere = {
            let all = questions.all();
            let mut conditions = all.iter().filter_map(|question| question.depends_on.as_ref());
            conditions.any(|condition| !questions.has(&condition.question))
        };
        questions
    }

    /// Returns the questions at the top level, in order.
    pub fn top(&self) -> &[Question] {
        &self.list
    }

    /// Returns every question, follow-ups after the question that opens them.
    pub fn all(&self) -> Vec<&Question> {
        let mut found = Vec::new();
        for question in &self.list {
            question.collect(&mut found);
        }
        found
    }

    /// Whether there is a question of this id, follow-ups included.
    pub fn has(&self, id: &QuestionId) -> bool {
        self.find(id).is_some()
    }

    /// Finds a question of this id, follow-ups included.
    pub fn find(&self, id: &QuestionId) -> Option<&Question> {
        self.ids.binary_search(&id_hash(id)).ok()?;
        self.list.iter().find_map(|question| question.find(id))
    }

    /// The hashes of all ids, sorted.
    pub(crate) fn id_hashes(&self) -> &[u64] {
        &self.ids
    }

    /// Whether a question waits for one of another ask.
    pub fn waits_elsewhere(&self) -> bool {
        self.waits_elsewhere
    }

    /// Gives the ids that we made their final form, unique in the session: `r2q1`.
    #[must_use]
    pub fn in_round(mut self, round: u32) -> Self {
        let made: Vec<QuestionId> = self
            .all()
            .into_iter()
            .filter(|question| question.named_by == NamedBy::Us)
            .map(|question| question.id.clone())
            .collect();
        for question in &mut self.list {
            question.rename(round, &made);
        }
        Self::indexed(self.list)
    }

    /// Notes which ids we made, of questions that another process told us.
    #[must_use]
    pub fn made_by_us(mut self, made: &[QuestionId]) -> Self {
        self.list.iter_mut().for_each(|question| question.made_by_us(made));
        self
    }

    /// Lets the ids that the asker gave count within this ask only.
    #[must_use]
    pub fn named_here(mut self) -> Self {
        self.list.iter_mut().for_each(Question::name_here);
        self
    }

    /// Takes off conditions on questions of other asks, once they are known to hold.
    #[must_use]
    pub fn settled(mut self) -> Self {
        let here: Vec<QuestionId> = self.all().iter().map(|question| question.id.clone()).collect();
        for question in &mut self.list {
            question.settle(&here);
        }
        Self::indexed(self.list)
    }

    /// Takes out questions whose conditions turned out not to hold, with what they would open.
    #[must_use]
    pub fn without(mut self, dropped: &[QuestionId]) -> Self {
        drop_from(&mut self.list, dropped);
        Self::indexed(self.list)
    }
}

/// The hash by which ids are looked up before they are compared.
pub(crate) fn id_hash(id: &QuestionId) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.as_str().hash(&mut hasher);
    hasher.finish()
}

fn drop_from(questions: &mut Vec<Question>, dropped: &[QuestionId]) {
    questions.retain(|question| !dropped.contains(&question.id));
    for choice in questions.iter_mut().flat_map(|question| &mut question.choices) {
        drop_from(&mut choice.follow_ups, dropped);
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Its name in the session.
    pub id: QuestionId,
    /// Who named it.
    pub named_by: NamedBy,
    /// A short label.
    pub header: Option<String>,
    /// What is asked.
    pub text: String,
    /// A longer explanation.
    pub description: Option<String>,
    /// How it is answered.
    pub kind: Kind,
    /// What may be picked: none for text, yes and no for yes-no.
    pub choices: Vec<Choice>,
    /// What may be typed: the answer itself for text, "Other" for choices; none where nothing may.
    pub free: Option<FreeText>,
    /// Whether it must be answered.
    pub required: bool,
    /// Whether what is answered is kept out of logs, audit, metrics and history.
    pub secret: bool,
    /// The answer it waits for.
    pub depends_on: Option<Condition>,
    /// An answer that the asker already had: not asked again (E5).
    pub collected: Option<Collected>,
}

/// Who gave a question its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedBy {
    /// The asker, for the whole session: no other question in it is ever called so.
    Asker,
    /// The asker, for this ask alone: another ask may use the same id.
    AskerHere,
    /// We, because the asker did not.
    Us,
}

/// How a question is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Exactly one choice.
    OneOf,
    /// Several choices, within bounds.
    SomeOf {
        /// The least, where anything is picked at all.
        min: usize,
        max: usize,
    },
    Text,
    /// Yes or no: two choices with the ids `yes` and `no`.
    YesNo,
}

/// One thing that may be picked.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Its name in the question.
    pub id: ChoiceId,
    /// What it says, exactly as given.
    pub label: String,
    /// What it means.
    pub description: Option<String>,
    /// A longer look at what would come of it.
    pub preview: Option<Preview>,
    /// What the asker does once it is picked: told before, and again when it is answered.
    pub running: Option<String>,
    /// Picked beforehand, as the asker's suggestion (D2).
    pub default: bool,
    /// Marked by the asker as the one to take.
    pub recommended: bool,
    /// Questions that open when it is picked.
    pub follow_ups: Vec<Question>,
}

/// A preview of a choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// What it is written in.
    pub format: PreviewFormat,
    /// The preview itself.
    pub text: String,
}

/// What a preview is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreviewFormat {
    /// Markdown, which also reads as plain text.
    Markdown,
    /// An HTML fragment.
    Html,
}

/// What may be typed.
#[derive(Debug, Clone, PartialEq)]
pub struct FreeText {
    /// What it must look like.
    pub format: Format,
    /// The fewest characters, where anything is typed at all.
    pub chars_min: usize,
    /// The most characters.
    pub chars_max: usize,
    /// Whether control characters are taken too (D16).
    pub any_characters: bool,
    /// A hint for the empty field.
    pub placeholder: Option<String>,
    /// Filled in beforehand, as the asker's suggestion.
    pub default: Option<String>,
}

/// The answer that a question waits for (P19).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The question that must be answered first.
    pub question: QuestionId,
    /// The choice that must have been picked there; any answer will do where none is named.
    pub choice: Option<ChoiceId>,
}

/// An answer that the asker brought along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collected {
    pub picked: Vec<ChoiceId>,
    pub text: Option<String>,
}

/// The id of the choice "yes" of a yes-no question.
pub const YES: &str = "yes";
/// The id of the choice "no" of a yes-no question.
pub const NO: &str = "no";

const RECOMMENDED: [&str; 5] = ["(Recommended)", "(recommended)", "(推荐)", "（推荐）", "(RECOMMENDED)"];

impl Question {
    /// Returns the choice of this id.
    pub fn choice(&self, id: &ChoiceId) -> Option<&Choice> {
        self.choices.iter().find(|choice| choice.id == *id)
    }

    /// Returns the choice with this label, where only one has it.
    pub fn labelled(&self, label: &str) -> Option<&Choice> {
        let mut alike = self.choices.iter().filter(|choice| choice.label == label);
        alike.next().filter(|_| alike.next().is_none())
    }

    /// Whether something other than the choices may be typed.
    pub fn takes_other(&self) -> bool {
        self.kind != Kind::Text && self.free.is_some()
    }

    /// Returns the header, or the question where there is none: what a dialog is titled (D1).
    pub fn title(&self) -> &str {
        self.header.as_deref().unwrap_or(&self.text)
    }

    fn find(&self, id: &QuestionId) -> Option<&Self> {
        if self.id == *id {
            return Some(self);
        }
        let mut follow_ups = self.choices.iter().flat_map(|choice| &choice.follow_ups);
        follow_ups.find_map(|follow_up| follow_up.find(id))
    }

    fn collect<'a>(&'a self, found: &mut Vec<&'a Self>) {
        found.push(self);
        for choice in &self.choices {
            for follow_up in &choice.follow_ups {
                follow_up.collect(found);
            }
        }
    }

    fn made_by_us(&mut self, made: &[QuestionId]) {
        if made.contains(&self.id) {
            self.named_by = NamedBy::Us;
        }
        let follow_ups = self.choices.iter_mut().flat_map(|choice| &mut choice.follow_ups);
        follow_ups.for_each(|question| question.made_by_us(made));
    }

    fn name_here(&mut self) {
        if self.named_by == NamedBy::Asker {
            self.named_by = NamedBy::AskerHere;
        }
        self.choices.iter_mut().flat_map(|choice| &mut choice.follow_ups).for_each(Self::name_here);
    }

    fn settle(&mut self, here: &[QuestionId]) {
        self.depends_on = self.depends_on.take().filter(|condition| here.contains(&condition.question));
        for follow_up in self.choices.iter_mut().flat_map(|choice| &mut choice.follow_ups) {
            follow_up.settle(here);
        }
    }

    /// Renames what we named, and conditions on it.
    fn rename(&mut self, round: u32, made: &[QuestionId]) {
        if self.named_by == NamedBy::Us {
            self.id = in_round(&self.id, round);
        }
        if let Some(condition) = self.depends_on.as_mut().filter(|on| made.contains(&on.question)) {
            condition.question = in_round(&condition.question, round);
        }
        for follow_up in self.choices.iter_mut().flat_map(|choice| &mut choice.follow_ups) {
            follow_up.rename(round, made);
        }
    }
}

fn in_round(id: &QuestionId, round: u32) -> QuestionId {
    let own = id.as_str();
    let number = own.rsplit_once('q').map_or(own, |(_, number)| number);
    QuestionId::new(format!("r{round}q{number}"))
}

impl Choice {
    /// Returns the label without its "(Recommended)", which is shown as a mark instead (T14).
    pub fn shown_label(&self) -> &str {
        unmarked(&self.label).unwrap_or(&self.label)
    }
}

/// Returns the label before a "(Recommended)" at its end, if it has one and more than that.
pub fn unmarked(label: &str) -> Option<&str> {
    let trimmed = label.trim_end();
    let plain = RECOMMENDED.iter().find_map(|mark| trimmed.strip_suffix(mark))?.trim_end();
    (!plain.is_empty()).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t14_recommended_at_the_end_of_a_label_is_a_mark() {
        assert_eq!(unmarked("JWT (Recommended)"), Some("JWT"));
        assert_eq!(unmarked("JWT (Recommended) "), Some("JWT"));
        assert_eq!(unmarked("背唐诗（推荐）"), Some("背唐诗"));
        assert_eq!(unmarked("(Recommended)"), None);
        assert_eq!(unmarked("(Recommended) JWT"), None);
    }
}
