//! Which lines of a transcript are the conversation.
//!
//! The lines are a tree: whoever goes back and asks anew leaves a branch behind, and a helper of
//! the agent writes a chain of its own beside. The conversation is what leads to the last line,
//! and with it the pieces that the program writes beside that chain when tools run at once: other
//! parts of the same message, and results of its calls.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};

use serde_json::Value;

use super::line::{Parent, Part, flag, parent, parts, word};
use super::source::Place;

/// How many lines with something in them are followed; those after it are not read.
const NODES_MAX: usize = 1_000_000;

/// The lines of a transcript and how they hang together.
pub(super) struct Tree {
    nodes: Vec<Node>,
    by_uuid: HashMap<u64, u32>,
    /// Names are kept as numbers: a million of them take a fifth of the room. The numbers differ
    /// from run to run, so that nobody can make two names alike.
    hasher: RandomState,
    /// The latest line of the conversation, and of its asides.
    latest: [Option<u32>; 2],
    /// Calls, results and messages, each with the line that it stands in.
    calls: Vec<(u64, u32)>,
    results: Vec<(u64, u32)>,
    pieces: Vec<(u64, u32)>,
}

struct Node {
    place: Place,
    parent: Link,
    /// The line before it on its side.
    before: Option<u32>,
    aside: bool,
    speaks: bool,
}

#[derive(Clone, Copy)]
enum Link {
    Unsaid,
    Root,
    Named(u64),
}

/// What came of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Added {
    /// It is part of the tree.
    Taken,
    /// It says nothing that is known here.
    Unknown,
    /// A line of the same name was there already.
    Again,
    /// There are too many.
    Unread,
}

/// The conversation.
pub(super) struct Branch {
    nodes: Vec<Node>,
    /// Its lines, in order.
    order: Vec<Key>,
    /// Lines on branches that were left behind.
    pub(super) n_abandoned: usize,
    /// Lines of the agent's helpers.
    pub(super) n_aside: usize,
}

impl Tree {
    pub(super) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            by_uuid: HashMap::new(),
            hasher: RandomState::new(),
            latest: [None; 2],
            calls: Vec::new(),
            results: Vec::new(),
            pieces: Vec::new(),
        }
    }

    /// Adds the line that stands at this place.
    pub(super) fn add(&mut self, place: Place, line: &Value) -> Added {
        let parts = parts(line);
        let uuid = word(line, "uuid").map(|uuid| self.number(uuid));
        if uuid.is_none() && parts.is_empty() {
            return Added::Unknown;
        }
        if self.nodes.len() >= NODES_MAX {
            return Added::Unread;
        }
        if uuid.is_some_and(|uuid| self.by_uuid.contains_key(&uuid)) {
            return Added::Again;
        }
        let node_idx = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.by_uuid.extend(uuid.map(|uuid| (uuid, node_idx)));
        for part in &parts {
            match part {
                Part::Call { id, .. } if !id.is_empty() => self.calls.push((self.number(id), node_idx)),
                Part::Result { id, .. } if !id.is_empty() => self.results.push((self.number(id), node_idx)),
                _ => {}
            }
        }
        let message = line.get("message").and_then(|message| message.get("id")?.as_str());
        self.pieces.extend(message.map(|id| (self.number(id), node_idx)));
        let aside = flag(line, "isSidechain");
        let latest = &mut self.latest[usize::from(aside)];
        let before = latest.replace(node_idx);
        let parent = match parent(line) {
            Parent::Unsaid => Link::Unsaid,
            Parent::Root => Link::Root,
            Parent::Named(name) => Link::Named(self.number(name)),
        };
        let speaks = !parts.is_empty();
        self.nodes.push(Node { place, parent, before, aside, speaks });
        if speaks { Added::Taken } else { Added::Unknown }
    }

    fn node(&self, node_idx: u32) -> &Node {
        &self.nodes[node_idx as usize]
    }

    fn number(&self, name: &str) -> u64 {
        self.hasher.hash_one(name)
    }

    /// Returns the line before another: the one it names, else the one that stands before it, as
    /// the named one may be broken.
    fn parent(&self, node: &Node) -> Option<u32> {
        match node.parent {
            Link::Root => None,
            Link::Unsaid => node.before,
            Link::Named(name) => {
                let named = self.by_uuid.get(&name).copied();
                named.filter(|idx| self.node(*idx).aside == node.aside).or(node.before)
            }
        }
    }

    /// Returns the conversation.
    pub(super) fn main(self) -> Branch {
        // A file of a helper's own is an aside from its first line to its last.
        let all_aside = self.nodes.iter().all(|node| node.aside);
        let leaf = self.nodes.iter().rposition(|node| node.speaks && node.aside == all_aside);
        let mut chain: Vec<u32> = Vec::new();
        let mut taken = vec![false; self.nodes.len()];
        let mut at = leaf.and_then(|leaf| u32::try_from(leaf).ok());
        while let Some(node_idx) = at.filter(|node_idx| !taken[*node_idx as usize]) {
            taken[node_idx as usize] = true;
            chain.push(node_idx);
            at = self.parent(self.node(node_idx));
        }
        chain.reverse();
        let mut order = keys(&chain);
        self.beside(all_aside, &mut taken, &mut order);
        order.sort_unstable();
        let left = |aside: bool| {
            let nodes = self.nodes.iter().zip(&taken);
            nodes.filter(|(node, taken)| !**taken && node.speaks && node.aside == aside).count()
        };
        let (n_abandoned, n_aside) = (left(all_aside), if all_aside { 0 } else { left(true) });
        Branch { nodes: self.nodes, order, n_abandoned, n_aside }
    }

    /// Takes the pieces beside the chain: parts of the same messages, results of the same calls.
    fn beside(&self, all_aside: bool, taken: &mut [bool], order: &mut Vec<Key>) {
        let of = |list: &[(u64, u32)], taken: &[bool]| -> HashSet<u64> {
            list.iter().filter(|(_, node)| taken[*node as usize]).map(|(name, _)| *name).collect()
        };
        let mut take = |list: &[(u64, u32)], names: &HashSet<u64>, taken: &mut [bool]| {
            for (name, node) in list {
                if names.contains(name) && !taken[*node as usize] && self.node(*node).aside == all_aside {
                    taken[*node as usize] = true;
                    order.push(Key { line: *node, beside: true, at: *node, node: *node });
                }
            }
        };
        let messages = of(&self.pieces, taken);
        take(&self.pieces, &messages, taken);
        let calls = of(&self.calls, taken);
        take(&self.results, &calls, taken);
    }
}

impl Branch {
    /// Returns where its lines stand, in order.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> {
        self.order.iter().map(|key| self.nodes[key.node as usize].place)
    }
}

/// Where a line goes: the order of the chain, and what stands beside it where it was written.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    line: u32,
    beside: bool,
    at: u32,
    node: u32,
}

/// Gives the lines of the chain their order. One that was written too early goes after its parent.
fn keys(chain: &[u32]) -> Vec<Key> {
    let mut latest = 0;
    let key = |(at, node): (u32, &u32)| {
        latest = latest.max(*node);
        Key { line: latest, beside: false, at, node: *node }
    };
    (0..).zip(chain).map(key).collect()
}
