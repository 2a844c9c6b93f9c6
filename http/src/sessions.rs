//! Sessions, their rounds and their messages (P11, P4, P5).

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Cursor;
use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::id::AskId;
use askuser_core::limits::ID_CHARS_MAX;
use askuser_core::session::Session;
use askuser_words::failed::Failed;
use askuser_words::fault::unfit;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::failing::{invalid_request, wrong_field};
use super::ids::{short_ids, with_short_id};
use super::visit::{Visit, ok, respond};
use askuser_api::sessions::{Chain, Export, ListSessions, Sessions, Written};
use askuser_api::shapes;
use askuser_desk::IdsOf;
use askuser_wire::failure::Failure;
use askuser_wire::transcript::{Markdown, each_message};
use askuser_wire::{message, session};

/// Facts that are read at once.
const FACTS_AT_ONCE: usize = 500;

/// `POST /api/sessions {"session_id"?: the agent's own name, "total_rounds"?, "timeoutMs"?, "timeoutPolicy"?}`
pub(super) async fn open(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.reader()?;
    let body = visit.fields()?;
    let name = match body.get("session_id") {
        None | Some(Value::Null) => None,
        Some(Value::String(name)) if (1..=ID_CHARS_MAX).contains(&name.chars().count()) => Some(name.clone()),
        Some(_) => {
            let fault = unfit(|said| said.not_text_of(ID_CHARS_MAX));
            return Err(wrong_field("session_id", fault));
        }
    };
    let unfit = |problems| invalid_request(Failed::unfit_request).with(problems);
    let (total_rounds, timing) = session::opening(&body).map_err(unfit)?;
    let opened = visit.desk().open_session(&actor, name, total_rounds, timing).await?;
    Ok(respond(StatusCode::CREATED, session::write(&opened, &[])))
}

/// `POST /api/sessions/{id}/end`: nothing more is asked in it.
pub(super) async fn end(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.reader()?;
    let ended = visit.desk().end_session(&actor, found(&visit).await?.id).await?;
    let rounds = visit.desk().rounds(&actor, ended.id).await?;
    ok(session::write(&ended, &rounds))
}

/// `GET /api/sessions`
pub(super) async fn list(visit: Visit) -> Result<Sessions, Failure> {
    let sessions = visit.desk().sessions(&visit.reader()?).await?;
    let wanted = visit.query::<ListSessions>()?.short_ids;
    let short_ids =
        short_ids(visit.desk(), wanted, IdsOf::Sessions, sessions.iter().map(|session| session.id.0)).await?;
    let sessions = sessions.iter().map(session::brief).zip(short_ids).map(with_short_id);
    Ok(Sessions { sessions: sessions.map(shapes::Session).collect() })
}

/// `GET /api/sessions/{id}`
pub(super) async fn show(visit: Visit) -> Result<Response, Failure> {
    let (actor, found) = (visit.reader()?, found(&visit).await?);
    let rounds = visit.desk().rounds(&actor, found.id).await?;
    ok(session::write(&found, &rounds))
}

/// `GET /api/sessions/{id}/messages`
pub(super) async fn messages(visit: Visit) -> Result<Chain, Failure> {
    let found = found(&visit).await?;
    Ok(Chain { messages: chain(&visit, &found).await?.into_iter().map(shapes::Open).collect() })
}

/// `GET /api/sessions/{id}/export?format=jsonl|md`
pub(super) async fn export(visit: Visit) -> Result<Response, Failure> {
    let format = visit.query::<Export>()?.format.unwrap_or(Written::Jsonl);
    let (kind, ending) = match format {
        Written::Jsonl => ("application/x-ndjson; charset=utf-8", "jsonl"),
        Written::Md => ("text/markdown; charset=utf-8", "md"),
    };
    let found = found(&visit).await?;
    let mut lines = String::new();
    for message in chain(&visit, &found).await? {
        // Writing to a text cannot fail.
        let _written = writeln!(lines, "{message}");
    }
    let name = format!("attachment; filename=\"{}.{ending}\"", found.id);
    let text = if format == Written::Md { markdown(&found, lines)? } else { lines };
    let headers = [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, text).into_response())
}

/// The page to read is made of the same lines that leave as a file.
fn markdown(session: &Session, lines: String) -> Result<String, Failure> {
    let mut text = Markdown::title(&session.id.to_string());
    let mut markdown = Markdown::default();
    let read = each_message(Cursor::new(lines), |message| text.push_str(&markdown.message(&message)));
    read.map_err(|_| Failure::internal())?;
    Ok(text)
}

/// Returns the chain of a session: of its rounds, or of everything that was said where it is a task's.
async fn chain(visit: &Visit, session: &Session) -> Result<Vec<Value>, Failure> {
    let desk = visit.desk();
    let rounds = desk.rounds(&visit.reader()?, session.id).await?;
    if desk.task_in(session.id).await?.is_none() {
        return Ok(message::chain(session, &rounds));
    }
    let asks: HashMap<AskId, Arc<Ask>> = rounds.into_iter().map(|ask| (ask.id, ask)).collect();
    let mut chain = message::Chain::new(session);
    let mut lines = Vec::new();
    let mut after = 0;
    loop {
        let facts = desk.facts_after(session.id, after, FACTS_AT_ONCE).await?;
        let Some(last) = facts.last() else { return Ok(lines) };
        after = last.number;
        for fact in facts.iter().filter_map(|numbered| numbered.fact.as_deref()) {
            let ask = fact.ask().and_then(|id| asks.get(&id));
            lines.extend(chain.fact(fact, ask.map(|ask| &**ask)));
        }
    }
}

async fn found(visit: &Visit) -> Result<Session, Failure> {
    Ok(visit.desk().session(&visit.reader()?, visit.param()).await?)
}
