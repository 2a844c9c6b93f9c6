//! Walks the chain of facts, a part at a time, so that nobody waits long for a connection.

use std::sync::Arc;

use rusqlite::Connection;

use super::fact;
use super::read::Readers;
use crate::store::chain::BEGINNING;
use crate::store::{Broken, ChainFault, StoreError, Verified};

/// Facts that are verified in one reading.
const WALK: i64 = 10_000;

pub(super) async fn verify(readers: &Arc<Readers>, from: u64) -> Result<Verified, StoreError> {
    let (head, before) = readers.read(move |db| Ok((fact::head(db)?, fact::before(db, from)?))).await?;
    let Some(before) = before else {
        let broken = Broken { number: from.saturating_sub(1), fault: ChainFault::Missing };
        return Ok(Verified { broken: Some(broken), ..Verified::after(BEGINNING) });
    };
    let mut verified = Verified::after(before);
    loop {
        let walk = move |db: &Connection| {
            let more = fact::walk(db, &mut verified, &head, WALK)?;
            Ok((verified, more))
        };
        let more;
        (verified, more) = readers.read(walk).await?;
        if !more {
            break;
        }
    }
    verified.end(&head);
    if let (None, Some(number)) = (&verified.broken, readers.read(fact::beyond).await?) {
        verified.broken = Some(Broken { number, fault: ChainFault::AfterHead });
    }
    Ok(verified)
}
