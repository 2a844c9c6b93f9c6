//! Asks told in full: what was asked, every choice, what was picked, by whom it ended.

use askuser_core::question::{Kind, Question};
use askuser_core::sheet::Visible;
use askuser_words::inbox::Inbox as Words;

use super::{body, indented};
use crate::draw::body::Body;
use crate::inbox::Inbox;
use crate::inbox::item::{Item, ItemState};
use crate::line::{Line, Role};
use crate::summary::label;

/// Tells asks one after the other.
pub(super) fn asks(inbox: &Inbox, items: &[&Item], width: usize) -> Vec<Line> {
    let mut body = body(width);
    for (idx, item) in items.iter().enumerate() {
        if idx > 0 {
            body.blank();
            body.lines.push(Line::of("─".repeat(body.columns), Role::Secondary));
        }
        ask(inbox, item, &mut body);
    }
    indented(body.lines)
}

fn ask(inbox: &Inbox, item: &Item, body: &mut Body) {
    let language = inbox.language;
    let when = language.age(inbox.now.since(item.asked_at));
    let head = [language.round(item.round, None), item.asker_line(language), when].join(" · ");
    body.text(0, &head, Role::Secondary);
    if let Some(people) = &item.people {
        body.text(0, people, Role::Secondary);
    }
    if let Some(context) = &item.context {
        body.text(0, context.trim(), Role::Plain);
    }
    for visible in item.sheet.visible() {
        body.blank();
        question(inbox, item, &visible, body);
    }
    body.blank();
    match &item.standing {
        ItemState::Ended { how, answered, .. } => {
            let (mark, role) = match (*answered, item.disagreed) {
                (true, _) => ("✓ ", Role::Good),
                (false, true) => ("≠ ", Role::Accent),
                (false, false) => ("✗ ", Role::Bad),
            };
            body.hang(&Line::of(mark, role), how, role);
        }
        ItemState::Waiting | ItemState::InLine | ItemState::Sending | ItemState::Held { .. } => {
            body.hang(&Line::of("… ", Role::Accent), Words(language).still_waiting(), Role::Accent);
        }
    }
}

fn question(inbox: &Inbox, item: &Item, visible: &Visible<'_>, body: &mut Body) {
    let question: &Question = visible.question;
    let words = inbox.language.words();
    let indent = body.indent(visible.depth * 2);
    let is_over = matches!(item.standing, ItemState::Ended { .. });
    if let Some(header) = &question.header {
        body.text(indent, header, Role::Accent);
    }
    body.text(indent, &question.text, Role::Strong);
    let entry = item.sheet.entry(&question.id).filter(|entry| !entry.suggested);
    for choice in &question.choices {
        let picked = entry.is_some_and(|entry| entry.picked.contains(&choice.id));
        let (mark, role) = if picked { ("● ", Role::Good) } else { ("○ ", Role::Secondary) };
        let prefix = Line::of(" ".repeat(indent + 2), Role::Plain).and(mark, role);
        let text_role = if picked { Role::Plain } else { Role::Secondary };
        body.hang(&prefix, &label(question, &choice.id, words), text_role);
    }
    match entry.and_then(|entry| entry.text.as_deref()) {
        Some(text) => {
            let other = if question.kind == Kind::Text { "" } else { words.other_is() };
            let prefix = Line::of(" ".repeat(indent + 2), Role::Plain).and("● ", Role::Good);
            body.hang(&prefix, &format!("{other}{text}"), Role::Plain);
        }
        // People who did not agree have answered it; what each said stands below.
        None if is_over && !item.disagreed && entry.is_none_or(|entry| entry.picked.is_empty()) => {
            body.text(indent + 2, words.not_answered(), Role::Secondary);
        }
        None => {}
    }
    if let Some(note) = entry.and_then(|entry| entry.note.as_deref()) {
        let prefix = Line::of(" ".repeat(indent + 2), Role::Plain).and("✎ ", Role::Accent);
        body.hang(&prefix, note, Role::Secondary);
    }
}

/// Says that somebody else was first.
pub(super) fn lost(inbox: &Inbox, title: &str, how: &str, width: usize) -> Vec<Line> {
    let mut body = body(width.min(super::TOLD_COLUMNS_MAX));
    body.lines.push(Line::default());
    body.text(0, title, Role::Strong);
    body.lines.push(Line::default());
    body.hang(&Line::of("• ", Role::Accent), how, Role::Accent);
    body.lines.push(Line::default());
    body.text(0, Words(inbox.language).unsent(), Role::Plain);
    indented(body.lines)
}
