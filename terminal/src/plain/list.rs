//! The questions as a list under their round, to the letter of the source document (003 2.10.2, P14).
//!
//! Also what a screen reader is given: there is no character in it that only draws.

use std::fmt::Write as _;

use askuser_core::question::{Kind, PreviewFormat};
use askuser_core::session::rounds_in_all;
use askuser_core::text::shown;
use askuser_words::plain::Plain as Words;

use super::super::Round;
use super::About;
use super::words::{self, inline, offered};
use crate::markdown::{self, Ink};

pub(super) const PROMPT: &str = "> ";
/// Before every line of the asker's that is not the first of the question or of a choice.
const INDENT: &str = "   ";

/// All of the question: why it is asked, what it would let run, what the choices mean. `place` is its round,
/// which of its questions it is, and how many there are.
pub(super) fn print(
    about: &About<'_>,
    title: Option<&str>,
    place: (Round, usize, usize),
    columns: usize,
) -> String {
    let question = about.question;
    let mut text = String::from("\n");
    if let Some(context) = about.context {
        drawn(&mut text, context, columns);
        text.push('\n');
    }
    if let Some(title) = title {
        line(&mut text, title);
    }
    if let Some(header) = &question.header {
        line(&mut text, &format!("[{}]", inline(header)));
    }
    hanging(&mut text, &format!("{}: {}", round(about, place), question.text));
    described(about, &mut text);
    choices(about, &mut text, columns);
    text.push('\n');
    text
}

/// `Round 1/3` as the source document has it, in every language; and which of its questions where it has several.
fn round(about: &About<'_>, (round, place, n_visible): (Round, usize, usize)) -> String {
    let Round { number, total } = round;
    let of = rounds_in_all(number, total).map_or_else(String::new, |total| format!("/{total}"));
    let several = if n_visible > 1 {
        format!(" ({})", words::question_of(place, n_visible, about.language).join(", "))
    } else {
        String::new()
    };
    format!("Round {number}{of}{several}")
}

fn described(about: &About<'_>, text: &mut String) {
    match (about.permission, &about.question.description) {
        (Some(permission), Some(_)) => {
            lines(text, "   > ", &permission.command);
            let folder = permission.folder.iter();
            folder.for_each(|folder| lines(text, INDENT, &words::folder(folder, about.language)));
            permission.rest.iter().for_each(|rest| lines(text, INDENT, rest));
        }
        (None, Some(description)) => lines(text, INDENT, description),
        (_, None) => {}
    }
}

fn choices(about: &About<'_>, text: &mut String, columns: usize) {
    let About { question, entry, language, .. } = *about;
    for (choice_idx, choice) in question.choices.iter().enumerate() {
        let about = choice.description.as_ref().map_or_else(String::new, |about| format!(" - {about}"));
        hanging(text, &format!("{}) {}{about}", choice_idx + 1, offered(question, choice, entry, language)));
        match choice.preview.as_ref().map(|preview| (preview.format, &preview.text)) {
            Some((PreviewFormat::Markdown, preview)) => drawn(text, preview, columns),
            Some((PreviewFormat::Html, preview)) => lines(text, INDENT, preview),
            None => {}
        }
        if let Some(running) = &choice.running {
            lines(text, "   → ", running);
        }
    }
    if question.takes_other() {
        line(text, &format!("0) {}", Words(language).other()));
    }
    if let Kind::SomeOf { .. } = question.kind {
        line(text, Words(language).several());
    }
    if question.kind == Kind::Text {
        let hint = question.free.as_ref().and_then(|free| free.placeholder.as_deref());
        lines(text, INDENT, hint.unwrap_or(Words(language).text_here()));
    }
    if let Some(typed) = entry.and_then(|entry| entry.text.as_deref()).filter(|_| !question.secret) {
        lines(text, INDENT, &Words(language).so_far(typed));
    }
}

/// Markdown of the asker's.
fn drawn(out: &mut String, text: &str, columns: usize) {
    let room = columns.saturating_sub(INDENT.len()).max(8);
    for row in markdown::lines(text.trim_matches('\n'), room, Ink::Spoken) {
        line(out, format!("{INDENT}{}", row.text()).trim_end());
    }
}

/// A text whose further lines stand under its first, so that none of them passes for a choice.
fn hanging(out: &mut String, text: &str) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    lines(out, "", first);
    lines(out, INDENT, rest);
}

/// A text of any number of lines, harmless.
fn lines(out: &mut String, indent: &str, text: &str) {
    for part in shown(text).lines() {
        line(out, &format!("{indent}{}", part.replace('\t', "    ")));
    }
}

fn line(out: &mut String, text: &str) {
    // Writing to a string does not fail.
    let _written = writeln!(out, "{text}");
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use askuser_core::asker::Purpose;
    use askuser_core::draft::{Draft, DraftChoice, DraftKind, DraftQuestion, Given};
    use askuser_core::limits::Limits;
    use askuser_core::question::{Preview, PreviewFormat};
    use askuser_core::sheet::Sheet;

    use super::super::super::Round;
    use super::super::{Next, Plain};

    fn choice(label: &str, description: &str) -> DraftChoice {
        let description =
            if description.is_empty() { Given::Missing } else { Given::Value(description.to_owned()) };
        DraftChoice { label: Given::Value(label.to_owned()), description, ..DraftChoice::default() }
    }

    fn listed(draft: DraftQuestion, purpose: Purpose, total: Option<u32>) -> Plain {
        let draft = Draft { questions: Given::Value(vec![draft]), ..Draft::default() };
        let sheet = Sheet::suggested(Arc::new(draft.check(&Limits::FOREIGN).unwrap()));
        Plain::new(sheet, purpose, None).as_list(Round { number: 2, total })
    }

    fn question(choices: Vec<DraftChoice>, kind: DraftKind) -> DraftQuestion {
        DraftQuestion {
            text: Given::Value("Which one?\n1) none of yours".to_owned()),
            kind: Given::Value(kind),
            choices: Given::Value(choices),
            ..DraftQuestion::default()
        }
    }

    /// Everything is there, and no line of the asker's passes for a choice.
    #[test]
    fn p14_a_list_shows_all_of_the_question_and_a_choice_is_only_what_is_numbered() {
        let preview = Preview { format: PreviewFormat::Markdown, text: "a\nb".to_owned() };
        let first = DraftChoice { preview: Some(preview), ..choice("One", "first\nof all") };
        let mut draft = question(vec![first, choice("Two (Recommended)", "")], DraftKind::OneOf);
        draft.header = Given::Value("Pick".to_owned());
        draft.description = Given::Value("2) not this".to_owned());
        let plain = listed(draft, Purpose::Decision, Some(3)).about(Some("> why".to_owned()), None);
        let expected = "
   > why

[Pick]
Round 2/3: Which one?
   1) none of yours
   2) not this
1) One - first
   of all
   a
   b
2) Two  ★ recommended
0) Other (custom input)

";
        assert_eq!(plain.question(), expected);
        assert_eq!(plain.prompt(), "> ");
    }

    #[test]
    fn t8_t9_a_list_takes_what_a_box_takes_and_a_permission_nothing_by_itself() {
        let two = || vec![choice("One", ""), choice("Two", "")];
        let some = DraftKind::SomeOf { min: None, max: None };
        let mut plain = listed(question(two(), some), Purpose::Decision, None);
        assert!(plain.question().contains("\nRound 2: Which one?\n"), "{}", plain.question());
        assert!(plain.question().contains("(several numbers may be given, e.g. 1,3)"));
        assert!(matches!(plain.line("1,2").next, Next::Sent(_)));
        let mut plain = listed(question(two(), DraftKind::OneOf), Purpose::Decision, Some(1));
        assert!(plain.question().contains("\nRound 2: "), "more than were announced: {}", plain.question());
        assert_eq!(plain.line("").say, "Nothing typed: took 1. One\n");
        let mut plain = listed(question(two(), DraftKind::OneOf), Purpose::Permission, None);
        assert_eq!(plain.line("").next, Next::Prompt);
        let mut plain = listed(question(two(), DraftKind::OneOf), Purpose::Decision, None);
        assert_eq!((plain.line("other").next, plain.prompt()), (Next::Prompt, "Enter your answer: "));
    }
}
