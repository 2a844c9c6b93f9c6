//! An answer by one press: held for a while, so that a slip can be taken back, and then final.
//!
//! The ask stays open meanwhile. Whoever ends it first wins, and a held answer that lost is kept as its
//! person's draft.

use std::time::Duration;

use super::{Barred, Deciding, Refusal};
use crate::ask::{Ask, State};
use crate::command::{Actor, Role};
use crate::entry::Entry;
use crate::fact::Fact;
use crate::hearing::Held;
use crate::id::{AskId, QuestionId, UserId};
use crate::outcome::Proof;

impl Deciding {
    /// Holds an answer that could be given now. Pressing the same again changes nothing, something else
    /// takes its place and begins a new while.
    pub(super) fn hold(
        &mut self,
        id: AskId,
        entries: &[(QuestionId, Entry)],
        grace: Duration,
    ) -> Result<(), Refusal> {
        self.only(&[Role::Person], Barred::PersonAnswers)?;
        let ask = self.unheard(id)?;
        if ask.state != State::Showing {
            return Err(Refusal::NotShowing);
        }
        if ask.questions.all().iter().any(|question| question.secret) {
            return Err(Refusal::Forbidden(Barred::SecretHeld));
        }
        if self.actor.by.proof == Proof::AgentDialog {
            return Err(Refusal::Forbidden(Barred::DialogHeld));
        }
        self.proven(&ask)?;
        // Whatever would not be taken as an answer is not held as one.
        let (sheet, _) = Self::answers(&ask, entries)?;
        let entries = sheet.entries().map(|(id, entry)| (id.clone(), entry.clone())).collect();
        self.decision.ask = Some(id);
        if ask.held_by(&self.actor.user).is_some_and(|held| held.entries == entries) {
            return Ok(());
        }
        let until = self.now.after(grace);
        let until = ask.deadline.map_or(until, |deadline| until.min(deadline));
        let (user, by) = (self.actor.user.clone(), self.actor.by.clone());
        self.emit(Fact::Held { ask: id, held: Held { user, entries, by, until } });
        Ok(())
    }

    /// Takes back what the person holds.
    pub(super) fn take_back(&mut self, id: AskId) -> Result<(), Refusal> {
        self.only(&[Role::Person], Barred::PersonAnswers)?;
        let ask = self.unheard(id)?;
        if ask.held_by(&self.actor.user).is_none() {
            return Err(Refusal::NothingHeld);
        }
        self.decision.ask = Some(id);
        let (user, by) = (self.actor.user.clone(), self.actor.by.clone());
        self.emit(Fact::TakenBack { ask: id, user, by });
        Ok(())
    }

    /// Makes those answers final that were held long enough, each as its person's own. Returns whether there
    /// were any.
    pub(super) fn finish_held(&mut self, id: AskId) -> bool {
        let due = |held: &&Held| held.until <= self.now;
        let due: Vec<Held> =
            self.view.ask(id).into_iter().flat_map(|ask| &ask.hearing.held).filter(due).cloned().collect();
        for held in &due {
            let (user, by) = (held.user.clone(), held.by.clone());
            let person = Actor { role: Role::Person, user, by, key: None };
            let server = std::mem::replace(&mut self.actor, person);
            self.finishing = Some(held.user.clone());
            let answered = self.answer(id, &held.entries);
            self.finishing = None;
            self.actor = server;
            // Somebody else's may have ended it; and what is no longer an answer, because a question of it
            // was answered otherwise meanwhile, must not be held for ever.
            if answered.is_err() && self.view.ask(id).is_some_and(Ask::is_open) {
                self.emit(Fact::TakenBack { ask: id, user: held.user.clone(), by: self.actor.by.clone() });
            }
        }
        !due.is_empty()
    }

    /// Keeps held answers as drafts that another ending was faster than.
    pub(super) fn keep_lost(&mut self, id: AskId) {
        let held = self.view.ask(id).map(|ask| ask.hearing.held.clone()).unwrap_or_default();
        for Held { user, entries, by, .. } in held {
            if self.finishing.as_ref() != Some(&user) {
                let entries =
                    self.view.ask(id).map(|ask| beside_answered(ask, &user, entries)).unwrap_or_default();
                self.emit(Fact::Saved { ask: id, entries, by });
            }
        }
    }
}

/// A draft beside what its person answered for good, one question at a time: that stays as it was said.
fn beside_answered(ask: &Ask, user: &UserId, draft: Vec<(QuestionId, Entry)>) -> Vec<(QuestionId, Entry)> {
    let own = ask.hearing.sheets.iter().find(|sheet| sheet.user == *user);
    let (entries, answered) =
        own.map_or((&ask.entries, &ask.submitted), |sheet| (&sheet.entries, &sheet.submitted));
    let is_answered = |(question, _): &&(QuestionId, Entry)| answered.contains(question);
    let mut kept: Vec<_> = entries.iter().filter(is_answered).cloned().collect();
    kept.extend(draft.into_iter().filter(|entry| !is_answered(&entry)));
    kept
}
