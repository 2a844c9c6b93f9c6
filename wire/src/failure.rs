//! A failure, always in the same shape: a code for programs, words for a person, every fault.
//!
//! Codes and their statuses stand here and nowhere else: a doorway writes them, a client of another
//! desk reads them back.

use std::time::Duration;

use askuser_core::decide::Refusal;
use askuser_core::id::AskId;
use askuser_core::limits::PROBLEMS_TOLD_MAX;
use askuser_core::outcome::Outcome;
use askuser_core::problem::Problem;
use askuser_words::failed::Failed;
use askuser_words::fault as words;
use askuser_words::{Both, Language, both};
use serde_json::{Value, json};

macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $name:literal, $status:literal;)*) => {
        /// What went wrong, for programs.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code { $($(#[$doc])* $code,)* }

        impl Code {
            /// Every code there is.
            pub const ALL: &'static [Self] = &[$(Self::$code),*];

            /// Returns its word on the wire.
            pub fn name(self) -> &'static str {
                match self { $(Self::$code => $name),* }
            }

            /// Returns the HTTP status that goes with it.
            pub fn status(self) -> u16 {
                match self { $(Self::$code => $status),* }
            }
        }
    };
}

codes! {
    /// No such session; for this caller.
    SessionNotFound = "session_not_found", 404;
    /// No such question; for this caller.
    QuestionNotFound = "question_not_found", 404;
    /// No such ask; for this caller.
    AskNotFound = "ask_not_found", 404;
    /// The ask cannot be asked.
    InvalidQuestion = "invalid_question", 400;
    /// The answer does not fit.
    InvalidAnswer = "invalid_answer", 400;
    /// The id of a question is taken.
    DuplicateQuestionId = "duplicate_question_id", 400;
    /// The question has its answer.
    AlreadyAnswered = "already_answered", 400;
    /// The ask has its outcome.
    AlreadyClosed = "already_closed", 409;
    /// The name is that of an ask about something else.
    Conflict = "conflict", 409;
    /// Rounds build on one another too deep (P3).
    RecursiveLimitExceeded = "recursive_limit_exceeded", 429;
    /// Too many requests (D11).
    RateLimited = "rate_limited", 429;
    /// Too many sessions with open asks (D5).
    TooManySessions = "too_many_sessions", 429;
    /// Too many open asks in one session.
    TooManyAsks = "too_many_asks", 429;
    /// The request was meant for another host.
    WrongHost = "wrong_host", 421;
    /// Nobody knows who this is.
    Unauthorized = "unauthorized", 401;
    /// The caller may not do this.
    Forbidden = "forbidden", 403;
    /// The body is too large.
    PayloadTooLarge = "payload_too_large", 413;
    /// No answer of this person can be taken back.
    NothingHeld = "nothing_held", 409;
    /// The question waits for its turn.
    QuestionNotShowing = "question_not_showing", 400;
    /// Nothing to go back to (D13).
    CheckpointNotFound = "checkpoint_not_found", 404;
    /// The ask did not end in a way that lets it be asked anew.
    NotReopenable = "not_reopenable", 409;
    /// The ask has no outcome yet.
    StillOpen = "still_open", 409;
    /// The session has an open ask.
    SessionInUse = "session_in_use", 409;
    /// No such task; for this caller.
    TaskNotFound = "task_not_found", 404;
    /// The task stands where this cannot be done.
    TaskNotReady = "task_not_ready", 409;
    /// The task cannot be given so.
    InvalidTask = "invalid_task", 400;
    /// Nothing was configured that could run a task.
    RunnerOff = "runner_off", 403;
    /// The request itself makes no sense.
    InvalidRequest = "invalid_request", 400;
    /// No such route, or thing.
    NotFound = "not_found", 404;
    /// The route is there, the method is not.
    MethodNotAllowed = "method_not_allowed", 405;
    /// Not now.
    Unavailable = "unavailable", 503;
    /// Our fault.
    InternalError = "internal_error", 500;
}

impl Code {
    /// Finds a code by its word.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }
}

/// When to come back where the server cannot serve just now.
pub const COME_BACK: Duration = Duration::from_secs(1);

/// A failure on its way to a caller.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// What went wrong, for programs.
    pub code: Code,
    /// The same for a person.
    pub message: Both,
    /// Every fault of what came in.
    pub problems: Vec<Problem>,
    /// When to come back.
    pub retry_after: Option<Duration>,
    /// What the caller lost to.
    pub outcome: Option<Box<Outcome>>,
    /// The ask that holds the name.
    pub held_by: Option<Box<AskId>>,
    /// What would have fitted (P9).
    pub expected: Option<Box<Value>>,
}

impl Failure {
    /// Says what went wrong, in both languages.
    pub fn new<T: From<Language>, S: Into<String>>(code: Code, say: impl Fn(T) -> S) -> Self {
        Self {
            code,
            message: both(say),
            problems: Vec::new(),
            retry_after: None,
            outcome: None,
            held_by: None,
            expected: None,
        }
    }

    /// Not now, but in a moment.
    pub fn unavailable<S: Into<String>>(say: impl Fn(Failed) -> S) -> Self {
        Self::new(Code::Unavailable, say).after(COME_BACK)
    }

    /// Our fault; what it was is in the log.
    pub fn internal() -> Self {
        Self::new(Code::InternalError, Failed::internal)
    }

    /// Adds every fault of what came in.
    #[must_use]
    pub fn with(mut self, problems: Vec<Problem>) -> Self {
        self.problems = problems;
        self
    }

    /// Says when to come back.
    #[must_use]
    pub fn after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// Says that an ask cannot be asked.
    pub fn invalid_question(problems: Vec<Problem>) -> Self {
        Self::from(&Refusal::UnfitQuestions(problems))
    }

    /// Says that an answer does not fit.
    pub fn invalid_answer(problems: Vec<Problem>) -> Self {
        Self::from(&Refusal::UnfitAnswer(problems))
    }

    /// Says it with every fault, for a reader of this language.
    pub fn said(&self, language: Language) -> String {
        in_lines(language.of(&self.message), &in_words(&self.problems, language))
    }

    /// Writes it for a caller who reads this language.
    pub fn write(&self, language: Language) -> Value {
        let message = language.of(&self.message);
        let mut written = json!({
            "success": false,
            "error": self.code.name(),
            "message": message,
            "problems": listed(&self.problems, language),
        });
        let Some(fields) = written.as_object_mut() else { return written };
        if let Some(outcome) = &self.outcome {
            fields.insert("outcome".to_owned(), ended(outcome));
        }
        if let Some(ask) = &self.held_by {
            fields.insert("ask_id".to_owned(), ask.to_string().into());
        }
        if let Some(expected) = &self.expected {
            fields.insert("expected".to_owned(), (**expected).clone());
        }
        if self.code == Code::InternalError {
            fields.insert("status".to_owned(), "error".into());
            fields.insert("recovery_action".to_owned(), "restart_session".into());
        }
        written
    }
}

/// How an ask ended, without what was answered: a caller that came too late need not see that.
fn ended(outcome: &Outcome) -> Value {
    json!({
        "status": outcome.status(),
        "reason": outcome.reason(),
        "answered_by": outcome.answered_by(),
        "by": super::outcome::by_in_short(&outcome.by),
        "closed_at": super::time::write(outcome.at),
    })
}

impl From<&Refusal> for Failure {
    fn from(refusal: &Refusal) -> Self {
        let (code, problems) = match refusal {
            Refusal::SessionNotFound => (Code::SessionNotFound, &[][..]),
            Refusal::AskNotFound => (Code::AskNotFound, &[][..]),
            Refusal::QuestionNotFound(_) => (Code::QuestionNotFound, &[][..]),
            Refusal::UnfitQuestions(problems) => (Code::InvalidQuestion, problems.as_slice()),
            Refusal::UnfitAnswer(problems) => (Code::InvalidAnswer, problems.as_slice()),
            Refusal::DuplicateQuestionId(_) | Refusal::AmbiguousQuestionId(_) => {
                (Code::DuplicateQuestionId, &[][..])
            }
            Refusal::AlreadyAnswered(_) | Refusal::AlreadyHeard => (Code::AlreadyAnswered, &[][..]),
            Refusal::Conflict { .. } => (Code::Conflict, &[][..]),
            Refusal::AlreadyClosed(_) => (Code::AlreadyClosed, &[][..]),
            Refusal::NothingHeld => (Code::NothingHeld, &[][..]),
            Refusal::NotShowing => (Code::QuestionNotShowing, &[][..]),
            Refusal::NotReopenable => (Code::NotReopenable, &[][..]),
            Refusal::CheckpointNotFound => (Code::CheckpointNotFound, &[][..]),
            Refusal::RecursiveLimit { .. } => (Code::RecursiveLimitExceeded, &[][..]),
            Refusal::TooManySessions { .. } => (Code::TooManySessions, &[][..]),
            Refusal::TooManyOpen { .. } => (Code::TooManyAsks, &[][..]),
            Refusal::StillOpen | Refusal::TooEarly => (Code::StillOpen, &[][..]),
            Refusal::SessionInUse => (Code::SessionInUse, &[][..]),
            Refusal::TaskNotFound => (Code::TaskNotFound, &[][..]),
            Refusal::TaskIs(_) | Refusal::RunOver => (Code::TaskNotReady, &[][..]),
            Refusal::UnfitTask(problems) => (Code::InvalidTask, problems.as_slice()),
            Refusal::Forbidden(_) => (Code::Forbidden, &[][..]),
        };
        let outcome = match refusal {
            Refusal::AlreadyClosed(outcome) => Some(outcome.clone()),
            _ => None,
        };
        let held_by = match refusal {
            Refusal::Conflict { ask, .. } => Some(Box::new(*ask)),
            _ => None,
        };
        let new = Self::new(code, |language: Language| words::refusal(refusal, language));
        Self { outcome, held_by, ..new.with(problems.to_vec()) }
    }
}

/// Writes faults as a list of `{path, message}`. Where there are more than are told at once, the
/// last line counts the rest.
pub fn listed(problems: &[Problem], language: Language) -> Vec<Value> {
    let told = in_words(problems, language).into_iter();
    told.map(|(path, message)| json!({"path": path, "message": message})).collect()
}

fn in_words(problems: &[Problem], language: Language) -> Vec<(String, String)> {
    let mut told: Vec<_> = problems
        .iter()
        .take(PROBLEMS_TOLD_MAX)
        .map(|problem| (problem.path.clone(), words::fault(&problem.fault, language)))
        .collect();
    let n_more = problems.len().saturating_sub(PROBLEMS_TOLD_MAX);
    if n_more > 0 {
        told.push((String::new(), Failed(language).more(n_more)));
    }
    told
}

/// Says what went wrong, with a line for each fault: where it is, and what.
pub fn in_lines(message: &str, problems: &[(String, String)]) -> String {
    let mut said = message.to_owned();
    for (path, message) in problems {
        said.push_str("\n- ");
        if !path.is_empty() {
            said.push_str(path);
            said.push_str(": ");
        }
        said.push_str(message);
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use askuser_core::answer::Answers;
    use askuser_core::outcome::{By, CancelStatus, Channel, Ending, Proof};
    use askuser_core::problem::Fault;
    use askuser_core::time::Timestamp;

    #[test]
    fn p9_a_failure_has_one_shape_and_names_every_fault() {
        let problems = vec![Problem::new("questions[0].options", Fault::Missing)];
        let failure = Failure::invalid_question(problems);
        assert_eq!(
            failure.write(Language::English),
            json!({
                "success": false, "error": "invalid_question", "message": "the questions do not fit",
                "problems": [{"path": "questions[0].options", "message": "is missing"}],
            })
        );
        assert_eq!(failure.write(Language::Chinese)["problems"][0]["message"], "缺失");
    }

    #[test]
    fn faults_beyond_the_limit_are_counted() {
        let problems = vec![Problem::new("x", Fault::Missing); PROBLEMS_TOLD_MAX + 7];
        let told = listed(&problems, Language::English);
        assert_eq!(told.len(), PROBLEMS_TOLD_MAX + 1);
        assert_eq!(told.last(), Some(&json!({"path": "", "message": "and 7 more"})));
    }

    #[test]
    fn a_code_is_read_back_by_its_word() {
        for code in Code::ALL {
            assert_eq!(Code::parse(code.name()), Some(*code));
            assert!((400..600).contains(&code.status()));
        }
    }

    /// Whoever came too late is told by whom and where it was ended, in both languages.
    #[test]
    fn who_was_first_is_named() {
        let outcome = |user: Option<&str>, channel, ending| Outcome {
            ending,
            by: By::new(user.map(Into::into), channel, Proof::Cookie),
            at: Timestamp(0),
            comment: None,
            answers: Answers::default(),
            voices: Vec::new(),
        };
        let lost_to = |outcome| Failure::from(&Refusal::AlreadyClosed(Box::new(outcome)));
        let ann = lost_to(outcome(Some("ann"), Channel::Web, Ending::Declined));
        assert_eq!(ann.message.english, "this question has ended: declined by ann in the browser");
        assert_eq!(ann.message.chinese, "问题已经结束：已取消（ann，浏览器）");
        let expired = Ending::Expired { told_as: CancelStatus::Timeout, abort: false };
        let server = lost_to(outcome(None, Channel::Server, expired));
        assert_eq!(server.message.english, "this question has ended: timed out, nobody answered in time");
        assert_eq!(server.message.chinese, "问题已经结束：已超时，无人及时回答");
    }

    /// D12: what we did not foresee says how to go on.
    #[test]
    fn d12_an_unforeseen_error_names_the_way_out() {
        let written = Failure::internal().write(Language::English);
        assert_eq!(written["status"], "error");
        assert_eq!(written["recovery_action"], "restart_session");
    }
}
