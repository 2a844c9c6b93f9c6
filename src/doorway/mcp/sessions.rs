//! The sessions of older MCP clients: whose each is, how many there may be, and when one ends.
//!
//! The SDK keeps a session for whoever knows its id, and as many as anybody asks for, each with tasks of
//! its own. Here a session is the key's that began it; where a key has all that it may, the one that it
//! has not used for the longest makes room; and one that nobody uses ends by itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use futures_core::Stream;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError,
};
use rmcp::transport::streamable_http_server::session::{ServerSseMessage, SessionId, SessionManager};
use tokio::time::Instant;

/// Sessions of one key at once.
pub const SESSIONS_PER_KEY_MAX: usize = 100;
/// Sessions of all keys at once: each costs some 150 KB.
pub const SESSIONS_MAX: usize = 400;
/// Longer than any session is idle: the SDK does not know that a call which waits is no idle one, so we
/// look for ourselves.
const SDK_IDLE_MAX: Duration = Duration::from_hours(24 * 7);

tokio::task_local! {
    /// Who sends the request that is being answered.
    static CALLER: Arc<Caller>;
}

/// Who sends a request, and whether a session was refused to them.
struct Caller {
    owner: String,
    refused: Mutex<Option<Full>>,
}

/// Why there is no session to be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Full {
    /// This key has as many as it may, and all are in use.
    Key,
    /// All keys together have.
    Desk,
}

/// Why the SDK gets no session.
#[derive(Debug, thiserror::Error)]
pub(super) enum SessionError {
    /// The SDK's own reasons.
    #[error(transparent)]
    Local(#[from] LocalSessionManagerError),
    /// There are too many.
    #[error("there are too many sessions")]
    Full,
    /// Nobody knows whose it would be.
    #[error("nobody knows whose session this is")]
    Nobody,
}

/// Every session there is.
#[derive(Default)]
pub(super) struct Sessions {
    local: LocalSessionManager,
    open: Mutex<HashMap<SessionId, Open>>,
    /// Held while a session begins, so that two do not take the last place.
    beginning: tokio::sync::Mutex<()>,
}

struct Open {
    owner: String,
    /// When it was used last.
    used: Instant,
    /// Requests and streams of it that are open just now.
    n_in_use: usize,
}

/// Keeps a session from being idle, for as long as it is held.
pub(super) struct InUse {
    sessions: Weak<Sessions>,
    id: SessionId,
}

impl Drop for InUse {
    fn drop(&mut self) {
        let Some(sessions) = self.sessions.upgrade() else { return };
        if let Some(session) = sessions.open().get_mut(&self.id) {
            session.n_in_use = session.n_in_use.saturating_sub(1);
            session.used = Instant::now();
        }
    }
}

/// A session as a caller sees it.
pub(super) enum Seen {
    /// It is theirs.
    Own(InUse),
    /// It is another key's.
    Foreign,
    /// There is none.
    Unknown,
}

impl Sessions {
    pub(super) fn new() -> Self {
        let mut sessions = Self::default();
        sessions.local.session_config.keep_alive = Some(SDK_IDLE_MAX);
        sessions
    }

    /// Answers a request of this caller; besides, why a session was refused to them, where one was.
    pub(super) async fn answering<T>(
        &self,
        owner: &str,
        answering: impl Future<Output = T>,
    ) -> (T, Option<Full>) {
        let caller = Arc::new(Caller { owner: owner.to_owned(), refused: Mutex::default() });
        let answered = CALLER.scope(Arc::clone(&caller), answering).await;
        let refused = *caller.refused.lock().unwrap_or_else(PoisonError::into_inner);
        (answered, refused)
    }

    /// Finds a session for its caller, and keeps it from being idle.
    pub(super) fn find(self: &Arc<Self>, id: &str, owner: &str) -> Seen {
        let mut open = self.open();
        let id = SessionId::from(id);
        let Some(session) = open.get_mut(&id) else { return Seen::Unknown };
        if session.owner != owner {
            return Seen::Foreign;
        }
        session.n_in_use += 1;
        session.used = Instant::now();
        Seen::Own(InUse { sessions: Arc::downgrade(self), id })
    }

    /// Ends sessions that nobody has used for so long.
    pub(super) async fn end_idle(&self, idle_max: Duration) {
        let idle: Vec<SessionId> = {
            let open = self.open();
            let idle = open.iter().filter(|(_, it)| it.n_in_use == 0 && it.used.elapsed() >= idle_max);
            idle.map(|(id, _)| id.clone()).collect()
        };
        for id in idle {
            self.end(&id).await;
        }
    }

    async fn end(&self, id: &SessionId) {
        if let Err(error) = self.close_session(id).await {
            tracing::warn!("A session of an MCP client did not end in good order: {error}");
        }
    }

    /// Makes room for one more session of this owner: the one that they have not used for the longest
    /// ends. What is in use stays, and so does what is another's.
    fn room_for(&self, owner: &str) -> Result<Option<SessionId>, Full> {
        let open = self.open();
        let own = || open.iter().filter(|(_, session)| session.owner == owner);
        let full = match (own().count() >= SESSIONS_PER_KEY_MAX, open.len() >= SESSIONS_MAX) {
            (true, _) => Full::Key,
            (false, true) => Full::Desk,
            (false, false) => return Ok(None),
        };
        let idle = own().filter(|(_, session)| session.n_in_use == 0);
        idle.min_by_key(|(_, session)| session.used).map(|(id, _)| Some(id.clone())).ok_or(full)
    }

    fn open(&self) -> MutexGuard<'_, HashMap<SessionId, Open>> {
        // Nothing panics while it is held.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SessionManager for Sessions {
    type Error = SessionError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        let caller = CALLER.try_with(Arc::clone).map_err(|_| SessionError::Nobody)?;
        let _beginning = self.beginning.lock().await;
        match self.room_for(&caller.owner) {
            Ok(None) => {}
            Ok(Some(oldest)) => self.end(&oldest).await,
            Err(full) => {
                *caller.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(full);
                return Err(SessionError::Full);
            }
        }
        let (id, transport) = self.local.create_session().await?;
        let session = Open { owner: caller.owner.clone(), used: Instant::now(), n_in_use: 0 };
        self.open().insert(id.clone(), session);
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        Ok(self.local.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        Ok(self.local.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        self.open().remove(id);
        Ok(self.local.close_session(id).await?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        Ok(self.local.create_stream(id, message).await?)
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Self::Error> {
        Ok(self.local.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        Ok(self.local.create_standalone_stream(id).await?)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        Ok(self.local.resume(id, last_event_id).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds sessions that were used so long ago.
    fn with(sessions: &Arc<Sessions>, owner: &str, n: usize, ago: Duration) {
        let used = Instant::now().checked_sub(ago).unwrap();
        for number in 0..n {
            let session = Open { owner: owner.to_owned(), used, n_in_use: 0 };
            sessions.open().insert(format!("{owner} {number:03}").into(), session);
        }
    }

    /// S5: a key has so many sessions and no more; what it has not used for the longest makes room, what it
    /// uses and what is another's never does.
    #[tokio::test]
    async fn s5_a_key_makes_room_for_its_own_sessions_only() {
        let sessions = Arc::new(Sessions::new());
        with(&sessions, "ann", 1, Duration::from_secs(9));
        with(&sessions, "bob", SESSIONS_PER_KEY_MAX - 1, Duration::from_secs(5));
        assert_eq!(sessions.room_for("bob"), Ok(None));
        with(&sessions, "bob", SESSIONS_PER_KEY_MAX, Duration::from_secs(5));
        let used: Vec<_> = (0..SESSIONS_PER_KEY_MAX - 1)
            .map(|number| sessions.find(&format!("bob {number:03}"), "bob"))
            .collect();
        assert_eq!(sessions.room_for("bob"), Ok(Some("bob 099".into())));
        let last = sessions.find("bob 099", "bob");
        assert_eq!(sessions.room_for("bob"), Err(Full::Key));
        assert_eq!(sessions.room_for("ann"), Ok(None));
        for owner in ["cid", "dan", "eve", "fay"] {
            with(&sessions, owner, SESSIONS_PER_KEY_MAX, Duration::ZERO);
        }
        assert_eq!(sessions.room_for("gil"), Err(Full::Desk));
        assert_eq!(sessions.room_for("ann"), Ok(Some("ann 000".into())));
        drop((used, last));
        assert!(matches!(sessions.room_for("bob"), Ok(Some(_))));
    }

    /// S7: a session is found by the key that began it, and by no other.
    #[tokio::test]
    async fn s7_a_session_is_its_keys_and_ends_when_nobody_uses_it() {
        let sessions = Arc::new(Sessions::new());
        with(&sessions, "ann", 2, Duration::from_secs(9));
        assert!(matches!(sessions.find("ann 000", "bob"), Seen::Foreign));
        assert!(matches!(sessions.find("bob 000", "bob"), Seen::Unknown));
        let held = sessions.find("ann 000", "ann");
        assert!(matches!(held, Seen::Own(_)));
        sessions.end_idle(Duration::from_secs(8)).await;
        assert!(matches!(sessions.find("ann 001", "ann"), Seen::Unknown), "nobody used it");
        sessions.end_idle(Duration::ZERO).await;
        drop(held);
        assert!(matches!(sessions.find("ann 000", "ann"), Seen::Own(_)), "it was in use");
        sessions.end_idle(Duration::ZERO).await;
        assert!(matches!(sessions.find("ann 000", "ann"), Seen::Unknown));
    }
}
