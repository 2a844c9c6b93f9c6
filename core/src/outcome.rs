//! How an ask ended. Data, never an error: declined and expired are things that happen.

use std::fmt;

use crate::answer::Answers;
use crate::hearing::{Voice, agreement};
use crate::id::UserId;
use crate::question::Questions;
use crate::time::Timestamp;

/// How an ask ended, who ended it, and what was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// In which way.
    pub ending: Ending,
    pub by: By,
    pub at: Timestamp,
    /// What the person said with it: the reason of a cancel.
    pub comment: Option<String>,
    /// The answers; with an ending other than *answered*, what was already put down (O9).
    pub answers: Answers,
    /// What each person said, where the ask was for others than its session's owner.
    pub voices: Vec<Voice>,
}

/// The four ways in which an ask ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Every question that must be answered is.
    Answered(AnsweredBy),
    /// The person said no.
    Declined,
    /// The agent or the system took it back.
    Withdrawn,
    /// The deadline passed.
    Expired {
        /// What the asker wants it called.
        told_as: CancelStatus,
        /// Whether the task is to be stopped with it.
        abort: bool,
    },
}

/// Who gave the answers (invariant 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnsweredBy {
    Person,
    /// The defaults that the asker marked, taken at the deadline.
    Default,
    /// A rule that the person set up.
    Rule,
    /// Whoever sat before the agent's own dialog, as the agent's program tells it: nobody else saw them.
    AgentDialog,
    /// Nobody now: the asker brought every answer along, so nothing was asked (E5) and nothing is kept.
    Collected,
}

/// What an expired ask is called towards its asker (O3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CancelStatus {
    /// `timeout`.
    #[default]
    Timeout,
    /// `cancelled`.
    Cancelled,
}

/// Who did something, through what, and how we know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct By {
    /// The user; none where it was the server itself.
    pub user: Option<UserId>,
    pub channel: Channel,
    /// How we know (invariant 6).
    pub proof: Proof,
    /// The program that it was done with, where the desk could look at it.
    pub program: Option<Program>,
}

/// A program on the same machine, as the desk itself found it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    pub path: String,
    /// The agent's mark that it, or a process that it comes from, carries.
    pub mark: Option<String>,
}

impl By {
    /// Somebody, through a channel, and how we know.
    pub fn new(user: Option<UserId>, channel: Channel, proof: Proof) -> Self {
        Self { user, channel, proof, program: None }
    }

    /// The server itself.
    pub fn server() -> Self {
        Self::new(None, Channel::Server, Proof::Server)
    }

    /// The server, by a rule or a default that was set beforehand.
    pub fn rule() -> Self {
        Self::new(None, Channel::Server, Proof::Rule)
    }
}

/// Through what something was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Channel {
    Terminal,
    /// The web page.
    Web,
    /// The API, by a program in a person's hands.
    Api,
    /// The agent's own dialog.
    AgentDialog,
    /// A notification service, by its name.
    Notify(String),
    /// An agent's doorway.
    Agent,
    /// The server itself.
    Server,
}

/// How we know who it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// The page's cookie.
    Cookie,
    /// A key from a file or the environment.
    KeyFile,
    /// The same, on the word of whoever ran the command that they are a person, although an agent's
    /// mark stood in the environment.
    AsPerson,
    /// Keys pressed on a terminal.
    Terminal,
    /// Lines read from standard input.
    Stdin,
    /// The agent's own dialog, as the agent's program tells it.
    AgentDialog,
    /// A one-time link or button for one ask and one person.
    Link,
    /// A rule or a default set beforehand.
    Rule,
    /// The server itself.
    Server,
}

impl fmt::Display for By {
    /// Who and through what: `ann (web)`; the server is known by one word.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.user {
            Some(user) => write!(f, "{user} ({})", self.channel.name()),
            None => f.write_str(self.channel.name()),
        }
    }
}

impl Channel {
    /// Returns its word on the wire.
    pub fn name(&self) -> &str {
        match self {
            Self::Terminal => "terminal",
            Self::Web => "web",
            Self::Api => "api",
            Self::AgentDialog => "agent_dialog",
            Self::Notify(service) => service,
            Self::Agent => "agent",
            Self::Server => "server",
        }
    }
}

impl Proof {
    /// Every proof there is.
    pub const ALL: [Self; 9] = [
        Self::Cookie,
        Self::KeyFile,
        Self::AsPerson,
        Self::Terminal,
        Self::Stdin,
        Self::AgentDialog,
        Self::Link,
        Self::Rule,
        Self::Server,
    ];

    /// Returns its word on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cookie => "cookie",
            Self::KeyFile => "key_file",
            Self::AsPerson => "as_person",
            Self::Terminal => "terminal",
            Self::Stdin => "stdin",
            Self::AgentDialog => "agent_dialog",
            Self::Link => "link",
            Self::Rule => "rule",
            Self::Server => "server",
        }
    }

    /// Whether it may answer a question that grants a permission (invariant 6): only what the desk
    /// established itself. Under one user id that is a fence and no wall: a program of the same user that
    /// takes the trouble to open a terminal of its own gets over it, and a key or a claim does not.
    pub fn may_grant(self) -> bool {
        matches!(self, Self::Cookie | Self::Terminal)
    }
}

impl Outcome {
    /// Returns what the asker announced to do for the choices that were made, if it was answered.
    pub fn running<'a>(&self, questions: &'a Questions) -> Vec<&'a str> {
        let answered = self
            .answers
            .0
            .iter()
            .filter(|answer| matches!(self.ending, Ending::Answered(_)) && !answer.collected);
        let picked = answered.filter_map(|answer| Some((questions.find(&answer.question)?, answer)));
        let open = picked.filter(|(question, _)| !question.secret);
        open.flat_map(|(question, answer)| answer.picked.iter().filter_map(|id| question.choice(id)))
            .filter_map(|choice| choice.running.as_deref())
            .collect()
    }

    /// Returns the status on the wire (O1).
    pub fn status(&self) -> &'static str {
        match self.ending {
            Ending::Answered(_) => "answered",
            Ending::Declined
            | Ending::Withdrawn
            | Ending::Expired { told_as: CancelStatus::Cancelled, .. } => "cancelled",
            Ending::Expired { told_as: CancelStatus::Timeout, .. } => "timeout",
        }
    }

    /// Returns the reason on the wire (O1).
    pub fn reason(&self) -> &'static str {
        match self.ending {
            Ending::Answered(AnsweredBy::Person | AnsweredBy::Rule | AnsweredBy::AgentDialog)
            | Ending::Declined => "user",
            Ending::Answered(AnsweredBy::Default) | Ending::Expired { .. } => "timeout",
            Ending::Withdrawn | Ending::Answered(AnsweredBy::Collected) => "system",
        }
    }

    /// Returns whether the people who answered agree in everything; none where not several did.
    pub fn agreed(&self) -> Option<bool> {
        let n_answered = self.voices.iter().filter(|voice| voice.answers.is_some()).count();
        let by_people = matches!(self.ending, Ending::Answered(AnsweredBy::Person));
        (by_people && n_answered > 1).then(|| agreement(&self.voices).1)
    }

    /// Whether as many answered as were wanted and said different things: then nothing stands for all of
    /// them, and it is no answer to speak of.
    pub fn is_disagreement(&self) -> bool {
        self.agreed() == Some(false)
    }

    /// Returns who answered, on the wire; none where nobody did.
    pub fn answered_by(&self) -> Option<&'static str> {
        match self.ending {
            Ending::Answered(AnsweredBy::Person) => Some("person"),
            Ending::Answered(AnsweredBy::Default) => Some("default"),
            Ending::Answered(AnsweredBy::Rule) => Some("rule"),
            Ending::Answered(AnsweredBy::AgentDialog) => Some("agent_dialog"),
            Ending::Answered(AnsweredBy::Collected) => Some("collected"),
            Ending::Declined | Ending::Withdrawn | Ending::Expired { .. } => None,
        }
    }
}
