//! Conversations as messages (P1, P5, P18): a Claude Code transcript, a JSON object a line, and a
//! session of ours, which is written in the same shape.
//!
//! The lines are walked twice: once for how they hang together, once, along the conversation, for
//! what they say. That takes some hundred bytes a line, up to a million lines, and the messages of
//! the window that is looked at; a file itself is not held.

mod branch;
mod ending;
mod facts;
mod line;
mod markdown;
mod message;
mod own;
mod source;
mod telling;

use std::io::{self, Read, Seek};

use branch::{Added, Tree};
use source::{InFile, Source, SourceLine};
use telling::Telling;

pub use facts::{Placed, of_facts};
pub use line::Broken;
pub use markdown::Markdown;
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

/// Reads a transcript that is in memory.
pub fn read(bytes: &[u8], window: Window) -> Transcript {
    let Ok(transcript) = told(&mut { bytes }, window, |_| {});
    transcript
}

/// Reads a transcript in a file of any length.
pub fn read_file(file: impl Read + Seek, window: Window) -> io::Result<Transcript> {
    told(&mut InFile::new(file), window, |_| {})
}

/// Hands every message of a transcript in a file over, in order. A result that comes more than a
/// thousand messages after its call is told, but the call does not say how it ended.
pub fn each_message(file: impl Read + Seek, mut each: impl FnMut(Message)) -> io::Result<Transcript> {
    let window = Window { before: None, messages_max: 1000, bytes_max: 4 * 1024 * 1024 };
    let mut transcript = told(&mut InFile::new(file), window, &mut each)?;
    transcript.messages.drain(..).for_each(each);
    transcript.first = transcript.n_messages;
    Ok(transcript)
}

/// Tells a transcript; what leaves the window at its beginning is let go.
fn told<S: Source>(
    source: &mut S,
    window: Window,
    let_go: impl FnMut(Message),
) -> Result<Transcript, S::Error> {
    let mut tree = Tree::new();
    let mut left_out = LeftOut::default();
    let mut title = None;
    let mut n_lines = 0;
    source.walk(|line| {
        n_lines += 1;
        let (place, parsed) = match line {
            SourceLine::Whole(place, bytes) => (place, line::parse(bytes)),
            SourceLine::TooLong(n_bytes) => return left_out.note(n_lines, Broken::TooLong(n_bytes)),
        };
        match parsed {
            None => {}
            Some(Err(broken)) => left_out.note(n_lines, broken),
            Some(Ok(value)) => {
                if let Some(words) = line::title(&value) {
                    title = Some(message::cut(words.to_owned()).0);
                }
                match tree.add(place, &value) {
                    Added::Taken => {}
                    Added::Unknown => left_out.n_unknown += 1,
                    Added::Again => left_out.n_again += 1,
                    Added::Unread => left_out.n_unread += 1,
                }
            }
        }
    })?;
    let branch = tree.main();
    left_out.n_abandoned = branch.n_abandoned;
    left_out.n_aside = branch.n_aside;
    let mut telling = Telling::new(window, let_go);
    for place in branch.places() {
        if let Some(Ok(value)) = line::parse(&source.line(place)?) {
            telling.line(&value);
        }
    }
    let (first, n_messages, n_rounds) = (telling.first, telling.n_messages, telling.n_rounds());
    Ok(Transcript { messages: telling.kept.into(), first, n_messages, n_rounds, title, left_out })
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
