//! Ending an ask, once: answered, declined, withdrawn, expired. And what leads up to it.

use std::sync::Arc;

use super::{Barred, Deciding, Refusal};
use crate::answer::Answers;
use crate::ask::{Ask, State};
use crate::asker::{Late, Purpose};
use crate::command::{Role, RuleReach};
use crate::deadline::AtDeadline;
use crate::entry::{Entry, note_fault};
use crate::fact::Fact;
use crate::id::{AskId, QuestionId};
use crate::limits::ASK_BYTES_MAX;
use crate::outcome::{AnsweredBy, By, Ending, Outcome};
use crate::problem::{Fault, Problem};
use crate::sheet::Sheet;

impl Deciding {
    pub(super) fn save(&mut self, id: AskId, entries: &[(QuestionId, Entry)]) -> Result<(), Refusal> {
        self.only(&[Role::Person], Barred::PersonAnswers)?;
        let ask = self.unheard(id)?;
        if ask.state != State::Showing {
            return Err(Refusal::NotShowing);
        }
        let n_bytes: usize = entries.iter().map(|(_, entry)| entry_bytes(entry)).sum();
        if n_bytes > ASK_BYTES_MAX {
            let fault = Fault::TooManyBytes { max: ASK_BYTES_MAX, got: n_bytes };
            return Err(Refusal::UnfitAnswer(vec![Problem::new("", fault)]));
        }
        let sheet = Sheet::filled(Arc::clone(&ask.questions), with_submitted(&ask, entries))
            .map_err(Refusal::UnfitAnswer)?;
        // A half-filled sheet keeps no secret; what was answered for good stays.
        let is_kept = |id: &QuestionId| {
            ask.submitted.contains(id) || ask.questions.find(id).is_none_or(|question| !question.secret)
        };
        let kept = sheet.entries().filter(|(id, _)| is_kept(id));
        let entries = kept.map(|(id, entry)| (id.clone(), entry.clone())).collect();
        self.decision.ask = Some(id);
        self.emit(Fact::Saved { ask: id, entries, by: self.actor.by.clone() });
        Ok(())
    }

    pub(super) fn answer(&mut self, id: AskId, entries: &[(QuestionId, Entry)]) -> Result<(), Refusal> {
        self.only(&[Role::Person], Barred::PersonAnswers)?;
        let ask = self.theirs(id)?;
        self.proven(&ask)?;
        let late = ask.state.outcome().is_some();
        if late && !keeps_late_answer(&ask) {
            return Err(already_closed(&ask));
        }
        self.first_word(&ask)?;
        if ask.state == State::Pending {
            return Err(Refusal::NotShowing);
        }
        let (_, answers) = Self::answers(&ask, entries)?;
        self.decision.ask = Some(id);
        if late {
            self.emit(Fact::AnsweredLate { ask: id, answers, by: self.actor.by.clone() });
        } else {
            self.answered(&ask, answers);
        }
        Ok(())
    }

    /// What this person says of the whole ask, where it would be taken.
    pub(super) fn answers(ask: &Ask, entries: &[(QuestionId, Entry)]) -> Result<(Sheet, Answers), Refusal> {
        if let Some(question) = answered_otherwise(ask, entries) {
            return Err(Refusal::AlreadyAnswered(question.clone()));
        }
        let sheet = Sheet::filled(Arc::clone(&ask.questions), with_submitted(ask, entries))
            .map_err(Refusal::UnfitAnswer)?;
        let answers = sheet.answers().map_err(Refusal::UnfitAnswer)?;
        Ok((sheet, answers))
    }

    /// Takes the answer to one question (P8): the open question of that id, else the latest one.
    pub(super) fn answer_one(
        &mut self,
        meant: Option<AskId>,
        question: &QuestionId,
        entry: &Entry,
    ) -> Result<(), Refusal> {
        self.only(&[Role::Person], Barred::PersonAnswers)?;
        self.live_session()?;
        let having = self.view.asks.iter().filter(|ask| ask.has(question));
        let latest = having.clone().next_back();
        let mut open = having.filter(|ask| ask.is_open());
        let ask = open.next().or(latest);
        if open.next().is_some() {
            return Err(Refusal::AmbiguousQuestionId(question.clone()));
        }
        let ask = Arc::clone(ask.ok_or_else(|| Refusal::QuestionNotFound(question.clone()))?);
        let is_another = meant.is_some_and(|meant| meant != ask.id);
        // Their own sheet, where it is for several; and whether it is for them at all.
        let ask = self.theirs(ask.id)?;
        if let Some(outcome) = ask.ended_without(question) {
            // Nobody is said to have answered it.
            return Err(Refusal::AlreadyClosed(Box::new(outcome.clone())));
        }
        if !ask.is_open() || is_another || ask.submitted.contains(question) {
            return Err(Refusal::AlreadyAnswered(question.clone()));
        }
        self.first_word(&ask)?;
        self.proven(&ask)?;
        let mut sheet = submitted_sheet(&ask, None);
        if ask.state == State::Pending
            || !sheet.visible().iter().any(|visible| visible.question.id == *question)
        {
            return Err(Refusal::NotShowing);
        }
        sheet = submitted_sheet(&ask, Some((question, entry)));
        let problem = ask.questions.find(question).and_then(|question| sheet.problem(question));
        if let Some(problem) = problem {
            return Err(Refusal::UnfitAnswer(vec![problem]));
        }
        self.decision.ask = Some(ask.id);
        let (question, entry) = (question.clone(), entry.clone());
        let done = |id: &QuestionId| *id == question || ask.submitted.contains(id);
        let last = sheet.visible().iter().all(|visible| done(&visible.question.id));
        self.emit(Fact::Submitted { ask: ask.id, question, entry, by: self.actor.by.clone() });
        if last {
            self.answered(&ask, sheet.answers_so_far());
        }
        Ok(())
    }

    pub(super) fn decline(&mut self, id: AskId, reason: Option<&str>) -> Result<(), Refusal> {
        self.only(&[Role::Person], Barred::PersonAnswers)?;
        let ask = self.unheard(id)?;
        if let Some(fault) = reason.and_then(note_fault) {
            return Err(Refusal::UnfitAnswer(vec![Problem::new("reason", fault)]));
        }
        let reason = reason.filter(|reason| !reason.is_empty()).map(ToOwned::to_owned);
        self.said_no(&ask, reason);
        Ok(())
    }

    /// Answers by a rule of the person: only the server does it, and never a permission unless the
    /// person who is asked confirmed the rule.
    pub(super) fn answer_by_rule(
        &mut self,
        id: AskId,
        entries: &[(QuestionId, Entry)],
        rule: Option<String>,
        reach: &RuleReach,
    ) -> Result<(), Refusal> {
        self.only(&[Role::Server], Barred::ServerRules)?;
        let ask = self.showing(id)?;
        if ask.terms.audience.is_some() {
            return Err(Refusal::Forbidden(Barred::RuleForOthers));
        }
        let is_confirmed = matches!(reach, RuleReach::ConfirmedBy(person) if *person == ask.owner);
        if ask.terms.purpose == Purpose::Permission && !is_confirmed {
            return Err(Refusal::Forbidden(Barred::NotProven));
        }
        let sheet = Sheet::filled(Arc::clone(&ask.questions), with_submitted(ask, entries))
            .map_err(Refusal::UnfitAnswer)?;
        let answers = sheet.answers().map_err(Refusal::UnfitAnswer)?;
        self.close(id, Ending::Answered(AnsweredBy::Rule), answers, rule);
        Ok(())
    }

    pub(super) fn withdraw(&mut self, id: AskId, reason: Option<String>) -> Result<(), Refusal> {
        self.only(&[Role::Agent, Role::Server], Barred::AskerWithdraws)?;
        let answers = self.open_ask(id)?.put_down().answers_so_far();
        self.asked_it(id)?;
        self.close(id, Ending::Withdrawn, answers, reason);
        Ok(())
    }

    /// That the actor is who asked: another key of the same person is another agent.
    pub(super) fn asked_it(&self, id: AskId) -> Result<(), Refusal> {
        let ask = self.own_ask(id)?;
        let is_another = self.actor.role == Role::Agent && self.actor.key != ask.asked_by;
        if is_another { Err(Refusal::Forbidden(Barred::AnothersAsk)) } else { Ok(()) }
    }

    /// Ends an ask whose deadline has passed: never early, never twice, and only by the server
    /// (O8), whatever a client claims.
    pub(super) fn expire(&mut self, id: AskId) -> Result<(), Refusal> {
        self.only(&[Role::Server], Barred::ServerEnds)?;
        self.open_ask(id)?;
        // What a person answered before the deadline counts, and not that it passed.
        let any_held = self.finish_held(id);
        let Ok(ask) = self.open_ask(id).cloned() else { return Ok(()) };
        if ask.deadline.is_none_or(|deadline| self.now < deadline) {
            return if any_held { Ok(()) } else { Err(Refusal::TooEarly) };
        }
        let put_down = || ask.put_down().answers_so_far();
        let expired = |abort| Ending::Expired { told_as: ask.terms.cancel_status, abort };
        let (ending, answers) = match ask.at_deadline() {
            Some(AtDeadline::Default(answers)) => (Ending::Answered(AnsweredBy::Default), answers),
            Some(AtDeadline::Stops) => (expired(true), put_down()),
            Some(AtDeadline::Unanswered) | None => (expired(false), put_down()),
        };
        self.close(id, ending, answers, None);
        Ok(())
    }

    pub(super) fn close(&mut self, id: AskId, ending: Ending, answers: Answers, comment: Option<String>) {
        let by = match ending {
            Ending::Answered(AnsweredBy::Default | AnsweredBy::Rule) => By::rule(),
            Ending::Expired { .. } => By::server(),
            Ending::Answered(AnsweredBy::Person | AnsweredBy::AgentDialog | AnsweredBy::Collected)
            | Ending::Declined
            | Ending::Withdrawn => self.actor.by.clone(),
        };
        self.decision.ask = Some(id);
        let voices = self.view.ask(id).map(|ask| ask.hearing.voices.clone()).unwrap_or_default();
        let outcome = Outcome { ending, by, at: self.now, comment, answers, voices };
        self.end(id, outcome);
    }

    /// Ends an ask: the only place that does, so that a held answer which lost is kept whoever ends it.
    pub(super) fn end(&mut self, id: AskId, outcome: Outcome) {
        self.keep_lost(id);
        self.emit(Fact::Closed { ask: id, outcome: Arc::new(outcome) });
    }

    /// The ask, where the actor may see it.
    pub(super) fn own_ask(&self, id: AskId) -> Result<&Ask, Refusal> {
        self.view.ask(id).filter(|ask| self.actor.may_see_ask(ask)).ok_or(Refusal::AskNotFound)
    }

    pub(super) fn open_ask(&self, id: AskId) -> Result<&Ask, Refusal> {
        let ask = self.own_ask(id)?;
        if ask.is_open() { Ok(ask) } else { Err(already_closed(ask)) }
    }

    fn showing(&self, id: AskId) -> Result<&Ask, Refusal> {
        let ask = self.open_ask(id)?;
        if ask.state == State::Showing { Ok(ask) } else { Err(Refusal::NotShowing) }
    }

    pub(super) fn proven(&self, ask: &Ask) -> Result<(), Refusal> {
        if ask.terms.purpose == Purpose::Permission && !self.actor.by.proof.may_grant() {
            return Err(Refusal::Forbidden(Barred::NotProven));
        }
        Ok(())
    }
}

/// One late answer is not what an ask wanted that wanted several.
fn keeps_late_answer(ask: &Ask) -> bool {
    let wants_one = ask.terms.audience.as_ref().is_none_or(|audience| audience.quorum <= 1);
    let expired = ask.state.outcome().is_some_and(|outcome| matches!(outcome.ending, Ending::Expired { .. }));
    expired && wants_one && ask.terms.late == Late::Keep && ask.late.is_none()
}

pub(super) fn already_closed(ask: &Ask) -> Refusal {
    match ask.state.outcome() {
        Some(outcome) => Refusal::AlreadyClosed(Box::new(outcome.clone())),
        None => Refusal::AskNotFound,
    }
}

/// What is sent, and what was answered for good in place of whatever it says of that: an answer that was
/// acknowledged stays.
fn with_submitted(ask: &Ask, entries: &[(QuestionId, Entry)]) -> Vec<(QuestionId, Entry)> {
    let sent = entries.iter().filter(|(id, _)| !ask.submitted.contains(id));
    sent.chain(ask.answered_for_good()).cloned().collect()
}

/// A question that was answered for good, and is sent with another answer (P9).
fn answered_otherwise<'a>(ask: &Ask, entries: &'a [(QuestionId, Entry)]) -> Option<&'a QuestionId> {
    let differs = |sent: &Entry, had: &Entry| sent.text != had.text || sent.picked != had.picked;
    let had = |id: &QuestionId| ask.answered_for_good().find(|(done, _)| done == id).map(|(_, entry)| entry);
    let other = entries.iter().find(|(id, sent)| had(id).is_some_and(|had| differs(sent, had)));
    other.map(|(id, _)| id)
}

/// The sheet of what was answered for good, one question at a time, and perhaps one more: what is
/// only typed so far does not count.
fn submitted_sheet(ask: &Ask, more: Option<(&QuestionId, &Entry)>) -> Sheet {
    let done = ask.answered_for_good().cloned();
    let more = more.map(|(id, entry)| (id.clone(), entry.clone()));
    Sheet::filled(Arc::clone(&ask.questions), done.chain(more))
        .unwrap_or_else(|_| Sheet::blank(Arc::clone(&ask.questions)))
}

fn entry_bytes(entry: &Entry) -> usize {
    let picked: usize = entry.picked.iter().map(|choice| choice.as_str().len()).sum();
    picked + entry.text.as_deref().map_or(0, str::len) + entry.note.as_deref().map_or(0, str::len)
}
