//! What line mode says. The texts of the source document are kept to the letter (T7).

use std::fmt::Write;

use askuser_core::entry::Entry;
use askuser_core::problem::Fault;
use askuser_core::question::{Kind, Question};
use askuser_core::text::shown;

use crate::wire::permission::Permission;

pub(super) const ENTER_NUMBER: &str = "Enter number or 0 for custom: ";
pub(super) const ENTER_NUMBERS: &str = "Enter numbers (e.g., 1,3) or 0 for custom: ";
pub(super) const ENTER_NUMBER_ONLY: &str = "Enter number: ";
pub(super) const ENTER_NUMBERS_ONLY: &str = "Enter numbers (e.g., 1,3): ";
pub(super) const ENTER_ANSWER: &str = "Enter your answer: ";
pub(super) const EMPTY_TEXT: &str = "Nothing typed. Type your answer, or leave it empty again to go back.\n";
pub(super) const BACK_TO_CHOICES: &str = "Nothing typed: back to the choices.\n";
pub(super) const FIRST_ALREADY: &str = "This is the first question.\n";
pub(super) const SKIPPED: &str = "Skipped.\n";
pub(super) const HELP: &str = "\
1, 2, …         pick a choice (1,3 picks several where that is asked)
0 or other      type an answer of your own
/back           go back to the previous question
/note TEXT      put a note beside the answer
/cancel WHY     decline to answer
";

const TOP: &str = "─────────────────────────────────────┐";
const BOTTOM: &str = "└─────────────────────────────────────────────────┘";

/// What stands above the box.
pub(super) fn heading(title: Option<&str>, place: usize, n_visible: usize) -> String {
    let heading = [
        title.map(ToOwned::to_owned),
        (n_visible > 1).then(|| format!("question {place} of {n_visible} · /help for more")),
    ];
    let heading: Vec<String> = heading.into_iter().flatten().collect();
    if heading.is_empty() { String::new() } else { format!("\n{}\n", heading.join(" · ")) }
}

/// The question in its box, all of it: why it is asked, what it would let run, what the choices mean.
pub(super) fn question(
    question: &Question,
    context: Option<&str>,
    permission: Option<&Permission>,
    entry: Option<&Entry>,
) -> String {
    let mut text = String::new();
    line(&mut text, &format!("\n┌─ {} {TOP}", inline(question.header.as_deref().unwrap_or("Question"))));
    if let Some(context) = context {
        inside(&mut text, "", context.trim());
        line(&mut text, "│");
    }
    inside(&mut text, "", &question.text);
    match (permission, &question.description) {
        (Some(permission), Some(_)) => {
            inside(&mut text, "  > ", &permission.command);
            permission.folder.iter().for_each(|folder| inside(&mut text, "", &format!("Folder: {folder}")));
            permission.rest.iter().for_each(|rest| inside(&mut text, "", rest));
        }
        (None, Some(description)) => inside(&mut text, "", description),
        (_, None) => {}
    }
    line(&mut text, "│");
    for (choice_idx, choice) in question.choices.iter().enumerate() {
        let picked = entry.is_some_and(|entry| entry.picked.contains(&choice.id));
        let suggested = entry.is_some_and(|entry| entry.suggested);
        let mark = match (picked, suggested) {
            (true, true) => "  [suggested]",
            (true, false) => "  [picked]",
            (false, _) => "",
        };
        let star = if choice.recommended { "  ★ recommended" } else { "" };
        let label = inline(choice.shown_label());
        line(&mut text, &format!("│  {}. {label}{star}{mark}", choice_idx + 1));
        if let Some(description) = &choice.description {
            inside(&mut text, "    ", description);
        }
        if let Some(preview) = &choice.preview {
            inside(&mut text, "    | ", &preview.text);
        }
    }
    if question.takes_other() {
        line(&mut text, "│  0. Other (custom input)");
    }
    if question.kind == Kind::Text {
        let hint = question.free.as_ref().and_then(|free| free.placeholder.as_deref());
        inside(&mut text, "", hint.unwrap_or("(text)"));
    }
    if let Some(typed) = entry.and_then(|entry| entry.text.as_deref()).filter(|_| !question.secret) {
        inside(&mut text, "", &format!("so far: {typed}"));
    }
    line(&mut text, BOTTOM);
    text
}

pub(super) fn took_first(typed: &str, label: &str) -> String {
    let typed = inline(typed);
    if typed.is_empty() {
        format!("Nothing typed: took 1. {}\n", inline(label))
    } else {
        format!("{typed} is not a choice: took 1. {}\n", inline(label))
    }
}

pub(super) fn not_a_choice(typed: &str) -> String {
    if typed.is_empty() {
        "Nothing typed.\n".to_owned()
    } else {
        format!("{} is not a choice.\n", inline(typed))
    }
}

pub(super) fn left_out(invalid: &[String]) -> String {
    let verb = if invalid.len() == 1 { "is not a choice" } else { "are not choices" };
    format!("{} {verb}: left out.\n", inline(&invalid.join(", ")))
}

pub(super) fn note_kept(note: &str) -> String {
    format!("Note: {}\n", inline(note))
}

pub(super) fn fault(fault: &Fault) -> String {
    format!("That {fault}.\n")
}

/// A text on one line, harmless.
fn inline(text: &str) -> String {
    shown(text).replace(['\n', '\t'], " ")
}

/// A text of any number of lines within the box.
fn inside(out: &mut String, indent: &str, text: &str) {
    for part in shown(text).lines() {
        line(out, &format!("│ {indent}{}", part.replace('\t', "    ")));
    }
}

fn line(out: &mut String, text: &str) {
    // Writing to a string does not fail.
    let _written = writeln!(out, "{text}");
}
