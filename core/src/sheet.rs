//! The half-filled answer sheet of one person for one ask.
//!
//! Knows which questions are visible given what is picked, what is still missing, and whether it
//! may be sent. Every channel draws this and nothing else, so a rule about answering lives here
//! once. Touches nothing: no clock, no disk, no terminal.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::answer::{Answer, Answers, Parent};
use crate::entry::Entry;
use crate::id::{ChoiceId, QuestionId};
use crate::problem::{Fault, Problem};
use crate::question::{Condition, Kind, Question, Questions};

/// A half-filled sheet. Holds entries of visible questions only: what a changed choice hides, it
/// drops.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    questions: Arc<Questions>,
    entries: BTreeMap<QuestionId, Entry>,
    suggesting: bool,
}

/// A question that is on the sheet now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Visible<'a> {
    pub question: &'a Question,
    /// How many follow-ups deep it stands.
    pub depth: usize,
    /// The question and the choice that opened it.
    pub parent: Option<(&'a Question, &'a ChoiceId)>,
}

impl Questions {
    /// Whether the asker brought every answer along, so that nothing is left to ask (E5).
    pub fn is_collected(&self) -> bool {
        let all = self.top().iter().all(|question| question.collected.is_some());
        all && Sheet::blank(Arc::new(self.clone())).visible().is_empty()
    }
}

impl Sheet {
    /// Returns an empty sheet.
    pub fn blank(questions: Arc<Questions>) -> Self {
        let mut sheet = Self { questions, entries: BTreeMap::new(), suggesting: false };
        sheet.settle();
        sheet
    }

    /// Returns a sheet with what the asker suggests filled in (D2), now and under every choice
    /// that is picked later.
    pub fn suggested(questions: Arc<Questions>) -> Self {
        Self::suggested_around(questions, [])
    }

    /// The same around what is answered already: that stays.
    pub(crate) fn suggested_around(
        questions: Arc<Questions>,
        answered: impl IntoIterator<Item = (QuestionId, Entry)>,
    ) -> Self {
        let mut sheet = Self { questions, entries: answered.into_iter().collect(), suggesting: true };
        sheet.settle();
        sheet
    }

    /// Returns a sheet filled with these entries. Entries of questions that are not on the path
    /// taken are dropped; of questions that are not in the ask, refused.
    pub fn filled(
        questions: Arc<Questions>,
        entries: impl IntoIterator<Item = (QuestionId, Entry)>,
    ) -> Result<Self, Vec<Problem>> {
        let mut sheet = Self { questions, entries: BTreeMap::new(), suggesting: false };
        let mut problems = Vec::new();
        for (id, entry) in entries {
            if sheet.questions.find(&id).is_some() {
                sheet.entries.insert(id, entry);
            } else {
                let question = id.as_str().to_owned();
                problems.push(Problem::new(question.clone(), Fault::NoSuchQuestion { question }));
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        sheet.settle();
        Ok(sheet)
    }

    /// Returns the questions that it answers.
    pub fn questions(&self) -> &Arc<Questions> {
        &self.questions
    }

    /// Returns what is put down for a question.
    pub fn entry(&self, id: &QuestionId) -> Option<&Entry> {
        self.entries.get(id)
    }

    /// Returns every entry, for saving.
    pub fn entries(&self) -> impl Iterator<Item = (&QuestionId, &Entry)> {
        self.entries.iter()
    }

    /// Returns the questions to be shown, each follow-up under the choice that opened it.
    /// Questions that the asker had answers to are not among them (E5).
    pub fn visible(&self) -> Vec<Visible<'_>> {
        self.on_path().into_iter().filter(|visible| visible.question.collected.is_none()).collect()
    }

    /// Picks a choice: in place of any other where one may be picked, beside them otherwise.
    pub fn pick(&mut self, id: &QuestionId, choice: &ChoiceId) -> Result<(), Fault> {
        let question = self.shown(id)?;
        if question.choice(choice).is_none() {
            return Err(Fault::NoSuchChoice { choice: choice.as_str().to_owned() });
        }
        let several = matches!(question.kind, Kind::SomeOf { .. });
        let order: Vec<ChoiceId> = question.choices.iter().map(|choice| choice.id.clone()).collect();
        let entry = self.touch(id);
        if !several {
            entry.picked.clear();
            entry.text = None;
        }
        if !entry.picked.contains(choice) {
            entry.picked.push(choice.clone());
        }
        entry.picked.sort_by_key(|picked| order.iter().position(|id| id == picked));
        self.settle();
        Ok(())
    }

    /// Takes a pick back.
    pub fn unpick(&mut self, id: &QuestionId, choice: &ChoiceId) -> Result<(), Fault> {
        self.shown(id)?;
        self.touch(id).picked.retain(|picked| picked != choice);
        self.settle();
        Ok(())
    }

    /// Puts down a text: the answer of a text question, "Other" of a choice question. An empty
    /// text takes it back.
    pub fn write(&mut self, id: &QuestionId, text: &str) -> Result<(), Fault> {
        let question = self.shown(id)?;
        if question.free.is_none() {
            return Err(Fault::NoFreeText);
        }
        let replaces = question.kind == Kind::OneOf && !text.is_empty();
        let entry = self.touch(id);
        entry.text = (!text.is_empty()).then(|| text.to_owned());
        if replaces {
            entry.picked.clear();
        }
        self.settle();
        Ok(())
    }

    /// Puts a remark beside the answer; an empty one takes it back.
    pub fn note(&mut self, id: &QuestionId, note: &str) -> Result<(), Fault> {
        self.shown(id)?;
        let entry = self.entries.entry(id.clone()).or_default();
        entry.note = (!note.is_empty()).then(|| note.to_owned());
        self.settle();
        Ok(())
    }

    /// Says what keeps the sheet from being sent, question by question; nothing, and it may be.
    pub fn problems(&self) -> Vec<Problem> {
        self.visible().iter().filter_map(|visible| self.problem(visible.question)).collect()
    }

    /// Says what is wrong with the answer to one question, if anything is.
    pub fn problem(&self, question: &Question) -> Option<Problem> {
        let fault = match self.entries.get(&question.id) {
            Some(entry) if !entry.is_empty() => entry.fault(question)?,
            Some(entry) if !question.required => entry.fault(question)?,
            None if !question.required => return None,
            _ => Fault::Missing,
        };
        Some(Problem::new(question.id.as_str(), fault))
    }

    /// Returns the answers on the path taken, or everything that keeps them from being sent.
    pub fn answers(&self) -> Result<Answers, Vec<Problem>> {
        let problems = self.problems();
        if problems.is_empty() { Ok(self.answers_so_far()) } else { Err(problems) }
    }

    /// Returns what is put down already; the rest is marked as skipped (O9).
    pub fn answers_so_far(&self) -> Answers {
        Answers(self.on_path().iter().map(|visible| self.answer(visible)).collect())
    }

    fn answer(&self, visible: &Visible<'_>) -> Answer {
        let question = visible.question;
        let parent = visible
            .parent
            .map(|(question, choice)| Parent { question: question.id.clone(), choice: choice.clone() });
        let (entry, collected) = match &question.collected {
            Some(had) => {
                let entry = Entry { picked: had.picked.clone(), text: had.text.clone(), ..Entry::default() };
                (entry, true)
            }
            None => (self.entries.get(&question.id).cloned().unwrap_or_default(), false),
        };
        let skipped = entry.is_empty() || (!collected && entry.fault(question).is_some());
        let (picked, text) = if skipped { (Vec::new(), None) } else { (entry.picked, entry.text) };
        Answer { question: question.id.clone(), parent, picked, text, note: entry.note, skipped, collected }
    }

    /// Finds a question that may be answered now.
    fn shown(&self, id: &QuestionId) -> Result<&Question, Fault> {
        let found =
            self.visible().into_iter().map(|visible| visible.question).find(|question| question.id == *id);
        found.ok_or_else(|| Fault::NoSuchQuestion { question: id.as_str().to_owned() })
    }

    fn touch(&mut self, id: &QuestionId) -> &mut Entry {
        let entry = self.entries.entry(id.clone()).or_default();
        entry.suggested = false;
        entry
    }

    /// Brings the entries in line with what is visible: drops what is hidden, suggests in what
    /// came into view. Each may change what is visible, so it goes on until nothing does.
    fn settle(&mut self) {
        loop {
            let on_path: Vec<&Question> = self.on_path().iter().map(|visible| visible.question).collect();
            let hidden: Vec<QuestionId> = self
                .entries
                .keys()
                .filter(|id| !on_path.iter().any(|question| question.id == **id))
                .cloned()
                .collect();
            let fresh: Vec<(QuestionId, Entry)> = if self.suggesting {
                on_path
                    .iter()
                    .filter(|question| !self.entries.contains_key(&question.id))
                    .map(|question| (question.id.clone(), Entry::suggestion(question)))
                    .collect()
            } else {
                Vec::new()
            };
            if hidden.is_empty() && fresh.is_empty() {
                return;
            }
            for id in hidden {
                self.entries.remove(&id);
            }
            self.entries.extend(fresh);
        }
    }

    fn on_path(&self) -> Vec<Visible<'_>> {
        let mut found = Vec::new();
        for question in self.questions.top() {
            self.walk(question, 0, None, &mut found);
        }
        found
    }

    fn walk<'a>(
        &'a self,
        question: &'a Question,
        depth: usize,
        parent: Option<(&'a Question, &'a ChoiceId)>,
        found: &mut Vec<Visible<'a>>,
    ) {
        if !question.depends_on.as_ref().is_none_or(|condition| self.holds(condition)) {
            return;
        }
        found.push(Visible { question, depth, parent });
        for choice in question.choices.iter().filter(|choice| self.is_picked(question, &choice.id)) {
            for follow_up in &choice.follow_ups {
                self.walk(follow_up, depth + 1, Some((question, &choice.id)), found);
            }
        }
    }

    fn is_picked(&self, question: &Question, choice: &ChoiceId) -> bool {
        match &question.collected {
            Some(had) => had.picked.contains(choice),
            None => self.entries.get(&question.id).is_some_and(|entry| entry.picked.contains(choice)),
        }
    }

    /// Whether a condition holds now. One about another ask was judged before this one was shown.
    fn holds(&self, condition: &Condition) -> bool {
        let Some(target) = self.questions.find(&condition.question) else {
            return true;
        };
        let own = target.depends_on.as_ref().is_none_or(|condition| self.holds(condition));
        own && match &condition.choice {
            Some(choice) => self.is_picked(target, choice),
            None => {
                target.collected.is_some()
                    || self.entries.get(&target.id).is_some_and(|entry| !entry.is_empty())
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
