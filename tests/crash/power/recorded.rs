//! What came of a recording: what happened to files, and what was told.

use std::collections::HashMap;
use std::path::PathBuf;

use super::disk::{Event, Node};

/// What came of a recording.
#[derive(Debug, Default)]
pub(crate) struct Recorded {
    pub(crate) events: Vec<Event>,
    /// What each flush was of, as it was called then, and how many events there were when it was over.
    pub(crate) flushes: Vec<Flush>,
    pub(crate) said: Vec<Said>,
    /// Files that were given their names when they were whole: with after how many events, in order.
    pub(crate) placed: HashMap<PathBuf, Vec<Placed>>,
    /// What every file should hold in the end.
    pub(crate) left: Vec<(PathBuf, Vec<u8>)>,
}

/// A file got this name, or it was taken from it.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) after: usize,
    pub(crate) bytes: Option<Vec<u8>>,
}

/// One flush, by its number.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flush {
    /// What it is of, without what is different every time, and whether SQLite wanted it or we did.
    pub(crate) kind: String,
    pub(crate) of: Node,
    /// How many events there were when it was over.
    pub(crate) end: usize,
}

/// Words that left a program.
#[derive(Debug)]
pub(crate) struct Said {
    /// How many events there were when they did.
    pub(crate) after: usize,
    /// The port of whoever is at the other end, and how many bytes it had got before; none where it was no
    /// connection.
    pub(crate) to: Option<(u16, usize)>,
    pub(crate) bytes: Vec<u8>,
}
