//! Who asks and under which terms, as it is stored.

use std::time::Duration;

use askuser_core::asker::{Asker, Late, Purpose, Terms, TimeoutPolicy};
use askuser_core::audience::Audience;
use askuser_core::id::QuestionId;
use askuser_core::outcome::CancelStatus;
use serde::{Deserialize, Serialize};

use super::people::AudienceRow;
use super::words::{CancelStatusWord, LateWord, PolicyWord, PurposeWord};
use super::{Text, optional, owned, text};

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct TermsRow<'a> {
    #[serde(skip_serializing_if = "Option::is_none", borrow)]
    agent: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    audience: Option<AudienceRow<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_question: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_rounds: Option<u32>,
    /// Seconds and nanoseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout: Option<(u64, u32)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<PolicyWord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cancel_status: Option<CancelStatusWord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    late: Option<LateWord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    purpose: Option<PurposeWord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_use: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotency_key: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply_in: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<Text<'a>>,
}

/// The word, unless it is the usual one.
fn unusual<T: Default + PartialEq + Copy, W: From<T>>(value: T) -> Option<W> {
    (value != T::default()).then(|| value.into())
}

impl<'a> From<&'a Terms> for TermsRow<'a> {
    fn from(terms: &'a Terms) -> Self {
        Self {
            agent: optional(terms.asker.agent.as_ref()),
            project: optional(terms.asker.project.as_ref()),
            folder: optional(terms.asker.folder.as_ref()),
            session: optional(terms.session.as_ref()),
            audience: terms.audience.as_ref().map(AudienceRow::from),
            parent_question: terms.parent_question.as_ref().map(|question| text(question.as_str())),
            total_rounds: terms.total_rounds,
            timeout: terms.timeout.map(|timeout| (timeout.as_secs(), timeout.subsec_nanos())),
            policy: terms.policy.map(PolicyWord::from),
            cancel_status: unusual(terms.cancel_status),
            context: optional(terms.context.as_ref()),
            late: unusual(terms.late),
            purpose: unusual(terms.purpose),
            event: optional(terms.event.as_ref()),
            tool_use: optional(terms.tool_use.as_ref()),
            idempotency_key: optional(terms.idempotency_key.as_ref()),
            metadata: optional(terms.metadata.as_ref()),
            reply_in: optional(terms.reply_in.as_ref()),
            template: optional(terms.template.as_ref()),
        }
    }
}

impl From<TermsRow<'_>> for Terms {
    fn from(row: TermsRow<'_>) -> Self {
        Self {
            asker: Asker { agent: owned(row.agent), project: owned(row.project), folder: owned(row.folder) },
            session: owned(row.session),
            audience: row.audience.map(Audience::from),
            parent_question: row.parent_question.map(QuestionId::new),
            total_rounds: row.total_rounds,
            // More nanoseconds than a second has would panic in `Duration::new` at the end of time.
            timeout: row.timeout.map(|(secs, nanos)| {
                Duration::from_secs(secs).saturating_add(Duration::from_nanos(u64::from(nanos)))
            }),
            policy: row.policy.map(TimeoutPolicy::from),
            cancel_status: row.cancel_status.map(CancelStatus::from).unwrap_or_default(),
            context: owned(row.context),
            late: row.late.map(Late::from).unwrap_or_default(),
            purpose: row.purpose.map(Purpose::from).unwrap_or_default(),
            event: owned(row.event),
            tool_use: owned(row.tool_use),
            idempotency_key: owned(row.idempotency_key),
            metadata: owned(row.metadata),
            reply_in: owned(row.reply_in),
            template: owned(row.template),
        }
    }
}
