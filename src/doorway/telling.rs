//! The story of each ask in two lines of the log: asked, closed. Never what was asked or answered.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::command::Actor;
use askuser_core::entry::Entry;
use askuser_core::id::{AskId, QuestionId, SessionId};

use crate::desk::{Asked, Desk, DeskError, Request};

/// Asks, and says so.
pub(crate) async fn ask(desk: &Desk, actor: &Actor, request: Request) -> Result<Asked, DeskError> {
    let asked = desk.ask(actor, request).await?;
    if !asked.joined {
        let ask = &asked.ask;
        let agent = ask.terms.asker.agent.as_deref().unwrap_or("an agent");
        let n_questions = ask.questions.top().len();
        tracing::info!(ask.id = %ask.id, asker.agent = agent, round = ask.round, n_questions, "Asked {}", ask.id);
    }
    Ok(asked)
}

/// Answers the whole ask, and says so.
pub(crate) async fn answer(
    desk: &Desk,
    actor: &Actor,
    ask: AskId,
    entries: Vec<(QuestionId, Entry)>,
) -> Result<Arc<Ask>, DeskError> {
    desk.answer(actor, ask, entries).await.inspect(|ask| closed(ask))
}

/// Answers one question, and says so where that was the last.
pub(crate) async fn answer_one(
    desk: &Desk,
    actor: &Actor,
    session: SessionId,
    question: QuestionId,
    entry: Entry,
) -> Result<Arc<Ask>, DeskError> {
    desk.answer_one(actor, session, question, entry).await.inspect(|ask| closed(ask))
}

/// Declines, and says so.
pub(crate) async fn decline(
    desk: &Desk,
    actor: &Actor,
    ask: AskId,
    reason: Option<String>,
) -> Result<Arc<Ask>, DeskError> {
    desk.decline(actor, ask, reason).await.inspect(|ask| closed(ask))
}

/// Takes an ask back, and says so.
pub(crate) async fn withdraw(desk: &Desk, actor: &Actor, ask: AskId) -> Result<Arc<Ask>, DeskError> {
    desk.withdraw(actor, ask).await.inspect(|ask| closed(ask))
}

fn closed(ask: &Ask) {
    let Some(outcome) = ask.state.outcome() else { return };
    let wait_ms = u64::try_from(outcome.at.since(ask.asked_at).as_millis()).unwrap_or(u64::MAX);
    let (status, channel) = (outcome.status(), outcome.by.channel.name());
    tracing::info!(ask.id = %ask.id, outcome = status, wait_ms, channel, "Closed {}: {status}", ask.id);
}
