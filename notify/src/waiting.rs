//! Whom an ask waits for, as far as telling them goes: its owner, or those whom it is for and who have
//! not spoken. Pure.

use askuser_core::ask::Ask;
use askuser_core::id::UserId;
use askuser_core::time::Timestamp;

use askuser_desk::NudgeRow;

/// Whether it was passed on to this person because others did not answer in time.
pub(super) fn came_later(ask: &Ask, person: &UserId) -> bool {
    let audience = ask.terms.audience.as_ref();
    audience.is_some_and(|audience| !audience.circle.has(person)) && ask.hearing.escalated_at.is_some()
}

/// Since when it waits for this person.
pub(super) fn reached_at(ask: &Ask, person: &UserId, shown_at: Timestamp) -> Timestamp {
    let passed_on = ask.hearing.escalated_at.filter(|_| came_later(ask, person));
    passed_on.map_or(shown_at, |passed_on| passed_on.max(shown_at))
}

/// The last step of telling this person that is behind it. Where an ask is its owner's alone, whoever
/// they had told instead counts.
pub(super) fn told_before(ask: &Ask, person: &UserId, rows: &[NudgeRow]) -> Option<u32> {
    let theirs = |row: &&NudgeRow| ask.terms.audience.is_none() || row.key.person == *person;
    rows.iter().filter(theirs).map(|row| row.key.step).max()
}
