//! The rule book: what a command does to the asks of a session, given what is known now.
//!
//! `decide` is pure. Whoever keeps the asks loads a [`View`], calls it, and writes the facts, all in
//! one transaction; only then is anything told. The first to commit wins, the others are told what
//! they lost to. Slots, limits, joins and depth are decided here and nowhere else.

mod asking;
mod barred;
mod closing;
mod hearing;
mod having;
mod holding;
mod moving;
mod sessions;
mod tasks;
mod view;

use crate::command::{Actor, Command, Role};
use crate::fact::Fact;
use crate::id::{AskId, QuestionId, UserId};
use crate::outcome::Outcome;
use crate::problem::Problem;
use crate::session::{Origin, Session};
use crate::task::TaskState;
use crate::time::Timestamp;

pub use barred::Barred;
pub use view::{Restoring, View};

/// What a command led to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Decision {
    /// What happened, in order. None where a repeated ask joined an earlier one.
    pub facts: Vec<Fact>,
    /// The ask that the command was about, or that it joined.
    pub ask: Option<AskId>,
    /// Whether the ask had been made before (invariant 7).
    pub joined: bool,
    /// What is known once all that has happened.
    pub after: View,
}

/// Why a command is not carried out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// No such session; for this user.
    #[error("there is no such session, or it has expired")]
    SessionNotFound,
    /// No such ask; for this user.
    #[error("there is no such ask")]
    AskNotFound,
    /// No such question.
    #[error("there is no question `{0}` in this session")]
    QuestionNotFound(QuestionId),
    /// The questions cannot be asked here.
    #[error("the questions do not fit: {}", problems(.0))]
    UnfitQuestions(Vec<Problem>),
    /// The answer does not fit.
    #[error("the answer does not fit: {}", problems(.0))]
    UnfitAnswer(Vec<Problem>),
    /// The session has or had a question of this id.
    #[error("the question id `{0}` is taken in this session: give the question a new id")]
    DuplicateQuestionId(QuestionId),
    /// Several open asks of the session have a question of this id.
    #[error("several open questions of this session are called `{0}`: answer by the id of the ask")]
    AmbiguousQuestionId(QuestionId),
    /// Another ask was made under the same name, and it asks something else.
    #[error("the {name} is that of {ask}, which asks something else: give this one a name of its own")]
    Conflict {
        /// What kind of name it is.
        name: &'static str,
        /// The ask that holds it.
        ask: AskId,
    },
    /// This one question has its answer.
    #[error("the question `{0}` is answered already")]
    AlreadyAnswered(QuestionId),
    /// The ask has its outcome.
    #[error("the ask has ended already: {} by {}", .0.status(), .0.by)]
    AlreadyClosed(Box<Outcome>),
    /// This person has said what they have to say; the ask waits for others.
    #[error("you have answered this already: it waits for the answers of others")]
    AlreadyHeard,
    /// There is no answer of this person that could be taken back.
    #[error("there is nothing to take back: no answer of yours is being held")]
    NothingHeld,
    /// The ask waits for a slot or for another answer.
    #[error("the question is not shown yet: it waits for its turn")]
    NotShowing,
    /// Only an ask that timed out or was cancelled can be asked anew.
    #[error("only an ask that timed out or was cancelled can be taken up again")]
    NotReopenable,
    /// The session has no such point to go on from (D13).
    #[error("there is no such checkpoint of this session")]
    CheckpointNotFound,
    /// Rounds build on one another too deep (P3).
    #[error(
        "{max} rounds build on one another, which is the limit: finish this conversation, or ask something new"
    )]
    RecursiveLimit { max: u32 },
    /// The user has too many conversations with open asks.
    #[error("{max} sessions have open asks, which is the limit: answer or withdraw one first")]
    TooManySessions { max: usize },
    /// The session has too many open asks.
    #[error("{max} asks are open in this session, which is the limit: answer or withdraw one first")]
    TooManyOpen { max: usize },
    /// There is no outcome to hand over yet.
    #[error("the ask is still open")]
    StillOpen,
    /// The deadline has not passed.
    #[error("the deadline has not passed")]
    TooEarly,
    /// The session still has an open ask, or has not been idle long enough.
    #[error("the session is still in use")]
    SessionInUse,
    /// No such task; for this user.
    #[error("there is no such task")]
    TaskNotFound,
    /// The task stands where this cannot be done.
    #[error("the task is {}: this cannot be done now", .0.name())]
    TaskIs(TaskState),
    /// The run that this is about is over, and another has begun.
    #[error("this run of the task is over: it was taken up again")]
    RunOver,
    /// What is said does not fit.
    #[error("the task does not fit: {}", problems(.0))]
    UnfitTask(Vec<Problem>),
    /// The role does not allow it (invariants 5 and 6).
    #[error("{0}")]
    Forbidden(Barred),
}

fn problems(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Decides what a command does. Reads no clock and touches no disk.
pub fn decide(view: &View, actor: &Actor, command: &Command, now: Timestamp) -> Result<Decision, Refusal> {
    let mut deciding = Deciding {
        view: view.clone(),
        actor: actor.clone(),
        now,
        finishing: None,
        decision: Decision::default(),
    };
    match command {
        Command::OpenSession { session, external_id, origin, total_rounds, timing } => {
            let (external_id, total_rounds, timing) = (external_id.clone(), *total_rounds, *timing);
            let fresh = deciding.fresh_session(*session, *origin);
            deciding.open_session(Session { external_id, total_rounds, timing, ..fresh })?;
        }
        Command::Ask(new) => deciding.ask(new)?,
        Command::Save { ask, entries } => deciding.save(*ask, entries)?,
        Command::Answer { ask, entries } => deciding.answer(*ask, entries)?,
        Command::Hold { ask, entries, grace } => deciding.hold(*ask, entries, *grace)?,
        Command::TakeBack { ask } => deciding.take_back(*ask)?,
        Command::AnswerOne { ask, question, entry } => deciding.answer_one(*ask, question, entry)?,
        Command::AnswerByRule { ask, entries, rule, reach } => {
            deciding.answer_by_rule(*ask, entries, rule.clone(), reach)?;
        }
        Command::Decline { ask, reason } => deciding.decline(*ask, reason.as_deref())?,
        Command::Withdraw { ask, reason } => deciding.withdraw(*ask, reason.clone())?,
        Command::Expire { ask } => deciding.expire(*ask)?,
        Command::Escalate { ask } => deciding.escalate(*ask)?,
        Command::Deliver { asks } => asks.iter().try_for_each(|ask| deciding.deliver(*ask))?,
        Command::Acknowledge { ask } => deciding.acknowledge(*ask)?,
        Command::Reopen { ask, as_new } => deciding.reopen(*ask, *as_new)?,
        Command::Restore { session, from, to, asks, reason } => {
            let fresh = deciding.fresh_session(*session, Origin::Restored(*from));
            let (restored_to, restore_reason) = (Some(to.unwrap_or(now)), Some(reason.clone()));
            deciding.restore(Session { restored_to, restore_reason, ..fresh }, asks)?;
        }
        Command::EndSession { session } => deciding.end_session(*session)?,
        Command::StartTask(new) => deciding.start_task(new)?,
        Command::ResumeTask { task, server, text, message } => {
            deciding.resume_task(*task, *server, text, *message)?;
        }
        Command::SayToTask { task, text, message } => deciding.say_to_task(*task, text, *message)?,
        Command::MoveTask { task, run, to } => deciding.move_task(*task, *run, to)?,
        Command::Tell { task, run, messages } => deciding.tell(*task, *run, messages)?,
    }
    let about = deciding.decision.ask;
    deciding.move_up();
    // Whatever else moved on with it, the command was about this one.
    Ok(Decision { ask: about, after: deciding.view, ..deciding.decision })
}

/// A decision in the making: each fact is seen by the rules that come after it.
struct Deciding {
    view: View,
    actor: Actor,
    now: Timestamp,
    /// Whose held answer becomes final just now.
    finishing: Option<UserId>,
    decision: Decision,
}

impl Deciding {
    fn emit(&mut self, fact: Fact) {
        self.view.apply(&fact, self.now);
        self.decision.facts.push(fact);
    }

    fn only(&self, roles: &[Role], why: Barred) -> Result<(), Refusal> {
        if roles.contains(&self.actor.role) { Ok(()) } else { Err(Refusal::Forbidden(why)) }
    }
}

#[cfg(test)]
mod tests;
