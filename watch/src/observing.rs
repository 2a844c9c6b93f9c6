//! Follows the facts and keeps the figures.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use askuser_core::ask::{Ask, State};
use askuser_core::fact::Fact;
use askuser_core::id::{AskId, SessionId};
use askuser_core::outcome::{Channel, Ending, Outcome};
use askuser_core::time::Timestamp;

use super::Watch;
use super::traces::Step;
use askuser_desk::{Numbered, Update};
use askuser_system::backoff::Pauses;
use parking_lot::{Mutex, MutexGuard};

/// Asks read from the store in one go.
const PAGE: usize = 256;

/// The open asks, as far as figures need them.
#[derive(Debug, Default)]
pub(super) struct Observing(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    open: HashMap<AskId, Open>,
    n_shown: usize,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    asked_at: Timestamp,
    shown: bool,
    /// None where it was open before we looked on: then nobody knows.
    viewed: Option<bool>,
}

impl Known {
    /// What we heard of goes before what stood in the store, which may be older.
    fn put(&mut self, ask: AskId, open: Open) {
        if let Entry::Vacant(place) = self.open.entry(ask) {
            place.insert(open);
            self.n_shown += usize::from(open.shown);
        }
    }

    fn show(&mut self, ask: AskId) {
        if let Some(open) = self.open.get_mut(&ask).filter(|open| !open.shown) {
            open.shown = true;
            self.n_shown += 1;
        }
    }

    fn remove(&mut self, ask: AskId) -> Option<Open> {
        let open = self.open.remove(&ask)?;
        self.n_shown -= usize::from(open.shown);
        Some(open)
    }
}

/// Follows the facts until the desk closes.
pub(super) async fn observe(watch: Arc<Watch>) {
    let mut listener = watch.desk.listen_to_all();
    while watch.take_stock().await.is_err() {
        tokio::time::sleep(Pauses::OF_THE_STORE.after(1)).await;
    }
    loop {
        match listener.next().await {
            Ok(Update::Fact(fact)) => watch.take(&fact).await,
            Ok(Update::Closing) => return,
            Err(_) => tokio::time::sleep(Pauses::OF_THE_STORE.after(1)).await,
        }
    }
}

impl Watch {
    /// Notes that a surface of the person has an ask.
    pub(super) fn viewed(&self, ask: AskId) {
        let asked_at = match self.known().open.get_mut(&ask) {
            Some(open) if open.viewed == Some(false) => {
                open.viewed = Some(true);
                open.asked_at
            }
            _ => return,
        };
        self.metrics.first_view.observe(self.now().since(asked_at).as_secs_f64());
    }

    /// Learns what is open already.
    async fn take_stock(&self) -> Result<(), askuser_desk::DeskError> {
        let mut after = None;
        loop {
            let asks = self.desk.across_users().open_asks(after, PAGE).await?;
            for ask in &asks {
                let shown = ask.state == State::Showing;
                let open = Open { asked_at: ask.asked_at, shown, viewed: None };
                self.known().put(ask.id, open);
            }
            after = asks.last().map(|ask| ask.id);
            if asks.len() < PAGE {
                self.count_open();
                return Ok(());
            }
        }
    }

    async fn take(&self, numbered: &Numbered) {
        match numbered.fact.as_deref() {
            Some(Fact::Asked(ask)) => self.asked(ask),
            Some(Fact::Shown { ask }) => {
                self.trace(*ask, numbered.at, &Step::Shown);
                self.known().show(*ask);
                self.count_open();
            }
            Some(Fact::Closed { ask, outcome }) => self.closed(*ask, outcome),
            Some(Fact::Delivered { ask }) => self.trace(*ask, numbered.at, &Step::Delivered),
            Some(Fact::SessionEnded { session, .. }) => self.session_ended(*session).await,
            _ => {}
        }
    }

    fn asked(&self, ask: &Ask) {
        self.metrics.asked.inc();
        self.trace(ask.id, ask.asked_at, &Step::Asked(ask.terms.asker.agent.as_deref()));
        let open = Open { asked_at: ask.asked_at, shown: false, viewed: Some(false) };
        self.known().put(ask.id, open);
        self.count_open();
    }

    fn closed(&self, ask: AskId, outcome: &Outcome) {
        let answered_by = outcome.answered_by().unwrap_or("nobody");
        let channel = match &outcome.by.channel {
            // The names of services are the operator's; figures need no more than the kind.
            Channel::Notify(_) => "notify",
            channel => channel.name(),
        };
        let ending = match outcome.ending {
            Ending::Answered(_) => "answered",
            Ending::Declined => "declined",
            Ending::Withdrawn => "withdrawn",
            Ending::Expired { .. } => "expired",
        };
        self.trace(ask, outcome.at, &Step::Closed(ending));
        let labels = [
            ("outcome", ending.to_owned()),
            ("channel", channel.to_owned()),
            ("answered_by", answered_by.to_owned()),
        ];
        self.metrics.closed.get_or_create(&labels).inc();
        let open = self.known().remove(ask);
        if let (Some(open), "person") = (open, answered_by) {
            let took = outcome.at.since(open.asked_at).as_secs_f64();
            self.metrics.response_time.observe(took);
            self.windows.question_response_time.note(self.now(), took);
        }
        self.count_open();
    }

    async fn session_ended(&self, session: SessionId) {
        // One that cannot be read now is missing in a figure, and nowhere else.
        let Ok(Some(session)) = self.desk.across_users().session(session).await else { return };
        let lived = session.last_activity.since(session.created_at).as_secs_f64();
        self.metrics.session_duration.observe(lived);
        self.windows.session_duration.note(self.now(), lived);
    }

    #[expect(clippy::cast_precision_loss, reason = "nobody has so many open asks")]
    fn count_open(&self) {
        let (n_open, n_shown) = {
            let known = self.known();
            (known.open.len(), known.n_shown)
        };
        self.metrics.open.set(i64::try_from(n_open).unwrap_or(i64::MAX));
        self.metrics.shown.set(i64::try_from(n_shown).unwrap_or(i64::MAX));
        self.windows.concurrent_questions.note(self.now(), n_open as f64);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.observing.0.lock()
    }
}
