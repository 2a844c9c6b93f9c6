//! A key of its own for every agent of a machine, so that "the key that asked" tells them apart.
//!
//! The agent's program makes the secret up and keeps it; the desk is told its digest and nothing else. Once:
//! a key that was revoked, or whose file was deleted, is not made again by the agent it was taken from. A
//! person does that, by an admin's key.

use askuser_core::id::UserId;

use super::DeskError;
use super::access::{Access, Caller};
use askuser_store::{KeyId, KeyRole, KeyRow, SecretHash};

/// Held while an agent is given a key of its own.
pub(super) type OneAtATime = tokio::sync::Mutex<()>;

/// Why an agent gets no key of its own.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NoOwnKey {
    /// The desk could not.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// It had one before.
    #[error("this agent had a key of its own before")]
    HadOne,
    /// The key that it came with is one already: it is no other agent's to give.
    #[error("this key is an agent's own already")]
    IsOne,
    /// There is no such user any more.
    #[error("there is no such user any more")]
    NoUser,
}

/// What an agent's own key is called. No key that an admin names has this name: it takes no brackets.
fn named(agent: &str) -> String {
    format!("{agent} (own key)")
}

impl Access<'_> {
    /// Lets an agent in by a key of its own from now on; true where it is new, false where this very key was
    /// known already.
    pub async fn add_own_key(
        self,
        caller: &Caller,
        agent: &str,
        hash: SecretHash,
    ) -> Result<(KeyId, bool), NoOwnKey> {
        // One at a time: two programs of one agent that start together must end with one key.
        let _alone = self.0.0.own_keys.lock().await;
        let keys = self.keys().await?;
        let name = named(agent);
        let mut had = keys.iter().filter(|key| key.user == caller.user && key.name == name);
        if let Some(same) = had.clone().find(|key| key.hash == hash && key.revoked_at.is_none()) {
            return Ok((same.id, false));
        }
        if had.next().is_some() || keys.iter().any(|key| key.hash == hash) {
            return Err(NoOwnKey::HadOne);
        }
        let came_with = keys.iter().find(|key| Some(key.id) == caller.key);
        if came_with.is_some_and(|key| key.name.ends_with(&named(""))) {
            return Err(NoOwnKey::IsOne);
        }
        let id = self.put_key(hash, KeyRole::Agent, &caller.user, &name).await?;
        id.map(|id| (id, true)).ok_or(NoOwnKey::NoUser)
    }

    /// Gives an agent another key of its own, and revokes the one that it had. Only for whoever looks after the
    /// desk. None where there is no such user.
    pub async fn renew_own_key(
        self,
        user: &UserId,
        agent: &str,
        hash: SecretHash,
    ) -> Result<Option<KeyId>, DeskError> {
        let _alone = self.0.0.own_keys.lock().await;
        let name = named(agent);
        let of_agent = |key: &KeyRow| key.user == *user && key.name == name && key.revoked_at.is_none();
        let old: Vec<KeyId> = self.keys().await?.into_iter().filter(of_agent).map(|key| key.id).collect();
        let made = self.put_key(hash, KeyRole::Agent, user, &name).await?;
        for key in old {
            self.revoke_key(key).await?;
        }
        Ok(made)
    }
}
