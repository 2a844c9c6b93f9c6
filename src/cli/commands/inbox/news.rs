//! What came back from the desk, and what it means for the inbox.

use askuser_core::id::AskId;
use askuser_words::inbox::Inbox as Words;
use serde_json::Value;

use super::background::{Earlier, News};
use super::event_loop::{Left, Sitting};
use super::items::{is_answered, item};
use crate::cli::fields::field;
use askuser_ask::ended;
use askuser_client::Answered;
use askuser_client::events::Event;
use askuser_client::seen::SeenAsk;
use askuser_terminal::inbox::item::{Item, one_line};
use askuser_terminal::inbox::{Looked, Tone};
use askuser_wire::failure::Code;

/// A search that found fewer looks further by itself.
const FOUND_MIN: usize = 20;

impl Sitting {
    /// Takes the news that are there already.
    pub(super) fn take_all(&mut self) -> Result<(), Left> {
        while let Ok(news) = self.news.try_recv() {
            self.take(news)?;
        }
        Ok(())
    }

    pub(super) fn take(&mut self, news: News) -> Result<(), Left> {
        match news {
            News::Listed(asks) => self.listed(&asks),
            News::Event(event) => self.event(&event),
            News::Away => self.inbox.away = true,
            News::Back => self.inbox.away = false,
            News::Seen(seen) => self.seen(&seen),
            News::Sent { answered, said } => self.sent(&answered, &said),
            News::Declined(ask) => self.inbox.sent(&[ask], self.language.words().declined()),
            News::Held(seen) => self.inbox.held(item(&seen, self.language)),
            News::TooLate(seen) => {
                let answered = seen.outcome.as_ref().is_some_and(is_answered);
                self.inbox.too_late(seen.id, &ended::line(&seen, self.language), answered);
            }
            News::NotTakenBack(seen) => {
                self.seen(&seen);
                self.inbox.say(Tone::Bad, Words(self.language).no_undo());
            }
            News::Refused { asks, why } => {
                let why = why.map(|why| why.said(self.language)).unwrap_or_default();
                self.inbox.refused(&asks, one_line(&why));
            }
            News::Found { words, asks, next, from_the_beginning } => {
                if words == self.inbox.ended.search.text() {
                    let found = self.items(&asks);
                    self.inbox.found(found, next, from_the_beginning);
                    self.look_further();
                }
            }
            News::Talked { session, asks } => {
                let mut rounds = self.items(&asks);
                rounds.extend(self.inbox.open.of_session(&session));
                rounds.sort_by_key(|item| item.round);
                self.inbox.talked(&session, rounds);
            }
            News::Reused { ask, found } => self.reused(ask, found),
            News::Failed(why) => self.inbox.say(Tone::Bad, one_line(&why.said(self.language))),
            News::Ended(error) => return Err(Left::Refused(error.into())),
        }
        Ok(())
    }

    fn items(&self, asks: &[SeenAsk]) -> Vec<Item> {
        asks.iter().map(|seen| item(seen, self.language)).collect()
    }

    fn listed(&mut self, asks: &[SeenAsk]) {
        let items = self.items(asks);
        self.stale.clear();
        for ended in self.inbox.listed(items) {
            self.errands.look(ended);
        }
        // The sheet in view may be of an ask that ended while the desk was away.
        if let Some(ask) = self.inbox.in_sight().filter(|ask| self.inbox.open.get(*ask).is_none()) {
            self.errands.look(ask);
        }
    }

    fn event(&mut self, event: &Event) {
        let Ok(ask) = field(&event.carries, "ask_id").parse::<AskId>() else { return };
        if event.carries.get("for_you") == Some(&Value::Bool(false)) {
            // This person's agent asks somebody else.
            return;
        }
        match event.name.as_str() {
            "asked" if !self.inbox.knows(ask) => {
                let told = event.carries.get("ask").cloned().unwrap_or(Value::Null);
                // One that cannot be read is one for a newer program.
                if let Ok(seen) = SeenAsk::read(told) {
                    self.inbox.arrived(item(&seen, self.language));
                    if seen.deadline.is_some() {
                        // What its deadline brings is told to whoever looks at it.
                        self.errands.look(ask);
                    }
                }
            }
            "shown" => self.inbox.shown(ask),
            "sheet_saved" | "session_changed" => {
                self.stale.insert(ask);
            }
            // Others have spoken, or it is for others too: the person sees it as it happens.
            "person_answered" | "escalated" | "held" | "taken_back" if !self.inbox.is_sending(ask) => {
                self.errands.look(ask);
            }
            // What is on its way from here comes back by itself, with what became of it.
            "ask_user_response" if self.inbox.is_sending(ask) => {}
            "ask_user_response" if self.inbox.is_at(ask) => self.errands.look(ask),
            "ask_user_response" if self.inbox.knows(ask) => {
                self.inbox.closed(ask, Words(self.language).ended(), false);
                self.errands.look(ask);
            }
            _ => {}
        }
    }

    fn seen(&mut self, seen: &SeenAsk) {
        if seen.waits_for_others() {
            // They have spoken, on another surface of theirs.
            if !self.inbox.is_sending(seen.id) && self.inbox.knows(seen.id) {
                self.inbox.closed(seen.id, Words(self.language).you_answered(), true);
                self.stop_saving(Some(seen.id));
            }
        } else if seen.is_open() {
            self.inbox.arrived(item(seen, self.language));
        } else if !self.inbox.is_sending(seen.id) {
            let answered = seen.outcome.as_ref().is_some_and(is_answered);
            self.inbox.closed(seen.id, &ended::line(seen, self.language), answered);
            self.stop_saving(Some(seen.id));
        }
    }

    fn sent(&mut self, answered: &[Answered], said: &str) {
        let (refused, arrived): (Vec<&Answered>, Vec<&Answered>) =
            answered.iter().partition(|answered| answered.refused.is_some());
        let ids = |list: &[&Answered]| list.iter().map(|answered| answered.ask).collect::<Vec<_>>();
        let words = Words(self.language);
        let mut text = match arrived.len() {
            0 | 1 => words.sent(said),
            n => words.sent_to(n, said),
        };
        if !refused.is_empty() {
            text.push_str(&words.not_sent_to(refused.len()));
        }
        self.inbox.sent(&ids(&arrived), text.as_str());
        let closed = |answered: &&&Answered| {
            answered.refused.as_deref().and_then(Code::parse) == Some(Code::AlreadyClosed)
        };
        let gone: Vec<AskId> = refused.iter().filter(closed).map(|answered| answered.ask).collect();
        self.inbox.sent(&gone, text.as_str());
        if refused.len() > gone.len() {
            self.inbox.refused(&ids(&refused), text);
        }
    }

    fn reused(&mut self, ask: AskId, found: Option<Earlier>) {
        let n_before = self.reusing.filter(|(own, _)| *own == ask).map_or(0, |(_, n)| n);
        if let Some((entries, from)) = found {
            self.reusing = Some((ask, n_before + 1));
            let at = from.outcome.as_ref().map_or(self.inbox.now, |outcome| outcome.at);
            self.inbox.reused(ask, entries, at);
            self.save(ask);
            return;
        }
        self.reusing = None;
        let words = Words(self.language);
        let none = if n_before == 0 { words.never_answered() } else { words.none_older() };
        self.inbox.say(Tone::Note, none);
    }

    /// Goes on where a search has found little so far.
    fn look_further(&mut self) {
        if let Looked::UpTo(last) = self.inbox.looked
            && self.inbox.ended.n_shown() < FOUND_MIN
        {
            self.inbox.looked = Looked::Looking;
            self.errands.search(self.inbox.ended.search.text().to_owned(), Some(last));
        }
    }
}
