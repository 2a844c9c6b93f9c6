//! When the list moves: never under the cursor.
//!
//! What ends stays on its row and says how; what comes in above waits; what becomes urgent stays where it
//! is. The list is brought in order when the person moves on or comes back to it, because then they look
//! where they go, and after a few seconds without a key, because then no key is on its way.

use std::time::Duration;

use askuser_core::id::AskId;
use askuser_core::time::Timestamp;

use super::item::{Item, ItemState};
use super::{Inbox, View};

/// So long after the last key the list is brought in order by itself.
const AT_REST: Duration = Duration::from_secs(5);

/// What a key would act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    view: std::mem::Discriminant<View>,
    ask: Option<AskId>,
    /// Its row, and whether it takes an answer.
    place: (usize, bool),
}

impl Inbox {
    pub(super) fn target(&self) -> Target {
        let ask = match self.view {
            View::Sheet { id, .. } => self.open.get(id),
            _ => self.open.selected(),
        };
        let takes = ask.is_some_and(|item| item.standing == ItemState::Waiting);
        let place = if self.view == View::Open { self.open.cursor() } else { 0 };
        let view = std::mem::discriminant(&self.view);
        Target { view, ask: ask.map(|item| item.id), place: (place, takes) }
    }

    /// Lets something happen that the person did not cause. Where another thing is under their hands
    /// afterwards, keys that are on their way are not for it.
    pub(super) fn happens<T>(&mut self, what: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.target();
        let came = what(self);
        if self.target() != before {
            self.guard.changed(self.now);
        }
        came
    }

    /// Takes an ask in: at the end, where it moves nothing; above the others only where nobody looks.
    pub(super) fn take_in(&mut self, item: Item) {
        let at_the_list = self.view == View::Open && self.open.n_open() > 0;
        if at_the_list && item.is_urgent(self.now) {
            self.fresh.retain(|other| other.id != item.id);
            self.fresh.push(item);
            return;
        }
        self.open.put(item);
        if !at_the_list {
            self.put_in_order();
        }
    }

    /// Ends an ask on its row, or takes it away where the list is not in view.
    pub(super) fn end(&mut self, id: AskId, how: &str, answered: bool) {
        self.fresh.retain(|item| item.id != id);
        let now = self.now;
        match self.open.get_mut(id).filter(|_| self.view == View::Open) {
            Some(item) => item.standing = ItemState::Ended { at: now, how: how.to_owned(), answered },
            None => drop(self.open.take(id)),
        }
    }

    /// Brings the list in order: what ended goes, what is new comes, the urgent come first. The selected
    /// ask stays selected, on its row.
    pub(super) fn put_in_order(&mut self) {
        let now = self.now;
        let fresh = std::mem::take(&mut self.fresh);
        let selected = self.open.selected().map(|item| item.id);
        self.open.rearrange(|items| {
            items.retain(Item::is_open);
            items.extend(fresh);
            let pinned = items.iter().position(|item| Some(item.id) == selected);
            let kept = pinned.map(|place| (place, items.remove(place)));
            sort(items, now);
            if let Some((place, item)) = kept {
                items.insert(place.min(items.len()), item);
            }
        });
    }

    /// Brings the list in order where no key was pressed for a while.
    pub(super) fn rest(&mut self) {
        let rests = self.now.since(self.touched) >= AT_REST && self.view == View::Open && !self.searching;
        if rests && !self.is_in_order() {
            self.happens(Self::put_in_order);
        }
    }

    fn is_in_order(&self) -> bool {
        let items = self.open.items();
        let urgent = items.iter().skip_while(|item| item.is_urgent(self.now));
        let selected = self.open.selected().map(|item| item.id);
        let late = |item: &Item| item.is_urgent(self.now) && Some(item.id) != selected;
        self.fresh.is_empty() && items.iter().all(Item::is_open) && !urgent.into_iter().any(late)
    }

    /// Says after how long the list is to be looked at again, where something waits for that.
    pub fn looks_again_in(&self) -> Option<Duration> {
        self.guard.due_in(self.now)
    }
}

/// Brings asks into the order in which people should look at them: what is urgent by its deadline, then
/// the oldest.
pub(super) fn sort(items: &mut [Item], now: Timestamp) {
    items.sort_by_key(|item| match item.deadline {
        Some(deadline) if item.is_urgent(now) => (false, deadline),
        _ => (true, item.asked_at),
    });
}
