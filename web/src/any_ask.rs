//! Any ask, in both languages, for whoever looks at it: no part of the page has a control that answers it
//! without everything that there is to read.

use std::sync::Arc;

use askuser_core::answer::Answers;
use askuser_core::ask::{Ask, State};
use askuser_core::asker::{Asker, Purpose, Terms, TimeoutPolicy};
use askuser_core::entry::Entry;
use askuser_core::format::Format;
use askuser_core::hearing::{Hearing, Held};
use askuser_core::id::{AskId, SessionId, UserId};
use askuser_core::outcome::{AnsweredBy, By, Channel, Ending, Outcome, Proof};
use askuser_core::question::{Choice, FreeText, Kind, NamedBy, Preview, PreviewFormat, Question, Questions};
use askuser_core::text::shown as harmless;
use askuser_core::time::Timestamp;
use askuser_words::Language;
use maud::{Markup, html};
use proptest::prelude::*;

use super::card::{self, At, Faults, closed, lines, people};
use super::form::Entries;
use super::inbox::{List, ROW, Rows};
use super::markdown;
use askuser_wire::permission;
use askuser_words::page::Page;

const NOW: Timestamp = Timestamp(1_000_000);

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{3,12}( [a-z]{1,9}){0,3}",
        "[a-z<>&\"'`*_#\\[\\]()!|~ ]{1,40}",
        "\\PC{1,20}",
        "[你好世界，。 a]{1,20}",
        "[a\u{200b}\u{202e}\u{1b}\t\r\n]{1,12}",
        "([a-z]{2,8}\n){1,12}",
        "([a-z]{2,8} ){20,90}",
    ]
    .prop_filter("texts say something", |text| !text.trim().is_empty())
}

fn maybe() -> impl Strategy<Value = Option<String>> {
    prop::option::of(any_text())
}

fn any_choice(below: impl Strategy<Value = Vec<Question>>) -> impl Strategy<Value = Choice> {
    let preview = prop::option::weighted(0.2, (any_text(), any::<bool>()));
    (any_text(), maybe(), preview, maybe(), any::<bool>(), below).prop_map(
        |(label, description, preview, running, recommended, follow_ups)| Choice {
            id: "".into(),
            label,
            description,
            preview: preview.map(|(text, html)| Preview {
                format: if html { PreviewFormat::Html } else { PreviewFormat::Markdown },
                text,
            }),
            running,
            default: false,
            recommended,
            follow_ups,
        },
    )
}

fn any_question(below: impl Strategy<Value = Vec<Question>>) -> impl Strategy<Value = Question> {
    let kind = prop::sample::select(vec![
        Kind::OneOf,
        Kind::OneOf,
        Kind::YesNo,
        Kind::SomeOf { min: 1, max: 2 },
        Kind::Text,
    ]);
    let choices = prop::collection::vec(any_choice(below), 1..6);
    (maybe(), any_text(), maybe(), kind, choices, prop::bool::weighted(0.1)).prop_map(
        |(header, text, description, kind, mut choices, secret)| {
            match kind {
                Kind::Text => choices.clear(),
                Kind::YesNo => choices.truncate(2),
                Kind::OneOf | Kind::SomeOf { .. } => {}
            }
            for (idx, choice) in choices.iter_mut().enumerate() {
                choice.id = format!("c{idx}").as_str().into();
            }
            let free = FreeText {
                format: Format::Any,
                chars_min: 0,
                chars_max: 1000,
                any_characters: false,
                placeholder: None,
                default: None,
            };
            Question {
                id: "".into(),
                named_by: NamedBy::Asker,
                header,
                text,
                description,
                kind,
                choices,
                free: (kind == Kind::Text).then_some(free),
                required: true,
                secret,
                depends_on: None,
                collected: None,
            }
        },
    )
}

fn any_questions() -> impl Strategy<Value = Vec<Question>> {
    let leaf = prop::collection::vec(any_question(Just(Vec::new())), 1..2);
    let below = prop_oneof![6 => Just(Vec::new()), 1 => leaf];
    // Mostly one, because that is what a row has buttons for.
    let n_questions = prop_oneof![4 => Just(1..2_usize), 1 => Just(2..4_usize)];
    n_questions.prop_flat_map(move |n| prop::collection::vec(any_question(below.clone()), n)).prop_map(
        |mut questions| {
            name(&mut questions, "q");
            questions
        },
    )
}

fn name(questions: &mut [Question], begin: &str) {
    for (idx, question) in questions.iter_mut().enumerate() {
        let id = format!("{begin}{idx}");
        question.id = id.as_str().into();
        for choice in &mut question.choices {
            let below = format!("{id}{}", choice.id);
            name(&mut choice.follow_ups, &below);
        }
    }
}

fn any_ask() -> impl Strategy<Value = Ask> {
    let state = prop_oneof![4 => Just(State::Showing), 1 => Just(State::Pending), 1 => Just(ended())];
    let terms = (
        maybe(),
        prop::bool::weighted(0.2),
        prop::option::of(any::<bool>()),
        prop::option::of("[a-z/ ]{1,20}"),
    );
    let held = prop::option::weighted(0.3, any::<bool>());
    (any_questions(), terms, state, held, prop::option::of(0..400_000_i64)).prop_map(
        |(questions, (context, permission, stops, folder), state, held, deadline)| {
            let policy = stops.map(|stops| if stops { TimeoutPolicy::Abort } else { TimeoutPolicy::Default });
            let terms = Terms {
                asker: Asker { folder, ..Asker::default() },
                context,
                policy,
                purpose: if permission { Purpose::Permission } else { Purpose::Decision },
                ..Terms::default()
            };
            let user = |own| UserId::from(if own { "ann" } else { "bob" });
            let held = held.map(|own| Held {
                user: user(own),
                entries: vec![("q0".into(), Entry { picked: vec!["c0".into()], ..Entry::default() })],
                by: By::new(Some(user(own)), Channel::Terminal, Proof::Terminal),
                until: Timestamp(NOW.0 + 5000),
            });
            Ask {
                deadline: deadline.map(|left| Timestamp(NOW.0 + left)),
                hearing: Hearing { held: held.into_iter().collect(), ..Hearing::default() },
                state,
                ..Ask::new(
                    AskId(7),
                    SessionId(8),
                    "ann".into(),
                    Arc::new(Questions::remembered(questions)),
                    Arc::new(terms),
                    NOW,
                )
            }
        },
    )
}

fn ended() -> State {
    State::Closed(Arc::new(Outcome {
        ending: Ending::Answered(AnsweredBy::Person),
        by: By::new(Some("ann".into()), Channel::Web, Proof::Cookie),
        at: NOW,
        comment: None,
        answers: Answers::default(),
        voices: Vec::new(),
    }))
}

/// Every part of the page that shows an ask, by its name.
fn surfaces(words: Page, ask: &Arc<Ask>, reader: &UserId) -> Vec<(&'static str, Markup)> {
    let asks = [Arc::clone(ask)];
    let (filled, faults) = (Entries::default(), Faults::default());
    let list = |rows| List { words, asks: &asks, reader, now: NOW, rows }.draw();
    let card = |at, may_grant| {
        card::draw(&card::Open {
            words,
            ask,
            filled: &filled,
            faults: &faults,
            recall: None,
            waiting: &asks,
            reader: Some(reader),
            others: &[],
            now: NOW,
            at,
            may_grant,
            left: false,
        })
    };
    let mut drawn = vec![
        ("inbox", list(Rows::WithButtons)),
        ("list beside", list(Rows::Links { current: ask.id })),
        ("for others", people::waits_for_others(words, ask, reader, NOW)),
    ];
    match ask.state.outcome() {
        Some(outcome) => {
            let reader = Some(reader);
            let ended = closed::Ended { words, ask, outcome, lost: None, always: None, reader, now: NOW };
            drawn.push(("closed", closed::draw(&ended)));
        }
        None => drawn.extend([
            ("card", card(At::Ask, true)),
            ("weak card", card(At::Ask, false)),
            ("link", card(At::Link("secret"), true)),
        ]),
    }
    drawn
}

/// Whether something in it answers an ask.
fn can_answer(page: &str) -> bool {
    page.contains("/answer\"") || page.contains("<button name=\"pick:")
}

/// Whether a text stands in it, in one of the ways in which the page draws texts.
fn is_drawn(page: &str, text: &str) -> bool {
    let as_lines = lines(text).into_string();
    let as_markdown = markdown::draw(text).into_string();
    let as_it_is = html! { (harmless(text)) }.into_string();
    [as_lines, as_markdown, as_it_is].iter().any(|drawn| page.contains(drawn.as_str()))
}

/// What has to be seen, as texts that are drawn one by one. A permission's input is taken apart, and a
/// preview in HTML has a frame of its own.
fn to_be_seen(words: Page, ask: &Ask) -> Vec<String> {
    let permission = permission::shown(ask);
    let first = ask.questions.top().first();
    let input = permission.as_ref().and_then(|_| first.and_then(|question| question.description.as_deref()));
    let all = ask.questions.all();
    let choices =
        || all.iter().flat_map(|question| question.choices.iter().map(move |choice| (*question, choice)));
    let frames: Vec<&str> = choices()
        .filter_map(|(_, choice)| choice.preview.as_ref())
        .filter(|preview| preview.format == PreviewFormat::Html)
        .map(|preview| preview.text.as_str())
        .collect();
    let parts = ask.parts().into_iter();
    let mut seen: Vec<String> =
        parts.filter(|part| Some(*part) != input && !frames.contains(part)).map(ToOwned::to_owned).collect();
    // A plain yes and no are said in the person's language.
    let said = choices().map(|(question, choice)| (choice.shown_label(), words.choice(question, choice)));
    for (label, said) in said {
        if said != harmless(label) {
            seen.retain(|part| part != label);
        }
    }
    if let Some(permission) = permission {
        seen.push(permission.command);
        seen.extend(permission.rest.into_iter().chain(permission.folder));
    }
    seen
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn no_control_answers_what_is_not_all_drawn_beside_it(ask in any_ask(), chinese in any::<bool>()) {
        let ask = Arc::new(ask);
        let words = Page(if chinese { Language::Chinese } else { Language::English });
        for reader in ["ann", "bob", "eve"] {
            for (surface, drawn) in surfaces(words, &ask, &reader.into()) {
                let page = drawn.into_string();
                if !can_answer(&page) {
                    continue;
                }
                prop_assert!(ask.state == State::Showing, "{surface}: {page}");
                prop_assert!(ask.held_by(&reader.into()).is_none(), "{surface} for {reader}: {page}");
                prop_assert!(surface != "list beside" && surface != "for others", "{surface}: {page}");
                for text in to_be_seen(words, &ask) {
                    prop_assert!(is_drawn(&page, &text), "{surface} without {text:?}: {page}");
                }
                let n_frames = page.matches("<iframe").count();
                let all = ask.questions.all();
                let previews = all.iter().flat_map(|question| &question.choices).filter_map(|choice| choice.preview.as_ref());
                let n_html = previews.filter(|preview| preview.format == PreviewFormat::Html).count();
                prop_assert_eq!(n_frames, n_html, "{}: {}", surface, page);
            }
        }
    }

    /// The other way round: a question that fits has its buttons, and every card its form.
    #[test]
    fn what_fits_can_be_answered(ask in any_ask()) {
        let ask = Arc::new(ask);
        let is_open = ask.state == State::Showing && ask.held_by(&"ann".into()).is_none();
        for (surface, drawn) in surfaces(Page(Language::English), &ask, &"ann".into()) {
            let can = can_answer(&drawn.into_string());
            match surface {
                "card" | "link" => prop_assert_eq!(can, is_open),
                "inbox" if is_open => prop_assert_eq!(can, ask.one_press(&ROW).is_some()),
                _ => {}
            }
        }
    }
}
