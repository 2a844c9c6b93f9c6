//! The choices of a question: buttons to pick, "Other" with its text, previews, and what opens under
//! each choice.

use askuser_core::entry::Entry;
use askuser_core::question::{Choice, Kind, PreviewFormat, Question};
use askuser_net::url::escaped;
use maud::{Markup, html};

use super::{Open, lines, question};
use crate::markdown;

/// Draws the choices.
pub(super) fn list(open: &Open<'_>, question: &Question, entry: &Entry) -> Markup {
    let previews = question.choices.iter().any(|choice| choice.preview.is_some());
    html! {
        div.choices.with-previews[previews].pair[question.kind == Kind::YesNo] {
            @for (place, choice) in question.choices.iter().enumerate() {
                (draw(open, question, choice, place + 1, entry))
            }
            @if question.takes_other() { (other(open, question, entry)) }
        }
    }
}

fn draw(open: &Open<'_>, question: &Question, choice: &Choice, number: usize, entry: &Entry) -> Markup {
    let words = open.words;
    let picked = entry.picked.contains(&choice.id);
    let kind = if is_several(question) { "checkbox" } else { "radio" };
    html! {
        div.choice {
            label.opt {
                input type=(kind) name=(format!("pick:{}", question.id)) value=(choice.id.as_str()) checked[picked];
                span.what { (words.choice(question, choice))
                    @if let Some(description) = &choice.description { small { (lines(description)) } }
                    @if let Some(running) = &choice.running { small { "→ " (lines(running)) } } }
                span.marks {
                    @if choice.recommended { span.rec { (words.card().recommended()) } }
                    @if choice.default { span.rec.suggested { (words.card().suggested()) } }
                    @if number <= 9 { kbd { (number) } }
                }
            }
            (preview(open, question, choice))
            @if !choice.follow_ups.is_empty() {
                div.follow {
                    @for follow_up in choice.follow_ups.iter().filter(|follow_up| follow_up.collected.is_none()) {
                        (question::draw(open, follow_up, None))
                    }
                }
            }
        }
    }
}

fn other(open: &Open<'_>, question: &Question, entry: &Entry) -> Markup {
    let words = open.words;
    let typed = entry.text.as_deref().unwrap_or_default();
    let written = !typed.is_empty();
    let max = question.free.as_ref().map(|free| free.chars_max);
    html! {
        div.choice.other {
            label.opt {
                @if is_several(question) {
                    input type="checkbox" name=(format!("own:{}", question.id)) value="on" checked[written];
                } @else {
                    input type="radio" name=(format!("pick:{}", question.id)) value="" checked[written];
                }
                span.what { (words.card().other()) }
                span.marks { kbd { "0" } }
            }
            textarea name=(format!("other:{}", question.id)) rows="1" maxlength=[max]
                aria-label=(words.card().other_answer()) placeholder=(words.card().write_answer()) { (typed) }
        }
    }
}

fn preview(open: &Open<'_>, question: &Question, choice: &Choice) -> Markup {
    let Some(preview) = &choice.preview else { return html! {} };
    html! {
        details.preview open {
            summary { (open.words.card().preview()) }
            @match preview.format {
                PreviewFormat::Markdown => div.markdown { (markdown::draw(&preview.text)) },
                PreviewFormat::Html => {
                    // Ids are whatever the asker chose: as parts of a path they are encoded.
                    iframe sandbox="" loading="lazy" title=(open.words.card().preview())
                        src=(format!("{}/preview/{}/{}", open.path(), escaped(question.id.as_str()), escaped(choice.id.as_str()))) {}
                },
            }
        }
    }
}

fn is_several(question: &Question) -> bool {
    matches!(question.kind, Kind::SomeOf { .. })
}
