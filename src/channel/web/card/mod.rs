//! The card of one open ask: a form that works without the script.
//!
//! Every question of the tree is in it; which of them are seen is decided by what is picked, in the
//! browser by the style alone, and on the server by the sheet.

pub(super) mod closed;
mod before;
mod choice;
pub(super) mod people;
mod question;

use std::collections::BTreeMap;
use std::sync::Arc;

use askuser_core::ask::{Ask, State};
use askuser_core::asker::Purpose;
use askuser_core::problem::Problem;
use askuser_core::question::Question;
use askuser_core::recall::Recall;
use askuser_core::text::shown as harmless;
use askuser_core::time::Timestamp;
use maud::{Markup, html};

use super::form::Entries;
use super::inbox::whence;
use super::when;
use super::words::{Words, fill};

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
pub(super) struct Open<'a> {
    pub(super) words: &'a Words,
    pub(super) ask: &'a Ask,
    pub(super) filled: &'a Entries,
    pub(super) faults: &'a Faults,
    /// What the person answered to the same before, where they want to know.
    pub(super) recall: Option<&'a Recall>,
    /// Other open asks that ask the same.
    pub(super) others: &'a [&'a Arc<Ask>],
    pub(super) now: Timestamp,
    /// Where it is answered: at the ask, or by a link that was sent to the person.
    pub(super) at: At<'a>,
    /// Whether this browser may grant a permission.
    pub(super) may_grant: bool,
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
            At::Link(link) => format!("/a/{link}"),
        }
    }
}

/// Draws the card.
pub(super) fn draw(open: &Open<'_>) -> Markup {
    let (words, ask) = (open.words, open.ask);
    let questions = ask.questions.top().iter().filter(|question| question.collected.is_none());
    let questions: Vec<&Question> = questions.collect();
    html! {
        article #card data-ask=(ask.id.to_string()) data-session=(ask.session.to_string()) data-open="true" {
            (before::asked_before(words, open.recall, ask, open.now))
            form #answer.ask method="post" action=(format!("{}/answer", open.path())) novalidate {
                (heading(words, ask, open.now))
                @if ask.terms.purpose == Purpose::Permission && !open.may_grant {
                    p.note { (words.permission_weak) " " code { "askuser open" } }
                }
                @if ask.state == State::Pending { p.note { (words.in_line_why) } }
                @if !open.faults.0.is_empty() { p.fault role="alert" { (words.faults) } }
                @for (place, question) in questions.iter().enumerate() {
                    (question::draw(open, question, Some((place + 1, questions.len()))))
                }
                (also(open))
                div.bar {
                    a.button.leave href="#decline" { (words.decline_more) }
                    @if matches!(open.at, At::Ask) { button.plain name="do" value="save" { (words.save_for_later) } }
                    button.go name="do" value="answer" { (words.confirm) }
                }
            }
            (decline(open))
        }
    }
}

fn heading(words: &Words, ask: &Ask, now: Timestamp) -> Markup {
    html! {
        header.head {
            p.dim { (whence(words, ask)) " · " (words.round_of(ask.round, ask.terms.total_rounds)) " · "
                (when::age(words, ask.asked_at, now)) }
            @if let Some(deadline) = ask.deadline { p.dim { (when::left(words, deadline, now)) } }
        }
        (people::progress(words, ask))
        @if ask.terms.purpose == Purpose::Permission { p.note.permission { (words.permission) } }
    }
}

/// Other agents that ask the same: answered with the same form, if the person says so (P15).
fn also(open: &Open<'_>) -> Markup {
    let words = open.words;
    html! {
        @if !open.others.is_empty() {
            fieldset.also {
                legend { (words.answer_also) }
                @for other in open.others {
                    label.line {
                        input type="checkbox" name="also" value=(other.id.to_string());
                        span { (whence(words, other)) " · " (words.round_of(other.round, other.terms.total_rounds)) " · "
                            (when::age(words, other.asked_at, open.now)) }
                    }
                }
            }
        }
    }
}

/// Saying no, with a reason if there is one.
fn decline(open: &Open<'_>) -> Markup {
    let words = open.words;
    html! {
        // Shown by its address: the button leads here, with and without the script.
        section #decline.decline aria-label=(words.decline) {
            form method="post" action=(format!("{}/cancel", open.path())) {
                label { (words.reason) textarea name="reason" rows="2" maxlength="1000" {} }
                p.dim { (words.decline_why) }
                button.bad { (words.decline) }
            }
        }
    }
}

/// Says which of the questions it is.
fn progress(words: &Words, place: usize, all: usize) -> String {
    fill(words.question_of, &[("n", &place.to_string()), ("all", &all.to_string())])
}

/// Texts of the asker, with their line breaks.
pub(super) fn lines(text: &str) -> Markup {
    let text = harmless(text);
    html! { @for (place, line) in text.split('\n').enumerate() { @if place > 0 { br; } (line) } }
}
