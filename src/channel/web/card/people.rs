//! An ask for several people: how far it has come, and what each of them said.

use askuser_core::ask::Ask;
use askuser_core::hearing::Voice;
use askuser_core::id::UserId;
use askuser_core::question::Questions;
use askuser_core::text::shown as harmless;
use askuser_core::time::Timestamp;
use maud::{Markup, html};

use super::{heading, lines};
use crate::channel::web::when;
use crate::channel::web::words::Words;
use crate::wire::outcome::hidden_answers;

/// Says how far an ask has come: `1 of 2 answered; still to answer: bob`.
pub(in crate::channel::web) fn progress(words: &Words, ask: &Ask) -> Markup {
    html! { @if let Some(line) = words.people(ask) { p.people { (harmless(&line)) } } }
}

/// Draws the card of an open ask that does not wait for this person: they have spoken, or it is for
/// others.
pub(in crate::channel::web) fn waits_for_others(
    words: &Words,
    ask: &Ask,
    user: &UserId,
    now: Timestamp,
) -> Markup {
    let why = if ask.hearing.has_heard(user) { words.you_have_answered } else { words.others_answer };
    html! {
        article #card data-ask=(ask.id.to_string()) data-session=(ask.session.to_string()) data-open="false" {
            div.ask.closed {
                (heading(words, ask, now))
                p.ending data-status="showing" { span.chip { (words.still_open_chip) } " " (why) }
                (voices(words, &ask.questions, &ask.hearing.voices, now))
                (super::closed::asked(words, &ask.questions, None))
                p { a href="/" { (words.back_to_inbox) } }
            }
        }
    }
}

/// Draws what each person said.
pub(in crate::channel::web) fn voices(
    words: &Words,
    questions: &Questions,
    voices: &[Voice],
    now: Timestamp,
) -> Markup {
    html! {
        @if !voices.is_empty() {
            ul.voices {
                @for voice in voices {
                    li {
                        p { b { (harmless(voice.user.as_str())) } " "
                            span.dim { (words.place(&voice.by.channel)) " · " (when::clock(words, voice.at, now)) } }
                        (said(words, questions, voice))
                    }
                }
            }
        }
    }
}

fn said(words: &Words, questions: &Questions, voice: &Voice) -> Markup {
    let Some(answers) = &voice.answers else {
        return html! {
            p { (words.said_no) }
            @if let Some(comment) = &voice.comment { blockquote { (lines(comment)) } }
        };
    };
    let answers = hidden_answers(questions, answers);
    html! {
        @for answer in &answers.0 {
            @if let Some(question) = questions.find(&answer.question) {
                p { span.dim { (harmless(question.title())) } " → "
                    @if answer.skipped { (words.not_answered) }
                    @for (place, choice) in answer.picked.iter().filter_map(|id| question.choice(id)).enumerate() {
                        @if place > 0 { ", " } (words.choice(question, choice))
                    }
                    @if let Some(text) = &answer.text { @if !answer.picked.is_empty() { ", " } (lines(text)) }
                    @if let Some(note) = &answer.note { " · " (words.note) ": " (lines(note)) }
                }
            }
        }
    }
}
