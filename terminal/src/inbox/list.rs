//! A list of asks with a cursor: which are shown, where the person is, how many ask the same.
//!
//! The cursor stays with its ask while others come and go, so that a key never lands on another.

use std::collections::HashMap;
use std::ops::Range;

use askuser_core::ask::Fingerprint;
use askuser_core::id::AskId;
use askuser_core::search::Search;

use super::item::{Item, ItemState};
use crate::editor::Editor;
use crate::fuzzy::Fuzzy;

/// Who goes through the asks in a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Searches {
    /// The list itself: it knows them all.
    Here,
    /// The desk: the list holds what it found.
    AtTheDesk,
}

/// A list of asks.
#[derive(Debug, Clone)]
pub struct List {
    items: Vec<Item>,
    /// Places in `items`, of those that are shown.
    shown: Vec<usize>,
    /// A place in `shown`.
    cursor: usize,
    /// The place in `shown` that stood at the top when it was last drawn.
    top: usize,
    /// What is searched for.
    pub search: Editor,
    searches: Searches,
    n_alike: HashMap<Fingerprint, usize>,
}

impl List {
    /// Returns an empty list.
    pub fn new(searches: Searches) -> Self {
        Self {
            items: Vec::new(),
            shown: Vec::new(),
            cursor: 0,
            top: 0,
            search: Editor::default(),
            searches,
            n_alike: HashMap::new(),
        }
    }

    /// Returns how many there are, shown or not.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns all of them in order.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Returns how many have not ended.
    pub fn n_open(&self) -> usize {
        self.items.iter().filter(|item| item.is_open()).count()
    }

    /// Returns how many are shown.
    pub fn n_shown(&self) -> usize {
        self.shown.len()
    }

    /// Returns the place of the cursor among those that are shown.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Returns the ask under the cursor.
    pub fn selected(&self) -> Option<&Item> {
        self.items.get(*self.shown.get(self.cursor)?)
    }

    /// Finds an ask.
    pub fn get(&self, id: AskId) -> Option<&Item> {
        self.items.iter().find(|item| item.id == id)
    }

    /// Finds an ask whose standing changes; what it asks does not.
    pub fn get_mut(&mut self, id: AskId) -> Option<&mut Item> {
        self.items.iter_mut().find(|item| item.id == id)
    }

    /// Returns how many ask the same as this one, itself included.
    pub fn n_alike(&self, item: &Item) -> usize {
        self.n_alike.get(&item.content).copied().unwrap_or(1)
    }

    /// Returns the asks that ask the same as this one, in order, itself included.
    pub fn alike(&self, item: &Item) -> Vec<&Item> {
        self.items.iter().filter(|other| other.content == item.content).collect()
    }

    /// Returns the asks of a conversation.
    pub fn of_session(&self, session: &str) -> Vec<Item> {
        self.items.iter().filter(|item| item.session == session).cloned().collect()
    }

    /// Takes another list of asks in place of this one.
    pub fn replace(&mut self, items: Vec<Item>) {
        self.keeping_the_cursor(|list| list.items = items);
    }

    /// Adds an ask at the end, or puts what is known of it now in place of what was.
    pub fn put(&mut self, item: Item) {
        self.keeping_the_cursor(|list| match list.items.iter_mut().find(|known| known.id == item.id) {
            Some(known) => *known = item,
            None => list.items.push(item),
        });
    }

    /// Adds asks at the end, except for those that are there.
    pub fn add(&mut self, items: Vec<Item>) {
        self.keeping_the_cursor(|list| {
            for item in items {
                if list.get(item.id).is_none() {
                    list.items.push(item);
                }
            }
        });
    }

    /// Takes an ask out.
    pub fn take(&mut self, id: AskId) -> Option<Item> {
        let idx = self.items.iter().position(|item| item.id == id)?;
        let mut taken = None;
        self.keeping_the_cursor(|list| taken = Some(list.items.remove(idx)));
        taken
    }

    /// Brings the asks into another order, or takes some out, so that the selected one stays on its row of
    /// the screen.
    pub fn rearrange(&mut self, arrange: impl FnOnce(&mut Vec<Item>)) {
        let row = self.cursor.saturating_sub(self.top);
        self.keeping_the_cursor(|list| arrange(&mut list.items));
        self.top = self.cursor.saturating_sub(row);
    }

    /// Moves to an ask, where it is shown.
    pub fn select(&mut self, id: AskId) {
        let is_it = |place: &usize| self.items.get(*place).is_some_and(|item| item.id == id);
        self.cursor = self.shown.iter().position(is_it).unwrap_or(self.cursor);
    }

    /// Moves to the next ask that waits for the person, below the cursor if there is one, else above it.
    pub fn to_next_waiting(&mut self) {
        let waits = |place: &usize| {
            let item = self.shown.get(*place).and_then(|idx| self.items.get(*idx));
            item.is_some_and(|item| item.standing == ItemState::Waiting)
        };
        let mut below = self.cursor + 1..self.shown.len();
        let next = below.find(waits).or_else(|| (0..self.cursor).find(waits));
        self.cursor = next.unwrap_or(self.cursor);
    }

    /// Notes which ask stood at the top when it was drawn.
    pub fn settle(&mut self, top: usize) {
        self.top = top;
    }

    /// Returns which of those that are shown stands at the top where there are so many rows.
    pub fn first_of(&self, n_rows: usize) -> usize {
        self.places(n_rows).start
    }

    /// Looks anew which are shown, after another text is searched for.
    pub fn searched(&mut self) {
        self.keeping_the_cursor(|_| {});
    }

    /// Moves the cursor by a number of asks, as far as there are any.
    pub fn move_by(&mut self, by: isize) {
        self.cursor = self.cursor.saturating_add_signed(by).min(self.last());
        self.pass_ended(by > 0);
    }

    /// Moves to the first ask.
    pub fn to_first(&mut self) {
        self.cursor = 0;
        self.pass_ended(true);
    }

    /// Moves to the last ask.
    pub fn to_last(&mut self) {
        self.cursor = self.last();
        self.pass_ended(false);
    }

    /// Whether the cursor is on the last ask.
    pub fn is_at_end(&self) -> bool {
        self.cursor >= self.last()
    }

    /// Returns those that stand in a window of so many asks around the cursor, each with whether the
    /// cursor is on it.
    pub fn window(&self, n_rows: usize) -> impl Iterator<Item = (&Item, bool)> {
        let places = self.places(n_rows);
        let first = places.start;
        let rows = self.shown.get(places).unwrap_or_default().iter().enumerate();
        rows.filter_map(move |(idx, place)| Some((self.items.get(*place)?, first + idx == self.cursor)))
    }

    fn places(&self, n_rows: usize) -> Range<usize> {
        // As it stood, as far as the cursor is in sight: what comes and goes moves nothing.
        let lowest = (self.cursor + 1).saturating_sub(n_rows);
        let first = self.top.clamp(lowest, self.cursor.max(lowest));
        let first = first.min(self.shown.len().saturating_sub(n_rows));
        first..(first + n_rows).min(self.shown.len())
    }

    /// Moves on from an ask that ended while it was in the list: there is nothing to be done there.
    fn pass_ended(&mut self, down: bool) {
        let is_open = |place: &usize| {
            let item = self.shown.get(*place).and_then(|idx| self.items.get(*idx));
            item.is_some_and(Item::is_open)
        };
        if self.searches == Searches::AtTheDesk || is_open(&self.cursor) {
            return;
        }
        let below = || (self.cursor..self.shown.len()).find(is_open);
        let above = || (0..self.cursor).rev().find(is_open);
        let next = if down { below().or_else(above) } else { above().or_else(below) };
        self.cursor = next.unwrap_or(self.cursor);
    }

    fn last(&self) -> usize {
        self.shown.len().saturating_sub(1)
    }

    /// Where no ask has the words, the letters count: those whose question has them in their order.
    fn by_letters(&self) -> Vec<usize> {
        let mut fuzzy = Fuzzy::new(self.search.text());
        let mut finds = |item: &Item| {
            let (header, text) = item.title();
            fuzzy.score(&format!("{} {text}", header.unwrap_or_default())).is_some()
        };
        (0..self.items.len()).filter(|idx| self.items.get(*idx).is_some_and(&mut finds)).collect()
    }

    /// Changes the asks; the cursor stays on its ask, or where it stood when that is gone.
    fn keeping_the_cursor(&mut self, change: impl FnOnce(&mut Self)) {
        let selected = self.selected().map(|item| item.id);
        change(self);
        let search = Search::new(match self.searches {
            Searches::Here => self.search.text(),
            Searches::AtTheDesk => "",
        });
        let found = self.items.iter().enumerate().filter(|(_, item)| search.finds(&item.readable));
        self.shown = found.map(|(idx, _)| idx).collect();
        if self.shown.is_empty() && !search.is_empty() {
            self.shown = self.by_letters();
        }
        self.n_alike.clear();
        for item in &self.items {
            *self.n_alike.entry(item.content).or_default() += 1;
        }
        let is_selected = |idx: &usize| self.items.get(*idx).map(|item| item.id) == selected;
        let place = self.shown.iter().position(is_selected);
        self.cursor = place.unwrap_or(self.cursor).min(self.last());
    }
}
