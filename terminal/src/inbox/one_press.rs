//! An answer by one press in the list, and taking it back.

use askuser_core::answer::Answers;
use askuser_core::id::AskId;
use askuser_words::inbox::Inbox as Words;

use super::item::{Item, ItemState};
use super::{Action, Inbox, Tone};

/// Answers the question under the cursor, where all of it is on the screen; else opens it.
pub(super) fn number(inbox: &mut Inbox, id: AskId, digit: char) -> Action {
    let idx = digit.to_digit(10).map_or(0, |digit| digit as usize - 1);
    let is_whole = inbox.whole == Some(id) && !inbox.marked.contains(&id);
    let Some(answers) = inbox.one_press(id, idx).filter(|_| is_whole) else {
        inbox.open_sheet(id);
        return Action::Stay;
    };
    if let Some(item) = inbox.open.get_mut(id) {
        item.standing = ItemState::Sending;
    }
    inbox.open.to_next_waiting();
    Action::Hold { ask: id, answers }
}

/// Takes back the answer under the cursor, or else the last one that is held.
pub(super) fn undo(inbox: &mut Inbox) -> Action {
    let until = |item: &Item| match item.standing {
        ItemState::Held { until, .. } => Some(until),
        _ => None,
    };
    let here = inbox.open.selected().filter(|item| until(item).is_some());
    let held = inbox.open.items().iter().filter(|item| until(item).is_some());
    let Some(id) = here.or(held.max_by_key(|item| until(item))).map(|item| item.id) else {
        let nothing = Words(inbox.language).nothing_to_undo();
        inbox.say(Tone::Note, nothing);
        return Action::Stay;
    };
    inbox.open.select(id);
    Action::TakeBack(id)
}

impl Inbox {
    /// Returns the answers that one press on this choice gives, where that is enough: with the note that
    /// stands on the sheet.
    fn one_press(&self, id: AskId, choice_idx: usize) -> Option<Answers> {
        let item = self.open.get(id).filter(|item| item.standing == ItemState::Waiting)?;
        let question = item.sheet.questions().find(item.one_press.as_ref()?)?;
        let choice = question.choices.get(choice_idx)?;
        let mut sheet = self.sheets.get(&id).map_or_else(|| item.sheet.clone(), |panel| panel.sheet.clone());
        sheet.pick(&question.id, &choice.id).ok()?;
        sheet.answers().ok()
    }
}
