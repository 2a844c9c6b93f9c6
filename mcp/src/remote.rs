//! The desk behind HTTP, for a server that an agent started on its standard input and output.
//!
//! The daemon is found or started when it is needed, never before a handshake is answered. A daemon
//! that is killed, stopped or started anew is come back to.

use std::future::Future;
use std::time::Duration;

use askuser_core::asker::TimeoutPolicy;
use askuser_core::entry::Entry;
use askuser_core::id::{AskId, QuestionId};
use rmcp::model::RequestId;
use serde_json::Value;
use tokio::time::timeout;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::desk::Checked;
use super::handing::{Handing, Written};
use super::identity::Identity;
use super::snapshot::AskSnapshot;
use super::trouble::Trouble;
use askuser_client::error::ClientError;
use askuser_client::find_or_start::find_or_start;
use askuser_client::seen::write_entries;
use askuser_client::steady::Patience;
use askuser_client::waiting::Waited;
use askuser_client::{Client, Location, NewAsk};
use askuser_core::command::KeyRole;

/// How often a call is tried again that failed because the desk was away.
const TRIES: Patience = Patience::Tries(20);
/// How long a question or the end waits for the acknowledgements of outcomes that were handed over before it.
const ACKNOWLEDGED_WITHIN: Duration = Duration::from_secs(3);
/// Where the agent tells of no conversation, its connection through us is what its asks have in common.
const NO_CONVERSATION: &str = "mcp";

/// The desk, over HTTP.
pub struct RemoteDesk {
    client: Client,
    timeout_policy: Option<TimeoutPolicy>,
    handing: Handing,
    /// Acknowledgements that are due or on their way.
    acknowledging: TaskTracker,
}

impl RemoteDesk {
    /// Looks at the desk through a client; a policy goes to asks that name none (O6).
    pub fn new(client: Client, timeout_policy: Option<TimeoutPolicy>) -> Self {
        let acknowledging = TaskTracker::new();
        // So that it can be waited for; it takes more all the same.
        acknowledging.close();
        Self { client: client.acknowledging(), timeout_policy, handing: Handing::default(), acknowledging }
    }

    /// Says which agent it is that asks.
    pub(super) fn by_agent(&self, name: Option<&str>) -> Self {
        Self {
            client: self.client.clone().by_agent(name),
            timeout_policy: self.timeout_policy,
            handing: self.handing.clone(),
            acknowledging: self.acknowledging.clone(),
        }
    }

    /// What replies to the client carry.
    pub(super) fn handing(&self) -> Handing {
        self.handing.clone()
    }

    /// Acknowledges an outcome once the reply that carries it is written.
    pub(super) fn hand_over(&self, reply_to: &RequestId, ask: AskId) {
        let (client, acknowledging) = (self.client.clone(), self.acknowledging.clone());
        let acknowledge = move |due: TaskTrackerToken| {
            tokio::spawn(async move {
                let _due = due;
                // Where it cannot be acknowledged, it is told once more when it is asked again.
                let _told = client.steady().patience(TRIES).call(|| client.acknowledge(ask)).await;
            });
        };
        let writing = move || {
            // Due from the moment when the client can have it.
            let due = acknowledging.token();
            Box::new(move || acknowledge(due)) as Written
        };
        self.handing.put(reply_to.clone(), Box::new(writing));
    }

    /// Waits for what was handed over to be acknowledged: an agent that has its answer and asks the same again wants
    /// another, and what it has does not wait for it any more.
    pub(super) async fn acknowledged(&self) {
        let _either_way = timeout(ACKNOWLEDGED_WITHIN, self.acknowledging.wait()).await;
    }

    /// Gets the agent that asks a key of its own.
    pub(super) async fn get_own_key(&self) -> Result<(), ClientError> {
        self.client.get_own_key().await
    }

    /// Finds the daemon or starts it, so that the first question finds it there.
    pub(super) async fn find(&self) -> Result<(), ClientError> {
        match self.client.location() {
            Location::Folder(home) => find_or_start(home, |_| {}).await.map(drop),
            Location::Address(_) => Ok(()),
        }
    }

    pub(super) async fn ask(&self, ask: &Checked, who: &Identity) -> Result<AskSnapshot, Trouble> {
        self.acknowledged().await;
        let mut questions = ask.value.clone();
        let given = |name: &&str| questions.get(*name).is_some_and(|given| !given.is_null());
        let says = ["timeoutPolicy", "onTimeout"].iter().any(given);
        if let (Some(policy), Some(fields), false) = (self.timeout_policy, questions.as_object_mut(), says) {
            fields.insert("timeoutPolicy".to_owned(), Value::from(policy.name()));
        }
        let new = NewAsk {
            questions,
            dialect: ask.dialect.map(|dialect| dialect.name().to_owned()),
            reply: None,
            // A call that is tried again is the same ask, also where it was answered in between.
            idempotency_key: once(),
            conversation: Some(conversation(who).to_owned()),
        };
        let seen = self.persist(|| self.client.ask(&new)).await?;
        Ok(AskSnapshot::from(seen))
    }

    pub(super) async fn wait(&self, id: AskId, patience: Duration) -> Result<AskSnapshot, Trouble> {
        let waiting = || self.client.wait(KeyRole::Agent, id, None, Some(patience), |_| {});
        if !patience.is_zero()
            && let Waited::Closed(seen) = waiting().await?
        {
            return Ok(AskSnapshot::from(*seen));
        }
        let seen = self.persist(|| self.client.get(KeyRole::Agent, id, None, Duration::ZERO)).await?;
        Ok(AskSnapshot::from(seen))
    }

    pub(super) async fn list(&self, who: &Identity) -> Result<Vec<AskSnapshot>, Trouble> {
        self.acknowledged().await;
        let seen = self.persist(|| self.client.asks_of_asker(&who.asker, Some(conversation(who)))).await?;
        Ok(seen.into_iter().map(AskSnapshot::from).collect())
    }

    pub(super) async fn withdraw(&self, id: AskId) -> Result<(), Trouble> {
        self.persist(|| self.client.withdraw(id)).await.map(drop)
    }

    pub(super) async fn answer_in_dialog(
        &self,
        id: AskId,
        program: Option<&str>,
        entries: &[(QuestionId, Entry)],
    ) -> Result<(), Trouble> {
        let mut body = write_entries(entries.iter().map(|(id, entry)| (id, entry)));
        if let Some(fields) = body.as_object_mut() {
            fields.insert("client".to_owned(), program.into());
        }
        self.persist(|| self.client.answer_in_dialog(id, body.clone())).await
    }

    /// Asks the desk, with the agent's own key: nothing here decides it, and the person's key is not touched.
    pub(super) async fn takes_dialogs(&self) -> bool {
        self.persist(|| self.client.takes_dialogs()).await.unwrap_or(false)
    }

    /// Whether the desk is not that of the data folder here.
    pub(super) fn is_elsewhere(&self) -> bool {
        matches!(self.client.location(), Location::Address(_))
    }

    /// Does something at the desk; where that is away, it is found or started, and it is tried again.
    async fn persist<T, Doing>(&self, doing: impl Fn() -> Doing) -> Result<T, Trouble>
    where
        Doing: Future<Output = Result<T, ClientError>>,
    {
        let mut steady = self.client.steady().finding_or_starting(&|_| {}).patience(TRIES);
        Ok(steady.call(doing).await?)
    }
}

fn conversation(who: &Identity) -> &str {
    who.conversation.as_deref().unwrap_or(NO_CONVERSATION)
}

/// A name for one call; none where the system has no randomness, and then words must do.
fn once() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(format!("mcp-{:032x}", u128::from_be_bytes(bytes)))
}
