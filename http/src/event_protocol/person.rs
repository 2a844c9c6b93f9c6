//! The person's end: every request out, responses in, every close out, so that no card stays open.

use std::sync::Arc;

use askuser_core::ask::{Ask, State};
use askuser_core::decide::Refusal;
use askuser_core::fact::Fact;
use askuser_core::id::AskId;
use askuser_core::problem::Problem;
use askuser_words::failed::Failed;
use askuser_words::fault::unfit;

use super::Conversation;
use super::Protocol;
use super::messages::{self, Given, Kind};
use askuser_desk::Numbered;
use askuser_wire as wire;
use askuser_wire::failure::{Code, Failure};

impl Conversation {
    pub(super) async fn receive_from_person(&mut self, given: &Given) -> Result<(), Failure> {
        if given.kind == Kind::Request {
            return Err(Failure::new(Code::Forbidden, Failed::people_do_not_ask));
        }
        let status = given.text("status").unwrap_or("answered");
        let reason = given.text("reason").unwrap_or("user");
        if reason != "user" || !["answered", "cancelled"].contains(&status) {
            // O8: deadlines and the system are the server's to tell.
            self.forged = true;
            return Err(Failure::new(Code::Forbidden, Failed::server_only));
        }
        let ask = self.meant(given).await?;
        if status == "cancelled" {
            let comment = given.text("comment").map(str::to_owned);
            self.desk.decline(&self.actor, ask.id, comment).await.map_err(Failure::from)?;
            return Ok(());
        }
        let dialect = messages::dialect_of(given.protocol);
        let entries = wire::read_reply(dialect, &ask.questions, &given.body);
        let entries = entries.map_err(|problems| match ask.state.outcome() {
            Some(outcome) => Failure::from(&Refusal::AlreadyClosed(Box::new(outcome.clone()))),
            None => Failure::invalid_answer(problems),
        })?;
        self.desk.answer(&self.actor, ask.id, entries).await.map_err(Failure::from)?;
        Ok(())
    }

    /// The ask that a response means: by id, by the id of its event where only one has it, else the oldest
    /// open one of its agent.
    async fn meant(&self, given: &Given) -> Result<Arc<Ask>, Failure> {
        let named = given.text("askId").or_else(|| given.text("ask_id")).or_else(|| given.text("opCode"));
        if let Some(id) = named.and_then(|name| name.parse::<AskId>().ok()) {
            return Ok(self.desk.ask_of(&self.actor, id).await?);
        }
        let open = self.desk.inbox(&self.actor).await?;
        let agent = given.text("agentId");
        let is_of = |ask: &Ask| agent.is_none_or(|agent| ask.terms.asker.agent.as_deref() == Some(agent));
        let is_meant = |ask: &Ask| match named {
            Some(name) => ask.terms.event.as_deref() == Some(name) && is_of(ask),
            None => agent.is_some() && is_of(ask),
        };
        let mut found = open.into_iter().filter(|ask| ask.state == State::Showing && is_meant(ask));
        let first = found.next().ok_or_else(|| Failure::from(&Refusal::AskNotFound))?;
        // Askers choose these names, and two may have chosen the same: then nobody knows which was meant.
        match found.next().filter(|_| named.is_some()) {
            None => Ok(first),
            Some(second) => Err(ambiguous(first.id, second.id)),
        }
    }

    /// Tells the person what is on show when the conversation begins.
    pub(super) async fn tell_open(&mut self) -> Option<()> {
        let open = self.desk.inbox(&self.actor).await.ok()?;
        for ask in open.iter().filter(|ask| ask.state == State::Showing) {
            self.tell_request(ask);
        }
        Some(())
    }

    pub(super) async fn tell_person(&mut self, numbered: &Numbered) -> Option<()> {
        // Others may have been shown it before: an ask that is told is not told again.
        let shown = matches!(numbered.fact.as_deref(), Some(Fact::Shown { .. } | Fact::Escalated { .. }));
        let closed = matches!(numbered.fact.as_deref(), Some(Fact::Closed { .. }));
        let Some(id) = numbered.ask.filter(|_| shown || closed) else { return Some(()) };
        let ask = self.ask(id).await?;
        if closed {
            self.told.remove(&id);
        }
        let Some(ask) = ask else { return Some(()) };
        if closed {
            if let Some(outcome) = ask.state.outcome() {
                let outcome = wire::outcome::hidden(&ask.questions, outcome);
                let response =
                    messages::response(messages::dialect_of(self.spoken(&ask)), &ask, &outcome, None);
                self.say(&response, None);
            }
        } else if ask.waits_for(&self.actor.user) {
            self.tell_request(&ask);
        }
        Some(())
    }

    /// An ask that is shown while the conversation begins would be told twice.
    fn tell_request(&mut self, ask: &Ask) {
        if self.told.insert(ask.id) {
            for request in messages::request(self.spoken(ask), ask) {
                self.say(&request, None);
            }
        }
    }

    fn spoken(&self, ask: &Ask) -> Protocol {
        self.protocol.unwrap_or_else(|| messages::protocol_of(ask))
    }
}

fn ambiguous(first: AskId, second: AskId) -> Failure {
    let fault = unfit(|said| said.several_called(first, second));
    Failure::invalid_answer(vec![Problem::new("opCode", fault)])
}
