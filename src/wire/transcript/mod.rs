//! Conversations as messages (P1, P5, P18): a Claude Code transcript, a JSON object a line, and a
//! session of ours, which is written in the same shape.
//!
//! The lines are walked twice: once for how they hang together, once, along the conversation, for
//! what they say. Beside the bytes themselves that takes some fifty bytes a line, and the messages
//! of the window that is looked at.

mod branch;
mod ending;
mod line;
mod message;
mod own;
mod telling;

use branch::{Added, Tree};
use telling::Telling;

pub use line::Broken;
pub use message::{Asked, Ended, Message, Said, Speaker, TEXT_BYTES_MAX};
pub use own::of_rounds;

/// How many broken lines are named; the others are counted.
const BROKEN_NAMED_MAX: usize = 20;

/// Which part of a conversation is wanted: the last messages before a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The position of the first message that is not wanted; none for the end.
    pub before: Option<usize>,
    /// The most messages.
    pub messages_max: usize,
    /// The most bytes of text; one message at least is kept.
    pub bytes_max: usize,
}

/// A transcript, as far as it was wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    /// The messages of the window.
    pub messages: Vec<Message>,
    /// The position of the first of them in the whole conversation.
    pub first: usize,
    /// How many messages the whole conversation has.
    pub n_messages: usize,
    /// How many rounds.
    pub n_rounds: u32,
    /// What it is called, where the program named it.
    pub title: Option<String>,
    /// What is not in it.
    pub left_out: LeftOut,
}

/// What of a file is not in the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeftOut {
    /// The first lines that could not be read: their numbers, from 1, and why.
    pub broken: Vec<(usize, Broken)>,
    /// How many could not be read.
    pub n_broken: usize,
    /// Lines without anything that is shown: bookkeeping, kinds that are not known.
    pub n_unknown: usize,
    /// Lines that were there before.
    pub n_again: usize,
    /// Lines on branches that were left behind.
    pub n_abandoned: usize,
    /// Lines of the agent's helpers.
    pub n_aside: usize,
    /// Lines after the most that are read.
    pub n_unread: usize,
}

/// Reads a transcript.
pub fn read(bytes: &[u8], window: Window) -> Transcript {
    let mut tree = Tree::new();
    let mut left_out = LeftOut::default();
    let mut title = None;
    let mut begin = 0;
    for (line_idx, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let place = begin..begin + line.len();
        begin = place.end + 1;
        match line::parse(line) {
            None => {}
            Some(Err(broken)) => left_out.note(line_idx + 1, broken),
            Some(Ok(value)) => {
                title = line::title(&value).map(|words| message::cut(words.to_owned()).0).or(title);
                match tree.add(place, &value) {
                    Added::Taken => {}
                    Added::Unknown => left_out.n_unknown += 1,
                    Added::Again => left_out.n_again += 1,
                    Added::Unread => left_out.n_unread += 1,
                }
            }
        }
    }
    let branch = tree.main();
    left_out.n_abandoned = branch.n_abandoned;
    left_out.n_aside = branch.n_aside;
    let mut telling = Telling::new(window);
    for place in branch.places {
        if let Some(Ok(value)) = bytes.get(place).and_then(line::parse) {
            telling.line(&value);
        }
    }
    let (first, n_messages, n_rounds) = (telling.first, telling.n_messages, telling.n_rounds());
    Transcript { messages: telling.kept.into(), first, n_messages, n_rounds, title, left_out }
}

impl LeftOut {
    fn note(&mut self, number: usize, broken: Broken) {
        self.n_broken += 1;
        if self.broken.len() < BROKEN_NAMED_MAX {
            self.broken.push((number, broken));
        }
    }
}

#[cfg(test)]
mod tests;
