//! Ids by how they begin and end: what stands behind the short ids that people type.
//!
//! There is an index by beginning. For ends there is none on purpose: they are looked for once in a while, and an
//! index of random ends would touch another page with every ask. The ids are gone through instead, in their own index.

use std::ops::RangeInclusive;

use super::Later;

/// Whose ids are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdsOf {
    /// Asks, open or ended, erased or not.
    Asks,
    /// Sessions, active or ended.
    Sessions,
    /// Tasks, alive or ended.
    Tasks,
}

impl IdsOf {
    /// The table that they stand in.
    pub(super) fn table(self) -> &'static str {
        match self {
            Self::Asks => "ask",
            Self::Sessions => "session",
            Self::Tasks => "task",
        }
    }
}

/// The part of a store that finds ids.
pub trait IdStore: Send + Sync {
    /// Returns the latest ids in a range, the latest first.
    fn ids_between(&self, of: IdsOf, range: RangeInclusive<u128>, limit: usize) -> Later<'_, Vec<u128>>;
    /// Returns every id whose last sixteen bits are one of these, in any order.
    fn ids_with_tails(&self, of: IdsOf, tails: Vec<u16>) -> Later<'_, Vec<u128>>;
}
