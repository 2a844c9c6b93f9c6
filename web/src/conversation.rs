//! A conversation, round by round: what the agent said, thought and did, and what was asked and
//! chosen (P1, P2, P18). A session of ours and a transcript of another program look the same.

use std::collections::BTreeSet;

use askuser_core::answer::Answers;
use askuser_core::ask::Ask;
use askuser_core::outcome::Outcome;
use askuser_core::question::Questions;
use askuser_core::text::shown as harmless;
use askuser_core::time::Timestamp;
use maud::{Markup, html};
use serde_json::Value;

use super::card::{closed, lines, people};
use super::{markdown, when};
use askuser_wire::transcript::{Asked, Ended, Message, Said, Speaker, of_rounds};
use askuser_words::page::Page;

/// Arguments and results up to this length stand open.
const OPEN_BYTES_MAX: usize = 400;
/// … and up to so many lines.
const OPEN_LINES_MAX: usize = 12;
/// How much of a text stands in a line about it.
const GIST_CHARS_MAX: usize = 80;

/// A conversation to be drawn.
pub(super) struct Talk<'a> {
    pub(super) words: Page,
    pub(super) now: Timestamp,
    pub(super) messages: &'a [Message],
    /// How many rounds there are in all, where that is known.
    pub(super) total: Option<u32>,
    pub(super) source: Source<'a>,
}

/// Where a conversation comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source<'a> {
    /// A session of ours, by its id: one can go on from each of its rounds.
    Session(&'a str),
    /// Rounds of ours beside an ask.
    Rounds,
    /// A file: what was open when it was written need not be open now.
    File,
}

impl Talk<'_> {
    /// Draws the messages, a section a round.
    pub(super) fn draw(&self) -> Markup {
        let mut named = BTreeSet::new();
        let mut drawn = Vec::new();
        for said in self.messages.chunk_by(|one, next| one.round == next.round) {
            let round = said.first().map_or(0, |message| message.round);
            // A file may come back to an earlier round; an address may not be there twice.
            let address = named.insert(round).then(|| format!("round-{round}"));
            drawn.push(html! {
                section.round id=[address] {
                    h2 { (self.words.0.round(round, self.total)) }
                    @for message in said { (self.message(message)) }
                    @if let Source::Session(session) = self.source { (self.go_on(session, round)) }
                }
            });
        }
        html! { @for section in drawn { (section) } }
    }

    /// Draws the way to each round, with what was asked and chosen in it.
    pub(super) fn rounds(&self) -> Markup {
        let words = self.words;
        let rounds = self.messages.chunk_by(|one, next| one.round == next.round);
        let mut named = BTreeSet::new();
        let rounds: Vec<(u32, Option<String>)> = rounds
            .filter_map(|said| {
                let round = said.first()?.round;
                let asked = said.iter().find_map(|message| match &message.said {
                    Said::Ask(asked) => Some(gist(words, asked)),
                    _ => None,
                });
                named.insert(round).then_some((round, asked))
            })
            .collect();
        html! {
            @if !rounds.is_empty() {
                nav.rounds aria-label=(words.talk().rounds()) {
                    ol {
                        @for (round, asked) in rounds {
                            li { a href=(format!("#round-{round}")) {
                                b { (words.0.round(round, None)) }
                                @if let Some(asked) = asked { span.dim { (asked) } }
                            } }
                        }
                    }
                }
            }
        }
    }

    /// Draws one message.
    pub(super) fn message(&self, message: &Message) -> Markup {
        let words = self.words;
        let drawn = match &message.said {
            Said::Text { by: Speaker::Agent, text } => {
                html! { div.msg.text { (self.head(words.script().agent(), message)) div.markdown { (markdown::draw(text)) } } }
            }
            Said::Text { by: Speaker::Person, text } => {
                html! { div.msg.text.by-person { (self.head(words.talk().by_person(), message)) div.typed { (lines(text)) } } }
            }
            Said::Thinking(text) => {
                html! { details.msg.think { summary { (words.script().thinking()) } div.typed { (lines(text)) } } }
            }
            Said::ToolUse { name, input, succeeded } => self.tool(name, input, *succeeded),
            Said::ToolResult { name, text, is_error } => self.result(name.as_deref(), text, *is_error),
            Said::Error(text) => {
                html! { div.msg.error { (self.head(words.talk().error(), message)) pre { (harmless(&words.0.reason(text))) } } }
            }
            Said::Complete(text) => {
                html! { div.msg.complete { (self.head(words.talk().done(), message)) div.markdown { (markdown::draw(text)) } } }
            }
            Said::Notice(text) => {
                html! { details.msg.info open[is_short(text)] { summary { (words.talk().notice()) } div.typed { (lines(&words.0.reason(text))) } } }
            }
            Said::Ask(asked) => self.asked(asked, message.at),
        };
        let cut = message.cut_bytes;
        html! {
            (drawn)
            @if cut > 0 { p.dim.cut { (words.talk().cut_off(cut)) } }
        }
    }

    fn head(&self, who: &str, message: &Message) -> Markup {
        html! {
            p.dim { span.who { (who) }
                @if let Some(at) = message.at { " · " (when::clock(self.words, at, self.now)) } }
        }
    }

    fn tool(&self, name: &str, input: &str, succeeded: Option<bool>) -> Markup {
        let words = self.words;
        let (state, said) = match succeeded {
            Some(true) => ("ok", words.talk().succeeded()),
            Some(false) => ("failed", words.talk().failed()),
            None => ("open", words.talk().no_result()),
        };
        html! {
            details.msg.tool open[is_short(input)] data-state=(state) {
                summary { code { (harmless(name)) } " "
                    @if let Some(about) = about(input) { span.dim { (about) } " " }
                    "· " span.state { (said) } }
                pre { code { (harmless(input)) } }
            }
        }
    }

    fn result(&self, name: Option<&str>, text: &str, is_error: bool) -> Markup {
        let words = self.words;
        let (state, said) =
            if is_error { ("failed", words.talk().failed()) } else { ("ok", words.talk().succeeded()) };
        html! {
            details.msg.result open[is_short(text)] data-state=(state) {
                summary { (words.talk().result()) " "
                    @if let Some(name) = name { code { (harmless(name)) } " " }
                    "· " span.state { (said) } }
                pre { (harmless(text)) }
            }
        }
    }

    fn asked(&self, asked: &Asked, at: Option<Timestamp>) -> Markup {
        let words = self.words;
        let id = asked.ask.map(|id| id.to_string());
        html! {
            div.msg.ask.closed data-ask=[id.as_deref()] {
                @if let Some(ended) = &asked.ended {
                    (self.ending(&asked.questions, ended, at))
                } @else {
                    p.ending {
                        @if self.source == Source::File { (words.talk().ending_unknown()) } @else { (words.talk().still_waiting()) }
                        @if let Some(id) = &id { " " a href=(format!("/asks/{id}")) { (words.talk().answer_it()) } }
                    }
                }
                (closed::asked(words, &asked.questions, to_closed(asked)))
            }
        }
    }

    /// How a question ended: by whom, where, when, and how long it took.
    fn ending(&self, questions: &Questions, ended: &Ended, asked_at: Option<Timestamp>) -> Markup {
        let (words, outcome) = (self.words, &ended.outcome);
        let took = asked_at.map(|asked_at| outcome.at.since(asked_at));
        html! {
            (closed::ending(words, outcome, None))
            @if ended.timed {
                p.dim {
                    (when::clock(words, outcome.at, self.now))
                    @if let Some(took) = took { " · " (closed::took(words, outcome, took)) }
                }
            }
            @if let Some(comment) = &outcome.comment { blockquote { (lines(&words.0.reason(comment))) } }
            @if outcome.is_disagreement() {
                (people::voices(words, questions, &outcome.voices, None, self.now))
            }
        }
    }

    fn go_on(&self, session: &str, round: u32) -> Markup {
        html! {
            form.go-on method="post" action=(format!("/sessions/{session}/restore")) {
                button.plain name="round" value=(round) title=(self.words.talk().branch_why()) { (self.words.talk().branch()) }
            }
        }
    }
}

/// What is told of a question that was asked in it.
fn to_closed(asked: &Asked) -> closed::Told<'_> {
    let outcome = asked.ended.as_ref().map(|ended| &ended.outcome);
    let disagreed = outcome.is_some_and(Outcome::is_disagreement);
    closed::Told { answers: outcome.map(|outcome| &outcome.answers), disagreed, whole: false }
}

/// Draws what led to an ask: the rounds before it, a line each that opens.
pub(super) fn before(
    words: Page,
    earlier: &[std::sync::Arc<Ask>],
    ask: &Ask,
    is_own: bool,
    now: Timestamp,
) -> Markup {
    let before = of_rounds(None, earlier);
    let talk = Talk { words, now, messages: &before, total: None, source: Source::Rounds };
    html! {
        @if ask.round > 1 && is_own {
            p.dim { a href=(format!("/sessions/{}", ask.session)) { (words.talk().whole_conversation()) } }
        }
        @for message in &before {
            @if let Said::Ask(asked) = &message.said {
                details.earlier {
                    summary { (words.0.round(message.round, None)) " · " (gist(words, asked)) }
                    (talk.message(message))
                }
            }
        }
    }
}

/// Says what was asked and chosen in one line: `Auth → OAuth 2.0`.
pub(super) fn gist(words: Page, asked: &Asked) -> String {
    let title = asked.questions.top().first().map_or("", |question| question.title());
    let answers = asked.ended.as_ref().map(|ended| &ended.outcome.answers);
    let chosen = answers.map(|answers| chosen(words, &asked.questions, answers)).unwrap_or_default();
    let title = short(title);
    let ended = asked.ended.as_ref().map(|ended| &ended.outcome);
    if ended.is_some_and(Outcome::is_disagreement) {
        return format!("{title} → {}", words.ended().disagreement());
    }
    if chosen.is_empty() { title } else { format!("{title} → {}", short(&chosen.join(", "))) }
}

/// Says what was chosen, a text for each choice.
pub(super) fn chosen(words: Page, questions: &Questions, answers: &Answers) -> Vec<String> {
    let answers = answers.0.iter();
    answers
        .filter_map(|answer| Some((questions.find(&answer.question)?, answer)))
        .flat_map(|(question, answer)| {
            let picked = answer.picked.iter().filter_map(|id| question.choice(id));
            let picked: Vec<String> =
                picked.map(|choice| words.choice(question, choice).into_owned()).collect();
            picked.into_iter().chain(answer.text.clone())
        })
        .collect()
}

/// Says what a call is about, as long as its arguments are folded: the first of them that is a text.
fn about(input: &str) -> Option<String> {
    let input: Value = serde_json::from_str(input).ok()?;
    input.as_object()?.values().find_map(Value::as_str).map(short).filter(|about| !about.trim().is_empty())
}

/// Cuts a text to a line.
pub(super) fn short(text: &str) -> String {
    let line = harmless(text).replace(['\n', '\t'], " ");
    let mut letters = line.chars();
    let begin: String = letters.by_ref().take(GIST_CHARS_MAX).collect();
    if letters.next().is_some() { format!("{begin}…") } else { begin }
}

fn is_short(text: &str) -> bool {
    text.len() <= OPEN_BYTES_MAX && text.lines().count() <= OPEN_LINES_MAX
}

#[cfg(test)]
mod tests;
