//! The chain of facts: each hash stands for its fact and for everything before it.
//!
//! `hash(n) = SHA-256(prev ‖ n ‖ at ‖ kind ‖ SHA-256(salt ‖ payload))`, numbers as 8 bytes big-endian
//! and the kind with its length in front, so that no two facts hash the same bytes. The inner
//! digest is stored beside the payload: a payload can be erased with its salt, and the chain still
//! verifies. Without the salt a short secret could be guessed from the digest.
//!
//! The chain shows edits, not a rewrite by whoever owns the database: for that the head is exported.

use askuser_core::time::Timestamp;
use sha2::{Digest, Sha256};

use super::StoreError;
use super::order::Head;

/// Random bytes before a payload.
pub type Salt = [u8; 16];
/// A SHA-256.
pub type Hash = [u8; 32];

/// What comes before the first fact.
pub const BEGINNING: Head = Head { number: 0, hash: [0; 32] };

/// Returns the digest of a payload.
pub fn digest(salt: &[u8], payload: &[u8]) -> Hash {
    Sha256::new().chain_update(salt).chain_update(payload).finalize().into()
}

/// Returns the head after one more fact.
pub fn next(head: &Head, at: Timestamp, kind: &str, digest: &Hash) -> Head {
    let number = head.number + 1;
    Head { number, hash: hash(&head.hash, number, at, kind, digest) }
}

fn hash(before: &Hash, number: u64, at: Timestamp, kind: &str, digest: &Hash) -> Hash {
    Sha256::new()
        .chain_update(before)
        .chain_update(number.to_be_bytes())
        .chain_update(at.0.to_be_bytes())
        .chain_update((kind.len() as u64).to_be_bytes())
        .chain_update(kind)
        .chain_update(digest)
        .finalize()
        .into()
}

/// A stored fact as the chain sees it.
#[derive(Debug, Clone)]
pub struct Link {
    pub number: u64,
    pub at: Timestamp,
    /// What kind.
    pub kind: String,
    /// The salt and the payload, unless they were erased.
    pub payload: Option<(Vec<u8>, String)>,
    /// Whether the payload is of the session and the ask that it stands with. Erased, it does not say.
    pub is_in_place: bool,
    /// The digest of the two.
    pub digest: Vec<u8>,
    pub hash: Vec<u8>,
}

/// What a walk along the chain found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// The last fact that fits.
    pub upto: Head,
    /// How many were looked at and fit.
    pub n_checked: u64,
    /// How many of those have their payload erased.
    pub n_erased: u64,
    /// The first that does not fit. None: all do.
    pub broken: Option<Broken>,
}

/// The first link that does not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("fact {number} {fault}")]
pub struct Broken {
    pub number: u64,
    /// What is wrong with it.
    pub fault: ChainFault,
}

/// How a link can be broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChainFault {
    /// It is not there, although later ones are or the head says so.
    #[error("is missing")]
    Missing,
    /// Its payload is not what it was.
    #[error("has a payload that does not match its digest")]
    Payload,
    /// It stands with another session or ask than it was about.
    #[error("stands with another session or ask than its payload is about")]
    Place,
    /// Its number, time, kind, digest or what came before is not what it was.
    #[error("has a hash that does not follow from the fact before it")]
    Hash,
    /// It is there, but the head does not know it.
    #[error("comes after the head")]
    AfterHead,
}

impl Verified {
    /// Begins a walk after this head.
    pub fn after(head: Head) -> Self {
        Self { upto: head, n_checked: 0, n_erased: 0, broken: None }
    }

    /// Looks at the next fact. Whether to go on.
    pub fn look(&mut self, link: &Link) -> bool {
        let expected = self.upto.number + 1;
        let next = next(&self.upto, link.at, &link.kind, &sized(&link.digest));
        let payload_fits = link
            .payload
            .as_ref()
            .is_none_or(|(salt, text)| digest(salt, text.as_bytes())[..] == link.digest[..]);
        if link.number != expected {
            self.breaks(expected, ChainFault::Missing)
        } else if !payload_fits {
            self.breaks(expected, ChainFault::Payload)
        } else if link.digest.len() != 32 || link.hash[..] != next.hash[..] {
            self.breaks(expected, ChainFault::Hash)
        } else if !link.is_in_place {
            self.breaks(expected, ChainFault::Place)
        } else {
            self.upto = next;
            self.n_checked += 1;
            self.n_erased += u64::from(link.payload.is_none());
            true
        }
    }

    /// Compares the end of the walk with the head. Facts that were added meanwhile are not a fault.
    pub fn end(&mut self, head: &Head) {
        if self.broken.is_some() {
            return;
        }
        if self.upto.number < head.number {
            self.breaks(self.upto.number + 1, ChainFault::Missing);
        } else if self.upto.number == head.number && self.upto.hash != head.hash {
            self.breaks(head.number, ChainFault::Hash);
        } else if self.upto.number > head.number {
            self.breaks(head.number + 1, ChainFault::AfterHead);
        }
    }

    fn breaks(&mut self, number: u64, fault: ChainFault) -> bool {
        self.broken = Some(Broken { number, fault });
        false
    }
}

/// A chain as a store has it: of facts, or of security events.
pub(super) trait Chain {
    /// Returns its latest link.
    async fn head(&self) -> Result<Head, StoreError>;
    /// Returns the link before this number, which is more than 1; none where it is not there.
    async fn before(&self, number: u64) -> Result<Option<Head>, StoreError>;
    /// Returns the next links after this number and up to that one, in order; none only where there are no
    /// more. A piece at a time, so that no long reading holds up a writer.
    async fn links(&self, after: u64, upto: u64) -> Result<Vec<Link>, StoreError>;
    /// Returns the first link that stands after the head as it is now.
    async fn beyond(&self) -> Result<Option<u64>, StoreError>;
}

/// Walks a chain from this number to its head. What is added meanwhile is not looked at.
pub(super) async fn verify(chain: &impl Chain, from: u64) -> Result<Verified, StoreError> {
    let head = chain.head().await?;
    let before = if from > 1 { chain.before(from).await? } else { Some(BEGINNING) };
    let Some(before) = before else {
        let broken = Broken { number: from.saturating_sub(1), fault: ChainFault::Missing };
        return Ok(Verified { broken: Some(broken), ..Verified::after(BEGINNING) });
    };
    let mut verified = Verified::after(before);
    loop {
        let links = chain.links(verified.upto.number, head.number).await?;
        if links.is_empty() || !links.iter().all(|link| verified.look(link)) {
            break;
        }
    }
    verified.end(&head);
    if verified.broken.is_none()
        && let Some(number) = chain.beyond().await?
    {
        verified.breaks(number, ChainFault::AfterHead);
    }
    Ok(verified)
}

/// A digest of the wrong length is compared as zeros, and so never fits.
fn sized(bytes: &[u8]) -> Hash {
    bytes.try_into().unwrap_or([0; 32])
}

/// Hands out salts; asks the system for many at a time.
#[derive(Default)]
pub struct Salts {
    bytes: Vec<u8>,
}

impl Salts {
    const AT_A_TIME: usize = 256;

    /// Returns a fresh one.
    pub fn draw(&mut self) -> Result<Salt, getrandom::Error> {
        let length = size_of::<Salt>();
        if self.bytes.len() < length {
            let mut fresh = vec![0; length * Self::AT_A_TIME];
            getrandom::fill(&mut fresh)?;
            self.bytes = fresh;
        }
        let mut salt = [0; 16];
        let rest = self.bytes.len() - length;
        salt.copy_from_slice(&self.bytes[rest..]);
        self.bytes.truncate(rest);
        Ok(salt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(n: u64) -> (Vec<Link>, Head) {
        let mut head = BEGINNING;
        let mut salts = Salts::default();
        let mut links = Vec::new();
        for number in 1..=n {
            let (salt, payload) = (salts.draw().unwrap(), format!("{{\"n\":{number}}}"));
            let digest = digest(&salt, payload.as_bytes());
            head = next(&head, Timestamp(5), "shown", &digest);
            links.push(Link {
                number,
                at: Timestamp(5),
                kind: "shown".to_owned(),
                payload: Some((salt.to_vec(), payload)),
                is_in_place: true,
                digest: digest.to_vec(),
                hash: head.hash.to_vec(),
            });
        }
        (links, head)
    }

    #[track_caller]
    fn check(spoil: impl FnOnce(&mut Vec<Link>), expected: &str) {
        let (mut links, head) = links(5);
        spoil(&mut links);
        let mut verified = Verified::after(BEGINNING);
        for link in &links {
            if !verified.look(link) {
                break;
            }
        }
        verified.end(&head);
        let got = verified.broken.map_or_else(|| "ok".to_owned(), |broken| broken.to_string());
        assert_eq!(got, expected);
    }

    #[test]
    fn the_first_broken_link_is_named() {
        check(|_| {}, "ok");
        check(|links| links[2].payload = None, "ok");
        check(|links| drop(links.remove(2)), "fact 3 is missing");
        check(|links| drop(links.pop()), "fact 5 is missing");
        check(
            |links| links[1].payload.as_mut().unwrap().1.push(' '),
            "fact 2 has a payload that does not match its digest",
        );
        let follows = "has a hash that does not follow from the fact before it";
        check(|links| links[3].at = Timestamp(6), &format!("fact 4 {follows}"));
        check(|links| links[3].kind = "asked".to_owned(), &format!("fact 4 {follows}"));
        check(|links| links[3].hash[0] ^= 1, &format!("fact 4 {follows}"));
        check(|links| links[3].digest.truncate(31), "fact 4 has a payload that does not match its digest");
        check(
            |links| links[2].is_in_place = false,
            "fact 3 stands with another session or ask than its payload is about",
        );
        // Whoever rewrites a payload and its digest breaks the hash.
        check(
            |links| {
                let (salt, text) = links[0].payload.as_mut().unwrap();
                text.push(' ');
                links[0].digest = digest(salt, text.as_bytes()).to_vec();
            },
            &format!("fact 1 {follows}"),
        );
    }

    #[test]
    fn no_salt_comes_twice() {
        let mut salts = Salts::default();
        let drawn: std::collections::HashSet<Salt> = (0..1000).map(|_| salts.draw().unwrap()).collect();
        assert_eq!(drawn.len(), 1000);
    }
}
