//! A session as the fact of its beginning stores it.

use std::time::Duration;

use askuser_core::asker::{TimeoutPolicy, Timing};
use askuser_core::id::UserId;
use askuser_core::session::{LastRound, Origin, Session};
use askuser_core::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::words::{PolicyWord, SessionStatusWord};
use super::{Text, Wrong, ask, optional, owned, text};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SessionRow<'a> {
    session: String,
    #[serde(borrow)]
    owner: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    external_id: Option<Text<'a>>,
    origin: OriginRow,
    status: SessionStatusWord,
    round: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    total_rounds: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timeout_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    policy: Option<PolicyWord>,
    created_at: i64,
    last_activity: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    restored_to: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    restore_reason: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_round: Option<LastRoundRow>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum OriginRow {
    Named,
    Derived,
    Restored(String),
}

#[derive(Debug, Serialize, Deserialize)]
struct LastRoundRow {
    fingerprint: String,
    depth: u32,
    at: i64,
}

impl<'a> From<&'a Session> for SessionRow<'a> {
    fn from(session: &'a Session) -> Self {
        Self {
            session: session.id.to_string(),
            owner: text(session.owner.as_str()),
            external_id: optional(session.external_id.as_ref()),
            origin: match session.origin {
                Origin::Named => OriginRow::Named,
                Origin::Derived => OriginRow::Derived,
                Origin::Restored(from) => OriginRow::Restored(from.to_string()),
            },
            status: session.status.into(),
            round: session.round,
            total_rounds: session.total_rounds,
            timeout_ms: session
                .timing
                .timeout
                .map(|timeout| u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)),
            policy: session.timing.policy.map(PolicyWord::from),
            created_at: session.created_at.0,
            last_activity: session.last_activity.0,
            restored_to: session.restored_to.map(|to| to.0),
            restore_reason: optional(session.restore_reason.as_ref()),
            last_round: session.last_round.map(|last| LastRoundRow {
                fingerprint: ask::hex(last.fingerprint),
                depth: last.depth,
                at: last.at.0,
            }),
        }
    }
}

impl TryFrom<SessionRow<'_>> for Session {
    type Error = Wrong;
    fn try_from(row: SessionRow<'_>) -> Result<Self, Wrong> {
        let last_round = row.last_round.map(|last| {
            let fingerprint = ask::unhex(&last.fingerprint)?;
            Ok::<_, Wrong>(LastRound { fingerprint, depth: last.depth, at: Timestamp(last.at) })
        });
        Ok(Self {
            id: ask::id(&row.session)?,
            owner: UserId::new(row.owner),
            external_id: owned(row.external_id),
            origin: match row.origin {
                OriginRow::Named => Origin::Named,
                OriginRow::Derived => Origin::Derived,
                OriginRow::Restored(from) => Origin::Restored(ask::id(&from)?),
            },
            status: row.status.into(),
            round: row.round,
            total_rounds: row.total_rounds,
            timing: Timing {
                timeout: row.timeout_ms.map(Duration::from_millis),
                policy: row.policy.map(TimeoutPolicy::from),
            },
            created_at: Timestamp(row.created_at),
            last_activity: Timestamp(row.last_activity),
            restored_to: row.restored_to.map(Timestamp),
            restore_reason: owned(row.restore_reason),
            last_round: last_round.transpose()?,
        })
    }
}
