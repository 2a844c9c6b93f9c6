//! What comes from the desk, and what it does to the inbox.

use std::sync::Arc;

use askuser_core::entry::Entry;
use askuser_core::id::{AskId, QuestionId};
use askuser_core::sheet::Sheet;
use askuser_core::time::Timestamp;

use super::item::{Item, Standing};
use super::{Inbox, Language, Looked, Panel, Tone, View};

impl Inbox {
    /// Takes the whole list of what is open; what is on its way stays so.
    pub fn listed(&mut self, mut items: Vec<Item>) {
        for item in &mut items {
            self.keep_sending(item);
        }
        self.open.replace(items);
        let open = &self.open;
        self.marked.retain(|id| open.get(*id).is_some());
        let in_view = match self.view {
            View::Sheet { id, .. } => Some(id),
            _ => None,
        };
        self.sheets.retain(|id, _| open.get(*id).is_some() || in_view == Some(*id));
    }

    /// Takes an ask that is new, or what is known of it now. A sheet that the person is at is theirs;
    /// another one shows what was put down elsewhere.
    pub fn arrived(&mut self, mut item: Item) {
        self.keep_sending(&mut item);
        let at_it = matches!(self.view, View::Sheet { id, .. } if id == item.id);
        let is_old = |panel: &Panel| panel.drafts.is_empty() && panel.sheet != item.sheet;
        if !at_it && self.sheets.get(&item.id).is_some_and(is_old) {
            self.sheets.remove(&item.id);
        }
        if self.open.get(item.id).is_none() && item.standing == Standing::Waiting {
            self.rung = Some(item.title().1);
        }
        self.open.put(item);
    }

    /// Notes that an ask has its turn.
    pub fn shown(&mut self, id: AskId) {
        if let Some(item) = self.open.get_mut(id).filter(|item| item.standing == Standing::InLine) {
            item.standing = Standing::Waiting;
            self.rung = Some(item.title().1);
        }
    }

    /// Whether an ask is on its way to be closed from here.
    pub fn is_sending(&self, id: AskId) -> bool {
        self.open.get(id).is_some_and(|item| item.standing == Standing::Sending)
    }

    /// Takes away an ask that was closed elsewhere. Whoever is at its sheet is told how it ended.
    pub fn closed(&mut self, id: AskId, how: &str) {
        let at_it = self.is_at(id);
        let item = self.gone(id);
        if at_it {
            let title = item.map(|item| item.title()).map_or_else(String::new, |(header, text)| {
                header.map_or_else(|| text.clone(), |header| format!("{header}: {text}"))
            });
            self.searching = false;
            self.view = View::Lost { title, how: how.to_owned() };
        }
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

    /// Takes away asks that were closed from here.
    pub fn sent(&mut self, asks: &[AskId], said: impl Into<String>) {
        for id in asks {
            self.gone(*id);
        }
        self.say(Tone::Done, said);
    }

    /// Takes away an ask that somebody else was first to close.
    pub fn too_late(&mut self, id: AskId, how: &str) {
        self.gone(id);
        let first = self.language.either("Not sent, someone else was first. ", "未发送，别人先回答了。");
        self.say(Tone::Bad, format!("{first}{how}"));
    }

    /// Gives an ask back that could not be closed, and says why; its sheet is as it was.
    pub fn refused(&mut self, asks: &[AskId], why: impl Into<String>) {
        for id in asks {
            if let Some(item) = self.open.get_mut(*id) {
                item.standing = Standing::Waiting;
            }
        }
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
        let age = self.now.since(at);
        let said = match self.language {
            Language::English if age.as_secs() < 60 => {
                "Filled in as answered just now; nothing is sent yet.".to_owned()
            }
            Language::English => {
                format!("Filled in as answered {} ago; nothing is sent yet.", self.language.age(age))
            }
            Language::Chinese if age.as_secs() < 60 => "已按刚才的答案填写，还没有发送。".to_owned(),
            Language::Chinese => format!("已按 {}前的答案填写，还没有发送。", self.language.age(age)),
        };
        self.say(Tone::Note, said);
    }

    fn gone(&mut self, id: AskId) -> Option<Item> {
        self.sheets.remove(&id);
        self.marked.remove(&id);
        self.open.take(id)
    }

    fn keep_sending(&self, item: &mut Item) {
        if self.is_sending(item.id) {
            item.standing = Standing::Sending;
        }
    }
}
