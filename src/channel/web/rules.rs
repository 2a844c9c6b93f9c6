//! Rules that the person made from their own answers: made on the card of an answered ask, listed and
//! taken back on a page of their own.

use std::time::Duration;

use askuser_core::ask::Ask;
use askuser_core::text::shown as harmless;
use askuser_core::time::Timestamp;
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};

use super::failing::{Mishap, Shown, shown, told};
use super::layout::{Frame, page};
use super::sign_in::see;
use super::visit::Visit;
use super::when;
use super::words::{Words, fill};
use crate::desk::{MadeRule, NoRule};

/// For how many days a rule may be made on the page; the second is the usual.
const DAYS: [u64; 4] = [1, 30, 90, 365];
const USUAL_DAYS: u64 = 30;

/// `GET /rules`
pub(super) async fn show(visit: Visit) -> Response {
    shown(&visit, list(&visit).await)
}

/// `POST /asks/{ask}/always`
pub(super) async fn make(visit: Visit) -> Response {
    shown(&visit, try_make(&visit).await)
}

/// `POST /rules/{rule}/remove`
pub(super) async fn remove(visit: Visit) -> Response {
    shown(&visit, try_remove(&visit).await)
}

async fn list(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let rules = visit.desk().made_rules(&person).await.map_err(|error| mishap(visit, error))?;
    let (words, now) = (visit.words(), visit.desk().now());
    let body = html! {
        section.plain {
            h1 { (words.rules) }
            p.dim { (words.rules_why) }
            @if rules.is_empty() { p { (words.rules_none) } }
            ul.rules { @for rule in &rules { (row(words, rule, now)) } }
        }
    };
    Ok(page(visit, &Frame::plain("rules", words.rules), &body))
}

fn row(words: &Words, rule: &MadeRule, now: Timestamp) -> Markup {
    html! {
        li {
            @for (question, answer) in &rule.says {
                p { (harmless(question)) " → " b { (harmless(answer)) } }
            }
            p.dim {
                (harmless(rule.agent.as_deref().unwrap_or(words.an_agent)))
                @if let Some(project) = &rule.project { " · " (harmless(project)) }
                " · " (fill(words.rule_until, &[])) " " (when::clock(words, rule.until, now))
                " · " a href=(format!("/asks/{}", rule.from)) { (words.rule_from) }
            }
            form method="post" action=(format!("/rules/{}/remove", rule.id)) {
                button { (words.rule_remove) }
            }
        }
    }
}

async fn try_make(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let days = visit.form.get("days").and_then(|days| days.parse().ok()).filter(|days| DAYS.contains(days));
    let length = Duration::from_hours(24 * days.unwrap_or(USUAL_DAYS));
    let until = visit.desk().now().after(length);
    let made = visit.desk().make_rule(&person, visit.ask_id()?, Some(until)).await;
    made.map_err(|error| mishap(visit, error))?;
    Ok(see("/rules"))
}

async fn try_remove(visit: &Visit) -> Shown {
    let person = visit.person()?;
    match visit.desk().remove_rule(&person, visit.param(0)).await {
        // Gone is gone, whoever was first.
        Ok(()) | Err(NoRule::NotFound) => Ok(see("/rules")),
        Err(error) => Err(mishap(visit, error)),
    }
}

/// On the card of an ask that this person answered: the same answer from now on.
pub(super) fn offer(words: &Words, ask: &Ask) -> Markup {
    html! {
        details.always {
            summary { (words.always) }
            form method="post" action=(format!("/asks/{}/always", ask.id)) {
                p.dim { (words.always_why) }
                label { (words.always_for) " "
                    select name="days" {
                        @for days in DAYS {
                            option value=(days) selected[days == USUAL_DAYS] {
                                (fill(words.days, &[("n", &days.to_string())]))
                            }
                        }
                    }
                }
                button { (words.always_do) }
            }
        }
    }
}

fn mishap(visit: &Visit, error: NoRule) -> Mishap {
    let (status, why) = match error {
        NoRule::Desk(error) => return error.into(),
        NoRule::NotFound => return Mishap::NotFound,
        NoRule::ByAgent => (StatusCode::FORBIDDEN, visit.words().rule_not_so),
        NoRule::Unfit(_) | NoRule::Until | NoRule::TooMany(_) => {
            (StatusCode::BAD_REQUEST, visit.words().rule_not_so)
        }
    };
    Mishap::Answered(Box::new(told(visit, status, visit.words().not_done, why)))
}
