//! One question of the form, with whatever opens under its choices.

use askuser_core::entry::Entry;
use askuser_core::format::Format;
use askuser_core::question::{FreeText, Kind, Question};
use askuser_core::text::shown as harmless;
use maud::{Markup, html};

use super::{Open, before, choice, lines, permission};

/// Texts longer than this get a field of several lines.
const ONE_LINE_CHARS_MAX: usize = 120;

/// A question that is longer reads as text and not as a title.
const SHORT_CHARS_MAX: usize = 160;

/// Draws a question; `place` is which of how many it is, for those at the top.
pub(super) fn draw(open: &Open<'_>, question: &Question, place: Option<(usize, usize)>) -> Markup {
    let words = open.words;
    let entry = open.filled.entry(question);
    let fault = open.faults.at(question);
    let id = format!("q-{}", question.id);
    let described = format!("about-{id} fault-{id}");
    let after = question.depends_on.as_ref();
    let after_choice = after.and_then(|after| after.choice.as_ref()).map(|choice| choice.as_str().to_owned());
    html! {
        fieldset.question id=(id) data-question=(question.id.as_str()) data-kind=(kind(question))
            data-required=[question.required.then_some("true")]
            data-after=[after.map(|after| after.question.as_str())] data-after-choice=[after_choice]
            aria-describedby=(described) aria-invalid=[fault.map(|_| "true")] {
            legend {
                @if let Some(header) = question.header.as_deref() { span.chip { (harmless(header)) } " " }
                span.asked.long[question.text.chars().count() > SHORT_CHARS_MAX] { (lines(&question.text)) }
                @if !question.required { " " span.optional { (words.0.optional()) } }
            }
            @if let Some((place, all)) = place.filter(|(_, all)| *all > 1) {
                p.progress { (words.script().progress(place, all)) }
            }
            div id=(format!("about-{id}")) {
                @if let Some(command) = place.and_then(|_| permission::command(words, open.ask)) {
                    (command)
                } @else if let Some(description) = &question.description {
                    p.about { (lines(description)) }
                }
                @if let Some(hint) = words.0.picks(question) { p.hint { (hint) } }
                @if entry.suggested { p.hint.suggested { (words.card().suggested_why()) } }
                @if let Some(condition) = after { (only_if(open, condition)) }
            }
            (before::usual(words, open.recall, question, open.now))
            @if let Some(fault) = fault { p.fault id=(format!("fault-{id}")) role="alert" { (fault) } }
            (field(open, question, &entry))
            (note(open, question, &entry))
        }
    }
}

fn kind(question: &Question) -> &'static str {
    match question.kind {
        Kind::OneOf => "one",
        Kind::SomeOf { .. } => "some",
        Kind::Text => "text",
        Kind::YesNo => "yesno",
    }
}

/// Without the script the question is there all the same, and says when it counts (P19).
fn only_if(open: &Open<'_>, condition: &askuser_core::question::Condition) -> Markup {
    let Some(other) = open.ask.questions.find(&condition.question) else { return html! {} };
    let choice = condition.choice.as_ref().and_then(|id| other.choice(id));
    let said = match choice {
        Some(choice) => format!("{} → {}", other.title(), open.words.choice(other, choice)),
        None => other.title().to_owned(),
    };
    html! { p.hint.only-if { (open.words.card().only_if(harmless(&said))) } }
}

fn field(open: &Open<'_>, question: &Question, entry: &Entry) -> Markup {
    match (question.kind, &question.free) {
        (Kind::Text, Some(free)) => text(open, question, free, entry),
        _ => choice::list(open, question, entry),
    }
}

fn text(open: &Open<'_>, question: &Question, free: &FreeText, entry: &Entry) -> Markup {
    let name = format!("text:{}", question.id);
    let value = entry.text.as_deref().unwrap_or_default();
    let hint = free.placeholder.as_deref().map_or(open.words.card().write_answer().into(), harmless);
    let label = harmless(&question.text);
    if question.secret {
        return html! {
            input type="password" name=(name) data-secret autocomplete="off" spellcheck="false"
                maxlength=(free.chars_max) aria-label=(label) placeholder=(hint);
            p.hint { (open.words.card().secret()) }
        };
    }
    let Some((kind, mode)) = one_line(free) else {
        return html! {
            textarea name=(name) rows="4" maxlength=(free.chars_max) aria-label=(label) placeholder=(hint) { (value) }
        };
    };
    html! {
        input type=(kind) inputmode=[mode] name=(name) value=(value) maxlength=(free.chars_max)
            aria-label=(label) placeholder=(hint);
    }
}

/// The kind of a field of one line, and its keyboard on a phone; none where several lines may come.
/// Numbers stay text: a browser's number field throws away what it does not take.
fn one_line(free: &FreeText) -> Option<(&'static str, Option<&'static str>)> {
    match free.format {
        Format::Any if free.chars_max > ONE_LINE_CHARS_MAX => None,
        Format::Any | Format::DateTime => Some(("text", None)),
        Format::Integer { min, .. } => {
            Some(("text", Some(if min.is_some_and(|min| min >= 0.0) { "numeric" } else { "text" })))
        }
        Format::Number { .. } => Some(("text", Some("decimal"))),
        Format::Email => Some(("text", Some("email"))),
        Format::Uri => Some(("text", Some("url"))),
        Format::Date => Some(("date", None)),
    }
}

fn note(open: &Open<'_>, question: &Question, entry: &Entry) -> Markup {
    if question.secret {
        return html! {};
    }
    let given = entry.note.as_deref().unwrap_or_default();
    html! {
        details.note-field open[!given.is_empty()] {
            summary { (open.words.card().add_note()) }
            textarea name=(format!("note:{}", question.id)) rows="2" maxlength="1000"
                aria-label=(open.words.card().note()) { (given) }
        }
    }
}
