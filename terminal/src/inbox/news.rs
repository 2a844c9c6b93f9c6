//! What comes from the desk, and what it does to the inbox.

use std::sync::Arc;

use askuser_core::entry::Entry;
use askuser_core::id::{AskId, QuestionId};
use askuser_core::sheet::Sheet;
use askuser_core::time::Timestamp;
use askuser_words::inbox::Inbox as Words;
use askuser_words::time::Times;

use super::item::{Item, ItemState};
use super::still::sort;
use super::{Inbox, Looked, Panel, Tone, View};

impl Inbox {
    /// Takes the whole list of what is open, and returns those of which the list knows that they have ended
    /// and not how. What is on its way stays so.
    pub fn listed(&mut self, mut items: Vec<Item>) -> Vec<AskId> {
        self.happens(|inbox| {
            if inbox.open.n_open() == 0 {
                sort(&mut items, inbox.now);
                inbox.open.replace(items);
                inbox.open.to_first();
                return Vec::new();
            }
            let gone: Vec<AskId> =
                inbox.open.items().iter().filter(|item| item.is_open()).map(|item| item.id).collect();
            let gone: Vec<AskId> =
                gone.into_iter().filter(|id| !items.iter().any(|item| item.id == *id)).collect();
            for item in items {
                inbox.put(item);
            }
            let at_it = match inbox.view {
                View::Sheet { id, .. } => Some(id),
                _ => None,
            };
            for id in gone.iter().filter(|id| at_it != Some(**id)) {
                inbox.gone(*id);
                inbox.end(*id, Words(inbox.language).ended(), false);
            }
            if let Some(id) = at_it.filter(|id| gone.contains(id)) {
                inbox.open.take(id);
            }
            gone
        })
    }

    /// Takes an ask that is new, or what is known of it now. A sheet that the person is at is theirs;
    /// another one shows what was put down elsewhere.
    pub fn arrived(&mut self, item: Item) {
        self.happens(|inbox| {
            let is_new = !inbox.knows(item.id) && !inbox.over.contains(&item.id);
            if is_new && item.standing == ItemState::Waiting {
                inbox.rung = Some(item.title().1);
            }
            inbox.put(item);
        });
    }

    fn put(&mut self, mut item: Item) {
        if self.over.contains(&item.id) {
            return;
        }
        self.keep_sending(&mut item);
        let at_it = matches!(self.view, View::Sheet { id, .. } if id == item.id);
        let is_old = |panel: &Panel| panel.drafts.is_empty() && panel.sheet != item.sheet;
        if !at_it && self.sheets.get(&item.id).is_some_and(is_old) {
            self.sheets.remove(&item.id);
        }
        if let Some(panel) = self.sheets.get_mut(&item.id) {
            panel.around.waits = item.standing == ItemState::InLine;
            panel.around.then.clone_from(&item.then);
        }
        if self.open.get(item.id).is_some() {
            self.open.put(item);
        } else {
            self.take_in(item);
        }
    }

    /// Whether an ask is in the list, or about to be.
    pub fn knows(&self, id: AskId) -> bool {
        self.open.get(id).is_some() || self.fresh.iter().any(|item| item.id == id)
    }

    /// Takes an answer by one press that the desk holds now.
    pub fn held(&mut self, item: Item) {
        if let Some(known) = self.open.get_mut(item.id) {
            known.standing = item.standing.clone();
            self.arrived(item);
        }
    }

    /// Notes that an ask has its turn.
    pub fn shown(&mut self, id: AskId) {
        self.happens(|inbox| {
            let fresh = inbox.fresh.iter_mut().find(|item| item.id == id);
            let item = inbox.open.get_mut(id).or(fresh);
            if let Some(item) = item.filter(|item| item.standing == ItemState::InLine) {
                item.standing = ItemState::Waiting;
                inbox.rung = Some(item.title().1);
            }
            if let Some(panel) = inbox.sheets.get_mut(&id) {
                panel.around.waits = false;
            }
        });
    }

    /// Whether an ask is on its way to be closed from here.
    pub fn is_sending(&self, id: AskId) -> bool {
        self.open.get(id).is_some_and(|item| item.standing == ItemState::Sending)
    }

    /// Ends an ask that was closed elsewhere. Whoever is at its sheet is told how it ended.
    pub fn closed(&mut self, id: AskId, how: &str, answered: bool) {
        self.happens(|inbox| {
            let at_it = inbox.is_at(id);
            let title = inbox.open.get(id).map(Item::title);
            inbox.over.insert(id);
            inbox.gone(id);
            inbox.end(id, how, answered);
            if at_it {
                let title = title.map_or_else(String::new, |(header, text)| {
                    header.map_or_else(|| text.clone(), |header| format!("{header}: {text}"))
                });
                inbox.searching = false;
                inbox.view = View::Lost { title, how: how.to_owned() };
            }
        });
    }

    /// Whether the person is at the sheet of an ask, or has only looked aside from it.
    pub fn is_at(&self, id: AskId) -> bool {
        let mut view = &self.view;
        loop {
            match view {
                View::Sheet { id: own, .. } => return *own == id,
                View::Told { back, .. } | View::Help { back, .. } => view = back,
                View::Open | View::Lost { .. } | View::History => return false,
            }
        }
    }

    /// Ends asks that were closed from here.
    pub fn sent(&mut self, asks: &[AskId], said: impl Into<String>) {
        let said = said.into();
        self.happens(|inbox| {
            for id in asks {
                inbox.over.insert(*id);
                inbox.gone(*id);
                inbox.end(*id, &said, true);
            }
            // Where nothing is left, nothing can be hit by mistake.
            if inbox.open.n_open() == 0 {
                inbox.put_in_order();
            }
        });
        self.say(Tone::Done, said);
    }

    /// Ends an ask that somebody else was first to close.
    pub fn too_late(&mut self, id: AskId, how: &str, answered: bool) {
        self.closed(id, how, answered);
        self.say(Tone::Bad, Words(self.language).too_late(how));
    }

    /// Gives an ask back that could not be closed, and says why; its sheet is as it was.
    pub fn refused(&mut self, asks: &[AskId], why: impl Into<String>) {
        self.happens(|inbox| {
            for id in asks {
                if let Some(item) = inbox.open.get_mut(*id).filter(|item| item.is_open()) {
                    item.standing = ItemState::Waiting;
                }
            }
        });
        self.say(Tone::Bad, why);
    }

    /// Takes a page of the history: the first, or one more.
    pub fn found(&mut self, items: Vec<Item>, next: Option<AskId>, from_the_beginning: bool) {
        if from_the_beginning {
            self.ended.replace(items);
            self.ended.to_first();
        } else {
            self.ended.add(items);
        }
        self.looked = next.map_or(Looked::ToTheEnd, Looked::UpTo);
    }

    /// Takes the rounds of a conversation, oldest first.
    pub fn talked(&mut self, of: &str, rounds: Vec<Item>) {
        if let View::Told { session: Some(session), items, .. } = &mut self.view
            && session == of
        {
            *items = Some(rounds);
        }
    }

    /// Puts an earlier answer on the sheet of an ask, for the person to look over and to send.
    pub fn reused(&mut self, id: AskId, entries: Vec<(QuestionId, Entry)>, at: Timestamp) {
        let Some(panel) = self.sheets.get_mut(&id) else { return };
        let questions = Arc::clone(panel.sheet.questions());
        let Ok(sheet) = Sheet::filled(questions, entries) else { return };
        let (around, time_left) = (panel.around.clone(), panel.time_left);
        *panel = Panel::new(sheet, around);
        panel.time_left = time_left;
        if panel.has_review() && panel.sheet.problems().is_empty() {
            panel.review();
        }
        let words = Words(self.language);
        let said = if self.now.since(at).as_secs() < 60 {
            words.filled().to_owned()
        } else {
            words.filled_from(Times::local(self.now, self.language).relative(at))
        };
        self.say(Tone::Note, said);
    }

    /// Forgets what was put down and marked of an ask.
    fn gone(&mut self, id: AskId) {
        self.sheets.remove(&id);
        self.marked.remove(&id);
    }

    fn keep_sending(&self, item: &mut Item) {
        if self.is_sending(item.id) {
            item.standing = ItemState::Sending;
        }
    }
}
