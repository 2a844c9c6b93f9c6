//! Rules that the person made from their own answers: made on the card of an answered ask, listed and
//! taken back on a page of their own. Above them the rules for permissions that were written by hand: none
//! counts before the person has read it here and said so.

use std::time::Duration;

use askuser_core::ask::Ask;
use askuser_core::text::shown as harmless;
use askuser_core::time::Timestamp;
use axum::http::StatusCode;
use maud::{Markup, html};

use super::failing::{Mishap, Shown, error_page};
use super::layout::{Frame, page};
use super::sign_in::see;
use super::visit::Visit;
use super::when;
use askuser_desk::{ConfirmableRule, MadeRule, NoRule};
use askuser_words::page::Page;

/// For how many days a rule may be made on the page; the second is the usual.
const DAYS: [u64; 4] = [1, 30, 90, 365];
const USUAL_DAYS: u64 = 30;

/// `GET /rules`
pub(super) async fn show(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let rules = visit.desk().made_rules(&person).await.map_err(|error| mishap(visit, error))?;
    let granting = visit.desk().permission_rules(&person).await.map_err(|error| mishap(visit, error))?;
    let (words, now) = (visit.words(), visit.desk().now());
    let body = html! {
        @if !granting.is_empty() {
            section.plain {
                h1 { (words.rules().permissions()) }
                p.dim { (words.rules().permissions_why()) }
                ul.rules { @for rule in &granting { (granting_row(words, rule, now)) } }
            }
        }
        section.plain {
            h1 { (words.rules().title()) }
            p.dim { (words.rules().why()) }
            @if rules.is_empty() { p { (words.rules().none()) } }
            ul.rules { @for rule in &rules { (row(words, rule, now)) } }
        }
    };
    Ok(page(visit, &Frame::plain("rules", words.rules().title()), &body))
}

/// A rule for permissions: all of it, and whether it counts.
fn granting_row(words: Page, rule: &ConfirmableRule, now: Timestamp) -> Markup {
    html! {
        li {
            @if let Some(name) = &rule.name { p { b { (harmless(name)) } } }
            pre.code { (harmless(&rule.text)) }
            @match rule.confirmed_at {
                None => p.note.permission { (words.rules().not_confirmed()) },
                Some(at) => p.dim { (words.rules().confirmed()) " " (when::clock(words, at, now))
                    @if !rule.in_file { " · " (words.rules().gone()) } },
            }
            @if rule.confirmed_at.is_some() {
                form method="post" action="/rules/unconfirm" {
                    input type="hidden" name="digest" value=(rule.id);
                    button { (words.rules().stop()) }
                }
            } @else {
                form method="post" action="/rules/confirm" {
                    input type="hidden" name="digest" value=(rule.id);
                    button { (words.rules().confirm()) }
                }
            }
        }
    }
}

fn row(words: Page, rule: &MadeRule, now: Timestamp) -> Markup {
    html! {
        li {
            @for (question, answer) in &rule.says {
                p { (harmless(question)) " → " b { (harmless(answer)) } }
            }
            p.dim {
                (harmless(rule.agent.as_deref().unwrap_or(words.0.unnamed_agent())))
                @if let Some(project) = &rule.project { " · " (harmless(project)) }
                " · " (words.rules().until()) " " (when::clock(words, rule.until, now))
                " · " a href=(format!("/asks/{}", rule.from)) { (words.rules().original()) }
            }
            @if !rule.holds { p.note { (words.rules().too_old()) } }
            form method="post" action=(format!("/rules/{}/remove", rule.id)) {
                button { (words.rules().delete()) }
            }
        }
    }
}

/// `POST /asks/{ask}/always`
pub(super) async fn make(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let days = visit.form.get("days").and_then(|days| days.parse().ok()).filter(|days| DAYS.contains(days));
    let length = Duration::from_hours(24 * days.unwrap_or(USUAL_DAYS));
    let until = visit.desk().now().after(length);
    let made = visit.desk().make_rule(&person, visit.ask_id()?, Some(until)).await;
    made.map_err(|error| mishap(visit, error))?;
    Ok(see("/rules"))
}

/// `POST /rules/confirm`
pub(super) async fn confirm(visit: &Visit) -> Shown {
    let person = visit.person()?;
    match visit.desk().confirm_rule(&person, visit.form.get("digest").unwrap_or_default()).await {
        // The file has changed since it was read: what stands there now is to be read first.
        Ok(()) | Err(NoRule::NotFound) => Ok(see("/rules")),
        Err(error) => Err(mishap(visit, error)),
    }
}

/// `POST /rules/unconfirm`
pub(super) async fn unconfirm(visit: &Visit) -> Shown {
    let person = visit.person()?;
    match visit.desk().unconfirm_rule(&person, visit.form.get("digest").unwrap_or_default()).await {
        Ok(()) | Err(NoRule::NotFound) => Ok(see("/rules")),
        Err(error) => Err(mishap(visit, error)),
    }
}

/// `POST /rules/{rule}/remove`
pub(super) async fn remove(visit: &Visit) -> Shown {
    let person = visit.person()?;
    match visit.desk().remove_rule(&person, visit.param(0)).await {
        // Gone is gone, whoever was first.
        Ok(()) | Err(NoRule::NotFound) => Ok(see("/rules")),
        Err(error) => Err(mishap(visit, error)),
    }
}

/// On the card of an ask that this person answered: the same answer from now on.
pub(super) fn offer(words: Page, ask: &Ask) -> Markup {
    html! {
        details.always {
            summary { (words.card().always()) }
            form method="post" action=(format!("/asks/{}/always", ask.id)) {
                p.dim { (words.card().always_why()) }
                label { (words.card().always_for()) " "
                    select name="days" {
                        @for days in DAYS {
                            option value=(days) selected[days == USUAL_DAYS] {
                                (words.time().days(days))
                            }
                        }
                    }
                }
                button { (words.card().always_do()) }
            }
        }
    }
}

fn mishap(visit: &Visit, error: NoRule) -> Mishap {
    let (status, why) = match error {
        NoRule::Desk(error) => return error.into(),
        NoRule::NotFound => return Mishap::NotFound,
        NoRule::ByAgent => (StatusCode::FORBIDDEN, visit.words().rules().not_so()),
        NoRule::NotOnThePage => (StatusCode::FORBIDDEN, visit.words().rules().not_in_this_browser()),
        NoRule::Unfit(_) | NoRule::Until | NoRule::TooMany(_) => {
            (StatusCode::BAD_REQUEST, visit.words().rules().not_so())
        }
    };
    Mishap::Answered(Box::new(error_page(visit, status, visit.words().not_done(), why)))
}
