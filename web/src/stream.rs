//! The conversation of a task as it goes on: a window of its messages, and what is new since a fact.
//!
//! The browser holds a window too, so a task with ten thousand messages is as quick as one with ten.
//! What is new is drawn here and nowhere else: the script puts it in its place.

use std::collections::HashMap;
use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::fact::Fact;
use askuser_core::id::{AskId, SessionId};
use askuser_core::text::shown as harmless;
use askuser_core::time::Timestamp;
use maud::{Markup, html};

use super::conversation::{Source, Talk};
use super::failing::Mishap;
use askuser_api::Route as _;
use askuser_api::tasks::WholeMessage;
use askuser_desk::Desk;
use askuser_runner::Spoken;
use askuser_wire::transcript::{Message, Placed, Said, of_facts};
use askuser_words::page::Page;

/// Facts of one window; about as many messages.
const FACTS_MAX: usize = 200;

/// A window of a task's conversation.
pub(super) struct Stream {
    placed: Vec<Placed>,
    /// The number of its first fact, where there are facts before it.
    before: Option<u64>,
}

impl Stream {
    /// Loads the last messages before a fact; the very last where none is given.
    pub(super) async fn load(desk: &Desk, session: SessionId, before: Option<u64>) -> Result<Self, Mishap> {
        let facts = desk.facts_before(session, before, FACTS_MAX).await?;
        let told: Vec<(u64, &Fact)> =
            facts.iter().filter_map(|numbered| Some((numbered.number, numbered.fact.as_deref()?))).collect();
        let asked = || {
            told.iter().filter_map(|(_, fact)| match fact {
                Fact::Asked(ask) => Some(ask.round),
                _ => None,
            })
        };
        let mut asks: HashMap<AskId, Arc<Ask>> = HashMap::new();
        if let (Some(first), Some(last)) = (asked().min(), asked().max()) {
            let n_rounds = last.saturating_sub(first) as usize + 1;
            let rounds = desk.rounds_after(session, first.saturating_sub(1), n_rounds).await?;
            asks.extend(rounds.into_iter().map(|ask| (ask.id, ask)));
        }
        let first = facts.first().map(|numbered| numbered.number);
        Ok(Self {
            placed: of_facts(told, |id| asks.get(&id)),
            before: first.filter(|_| facts.len() == FACTS_MAX),
        })
    }

    /// Whether everything since a fact is in it.
    pub(super) fn reaches(&self, since: u64) -> bool {
        self.before.is_none_or(|before| before <= since + 1)
    }

    /// Draws the messages that are new or changed since a fact; a question that is open is drawn
    /// below them, as a card.
    pub(super) fn draw(&self, words: Page, now: Timestamp, task: &str, since: u64) -> Markup {
        let drawing = Talk { words, now, messages: &[], total: None, source: Source::Rounds };
        let mut round = 0;
        let mut drawn = Vec::new();
        for Placed { number, changed, message } in &self.placed {
            if is_open(message) {
                continue;
            }
            let begins = message.round != round;
            round = message.round;
            if *changed > since {
                drawn.push(html! {
                    div.entry id=(name(message)) data-number=(number) {
                        @if begins { h2 { (words.0.round(round, None)) } }
                        (drawing.message(message))
                        @if message.cut_bytes > 0 && !matches!(message.said, Said::Ask(_)) {
                            p.dim { a href=(format!("{}?message={}", WholeMessage::path_of(task), message.uuid)) { (words.talk().whole_message()) } }
                        }
                    }
                });
            }
        }
        html! { @for entry in drawn { (entry) } }
    }

    /// Draws the way to what came before.
    pub(super) fn earlier(&self, words: Page, task: &str) -> Markup {
        html! {
            p #earlier hidden[self.before.is_none()] {
                a href=(format!("/tasks/{task}?before={}", self.before.unwrap_or(0))) { (words.talk().earlier_messages()) }
            }
        }
    }
}

/// Draws what an agent is writing just now, as plain text: it becomes a message when it is whole.
pub(super) fn coming(words: Page, spoken: Option<&Spoken>) -> Markup {
    html! {
        @if let Some(spoken) = spoken {
            div.entry.coming id=(format!("m-{}", spoken.id)) data-bytes=(spoken.text.len()) {
                div.msg.think[spoken.thinking].text[!spoken.thinking] {
                    p.dim { span.who { (if spoken.thinking { words.script().thinking() } else { words.script().agent() }) } }
                    div.typed { (harmless(&spoken.text)) }
                }
            }
        }
    }
}

/// Says in one line what a task is about.
pub(super) fn gist(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    super::conversation::short(line)
}

/// Says how many questions of a task wait.
pub(super) fn waiting(words: Page, n_open: usize) -> Markup {
    html! {
        @if n_open > 0 { " · " span.chip { (words.n_waiting(n_open)) } }
    }
}

fn is_open(message: &Message) -> bool {
    matches!(&message.said, Said::Ask(asked) if asked.ask.is_some() && asked.ended.is_none())
}

/// The name of a message on the page. Why a question was asked has the question's name.
fn name(message: &Message) -> String {
    let kind = if matches!(message.said, Said::Ask(_)) { 'q' } else { 'm' };
    format!("{kind}-{}", message.uuid)
}
