//! What someone wants to happen. `decide` says whether it does.

use std::sync::Arc;
use std::time::Duration;

use crate::ask::{Ask, Fingerprint};
use crate::asker::{Purpose, Terms, Timing};
use crate::entry::Entry;
use crate::id::{AskId, KeyId, MessageId, QuestionId, ServerId, SessionId, TaskId, UserId};
use crate::message::NewMessage;
use crate::outcome::By;
use crate::question::Questions;
use crate::session::{Origin, Session};
use crate::task::TaskMove;
use crate::time::Timestamp;

/// Who wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// What they may do at all.
    pub role: Role,
    /// Whose asks they may see; the server sees every user's.
    pub user: UserId,
    /// Through what, and how we know.
    pub by: By,
    /// The API key that they came with; none with a cookie, by a link, or where it is the server.
    pub key: Option<KeyId>,
}

impl Actor {
    /// The server itself, where something of this user's is concerned.
    pub fn server(user: UserId) -> Self {
        Self { role: Role::Server, user, by: By::server(), key: None }
    }

    /// Whether they may see what belongs to this user: it is their own, or they are the server.
    pub fn may_see(&self, owner: &UserId) -> bool {
        self.role == Role::Server || self.user == *owner
    }

    /// Whether they may see an ask: its owner and their agents, and as a person whoever it is for. An
    /// agent never sees what others ask its person.
    pub fn may_see_ask(&self, ask: &Ask) -> bool {
        self.may_see(&ask.owner) || (self.role == Role::Person && ask.is_for(&self.user))
    }
}

/// What an actor may do (invariant 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Asks, waits, takes back. Never answers.
    Agent,
    /// Answers, declines, saves. Never asks.
    Person,
    /// The server itself: deadlines, expiry, fixed flows.
    Server,
}

/// What a key may do (invariant 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyRole {
    /// Asks, waits, takes back.
    Agent,
    /// Answers, declines, saves.
    Person,
    /// Users, keys, audit, metrics.
    Admin,
}

impl KeyRole {
    /// Every role there is.
    pub const ALL: [Self; 3] = [Self::Agent, Self::Person, Self::Admin];

    /// Returns its word, which is also the name of its file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Person => "person",
            Self::Admin => "admin",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Begin a session.
    OpenSession {
        /// Its new name.
        session: SessionId,
        /// The agent's own name for it.
        external_id: Option<String>,
        /// How it came to be.
        origin: Origin,
        /// How many rounds are announced.
        total_rounds: Option<u32>,
        /// What holds for its asks where they say nothing else.
        timing: Timing,
    },
    Ask(Box<NewAsk>),
    /// Keep a half-filled sheet.
    Save {
        ask: AskId,
        /// Everything that is put down now.
        entries: Vec<(QuestionId, Entry)>,
    },
    /// Answer the whole ask.
    Answer {
        ask: AskId,
        /// The whole sheet.
        entries: Vec<(QuestionId, Entry)>,
    },
    /// Answer the whole ask by one press, which can be taken back for a while.
    Hold {
        ask: AskId,
        /// The whole sheet.
        entries: Vec<(QuestionId, Entry)>,
        /// For how long; the ask's deadline makes it final sooner.
        grace: Duration,
    },
    /// Take back the answer that one holds.
    TakeBack {
        ask: AskId,
    },
    /// Answer one question (P8); the ask ends with the last visible one.
    AnswerOne {
        /// The ask whose question the answer was read for; where it is another one by now, the
        /// answer is not for it.
        ask: Option<AskId>,
        question: QuestionId,
        /// The answer; an empty one skips.
        entry: Entry,
    },
    /// Answer by a rule that the person set up, as the server does for them (invariant 5).
    AnswerByRule {
        ask: AskId,
        /// The whole sheet.
        entries: Vec<(QuestionId, Entry)>,
        /// The name of the rule, told with the outcome.
        rule: Option<String>,
        /// What the person's rule is good for.
        reach: RuleReach,
    },
    Decline {
        ask: AskId,
        reason: Option<String>,
    },
    /// Take an ask back.
    Withdraw {
        ask: AskId,
        /// Why, for whoever sees it close.
        reason: Option<String>,
    },
    /// Make answers final that were held long enough, and end an ask whose deadline has passed.
    Expire {
        ask: AskId,
    },
    /// Show an ask to others as well that has been open for long enough.
    Escalate {
        ask: AskId,
    },
    /// Note that outcomes were handed to the asker.
    Deliver {
        /// Asks of one session.
        asks: Vec<AskId>,
    },
    /// Note that the asker went on.
    Acknowledge {
        ask: AskId,
    },
    /// Ask a timed-out or cancelled ask anew, with what was already put down (P13).
    Reopen {
        /// The ended ask.
        ask: AskId,
        /// The name of the new one.
        as_new: AskId,
    },
    /// Go on from an earlier point of a session, in a new one (D13).
    Restore {
        /// The name of the new one.
        session: SessionId,
        /// The session that it goes on from.
        from: SessionId,
        /// The point that it goes back to; none: where the session is when this is decided.
        to: Option<Timestamp>,
        /// The asks that were open then and have ended since, each with the name that it is asked anew under.
        asks: Vec<(AskId, Arc<Ask>)>,
        reason: String,
    },
    /// End a session: by its agent, or by the server when it was idle for too long.
    EndSession {
        session: SessionId,
    },
    /// Give an agent a task, in a new session.
    StartTask(Box<NewTask>),
    /// Take a task up again that has ended in any way, with something to say.
    ResumeTask {
        task: TaskId,
        /// The server that runs it from now on.
        server: ServerId,
        /// What is said.
        text: String,
        /// The name of the message that says it.
        message: MessageId,
    },
    /// Say something to the agent while it works.
    SayToTask {
        task: TaskId,
        /// What is said.
        text: String,
        /// The name of the message that says it.
        message: MessageId,
    },
    /// Move a task on, as whoever runs it sees it.
    MoveTask {
        task: TaskId,
        /// Which of its runs is meant, by number; none: whichever there is. Whoever ran one that is
        /// over has no say in the next.
        run: Option<u32>,
        to: TaskMove,
    },
    /// Tell what the agent said and did, in order.
    Tell {
        task: TaskId,
        /// Which of its runs, by number.
        run: u32,
        messages: Vec<NewMessage>,
    },
}

/// What a rule of a person is good for (invariant 6).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleReach {
    Decisions,
    /// Permissions of this person, who confirmed the very text of each of the rules on the page.
    ConfirmedBy(UserId),
}

/// A new ask, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct NewAsk {
    pub id: AskId,
    /// The session that it belongs to.
    pub session: SessionId,
    /// What is asked.
    pub questions: Questions,
    /// Who asks and under which terms.
    pub terms: Arc<Terms>,
    /// What holds where neither the asker nor its session says: the desk's configuration.
    pub otherwise: Timing,
    /// Tells equal contents.
    pub fingerprint: Fingerprint,
    /// By what its asker is known again when it comes back.
    pub known_by: KnownBy,
}

/// By what an asker is known again when it comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownBy {
    /// Nothing: a script that asks once is nobody in particular, and last week's Yes is not today's.
    Nothing,
    /// Its API key and its program: another agent of the same kind may be meant, in another project.
    Program,
    /// Its folder or conversation as well.
    Place,
}

impl NewAsk {
    /// Whether the ids that it gives its questions count in its whole session (P9): where the caller named that, and
    /// wrote the questions for it. Elsewhere the same question may come every day.
    pub fn names_for_session(&self, session: &Session) -> bool {
        session.given_name().is_some() && self.terms.template.is_none()
    }

    /// Whether it may be an ask of its session that ended while its asker was away, once more.
    pub fn may_be_missed(&self) -> bool {
        self.known_by != KnownBy::Nothing && self.terms.purpose == Purpose::Decision
    }
}

/// A new task, checked: the agent is configured and may work in the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTask {
    pub id: TaskId,
    /// The new session that it gets.
    pub session: SessionId,
    /// The server that runs it.
    pub server: ServerId,
    /// The agent, by the name that it is configured under.
    pub agent: String,
    /// The folder that it works in.
    pub folder: String,
    /// What is to be done.
    pub text: String,
    /// The name of the message that says it.
    pub message: MessageId,
}
