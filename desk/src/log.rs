//! The story of each ask in two lines of the log: asked, closed. Never what was asked or answered.

use askuser_core::ask::Ask;
use askuser_core::fact::Fact;
use askuser_core::id::AskId;
use askuser_core::outcome::Outcome;

use askuser_store::Committed;

/// Logs what was committed, whoever wanted it.
pub(super) fn committed(committed: &Committed) {
    for numbered in &committed.facts {
        match numbered.fact.as_deref() {
            Some(Fact::Asked(ask)) => asked(ask),
            Some(Fact::Closed { ask, outcome }) => closed(*ask, outcome, committed.ask.as_deref()),
            _ => {}
        }
    }
}

fn asked(ask: &Ask) {
    let agent = ask.terms.asker.agent.as_deref().unwrap_or("unknown");
    let (id, n_questions) = (ask.id, ask.questions.top().len());
    tracing::info!(ask.id = %id, asker.agent = agent, round = ask.round, n_questions, "Asked {id}");
}

fn closed(id: AskId, outcome: &Outcome, ask: Option<&Ask>) {
    let asked_at = ask.filter(|ask| ask.id == id).map(|ask| ask.asked_at);
    let wait_ms = asked_at.map(|at| u64::try_from(outcome.at.since(at).as_millis()).unwrap_or(u64::MAX));
    let (status, channel) = (outcome.status(), outcome.by.channel.name());
    tracing::info!(ask.id = %id, outcome = status, wait_ms, channel, "Closed {id}: {status}");
}
