//! What a person does: the inbox, answers, saved sheets, cancels, asking anew.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::command::Actor;
use askuser_core::decide::Refusal;
use askuser_core::entry::Entry;
use askuser_core::id::{AskId, QuestionId};
use askuser_core::problem::{Fault, Problem};
use askuser_words::fault::{Wrong, unfit};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use serde_json::{Value, json};

use super::failing::wrong_field;
use super::ids::short_ids;
use super::visit::{Visit, ok, respond};
use askuser_api::asks::{Inbox, Results};
use askuser_api::shapes::Answered;
use askuser_desk::{IdsOf, LIST_MAX};
use askuser_wire::answers::{read_answers, read_sheet};
use askuser_wire::ask::{AskView, Reader, ask_view};
use askuser_wire::failure::Failure;

/// Asks that are answered in one go.
const MANY_MAX: usize = 100;

type Entries = Vec<(QuestionId, Entry)>;

#[derive(Serialize)]
pub(super) struct Listed<'a> {
    pub(super) asks: Vec<AskView<'a>>,
    /// How many are listed at most, where there may be more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) limit: Option<usize>,
}

/// `GET /api/inbox`
pub(super) async fn inbox(visit: Visit) -> Result<Response, Failure> {
    let (asks, is_cut) = visit.desk().inbox_upto(&visit.person()?, LIST_MAX).await?;
    let left = |ask: &Ask| visit.desk().is_left(ask.id);
    let short_ids = short_ids(
        visit.desk(),
        visit.query::<Inbox>()?.short_ids,
        IdsOf::Asks,
        asks.iter().map(|ask| ask.id.0),
    )
    .await?;
    let told = asks.iter().zip(short_ids);
    let told = told.map(|(ask, short)| ask_view(ask, Reader::Person).left(left(ask)).called(short));
    let asks = told.collect();
    ok(Listed { asks, limit: is_cut.then_some(LIST_MAX) })
}

/// `POST /api/asks/{id}/answer`
pub(super) async fn answer(visit: Visit) -> Result<Response, Failure> {
    let (actor, ask) = seen(&visit).await?;
    let entries = entries(&visit, &ask, read_answers)?;
    let ask = visit.desk().answer(&actor, ask.id, entries).await?;
    ok(ask_view(&ask, Reader::Person))
}

/// `POST /api/asks/{id}/hold`: an answer by one press.
pub(super) async fn hold(visit: Visit) -> Result<Response, Failure> {
    let (actor, ask) = seen(&visit).await?;
    let entries = entries(&visit, &ask, read_answers)?;
    let ask = visit.desk().hold(&actor, ask.id, entries).await?;
    ok(ask_view(&ask, Reader::Person))
}

/// `DELETE /api/asks/{id}/hold`
pub(super) async fn take_back(visit: Visit) -> Result<Response, Failure> {
    let ask = visit.desk().take_back(&visit.person()?, visit.ask_id()?).await?;
    ok(ask_view(&ask, Reader::Person))
}

/// `PUT /api/asks/{id}/sheet`
pub(super) async fn save(visit: Visit) -> Result<Response, Failure> {
    let (actor, ask) = seen(&visit).await?;
    let entries = entries(&visit, &ask, read_sheet)?;
    let ask = visit.desk().save(&actor, ask.id, entries).await?;
    ok(ask_view(&ask, Reader::Person))
}

/// `POST /api/asks/{id}/cancel`
pub(super) async fn cancel(visit: Visit) -> Result<Response, Failure> {
    let reason = reason(&visit.fields()?)?;
    let ask = visit.desk().decline(&visit.person()?, visit.ask_id()?, reason).await?;
    ok(ask_view(&ask, Reader::Person))
}

/// `POST /api/asks/{id}/reopen`: the answer is the new ask.
pub(super) async fn reopen(visit: Visit) -> Result<Response, Failure> {
    let ask = visit.desk().reopen(&visit.person()?, visit.ask_id()?).await?;
    Ok(respond(StatusCode::CREATED, ask_view(&ask, Reader::Person)))
}

/// `POST /api/asks/answer-many {"ask_ids":[…],"answers":{…},"notes":{…}}`: the answers name the
/// questions of the first ask; in the others those in the same place are meant.
pub(super) async fn answer_many(visit: Visit) -> Result<Results, Failure> {
    let actor = visit.person()?;
    let body = visit.fields()?;
    let ids = ids(&body)?;
    let mut first: Option<(Arc<Ask>, Entries)> = None;
    let mut results = Vec::new();
    for id in ids {
        let mut result = match answer_as_first(&visit, &actor, &body, id, &mut first).await {
            Ok(ask) => json!({"success": true, "status": ask.state.status()}),
            Err(failure) => failure.write(visit.language),
        };
        result["ask_id"] = id.to_string().into();
        results.push(Answered(result));
    }
    Ok(Results { results })
}

/// Answers one of several: the first that is there says what the answers mean.
async fn answer_as_first(
    visit: &Visit,
    actor: &Actor,
    body: &Value,
    id: AskId,
    first: &mut Option<(Arc<Ask>, Entries)>,
) -> Result<Arc<Ask>, Failure> {
    if let Some((answered, entries)) = first {
        let unlike = || Failure::invalid_answer(vec![Problem::new("ask_ids", unfit(Wrong::unlike_first))]);
        return visit.desk().answer_alike(actor, answered, entries, id).await?.ok_or_else(unlike);
    }
    let ask = visit.desk().ask_of(actor, id).await?;
    let entries = read_answers(&ask.questions, body).map_err(Failure::invalid_answer)?;
    *first = Some((Arc::clone(&ask), entries.clone()));
    Ok(visit.desk().answer(actor, ask.id, entries).await?)
}

fn ids(body: &Value) -> Result<Vec<AskId>, Failure> {
    let list = body.get("ask_ids").and_then(Value::as_array);
    let list = list.ok_or_else(|| wrong_field("ask_ids", Fault::Missing))?;
    if list.is_empty() || list.len() > MANY_MAX {
        let fault = if list.is_empty() {
            Fault::TooFewItems { min: 1, got: 0 }
        } else {
            Fault::TooManyItems { max: MANY_MAX, got: list.len() }
        };
        return Err(wrong_field("ask_ids", fault));
    }
    let parse = |value: &Value| value.as_str().and_then(|id| id.parse().ok());
    list.iter().map(parse).collect::<Option<_>>().ok_or_else(|| Failure::from(&Refusal::AskNotFound))
}

async fn seen(visit: &Visit) -> Result<(Actor, Arc<Ask>), Failure> {
    let actor = visit.person()?;
    let ask = visit.ask_of(&actor).await?;
    Ok((actor, ask))
}

type Read = fn(&askuser_core::question::Questions, &Value) -> Result<Entries, Vec<Problem>>;

/// Reads answers; where the ask has ended, that comes before anything that is wrong with them.
pub(super) fn entries(visit: &Visit, ask: &Ask, read: Read) -> Result<Entries, Failure> {
    let entries = match visit.json() {
        Ok(body) => read(&ask.questions, &body),
        Err(problem) => Err(vec![problem]),
    };
    entries.map_err(|problems| match ask.state.outcome() {
        Some(outcome) => Failure::from(&Refusal::AlreadyClosed(Box::new(outcome.clone()))),
        None => Failure::invalid_answer(problems),
    })
}

/// Reads the reason of a cancel; none is fine.
pub(super) fn reason(body: &Value) -> Result<Option<String>, Failure> {
    match body.get("reason") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(reason)) => Ok(Some(reason.clone())),
        Some(_) => Err(wrong_field("reason", unfit(Wrong::not_a_string))),
    }
}
