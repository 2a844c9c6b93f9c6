//! Any ask, any keys, any size: never a panic, never an answer that the ask does not allow, never
//! a line that does not fit.

use std::sync::Arc;

use askuser_core::answer::Answers;
use askuser_core::asker::Purpose;
use askuser_core::content::Content;
use askuser_core::draft::{Draft, DraftChoice, DraftFollowUps, DraftKind, DraftQuestion, Given, Other};
use askuser_core::limits::Limits;
use askuser_core::question::{Preview, PreviewFormat, Questions};
use askuser_core::sheet::Sheet;
use askuser_core::text::shown;
use askuser_core::whole::parts;
use askuser_words::Language;
use proptest::prelude::*;
use proptest::strategy::LazyJust;

use super::draw::draw;
use super::keys::{Key, press};
use super::line::Line;
use super::panel::{Panel, Step};
use super::samples::around;
use super::summary;
use super::width::width as columns_of;

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z ]{1,40}",
        "\\PC{1,30}",
        any::<String>(),
        "[你好世界，。 a]{1,40}",
        "[ᄀ\u{200d}👩\u{301}\u{202e}\u{1b}\t\r\n]{1,20}",
    ]
    .prop_filter("texts are not empty", |text| !text.is_empty())
}

fn maybe(text: impl Strategy<Value = String>) -> impl Strategy<Value = Given<String>> {
    prop::option::of(text).prop_map(|text| text.map_or(Given::Missing, Given::Value))
}

fn any_choice() -> impl Strategy<Value = DraftChoice> {
    (
        any_text(),
        [maybe(any_text()), maybe(any_text())],
        prop::option::of(any_text()),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(label, [description, running], preview, default, html)| DraftChoice {
            label: Given::Value(label.chars().take(200).collect()),
            description,
            preview: preview.map(|text| Preview {
                format: if html { PreviewFormat::Html } else { PreviewFormat::Markdown },
                text,
            }),
            running,
            default,
            ..DraftChoice::default()
        })
}

fn any_kind() -> impl Strategy<Value = DraftKind> {
    prop_oneof![
        LazyJust::new(|| DraftKind::OneOf),
        (0..3_usize).prop_map(|min| DraftKind::SomeOf { min: Some(min), max: None }),
        LazyJust::new(|| DraftKind::Text),
        LazyJust::new(|| DraftKind::YesNo),
    ]
}

fn any_question() -> impl Strategy<Value = DraftQuestion> {
    let flat = (
        maybe(any_text()),
        any_text(),
        maybe(any_text()),
        any_kind(),
        prop::collection::vec(any_choice(), 1..6),
        any::<[bool; 3]>(),
    )
        .prop_map(|(header, text, description, kind, choices, flags)| {
            let [closed, required, secret] = flags;
            DraftQuestion {
                header,
                text: Given::Value(text),
                description,
                kind: Given::Value(kind),
                choices: Given::Value(choices),
                other: if closed { Other::Closed } else { Other::Offered },
                required: Given::Value(required),
                secret: Given::Value(secret),
                ..DraftQuestion::default()
            }
        });
    flat.prop_recursive(4, 12, 2, |below| {
        (below.clone(), prop::collection::vec(below, 1..3)).prop_map(|(mut question, below)| {
            let choice = match question.kind {
                Given::Value(DraftKind::YesNo) => "yes",
                Given::Value(DraftKind::Text) => return question,
                _ => "1",
            };
            question.follow_ups = vec![DraftFollowUps {
                choice: choice.to_owned(),
                at: String::new(),
                questions: Given::Value(below),
            }];
            question
        })
    })
}

pub(super) fn any_ask() -> impl Strategy<Value = Arc<Questions>> {
    prop::collection::vec(any_question(), 1..4).prop_filter_map("drafts are valid", |questions| {
        let draft = Draft { questions: Given::Value(questions), ..Draft::default() };
        draft.check(&Limits::FORM).ok().map(Arc::new)
    })
}

pub(super) fn any_key() -> impl Strategy<Value = Key> {
    let plain = [
        Key::Enter,
        Key::Enter,
        Key::Enter,
        Key::NewLine,
        Key::Esc,
        Key::Tab,
        Key::BackTab,
        Key::Up,
        Key::Down,
        Key::Down,
        Key::Left,
        Key::Right,
        Key::Home,
        Key::End,
        Key::PageUp,
        Key::PageDown,
        Key::Backspace,
        Key::Delete,
        Key::WordLeft,
        Key::WordRight,
        Key::DeleteWord,
        Key::DeleteToStart,
        Key::DeleteToEnd,
        Key::Note,
        Key::Help,
        Key::EndOfInput,
    ];
    prop_oneof![
        4 => prop::sample::select(plain.to_vec()),
        2 => prop::sample::select("0123 jkmyn?".chars().map(Key::Char).collect::<Vec<_>>()),
        1 => any::<char>().prop_map(Key::Char),
        1 => any_text().prop_map(Key::Paste),
    ]
}

/// Returns the words of a text that no row can break: short ones of plain letters. Yes and No are said in
/// the person's language.
pub(super) fn words(text: &str) -> Vec<String> {
    if ["Yes", "No"].contains(&text) {
        return Vec::new();
    }
    let text = shown(text);
    let short = text.split_whitespace().filter(|word| columns_of(word) <= 10);
    let plain = short.flat_map(|word| word.split(|letter: char| !letter.is_ascii_alphanumeric()));
    plain.filter(|word| !word.is_empty()).map(ToOwned::to_owned).collect()
}

/// Returns what had to be seen before this was sent: of the one rule of what counts as whole, everything
/// but the follow-ups that were not opened, and previews, which are drawn for the choice under the cursor.
fn to_be_seen<'a>(panel: &'a Panel, answers: &Answers) -> Vec<&'a str> {
    let around = &panel.around;
    let questions = panel.sheet.questions();
    let content = Content {
        questions,
        context: around.context.as_deref(),
        purpose: Purpose::Decision,
        asker: &around.asker,
    };
    let mut left_out: Vec<&str> = Vec::new();
    for question in questions.all() {
        // A preview is drawn for the choice under the cursor.
        let previews = question.choices.iter().filter_map(|choice| choice.preview.as_ref());
        left_out.extend(previews.map(|preview| preview.text.as_str()));
        if answers.to(&question.id).is_none() {
            left_out.push(&question.text);
            left_out
                .extend([question.header.as_deref(), question.description.as_deref()].into_iter().flatten());
            for choice in &question.choices {
                left_out.push(choice.shown_label());
                left_out.extend(choice.description.as_deref());
                left_out.extend(choice.running.as_deref());
            }
        }
    }
    parts(&content).into_iter().filter(|part| !left_out.contains(part)).collect()
}

/// Presses the keys and checks after each that everything drawn fits, and that what is sent was seen.
fn play(panel: &mut Panel, keys: Vec<Key>, size: (usize, usize)) -> Result<(), TestCaseError> {
    let (width, height) = size;
    let first = draw(panel, width, height);
    let mut seen: String = first.lines.iter().map(Line::text).collect::<Vec<_>>().join("\n");
    panel.settle(&first);
    for key in keys {
        let step = press(panel, key);
        if let Step::Sent(answers) = &step {
            prop_assert_eq!(Ok(answers.clone()), panel.sheet.answers());
            for answer in &answers.0 {
                let question = panel.sheet.questions().find(&answer.question).unwrap();
                for picked in &answer.picked {
                    prop_assert!(question.choice(picked).is_some());
                }
                prop_assert!(answer.text.is_none() || question.free.is_some());
            }
            if width >= 40 {
                for part in to_be_seen(panel, answers) {
                    for word in words(part) {
                        prop_assert!(seen.contains(&word), "{word:?} of {part:?} was never drawn:\n{seen}");
                    }
                }
            }
            for line in summary::sent(&panel.sheet, panel.around.language, width) {
                prop_assert!(line.width() <= width);
            }
        }
        let frame = draw(panel, width, height);
        panel.settle(&frame);
        for line in &frame.lines {
            seen.push('\n');
            seen.push_str(&line.text());
        }
        prop_assert!(frame.lines.len() <= height);
        for line in &frame.lines {
            prop_assert!(line.width() <= width, "{} > {width}: {}", line.width(), line.text());
            let text = line.text();
            prop_assert!(!text.chars().any(char::is_control), "{text:?}");
        }
        if let Some((row, column)) = frame.caret {
            prop_assert!(row < frame.lines.len() && column < width);
        }
        if step != Step::Stay {
            break;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.div_ceil(2), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn t9_d10_any_ask_takes_any_keys_at_any_size(
        questions in any_ask(),
        keys in prop::collection::vec(any_key(), 0..40),
        size in (10..140_usize, 3..40_usize),
        chinese in any::<bool>(),
        suggested in any::<bool>(),
        context in prop::option::of(any_text()),
    ) {
        let language = if chinese { Language::Chinese } else { Language::English };
        let sheet = if suggested { Sheet::suggested(questions) } else { Sheet::blank(questions) };
        let mut panel = Panel::new(sheet, around(language));
        panel.around.context = context;
        play(&mut panel, keys, size)?;
    }
}

/// Where ten columns leave one beside the mark of a note, and a letter takes two.
#[test]
fn t9_a_note_of_wide_letters_fits_into_ten_columns() {
    let choice = DraftChoice { label: Given::Value("b".into()), ..DraftChoice::default() };
    let one = DraftQuestion {
        text: Given::Value("a".into()),
        choices: Given::Value(vec![choice]),
        required: Given::Value(false),
        ..DraftQuestion::default()
    };
    let text = DraftQuestion {
        text: Given::Value("c".into()),
        kind: Given::Value(DraftKind::Text),
        required: Given::Value(false),
        ..DraftQuestion::default()
    };
    let draft = Draft { questions: Given::Value(vec![one, text]), ..Draft::default() };
    let sheet = Sheet::blank(Arc::new(draft.check(&Limits::FORM).unwrap()));
    let mut panel = Panel::new(sheet, around(Language::English));
    let keys = vec![Key::Enter, Key::Note, Key::Paste("，".into()), Key::Enter, Key::Enter];
    play(&mut panel, keys, (10, 5)).unwrap();
}
