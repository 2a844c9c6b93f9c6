//! A page: a question, its choices, the follow-ups open under them, and a preview.

use askuser_core::question::{Choice, Kind, PreviewFormat, Question};

use super::body::Body;
use super::field::Field;
use crate::line::{Line, Role};
use crate::page::{Node, Spot, page_of, pages};
use crate::panel::{Mode, Panel};
use crate::preview;
use crate::summary::label;
use askuser_core::limits::NOTE_CHARS_MAX;
use askuser_wire::permission::Permission;

/// Whether the question under the cursor has previews to show.
pub(super) fn has_previews(panel: &Panel) -> bool {
    let asking = matches!(panel.mode, Mode::Choosing | Mode::Typing(_) | Mode::Noting(_));
    let question = panel.question().filter(|_| asking);
    question.is_some_and(|question| {
        let mut choices = question.choices.iter();
        choices.any(|choice| choice.preview.is_some())
    })
}

/// Draws the page of the question under the cursor.
pub(super) fn page(panel: &Panel, beside: bool, body: &mut Body) {
    above(panel, body);
    body.blank();
    let pages = pages(&panel.sheet);
    let Some(page) = page_of(&pages, &panel.place.question).and_then(|idx| pages.get(idx)) else {
        return;
    };
    let chosen = chosen(panel);
    if beside {
        let columns = body.columns * 9 / 20;
        let mut left = Body::new(columns);
        nodes(panel, page, &mut left);
        let mut right = Body::new(body.columns - columns - 3);
        preview_of(panel, chosen, &mut right);
        side_by_side(body, left, right);
    } else {
        nodes(panel, page, body);
        if chosen.is_some_and(|(_, choice)| choice.preview.is_some()) {
            body.blank();
            preview_of(panel, chosen, body);
        }
    }
}

/// Draws what stands above the questions: who asks, what will become of it, and why it is asked.
pub(super) fn above(panel: &Panel, body: &mut Body) {
    body.asker(panel);
    if panel.around.waits {
        body.text(0, panel.around.language.words().waits(), Role::Accent);
    }
    if let Some(line) = &panel.around.being_answered {
        body.text(0, line, Role::Accent);
    }
    if let Some(context) = &panel.around.context {
        body.markdown(context.trim_matches('\n'));
    }
}

fn nodes(panel: &Panel, page: &[Node<'_>], body: &mut Body) {
    for (idx, node) in page.iter().enumerate() {
        if idx > 0 {
            body.blank();
        }
        let question = node.question;
        body.asked(0, &question.text, Role::Strong);
        about(panel, question, 0, body);
        body.blank();
        answers(panel, node, 0, body);
    }
}

fn about(panel: &Panel, question: &Question, indent: usize, body: &mut Body) {
    match (&panel.around.permission, &question.description) {
        (Some(permission), Some(_)) => permitted(panel, permission, body),
        (None, Some(description)) => body.asked(indent, description, Role::Secondary),
        (_, None) => {}
    }
    if let Some(hint) = panel.around.language.hint(question) {
        body.text(indent, &panel.around.language.words().in_brackets(hint), Role::Secondary);
    }
}

/// Draws what a permission would let run: the command as it is, its folder, and what else is said of it.
fn permitted(panel: &Panel, permission: &Permission, body: &mut Body) {
    body.blank();
    body.block(&permission.command, Role::Plain);
    if let Some(folder) = &permission.folder {
        let words = panel.around.language.words();
        body.asked(0, &format!("{}{}{folder}", words.folder(), words.colon()), Role::Secondary);
    }
    if let Some(rest) = &permission.rest {
        body.asked(0, rest, Role::Secondary);
    }
}

fn follow_up(panel: &Panel, node: &Node<'_>, indent: usize, body: &mut Body) {
    let indent = body.indent(indent);
    let mut prefix = Line::of(" ".repeat(indent), Role::Plain);
    prefix.push("└ ", Role::Secondary);
    if let Some(header) = &node.question.header {
        // That of the question at the top is the title.
        body.hang_asked(&prefix, header, Role::Secondary);
        prefix = Line::of(" ".repeat(indent + 2), Role::Plain);
    }
    body.hang_asked(&prefix, &node.question.text, Role::Strong);
    about(panel, node.question, indent + 2, body);
    answers(panel, node, indent + 2, body);
}

fn answers(panel: &Panel, node: &Node<'_>, indent: usize, body: &mut Body) {
    let question = node.question;
    for (choice_idx, (choice, below)) in question.choices.iter().zip(&node.below).enumerate() {
        let indent = body.indent(indent);
        let text_at = choice_row(panel, question, choice_idx, choice, indent, body);
        for node in below {
            follow_up(panel, node, text_at, body);
        }
    }
    let indent = body.indent(indent);
    if question.kind == Kind::Text {
        field_row(panel, question, indent, body);
    } else if question.takes_other() {
        other_row(panel, question, indent, body);
    }
    note_row(panel, question, indent, body);
}

/// Draws a choice and returns the column at which its label begins.
fn choice_row(
    panel: &Panel,
    question: &Question,
    choice_idx: usize,
    choice: &Choice,
    indent: usize,
    body: &mut Body,
) -> usize {
    let words = panel.around.language.words();
    let entry = panel.sheet.entry(&question.id);
    let picked = entry.is_some_and(|entry| entry.picked.contains(&choice.id));
    let spot = Spot::Choice(choice_idx);
    let number = (choice_idx < 9).then_some(choice_idx + 1);
    let first = body.lines.len();
    let prefix = prefix(panel, question, spot, number, picked, indent, body);
    let at = prefix.width();
    let here = is_here(panel, question, spot);
    let role = if here { Role::Accent } else { Role::Plain };
    body.hang_asked(&prefix, &label(question, &choice.id, words), role);
    let mut tags = Vec::new();
    if choice.default {
        tags.push(words.suggested());
    }
    if choice.recommended {
        tags.push(words.recommended());
    }
    if !tags.is_empty() {
        body.tag(at, &tags.join(" · "), Role::Good);
    }
    if let Some(description) = &choice.description {
        body.asked(at, description, Role::Secondary);
    }
    if let Some(running) = &choice.running {
        body.asked(at, &format!("→ {running}"), Role::Secondary);
    }
    if here {
        body.focus = Some(first..body.lines.len());
    }
    at
}

fn other_row(panel: &Panel, question: &Question, indent: usize, body: &mut Body) {
    let words = panel.around.language.words();
    let entry = panel.sheet.entry(&question.id);
    let text = entry.and_then(|entry| entry.text.as_deref());
    let first = body.lines.len();
    let spot = Spot::Other;
    let prefix = prefix(panel, question, spot, Some(0), text.is_some(), indent, body);
    let here = is_here(panel, question, spot);
    let role = if here { Role::Accent } else { Role::Plain };
    let typing = match &panel.mode {
        Mode::Typing(editor) if here => Some(editor),
        _ => None,
    };
    match (typing, text) {
        (None, Some(text)) if question.secret => {
            let hidden = "•".repeat(text.chars().count().min(6));
            body.hang(&prefix, &format!("{}{hidden}", words.other_is()), role);
        }
        (None, Some(text)) => body.hang(&prefix, &format!("{}{text}", words.other_is()), role),
        _ => body.hang(&prefix, words.other(), role),
    }
    if let Some(editor) = typing {
        let lead = Line::of(" ".repeat(prefix.width()), Role::Plain);
        field(panel, question).active(body, &lead, editor);
    }
    if here {
        body.focus = Some(first..body.lines.len());
    }
}

fn field_row(panel: &Panel, question: &Question, indent: usize, body: &mut Body) {
    let words = panel.around.language.words();
    let first = body.lines.len();
    let here = is_here(panel, question, Spot::Field);
    let mut prefix = Line::of(" ".repeat(indent), Role::Plain);
    prefix.push(if here { "❯ " } else { "  " }, Role::Accent);
    let entry = panel.sheet.entry(&question.id);
    let text = entry.and_then(|entry| entry.text.as_deref()).unwrap_or("");
    let field = field(panel, question);
    match &panel.mode {
        Mode::Typing(editor) if here => field.active(body, &prefix, editor),
        _ => field.idle(body, &prefix, text),
    }
    if entry.is_some_and(|entry| entry.suggested) {
        body.text(prefix.width(), words.suggested(), Role::Good);
    }
    if here {
        body.focus = Some(first..body.lines.len());
    }
}

fn note_row(panel: &Panel, question: &Question, indent: usize, body: &mut Body) {
    let words = panel.around.language.words();
    let entry = panel.sheet.entry(&question.id);
    let note = entry.and_then(|entry| entry.note.as_deref());
    let mut prefix = Line::of(" ".repeat(indent), Role::Plain);
    prefix.push("✎ ", Role::Accent);
    prefix.push(format!("{}{}", words.note(), words.colon()), Role::Secondary);
    if prefix.width() + 10 > body.columns {
        prefix = Line::of("✎ ", Role::Accent);
    }
    let first = body.lines.len();
    match &panel.mode {
        Mode::Noting(editor) if panel.place.question == question.id => {
            let field = Field { placeholder: "", chars_max: NOTE_CHARS_MAX, secret: false };
            body.blank();
            field.active(body, &prefix, editor);
            body.focus = Some(first..body.lines.len());
        }
        _ => {
            if let Some(note) = note {
                body.blank();
                body.hang(&prefix, note, Role::Plain);
            }
        }
    }
}

/// Returns what stands before a label: the cursor, the number, the mark. Numbers stand only where
/// they work: at the question under the cursor.
fn prefix(
    panel: &Panel,
    question: &Question,
    spot: Spot,
    number: Option<usize>,
    picked: bool,
    indent: usize,
    body: &Body,
) -> Line {
    let several = matches!(question.kind, Kind::SomeOf { .. });
    let narrow = body.is_narrow(indent);
    let mark = match (several, narrow, picked) {
        (false, _, true) => "●",
        (false, _, false) => "○",
        (true, true, true) => "■",
        (true, true, false) => "□",
        (true, false, true) => "[x]",
        (true, false, false) => "[ ]",
    };
    let here = is_here(panel, question, spot);
    let suggested = panel.sheet.entry(&question.id).is_some_and(|entry| entry.suggested);
    let role = match (picked, suggested) {
        (true, false) => Role::Good,
        (false, _) if here => Role::Accent,
        (true, true) | (false, _) => Role::Secondary,
    };
    let mut line = Line::of(" ".repeat(indent), Role::Plain);
    line.push(if here { "❯" } else { " " }, Role::Accent);
    if !narrow {
        let active = panel.place.question == question.id;
        let number = number.filter(|_| active);
        let number = number.map_or_else(|| "  ".to_owned(), |number| format!(" {number}"));
        line.push(format!("{number} "), Role::Secondary);
    }
    line.push(mark, role);
    line.push(" ", Role::Plain);
    line
}

fn is_here(panel: &Panel, question: &Question, spot: Spot) -> bool {
    let noting = matches!(panel.mode, Mode::Noting(_));
    panel.place.question == question.id && panel.place.spot == spot && !noting
}

fn field<'a>(panel: &Panel, question: &'a Question) -> Field<'a> {
    let free = question.free.as_ref();
    let placeholder = free.and_then(|free| free.placeholder.as_deref());
    Field {
        placeholder: placeholder.unwrap_or(panel.around.language.words().type_here()),
        chars_max: free.map_or(usize::MAX / 8, |free| free.chars_max),
        secret: question.secret,
    }
}

fn chosen(panel: &Panel) -> Option<(&Question, &Choice)> {
    let question = panel.question()?;
    match panel.place.spot {
        Spot::Choice(choice_idx) => Some((question, question.choices.get(choice_idx)?)),
        Spot::Other | Spot::Field => None,
    }
}

fn preview_of(panel: &Panel, chosen: Option<(&Question, &Choice)>, body: &mut Body) {
    let words = panel.around.language.words();
    let Some((question, choice)) = chosen else {
        return;
    };
    let Some(preview) = &choice.preview else {
        return;
    };
    let title = format!("{}{}{}", words.preview(), words.colon(), label(question, &choice.id, words));
    body.text(0, &title, Role::Accent);
    body.lines.push(Line::of("─".repeat(body.columns), Role::Secondary));
    match preview.format {
        PreviewFormat::Markdown => body.markdown(&preview.text),
        PreviewFormat::Html => body.asked(0, &preview::html_text(&preview.text), Role::Plain),
    }
}

/// Puts the choices and a preview beside each other.
fn side_by_side(body: &mut Body, left: Body, right: Body) {
    let offset = body.lines.len();
    body.focus = left.focus.map(|focus| focus.start + offset..focus.end + offset);
    body.caret = left.caret.map(|(row, column)| (row + offset, column));
    let asked = left.asked.into_iter().chain(right.asked);
    body.asked.extend(asked.map(|(line_idx, row)| (line_idx + offset, row)));
    let divider = left.columns + 1;
    let has_right = !right.lines.is_empty();
    let n_lines = left.lines.len().max(right.lines.len());
    let mut lefts = left.lines.into_iter();
    let mut rights = right.lines.into_iter();
    for _ in 0..n_lines {
        let mut line = lefts.next().unwrap_or_default();
        if has_right {
            line.push_at(divider, "│", Role::Secondary);
            line.append_at(divider + 2, rights.next().unwrap_or_default());
        }
        body.lines.push(line);
    }
}
