//! The card of an ask that ended: how, by whom, where, and what was asked and chosen (O7, P18).

use askuser_core::answer::Answer;
use askuser_core::ask::Ask;
use askuser_core::outcome::{AnsweredBy, Channel, Ending, Outcome};
use askuser_core::question::{Question, Questions};
use askuser_core::sheet::Sheet;
use askuser_core::text::shown as harmless;
use askuser_core::time::Timestamp;
use maud::{Markup, html};

use super::lines;
use crate::channel::web::form::Entries;
use crate::channel::web::inbox::whence;
use crate::channel::web::when;
use crate::channel::web::words::{Words, fill};
use crate::wire::outcome::hidden;

/// Draws the card; `lost` is what a person wrote who was too late.
pub(in crate::channel::web) fn draw(
    words: &Words,
    ask: &Ask,
    outcome: &Outcome,
    lost: Option<&Entries>,
    now: Timestamp,
) -> Markup {
    let told = hidden(&ask.questions, outcome);
    let status = outcome.status();
    html! {
        article #card data-ask=(ask.id.to_string()) data-session=(ask.session.to_string()) data-open="false" {
            div.ask.closed {
                header.head {
                    p.dim { (whence(words, ask)) " · " (words.round_of(ask.round, ask.terms.total_rounds)) }
                    p.dim { (when::clock(words, outcome.at, now)) }
                }
                p.ending data-status=(status) data-reason=(outcome.reason()) {
                    span.chip { (label(words, outcome)) } " " (sentence(words, outcome))
                }
                @if let Some(comment) = &outcome.comment { blockquote { (lines(comment)) } }
                (kept(words, ask, lost))
                (asked(words, &ask.questions, &told))
                p.dim { (fill(words.it_took, &[("time", &when::took(words, outcome.at.since(ask.asked_at)))])) }
                @if may_reopen(outcome) {
                    form method="post" action=(format!("/asks/{}/reopen", ask.id)) {
                        button { (words.ask_anew) }
                        p.dim { (words.ask_anew_why) }
                    }
                }
                p { a href="/" { (words.back_to_inbox) } }
            }
        }
    }
}

/// What was asked, with every choice, and what was chosen.
pub(in crate::channel::web) fn asked(words: &Words, questions: &Questions, outcome: &Outcome) -> Markup {
    html! {
        @for answer in &outcome.answers.0 {
            @if let Some(question) = questions.find(&answer.question) { (answered(words, question, answer)) }
        }
    }
}

fn answered(words: &Words, question: &Question, answer: &Answer) -> Markup {
    html! {
        section.question.answered.follow-up[answer.parent.is_some()] {
            h3 {
                @if let Some(header) = question.header.as_deref() { span.chip { (harmless(header)) } " " }
                span.asked { (lines(&question.text)) }
            }
            ul.choices {
                @for choice in &question.choices {
                    @let chosen = answer.picked.contains(&choice.id);
                    li.opt.chosen[chosen] {
                        span.tick aria-hidden="true" { @if chosen { "✓" } }
                        span.what { (harmless(choice.shown_label()))
                            @if chosen { span.visually-hidden { " (" (words.chosen) ")" } }
                            @if let Some(description) = &choice.description { small { (lines(description)) } } }
                    }
                }
                @if let Some(text) = &answer.text {
                    li.opt.chosen { span.tick aria-hidden="true" { "✓" } span.what.typed { (lines(text)) } }
                }
            }
            @if answer.skipped { p.dim { (words.not_answered) } }
            @if answer.collected { p.dim { (words.known_before) } }
            @if let Some(note) = &answer.note { p.note { (words.note) ": " (lines(note)) } }
        }
    }
}

fn kept(words: &Words, ask: &Ask, lost: Option<&Entries>) -> Markup {
    let typed = lost.map(|lost| lost.typed(&ask.questions)).unwrap_or_default();
    html! {
        @if !typed.is_empty() {
            section.kept {
                h2 { (words.your_text_is_kept) }
                @for (question, text) in typed {
                    p.dim { (harmless(question.title())) }
                    textarea readonly rows="3" aria-label=(harmless(question.title())) { (text) }
                }
            }
        }
    }
}

/// One word for how it ended.
fn label<'a>(words: &'a Words, outcome: &Outcome) -> &'a str {
    match outcome.ending {
        Ending::Answered(_) => words.answered,
        Ending::Declined => words.cancelled,
        Ending::Withdrawn => words.withdrawn,
        Ending::Expired { .. } => words.timed_out,
    }
}

/// Says how an ask ended, by whom and where.
pub(in crate::channel::web) fn sentence(words: &Words, outcome: &Outcome) -> String {
    let user = outcome.by.user.as_ref().map(ToString::to_string);
    let who = user.as_deref().unwrap_or(words.nobody);
    let place = words.place(&outcome.by.channel);
    let pattern = match outcome.ending {
        Ending::Answered(AnsweredBy::Person) => words.answered_by,
        Ending::Answered(AnsweredBy::Default) => return words.answered_by_default.to_owned(),
        Ending::Answered(AnsweredBy::Rule) => return words.answered_by_rule.to_owned(),
        Ending::Declined => words.declined_by,
        Ending::Withdrawn if outcome.by.channel == Channel::Agent => {
            return words.withdrawn_by_agent.to_owned();
        }
        Ending::Withdrawn => return words.withdrawn_by_system.to_owned(),
        Ending::Expired { .. } => return words.expired.to_owned(),
    };
    fill(pattern, &[("who", who), ("place", &place)])
}

/// Whether an outcome is just what these entries say: the same answer, sent again.
pub(in crate::channel::web) fn says(ask: &Ask, outcome: &Outcome, entries: &Entries) -> bool {
    let sheet = Sheet::filled(ask.questions.clone(), entries.list());
    sheet.is_ok_and(|sheet| sheet.answers_so_far() == outcome.answers)
}

fn may_reopen(outcome: &Outcome) -> bool {
    matches!(outcome.ending, Ending::Declined | Ending::Expired { .. })
}
