//! Moving on by itself: conditions that are settled, slots that are free, outcomes handed over.

use super::{Deciding, Refusal};
use std::sync::Arc;

use crate::ask::{Ask, State};
use crate::command::Role;
use crate::condition;
use crate::fact::Fact;
use crate::id::{AskId, QuestionId};
use crate::outcome::{By, Ending, Outcome};

impl Deciding<'_> {
    /// Shows what may be shown now (D6): conditions first, then slots, in the order of asking.
    /// Closing an ask can settle another's condition, so it goes on until nothing moves.
    pub(super) fn move_up(&mut self) {
        while let Some((id, dropped)) = self.next_settled() {
            let left = |ask: &Ask| ask.questions.top().iter().any(|question| !dropped.contains(&question.id));
            let all_dropped = !self.view.ask(id).is_some_and(left);
            if all_dropped {
                // Nothing is left to ask, and nobody answered: the system takes it back.
                let answers = self.view.ask(id).map(|ask| ask.put_down().answers_so_far());
                let outcome = Outcome {
                    ending: Ending::Withdrawn,
                    by: By::server(),
                    at: self.now,
                    comment: Some("its condition did not hold".to_owned()),
                    answers: answers.unwrap_or_default(),
                    voices: Vec::new(),
                };
                self.emit(Fact::Closed { ask: id, outcome: Arc::new(outcome) });
            } else {
                self.emit(Fact::Settled { ask: id, dropped });
            }
        }
        let n_shown = self.view.asks.iter().filter(|ask| ask.state == State::Showing).count();
        let n_free = self.view.limits.shown_max.saturating_sub(n_shown);
        let ready: Vec<AskId> = self
            .view
            .asks
            .iter()
            .filter(|ask| ask.state == State::Pending && self.waits_for(ask).is_empty())
            .map(|ask| ask.id)
            .take(n_free)
            .collect();
        for ask in ready {
            self.emit(Fact::Shown { ask });
        }
    }

    /// Finds a pending ask with questions whose conditions turned out otherwise, once all that it
    /// waits for is answered.
    fn next_settled(&self) -> Option<(AskId, Vec<QuestionId>)> {
        self.view.asks.iter().filter(|ask| ask.state == State::Pending).find_map(|ask| {
            let dropped = if self.waits_for(ask).is_empty() { self.unmet(ask) } else { Vec::new() };
            (!dropped.is_empty()).then_some((ask.id, dropped))
        })
    }

    /// The questions of earlier asks, still open, that this ask waits for. Not of later ones, which may have
    /// taken up the name of a question that was answered: two asks would wait for each other.
    fn waits_for(&self, ask: &Ask) -> Vec<QuestionId> {
        condition::on_other_asks(&ask.questions)
            .into_iter()
            .map(|(_, condition)| condition.question.clone())
            .filter(|id| self.view.open().any(|other| other.round < ask.round && other.has(id)))
            .collect()
    }

    /// Questions whose conditions on other asks do not hold.
    fn unmet(&self, ask: &Ask) -> Vec<QuestionId> {
        condition::on_other_asks(&ask.questions)
            .into_iter()
            .filter(|(_, condition)| {
                let answer = self.view.answer_to(&condition.question).filter(|answer| !answer.skipped);
                let met = answer.is_some_and(|answer| {
                    condition.choice.as_ref().is_none_or(|choice| answer.picked.contains(choice))
                });
                !met
            })
            .map(|(question, _)| question.id.clone())
            .collect()
    }

    /// The outcome was handed over. Again is no change: a waiter may come back as often as it likes.
    pub(super) fn deliver(&mut self, id: AskId) -> Result<(), Refusal> {
        self.only(&[Role::Agent, Role::Server], "only the asker takes an outcome")?;
        let state = self.own_ask(id)?.state.clone();
        self.decision.ask = Some(id);
        match state {
            State::Pending | State::Showing => Err(Refusal::StillOpen),
            State::Closed(_) => {
                self.emit(Fact::Delivered { ask: id });
                Ok(())
            }
            State::Processing(_) | State::Completed(_) | State::Error(_) => Ok(()),
        }
    }

    /// The asker went on, so it has the outcome.
    pub(super) fn acknowledge(&mut self, id: AskId) -> Result<(), Refusal> {
        self.deliver(id)?;
        if matches!(self.own_ask(id)?.state, State::Processing(_)) {
            self.emit(Fact::Acknowledged { ask: id });
        }
        Ok(())
    }
}
