//! The sessions of older MCP clients: whose each is, how many there may be, and when one ends.
//!
//! The SDK keeps a session for whoever knows its id, and as many as anybody asks for, each with tasks of
//! its own. Here a session is the key's that began it; where a key has all that it may, the one that it
//! has not used for the longest makes room; and one that nobody uses ends by itself.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::http::request::Parts;
use futures_core::Stream;
use futures_util::StreamExt;
use futures_util::future::ready;
use parking_lot::{Mutex, MutexGuard};
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, ProtocolVersion, RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError,
};
use rmcp::transport::streamable_http_server::session::{
    RestoreOutcome, ServerSseMessage, SessionId, SessionManager,
};
use tokio::time::Instant;

use super::handing::{Handing, HandingStream};
use super::json_rpc::{cancelled, guest, is_call, is_request, stream_name, version};
use super::remembered::Remembered;

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

/// What is said to a client.
type Told = Pin<Box<dyn Stream<Item = ServerSseMessage> + Send + Sync>>;

/// Who sends a request, and whether a session was refused to them.
struct Caller {
    owner: String,
    parts: Parts,
    refused: Mutex<Option<Full>>,
}

/// Whose the request is that is being answered.
pub(super) fn caller() -> Option<String> {
    CALLER.try_with(|caller| caller.owner.clone()).ok()
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
    /// What is kept of them for the next daemon.
    remembered: Option<Remembered>,
}

struct Open {
    owner: String,
    /// When it was used last.
    used: Instant,
    /// Requests and streams of it that are open just now.
    n_in_use: usize,
    /// What replies to its requests carry.
    handing: Handing,
    /// Calls that the last daemon did not answer, by the names of their streams.
    lost: HashMap<String, ClientJsonRpcMessage>,
    /// Whether its client knows events without data, by which a stream says where it can be taken up again.
    /// Older clients read JSON out of them and fail.
    knows_empty_events: bool,
}

impl Open {
    fn new(owner: String) -> Self {
        let handing = Handing::default();
        let (used, lost) = (Instant::now(), HashMap::new());
        Self { owner, used, n_in_use: 0, handing, lost, knows_empty_events: false }
    }
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
    pub(super) fn new(remembered: Option<Remembered>) -> Self {
        let mut sessions = Self { remembered, ..Self::default() };
        sessions.local.session_config.keep_alive = Some(SDK_IDLE_MAX);
        sessions
    }

    /// Answers a request of this caller; besides, why a session was refused to them, where one was.
    pub(super) async fn answering<T>(
        &self,
        owner: &str,
        parts: Parts,
        answering: impl Future<Output = T>,
    ) -> (T, Option<Full>) {
        let caller = Arc::new(Caller { owner: owner.to_owned(), parts, refused: Mutex::default() });
        let answered = CALLER.scope(Arc::clone(&caller), answering).await;
        let refused = *caller.refused.lock();
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

    /// Returns what replies in a session carry.
    fn handing(&self, id: &SessionId) -> Handing {
        self.open().get(id).map(|session| session.handing.clone()).unwrap_or_default()
    }

    /// Hands a message of a session in; returns the stream of what is said to it. A call is kept until it is answered.
    async fn stream_of(
        &self,
        id: &SessionId,
        mut message: ClientJsonRpcMessage,
    ) -> Result<Told, SessionError> {
        if let Some(guest) = guest(&mut message) {
            // What is not written here may be on another stream of the session.
            guest.handing = self.handing(id);
        }
        let call = Some(&message).filter(|message| is_call(message)).cloned();
        let mut stream = Box::pin(self.local.create_stream(id, message).await?);
        let (Some(call), Some(kept)) = (call, &self.remembered) else { return Ok(self.told(id, stream)) };
        // It begins with its own name.
        let first = stream.next().await;
        let name =
            first.as_ref().and_then(|first| stream_name(first.event_id.as_deref()?)).map(str::to_owned);
        if let Some(name) = &name {
            kept.keep_call(id, name, &call);
        }
        let (kept, session) = (kept.clone(), id.clone());
        let stream = futures_util::stream::iter(first).chain(stream).inspect(move |event| {
            let is_answer = matches!(
                event.message.as_deref(),
                Some(JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_))
            );
            if let (true, Some(name)) = (is_answer, &name) {
                kept.forget_call(&session, name);
            }
        });
        Ok(self.told(id, stream))
    }

    /// A call that was cancelled is not made again.
    fn forget_cancelled(&self, id: &SessionId, request: &RequestId) {
        if let Some(session) = self.open().get_mut(id) {
            session.lost.retain(|_, call| !is_request(call, request));
        }
        if let Some(kept) = &self.remembered {
            kept.forget_cancelled(id, request);
        }
    }

    /// A stream of a session as its client can read it, with what its replies carry.
    fn told<S: Stream<Item = ServerSseMessage> + Send + Sync + 'static>(
        &self,
        id: &SessionId,
        stream: S,
    ) -> Told {
        let knows_empty = self.open().get(id).is_some_and(|session| session.knows_empty_events);
        let stream = stream.filter(move |event| ready(knows_empty || event.message.is_some()));
        Box::pin(HandingStream::new(stream, self.handing(id)))
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
        if let Some(remembered) = &self.remembered {
            remembered.forget(id);
        }
        if let Err(error) = self.close_session(id).await {
            tracing::warn!("A session of an MCP client did not end in good order: {error}");
        }
    }

    /// Makes room for one more session of whoever calls, and returns whose it is.
    async fn make_room(&self) -> Result<String, SessionError> {
        let caller = CALLER.try_with(Arc::clone).map_err(|_| SessionError::Nobody)?;
        match self.room_for(&caller.owner) {
            Ok(None) => {}
            Ok(Some(oldest)) => self.end(&oldest).await,
            Err(full) => {
                *caller.refused.lock() = Some(full);
                return Err(SessionError::Full);
            }
        }
        Ok(caller.owner.clone())
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
        self.open.lock()
    }
}

impl SessionManager for Sessions {
    type Error = SessionError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        let _beginning = self.beginning.lock().await;
        let owner = self.make_room().await?;
        let (id, transport) = self.local.create_session().await?;
        self.open().insert(id.clone(), Open::new(owner));
        Ok((id, transport))
    }

    async fn restore_session(&self, id: SessionId) -> Result<RestoreOutcome<Self::Transport>, Self::Error> {
        let _beginning = self.beginning.lock().await;
        let owner = self.make_room().await?;
        let restored = self.local.restore_session(id.clone()).await?;
        if matches!(restored, RestoreOutcome::Restored(_)) {
            let lost = self.remembered.as_ref().map(|kept| kept.calls(&id)).unwrap_or_default();
            self.open().insert(id, Open { lost, ..Open::new(owner) });
        }
        Ok(restored)
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        let said = self.local.initialize_session(id, message).await?;
        if let Some(session) = self.open().get_mut(id) {
            session.knows_empty_events = version(&said) >= Some(&ProtocolVersion::V_2025_11_25);
        }
        Ok(said)
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
        self.stream_of(id, message).await
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Self::Error> {
        if let Some(request) = cancelled(&message) {
            self.forget_cancelled(id, request);
        }
        Ok(self.local.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        Ok(self.told(id, self.local.create_standalone_stream(id).await?))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let lost =
            stream_name(&last_event_id).and_then(|stream| self.open().get_mut(id)?.lost.remove(stream));
        if let (Some(mut call), Ok(parts)) = (lost, CALLER.try_with(|caller| caller.parts.clone())) {
            // Asking the same again joins, so a call that was lost with the last daemon is just made again.
            call.insert_extension(parts);
            return self.stream_of(id, call).await;
        }
        Ok(self.told(id, self.local.resume(id, last_event_id).await?))
    }
}

#[cfg(test)]
mod tests;
