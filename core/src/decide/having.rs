//! Which open asks have which questions, in one pass over all of them: an agent may keep a thousand asks of
//! a hundred questions each open, and whoever decides next must not pay for it.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use super::View;
use crate::ask::Ask;
use crate::id::QuestionId;
use crate::question::id_hash;

/// The first open ask that has each of the questions that were looked for.
#[derive(Debug, Default)]
pub(super) struct Having<'v>(BTreeMap<QuestionId, &'v Ask>);

impl<'v> Having<'v> {
    /// Looks for questions among the open asks.
    pub(super) fn find<'q>(view: &'v View, wanted: impl IntoIterator<Item = &'q QuestionId>) -> Self {
        let mut wanted: Vec<(u64, &QuestionId)> =
            wanted.into_iter().map(|question| (id_hash(question), question)).collect();
        if wanted.is_empty() {
            return Self::default();
        }
        wanted.sort_unstable();
        wanted.dedup();
        let hashes: HashSet<u64, BuildHasherDefault<Hashed>> = wanted.iter().map(|(hash, _)| *hash).collect();
        let mut found = BTreeMap::new();
        for ask in view.open() {
            for hash in ask.questions.id_hashes().iter().filter(|hash| hashes.contains(hash)) {
                let first = wanted.partition_point(|(known, _)| known < hash);
                let same_hash = wanted[first..].iter().take_while(|(known, _)| known == hash);
                for (_, question) in same_hash.filter(|(_, question)| ask.has(question)) {
                    let first: &mut &Ask = found.entry((*question).clone()).or_insert(ask);
                    if ask.round < first.round {
                        *first = ask;
                    }
                }
            }
        }
        Self(found)
    }

    /// Returns the first open ask that has a question.
    pub(super) fn of(&self, question: &QuestionId) -> Option<&'v Ask> {
        self.0.get(question).copied()
    }
}

/// For numbers that are hashes already.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
