//! A question that only this program has: asked in the terminal alone, or not at the desk yet.
//!
//! The same rule book decides as everywhere: this keeps one session with one ask in memory and
//! carries commands out on it. It is not durable and leaves no history, and the person is told so.

use std::sync::Arc;

use askuser_core::answer::Answers;
use askuser_core::ask::Ask;
use askuser_core::asker::{Terms, Timing};
use askuser_core::command::{Actor, Command, KnownBy, NewAsk, Role, RuleReach};
use askuser_core::decide::{Refusal, View, decide};
use askuser_core::entry::Entry;
use askuser_core::id::{AskId, QuestionId, SessionId};
use askuser_core::outcome::{By, Channel, Outcome, Proof};
use askuser_core::problem::{Fault, Problem};
use askuser_core::question::Questions;
use askuser_core::session::Origin;
use askuser_core::time::Timestamp;
use askuser_words::both;
use askuser_words::fault;

use crate::shell;
use askuser_wire::Dialect;

const USER: &str = "local";
const ASK: AskId = AskId(1);
const SESSION: SessionId = SessionId(1);

/// One ask, in memory.
#[derive(Debug)]
pub struct InMemory {
    view: View,
}

impl InMemory {
    /// Accepts the ask.
    pub fn ask(questions: Questions, terms: Terms, now: Timestamp) -> Result<Self, Vec<Problem>> {
        let mut alone = Self { view: View::default() };
        let agent = actor(Role::Agent, Channel::Agent, Proof::KeyFile);
        let session = Command::OpenSession {
            session: SESSION,
            external_id: None,
            origin: Origin::Derived,
            total_rounds: None,
            timing: Timing::default(),
        };
        let new = NewAsk {
            id: ASK,
            session: SESSION,
            questions,
            terms: Arc::new(terms),
            otherwise: Timing::default(),
            fingerprint: [0; 16],
            known_by: KnownBy::Nothing,
        };
        for command in [session, Command::Ask(Box::new(new))] {
            alone.carry_out(&agent, &command, now).map_err(|refusal| match refusal {
                Refusal::UnfitQuestions(problems) => problems,
                other => {
                    vec![Problem::new("", Fault::Other(both(|language| fault::refusal(&other, language))))]
                }
            })?;
        }
        Ok(alone)
    }

    /// Returns the ask as it is now.
    pub fn now(&self) -> Option<&Ask> {
        self.view.ask(ASK)
    }

    /// Returns what standard output carries of an outcome.
    pub fn reply(&self, dialect: Dialect, outcome: &Outcome) -> String {
        let Some(ask) = self.now() else { return String::new() };
        shell::write(dialect, &ask.questions, &ask.terms, outcome)
    }

    /// Ends it with a person's answers.
    pub fn answer(&mut self, answers: &Answers, proof: Proof, now: Timestamp) -> Result<Outcome, Refusal> {
        self.close(Role::Person, proof, &Command::Answer { ask: ASK, entries: answers.entries() }, now)
    }

    /// Ends it with answers that the person wrote down beforehand.
    pub fn answer_by_rule(
        &mut self,
        entries: Vec<(QuestionId, Entry)>,
        rule: Option<String>,
        reach: RuleReach,
        now: Timestamp,
    ) -> Result<Outcome, Refusal> {
        self.close(Role::Server, Proof::Rule, &Command::AnswerByRule { ask: ASK, entries, rule, reach }, now)
    }

    /// Ends it with a person's no.
    pub fn decline(
        &mut self,
        reason: Option<String>,
        proof: Proof,
        now: Timestamp,
    ) -> Result<Outcome, Refusal> {
        self.close(Role::Person, proof, &Command::Decline { ask: ASK, reason }, now)
    }

    /// Ends it at its deadline, keeping what was put down so far.
    pub fn expire(&mut self, so_far: &Answers, now: Timestamp) -> Result<Outcome, Refusal> {
        let person = actor(Role::Person, Channel::Terminal, Proof::Terminal);
        self.carry_out(&person, &Command::Save { ask: ASK, entries: so_far.entries() }, now)?;
        let deadline = self.now().and_then(|ask| ask.deadline).unwrap_or(now);
        self.close(Role::Server, Proof::Server, &Command::Expire { ask: ASK }, now.max(deadline))
    }

    fn close(
        &mut self,
        role: Role,
        proof: Proof,
        command: &Command,
        now: Timestamp,
    ) -> Result<Outcome, Refusal> {
        self.carry_out(&actor(role, Channel::Terminal, proof), command, now)?;
        self.now().and_then(|ask| ask.state.outcome()).cloned().ok_or(Refusal::StillOpen)
    }

    fn carry_out(&mut self, actor: &Actor, command: &Command, now: Timestamp) -> Result<(), Refusal> {
        self.view = decide(&self.view, actor, command, now)?.after;
        Ok(())
    }
}

fn actor(role: Role, channel: Channel, proof: Proof) -> Actor {
    Actor { role, user: USER.into(), by: By::new(Some(USER.into()), channel, proof), key: None }
}
