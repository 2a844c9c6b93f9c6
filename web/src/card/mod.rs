//! The card of one open ask: a form that works without the script.
//!
//! Every question of the tree is in it; which of them are seen is decided by what is picked, in the
//! browser by the style alone, and on the server by the sheet.

pub(super) mod closed;
mod before;
mod choice;
pub(super) mod deadline;
pub(super) mod held;
pub(super) mod people;
pub(super) mod permission;
mod question;

use std::collections::BTreeMap;
use std::sync::Arc;

use askuser_core::ask::{Ask, State};
use askuser_core::asker::Purpose;
use askuser_core::id::UserId;
use askuser_core::problem::Problem;
use askuser_core::question::Question;
use askuser_core::recall::Recall;
use askuser_core::text::shown as harmless;
use askuser_core::time::Timestamp;
use maud::{Markup, html};

use super::form::Entries;
use super::inbox::{asker_line, queued_why};
use super::{markdown, when};
use askuser_api::page::LINK;
use askuser_api::route::filled;
use askuser_words::page::Page;
use askuser_words::prompt::Prompt;

/// A context up to this length needs no scrolling.
const SHORT_CONTEXT_BYTES_MAX: usize = 400;
/// … and up to so many lines.
const SHORT_CONTEXT_LINES_MAX: usize = 6;

/// What is wrong with the answers, by question.
#[derive(Debug, Default)]
pub(super) struct Faults(BTreeMap<String, String>);

impl Faults {
    pub(super) fn of(problems: &[Problem], say: impl Fn(&Problem) -> String) -> Self {
        Self(problems.iter().map(|problem| (problem.path.clone(), say(problem))).collect())
    }

    pub(super) fn list(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(id, said)| (id.as_str(), said.as_str()))
    }

    fn at(&self, question: &Question) -> Option<&str> {
        self.0.get(question.id.as_str()).map(String::as_str)
    }
}

/// An open ask and everything that its card says.
#[derive(Clone, Copy)]
pub(super) struct Open<'a> {
    pub(super) words: Page,
    pub(super) ask: &'a Ask,
    pub(super) filled: &'a Entries,
    pub(super) faults: &'a Faults,
    /// What the person answered to the same before, where they want to know.
    pub(super) recall: Option<&'a Recall>,
    /// Everything that waits for the person: what a queued one waits for is among it.
    pub(super) waiting: &'a [Arc<Ask>],
    /// Who looks at it.
    pub(super) reader: Option<&'a UserId>,
    /// Other open asks that ask the same.
    pub(super) others: &'a [&'a Arc<Ask>],
    pub(super) now: Timestamp,
    /// Where it is answered: at the ask, or by a link that was sent to the person.
    pub(super) at: At<'a>,
    /// Whether this browser may grant a permission.
    pub(super) may_grant: bool,
    /// Whether the agent went away and may come back.
    pub(super) left: bool,
}

/// Where an ask is answered.
#[derive(Debug, Clone, Copy)]
pub(super) enum At<'a> {
    /// At the ask, by whoever is signed in.
    Ask,
    /// By a link.
    Link(&'a str),
}

impl Open<'_> {
    /// The path below which the form is sent.
    fn path(&self) -> String {
        match self.at {
            At::Ask => format!("/asks/{}", self.ask.id),
            At::Link(link) => filled(LINK, link),
        }
    }

    fn place(&self) -> held::Place {
        match self.at {
            At::Ask => held::Place::Card,
            At::Link(_) => held::Place::Link,
        }
    }
}

/// Draws the card.
pub(super) fn draw(open: &Open<'_>) -> Markup {
    let (words, ask) = (open.words, open.ask);
    let is_pending = ask.state == State::Pending;
    let own = open.reader.and_then(|reader| ask.held_by(reader));
    let given = own.map(|held| Entries::of(&held.entries));
    let locked = Open { filled: given.as_ref().unwrap_or(open.filled), ..*open };
    html! {
        article #card data-ask=(ask.id.to_string()) data-session=(ask.session.to_string()) data-open="true"
            data-pending=[is_pending.then_some("true")] data-held=[own.map(|held| held.until.0)] {
            @if is_pending || own.is_some() {
                div.ask {
                    (heading(words, ask, open.reader, open.now))
                    @if is_pending { p.note { (queued_why(words, ask, open.waiting)) } }
                    @if let Some(held) = own { (held::own(words, ask, held, open.place())) }
                    (context(words, ask))
                    fieldset.locked disabled { (questions(&locked)) }
                    @if own.is_none() && may_decline(open) { div.bar { (leave(words)) } }
                }
                @if own.is_none() { (decline(open)) }
            } @else {
                (before::asked_before(words, open.recall, ask, open.now))
                (form(open))
                (decline(open))
            }
        }
    }
}

fn form(open: &Open<'_>) -> Markup {
    let (words, ask) = (open.words, open.ask);
    html! {
        form #answer.ask method="post" action=(format!("{}/answer", open.path())) novalidate {
            (heading(words, ask, open.reader, open.now))
            (held::by_others(words, ask, open.reader))
            @if open.left { p.note { (Prompt(words.0).no_agent_waits()) } }
            @if ask.terms.purpose == Purpose::Permission && !open.may_grant {
                p.note { (words.card().permission_weak()) " " code { "askuser open" } }
            }
            @if !open.faults.0.is_empty() { p.fault role="alert" { (words.script().faults(open.faults.0.len())) } }
            (context(words, ask))
            (questions(open))
            (also(open))
            div.bar {
                @if may_decline(open) { (leave(words)) }
                @if matches!(open.at, At::Ask) { button.plain name="do" value="save" { (words.card().save_for_later()) } }
                button.go name="do" value="answer" { (words.card().confirm()) }
            }
        }
    }
}

fn questions(open: &Open<'_>) -> Markup {
    let asked = open.ask.questions.top().iter().filter(|question| question.collected.is_none());
    let asked: Vec<&Question> = asked.collect();
    html! {
        @for (place, question) in asked.iter().enumerate() {
            (question::draw(open, question, Some((place + 1, asked.len()))))
        }
    }
}

fn heading(words: Page, ask: &Ask, reader: Option<&UserId>, now: Timestamp) -> Markup {
    html! {
        header.head {
            p.dim { (asker_line(words, ask)) " · " (words.0.round(ask.round, ask.terms.total_rounds)) " · "
                (when::age(words, ask.asked_at, now)) }
            (deadline::draw(words, ask, now))
        }
        (people::progress(words, ask, reader))
        @if ask.terms.purpose == Purpose::Permission { p.note.permission { (words.card().permission()) } }
    }
}

/// Why it is asked, all of it: in a box that scrolls, so that the question is on the screen with it.
pub(super) fn context(words: Page, ask: &Ask) -> Markup {
    let context = ask.terms.context.as_deref().filter(|context| !context.trim().is_empty());
    // Whoever has no mouse scrolls it by keys; a short one is no stop on their way.
    let is_long = context.is_some_and(|context| {
        context.len() > SHORT_CONTEXT_BYTES_MAX || context.lines().count() > SHORT_CONTEXT_LINES_MAX
    });
    html! {
        @if let Some(context) = context {
            div.context.markdown role="region" aria-label=(words.card().context()) tabindex=[is_long.then_some("0")] {
                (markdown::draw(context))
            }
        }
    }
}

/// Other agents that ask the same: answered with the same form, if the person says so (P15).
fn also(open: &Open<'_>) -> Markup {
    let words = open.words;
    html! {
        @if !open.others.is_empty() {
            fieldset.also {
                legend { (words.card().answer_also()) }
                @for other in open.others {
                    label.line {
                        input type="checkbox" name="also" value=(other.id.to_string());
                        span { (asker_line(words, other)) " · " (words.0.round(other.round, other.terms.total_rounds)) " · "
                            (when::age(words, other.asked_at, open.now)) }
                    }
                }
            }
        }
    }
}

/// Whether saying no is one thing and declining another: a permission that has a no of its own is answered
/// with it, where this browser may.
fn may_decline(open: &Open<'_>) -> bool {
    !(permission::has_own_no(open.ask) && open.may_grant)
}

fn leave(words: Page) -> Markup {
    html! { a.button.leave href="#decline" { (words.card().decline_more()) } }
}

/// Saying no, with a reason if there is one.
fn decline(open: &Open<'_>) -> Markup {
    if !may_decline(open) {
        return html! {};
    }
    let words = open.words;
    let asked = open.ask.questions.top().iter().filter(|question| question.collected.is_none());
    html! {
        // Shown by its address: the button leads here, with and without the script.
        section #decline.decline aria-label=(words.card().decline()) {
            form method="post" action=(format!("{}/cancel", open.path())) {
                div.declined {
                    p.dim { (words.card().declining()) }
                    ul { @for question in asked { li { (lines(&question.text)) } } }
                }
                label { (words.card().reason()) textarea name="reason" rows="2" maxlength="1000" {} }
                p.dim { (words.card().decline_why()) }
                button.bad { (words.card().decline()) }
            }
        }
    }
}

/// Texts of the asker, with their line breaks.
pub(super) fn lines(text: &str) -> Markup {
    let text = harmless(text);
    html! { @for (place, line) in text.split('\n').enumerate() { @if place > 0 { br; } (line) } }
}
