//! What must be known to decide, and how a fact changes it.

use std::sync::Arc;

use crate::answer::Answer;
use crate::ask::{Ask, State};
use crate::content::questions_hash;
use crate::entry::Entry;
use crate::fact::Fact;
use crate::id::MessageId;
use crate::id::{AskId, QuestionId};
use crate::limits::DeskLimits;
use crate::outcome::{By, Ending};
use crate::session::{LastRound, Session, SessionStatus};
use crate::task::Task;
use crate::time::Timestamp;

/// What is known of one session when a command is decided.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct View {
    /// The limits in force.
    pub limits: DeskLimits,
    /// The session that the command is about, if it is there.
    pub session: Option<Arc<Session>>,
    /// Its open asks in the order of asking, and the ask that the command names, open or not; for
    /// a command that names a question, also the latest ask that has it.
    pub asks: Vec<Arc<Ask>>,
    /// How many *other* sessions of the owner count as active: named by their asker, with an open
    /// ask.
    pub n_other_active_sessions: usize,
    /// The latest answers in this session to the questions that conditions name.
    pub answered: Vec<Answer>,
    /// How deep the round is that a new ask names as its parent.
    pub parent_depth: Option<u32>,
    /// The latest ask of the owner that was made with the same idempotency key, open or not.
    pub same_key: Option<Arc<Ask>>,
    /// Asks of the session that ended and were never handed over, oldest first: a new ask may be one of them once
    /// more.
    pub missed: Vec<Arc<Ask>>,
    /// Of the ids that a new ask gives its questions, those that an ended question of the session has for good.
    pub taken: Vec<QuestionId>,
    /// The session that is to be restored. Its open asks are in `asks`.
    pub restoring: Option<Restoring>,
    /// The task whose session this is, where it is one's.
    pub task: Option<Arc<Task>>,
}

/// A session that another goes on from.
#[derive(Debug, Clone, PartialEq)]
pub struct Restoring {
    /// The session, without its name where it does not hold it any more.
    pub session: Arc<Session>,
    /// Whether a task is at work in it.
    pub at_work: bool,
}

impl View {
    /// Finds an ask.
    pub fn ask(&self, id: AskId) -> Option<&Ask> {
        self.asks.iter().map(AsRef::as_ref).find(|ask: &&Ask| ask.id == id)
    }

    /// Returns the open asks, in order.
    pub fn open(&self) -> impl Iterator<Item = &Ask> {
        self.asks.iter().map(AsRef::as_ref).filter(|ask: &&Ask| ask.is_open())
    }

    /// Whether its session has an open ask or a task at work: then it does not end (D5).
    pub fn is_in_use(&self) -> bool {
        self.open().next().is_some() || self.task.as_ref().is_some_and(|task| task.state.is_alive())
    }

    /// Returns the answer to a question that conditions wait for, once there is one.
    pub(super) fn answer_to(&self, question: &QuestionId) -> Option<&Answer> {
        self.answered.iter().rev().find(|answer| answer.question == *question)
    }

    /// Takes in what happened, so that the next rule or the next command of a batch sees it.
    pub fn apply(&mut self, fact: &Fact, now: Timestamp) {
        if let Some(session) = self.session.as_mut().filter(|session| session.last_activity < now) {
            Arc::make_mut(session).last_activity = now;
        }
        match fact {
            Fact::SessionOpened(session) => self.session = Some(Arc::new((**session).clone())),
            Fact::Asked(ask) => self.take_in(ask),
            Fact::Settled { ask, dropped } => self.change(*ask, |ask| {
                let questions = Arc::unwrap_or_clone(Arc::clone(&ask.questions));
                ask.questions = Arc::new(questions.without(dropped));
            }),
            Fact::Shown { ask } => self.change(*ask, |ask| ask.state = State::Showing),
            Fact::Saved { ask, entries, by } => self.change(*ask, |ask| {
                sheet_of(ask, by).0.clone_from(entries);
            }),
            Fact::Submitted { ask, question, entry, by } => self.change(*ask, |ask| {
                let (entries, submitted) = sheet_of(ask, by);
                entries.retain(|(id, _)| id != question);
                entries.push((question.clone(), entry.clone()));
                submitted.push(question.clone());
            }),
            Fact::Held { ask, held } => self.change(*ask, |ask| ask.hearing.hold(held)),
            Fact::TakenBack { ask, user, .. } => self.change(*ask, |ask| ask.hearing.let_go(user)),
            Fact::Heard { ask, voice } => self.change(*ask, |ask| ask.hearing.hear(voice)),
            Fact::Escalated { ask } => self.change(*ask, |ask| ask.hearing.escalated_at = Some(now)),
            Fact::Closed { ask, outcome } => {
                self.link(match outcome.ending {
                    Ending::Expired { abort: true, .. } => MessageId::of_stop(*ask),
                    _ => MessageId::of_outcome(*ask),
                });
                self.answered.extend(outcome.answers.0.iter().cloned());
                self.change(*ask, |ask| {
                    ask.state = State::Closed(outcome.clone());
                    ask.hearing.held.clear();
                });
            }
            Fact::AnsweredLate { ask, answers, by } => {
                self.change(*ask, |ask| ask.late = Some((answers.clone(), by.clone())));
            }
            Fact::Delivered { ask } => self.change(*ask, |ask| {
                if let State::Closed(outcome) = &ask.state {
                    ask.state = State::Processing(outcome.clone());
                }
            }),
            Fact::Acknowledged { ask } => self.change(*ask, |ask| {
                if let State::Processing(outcome) = &ask.state {
                    ask.state = State::Completed(outcome.clone());
                }
            }),
            Fact::Undeliverable { ask } => self.change(*ask, Ask::give_up),
            Fact::Moved { ask, to, .. } => self.change(*ask, |ask| ask.session = *to),
            Fact::Reopened { ask, as_new } => self.change(*ask, |ask| ask.reopened_as = Some(*as_new)),
            Fact::SessionEnded { session, status } => {
                if let Some(session) = self.session.as_mut().filter(|own| own.id == *session) {
                    Arc::make_mut(session).status = *status;
                }
            }
            Fact::TaskChanged { task, .. } => {
                // A task that is taken up again wakes its session.
                if let Some(session) = self.session.as_mut().filter(|_| task.state.is_alive()) {
                    Arc::make_mut(session).status = SessionStatus::Active;
                }
                self.task = Some(Arc::clone(task));
            }
            Fact::Said(message) => self.link(message.id),
        }
    }

    /// Makes this the message that the next one follows.
    fn link(&mut self, id: MessageId) {
        if let Some(task) = &mut self.task {
            Arc::make_mut(task).last_message = Some(id);
        }
    }

    fn take_in(&mut self, ask: &Arc<Ask>) {
        self.link(MessageId::of_ask(ask.id));
        if let Some(session) = self.session.as_mut().map(Arc::make_mut) {
            session.round = session.round.max(ask.round);
            session.total_rounds = ask.terms.total_rounds.or(session.total_rounds);
            session.last_round = Some(LastRound {
                fingerprint: questions_hash(&ask.questions),
                depth: ask.depth,
                at: ask.asked_at,
            });
        }
        self.asks.push(Arc::clone(ask));
    }

    fn change(&mut self, id: AskId, change: impl FnOnce(&mut Ask)) {
        if let Some(ask) = self.asks.iter_mut().find(|ask| ask.id == id) {
            change(Arc::make_mut(ask));
        }
    }
}

/// What this person has put down: on a sheet of their own where the ask is for several.
fn sheet_of<'a>(ask: &'a mut Ask, by: &By) -> (&'a mut Vec<(QuestionId, Entry)>, &'a mut Vec<QuestionId>) {
    match &by.user {
        Some(user) if ask.terms.audience.is_some() => {
            let own = ask.hearing.sheet_of(user);
            (&mut own.entries, &mut own.submitted)
        }
        _ => (&mut ask.entries, &mut ask.submitted),
    }
}
