//! Enums without contents, as words.

use askuser_core::asker::{Late, Purpose, TimeoutPolicy};
use askuser_core::message::Speaker;
use askuser_core::outcome::{AnsweredBy, CancelStatus, Proof};
use askuser_core::question::{NamedBy, PreviewFormat};
use askuser_core::session::SessionStatus;
use askuser_core::task::TaskState;
use serde::{Deserialize, Serialize};

/// A stored word for each variant. A variant that `core` adds does not compile until it has one.
macro_rules! words {
    ($($row:ident is $core:ident { $($variant:ident),+ })+) => {$(
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub(super) enum $row { $($variant),+ }

        impl From<$core> for $row {
            fn from(value: $core) -> Self {
                match value { $($core::$variant => Self::$variant),+ }
            }
        }

        impl From<$row> for $core {
            fn from(word: $row) -> Self {
                match word { $($row::$variant => Self::$variant),+ }
            }
        }
    )+};
}

words! {
    NamedByWord is NamedBy { Asker, AskerHere, Us }
    PreviewFormatWord is PreviewFormat { Markdown, Html }
    PolicyWord is TimeoutPolicy { Cancel, Default, Abort }
    CancelStatusWord is CancelStatus { Timeout, Cancelled }
    LateWord is Late { Refuse, Keep }
    PurposeWord is Purpose { Decision, Permission }
    AnsweredByWord is AnsweredBy { Person, Default, Rule, AgentDialog, Collected }
    ProofWord is Proof { Cookie, KeyFile, AsPerson, Terminal, Stdin, AgentDialog, Link, Rule, Server }
    SessionStatusWord is SessionStatus { Active, Completed, Timeout }
    TaskStateWord is TaskState { Queued, Running, Done, Failed, Stopped, Interrupted }
    SpeakerWord is Speaker { Person, Agent }
}
