//! What each key does in the inbox.
//!
//! On a sheet the keys are the prompt's, and a few more where no text is typed. A letter typed in a
//! text field is text and nothing else.

use std::collections::BTreeSet;

use askuser_core::id::AskId;
use askuser_words::inbox::Inbox as Words;

use super::item::Item;
use super::one_press::{number, undo};
use super::{ALIKE_MAX, Action, Inbox, ItemState, Looked, SAID_FOR, Tone, View};
use crate::editor::Editor;
use crate::guard::Verdict;
use crate::keys::typing::edit_text;
use crate::keys::{self, Key};
use crate::panel::{self, Mode};

/// How many asks a page key goes.
const PAGE: isize = 5;
/// How many rows a page key goes in what is told in full.
const PAGE_ROWS: isize = 10;

/// Does what the key means and says what is to be done about it.
pub fn press(inbox: &mut Inbox, key: Key) -> Action {
    match key {
        Key::Interrupt => return Action::Interrupted,
        Key::Suspend => return Action::Suspend,
        _ => {}
    }
    let acts = acts(inbox, &key);
    match inbox.guard.hear(&key, acts, inbox.now) {
        Verdict::Meant if acts => act(inbox, key),
        Verdict::Meant => meant(inbox, key),
        Verdict::TooSoon | Verdict::WaitAndSee => Action::Stay,
    }
}

/// Does what a key means that waited, once it is plain that it was not held down.
pub fn due(inbox: &mut Inbox) -> Option<Action> {
    let key = inbox.guard.due(inbox.now)?;
    Some(act(inbox, key))
}

/// Whether a key would answer or open something.
fn acts(inbox: &Inbox, key: &Key) -> bool {
    match &inbox.view {
        View::Open if !inbox.searching => {
            matches!(key, Key::Enter | Key::Right | Key::Char('1'..='9' | 'x' | 'r'))
        }
        View::Sheet { id, .. } => inbox.sheets.get(id).is_some_and(|panel| panel.acts(key)),
        View::Open | View::History | View::Lost { .. } | View::Told { .. } | View::Help { .. } => false,
    }
}

fn act(inbox: &mut Inbox, key: Key) -> Action {
    let at = |inbox: &Inbox| match &inbox.view {
        View::Sheet { id, .. } => inbox.sheets.get(id).map(|panel| panel.place.question.clone()),
        _ => None,
    };
    let before = (inbox.target(), at(inbox));
    let step = meant(inbox, key);
    if (inbox.target(), at(inbox)) != before {
        inbox.guard.answered(inbox.now);
    }
    step
}

fn meant(inbox: &mut Inbox, key: Key) -> Action {
    inbox.touched = inbox.now;
    let was_away = inbox.view != View::Open;
    let step = press_in_view(inbox, key);
    if was_away && inbox.view == View::Open {
        inbox.put_in_order();
    }
    step
}

fn press_in_view(inbox: &mut Inbox, key: Key) -> Action {
    // What was not done stays a while, whatever is typed; the rest has been seen.
    let stays = |said: &super::StatusLine| said.tone == Tone::Bad && inbox.now.since(said.at) < SAID_FOR;
    if !inbox.said.as_ref().is_some_and(stays) {
        inbox.said = None;
    }
    match &inbox.view {
        View::Open | View::History if inbox.searching => searching(inbox, key),
        View::Open => open(inbox, &key),
        View::History => history(inbox, &key),
        View::Sheet { id, .. } => {
            let id = *id;
            sheet(inbox, id, key)
        }
        View::Told { .. } | View::Help { .. } => scrolling(inbox, &key),
        // Letters that were typed into the sheet when it closed are not keys of the list.
        View::Lost { .. } => {
            if matches!(key, Key::Enter | Key::Esc) {
                inbox.view = View::Open;
            }
            Action::Stay
        }
    }
}

fn open(inbox: &mut Inbox, key: &Key) -> Action {
    let selected = inbox.open.selected().map(|item| item.id);
    match (key, selected) {
        (Key::Enter | Key::Right, Some(id)) => drop(inbox.open_sheet(id)),
        (Key::Char(digit @ '1'..='9'), Some(id)) => return number(inbox, id, *digit),
        (Key::Char('u'), _) => return undo(inbox),
        (Key::Char('n'), _) => inbox.put_in_order(),
        (Key::Char(' '), Some(id)) => mark(inbox, id),
        (Key::Char('a'), Some(id)) => mark_alike(inbox, id),
        (Key::Char('x'), Some(id)) => {
            if inbox.open.get(id).is_some_and(Item::has_own_no) {
                let no = inbox.language.words().no_is_no();
                inbox.open_sheet(id);
                inbox.say(Tone::Note, no);
            } else if inbox.open_sheet(id) {
                decline(inbox, id, true);
            }
        }
        (Key::Char('r'), Some(id)) => {
            if inbox.open_sheet(id) {
                return Action::Reuse(id);
            }
        }
        (Key::Char('c'), Some(id)) => return conversation(inbox, id),
        (Key::Char('h') | Key::Tab, _) => return look_back(inbox),
        (Key::Char('q'), _) => return Action::Leave,
        (Key::Esc, _) => {
            if inbox.open.search.text().is_empty() {
                inbox.marked.clear();
            } else {
                inbox.open.search = Editor::default();
                inbox.open.searched();
            }
        }
        (key, _) => return in_a_list(inbox, key),
    }
    Action::Stay
}

fn history(inbox: &mut Inbox, key: &Key) -> Action {
    match key {
        Key::Enter | Key::Right => {
            if let Some(item) = inbox.ended.selected() {
                let items = Some(vec![item.clone()]);
                let back = Box::new(View::History);
                inbox.view = View::Told { session: None, items, top: 0, back };
            }
        }
        Key::Char('c') => {
            if let Some(id) = inbox.ended.selected().map(|item| item.id) {
                return conversation(inbox, id);
            }
        }
        Key::Char('q') => return Action::Leave,
        Key::Char('h') | Key::Tab | Key::Left => inbox.view = View::Open,
        Key::Esc if inbox.ended.search.text().is_empty() => inbox.view = View::Open,
        Key::Esc => {
            inbox.ended.search = Editor::default();
            return search(inbox);
        }
        key => {
            let step = in_a_list(inbox, key);
            return if step == Action::Stay { look_further(inbox) } else { step };
        }
    }
    Action::Stay
}

/// Keys that mean the same in both lists.
fn in_a_list(inbox: &mut Inbox, key: &Key) -> Action {
    let at = (inbox.view == View::Open).then(|| inbox.open.cursor());
    let list = match inbox.view {
        View::History => &mut inbox.ended,
        _ => &mut inbox.open,
    };
    match key {
        Key::Down | Key::Char('j') => list.move_by(1),
        Key::Up | Key::Char('k') => list.move_by(-1),
        Key::PageDown => list.move_by(PAGE),
        Key::PageUp => list.move_by(-PAGE),
        Key::Home | Key::Char('g') => list.to_first(),
        Key::End | Key::Char('G') => list.to_last(),
        Key::Char('/') => inbox.searching = true,
        Key::Char('?') | Key::Help => inbox.view = View::Help { top: 0, back: Box::new(inbox.view.clone()) },
        _ => {}
    }
    // Whoever moves on looks where they go: what waited for that happens now.
    if at.is_some_and(|at| at != inbox.open.cursor()) {
        inbox.put_in_order();
    }
    Action::Stay
}

/// Keys in the field of a search: text, but for the few that end it or move the cursor.
fn searching(inbox: &mut Inbox, key: Key) -> Action {
    let in_history = inbox.view == View::History;
    let list = if in_history { &mut inbox.ended } else { &mut inbox.open };
    let before = list.search.text().to_owned();
    match key {
        Key::Enter | Key::Tab => inbox.searching = false,
        Key::Esc | Key::EndOfInput => {
            inbox.searching = false;
            list.search = Editor::default();
        }
        Key::Down => list.move_by(1),
        Key::Up => list.move_by(-1),
        Key::PageDown => list.move_by(PAGE),
        Key::PageUp => list.move_by(-PAGE),
        Key::Char(letter) => drop(list.search.insert(letter.encode_utf8(&mut [0; 4]))),
        Key::Paste(text) => drop(list.search.insert(&text.replace(['\r', '\n', '\t'], " "))),
        key => edit_text(&mut list.search, &key),
    }
    if list.search.text() == before {
        return if in_history { look_further(inbox) } else { Action::Stay };
    }
    if in_history {
        return search(inbox);
    }
    inbox.open.searched();
    inbox.open.to_first();
    Action::Stay
}

fn search(inbox: &mut Inbox) -> Action {
    inbox.looked = Looked::Looking;
    Action::Search
}

fn look_back(inbox: &mut Inbox) -> Action {
    inbox.view = View::History;
    inbox.looked = Looked::Looking;
    Action::Search
}

/// Asks for more where the cursor has come to the end of what is known.
fn look_further(inbox: &mut Inbox) -> Action {
    match inbox.looked {
        Looked::UpTo(last) if inbox.ended.is_at_end() => {
            inbox.looked = Looked::Looking;
            Action::LookFurther(last)
        }
        Looked::NotYet | Looked::Looking | Looked::UpTo(_) | Looked::ToTheEnd => Action::Stay,
    }
}

fn conversation(inbox: &mut Inbox, id: AskId) -> Action {
    let item = inbox.open.get(id).or_else(|| inbox.ended.get(id));
    let Some(session) = item.map(|item| item.session.clone()) else { return Action::Stay };
    let back = Box::new(inbox.view.clone());
    inbox.view = View::Told { session: Some(session.clone()), items: None, top: usize::MAX, back };
    Action::Tell(session)
}

/// Keys where something is only read.
fn scrolling(inbox: &mut Inbox, key: &Key) -> Action {
    let (View::Told { top, back, .. } | View::Help { top, back }) = &mut inbox.view else {
        return Action::Stay;
    };
    let by = match key {
        Key::Down | Key::Char('j') => 1,
        Key::Up | Key::Char('k') => -1,
        Key::PageDown | Key::Char(' ') => PAGE_ROWS,
        Key::PageUp => -PAGE_ROWS,
        Key::Home | Key::Char('g') => isize::MIN,
        Key::End | Key::Char('G') => isize::MAX,
        Key::Esc | Key::Enter | Key::Left | Key::Char('q' | 'c' | '?') => {
            inbox.view = back.as_ref().clone();
            return Action::Stay;
        }
        _ => 0,
    };
    *top = top.saturating_add_signed(by);
    Action::Stay
}

/// Marks an ask to be answered with others, or takes the mark back. Only asks that ask the same can
/// share an answer.
fn mark(inbox: &mut Inbox, id: AskId) {
    if inbox.marked.remove(&id) {
        return;
    }
    let said = Words(inbox.language);
    let content = |id: &AskId| inbox.open.get(*id).map(|item| item.content);
    let unlike = inbox.marked.first().is_some_and(|first| content(first) != content(&id));
    let waits = inbox.open.get(id).is_some_and(|item| item.standing == ItemState::Waiting);
    let why_not = if unlike {
        said.unlike().to_owned()
    } else if !waits {
        said.not_now().to_owned()
    } else if inbox.marked.len() >= ALIKE_MAX {
        said.marks_max(ALIKE_MAX)
    } else {
        inbox.marked.insert(id);
        return;
    };
    // Of this key and no other: the next one takes it away.
    inbox.say(Tone::Note, why_not);
}

/// Marks every ask that asks the same as this one; where all are marked, none.
fn mark_alike(inbox: &mut Inbox, id: AskId) {
    let Some(item) = inbox.open.get(id) else { return };
    let alike = inbox.open.alike(item).into_iter().filter(|item| item.standing == ItemState::Waiting);
    let others = alike.map(|item| item.id).filter(|other| *other != id).take(ALIKE_MAX - 1);
    let all = std::iter::once(id).chain(others).collect();
    inbox.marked = if inbox.marked == all { BTreeSet::new() } else { all };
    if inbox.marked.len() == 1 {
        inbox.marked.clear();
        inbox.say(Tone::Note, Words(inbox.language).none_alike());
    }
}

fn decline(inbox: &mut Inbox, id: AskId, to_decline: bool) {
    if let Some(panel) = inbox.sheets.get_mut(&id) {
        let back = Box::new(panel.mode.clone());
        panel.mode = Mode::Declining { editor: Editor::default(), back };
        inbox.view = View::Sheet { id, to_decline };
    }
}

fn sheet(inbox: &mut Inbox, id: AskId, key: Key) -> Action {
    let Some(panel) = inbox.sheets.get_mut(&id) else {
        inbox.view = View::Open;
        return Action::Stay;
    };
    let no_text = matches!(panel.mode, Mode::Choosing | Mode::Reviewing { .. });
    match key {
        Key::Char('x') if no_text && panel.has_own_no() => {
            panel.message = Some(panel.around.language.words().no_is_no().to_owned());
            return Action::Stay;
        }
        Key::Char('x') if no_text => {
            decline(inbox, id, false);
            return Action::Stay;
        }
        Key::Char('c') if no_text => return conversation(inbox, id),
        Key::Char('r') if no_text => return Action::Reuse(id),
        _ => {}
    }
    let before = panel.sheet.clone();
    let step = keys::press(panel, key);
    let changed = panel.sheet != before;
    let declines = matches!(panel.mode, Mode::Declining { .. });
    match step {
        panel::Step::Sent(answers) => return send(inbox, id, answers),
        panel::Step::Declined { reason } => {
            sending(inbox, &[id]);
            return Action::Decline { ask: id, reason };
        }
        panel::Step::LeftOpen => inbox.view = View::Open,
        panel::Step::Interrupted => return Action::Interrupted,
        panel::Step::Suspend => return Action::Suspend,
        panel::Step::Stay => {
            // Whoever came to decline and did not goes back to the list.
            if matches!(inbox.view, View::Sheet { to_decline: true, .. }) && !declines {
                inbox.view = View::Open;
            }
        }
    }
    if changed { Action::Save(id) } else { Action::Stay }
}

fn send(inbox: &mut Inbox, id: AskId, answers: askuser_core::answer::Answers) -> Action {
    let asks = inbox.answered_with(id);
    sending(inbox, &asks);
    Action::Send { asks, answers }
}

/// Goes back to the list, where these asks are on their way.
fn sending(inbox: &mut Inbox, asks: &[AskId]) {
    for id in asks {
        inbox.marked.remove(id);
        if let Some(item) = inbox.open.get_mut(*id) {
            item.standing = ItemState::Sending;
        }
    }
    inbox.view = View::Open;
    inbox.open.to_next_waiting();
}
