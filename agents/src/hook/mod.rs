//! An agent's hooks: what happens in the agent becomes an ask, or takes one back; the outcome becomes
//! the decision that the agent understands.
//!
//! Pure: an event in, a deed out, and the words for every ending. Where we have nothing to say we
//! step aside, and the agent's own dialog appears. `allow` is never said without answers.

mod event;
mod claude;
mod codex;
mod gemini;
mod opencode;
mod permission;

use askuser_core::ask::Ask;
use askuser_core::asker::Purpose;
use askuser_core::outcome::{Ending, Outcome};
use askuser_words::Language;
use askuser_words::commands::setup::Hooks;
use askuser_words::reasons::Reasons;
use serde_json::{Value, json};

use askuser_wire::{self as wire, Dialect};

pub use event::{Event, Mode};

/// An agent whose hooks we speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    /// Claude Code.
    ClaudeCode,
    /// `OpenAI` Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// opencode, by its plugin of ours.
    Opencode,
}

/// What an event asks of us.
#[derive(Debug, Clone, PartialEq)]
pub enum Deed {
    /// To ask a person and to answer the event with what they say.
    Ask(Box<Asking>),
    /// To take back what is open: it was settled in the agent's own dialog, or nobody waits for it.
    TakeBack(Taking),
    /// To wait for what was asked in passing, and to hand it over.
    Collect,
    /// Nothing: the agent goes its own way.
    Aside,
}

/// An ask that an event makes.
#[derive(Debug, Clone, PartialEq)]
pub struct Asking {
    /// The ask, as JSON.
    pub ask: Value,
    /// Its dialect.
    pub dialect: Dialect,
    /// What it is about.
    pub purpose: Purpose,
    /// Joins the same event that comes again, also after the ask ended.
    pub key: Option<String>,
    says: Says,
    input: Value,
}

/// Which open asks are taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taking {
    session: String,
    thread: Thread,
    /// Only those that were made for one of these calls of a tool; all where none is named.
    marks: Vec<String>,
    /// Why, for whoever sees the card close.
    pub reason: &'static str,
}

/// Whose asks of a session are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Thread {
    /// Everybody's.
    Any,
    /// The agent's own, or those of one that it started, by its id.
    Only(Option<String>),
}

/// Why a card goes that nobody here answered.
const REASONS: Reasons = Reasons(Language::English);
const SETTLED: &str = REASONS.settled();
const ENDED: &str = REASONS.conversation_ended();
pub const LEFT: &str = REASONS.agent_left();

/// The asks whose outcomes a decision carries, beside it: the hook takes them out of it, and acknowledges them once
/// the agent has it.
pub const TOLD: &str = "ask_ids";

/// How the outcome is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    /// Claude Code, before a tool runs: the answers go into the tool's input.
    BeforeTool,
    /// Claude Code, beside its own dialog: the same.
    BesideDialog,
    /// Yes or no to a permission; Claude Code wants the input echoed, Codex does not take it.
    Permission(Agent),
    /// Another server's form.
    Form,
    /// Codex and Gemini CLI: no, with the answers as the reason.
    Refusal(Agent),
    /// Codex, for a question that it does not wait for: nothing now, its answer when the turn ends.
    Later,
    /// opencode: what its own API takes.
    Reply,
}

impl Agent {
    /// Finds an agent by its name on the command line.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "claude-code" => Some(Self::ClaudeCode),
            "codex" => Some(Self::Codex),
            "gemini" | "gemini-cli" => Some(Self::Gemini),
            "opencode" => Some(Self::Opencode),
            _ => None,
        }
    }

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini-cli",
            Self::Opencode => "opencode",
        }
    }
}

/// Says what an event asks of us.
pub fn read(event: &Event) -> Deed {
    if event.is_gone() {
        return Deed::TakeBack(Taking::of_call(event, LEFT));
    }
    match event.agent {
        Agent::ClaudeCode => claude::read(event),
        Agent::Codex => codex::read(event),
        Agent::Gemini => gemini::read(event),
        Agent::Opencode => opencode::read(event),
    }
}

/// Stepping aside, in the words that every agent takes for it.
pub fn aside() -> Value {
    json!({})
}

/// Stepping aside, with a reason that the agent shows to its person.
pub fn aside_because(why: &str, language: Language) -> Value {
    json!({ "systemMessage": Hooks(language).here(why) })
}

impl Asking {
    /// Writes the decision of an ask that ended. Taken back is nobody's decision: the agent goes its
    /// own way.
    pub fn decision(&self, ask: &Ask, outcome: &Outcome) -> Value {
        if outcome.ending == Ending::Withdrawn {
            return aside();
        }
        match self.says {
            Says::BeforeTool => claude::before_tool(&self.input, ask, outcome),
            Says::BesideDialog => claude::beside_dialog(&self.input, ask, outcome),
            Says::Permission(agent) => permission::decision(agent, &self.input, ask, outcome),
            Says::Form => claude::form(ask, outcome),
            Says::Refusal(Agent::Gemini) => gemini::refusal(ask, outcome),
            Says::Refusal(_) => codex::refusal(ask, outcome),
            Says::Later => aside(),
            Says::Reply => opencode::reply(ask, outcome),
        }
    }

    /// Whether the ask stays when the agent ends its hook: a run that is resumed finds it again, any
    /// other agent asks anew.
    pub fn stays(&self) -> bool {
        self.says == Says::BeforeTool
    }

    /// Whether the agent waits for the answer; else it goes on, and comes for it later.
    pub fn is_awaited(&self) -> bool {
        self.says != Says::Later
    }

    /// What is said where nobody answered within the hook's own time, and whether the ask is taken
    /// back with it: an ask that nobody comes back to must not stay.
    pub fn given_up(&self, language: Language) -> (Value, bool) {
        match self.says {
            // The run ends here and is resumed later; the same call comes again and finds its ask.
            Says::BeforeTool => (claude::deferred(), false),
            Says::BesideDialog | Says::Permission(Agent::ClaudeCode) | Says::Later => (aside(), false),
            Says::Permission(_) | Says::Form | Says::Refusal(_) | Says::Reply => {
                (aside_because(Hooks(language).nobody(), language), true)
            }
        }
    }
}

impl Taking {
    /// What was asked for the event's own call of a tool.
    fn of_call(event: &Event, reason: &'static str) -> Self {
        let session = event.session().to_owned();
        Self { session, thread: Thread::Any, marks: vec![event.mark()], reason }
    }

    /// Everything of the event's session.
    fn of_session(event: &Event, reason: &'static str) -> Self {
        Self { session: event.session().to_owned(), thread: Thread::Any, marks: Vec::new(), reason }
    }

    /// Whether an open ask is one of those.
    pub fn takes(&self, ask: &Ask) -> bool {
        let metadata = wire::ask::metadata(&ask.terms);
        let Some(hook) = metadata.get("hook") else { return false };
        let word = |key: &str| hook.get(key).and_then(Value::as_str);
        let same_thread = match &self.thread {
            Thread::Any => true,
            Thread::Only(thread) => thread.as_deref() == word("thread"),
        };
        let same_call = self.marks.is_empty() || self.marks.iter().any(|mark| word("mark") == Some(mark));
        word("session") == Some(self.session.as_str()) && same_thread && same_call
    }
}

/// Whether an ask is one that a hook waits for on its connection, now or when its agent's turn ends.
pub fn is_leased(ask: &Ask) -> bool {
    wire::ask::metadata(&ask.terms).get("hook").is_some()
}

/// Whether an ask was asked in passing: its agent comes for the answer when its turn ends.
pub fn is_for_later(ask: &Ask) -> bool {
    wire::ask::metadata(&ask.terms).pointer("/hook/later").and_then(Value::as_bool) == Some(true)
}

/// Hands over what was answered to questions that were asked in passing; what was taken back is
/// nobody's answer.
pub fn collected<'a>(ended: impl Iterator<Item = &'a Ask>) -> Value {
    let texts = ended.filter_map(|ask| {
        let outcome = ask.state.outcome().filter(|outcome| outcome.ending != Ending::Withdrawn)?;
        Some(text(ask, outcome))
    });
    let texts: Vec<String> = texts.collect();
    if texts.is_empty() { aside() } else { json!({"decision": "block", "reason": texts.join("\n")}) }
}

/// The text that a model reads of an outcome.
fn text(ask: &Ask, outcome: &Outcome) -> String {
    wire::result_text::write(&ask.questions, outcome).text
}
