//! The desk behind HTTP, for a server that an agent started on its standard input and output.
//!
//! The daemon is found or started when it is needed, never before a handshake is answered. A daemon
//! that is killed, stopped or started anew is come back to.

use std::future::Future;
use std::time::Duration;

use askuser_core::asker::TimeoutPolicy;
use askuser_core::entry::Entry;
use askuser_core::id::{AskId, QuestionId};
use serde_json::Value;
use tokio::time::sleep;

use super::at_desk::Checked;
use super::standing::Standing;
use super::trouble::Trouble;
use super::who::Who;
use crate::client::error::ClientError;
use crate::client::find_or_start::find_or_start;
use crate::client::keys::KeyFor;
use crate::client::seen::write_entries;
use crate::client::waiting::Waited;
use crate::client::{Client, NewAsk, Whereabouts};

/// How often a call is tried that failed because the desk was away, and the pause between.
const N_TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(250);
const PAUSE_MAX: Duration = Duration::from_secs(5);

/// The desk from afar.
#[derive(Debug)]
pub struct Afar {
    client: Client,
    timeout_policy: Option<TimeoutPolicy>,
}

impl Afar {
    /// Looks at the desk through a client; a policy goes to asks that name none (O6).
    pub fn new(client: Client, timeout_policy: Option<TimeoutPolicy>) -> Self {
        Self { client, timeout_policy }
    }

    /// Says which agent it is that asks.
    pub(super) fn by_agent(&self, name: Option<&str>) -> Self {
        Self { client: self.client.clone().by_agent(name), timeout_policy: self.timeout_policy }
    }

    /// Gets the agent that asks a key of its own.
    pub(super) async fn get_own_key(&self) -> Result<(), ClientError> {
        self.client.get_own_key().await
    }

    /// Finds the daemon or starts it, so that the first question finds it there.
    pub(super) async fn find(&self) -> Result<(), ClientError> {
        match self.client.whereabouts() {
            Whereabouts::Folder(home) => find_or_start(home, |_| {}).await.map(drop),
            Whereabouts::Address(_) => Ok(()),
        }
    }

    pub(super) async fn ask(&self, ask: &Checked, who: &Who) -> Result<Standing, Trouble> {
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
            conversation: who.conversation.clone(),
        };
        let seen = self.persist(|| self.client.ask(&new)).await?;
        Ok(Standing::from(seen))
    }

    pub(super) async fn wait(&self, id: AskId, patience: Duration) -> Result<Standing, Trouble> {
        let waiting = || self.client.wait(KeyFor::Agent, id, None, Some(patience), |_| {});
        if !patience.is_zero()
            && let Waited::Closed(seen) = waiting().await?
        {
            return Ok(Standing::from(*seen));
        }
        let seen = self.persist(|| self.client.get(KeyFor::Agent, id, None, Duration::ZERO)).await?;
        Ok(Standing::from(seen))
    }

    pub(super) async fn list(&self, who: &Who) -> Result<Vec<Standing>, Trouble> {
        let conversation = who.conversation.as_deref();
        let seen = self.persist(|| self.client.asks_of_asker(&who.asker, conversation)).await?;
        Ok(seen.into_iter().map(Standing::from).collect())
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
        matches!(self.client.whereabouts(), Whereabouts::Address(_))
    }

    pub(super) fn url(&self) -> String {
        self.client.url().unwrap_or_default()
    }

    /// Does something at the desk; where that is away, it is found or started, and it is tried again.
    async fn persist<T, Doing>(&self, doing: impl Fn() -> Doing) -> Result<T, Trouble>
    where
        Doing: Future<Output = Result<T, ClientError>>,
    {
        let mut n_tries = 0;
        loop {
            self.find().await?;
            match doing().await {
                Ok(done) => return Ok(done),
                Err(error) if error.may_pass() && n_tries < N_TRIES => {
                    n_tries += 1;
                    sleep(error.retry_after().unwrap_or(PAUSE).min(PAUSE_MAX)).await;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// A name for one call; none where the system has no randomness, and then words must do.
fn once() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(format!("mcp-{:032x}", u128::from_be_bytes(bytes)))
}
