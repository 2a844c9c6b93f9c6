//! What goes wrong between a command and the desk.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use askuser_api::shapes::failure as shape;
use askuser_wire::failure::{Code, in_lines};
use askuser_words::commands::NoServer;
use askuser_words::{Both, Language};

/// Why the desk could not be asked, or said no.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}", self.said(Language::English))]
pub enum ClientError {
    /// Nobody answers. The desk may come back.
    Away {
        /// Where it should be.
        url: String,
        why: Both,
    },
    /// The desk said no.
    Refused(Box<Failure>),
    /// Something answered that is not the desk, or is of another age.
    Garbled {
        url: String,
        /// What was odd.
        #[source]
        what: Arc<dyn Error + Send + Sync>,
    },
    /// There is no key to come in with.
    NoKey {
        /// What it would be for.
        role: &'static str,
        why: Both,
    },
    /// The desk does not take the key that is one agent's own.
    OwnKeyRefused {
        /// The file of the key.
        path: PathBuf,
    },
    /// The address cannot be used.
    NotAnAddress { url: String, why: Both },
    /// No daemon is there, and none could be started.
    NotStarted {
        /// Why, with the last lines of its log.
        why: String,
    },
    /// No daemon is there, and nobody wanted one started.
    NotRunning,
}

/// A refusal, as the desk wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// The HTTP status.
    pub status: u16,
    /// The code for programs; none where it is not one of ours.
    pub code: Option<Code>,
    /// The words for a person.
    pub message: String,
    /// Where and what, for each fault.
    pub problems: Vec<(String, String)>,
    /// When to come back.
    pub retry_after: Option<Duration>,
}

impl Failure {
    /// Reads a failure; whatever else stands there is kept as its message.
    pub(super) fn read(status: u16, retry_after: Option<Duration>, body: &[u8]) -> Self {
        if let Ok(told) = serde_json::from_slice::<shape::Failure>(body) {
            let problems = told.problems.into_iter().map(|problem| (problem.path, problem.message)).collect();
            let code = Code::parse(&told.error.0);
            return Self { status, code, message: told.message, problems, retry_after };
        }
        let cut: String = String::from_utf8_lossy(body).chars().take(200).collect();
        let message = match cut.trim() {
            "" => format!("status {status}"),
            cut => cut.to_owned(),
        };
        Self { status, code: None, message, problems: Vec::new(), retry_after }
    }

    fn said(&self) -> String {
        in_lines(&self.message, &self.problems)
    }
}

impl ClientError {
    /// Says it in this language; what the server wrote stays as it is, it was asked in the person's own.
    pub fn said(&self, language: Language) -> String {
        let said = NoServer(language);
        match self {
            Self::Away { url, why } => said.away(url, language.of(why)),
            Self::Refused(failure) => failure.said(),
            Self::Garbled { url, what } => said.garbled(url, what),
            Self::NoKey { role, why } => said.no_key(role, language.of(why)),
            Self::OwnKeyRefused { path } => {
                let agent = path.file_name().unwrap_or_default().to_string_lossy();
                said.own_key_refused(path.display(), agent)
            }
            Self::NotAnAddress { url, why } => said.no_address(url, language.of(why)),
            Self::NotStarted { why } => said.not_started(why),
            Self::NotRunning => said.not_running().to_owned(),
        }
    }

    /// Returns the code of a refusal.
    pub fn code(&self) -> Option<Code> {
        match self {
            Self::Refused(failure) => failure.code,
            _ => None,
        }
    }

    /// Whether the same may work in a moment: the desk is away, closing, or busy.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Away { .. } | Self::NotRunning => true,
            Self::Refused(failure) => {
                matches!(failure.status, 502..=504) || failure.code == Some(Code::RateLimited)
            }
            Self::Garbled { .. }
            | Self::NoKey { .. }
            | Self::OwnKeyRefused { .. }
            | Self::NotAnAddress { .. }
            | Self::NotStarted { .. } => false,
        }
    }

    /// Whether nothing can be kept just now: there is no desk and none can be started, or it cannot work. What it
    /// refused is something else.
    pub fn is_no_desk(&self) -> bool {
        self.may_pass() || matches!(self, Self::NotStarted { .. } | Self::NoKey { .. })
    }

    /// Returns when to come back, where the desk said so.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused(failure) => failure.retry_after,
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use askuser_words::quoted;

    use super::*;

    #[test]
    fn a_refusal_reads_back_and_names_every_fault() {
        let body = br#"{"success":false,"error":"invalid_answer","message":"This does not fit",
            "problems":[{"path":"answers.q1","message":"is missing"},{"path":"","message":"and 3 more"}]}"#;
        let error = ClientError::Refused(Box::new(Failure::read(400, None, body)));
        assert_eq!(error.to_string(), "This does not fit\n- answers.q1: is missing\n- and 3 more");
        assert_eq!(error.code(), Some(Code::InvalidAnswer));
        assert!(!error.may_pass());
    }

    #[test]
    fn what_was_refused_is_not_asked_without_a_desk() {
        let refused = |status, code: &str| {
            let body = format!(r#"{{"success":false,"error":"{code}","message":"","problems":[]}}"#);
            ClientError::Refused(Box::new(Failure::read(status, None, body.as_bytes()))).is_no_desk()
        };
        assert!(
            !refused(400, "invalid_question") && !refused(409, "conflict") && !refused(401, "unauthorized")
        );
        assert!(refused(503, "unavailable"));
        let why = "no room".to_owned();
        assert!(ClientError::NotStarted { why: why.clone() }.is_no_desk());
        assert!(!ClientError::NotAnAddress { url: String::new(), why: quoted(why) }.is_no_desk());
    }

    #[test]
    fn what_is_not_ours_is_shown_in_short() {
        let error = ClientError::Refused(Box::new(Failure::read(502, None, b"<html>bad gateway</html>")));
        assert_eq!(error.to_string(), "<html>bad gateway</html>");
        assert!(error.may_pass());
        let empty = Failure::read(500, None, b"");
        assert_eq!((empty.message.as_str(), empty.code), ("status 500", None));
    }
}
