//! Answers that can still be taken back: the person's own with the way to do that, and that somebody else
//! is about to answer.

use askuser_core::ask::Ask;
use askuser_core::hearing::Held;
use askuser_core::id::UserId;
use askuser_core::outcome::Channel;
use maud::{Markup, html};

use crate::conversation::short;
use askuser_words::page::Page;

/// Where it is said, which is where the person goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a row of the inbox.
    Row,
    /// In a row beside a card.
    Beside,
    /// On the card.
    Card,
    /// On the card behind a link: what was answered elsewhere is taken back there.
    Link,
}

/// Says what the person answered, with the button that takes it back.
pub(crate) fn own(words: Page, ask: &Ask, held: &Held, place: Place) -> Markup {
    let from = if place == Place::Row { "inbox" } else { "card" };
    html! {
        div.held-answer {
            p { (words.card().held(said(words, ask, held))) }
            @if held.by.channel != Channel::Web {
                p.being-answered {
                    (words.ended().sentence(words.ended().you_answered(words.0.place(&held.by.channel))))
                }
            }
            @if matches!(place, Place::Card | Place::Link) { p.dim { (words.card().undo_why()) } }
            @if place != Place::Link {
                form.undo method="post" action=(format!("/asks/{}/undo", ask.id)) {
                    button name="from" value=(from) { (words.script().undo()) }
                }
            }
        }
    }
}

/// Says who else is answering, and where.
pub(crate) fn by_others(words: Page, ask: &Ask, reader: Option<&UserId>) -> Markup {
    let others = ask.hearing.held.iter().filter(|held| Some(&held.user) != reader);
    html! {
        @for held in others {
            p.being-answered {
                (words.ended().sentence(words.0.being_answered(held.user.as_str(), &held.by.channel)))
            }
        }
    }
}

/// What was picked, in a line.
fn said(words: Page, ask: &Ask, held: &Held) -> String {
    let picked = held.entries.iter().flat_map(|(id, entry)| {
        let question = ask.questions.find(id).filter(|question| !question.secret);
        question.into_iter().flat_map(move |question| {
            let picked = entry.picked.iter().filter_map(|id| question.choice(id));
            let picked = picked.map(|choice| words.choice(question, choice).into_owned());
            picked.chain(entry.text.clone()).collect::<Vec<String>>()
        })
    });
    short(&picked.collect::<Vec<String>>().join(", "))
}
