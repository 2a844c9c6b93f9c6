//! Moving on by itself: conditions that are settled, slots that are free, outcomes handed over.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use super::having::Having;
use super::{Barred, Deciding, Refusal};
use crate::answer::Answer;
use crate::ask::State;
use crate::command::Role;
use crate::condition;
use crate::fact::Fact;
use crate::id::{AskId, QuestionId};
use crate::outcome::{By, Ending, Outcome};
use crate::question::Condition;

/// A pending ask with conditions on questions of other asks.
struct Waiting {
    ask: AskId,
    /// Its own question, and what that waits for.
    conditions: Vec<(QuestionId, Condition)>,
    /// How many of those wait for a question that is still open.
    n_open: usize,
}

/// Whether a condition holds, once its question has ended.
fn is_met(condition: &Condition, answer: Option<&Answer>) -> bool {
    let answer = answer.filter(|answer| !answer.skipped);
    answer.is_some_and(|answer| condition.choice.as_ref().is_none_or(|choice| answer.picked.contains(choice)))
}

impl Deciding {
    /// Shows what may be shown now (D6): conditions first, then slots, in the order of asking.
    /// Closing an ask can settle another's condition, so it goes on until nothing moves.
    pub(super) fn move_up(&mut self) {
        let blocked = self.settle();
        let n_shown = self.view.asks.iter().filter(|ask| ask.state == State::Showing).count();
        let n_free = self.view.limits.shown_max.saturating_sub(n_shown);
        let pending = self.view.asks.iter().filter(|ask| ask.state == State::Pending);
        let ready: Vec<AskId> =
            pending.map(|ask| ask.id).filter(|id| !blocked.contains(id)).take(n_free).collect();
        for ask in ready {
            self.emit(Fact::Shown { ask });
        }
    }

    /// Looks at every condition that may have been settled, once, and drops the questions whose conditions
    /// turned out otherwise. Returns the asks that still wait for an open question.
    fn settle(&mut self) -> HashSet<AskId> {
        let (mut waiting, mut blocked) = self.waiting();
        let targets = waiting.iter().flat_map(|ask| &ask.conditions).map(|(_, on)| &on.question);
        let open = Having::find(&self.view, targets);
        // Who waits for which open question.
        let mut waiters: HashMap<QuestionId, Vec<usize>> = HashMap::new();
        for (idx, ask) in waiting.iter_mut().enumerate() {
            let round = self.view.ask(ask.ask).map_or(0, |ask| ask.round);
            for (_, on) in &ask.conditions {
                // Not for one of a later ask, which may have taken up the name of a question that was answered:
                // two asks would wait for each other.
                if open.of(&on.question).is_some_and(|other| other.round < round) {
                    waiters.entry(on.question.clone()).or_default().push(idx);
                    ask.n_open += 1;
                }
            }
        }
        let mut answers: HashMap<QuestionId, Answer> =
            self.view.answered.iter().map(|answer| (answer.question.clone(), answer.clone())).collect();
        let mut free: VecDeque<usize> = (0..waiting.len()).filter(|idx| waiting[*idx].n_open == 0).collect();
        while let Some(ask) = free.pop_front().and_then(|idx| waiting.get(idx)) {
            let unmet = ask.conditions.iter().filter(|(_, on)| !is_met(on, answers.get(&on.question)));
            let dropped: Vec<QuestionId> = unmet.map(|(question, _)| question.clone()).collect();
            if dropped.is_empty() {
                continue;
            }
            for gone in self.drop_questions(ask.ask, dropped, &mut answers) {
                for idx in waiters.remove(&gone).unwrap_or_default() {
                    waiting[idx].n_open -= 1;
                    if waiting[idx].n_open == 0 {
                        free.push_back(idx);
                    }
                }
            }
        }
        blocked.extend(waiting.iter().filter(|ask| ask.n_open > 0).map(|ask| ask.ask));
        blocked
    }

    /// The pending asks whose conditions are to be looked at, and those that wait as they did: only what was
    /// just asked can be settled while nothing ended.
    fn waiting(&self) -> (Vec<Waiting>, HashSet<AskId>) {
        let ended = |fact: &Fact| matches!(fact, Fact::Closed { .. });
        let any_ended = self.decision.facts.iter().any(ended);
        let is_new = |id: AskId| {
            let asked = |fact: &Fact| matches!(fact, Fact::Asked(ask) if ask.id == id);
            self.decision.facts.iter().any(asked)
        };
        let pending = self.view.asks.iter().filter(|ask| ask.state == State::Pending);
        let (looked_at, as_before): (Vec<_>, Vec<_>) = pending
            .filter(|ask| ask.questions.waits_elsewhere())
            .partition(|ask| any_ended || is_new(ask.id));
        let waiting = looked_at.into_iter().map(|ask| {
            let conditions = condition::on_other_asks(&ask.questions).into_iter();
            let conditions = conditions.map(|(question, on)| (question.id.clone(), on.clone())).collect();
            Waiting { ask: ask.id, conditions, n_open: 0 }
        });
        (waiting.collect(), as_before.into_iter().map(|ask| ask.id).collect())
    }

    /// Takes questions out of an ask, or the ask back where none is left. Returns the questions that are no
    /// longer open.
    fn drop_questions(
        &mut self,
        id: AskId,
        dropped: Vec<QuestionId>,
        answers: &mut HashMap<QuestionId, Answer>,
    ) -> Vec<QuestionId> {
        let Some(before) = self.view.ask(id).map(|ask| Arc::clone(&ask.questions)) else { return Vec::new() };
        if before.top().iter().any(|question| !dropped.contains(&question.id)) {
            self.emit(Fact::Settled { ask: id, dropped });
        } else {
            // Nothing is left to ask, and nobody answered: the system takes it back.
            let so_far = self.view.ask(id).map(|ask| ask.put_down().answers_so_far()).unwrap_or_default();
            answers.extend(so_far.0.iter().map(|answer| (answer.question.clone(), answer.clone())));
            let outcome = Outcome {
                ending: Ending::Withdrawn,
                by: By::server(),
                at: self.now,
                comment: Some("its condition did not hold".to_owned()),
                answers: so_far,
                voices: Vec::new(),
            };
            self.end(id, outcome);
        }
        let is_open =
            |question: &QuestionId| self.view.ask(id).is_some_and(|ask| ask.is_open() && ask.has(question));
        let all = before.all().into_iter().map(|question| question.id.clone());
        all.filter(|question| !is_open(question)).collect()
    }

    /// The outcome was handed over. Again is no change: a waiter may come back as often as it likes.
    pub(super) fn deliver(&mut self, id: AskId) -> Result<(), Refusal> {
        self.only(&[Role::Agent, Role::Server], Barred::AskerTakes)?;
        let state = self.own_ask(id)?.state.clone();
        self.decision.ask = Some(id);
        // Another key of the same person may look; whoever asked has not been told by that.
        if self.asked_it(id).is_err() {
            return Ok(());
        }
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
        self.asked_it(id)?;
        self.deliver(id)?;
        if matches!(self.own_ask(id)?.state, State::Processing(_)) {
            self.emit(Fact::Acknowledged { ask: id });
        }
        Ok(())
    }
}
