//! What keeps a call from being done, in words that the agent's model can act on.

use askuser_client::error::ClientError;
use askuser_core::problem::Problem;
use askuser_desk::DeskError;
use askuser_wire::failure::{Code, Failure};
use askuser_words::Language;
use askuser_words::failed::Failed;
use rmcp::ErrorData;
use rmcp::model::ErrorCode;

use super::tools::Verb;

/// How questions are asked.
const FORM: &str = r#"A question is {"question":"…?","header":"…","options":[{"label":"…"},{"label":"…"}]}; leave out options, type and multiSelect for one that is answered in the person's own words."#;

/// Says that a method of the protocol is not offered.
pub(super) fn not_offered(method: &str) -> ErrorData {
    let named = method.chars().take(64).collect::<String>();
    let message = format!("askuser does not offer `{named}`: it has tools and tasks, see tools/list");
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
}

/// Why a call could not be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble {
    /// What, and what to do next.
    pub(super) text: String,
    /// The code of a refusal.
    pub(super) code: Option<String>,
}

impl Trouble {
    /// Says what is wrong with the questions of a call, and how they are asked.
    pub(super) fn wrong_arguments(problems: Vec<Problem>) -> Self {
        let mut trouble = Self::wrong_template(problems);
        trouble.text.push(' ');
        trouble.text.push_str(FORM);
        trouble
    }

    /// Says what is wrong with a template, or with how a call fills it in.
    pub(super) fn wrong_template(problems: Vec<Problem>) -> Self {
        let mut trouble = Self::from(Failure::invalid_question(problems));
        trouble.text.push_str("\nNothing was asked. Fix this and call again.");
        trouble
    }

    /// Says what is wrong with the arguments of a tool that takes an ask's id.
    pub(super) fn wrong_call(tool: Verb, problems: Vec<Problem>) -> Self {
        let (name, next) = match tool {
            Verb::Wait => ("wait_for_answer", "Call it"),
            _ => ("cancel_ask", "Nothing was cancelled. Call it"),
        };
        let failure = Failure::new(Code::InvalidRequest, |said: Failed| said.unfit_arguments(name));
        let mut trouble = Self::from(failure.with(problems));
        trouble.text.push('\n');
        trouble.text.push_str(next);
        trouble.text.push_str(" with the ask_id of a pending result; list_asks lists yours.");
        trouble
    }

    /// Says, where there is no such ask, how to find the right one.
    pub(super) fn of_an_id(mut self) -> Self {
        if self.is_not_found() {
            self.text.push_str("\nlist_asks lists the ask_id of each of your questions.");
        }
        self
    }

    pub(super) fn not_an_agent() -> Self {
        Self::from(Failure::new(Code::Forbidden, Failed::agent_only))
    }

    /// Our own fault.
    pub(super) fn broken() -> Self {
        let text = "something went wrong on our side: nothing was asked, call again";
        Self { text: text.to_owned(), code: None }
    }

    /// Whether what was meant is not there.
    pub(super) fn is_not_found(&self) -> bool {
        self.code.as_deref() == Some(Code::AskNotFound.name())
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        let said = failure.said(Language::English);
        Self { text: said, code: Some(failure.code.name().to_owned()) }
    }
}

impl From<DeskError> for Trouble {
    fn from(error: DeskError) -> Self {
        Failure::from(error).into()
    }
}

impl From<ClientError> for Trouble {
    fn from(error: ClientError) -> Self {
        let code = match &error {
            ClientError::Refused(failure) => Some(failure.code.map_or("unknown", Code::name).to_owned()),
            _ => None,
        };
        let next = match &error {
            ClientError::Refused(_) => "",
            ClientError::Away { .. } | ClientError::NotRunning => {
                "\nThe person's desk is away: call again in a while."
            }
            _ => "\nThe person can find out more with `askuser doctor`.",
        };
        Self { text: format!("{error}{next}"), code }
    }
}
