//! The agent's end: requests in, the responses to them out.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::command::KnownBy;

use super::Protocol;
use super::messages::{self, Given, Kind, Wanted};
use super::{Conversation, WAITED_MAX};
use askuser_desk::{Numbered, Request};
use askuser_wire as wire;
use askuser_wire::failure::{Code, Failure};
use askuser_words::failed::Failed;

impl Conversation {
    pub(super) async fn receive_from_agent(&mut self, given: &Given) -> Result<(), Failure> {
        if given.kind == Kind::Response {
            self.forged = true;
            return Err(Failure::new(Code::Forbidden, Failed::agents_do_not_answer));
        }
        if self.waited.values().map(Vec::len).sum::<usize>() >= WAITED_MAX {
            return Err(Failure::new(Code::TooManyAsks, |said: Failed| said.too_many_waiting(WAITED_MAX)));
        }
        let dialect = given.dialect;
        let defaults = self.desk.defaults();
        let read =
            wire::read(dialect, &given.body).typed_within(defaults.text_chars_max, defaults.any_characters);
        let checked = read.check_and_warn().map_err(Failure::invalid_question)?;
        let (questions, mut terms) = (checked.questions, checked.terms);
        // The agent's own name for its ask comes back with the response, and a repeat joins.
        let own_id = match given.protocol {
            Protocol::Events => given.text("askId"),
            Protocol::AskUser | Protocol::Push => given.text("eventId").or_else(|| given.text("askId")),
        };
        let own_id = own_id.map(str::to_owned);
        if terms.event.is_none() {
            terms.event.clone_from(&own_id);
        }
        terms.reply_in = Some(dialect.name().to_owned());
        if let Some(outcome) = wire::collected(&questions, self.desk.now()) {
            let mut response = messages::collected(dialect, &questions, &terms, &outcome, own_id.as_deref());
            messages::warn(&mut response, &wire::warnings(&checked.warnings, self.language));
            self.say(&response, None);
            return Ok(());
        }
        let request =
            Request { questions, terms, asker_key: self.asker_key.clone(), known_by: KnownBy::Nothing };
        let asked = self.desk.ask(&self.actor, request).await.map_err(Failure::from)?;
        let warnings = wire::warnings(&checked.warnings, self.language);
        let wanted = Wanted { dialect, own_id, warnings };
        if asked.ask.is_open() {
            // One that joined gets its response too, under its own name.
            self.waited.entry(asked.ask.id).or_default().push(wanted);
        } else {
            self.respond(&asked.ask, &wanted);
        }
        Ok(())
    }

    /// An agent hears of its own requests only.
    pub(super) async fn tell_agent(&mut self, numbered: &Numbered) -> Option<()> {
        let closed = matches!(numbered.fact.as_deref(), Some(askuser_core::fact::Fact::Closed { .. }));
        let Some(id) = numbered.ask.filter(|id| closed && self.waited.contains_key(id)) else {
            return Some(());
        };
        let ask = self.ask(id).await?;
        let waited = self.waited.remove(&id).unwrap_or_default();
        for (ask, wanted) in ask.iter().flat_map(|ask| waited.iter().map(move |wanted| (ask, wanted))) {
            self.respond(ask, wanted);
        }
        Some(())
    }

    fn respond(&mut self, ask: &Arc<Ask>, wanted: &Wanted) {
        if let Some(outcome) = ask.state.outcome() {
            let mut response = messages::response(wanted.dialect, ask, outcome, wanted.own_id.as_deref());
            messages::warn(&mut response, &wanted.warnings);
            self.say(&response, Some((ask.session, ask.id)));
        }
    }
}
