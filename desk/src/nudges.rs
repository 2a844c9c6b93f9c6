//! Which nudges people were sent: noted before they are, so that of all servers one sends each.

use askuser_core::id::{AskId, UserId};

use super::{Desk, DeskError};
use askuser_store::nudges::{EndedNudge, NudgeKey, NudgeRow, NudgeState};

/// What is known of nudges.
#[derive(Clone, Copy)]
pub struct Nudges<'a>(&'a Desk);

impl Desk {
    /// Returns what is known of nudges.
    pub fn nudges(&self) -> Nudges<'_> {
        Nudges(self)
    }
}

impl Nudges<'_> {
    /// Returns every nudge that is not over, for a start.
    pub async fn all(self) -> Result<Vec<NudgeRow>, DeskError> {
        Ok(self.0.0.store.nudging().nudges().await?)
    }

    /// Notes a nudge that is about to be sent, or is to wait. False where another server was first, or its ask
    /// has ended.
    pub async fn claim(self, key: NudgeKey, state: NudgeState) -> Result<bool, DeskError> {
        Ok(self.0.0.store.nudging().claim_nudge(key, state, self.0.now()).await?)
    }

    /// Moves one on; false where it is not in this state any more.
    pub async fn move_on(self, key: NudgeKey, from: NudgeState, to: NudgeState) -> Result<bool, DeskError> {
        Ok(self.0.0.store.nudging().move_nudge(key, from, to).await?)
    }

    /// Notes that one was sent, with what takes it back. False where its ask ended meanwhile.
    pub async fn sent(self, key: NudgeKey, receipt: String) -> Result<bool, DeskError> {
        Ok(self.0.0.store.nudging().sent_nudge(key, receipt).await?)
    }

    /// Ends those of an ask; returns what is to be taken back.
    pub async fn end(self, ask: AskId) -> Result<Vec<EndedNudge>, DeskError> {
        Ok(self.0.0.store.nudging().end_nudges(ask).await?)
    }

    /// Ends those of an ask that one person was sent, by one channel where it is named.
    pub async fn end_of(
        self,
        ask: AskId,
        person: UserId,
        channel: Option<String>,
    ) -> Result<Vec<EndedNudge>, DeskError> {
        Ok(self.0.0.store.nudging().end_nudges_of(ask, person, channel).await?)
    }
}
