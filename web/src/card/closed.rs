//! The card of an ask that ended: how, by whom, where, and what was asked and chosen (O7, P18).

use std::time::Duration;

use askuser_core::answer::{Answer, Answers};
use askuser_core::ask::Ask;
use askuser_core::id::UserId;
use askuser_core::outcome::{AnsweredBy, Ending, Outcome};
use askuser_core::question::{Question, Questions};
use askuser_core::sheet::Sheet;
use askuser_core::text::shown as harmless;
use askuser_core::time::Timestamp;
use maud::{Markup, html};

use super::{context, lines, people, permission};
use crate::form::Entries;
use crate::inbox::asker_line;
use crate::when;
use askuser_wire::outcome::hidden;
use askuser_words::page::Page;

/// A card that ended, and everything that it says.
pub(crate) struct Ended<'a> {
    pub(crate) words: Page,
    pub(crate) ask: &'a Ask,
    pub(crate) outcome: &'a Outcome,
    /// What a person wrote who was too late.
    pub(crate) lost: Option<&'a Entries>,
    /// What makes a rule of it.
    pub(crate) always: Option<Markup>,
    /// Who looks at it.
    pub(crate) reader: Option<&'a UserId>,
    pub(crate) now: Timestamp,
}

/// Draws the card.
pub(crate) fn draw(ended: &Ended<'_>) -> Markup {
    let Ended { words, ask, outcome, now, .. } = *ended;
    let told = hidden(&ask.questions, outcome);
    let command = permission::command(words, ask);
    let told_of =
        Told { answers: Some(&told.answers), disagreed: outcome.is_disagreement(), whole: command.is_none() };
    html! {
        article #card data-ask=(ask.id.to_string()) data-session=(ask.session.to_string()) data-open="false" {
            div.ask.closed {
                header.head {
                    p.dim { (asker_line(words, ask)) " · " (words.0.round(ask.round, ask.terms.total_rounds)) }
                    p.dim { (when::clock(words, outcome.at, now)) }
                }
                (ending(words, outcome, ended.reader))
                @if let Some(comment) = &outcome.comment { blockquote { (lines(&words.0.reason(comment))) } }
                (people::voices(words, &ask.questions, &told.voices, ended.reader, now))
                (kept(words, ask, ended.lost))
                (context(words, ask))
                @if let Some(command) = command { (command) }
                (asked(words, &ask.questions, told_of))
                p.dim { (took(words, outcome, outcome.at.since(ask.asked_at))) }
                @if may_reopen(outcome) {
                    form method="post" action=(format!("/asks/{}/reopen", ask.id)) {
                        button { (words.card().ask_again()) }
                        p.dim { (words.card().ask_again_why()) }
                    }
                }
                @if let Some(always) = &ended.always { (always) }
                p { a href="/" { (words.back_to_inbox()) } }
            }
        }
    }
}

/// How it ended, and what came of it.
pub(crate) fn ending(words: Page, outcome: &Outcome, reader: Option<&UserId>) -> Markup {
    let status = if outcome.is_disagreement() { "disagreement" } else { outcome.status() };
    html! {
        p.ending data-status=(status) data-reason=(outcome.reason()) {
            span.chip { (words.0.ended_to(outcome, reader)) }
            @if let Some(more) = words.0.what_came_of_it(outcome) { " " (more) }
        }
    }
}

/// What is told of the questions of an ask.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Told<'a> {
    /// What was answered, once that is known.
    pub(crate) answers: Option<&'a Answers>,
    /// Several people answered, and did not agree: what has no answer was answered all the same.
    pub(crate) disagreed: bool,
    /// With the descriptions.
    pub(crate) whole: bool,
}

/// What was asked, with every choice, and what was chosen, once that is known. A follow-up is there
/// where it was answered.
pub(crate) fn asked(words: Page, questions: &Questions, told: Told<'_>) -> Markup {
    let answers = told.answers;
    let at_top = |question: &Question| questions.top().iter().any(|top| top.id == question.id);
    html! {
        @for question in questions.all() {
            @let answer = answers.and_then(|answers| answers.to(&question.id));
            @if answer.is_some() || at_top(question) {
                section.question.answered.follow-up[!at_top(question)] {
                    (choices(words, question, answer, told.whole))
                    @if answers.is_some() && !told.disagreed && answer.is_none_or(|answer| answer.skipped) {
                        p.dim { (words.card().not_answered()) }
                    }
                    @if answer.is_some_and(|answer| answer.collected) { p.dim { (words.card().known_before()) } }
                    @if let Some(note) = answer.and_then(|answer| answer.note.as_ref()) {
                        p.note { (words.card().note()) ": " (lines(note)) }
                    }
                }
            }
        }
    }
}

fn choices(words: Page, question: &Question, answer: Option<&Answer>, whole: bool) -> Markup {
    let text = answer.and_then(|answer| answer.text.as_ref());
    html! {
        h3 {
            @if let Some(header) = question.header.as_deref() { span.chip { (harmless(header)) } " " }
            span.asked { (lines(&question.text)) }
        }
        @if let Some(description) = question.description.as_deref().filter(|_| whole) {
            p.about { (lines(description)) }
        }
        @if text.is_some() || !question.choices.is_empty() {
            ul.choices {
                @for choice in &question.choices {
                    @let chosen = answer.is_some_and(|answer| answer.picked.contains(&choice.id));
                    li.opt.chosen[chosen] {
                        span.tick aria-hidden="true" { @if chosen { "✓" } }
                        span.what { (words.choice(question, choice))
                            @if chosen { span.visually-hidden { " (" (words.card().chosen()) ")" } }
                            @if let Some(description) = &choice.description { small { (lines(description)) } }
                            @if let Some(running) = &choice.running { small { "→ " (lines(running)) } } }
                    }
                }
                @if let Some(text) = text {
                    li.opt.chosen { span.tick aria-hidden="true" { "✓" } span.what.typed { (lines(text)) } }
                }
            }
        }
    }
}

fn kept(words: Page, ask: &Ask, lost: Option<&Entries>) -> Markup {
    let typed = lost.map(|lost| lost.typed(&ask.questions)).unwrap_or_default();
    html! {
        @if !typed.is_empty() {
            section.kept {
                h2 { (words.card().your_text_is_kept()) }
                @for (question, text) in typed {
                    p.dim { (harmless(question.title())) }
                    textarea readonly rows="3" aria-label=(harmless(question.title())) { (text) }
                }
            }
        }
    }
}

/// Says how long an ask was open.
pub(crate) fn took(words: Page, outcome: &Outcome, took: Duration) -> String {
    let took = when::took(words, took);
    match outcome.ending {
        Ending::Answered(AnsweredBy::Person | AnsweredBy::AgentDialog) if !outcome.is_disagreement() => {
            words.card().answered_in(took)
        }
        _ => words.card().waited(took),
    }
}

/// Whether an outcome is just what these entries say: the same answer, sent again.
pub(crate) fn says(ask: &Ask, outcome: &Outcome, entries: &Entries) -> bool {
    let sheet = Sheet::filled(ask.questions.clone(), entries.list());
    sheet.is_ok_and(|sheet| sheet.answers_so_far() == outcome.answers)
}

fn may_reopen(outcome: &Outcome) -> bool {
    matches!(outcome.ending, Ending::Declined | Ending::Expired { .. })
}
