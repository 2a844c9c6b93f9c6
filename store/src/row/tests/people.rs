//! Any people, voices and hearings.

use std::time::Duration;

use askuser_core::audience::{Audience, Circle, Escalation, Group};
use askuser_core::hearing::{Hearing, Held, OwnSheet, Voice};
use askuser_core::id::UserId;
use askuser_core::time::Timestamp;
use proptest::prelude::*;

use super::any::{any_answers, any_by, any_entry, maybe};

fn any_user() -> impl Strategy<Value = UserId> {
    any::<String>().prop_map(|name| name.as_str().into())
}

fn any_circle() -> impl Strategy<Value = Circle> {
    let users = || prop::collection::vec(any_user(), 0..3);
    let group = (any::<String>(), users()).prop_map(|(name, members)| Group { name, members });
    (users(), prop::collection::vec(group, 0..2), any::<bool>()).prop_map(|(people, groups, anyone)| Circle {
        people,
        groups,
        anyone,
        named: Vec::new(),
    })
}

pub(super) fn any_audience() -> impl Strategy<Value = Audience> {
    let escalation = (any::<u32>(), 0_u32..1_000_000_000, any_circle())
        .prop_map(|(secs, nanos, to)| Escalation { after: Duration::new(u64::from(secs), nanos), to });
    (any_circle(), any::<u32>(), prop::option::of(escalation))
        .prop_map(|(circle, quorum, escalation)| Audience { circle, quorum, escalation })
}

pub(super) fn any_voice() -> impl Strategy<Value = Voice> {
    (any_user(), any_by(), any::<i64>(), prop::option::of(any_answers()), maybe())
        .prop_map(|(user, by, at, answers, comment)| Voice { user, by, at: Timestamp(at), answers, comment })
}

pub(super) fn any_held() -> impl Strategy<Value = Held> {
    let entries = prop::collection::vec((any::<String>(), any_entry()), 0..2);
    (any_user(), entries, any_by(), any::<i64>()).prop_map(|(user, entries, by, until)| {
        let entries = entries.into_iter().map(|(id, entry)| (id.as_str().into(), entry)).collect();
        Held { user, entries, by, until: Timestamp(until) }
    })
}

pub(super) fn any_hearing() -> impl Strategy<Value = Hearing> {
    let entries = prop::collection::vec((any::<String>(), any_entry()), 0..2);
    let held = prop::collection::vec(any_held(), 0..2);
    let sheet = (any_user(), entries).prop_map(|(user, entries)| {
        let entries: Vec<_> = entries.into_iter().map(|(id, entry)| (id.as_str().into(), entry)).collect();
        let submitted = entries.iter().map(|(id, _): &(askuser_core::id::QuestionId, _)| id.clone());
        let submitted = submitted.collect();
        OwnSheet { user, entries, submitted }
    });
    let voices = prop::collection::vec(any_voice(), 0..3);
    (voices, held, prop::collection::vec(sheet, 0..2), prop::option::of(any::<i64>())).prop_map(
        |(voices, held, sheets, at)| Hearing { voices, held, sheets, escalated_at: at.map(Timestamp) },
    )
}
