//! A list of asks with a cursor: which are shown, where the person is, how many ask the same.
//!
//! The cursor stays with its ask while others come and go, so that a key never lands on another.

use std::collections::HashMap;
use std::ops::Range;

use askuser_core::ask::Fingerprint;
use askuser_core::id::AskId;
use askuser_core::search::Search;

use super::item::Item;
use crate::channel::terminal::editor::Editor;

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

    /// Looks anew which are shown, after another text is searched for.
    pub fn searched(&mut self) {
        self.keeping_the_cursor(|_| {});
    }

    /// Moves the cursor by a number of asks, as far as there are any.
    pub fn move_by(&mut self, by: isize) {
        self.cursor = self.cursor.saturating_add_signed(by).min(self.last());
    }

    /// Moves to the first ask.
    pub fn to_first(&mut self) {
        self.cursor = 0;
    }

    /// Moves to the last ask.
    pub fn to_last(&mut self) {
        self.cursor = self.last();
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
        let first = self.cursor.saturating_sub(n_rows / 2).min(self.shown.len().saturating_sub(n_rows));
        first..(first + n_rows).min(self.shown.len())
    }

    fn last(&self) -> usize {
        self.shown.len().saturating_sub(1)
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
        self.n_alike.clear();
        for item in &self.items {
            *self.n_alike.entry(item.content).or_default() += 1;
        }
        let is_selected = |idx: &usize| self.items.get(*idx).map(|item| item.id) == selected;
        let place = self.shown.iter().position(is_selected);
        self.cursor = place.unwrap_or(self.cursor).min(self.last());
    }
}
