//! Asks: asked, waited for, answered, declined, taken back; the inbox and history.

use askuser_core::limits::ID_CHARS_MAX;
use askuser_core::problem::Fault;
use askuser_wire::Dialect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::headers;
use crate::query::{Seconds, query};
use crate::route::{Header, routes};
use crate::shapes::{Answered, Ask, Open};

routes! {
    AskPeople(Agent, Writes) Post "/api/asks" query Asking; body Open; status &[200, 201]; headers &[KEY, ASKER]; => Ask:
        "Asks, in any format; with `wait` it replies when the ask closes";
    OwnAsks(Agent, Reads) Get "/api/asks" query OfAsker; headers &[ASKER]; => Asks:
        "This asker's open asks, and closed ones whose outcome it has not received";
    ShowAsk(AgentOrPerson, Reads) Get "/api/asks/{ask_id}" query Waiting; => Ask:
        "One ask; with `wait` it replies when the ask closes";
    Withdraw(Agent, Writes) Post "/api/asks/{ask_id}/withdraw" => Ask: "Withdraws an ask";
    Acknowledge(Agent, Writes) Post "/api/asks/{ask_id}/ack" => Ask: "Confirms that the outcome arrived";
    AnswerInDialog(Agent, Writes) Post "/api/asks/{ask_id}/dialog" body DialogAnswers; => Ask:
        "Answers from the agent's own dialog, if the settings allow it";
    Inbox(Person, Reads) Get "/api/inbox" query Listing; => Asks: "Open asks: urgent ones first, then the oldest";
    History(Person, Reads) Get "/api/history" query Search; => Page:
        "Closed asks, newest conversation first; `q` searches, `after` gets the next page";
    Ids(AgentOrPerson, Reads) Get "/api/ids" query Meant; => Things:
        "What part of an id stands for; without `part` all ids, open ones first, then the latest";
    Answer(Person, Answers) Post "/api/asks/{ask_id}/answer" body Answers; => Ask: "Answers the whole ask";
    Hold(Person, Answers) Post "/api/asks/{ask_id}/hold" body Answers; => Ask:
        "Answers by one press, which can be undone for a few seconds";
    TakeBack(Person, Answers) Delete "/api/asks/{ask_id}/hold" => Ask: "Undoes an answer that is not final yet";
    SaveSheet(Person, Reads) Put "/api/asks/{ask_id}/sheet" body Answers; => Ask: "Saves a draft";
    Decline(Person, Answers) Post "/api/asks/{ask_id}/cancel" body Reason; => Ask: "Declines to answer";
    Reopen(Person, Writes) Post "/api/asks/{ask_id}/reopen" status &[201]; => Ask:
        "Asks a timed-out or declined ask again";
    AnswerMany(Person, Answers) Post "/api/asks/answer-many" body ManyAnswers; => Results:
        "Gives several equal asks the same answer";
    AnswerQuestion(Person, Answers) Post "/api/task/answer" body OneAnswer; => DoneInWords:
        "Answers one question; the last visible one closes the ask";
    DeclineQuestion(Person, Answers) Post "/api/task/cancel" body OneDecline; => DoneInWords:
        "Declines the ask that a question belongs to";
}

const KEY: Header = Header { chars_max: ID_CHARS_MAX, ..Header::text(headers::IDEMPOTENCY_KEY) };
const ASKER: Header = Header::text(headers::ASKER);

// The name of a dialect.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct DialectName(#[schemars(extend("enum" = Dialect::names().collect::<Vec<_>>()))] pub String);

impl DialectName {
    /// Finds the dialect.
    pub fn dialect(&self) -> Result<Dialect, Fault> {
        let expected = || Dialect::names().map(str::to_owned).collect();
        let unknown = || Fault::NotOneOf { expected: expected(), received: self.0.clone() };
        Dialect::parse(&self.0).ok_or_else(unknown)
    }
}

query! {
    /// How an ask is read and answered.
    pub struct Asking {
        /// Seconds to wait for its end.
        #[schemars(with = "Option<f64>", range(min = 0.0))]
        pub wait: Option<Seconds>,
        /// The dialect of the questions; else it is recognised.
        pub dialect: Option<DialectName>,
        /// The dialect of the reply; else that of the questions.
        pub reply: Option<DialectName>,
    }

    /// How long to wait for an ask, and how its outcome is told.
    pub struct Waiting {
        /// Seconds to wait for its end.
        #[schemars(with = "Option<f64>", range(min = 0.0))]
        pub wait: Option<Seconds>,
        /// The dialect of the reply; else that of the questions.
        pub reply: Option<DialectName>,
    }

    /// Which asker, where several share a key.
    pub struct OfAsker {
        /// In this session alone.
        pub session: Option<String>,
        /// The agent's name.
        pub agent: Option<String>,
        /// The project's folder.
        pub folder: Option<String>,
    }

    /// What a list is to tell besides.
    pub struct Listing {
        /// The short id of each: all the ids there are have to be gone through for it.
        pub short_ids: Option<bool>,
    }
}

impl Listing {
    /// With short ids.
    pub const SHORT_IDS: Self = Self { short_ids: Some(true) };
}

query! {
    /// What is looked for in history.
    pub struct Search {
        /// Words, all of which stand in it.
        pub q: Option<String>,
        /// In this session alone.
        pub session: Option<String>,
        /// Goes on after this ask: the `next` of the page before.
        pub after: Option<String>,
        /// Also what is open.
        pub open: Option<bool>,
        /// The short id of each.
        pub short_ids: Option<bool>,
    }
}

/// A kind of thing that has an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum IdKind {
    /// Asks.
    Ask,
    /// Sessions.
    Session,
    /// Tasks.
    Task,
    /// Rules.
    Rule,
}

query! {
    /// What is meant by a part of an id.
    pub struct Meant {
        /// What it names; an ask where nothing is said.
        pub kind: Option<IdKind>,
        /// What was typed of it; all there is where nothing was.
        pub part: Option<String>,
        /// Only what is open.
        pub open: Option<bool>,
    }
}

/// What a part of an id may stand for.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Things {
    /// What was asked for.
    pub kind: IdKind,
    /// What there is.
    pub ids: Vec<Thing>,
    /// Whether there is more than is told.
    pub more: bool,
}

/// Something that has an id.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Thing {
    /// Its id.
    pub id: String,
    /// The shortest end of it that stands for it.
    pub short_id: String,
    /// What it says.
    pub text: String,
    /// Who asked, where.
    pub about: String,
    /// When it was made.
    pub at: String,
    /// Whether it is open.
    pub open: bool,
}

/// Asks.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Asks {
    /// The asks.
    pub asks: Vec<Ask>,
    /// How many are listed at most, where there may be more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// A page of history.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Page {
    /// The asks.
    pub asks: Vec<Ask>,
    /// The `after` of the next page; null at the end.
    pub next: Option<String>,
}

/// Answers by question.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Answers {
    /// By question: an id, a label, a text, a list, true or false.
    pub answers: Map<String, Value>,
    /// By question: what the person adds.
    pub notes: Option<Map<String, Value>>,
}

/// What the agent's own dialog was told.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct DialogAnswers {
    /// By question.
    pub answers: Map<String, Value>,
    /// By question.
    pub notes: Option<Map<String, Value>>,
    /// The agent's program, by name and version.
    pub client: Option<String>,
}

/// One answer for several asks.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ManyAnswers {
    /// The asks.
    pub ask_ids: Vec<String>,
    /// By the questions of the first ask.
    pub answers: Map<String, Value>,
    /// By question.
    pub notes: Option<Map<String, Value>>,
}

/// What became of each.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Results {
    /// An ask each: `ask_id` with its `status`, or why it was not answered.
    pub results: Vec<Answered>,
}

/// Why it is declined.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Reason {
    /// For the asker to read.
    pub reason: Option<String>,
}

/// The answer to one question.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct OneAnswer {
    /// The session.
    pub session_id: String,
    /// The question.
    pub question_id: String,
    /// The answer.
    pub answer: Value,
}

/// No answer to one question.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct OneDecline {
    /// The session.
    pub session_id: String,
    /// The question.
    pub question_id: String,
    /// For the asker to read.
    pub reason: Option<String>,
}

/// It was done, in words for the person.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct DoneInWords {
    /// Always.
    pub success: bool,
    /// What came of it.
    pub message: String,
}
