//! The page behind a link that was sent to one person for one ask. Looking at it changes nothing; sending
//! its form answers, once, and says who and through what.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::decide::Refusal;
use askuser_core::id::UserId;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};

use super::ask::previewed;
use super::card::{self, At, Faults};
use super::failing::{Mishap, Shown};
use super::form::Entries;
use super::layout::{Frame, page};
use super::sign_in::see;
use super::visit::Visit;
use askuser_api::page::without_secret;
use askuser_desk::{DeskError, LinkError, LinkRefusal, Linked};

/// `GET /a/{link}`
pub(super) async fn show(visit: &mut Visit) -> Shown {
    let linked = follow(visit).await?;
    // Whoever is signed in as the same person has more than a link.
    if signed_in(visit).is_some() {
        return Ok(see(&format!("/asks/{}", linked.ask.id)));
    }
    visit.caller = None;
    let filled = Entries::of(&linked.ask.entries);
    Ok(drawn(visit, &linked, &filled, &Faults::default(), StatusCode::OK))
}

/// `POST /a/{link}/answer`
pub(super) async fn answer(visit: &mut Visit) -> Shown {
    let linked = follow(visit).await?;
    visit.caller = None;
    let filled = visit.form.entries(&linked.ask.questions);
    // What does not fit is shown where it stands, so the desk is asked for its problems as they are.
    match visit.desk().answer(&linked.actor, linked.ask.id, filled.list()).await {
        Err(DeskError::Refused(Refusal::UnfitAnswer(problems))) => {
            let words = visit.words();
            let faults = Faults::of(&problems, |problem| words.0.unfit(&problem.fault));
            Ok(drawn(visit, &linked, &filled, &faults, StatusCode::UNPROCESSABLE_ENTITY))
        }
        done => finish(visit, &linked.actor.user, visit.desk().links().use_up(visit.param(0), done).await),
    }
}

/// `POST /a/{link}/cancel`
pub(super) async fn cancel(visit: &mut Visit) -> Shown {
    let linked = follow(visit).await?;
    visit.caller = None;
    let reason = visit.form.get("reason").map(str::trim).filter(|reason| !reason.is_empty());
    let done = visit.desk().decline(&linked.actor, linked.ask.id, reason.map(str::to_owned)).await;
    finish(visit, &linked.actor.user, visit.desk().links().use_up(visit.param(0), done).await)
}

/// `GET /a/{link}/preview/{question}/{choice}`: the document of a sandboxed frame.
pub(super) async fn preview(visit: &Visit) -> Shown {
    let linked = follow(visit).await?;
    previewed(visit, &linked.ask)
}

/// Finds what the link opens, or says why it opens nothing.
async fn follow(visit: &Visit) -> Result<Linked, Mishap> {
    // Whoever is signed in as somebody else does not answer for this person.
    match visit.desk().links().follow_as(visit.param(0), signed_in(visit)).await {
        Ok(linked) => Ok(linked),
        Err(LinkError::Refused(refusal)) => Err(Mishap::Answered(Box::new(refused(visit, &refusal)))),
        Err(LinkError::Desk(error)) => Err(error.into()),
    }
}

/// Who is signed in, whatever the link says.
fn signed_in(visit: &Visit) -> Option<&UserId> {
    visit.caller.as_ref().filter(|caller| caller.person().is_some()).map(|caller| &caller.user)
}

fn finish(visit: &Visit, reader: &UserId, done: Result<Arc<Ask>, LinkError>) -> Shown {
    match done {
        Ok(ask) => {
            let words = visit.words();
            let told = ask.state.outcome().map(|outcome| visit.language.how_it_ended(outcome, Some(reader)));
            let told = told.unwrap_or_else(|| words.card().waiting_for_others().to_owned());
            Ok(plain(visit, StatusCode::OK, words.signing_in().link_done(), &told))
        }
        Err(LinkError::Refused(refusal)) => Ok(refused(visit, &refusal)),
        Err(LinkError::Desk(error)) => Err(error.into()),
    }
}

/// A link that was made up counts as a sign-in that failed, so that nobody tries for long.
fn refused(visit: &Visit, refusal: &LinkRefusal) -> Response {
    tracing::warn!("A link was refused: {refusal}");
    visit.desk().links().note_refused(refusal, signed_in(visit), &without_secret(visit.uri.path()));
    let status = match refusal {
        LinkRefusal::Unknown => StatusCode::UNAUTHORIZED,
        LinkRefusal::NotYours | LinkRefusal::NeedsSignIn => StatusCode::FORBIDDEN,
        LinkRefusal::Expired | LinkRefusal::Closed(_) | LinkRefusal::Used(_) | LinkRefusal::Spoken => {
            StatusCode::GONE
        }
        LinkRefusal::Unfit(_) | LinkRefusal::NoButton | LinkRefusal::NoChoice => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
    };
    let told = refusal.said(visit.language, signed_in(visit));
    plain(visit, status, visit.words().signing_in().link_no_good(), &told)
}

fn plain(visit: &Visit, status: StatusCode, title: &str, told: &str) -> Response {
    let body = html! {
       section.plain {
           h1 { (title) }
           p { (told) }
           p { a href="/" { (visit.words().open_inbox()) } }
       }
    };
    (status, page(visit, &Frame::plain("link", title), &body)).into_response()
}

fn drawn(visit: &Visit, linked: &Linked, filled: &Entries, faults: &Faults, status: StatusCode) -> Response {
    let (words, ask) = (visit.words(), &linked.ask);
    let title = ask.questions.top().first().map_or(words.question(), |question| question.title());
    let (at, now) = (At::Link(visit.param(0)), visit.desk().now());
    // A link is made for no permission.
    let may_grant = true;
    let (reader, waiting, others) = (Some(&linked.actor.user), &[], &[]);
    let (recall, left) = (None, visit.desk().is_left(ask.id));
    let open =
        card::Open { words, ask, filled, faults, recall, waiting, reader, others, now, at, may_grant, left };
    let body: Markup = html! { section.talk aria-label=(words.conversation()) { (card::draw(&open)) } };
    (status, page(visit, &Frame::plain("link", title), &body)).into_response()
}
