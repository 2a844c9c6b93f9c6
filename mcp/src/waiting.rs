//! A call that waits: tells of progress, listens to the agent's own dialog, and comes back in time.
//!
//! A call that is cancelled or dropped just leaves: its question stays open (invariant 13).

use std::future::pending;
use std::pin::pin;
use std::time::Duration;

use parking_lot::Mutex;
use rmcp::RoleServer;
use rmcp::model::{
    CancelledNotificationParam, ClientResult, ElicitRequest, ElicitRequestParams, ProgressNotificationParam,
    ProgressToken, RequestId, ServerRequest,
};
use rmcp::service::{Peer, PeerRequestOptions, RequestContext};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::desk::DeskHandle;
use super::dialog::{self, Came};
use super::hold::{Held, Next};
use super::progress;
use super::snapshot::AskSnapshot;
use super::trouble::Trouble;

/// How often a waiting call says that it waits.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// A call that waits.
pub(super) struct Waiting<'a> {
    pub(super) at: &'a DeskHandle,
    /// The ask as it stood.
    pub(super) snapshot: AskSnapshot,
    /// No longer than this.
    pub(super) hold: Duration,
    /// Whether the agent's own dialog is asked beside.
    pub(super) dialog: bool,
    /// What the client calls itself.
    pub(super) program: Option<&'a str>,
    pub(super) context: &'a RequestContext<RoleServer>,
    /// Cancelled when the client has left.
    pub(super) left: &'a CancellationToken,
}

impl Waiting<'_> {
    /// Waits for the end of the ask.
    pub(super) async fn wait(self) -> Result<AskSnapshot, Trouble> {
        let Self { at, snapshot, hold, dialog, program, context, left } = self;
        let begun = Instant::now();
        let token = context.meta.get_progress_token();
        // Without a token nobody listens to progress.
        let mut course = Held::new(hold, if token.is_some() { TELL_EVERY } else { hold });
        let shown = Shown::default();
        let showing = async {
            if dialog {
                shown.show(at, program, &snapshot, &context.peer).await;
            }
            // What the dialog was told is at the desk, which wakes us.
            pending::<()>().await;
        };
        let mut showing = pin!(showing);
        let waited = {
            let mut ending = pin!(at.wait(snapshot.id, hold));
            loop {
                let next = course.next();
                let (Next::Tell(after) | Next::ComeBack(after)) = next;
                tokio::select! {
                    biased;
                    ended = ending.as_mut() => break Some(ended),
                    // Whoever has left or gone on waits for nothing.
                    () = context.ct.cancelled() => break Some(Ok(snapshot.clone())),
                    () = left.cancelled() => break Some(Ok(snapshot.clone())),
                    () = showing.as_mut() => {}
                    () = sleep_until(begun + after) => match (next, &token) {
                        (Next::ComeBack(_), _) => break None,
                        (Next::Tell(_), None) => course.told(),
                        (Next::Tell(after), Some(token)) => {
                            tell(&context.peer, token, after, &snapshot).await;
                            course.told();
                        }
                    },
                }
            }
        };
        let waited = match waited {
            Some(waited) => waited,
            None => at.look(snapshot.id).await,
        };
        shown.take_back(&context.peer).await;
        waited
    }
}

/// Says what is asked, how long the call has waited, and how to answer.
async fn tell(peer: &Peer<RoleServer>, token: &ProgressToken, waited: Duration, snapshot: &AskSnapshot) {
    let message = progress::waiting(snapshot, waited);
    let param = ProgressNotificationParam::new(token.clone(), waited.as_secs_f64()).with_message(message);
    // A client that is gone is noticed by others.
    let _told = peer.notify_progress(param).await;
}

/// The dialog that is on the agent's screen.
#[derive(Default)]
struct Shown(Mutex<Option<RequestId>>);

impl Shown {
    fn put(&self, id: Option<RequestId>) -> Option<RequestId> {
        std::mem::replace(&mut *self.0.lock(), id)
    }

    /// Shows the form until it is answered, put aside, or does not fit too often.
    async fn show(
        &self,
        at: &DeskHandle,
        program: Option<&str>,
        snapshot: &AskSnapshot,
        peer: &Peer<RoleServer>,
    ) {
        let mut wrong: Option<String> = None;
        for _ in 0..dialog::TRIES_MAX {
            let Some(params) = dialog::form_of(snapshot, wrong.as_deref()) else { return };
            let Some(said) = self.ask(params, peer).await else { return };
            match dialog::take(at, program, snapshot, &said).await {
                Came::Answered | Came::Aside => return,
                Came::Unfit(why) => wrong = Some(why),
            }
        }
    }

    async fn ask(&self, params: ElicitRequestParams, peer: &Peer<RoleServer>) -> Option<serde_json::Value> {
        let request = ServerRequest::ElicitRequest(ElicitRequest::new(params));
        let asked = peer.send_request_with_option(request, PeerRequestOptions::no_options()).await.ok()?;
        self.put(Some(asked.id.clone()));
        let answered = asked.await_response().await;
        self.put(None);
        match answered {
            Ok(ClientResult::ElicitResult(result)) => serde_json::to_value(result).ok(),
            _ => None,
        }
    }

    /// Takes the dialog off the screen: the question has its answer, or its call comes back.
    async fn take_back(&self, peer: &Peer<RoleServer>) {
        let Some(id) = self.put(None) else { return };
        let why = "the question was answered elsewhere, or waits on".to_owned();
        let gone = CancelledNotificationParam::new(Some(id), Some(why));
        let _told = peer.notify_cancelled(gone).await;
    }
}
