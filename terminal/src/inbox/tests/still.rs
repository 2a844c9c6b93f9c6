//! Nothing moves under the cursor, and no key counts for what came up after it.

use std::time::Duration;

use askuser_words::Language;

use super::english;
use crate::inbox::draw::draw;
use crate::inbox::item::{Item, ItemState};
use crate::inbox::keys::{due, press};
use crate::inbox::samples::{ask, id, inbox, type_keys};
use crate::inbox::{Action, Inbox, View};
use crate::keys::Key;
use crate::line::Line;
use crate::samples::{database, deploy};

const SIZE: (usize, usize) = (80, 24);

/// Shows a frame, as the terminal does after everything that happens.
fn shows(inbox: &mut Inbox) -> Vec<String> {
    let frame = draw(inbox, SIZE.0, SIZE.1);
    inbox.settle(&frame);
    frame.lines.iter().map(Line::text).collect()
}

fn after(inbox: &mut Inbox, ms: u64) {
    let now = inbox.now.after(Duration::from_millis(ms));
    inbox.tick(now);
}

fn deploys(n: u128) -> Vec<Item> {
    (1..=n).map(|n| ask(n, ("codex", "shop"), vec![deploy()])).collect()
}

fn selected(inbox: &Inbox) -> u128 {
    inbox.open.selected().unwrap().id.0
}

/// Returns the row of the screen with the cursor.
fn row_of_cursor(inbox: &mut Inbox) -> usize {
    shows(inbox).iter().position(|line| line.starts_with('❯')).unwrap()
}

#[test]
fn a_row_that_ends_above_the_cursor_stays_where_it_is() {
    let mut inbox = inbox(Language::English, deploys(4));
    type_keys(&mut inbox, "down");
    let before = row_of_cursor(&mut inbox);
    inbox.closed(id(1), "Withdrawn", false);
    assert_eq!((selected(&inbox), row_of_cursor(&mut inbox)), (2, before));
    let screen = shows(&mut inbox).join("\n");
    assert!(screen.contains("Withdrawn") && screen.contains("Inbox 3"), "{screen}");
    // Whoever moves on leaves it behind.
    type_keys(&mut inbox, "down");
    assert_eq!((selected(&inbox), inbox.open.len()), (3, 3));
    assert!(!shows(&mut inbox).join("\n").contains("Withdrawn"));
}

#[test]
fn the_row_of_the_cursor_that_ends_takes_no_key() {
    let mut inbox = inbox(Language::English, deploys(3));
    shows(&mut inbox);
    after(&mut inbox, 1000);
    inbox.closed(id(1), "Answered by ana in the browser: Deploy: Yes", true);
    shows(&mut inbox);
    after(&mut inbox, 150);
    assert_eq!(press(&mut inbox, Key::Char('1')), Action::Stay);
    after(&mut inbox, 1000);
    assert_eq!(press(&mut inbox, Key::Char('2')), Action::Stay, "nor later: it is over");
    assert_eq!((selected(&inbox), &inbox.view), (1, &View::Open));
    // After a while without a key it goes, and the next one comes under the cursor, for keys of its own.
    after(&mut inbox, 4999);
    assert_eq!(selected(&inbox), 1);
    after(&mut inbox, 1);
    assert_eq!((selected(&inbox), inbox.open.len()), (2, 2));
    shows(&mut inbox);
    after(&mut inbox, 399);
    assert_eq!(press(&mut inbox, Key::Char('1')), Action::Stay);
    shows(&mut inbox);
    after(&mut inbox, 1000);
    assert!(matches!(press(&mut inbox, Key::Char('1')), Action::Hold { ask, .. } if ask == id(2)));
}

#[test]
fn a_key_within_400_ms_of_the_first_question_does_nothing() {
    let opens = |ms: u64| {
        let mut inbox = inbox(Language::English, Vec::new());
        shows(&mut inbox);
        after(&mut inbox, 10_000);
        inbox.arrived(ask(1, ("codex", "shop"), vec![database()]));
        shows(&mut inbox);
        after(&mut inbox, ms);
        press(&mut inbox, Key::Enter);
        matches!(inbox.view, View::Sheet { .. })
    };
    assert_eq!((opens(0), opens(399), opens(400)), (false, false, true));
}

#[test]
fn what_comes_at_the_end_holds_nobody_up() {
    let mut inbox = inbox(Language::English, deploys(2));
    type_keys(&mut inbox, "down");
    let before = row_of_cursor(&mut inbox);
    for n in 3..30 {
        inbox.arrived(ask(n, ("codex", "shop"), vec![database()]));
        assert_eq!((selected(&inbox), row_of_cursor(&mut inbox)), (2, before));
    }
    after(&mut inbox, 1);
    press(&mut inbox, Key::Enter);
    assert!(matches!(inbox.view, View::Sheet { id: at, .. } if at == id(2)));
}

fn urgent(number: u128, inbox: &Inbox) -> Item {
    let mut item = ask(number, ("gemini", "docs"), vec![database()]);
    item.deadline = Some(inbox.now.after(Duration::from_secs(90)));
    item
}

#[test]
fn what_is_urgent_and_new_waits_until_it_pushes_nothing_away() {
    let mut inbox = inbox(Language::English, deploys(3));
    type_keys(&mut inbox, "down");
    let before = row_of_cursor(&mut inbox);
    inbox.arrived(urgent(8, &inbox));
    inbox.arrived(urgent(9, &inbox));
    assert!(inbox.rung.is_some(), "it is rung for");
    assert_eq!((selected(&inbox), row_of_cursor(&mut inbox)), (2, before));
    assert!(shows(&mut inbox)[0].contains("Inbox 3 · 2 new"), "{:?}", shows(&mut inbox));
    assert!(shows(&mut inbox)[23].contains("n show new"), "{:?}", shows(&mut inbox));
    // Moving on brings them in, the urgent first.
    type_keys(&mut inbox, "down");
    let order: Vec<u128> = inbox.open.items().iter().map(|item| item.id.0).collect();
    assert_eq!((selected(&inbox), order), (3, vec![8, 9, 3, 1, 2]));
    assert!(shows(&mut inbox)[0].contains("Inbox 5") && !shows(&mut inbox)[0].contains("new"));
    // So does a key for it; one that was withdrawn meanwhile does not come.
    inbox.arrived(urgent(10, &inbox));
    inbox.arrived(urgent(11, &inbox));
    inbox.closed(id(11), "", false);
    type_keys(&mut inbox, "n");
    assert_eq!((inbox.fresh.len(), inbox.open.len(), selected(&inbox)), (0, 6, 3));
}

#[test]
fn an_ask_that_becomes_urgent_does_not_move_the_one_under_the_cursor() {
    let mut asks = deploys(4);
    asks[3].deadline = Some(asks[3].asked_at.after(Duration::from_hours(10)));
    let mut inbox = inbox(Language::English, asks);
    type_keys(&mut inbox, "down");
    let before = row_of_cursor(&mut inbox);
    let soon = inbox.open.get(id(4)).unwrap().deadline.unwrap();
    inbox.tick(askuser_core::time::Timestamp(soon.0 - 60_000));
    let order: Vec<u128> = inbox.open.items().iter().map(|item| item.id.0).collect();
    assert_eq!((order[0], selected(&inbox), row_of_cursor(&mut inbox)), (4, 2, before));
    assert!(shows(&mut inbox).iter().any(|line| line.contains("urgent")));
}

#[test]
fn the_list_after_the_desk_was_away_moves_nothing() {
    let mut inbox = inbox(Language::English, deploys(4));
    type_keys(&mut inbox, "down");
    let before = row_of_cursor(&mut inbox);
    let now: Vec<Item> = deploys(5).into_iter().filter(|item| item.id != id(1)).collect();
    assert_eq!(inbox.listed(now), [id(1)], "how that one ended is to be looked up");
    assert_eq!((selected(&inbox), row_of_cursor(&mut inbox)), (2, before));
    assert!(matches!(inbox.open.get(id(1)).unwrap().standing, ItemState::Ended { .. }));
    assert_eq!(inbox.open.n_open(), 4);
}

/// An Enter that is held down as keyboards do it: it opens one sheet, and answers nothing.
#[test]
fn an_enter_held_down_opens_one_question_and_answers_none() {
    let mut inbox = english();
    shows(&mut inbox);
    after(&mut inbox, 1000);
    for n in 0..80 {
        after(&mut inbox, if n == 1 { 500 } else { 33 });
        assert_eq!(due(&mut inbox), None);
        assert_eq!(press(&mut inbox, Key::Enter), Action::Stay);
        shows(&mut inbox);
    }
    assert!(matches!(inbox.view, View::Sheet { .. }), "it opens one question");
    after(&mut inbox, 2000);
    assert_eq!(due(&mut inbox), None);
    // One that sends, and is held down: the next question is not touched.
    shows(&mut inbox);
    assert!(matches!(press(&mut inbox, Key::Enter), Action::Send { .. }));
    for n in 0..80 {
        after(&mut inbox, if n == 0 { 500 } else { 33 });
        assert_eq!((due(&mut inbox), press(&mut inbox, Key::Enter)), (None, Action::Stay));
        shows(&mut inbox);
        assert_eq!(inbox.view, View::Open);
    }
}

#[test]
fn the_next_question_takes_a_key_after_250_ms() {
    let answers = |ms: u64| {
        let mut inbox = inbox(Language::English, deploys(3));
        shows(&mut inbox);
        after(&mut inbox, 1000);
        assert!(matches!(press(&mut inbox, Key::Char('1')), Action::Hold { ask, .. } if ask == id(1)));
        shows(&mut inbox);
        after(&mut inbox, ms);
        matches!(press(&mut inbox, Key::Char('2')), Action::Hold { ask, .. } if ask == id(2))
    };
    assert_eq!((answers(0), answers(249), answers(250)), (false, false, true));
    // The same key counts a moment later, once it is plain that it is not held down.
    let mut inbox = inbox(Language::English, deploys(3));
    shows(&mut inbox);
    after(&mut inbox, 1000);
    press(&mut inbox, Key::Char('1'));
    shows(&mut inbox);
    after(&mut inbox, 300);
    assert_eq!(press(&mut inbox, Key::Char('1')), Action::Stay);
    assert_eq!(inbox.looks_again_in(), Some(Duration::from_millis(150)));
    after(&mut inbox, 150);
    assert!(matches!(due(&mut inbox), Some(Action::Hold { ask, .. }) if ask == id(2)));
}
