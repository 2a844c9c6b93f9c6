//! One ask: its page, and what a person does with it.

use std::sync::Arc;

use askuser_core::alike::may_share;
use askuser_core::ask::{Ask, State};
use askuser_core::command::Actor;
use askuser_core::decide::Refusal;
use askuser_core::id::{ChoiceId, QuestionId, TaskId};
use askuser_core::outcome::Outcome;
use askuser_core::problem::Problem;
use askuser_core::question::PreviewFormat;
use askuser_core::recall::Recall;
use axum::http::header::{CONTENT_SECURITY_POLICY, REFERER};
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use maud::{Markup, html};
use serde_json::json;

use super::card::closed;
use super::card::{self, At, Faults};
use super::conversation;
use super::failing::{Mishap, Shown};
use super::form::Entries;
use super::inbox::{List, ROW, Rows};
use super::layout::{Frame, page, part};
use super::rules;
use super::sign_in::see;
use super::visit::Visit;
use askuser_desk::DeskError;

/// A preview's own document may style itself and show its own pictures; it has no scripts, no
/// origin, and no way out.
const PREVIEW_POLICY: &str =
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

/// How many rounds before it are shown above an ask; the rest are a step away.
const EARLIER_MAX: u32 = 5;

/// `GET /asks/{ask}`
pub(super) async fn show(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let ask = visit.desk().ask_of(&person, visit.ask_id()?).await?;
    let filled = Entries::of(&ask.entries);
    let drawn = Drawn { ask: &ask, filled: &filled, faults: &Faults::default(), lost: None };
    drawn.show(visit, &person, StatusCode::OK).await
}

/// `POST /asks/{ask}/answer`
pub(super) async fn answer(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let ask = visit.desk().ask_of(&person, visit.ask_id()?).await?;
    let filled = visit.form.entries(&ask.questions);
    if visit.form.get("do") == Some("save") {
        return keep(visit, &person, &ask, filled).await;
    }
    let answered = if is_from_inbox(visit) {
        // One press answers only what its row shows whole. What has changed meanwhile is read first.
        if ask.one_press(&ROW).is_none() && ask.is_open() {
            return Ok(to_be_read(visit, &ask));
        }
        visit.desk().hold(&person, ask.id, filled.list()).await
    } else {
        visit.desk().answer(&person, ask.id, filled.list()).await
    };
    match answered {
        Ok(answered) => {
            answer_alike(visit, &person, &ask, &filled).await?;
            let held = answered.held_by(&person.user).map(|held| held.until.0);
            Ok(if visit.is_script() {
                axum::Json(json!({"ok": true, "held": held})).into_response()
            } else {
                see(&back(visit, &ask))
            })
        }
        Err(DeskError::Refused(Refusal::UnfitAnswer(problems))) => {
            unfit(visit, &person, &ask, &filled, &problems).await
        }
        Err(DeskError::Refused(Refusal::AlreadyClosed(outcome))) => {
            too_late(visit, &person, &ask, &filled, &outcome).await
        }
        // They have spoken, and it waits for others: what was sent first counts.
        Err(DeskError::Refused(Refusal::AlreadyHeard)) if visit.is_script() => {
            let told = axum::Json(json!({ "closed": visit.words().card().waiting_for_others() }));
            Ok((StatusCode::CONFLICT, told).into_response())
        }
        Err(DeskError::Refused(Refusal::AlreadyHeard)) => Ok(see(&back(visit, &ask))),
        Err(other) => Err(other.into()),
    }
}

/// Whether it was done in a row of the inbox.
fn is_from_inbox(visit: &Visit) -> bool {
    visit.form.get("from") == Some("inbox")
}

/// Leads to the question instead of answering it.
fn to_be_read(visit: &Visit, ask: &Ask) -> Response {
    if visit.is_script() {
        let told = axum::Json(json!({ "closed": visit.words().open_to_answer() }));
        return (StatusCode::CONFLICT, told).into_response();
    }
    see(&format!("/asks/{}", ask.id))
}

/// Answers the other asks that the person picked. One that closed meanwhile is shown as what it is.
async fn answer_alike(visit: &Visit, person: &Actor, ask: &Ask, filled: &Entries) -> Result<(), Mishap> {
    for id in visit.form.also() {
        match visit.desk().answer_alike(person, ask, &filled.list(), id).await {
            Ok(_) | Err(DeskError::Refused(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

async fn unfit(visit: &Visit, person: &Actor, ask: &Ask, filled: &Entries, problems: &[Problem]) -> Shown {
    let words = visit.words();
    let faults = Faults::of(problems, |problem| words.0.unfit(&problem.fault));
    if visit.is_script() {
        let faults: Vec<_> =
            faults.list().map(|(id, said)| json!({"question_id": id, "message": said})).collect();
        let told = axum::Json(json!({ "faults": faults }));
        return Ok((StatusCode::UNPROCESSABLE_ENTITY, told).into_response());
    }
    let drawn = Drawn { ask, filled, faults: &faults, lost: None };
    drawn.show(visit, person, StatusCode::UNPROCESSABLE_ENTITY).await
}

/// Somebody else was first. What this person wrote stays theirs. An answer that comes a second time
/// because the first reply was lost is no loss at all.
async fn too_late(visit: &Visit, person: &Actor, before: &Ask, filled: &Entries, outcome: &Outcome) -> Shown {
    let ask = visit.desk().ask_of(person, before.id).await?;
    let again = outcome.by == person.by && closed::says(&ask, outcome, filled);
    if visit.is_script() {
        if again {
            return Ok(axum::Json(json!({"ok": true})).into_response());
        }
        let sentence = visit.language.how_it_ended(outcome, Some(&person.user));
        return Ok((StatusCode::CONFLICT, axum::Json(json!({ "closed": sentence }))).into_response());
    }
    if again {
        return Ok(see(&format!("/asks/{}", ask.id)));
    }
    let drawn = Drawn { ask: &ask, filled, faults: &Faults::default(), lost: Some(filled) };
    drawn.show(visit, person, StatusCode::CONFLICT).await
}

/// `POST /asks/{ask}/sheet`
pub(super) async fn save(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let ask = visit.desk().ask_of(&person, visit.ask_id()?).await?;
    let filled = visit.form.entries(&ask.questions);
    keep(visit, &person, &ask, filled).await
}

async fn keep(visit: &Visit, person: &Actor, ask: &Ask, filled: Entries) -> Shown {
    match visit.desk().save(person, ask.id, filled.list()).await {
        Ok(_) if visit.is_script() => Ok(StatusCode::NO_CONTENT.into_response()),
        Ok(_) => Ok(see("/")),
        Err(DeskError::Refused(Refusal::AlreadyClosed(outcome))) => {
            too_late(visit, person, ask, &filled, &outcome).await
        }
        Err(DeskError::Refused(Refusal::UnfitAnswer(problems))) => {
            unfit(visit, person, ask, &filled, &problems).await
        }
        Err(other) => Err(other.into()),
    }
}

/// `POST /asks/{ask}/cancel`
pub(super) async fn cancel(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let ask = visit.desk().ask_of(&person, visit.ask_id()?).await?;
    let reason =
        visit.form.get("reason").map(|reason| reason.trim().to_owned()).filter(|reason| !reason.is_empty());
    match visit.desk().decline(&person, ask.id, reason).await {
        Ok(_) | Err(DeskError::Refused(Refusal::AlreadyClosed(_) | Refusal::AlreadyHeard)) => {
            Ok(see(&back(visit, &ask)))
        }
        Err(other) => Err(other.into()),
    }
}

/// `POST /asks/{ask}/reopen`
pub(super) async fn reopen(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let anew = visit.desk().reopen(&person, visit.ask_id()?).await?;
    Ok(see(&format!("/asks/{}", anew.id)))
}

/// `POST /asks/{ask}/again`: the last answer to the same questions goes on the sheet, to be looked over
/// and sent.
pub(super) async fn again(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let ask = visit.desk().ask_of(&person, visit.ask_id()?).await?;
    if let Some(last) = visit.desk().recall(&person, &ask).await?.and_then(|recall| recall.last) {
        visit.desk().save(&person, ask.id, last.entries).await?;
    }
    Ok(see(&back(visit, &ask)))
}

/// What the person answered to the same before; nothing where they do not want to know, or where it is
/// over.
async fn recalled(visit: &Visit, person: &Actor, ask: &Ask) -> Result<Option<Recall>, Mishap> {
    if visit.look.forgetful || !ask.is_open() {
        return Ok(None);
    }
    Ok(visit.desk().recall(person, ask).await?)
}

/// `GET /asks/{ask}/preview/{question}/{choice}`: the document of a sandboxed frame.
pub(super) async fn preview(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let ask = visit.desk().ask_of(&person, visit.ask_id()?).await?;
    previewed(visit, &ask)
}

/// The document of one choice.
pub(super) fn previewed(visit: &Visit, ask: &Ask) -> Shown {
    let question = ask.questions.find(&QuestionId::from(visit.param(1)));
    let choice = question.and_then(|question| question.choice(&ChoiceId::from(visit.param(2))));
    let preview = choice.and_then(|choice| choice.preview.as_ref());
    let preview = preview.filter(|preview| preview.format == PreviewFormat::Html).ok_or(Mishap::NotFound)?;
    let mut response =
        Html(format!("<!doctype html><meta charset=\"utf-8\">{}", preview.text)).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(PREVIEW_POLICY));
    headers.insert("x-frame-options", HeaderValue::from_static("SAMEORIGIN"));
    Ok(response)
}

/// Where a person goes on: in the inbox or the task whose page they answered on, else at the ask.
pub(super) fn back(visit: &Visit, ask: &Ask) -> String {
    if is_from_inbox(visit) {
        return "/".to_owned();
    }
    let from = visit.header(REFERER).and_then(|from| from.parse::<Uri>().ok());
    let task = from.as_ref().and_then(|from| from.path().strip_prefix("/tasks/")?.parse::<TaskId>().ok());
    task.map_or_else(|| format!("/asks/{}", ask.id), |task| format!("/tasks/{task}"))
}

/// Draws the card of an open ask, to stand in a task's conversation.
pub(super) fn open_card(visit: &Visit, ask: &Ask, waiting: &[Arc<Ask>]) -> Markup {
    let filled = Entries::of(&ask.entries);
    Drawn { ask, filled: &filled, faults: &Faults::default(), lost: None }.card(visit, waiting, None, None)
}

/// Returns the open asks that ask the same as this one.
fn others_alike<'a>(asks: &'a [Arc<Ask>], ask: &Ask) -> Vec<&'a Arc<Ask>> {
    let same =
        |other: &&Arc<Ask>| other.id != ask.id && may_share(ask, other) && other.state == State::Showing;
    asks.iter().filter(same).collect()
}

/// An ask as its page shows it.
struct Drawn<'a> {
    ask: &'a Ask,
    filled: &'a Entries,
    faults: &'a Faults,
    /// What a person wrote who was too late.
    lost: Option<&'a Entries>,
}

impl Drawn<'_> {
    async fn show(&self, visit: &Visit, person: &Actor, status: StatusCode) -> Shown {
        let (words, now) = (visit.words(), visit.desk().now());
        let head = visit.desk().head();
        let waiting = visit.desk().inbox(person).await?;
        let always = visit.desk().may_make_rule(person, self.ask).then(|| rules::offer(words, self.ask));
        let recall = recalled(visit, person, self.ask).await?;
        let card = self.card(visit, &waiting, always, recall.as_ref());
        if visit.wants_part("card") {
            return Ok((status, part(visit, card)).into_response());
        }
        let first = self.ask.round.saturating_sub(EARLIER_MAX + 1);
        let n_earlier = self.ask.round.saturating_sub(1).min(EARLIER_MAX) as usize;
        // The conversation is its owner's; whoever else is asked has this ask of it, and no more.
        let is_own = self.ask.owner == person.user;
        let earlier = if is_own {
            visit.desk().rounds_after(self.ask.session, first, n_earlier).await?
        } else {
            Vec::new()
        };
        let title = self.ask.questions.top().first().map_or(words.question(), |question| question.title());
        let rows = Rows::Links { current: self.ask.id };
        let list = List { words, asks: &waiting, reader: &person.user, now, rows };
        let frame = Frame { name: "ask", title, waiting: Some(waiting.len()), head: Some(head) };
        let body = html! {
            div.beside {
                nav.inbox aria-label=(words.inbox()) {
                    p.dim { (words.waiting_for_you()) " · " span #waiting { (waiting.len()) } }
                    (list.draw())
                }
                section.talk aria-label=(words.conversation()) {
                    div #conversation { (conversation::before(words, &earlier, self.ask, is_own, now)) }
                    (card)
                }
            }
        };
        Ok((status, page(visit, &frame, &body)).into_response())
    }

    fn card(
        &self,
        visit: &Visit,
        waiting: &[Arc<Ask>],
        always: Option<Markup>,
        recall: Option<&Recall>,
    ) -> Markup {
        let words = visit.words();
        let now = visit.desk().now();
        let reader = visit.caller.as_ref().map(|caller| &caller.user);
        if let Some(outcome) = self.ask.state.outcome() {
            let (ask, lost) = (self.ask, self.lost);
            return closed::draw(&closed::Ended { words, ask, outcome, lost, always, reader, now });
        }
        let (ask, filled, faults) = (self.ask, self.filled, self.faults);
        if let Some(user) = reader.filter(|user| !ask.waits_for(user)) {
            return card::people::waits_for_others(words, ask, user, now);
        }
        let others = others_alike(waiting, ask);
        let may_grant = visit.caller.as_ref().is_some_and(|caller| caller.proof.may_grant());
        let (others, at) = (&others, At::Ask);
        card::draw(&card::Open {
            words,
            ask,
            filled,
            faults,
            recall,
            waiting,
            reader,
            others,
            now,
            at,
            may_grant,
            left: visit.desk().is_left(ask.id),
        })
    }
}
