//! What line mode says, as whole lines.

use askuser_core::entry::Entry;
use askuser_core::problem::Fault;
use askuser_core::question::{Choice, Question};
use askuser_core::text::shown;
use askuser_words::Language;
use askuser_words::fault::fault as say_fault;
use askuser_words::plain::{Plain, PlainHelp};

use crate::summary::label;
use crate::width::width;

pub(super) fn enter_number(several: bool, has_other: bool, language: Language) -> &'static str {
    let said = Plain(language);
    match (several, has_other) {
        (false, true) => said.number_or_own(),
        (true, true) => said.numbers_or_own(),
        (false, false) => said.number(),
        (true, false) => said.numbers(),
    }
}

/// What can be typed, a line each.
pub(super) fn help(language: Language) -> String {
    let said = PlainHelp(language);
    let rows = [
        (said.pick_keys(), said.pick()),
        (said.other_keys(), said.other()),
        ("/back", said.back()),
        (said.note_keys(), said.note()),
        (said.cancel_keys(), said.cancel()),
    ];
    let row = |(keys, what): (&str, &str)| format!("{keys}{}{what}\n", " ".repeat(16 - width(keys).min(15)));
    rows.map(row).concat()
}

pub(super) fn folder(folder: &str, language: Language) -> String {
    let words = language.words();
    format!("{}{}{folder}", words.folder(), words.colon())
}

/// Which question it is of how many, and how to learn more.
pub(super) fn question_of(place: usize, n_visible: usize, language: Language) -> [String; 2] {
    [language.words().question_of(place, n_visible), Plain(language).help().to_owned()]
}

/// What stands above the box.
pub(super) fn heading(title: Option<&str>, place: usize, n_visible: usize, language: Language) -> String {
    let place = (n_visible > 1).then(|| question_of(place, n_visible, language).join(" · "));
    let heading: Vec<String> = title.map(ToOwned::to_owned).into_iter().chain(place).collect();
    if heading.is_empty() { String::new() } else { format!("\n{}\n", heading.join(" · ")) }
}

/// A choice's label with what is to be said of it.
pub(super) fn offered(
    question: &Question,
    choice: &Choice,
    entry: Option<&Entry>,
    language: Language,
) -> String {
    let picked = entry.is_some_and(|entry| entry.picked.contains(&choice.id));
    let suggested = entry.is_some_and(|entry| entry.suggested);
    let mark = match (picked, suggested) {
        (true, true) => Plain(language).suggested(),
        (true, false) => Plain(language).picked(),
        (false, _) => "",
    };
    let words = language.words();
    let star = if choice.recommended { format!("  {}", words.recommended()) } else { String::new() };
    format!("{}{star}{mark}", inline(&label(question, &choice.id, words)))
}

pub(super) fn took_first(typed: &str, label: &str, language: Language) -> String {
    let (typed, label, said) = (inline(typed), inline(label), Plain(language));
    line(&if typed.is_empty() { said.nothing_took_first(label) } else { said.took_first(typed, label) })
}

pub(super) fn not_a_choice(typed: &str, language: Language) -> String {
    let (typed, said) = (inline(typed), Plain(language));
    line(&if typed.is_empty() { said.nothing_typed().to_owned() } else { said.not_a_choice(typed) })
}

pub(super) fn left_out(invalid: &[String], language: Language) -> String {
    let typed = inline(&invalid.join(language.words().comma()));
    line(&Plain(language).left_out(invalid.len(), typed))
}

pub(super) fn note_kept(note: &str, language: Language) -> String {
    let words = language.words();
    line(&format!("{}{}{}", words.note(), words.colon(), inline(note)))
}

/// What is wrong with what was typed.
pub(super) fn fault(fault: &Fault, language: Language) -> String {
    line(&match language {
        Language::English => format!("That {}.", say_fault(fault, language)),
        Language::Chinese => language.unfit(fault),
    })
}

/// A text as a line.
pub(super) fn line(text: &str) -> String {
    format!("{text}\n")
}

/// A text on one line, harmless.
pub fn inline(text: &str) -> String {
    shown(text).replace(['\n', '\t'], " ")
}
