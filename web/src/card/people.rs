//! An ask for several people: how far it has come, and what each of them said.

use std::borrow::Cow;

use askuser_core::ask::Ask;
use askuser_core::hearing::Voice;
use askuser_core::id::UserId;
use askuser_core::question::Questions;
use askuser_core::text::shown as harmless;
use askuser_core::time::Timestamp;
use maud::{Markup, html};

use super::closed::{self, Told};
use super::{context, heading, lines, permission};
use crate::when;
use askuser_wire::outcome::hidden_answers;
use askuser_wire::people::Progress;
use askuser_words::page::Page;

/// Says how far an ask for several people has come, to one of them; nothing where it is one person's.
pub(crate) fn line(words: Page, ask: &Ask, reader: Option<&UserId>) -> Option<String> {
    Progress::of(ask).map(|progress| progress.line_to(reader.map(UserId::as_str), words.0))
}

/// Draws how far an ask has come: `2 answers wanted, 1 so far; waiting for bob`.
pub(super) fn progress(words: Page, ask: &Ask, reader: Option<&UserId>) -> Markup {
    html! { @if let Some(line) = line(words, ask, reader) { p.people { (harmless(&line)) } } }
}

/// Draws the card of an open ask that does not wait for this person: they have spoken, or it is for
/// others.
pub(crate) fn waits_for_others(words: Page, ask: &Ask, user: &UserId, now: Timestamp) -> Markup {
    let why = if ask.hearing.has_heard(user) {
        words.card().waiting_for_others()
    } else {
        words.card().for_others()
    };
    let command = permission::command(words, ask);
    html! {
        article #card data-ask=(ask.id.to_string()) data-session=(ask.session.to_string()) data-open="false" {
            div.ask.closed {
                (heading(words, ask, Some(user), now))
                p.ending data-status="showing" { span.chip { (words.card().waiting()) } " " (why) }
                (voices(words, &ask.questions, &ask.hearing.voices, Some(user), now))
                (context(words, ask))
                @if let Some(command) = &command { (command) }
                (closed::asked(words, &ask.questions, Told { whole: command.is_none(), ..Told::default() }))
                p { a href="/" { (words.back_to_inbox()) } }
            }
        }
    }
}

/// Draws what each person said.
pub(crate) fn voices(
    words: Page,
    questions: &Questions,
    voices: &[Voice],
    reader: Option<&UserId>,
    now: Timestamp,
) -> Markup {
    html! {
        @if !voices.is_empty() {
            ul.voices {
                @for voice in voices {
                    li {
                        p { b { (people_name(words, &voice.user, reader)) } " "
                            span.dim { (words.0.place(&voice.by.channel)) " · " (when::clock(words, voice.at, now)) } }
                        (said(words, questions, voice))
                    }
                }
            }
        }
    }
}

/// A person by name; whoever reads is “you”.
fn people_name<'a>(words: Page, user: &'a UserId, reader: Option<&UserId>) -> Cow<'a, str> {
    if reader == Some(user) { words.card().you().into() } else { harmless(user.as_str()) }
}

fn said(words: Page, questions: &Questions, voice: &Voice) -> Markup {
    let Some(answers) = &voice.answers else {
        return html! {
            p { (words.ended().sentence(words.ended().declined())) }
            @if let Some(comment) = &voice.comment { blockquote { (lines(comment)) } }
        };
    };
    let answers = hidden_answers(questions, answers);
    html! {
        @for answer in &answers.0 {
            @if let Some(question) = questions.find(&answer.question) {
                p { span.dim { (harmless(question.title())) } " → "
                    @if answer.skipped { (words.card().not_answered()) }
                    @for (place, choice) in answer.picked.iter().filter_map(|id| question.choice(id)).enumerate() {
                        @if place > 0 { ", " } (words.choice(question, choice))
                    }
                    @if let Some(text) = &answer.text { @if !answer.picked.is_empty() { ", " } (lines(text)) }
                    @if let Some(note) = &answer.note { " · " (words.card().note()) ": " (lines(note)) }
                }
            }
        }
    }
}
