//! Browsers that asked to be told (Web Push): whose each is, and the key that the desk signs with.
//!
//! The key is made when it is first needed and kept in the store, so that every server of the desk has
//! the same: a browser takes messages of the key that it knows, and of no other.

use std::sync::Arc;

use askuser_core::id::UserId;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use tokio::sync::{OnceCell, watch};

use super::access::hash;
use super::{Desk, DeskError, StoreError};
use askuser_store::pushes::Browser;

/// Browsers of one person; one more takes the place of the oldest.
const BROWSERS_MAX: usize = 20;
/// A public key on the curve P-256, written out: a mark and two numbers of 32 bytes.
const KEY_BYTES: usize = 65;
const KEY_MARK: u8 = 4;
/// The secret that a browser shares with whoever writes to it.
const AUTH_BYTES: usize = 16;
/// What it is called between replicas.
const TOPIC: &str = "push";

/// What a browser hands over so that it can be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    /// Its address at its push service. Whoever calls it has looked where it leads.
    pub endpoint: String,
    /// Its public key.
    pub key: Vec<u8>,
    /// The secret that it shares with us.
    pub auth: Vec<u8>,
    /// The language of its page.
    pub language: String,
}

/// What is wrong with what a browser handed over.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NotABrowser {
    /// The desk could not.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// The key is none on the curve P-256.
    #[error("the key is none on the curve P-256")]
    Key,
    /// The secret is not of its length.
    #[error("the secret has not 16 bytes")]
    Auth,
}

/// Which browsers may be told at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushRule {
    /// Whether any.
    pub is_on: bool,
    /// Push services in the own network, as `https://host:port`.
    pub servers: Vec<String>,
}

impl Default for PushRule {
    fn default() -> Self {
        Self { is_on: true, servers: Vec::new() }
    }
}

/// The key that messages to browsers are signed with.
pub struct PushKey {
    pair: EcdsaKeyPair,
    random: SystemRandom,
}

impl PushKey {
    fn read(pkcs8: &[u8]) -> Result<Self, DeskError> {
        let random = SystemRandom::new();
        let read = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8, &random);
        let broken = |why| DeskError::Store(StoreError::Damaged(format!("the key for browsers: {why}")));
        Ok(Self { pair: read.map_err(broken)?, random })
    }

    /// Returns the public half, which browsers know us by.
    pub fn public(&self) -> &[u8] {
        self.pair.public_key().as_ref()
    }

    /// Signs something (ES256).
    pub fn sign(&self, message: &[u8]) -> Result<Vec<u8>, DeskError> {
        let signed = self.pair.sign(&self.random, message);
        signed.map(|signed| signed.as_ref().to_vec()).map_err(|_| DeskError::no_randomness())
    }
}

/// What the desk knows of browsers while it runs.
pub(super) struct WebPush {
    key: OnceCell<Arc<PushKey>>,
    /// Rings when somebody's browser came.
    came: watch::Sender<()>,
}

impl Default for WebPush {
    fn default() -> Self {
        Self { key: OnceCell::new(), came: watch::Sender::new(()) }
    }
}

impl Desk {
    /// Returns the key that messages to browsers are signed with.
    pub async fn push_key(&self) -> Result<Arc<PushKey>, DeskError> {
        let made = self.0.web_push.key.get_or_try_init(|| async {
            let random = SystemRandom::new();
            let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random);
            let made = made.map_err(|_| DeskError::no_randomness())?.as_ref().to_vec();
            let kept = self.0.store.pushing().push_key(made, self.now()).await?;
            PushKey::read(&kept).map(Arc::new)
        });
        made.await.map(Arc::clone)
    }

    /// Adds a browser of a person; false where there is no such person any more. Where it told another
    /// person before, it does not any longer.
    pub async fn subscribe(&self, person: &UserId, given: Subscription) -> Result<bool, NotABrowser> {
        if given.key.len() != KEY_BYTES || given.key.first() != Some(&KEY_MARK) {
            return Err(NotABrowser::Key);
        }
        if given.auth.len() != AUTH_BYTES {
            return Err(NotABrowser::Auth);
        }
        let Subscription { endpoint, key, auth, language } = given;
        let hash = hash(&endpoint);
        let browser = Browser { person: person.clone(), endpoint, key, auth, language, at: self.now() };
        let added = self.0.store.pushing().add_browser(hash, browser, BROWSERS_MAX).await;
        let added = added.map_err(DeskError::from)?;
        if added {
            self.0.web_push.came.send_replace(());
            self.replicas().publish(TOPIC, "");
        }
        Ok(added)
    }

    /// Forgets a browser, if it is this person's.
    pub async fn unsubscribe(&self, person: &UserId, endpoint: &str) -> Result<bool, DeskError> {
        Ok(self.0.store.pushing().remove_browser(hash(endpoint), person.clone()).await?)
    }

    /// Returns the browsers that asked to be told, of one person or of all.
    pub async fn push_browsers(&self, person: Option<UserId>) -> Result<Vec<Browser>, DeskError> {
        Ok(self.0.store.pushing().browsers(person).await?)
    }

    /// Returns what changes when somebody's browser came, here or at another server.
    pub fn browsers_came(&self) -> watch::Receiver<()> {
        let came = self.0.web_push.came.clone();
        let heard = self.0.web_push.came.subscribe();
        self.replicas().subscribe(TOPIC, Arc::new(move |_| came.send_replace(())));
        heard
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::desk;

    fn given(key: &[u8], auth: &[u8]) -> Subscription {
        Subscription {
            endpoint: "https://push.example/1".to_owned(),
            key: key.to_vec(),
            auth: auth.to_vec(),
            language: "en".to_owned(),
        }
    }

    #[tokio::test]
    async fn a_browser_hands_over_a_key_and_a_secret_or_is_none() {
        let desk = desk().await;
        let (mut key, person) = ([7; KEY_BYTES], UserId::from("nobody"));
        assert!(matches!(desk.subscribe(&person, given(&key, &[1; 16])).await, Err(NotABrowser::Key)));
        key[0] = KEY_MARK;
        assert!(matches!(desk.subscribe(&person, given(&key, &[1; 15])).await, Err(NotABrowser::Auth)));
        let short = desk.subscribe(&person, given(&key[..64], &[1; 16])).await;
        assert!(matches!(short, Err(NotABrowser::Key)));
        assert!(!desk.subscribe(&person, given(&key, &[1; 16])).await.unwrap());
    }

    #[tokio::test]
    async fn the_key_is_made_once_and_kept() {
        let desk = desk().await;
        let (one, other) = (desk.push_key().await.unwrap(), desk.push_key().await.unwrap());
        assert_eq!((one.public(), one.public().len()), (other.public(), KEY_BYTES));
        let kept = desk.store().pushing().push_key(vec![1], desk.now()).await.unwrap();
        assert_eq!(PushKey::read(&kept).unwrap().public(), one.public());
        assert!(PushKey::read(&[1, 2, 3]).is_err());
    }
}
