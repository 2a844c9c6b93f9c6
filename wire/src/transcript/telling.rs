//! The lines of a conversation become messages, one after another.
//!
//! A round begins where the person speaks: with a prompt, or with what follows an answer. Lines of
//! ours say their round themselves. Only the messages of the window are kept; what came before is
//! counted.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use askuser_core::question::Questions;
use serde_json::Value;

use super::Window;
use super::ending::{self, Told};
use super::line::{Part, parts, word};
use super::message::{Asked, Message, Said, Speaker, cut};
use crate::{self as wire, Dialect, recognise, time, tool};

/// The longest name of a tool that is remembered for its result.
const NAME_CHARS_MAX: usize = 128;

/// The longest name of a call that is waited for, and the most of them: a file may have any number.
const CALL_BYTES_MAX: usize = 256;
const WAITING_MAX: usize = 10_000;

/// What is told so far.
pub(super) struct Telling<L> {
    window: Window,
    pub(super) kept: VecDeque<Message>,
    kept_bytes: usize,
    /// How many messages there are in all.
    pub(super) n_messages: usize,
    /// The position of the first one that is kept.
    pub(super) first: usize,
    round: u32,
    /// Whether something was said in this round.
    begun: bool,
    /// Whether what comes next begins a round.
    turned: bool,
    waiting: HashMap<String, Waiting>,
    /// Takes what leaves the window at its beginning.
    let_go: L,
}

/// A call whose result has not come yet.
struct Waiting {
    position: usize,
    name: String,
    questions: Option<Arc<Questions>>,
}

/// What all messages of a line have in common.
struct Around<'a> {
    line: &'a Value,
    uuid: String,
    parent: Option<String>,
}

impl<L: FnMut(Message)> Telling<L> {
    pub(super) fn new(window: Window, let_go: L) -> Self {
        Self {
            window,
            kept: VecDeque::new(),
            kept_bytes: 0,
            n_messages: 0,
            first: 0,
            round: 1,
            begun: false,
            turned: false,
            waiting: HashMap::new(),
            let_go,
        }
    }

    /// Returns the number of the latest round; 0 where nothing was said.
    pub(super) fn n_rounds(&self) -> u32 {
        if self.n_messages == 0 { 0 } else { self.round }
    }

    /// Tells a line.
    pub(super) fn line(&mut self, line: &Value) {
        let parts = parts(line);
        self.turn(line, parts.iter().any(|part| matches!(part, Part::Prompt(_))));
        let name = |key: &str| word(line, key).map(str::to_owned);
        let around = Around { line, uuid: name("uuid").unwrap_or_default(), parent: name("parentUuid") };
        for part in parts {
            match part {
                Part::Prompt(text) => {
                    self.say(&around, text, |text| Said::Text { by: Speaker::Person, text });
                }
                Part::Text(text) => self.say(&around, text, |text| Said::Text { by: Speaker::Agent, text }),
                Part::Thinking(text) => self.say(&around, text, Said::Thinking),
                Part::Error(text) => self.say(&around, text, Said::Error),
                Part::Complete(text) => self.say(&around, text, Said::Complete),
                Part::Notice(text) => self.say(&around, text, Said::Notice),
                Part::Call { id, name, input } => self.call(&around, id, name, input),
                Part::Result { id, text, is_error } => self.result(&around, id, text, is_error),
            }
        }
    }

    /// Goes on to the next round where one begins.
    fn turn(&mut self, line: &Value, prompted: bool) {
        let said = line.get("round").and_then(Value::as_u64).and_then(|round| u32::try_from(round).ok());
        match said {
            Some(round) => {
                self.round = round.max(1);
                self.turned = false;
            }
            None if prompted && self.begun => self.turned = true,
            None => {}
        }
    }

    fn say(&mut self, around: &Around<'_>, text: impl Into<String>, said: impl FnOnce(String) -> Said) {
        let (text, cut_bytes) = cut(text.into());
        self.push(around, said(text), cut_bytes);
    }

    fn push(&mut self, around: &Around<'_>, said: Said, cut_bytes: usize) {
        if self.turned {
            self.round = self.round.saturating_add(1);
            self.turned = false;
        }
        self.begun = true;
        let position = self.n_messages;
        self.n_messages += 1;
        if self.window.before.is_some_and(|before| position >= before) {
            return;
        }
        let message = Message {
            uuid: around.uuid.clone(),
            parent: around.parent.clone(),
            at: at(around.line),
            round: self.round,
            said,
            cut_bytes,
        };
        self.kept_bytes += message.said.bytes();
        self.kept.push_back(message);
        while self.kept.len() > self.window.messages_max.max(1)
            || (self.kept.len() > 1 && self.kept_bytes > self.window.bytes_max)
        {
            let Some(message) = self.kept.pop_front() else { break };
            self.kept_bytes -= message.said.bytes();
            self.first += 1;
            (self.let_go)(message);
        }
    }

    fn call(&mut self, around: &Around<'_>, id: &str, name: &str, input: &Value) {
        let position = self.n_messages;
        let questions = if is_ours(name) { questions(input) } else { None };
        if let Some(questions) = &questions {
            let ask = word(around.line, "ask_id").and_then(|id| id.parse().ok());
            let asked = Asked { ask, questions: Arc::clone(questions), ended: None };
            self.push(around, Said::Ask(Box::new(asked)), 0);
        } else {
            let pretty = match input {
                // What was cut is no JSON any more, and left as the text that it is.
                Value::String(text) => text.clone(),
                other => serde_json::to_string_pretty(other).unwrap_or_default(),
            };
            let name = short(name);
            self.say(around, pretty, |input| Said::ToolUse { name, input, succeeded: None });
        }
        if (1..=CALL_BYTES_MAX).contains(&id.len()) && self.waiting.len() < WAITING_MAX {
            self.waiting.insert(id.to_owned(), Waiting { position, name: short(name), questions });
        }
    }

    fn result(&mut self, around: &Around<'_>, id: &str, text: String, is_error: bool) {
        let call = self.waiting.remove(id);
        if let Some(questions) = call.as_ref().and_then(|call| call.questions.as_ref()) {
            // What follows is another round, however it ended.
            self.turned = around.line.get("round").is_none();
            let kept = ["toolUseResult", "tool_use_result"];
            let kept = kept.into_iter().find_map(|key| around.line.get(key)).unwrap_or(&Value::Null);
            let told = Told { text: &text, is_error, kept, at: at(around.line) };
            if let Some(ended) = ending::read(questions, &told) {
                let position = call.map_or(0, |call| call.position);
                self.change(position, |said| {
                    if let Said::Ask(asked) = said {
                        asked.ended = Some(ended);
                    }
                });
                return;
            }
            self.turned = false;
        }
        if let Some(call) = &call {
            self.change(call.position, |said| {
                if let Said::ToolUse { succeeded, .. } = said {
                    *succeeded = Some(!is_error);
                }
            });
        }
        let name = call.map(|call| call.name);
        self.say(around, text, |text| Said::ToolResult { name, text, is_error });
    }

    /// Changes a message that was told before, if it is still kept.
    fn change(&mut self, position: usize, change: impl FnOnce(&mut Said)) {
        let kept = position.checked_sub(self.first).and_then(|idx| self.kept.get_mut(idx));
        if let Some(message) = kept {
            let had = message.said.bytes();
            change(&mut message.said);
            self.kept_bytes = self.kept_bytes - had + message.said.bytes();
        }
    }
}

fn at(line: &Value) -> Option<askuser_core::time::Timestamp> {
    word(line, "timestamp").and_then(time::read)
}

fn short(name: &str) -> String {
    name.chars().take(NAME_CHARS_MAX).collect()
}

/// Whether a call means our tool, by itself or as one of a server's: `mcp__askuser__ask_user`.
fn is_ours(name: &str) -> bool {
    tool::is_ours(name.rsplit("__").next().unwrap_or(name))
}

/// Reads what was asked; none where it was never valid, and is shown as any other call.
pub(super) fn questions(input: &Value) -> Option<Arc<Questions>> {
    let read = match recognise(input) {
        // As we write it: longer than what came in, and checked then.
        Dialect::Full => wire::read_told(input),
        dialect => wire::read(dialect, input).draft.check(&wire::TOLD_LIMITS),
    };
    read.ok().map(Arc::new)
}
