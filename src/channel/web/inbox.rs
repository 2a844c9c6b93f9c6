//! The inbox: everything that waits for the person, oldest first.

use std::collections::HashMap;
use std::sync::Arc;

use askuser_core::ask::{Ask, Fingerprint};
use askuser_core::question::{Kind, Question};
use askuser_core::text::shown as harmless;
use askuser_core::time::Timestamp;
use axum::response::Response;
use maud::{Markup, html};

use super::failing::{Shown, shown};
use super::layout::{Frame, page, part};
use super::visit::Visit;
use super::when;
use super::words::{Words, fill};

/// A choice whose label is longer does not fit on a button of the list.
const BUTTON_CHARS_MAX: usize = 28;
/// More buttons than this are no small ask.
const BUTTONS_MAX: usize = 4;

/// `GET /`
pub(super) async fn show(visit: Visit) -> Response {
    shown(&visit, list_page(&visit).await)
}

async fn list_page(visit: &Visit) -> Shown {
    let person = visit.person()?;
    // The number before the list: what comes in between is told twice rather than never.
    let head = visit.desk().head();
    let asks = visit.desk().inbox(&person).await?;
    let words = visit.words();
    let beside = visit.query("current").and_then(|id| id.parse().ok());
    let rows = beside.map_or(Rows::WithButtons, |current| Rows::Links { current });
    let list = list(words, &asks, visit.desk().now(), rows);
    if visit.wants_part("inbox") || visit.wants_part("nav") {
        return Ok(part(visit, list));
    }
    let frame = Frame { name: "inbox", title: words.inbox, waiting: Some(asks.len()), head: Some(head) };
    let body = html! {
        h1.visually-hidden { (words.inbox) }
        section.inbox aria-label=(words.inbox) {
            (list)
            div.empty {
                p.big { (words.nothing_waits) }
                p.dim { (words.nothing_waits_why) }
            }
        }
    };
    Ok(page(visit, &frame, &body))
}

/// What a row of the list offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    /// Small asks can be answered at once.
    WithButtons,
    /// Each leads to its page: the list beside an ask.
    Links {
        /// The ask on the page.
        current: askuser_core::id::AskId,
    },
}

/// Draws the list.
pub(super) fn list(words: &Words, asks: &[Arc<Ask>], now: Timestamp, rows: Rows) -> Markup {
    let mut alike: HashMap<Fingerprint, usize> = HashMap::new();
    for ask in asks {
        *alike.entry(ask.fingerprint).or_default() += 1;
    }
    let address = match rows {
        Rows::WithButtons => "/?part=inbox".to_owned(),
        Rows::Links { current } => format!("/?part=nav&current={current}"),
    };
    html! {
        ol #asks data-count=(asks.len()) data-part=(address) {
            @for ask in asks {
                @let n_alike = alike.get(&ask.fingerprint).copied().unwrap_or(1);
                (row(words, ask, now, rows, n_alike))
            }
        }
    }
}

fn row(words: &Words, ask: &Ask, now: Timestamp, rows: Rows, n_alike: usize) -> Markup {
    let path = format!("/asks/{}", ask.id);
    let current = (rows == Rows::Links { current: ask.id }).then_some("true");
    let first = ask.questions.top().first();
    let more = ask.questions.top().len().saturating_sub(1);
    html! {
        li.ask-row id=(format!("row-{}", ask.id)) data-ask=(ask.id.to_string()) {
            a href=(path) aria-current=[current] {
                @if let Some(question) = first {
                    b { (harmless(question.title())) }
                    @if rows == Rows::WithButtons && question.header.is_some() {
                        span.text { (harmless(&question.text)) }
                    }
                }
                span.dim { (whence(words, ask)) " · " (words.round_of(ask.round, ask.terms.total_rounds))
                    " · " (when::age(words, ask.asked_at, now))
                    @if more > 0 { " · " (fill(words.more_questions, &[("n", &more.to_string())])) }
                    @if let Some(deadline) = ask.deadline { " · " (when::left(words, deadline, now)) }
                    @if n_alike > 1 { " · " span.chip { (fill(words.alike, &[("n", &n_alike.to_string())])) } }
                    @if let Some(people) = words.people(ask) { " · " span.people { (harmless(&people)) } }
                    @if ask.state == askuser_core::ask::State::Pending { " · " (words.in_line) }
                }
            }
            @if let (Rows::WithButtons, Some(question)) = (rows, first.filter(|_| is_small(ask))) {
                (buttons(words, question, &path))
            }
        }
    }
}

/// Whether an ask can be answered by one button: one question, a few short choices, nothing behind
/// them and nothing to weigh.
fn is_small(ask: &Ask) -> bool {
    let [question] = ask.questions.top() else { return false };
    let short = |label: &str| label.chars().count() <= BUTTON_CHARS_MAX;
    matches!(question.kind, Kind::OneOf | Kind::YesNo)
        && ask.state == askuser_core::ask::State::Showing
        && question.choices.len() <= BUTTONS_MAX
        && ask.terms.purpose == askuser_core::asker::Purpose::Decision
        && question.collected.is_none()
        && question.choices.iter().all(|choice| {
            choice.follow_ups.is_empty() && choice.preview.is_none() && short(choice.shown_label())
        })
}

fn buttons(words: &Words, question: &Question, path: &str) -> Markup {
    let field = format!("pick:{}", question.id);
    html! {
        form.quick method="post" action=(format!("{path}/answer")) {
            input type="hidden" name="from" value="inbox";
            @for choice in &question.choices {
                button name=(field) value=(choice.id.as_str()) title=[choice.description.as_deref().map(harmless)] {
                    (words.choice(question, choice))
                    @if choice.recommended { span.rec aria-hidden="true" { " ★" } }
                }
            }
        }
    }
}

/// Says who asks and where: `claude-code · shop`.
pub(super) fn whence(words: &Words, ask: &Ask) -> Markup {
    let asker = &ask.terms.asker;
    let agent = asker.agent.as_deref().unwrap_or(words.an_agent);
    let place = asker.project.as_deref().or(asker.folder.as_deref());
    html! {
        span.agent { (harmless(agent)) }
        @if let Some(place) = place {
            " · " span.project title=[asker.folder.as_deref().map(harmless)] { (harmless(place)) }
        }
    }
}
