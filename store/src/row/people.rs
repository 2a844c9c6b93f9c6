//! Whom an ask is for, and what they said, as it is stored.

use std::borrow::Cow;
use std::time::Duration;

use askuser_core::audience::{Audience, Circle, Escalation, Group};
use askuser_core::hearing::{Hearing, Held, OwnSheet, Voice};
use askuser_core::id::{QuestionId, UserId};
use askuser_core::outcome::By;
use askuser_core::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::outcome::{AnswerRow, ByRow, EntryRow, answer_rows, read_answers};
use super::{Text, is_false, optional, owned, text};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct AudienceRow<'a> {
    #[serde(borrow)]
    circle: CircleRow<'a>,
    quorum: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    escalation: Option<EscalationRow<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct EscalationRow<'a> {
    /// Seconds and nanoseconds.
    after: (u64, u32),
    #[serde(borrow)]
    to: CircleRow<'a>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct CircleRow<'a> {
    #[serde(skip_serializing_if = "Vec::is_empty", borrow)]
    people: Vec<Text<'a>>,
    /// Each group's name, and who is in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    groups: Vec<(Text<'a>, Vec<Text<'a>>)>,
    #[serde(skip_serializing_if = "is_false")]
    anyone: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct VoiceRow<'a> {
    #[serde(borrow)]
    user: Text<'a>,
    by: ByRow<'a>,
    at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answers: Option<Vec<AnswerRow<'a>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment: Option<Text<'a>>,
}

/// What has been said and put down so far; stands in the sheet of the ask.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct HearingRow<'a> {
    #[serde(skip_serializing_if = "Vec::is_empty", borrow)]
    voices: Vec<VoiceRow<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    held: Vec<HeldRow<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sheets: Vec<OwnSheetRow<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    escalated_at: Option<i64>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct HeldRow<'a> {
    #[serde(borrow)]
    user: Text<'a>,
    /// Not in a fact: what was only held is a row that is overwritten.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    entries: Vec<EntryRow<'a>>,
    by: ByRow<'a>,
    until: i64,
}

impl<'a> HeldRow<'a> {
    /// That somebody holds an answer, and not which.
    pub(super) fn without_entries(held: &'a Held) -> Self {
        let (user, by, until) = (text(held.user.as_str()), (&held.by).into(), held.until.0);
        Self { user, entries: Vec::new(), by, until }
    }

    fn new(held: &'a Held) -> Self {
        let entries = held.entries.iter().map(|(id, entry)| EntryRow::new(id, entry)).collect();
        Self { entries, ..Self::without_entries(held) }
    }
}

impl From<HeldRow<'_>> for Held {
    fn from(row: HeldRow<'_>) -> Self {
        let entries = row.entries.into_iter().map(EntryRow::read).collect();
        Self { user: UserId::new(row.user), entries, by: By::from(row.by), until: Timestamp(row.until) }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct OwnSheetRow<'a> {
    #[serde(borrow)]
    user: Text<'a>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    entries: Vec<EntryRow<'a>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    submitted: Vec<Text<'a>>,
}

fn names(users: &[UserId]) -> Vec<Text<'_>> {
    users.iter().map(|user| text(user.as_str())).collect()
}

fn users(names: Vec<Text<'_>>) -> Vec<UserId> {
    names.into_iter().map(UserId::new).collect()
}

impl<'a> From<&'a Circle> for CircleRow<'a> {
    fn from(circle: &'a Circle) -> Self {
        let group = |group: &'a Group| (text(&group.name), names(&group.members));
        let groups = circle.groups.iter().map(group).collect();
        Self { people: names(&circle.people), groups, anyone: circle.anyone }
    }
}

impl From<CircleRow<'_>> for Circle {
    fn from(row: CircleRow<'_>) -> Self {
        let group =
            |(name, members): (Text<'_>, _)| Group { name: name.into_owned(), members: users(members) };
        let groups = row.groups.into_iter().map(group).collect();
        Self { people: users(row.people), groups, anyone: row.anyone, named: Vec::new() }
    }
}

impl<'a> From<&'a Audience> for AudienceRow<'a> {
    fn from(audience: &'a Audience) -> Self {
        let escalation = audience.escalation.as_ref().map(|escalation| EscalationRow {
            after: (escalation.after.as_secs(), escalation.after.subsec_nanos()),
            to: (&escalation.to).into(),
        });
        Self { circle: (&audience.circle).into(), quorum: audience.quorum, escalation }
    }
}

impl From<AudienceRow<'_>> for Audience {
    fn from(row: AudienceRow<'_>) -> Self {
        let escalation = row.escalation.map(|row| Escalation {
            after: Duration::from_secs(row.after.0)
                .saturating_add(Duration::from_nanos(u64::from(row.after.1))),
            to: row.to.into(),
        });
        Self { circle: row.circle.into(), quorum: row.quorum, escalation }
    }
}

impl<'a> From<&'a Voice> for VoiceRow<'a> {
    fn from(voice: &'a Voice) -> Self {
        Self {
            user: text(voice.user.as_str()),
            by: (&voice.by).into(),
            at: voice.at.0,
            answers: voice.answers.as_ref().map(answer_rows),
            comment: optional(voice.comment.as_ref()),
        }
    }
}

impl From<VoiceRow<'_>> for Voice {
    fn from(row: VoiceRow<'_>) -> Self {
        Self {
            user: UserId::new(row.user),
            by: By::from(row.by),
            at: Timestamp(row.at),
            answers: row.answers.map(read_answers),
            comment: owned(row.comment),
        }
    }
}

pub(super) fn voice_rows(voices: &[Voice]) -> Vec<VoiceRow<'_>> {
    voices.iter().map(VoiceRow::from).collect()
}

pub(super) fn read_voices(rows: Vec<VoiceRow<'_>>) -> Vec<Voice> {
    rows.into_iter().map(Voice::from).collect()
}

impl<'a> HearingRow<'a> {
    pub(super) fn of(hearing: &'a Hearing) -> Self {
        let sheet = |sheet: &'a OwnSheet| OwnSheetRow {
            user: text(sheet.user.as_str()),
            entries: sheet.entries.iter().map(|(id, entry)| EntryRow::new(id, entry)).collect(),
            submitted: sheet.submitted.iter().map(|id| text(id.as_str())).collect(),
        };
        Self {
            voices: voice_rows(&hearing.voices),
            held: hearing.held.iter().map(HeldRow::new).collect(),
            sheets: hearing.sheets.iter().map(sheet).collect(),
            escalated_at: hearing.escalated_at.map(|at| at.0),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.voices.is_empty()
            && self.held.is_empty()
            && self.sheets.is_empty()
            && self.escalated_at.is_none()
    }
}

impl From<HearingRow<'_>> for Hearing {
    fn from(row: HearingRow<'_>) -> Self {
        let sheet = |row: OwnSheetRow<'_>| OwnSheet {
            user: UserId::new(row.user),
            entries: row.entries.into_iter().map(EntryRow::read).collect(),
            submitted: row.submitted.into_iter().map(Cow::into_owned).map(QuestionId::new).collect(),
        };
        Self {
            voices: read_voices(row.voices),
            held: row.held.into_iter().map(Held::from).collect(),
            sheets: row.sheets.into_iter().map(sheet).collect(),
            escalated_at: row.escalated_at.map(Timestamp),
        }
    }
}
