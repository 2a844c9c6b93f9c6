//! An agent's hooks: what happens in the agent becomes an ask, or takes one back; the outcome becomes
//! the decision that the agent understands.
//!
//! Pure: an event in, an action out, and the words for every ending. What an agent's events are and how it wants to be
//! answered is in the agent's own file. Where we have nothing to say we step aside, and the agent's own dialog
//! appears. `allow` is never said without answers.

mod event;
pub(crate) mod permission;

use std::fmt;
use std::time::Duration;

use askuser_core::ask::Ask;
use askuser_core::asker::Purpose;
use askuser_core::outcome::{Ending, Outcome};
use askuser_words::Language;
use askuser_words::commands::setup::Hooks as Words;
use askuser_words::reasons::Reasons;
use serde_json::{Value, json};

use askuser_wire::{self as wire, Dialect};

use crate::{Agent, named};

pub use event::{Event, Mode};
pub(crate) use event::{MARK, REPLIED};

/// How long a hook waits for a person: a little less than agents that were connected give it.
const A_DAY: Duration = Duration::from_mins(24 * 60 - 5);

/// What is known of an agent's hooks.
pub struct Hooks {
    /// The tool by which its model asks a person.
    pub question: &'static str,
    /// Says an event in the words that every agent's events have here.
    pub plain: fn(&Value) -> Value,
    /// Says what an event asks of us.
    pub read: fn(&Event) -> Action,
    /// Whether it shows a dialog of its own meanwhile.
    pub dialog: Dialog,
    /// How its events come in on standard input.
    pub input: Input,
    /// How long its hook waits for an answer.
    pub patience: Duration,
    /// The variable with the project's folder, where it is known better than by where the agent is just now.
    pub folder: Option<&'static str>,
    /// What it writes down where it gives up waiting without a word to its hook.
    pub gives_up: Option<Note>,
    /// The runner's driver that asks by itself: what runs for a task of it needs no hook.
    pub driver: Option<&'static str>,
}

/// How it is known whether an agent shows a dialog of its own while its hook waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialog {
    /// Its hook comes before any dialog.
    Never,
    /// It is open already.
    Always,
    /// By variables that the agent sets for its hooks.
    Told {
        /// `1` or `0`, and always the agent's own.
        attended: &'static str,
        /// `cli`, in versions without the other; one agent may have it from another that started it.
        entrypoint: &'static str,
    },
}

/// How an agent's events come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// One event, up to the end of the input.
    Whole,
    /// A line for each event. The input stays open while the agent waits: another line, or its end, says that it
    /// does not any more.
    Lines,
}

/// A line of JSON that an agent adds to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Note {
    /// The field of its events that names the file.
    pub file: &'static str,
    /// The line's `type`.
    pub kind: &'static str,
    /// The line's `content`.
    pub content: &'static str,
}

/// What an event asks of us.
#[derive(Debug, Clone)]
pub enum Action {
    /// To ask a person and to answer the event with what they say.
    Ask(Box<HookAsk>),
    /// To take back what is open: it was settled in the agent's own dialog, or nobody waits for it.
    TakeBack(Withdrawal),
    /// To wait for what was asked in passing, and to hand it over.
    Collect,
    /// Nothing: the agent goes its own way.
    StepAside,
}

/// An ask that an event makes.
#[derive(Debug, Clone)]
pub struct HookAsk {
    /// The ask, as JSON.
    pub ask: Value,
    pub dialect: Dialect,
    /// What it is about.
    pub purpose: Purpose,
    /// Joins the same event that comes again, also after the ask ended.
    pub key: Option<String>,
    pub(crate) reply: Reply,
    pub(crate) input: Value,
}

/// How an agent is told of an outcome.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reply {
    /// Writes its decision; the first value is the input that it asked with.
    pub(crate) write: fn(&Value, &Ask, &Outcome) -> Value,
    /// What becomes of an ask that nobody answers within the hook's own time.
    pub(crate) unanswered: Unanswered,
}

/// What becomes of an ask that nobody answers within the hook's own time.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unanswered {
    /// It stays, also where the agent ends its hook: the run ends with these words and is resumed later, and the same
    /// call comes again and finds it.
    Resumed(fn() -> Value),
    /// It stays while the agent's own dialog is open beside it: the agent's next event takes it back.
    BesideDialog,
    /// It stays: the agent did not wait for it in the first place, and comes for the answer when its turn ends.
    Later,
    /// It is taken back, and the agent's own dialog asks: nobody would come for the answer.
    TakenBack,
}

/// Which open asks are taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawal {
    pub(crate) session: String,
    pub(crate) thread: Thread,
    /// Only those that were made for one of these calls of a tool; all where none is named.
    pub(crate) marks: Vec<String>,
    /// Why, for whoever sees the card close.
    pub reason: &'static str,
}

/// Whose asks of a session are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Thread {
    /// Everybody's.
    Any,
    /// The agent's own, or those of one that it started, by its id.
    Only(Option<String>),
}

/// Why a card goes that nobody here answered.
pub(crate) const REASONS: Reasons = Reasons(Language::English);
pub(crate) const SETTLED: &str = REASONS.settled();
pub(crate) const ENDED: &str = REASONS.conversation_ended();
pub const LEFT: &str = REASONS.agent_left();

/// The asks whose outcomes a decision carries, beside it: the hook takes them out of it, and acknowledges them once
/// the agent has it.
pub const TOLD: &str = "ask_ids";

impl Hooks {
    /// Hooks that come before any dialog, one event each, and ask nothing yet.
    pub const PLAIN: Self = Self {
        question: "",
        plain: Value::clone,
        read: |_| Action::StepAside,
        dialog: Dialog::Never,
        input: Input::Whole,
        patience: A_DAY,
        folder: None,
        gives_up: None,
        driver: None,
    };
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the hooks of `{}`", self.question)
    }
}

impl Dialog {
    /// Whether there is one, by what those variables are set to.
    pub fn mode(self, attended: Option<&str>, entrypoint: Option<&str>) -> Mode {
        match (self, attended, entrypoint) {
            (Self::Always, ..)
            | (Self::Told { .. }, Some("1"), _)
            | (Self::Told { .. }, None, Some("cli")) => Mode::Interactive,
            (Self::Never | Self::Told { .. }, ..) => Mode::Headless,
        }
    }
}

/// Finds an agent that has hooks by its name.
pub fn agent(name: &str) -> Option<&'static Agent> {
    named(name).filter(|agent| agent.hooks.is_some())
}

/// Says what an event asks of us.
pub fn read(event: &Event) -> Action {
    if event.is_gone() {
        return Action::TakeBack(Withdrawal::of_call(event, LEFT));
    }
    event.agent.hooks.as_ref().map_or(Action::StepAside, |hooks| (hooks.read)(event))
}

/// Stepping aside, in the words that every agent takes for it.
pub fn aside() -> Value {
    json!({})
}

/// Stepping aside, with a reason that the agent shows to its person.
pub fn aside_because(why: &str, language: Language) -> Value {
    json!({ "systemMessage": Words(language).here(why) })
}

impl HookAsk {
    /// Writes the decision of an ask that ended. Taken back is nobody's decision: the agent goes its
    /// own way.
    pub fn decision(&self, ask: &Ask, outcome: &Outcome) -> Value {
        if outcome.ending == Ending::Withdrawn {
            return aside();
        }
        (self.reply.write)(&self.input, ask, outcome)
    }

    /// Whether the ask stays when the agent ends its hook: a run that is resumed finds it again, any
    /// other agent asks anew.
    pub fn stays(&self) -> bool {
        matches!(self.reply.unanswered, Unanswered::Resumed(_))
    }

    /// Whether the agent waits for the answer; else it goes on, and comes for it later.
    pub fn is_awaited(&self) -> bool {
        !matches!(self.reply.unanswered, Unanswered::Later)
    }

    /// What is said where nobody answered within the hook's own time, and whether the ask is taken
    /// back with it: an ask that nobody comes back to must not stay.
    pub fn given_up(&self, language: Language) -> (Value, bool) {
        match self.reply.unanswered {
            Unanswered::Resumed(words) => (words(), false),
            Unanswered::BesideDialog | Unanswered::Later => (aside(), false),
            Unanswered::TakenBack => (aside_because(Words(language).nobody(), language), true),
        }
    }
}

impl Withdrawal {
    /// What was asked for the event's own call of a tool.
    pub(crate) fn of_call(event: &Event, reason: &'static str) -> Self {
        let session = event.session().to_owned();
        Self { session, thread: Thread::Any, marks: vec![event.mark()], reason }
    }

    /// Everything of the event's session.
    pub(crate) fn of_session(event: &Event, reason: &'static str) -> Self {
        Self { session: event.session().to_owned(), thread: Thread::Any, marks: Vec::new(), reason }
    }

    /// Whether an open ask is one of those.
    pub fn covers(&self, ask: &Ask) -> bool {
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
pub(crate) fn text(ask: &Ask, outcome: &Outcome) -> String {
    wire::result_text::write(&ask.questions, outcome).text
}
