//! What stays on the screen when the prompt is gone: one line per answer, or how else it ended.

use askuser_core::id::ChoiceId;
use askuser_core::question::{Kind, NO, Question, YES};
use askuser_core::sheet::Sheet;
use askuser_core::text::shown;
use askuser_words::Language;
use askuser_words::panel::Panel as Words;

use super::line::{Line, Role};
use super::wrap::wrap;

/// What a secret looks like.
const HIDDEN: &str = "••••••";

/// Returns the answers for good, each with its title: `✓ Auth method: OAuth 2.0`.
pub fn sent(sheet: &Sheet, language: Language, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for visible in sheet.visible() {
        let question = visible.question;
        let indent = "  ".repeat(visible.depth.min(4));
        let (mark, role) =
            if is_answered(sheet, question) { ("✓ ", Role::Good) } else { ("– ", Role::Secondary) };
        let prefix = Line::of(indent, Role::Plain).and(mark, role);
        let text = titled(sheet, question, language);
        hang(&mut lines, &prefix, &text, columns, Role::Plain);
    }
    lines
}

/// Returns a line about how else it ended.
pub fn ended(mark: &str, role: Role, text: &str, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let prefix = Line::of(format!("{mark} "), role);
    hang(&mut lines, &prefix, text, columns, Role::Plain);
    lines
}

/// Returns a question's title and answer as one text.
pub fn titled(sheet: &Sheet, question: &Question, language: Language) -> String {
    let words = language.words();
    let title = shown(question.title()).replace('\n', " ");
    let answer = answer(sheet, question, words);
    let between = if title.ends_with(['?', '？', ':', '：']) { " " } else { words.colon() };
    format!("{title}{between}{answer}")
}

/// Whether something is put down for a question.
pub fn is_answered(sheet: &Sheet, question: &Question) -> bool {
    sheet.entry(&question.id).is_some_and(|entry| !entry.is_empty())
}

/// Returns the label of a choice as it is shown.
pub fn label(question: &Question, id: &ChoiceId, words: Words) -> String {
    if question.kind == Kind::YesNo {
        match id.as_str() {
            YES => return words.yes().to_owned(),
            NO => return words.no().to_owned(),
            _ => {}
        }
    }
    let choice = question.choice(id);
    shown(choice.map_or("", |choice| choice.shown_label())).into_owned()
}

/// Returns the answer to a question as one text.
pub fn answer(sheet: &Sheet, question: &Question, words: Words) -> String {
    let Some(entry) = sheet.entry(&question.id).filter(|entry| !entry.is_empty()) else {
        return words.not_answered().to_owned();
    };
    if question.secret {
        return HIDDEN.to_owned();
    }
    let mut parts: Vec<String> = entry.picked.iter().map(|id| label(question, id, words)).collect();
    if let Some(text) = &entry.text {
        let text = shown(text);
        parts.push(if question.kind == Kind::Text {
            text.into_owned()
        } else {
            format!("{}{text}", words.other_is())
        });
    }
    parts.join(words.comma())
}

/// Adds a text behind a prefix, its further rows below its first.
fn hang(lines: &mut Vec<Line>, prefix: &Line, text: &str, columns: usize, role: Role) {
    let start = prefix.width();
    for (idx, row) in wrap(text, columns.saturating_sub(start).max(3)).into_iter().enumerate() {
        let mut line = if idx == 0 { prefix.clone() } else { Line::of(" ".repeat(start), Role::Plain) };
        line.push(row, role);
        lines.push(line);
    }
}
