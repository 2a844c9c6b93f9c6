//! Taking an ask in.

use std::collections::HashSet;
use std::sync::Arc;

use askuser_core::ask::{Ask, Fingerprint, State};
use askuser_core::asker::{Asker, Terms, Timing};
use askuser_core::command::{Actor, Command, KnownBy, NewAsk};
use askuser_core::content::Content;
use askuser_core::decide::Refusal;
use askuser_core::hex::hex;
use askuser_core::id::SessionId;
use askuser_core::question::Questions;
use askuser_core::session::{DERIVED, Origin, Session, SessionStatus};
use sha2::{Digest, Sha256};

use super::{Desk, DeskError, people};
use askuser_core::content;
use askuser_store::{Committed, SessionRef};

/// A checked ask and where it came from.
#[derive(Debug, Clone)]
pub struct Request {
    /// What is asked.
    pub questions: Questions,
    /// Who asks and under which terms.
    pub terms: Terms,
    /// What tells this asker from others of the same user where no session is named: its key, and
    /// its own session or process.
    pub asker_key: String,
    /// By what the asker is known again when it comes back: then what it missed is handed over to it.
    pub known_by: KnownBy,
}

/// An ask that was taken in.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The ask: new, or the open one that it joined.
    pub ask: Arc<Ask>,
    pub session: Option<Arc<Session>>,
    /// Whether it had been asked before.
    pub joined: bool,
}

impl Desk {
    /// Takes an ask in. When this returns, it is on the disk.
    pub async fn ask(&self, actor: &Actor, mut request: Request) -> Result<Asked, DeskError> {
        if self.0.stopping.is_cancelled() {
            return Err(DeskError::Closing);
        }
        self.look_up(&actor.user, &mut request.terms).await?;
        let now = self.now();
        let id = self.0.ids.ask(now);
        let session = self.session_ref(&request);
        let fingerprint = content::digest(Content::new(&request.questions, &request.terms));
        if request.known_by != KnownBy::Nothing && request.terms.tool_use.is_some() {
            Box::pin(self.take_over_call(actor, &session, fingerprint, &mut request)).await?;
        }
        let new = NewAsk {
            id,
            // The store puts the session in that the name stands for.
            session: if let SessionRef::Id(session) = session { session } else { SessionId(0) },
            questions: request.questions,
            terms: Arc::new(request.terms),
            otherwise: self.defaults().timing(),
            fingerprint,
            known_by: request.known_by,
        };
        let key = new.terms.idempotency_key.clone();
        // Before the store is asked: what it has not seen noted may be noted by the time it answers.
        let being_noted = match new.known_by {
            KnownBy::Nothing => HashSet::new(),
            KnownBy::Program | KnownBy::Place => self.0.deliveries.being_noted(),
        };
        let command = Command::Ask(Box::new(new));
        let mut committed = self.take_in(actor, session.clone(), command.clone()).await?;
        let by_key = |ask: &Ask| key.is_some() && ask.terms.idempotency_key == key;
        if let Some(missed) = committed.ask.as_ref().filter(|ask| committed.joined && !by_key(ask))
            && matches!(missed.state, State::Closed(_))
            // Rare, so it takes no room in every ask.
            && Box::pin(self.was_handed_over(actor, missed, &being_noted)).await?
        {
            // It was handed over and only not noted yet: this one is a new round.
            committed = Box::pin(self.take_in(actor, session, command)).await?;
        }
        let ask = committed.ask.ok_or(DeskError::Refused(Refusal::AskNotFound))?;
        let ask = people::seen_by(actor, ask);
        Ok(Asked { ask, session: committed.session, joined: committed.joined })
    }

    async fn take_in(
        &self,
        actor: &Actor,
        session: SessionRef,
        command: Command,
    ) -> Result<Committed, DeskError> {
        match (self.carry_out(actor, session.clone(), command.clone()).await, session) {
            // Whoever knows a session by our id finds the one that goes on from it.
            (Err(DeskError::Refused(Refusal::SessionNotFound)), SessionRef::Id(old)) => {
                let goes_on = Box::pin(self.current_session(actor, &old.to_string())).await?;
                Box::pin(self.carry_out(actor, SessionRef::Id(goes_on.id), command)).await
            }
            (committed, _) => committed,
        }
    }

    /// Two calls with the same words are two questions, but only while both wait: an agent whose connection or
    /// process went away makes its call again, under a new name. Where nothing but its program is known of an agent,
    /// another may ask the same: then the first must be gone, and not just between two looks.
    async fn take_over_call(
        &self,
        actor: &Actor,
        session: &SessionRef,
        fingerprint: Fingerprint,
        request: &mut Request,
    ) -> Result<(), DeskError> {
        let id = match session {
            SessionRef::Id(id) => Some(*id),
            SessionRef::OfAsk(_) => None,
            SessionRef::Named { external_id, .. } => {
                self.0.store.session_named(&actor.user, external_id).await?.map(|session| session.id)
            }
        };
        let open = match id {
            Some(id) => self.0.store.open_in(id).await?,
            None => Vec::new(),
        };
        let is_left = |ask: &&Arc<Ask>| {
            ask.fingerprint == fingerprint
                && ask.asked_by == actor.key
                && !self.0.bulletin.is_waited_for(ask.id)
                && (request.known_by == KnownBy::Place || !self.0.bulletin.is_expected(ask.id))
        };
        if let Some(left) = open.iter().find(is_left) {
            request.terms.tool_use.clone_from(&left.terms.tool_use);
        }
        Ok(())
    }

    /// Begins a session, or finds the one of that name.
    pub async fn open_session(
        &self,
        actor: &Actor,
        name: Option<String>,
        total_rounds: Option<u32>,
        timing: Timing,
    ) -> Result<Session, DeskError> {
        let fresh = self.0.ids.session(self.now());
        let external_id = name.unwrap_or_else(|| fresh.to_string());
        let session = SessionRef::Named { external_id: external_id.clone(), origin: Origin::Named, fresh };
        let command = Command::OpenSession {
            session: fresh,
            external_id: Some(external_id),
            origin: Origin::Named,
            total_rounds,
            timing,
        };
        let committed = self.carry_out(actor, session, command).await?;
        let session = committed.session.map(Arc::unwrap_or_clone);
        session.ok_or(DeskError::Refused(Refusal::SessionNotFound))
    }

    /// Ends a session that has no open ask: nothing more is asked in it (D5).
    pub async fn end_session(&self, actor: &Actor, session: SessionId) -> Result<Session, DeskError> {
        let command = Command::EndSession { session };
        let committed = self.carry_out(actor, SessionRef::Id(session), command).await?;
        let session = committed.session.map(Arc::unwrap_or_clone);
        session.ok_or(DeskError::Refused(Refusal::SessionNotFound))
    }

    /// Returns the session of this name or id; where that has ended and another goes on from it, that one (D13).
    pub async fn current_session(&self, actor: &Actor, name: &str) -> Result<Session, DeskError> {
        let session = self.session(actor, name).await?;
        if session.status == SessionStatus::Active {
            Ok(session)
        } else {
            self.goes_on_in(actor, session).await
        }
    }

    fn session_ref(&self, request: &Request) -> SessionRef {
        let fresh = self.0.ids.session(self.now());
        let Some(name) = &request.terms.session else {
            let external_id = derived(&request.asker_key, &request.terms.asker);
            return SessionRef::Named { external_id, origin: Origin::Derived, fresh };
        };
        match name.parse::<SessionId>() {
            Ok(id) => SessionRef::Id(id),
            Err(_) => SessionRef::Named { external_id: name.clone(), origin: Origin::Named, fresh },
        }
    }

    /// Returns what waits for an asker: its open asks, and those that ended without its being told.
    /// The newest come last, and only so many of them.
    pub async fn asks_of_asker(
        &self,
        actor: &Actor,
        session: Option<&str>,
        asker_key: &str,
        asker: &Asker,
    ) -> Result<Vec<Arc<Ask>>, DeskError> {
        let name = session.map_or_else(|| derived(asker_key, asker), str::to_owned);
        let session = match self.session(actor, &name).await {
            Ok(session) => session,
            // Who has never asked has nothing waiting.
            Err(DeskError::Refused(Refusal::SessionNotFound)) => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut asks = self.rounds(actor, session.id).await?;
        let untold =
            |ask: &Ask| matches!(ask.state, State::Closed(_)) && !self.0.deliveries.is_being_noted(ask.id);
        asks.retain(|ask| ask.is_open() || untold(ask));
        asks.drain(..asks.len().saturating_sub(ASKS_OF_ASKER_MAX));
        Ok(asks)
    }
}

/// Asks of one asker that are listed at once.
const ASKS_OF_ASKER_MAX: usize = 20;

/// The name of the session of an ask that names none: the same for the same asker, so that a
/// repeated ask finds the open one.
fn derived(asker_key: &str, asker: &Asker) -> String {
    let mut digest = Sha256::new();
    for part in [Some(asker_key), asker.agent.as_deref(), asker.folder.as_deref()] {
        let part = part.unwrap_or_default();
        digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        digest.update(part);
    }
    format!("{DERIVED}{}", hex(&digest.finalize()))
}
