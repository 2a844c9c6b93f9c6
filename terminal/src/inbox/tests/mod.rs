//! What keys and news do to the inbox.

mod looks;
mod many;
mod any;
mod holding;
mod still;

use std::time::Duration;

use askuser_core::time::Timestamp;
use askuser_words::Language;

use super::draw::draw;
use super::item::ItemState;
use super::keys::press;
use super::samples::{NOW, answered, ask, id, inbox, six, type_keys};
use super::{Action, Inbox, View};
use crate::keys::Key;
use crate::line::Line;
use crate::panel::Mode;
use crate::samples::{auth, database, deploy, name};

fn english() -> Inbox {
    inbox(Language::English, six())
}

fn said(inbox: &Inbox) -> &str {
    inbox.said.as_ref().map_or("", |said| said.text.as_str())
}

#[test]
fn an_ask_is_opened_answered_and_on_its_way() {
    let mut inbox = english();
    let Action::Send { asks, answers } = type_keys(&mut inbox, "enter down enter") else { panic!() };
    assert_eq!((asks, answers.0[0].picked[0].as_str()), (vec![id(1)], "sqlite"));
    assert_eq!((inbox.is_sending(id(1)), &inbox.view), (true, &View::Open));
    assert_eq!(inbox.open.selected().unwrap().id, id(2), "the cursor is on the next one");
    // Until it has arrived it cannot be answered again.
    type_keys(&mut inbox, "up enter");
    assert_eq!((said(&inbox), &inbox.view), ("Your answer is being sent.", &View::Open));
    inbox.sent(&[id(1)], "Sent.");
    assert!(!inbox.open.get(id(1)).unwrap().is_open() && inbox.sheets.is_empty());
    assert_eq!(inbox.open.selected().unwrap().id, id(1), "nothing moves");
}

/// What comes in is rung for once; what was there when the person sat down, or only changed, is not.
#[test]
fn something_new_is_rung_for_once() {
    let mut inbox = english();
    assert_eq!(inbox.rung.take(), None);
    inbox.arrived(ask(7, ("codex", "shop"), vec![database()]));
    let text = database_text(&inbox);
    assert_eq!(inbox.rung.take(), Some(text.clone()));
    inbox.arrived(ask(7, ("codex", "shop"), vec![database()]));
    assert_eq!(inbox.rung.take(), None);
    // One that waits in line is rung for when its turn has come.
    let mut in_line = ask(8, ("codex", "shop"), vec![database()]);
    in_line.standing = ItemState::InLine;
    inbox.arrived(in_line);
    assert_eq!(inbox.rung.take(), None);
    inbox.shown(id(8));
    assert_eq!(inbox.rung.take(), Some(text));
    inbox.shown(id(8));
    assert_eq!(inbox.rung.take(), None);
}

fn database_text(inbox: &Inbox) -> String {
    inbox.open.get(id(7)).unwrap().title().1
}

/// A key typed in a text field is text and nothing else, whatever it does elsewhere.
#[test]
fn letters_in_a_text_field_are_text() {
    let mut inbox = inbox(Language::English, vec![ask(1, ("codex", "shop"), vec![name()])]);
    type_keys(&mut inbox, r#"enter "qxcrahjk/? 1""#);
    let panel = &inbox.sheets[&id(1)];
    assert_eq!(panel.sheet.entry(&"name".into()).unwrap().text.as_deref(), Some("qxcrahjk/? 1"));
    assert!(matches!(inbox.view, View::Sheet { .. }));
    let mut inbox = english();
    type_keys(&mut inbox, r#"/ "qxcrahjk? 1""#);
    assert_eq!((inbox.open.search.text(), inbox.open.n_shown()), ("qxcrahjk? 1", 0));
    // The same for a reason, and for "Other".
    let mut inbox = english();
    let step = type_keys(&mut inbox, r#"x "xcrq" enter"#);
    assert_eq!(step, Action::Decline { ask: id(1), reason: Some("xcrq".to_owned()) });
    let mut inbox = english();
    let Action::Send { answers, .. } = type_keys(&mut inbox, r#"enter 0 "cxr" enter"#) else { panic!() };
    assert_eq!(answers.0[0].text.as_deref(), Some("cxr"));
}

#[test]
fn m25_q_leaves_from_the_history_too_and_what_a_key_said_goes_with_the_next() {
    let mut inbox = english();
    assert_eq!(type_keys(&mut inbox, "h"), Action::Search);
    assert_eq!((type_keys(&mut inbox, "q"), &inbox.view), (Action::Leave, &View::History));
    let mut inbox = english();
    type_keys(&mut inbox, "space down space");
    assert_eq!(said(&inbox), "This question differs from the marked ones.");
    type_keys(&mut inbox, "h");
    assert_eq!((said(&inbox), &inbox.view), ("", &View::History));
}

#[test]
fn leaving_a_sheet_loses_nothing() {
    let mut inbox = english();
    type_keys(&mut inbox, r#"enter 0 "half a thou" esc esc"#);
    assert_eq!(inbox.view, View::Open);
    let step = type_keys(&mut inbox, "enter 0");
    assert_eq!(step, Action::Stay);
    let Mode::Typing(editor) = &inbox.sheets[&id(1)].mode else { panic!() };
    assert_eq!(editor.text(), "half a thou");
    // Every change is to be saved at the desk.
    let mut inbox = english();
    assert_eq!(type_keys(&mut inbox, "enter down"), Action::Stay);
    assert_eq!(press(&mut inbox, Key::Char(' ')), Action::Save(id(1)));
}

#[test]
fn declining_asks_for_a_reason_and_can_be_taken_back() {
    let mut inbox = english();
    assert_eq!(type_keys(&mut inbox, r#"x "no" esc"#), Action::Stay);
    assert_eq!(inbox.view, View::Open, "back to where it came from");
    type_keys(&mut inbox, "enter x esc");
    assert!(matches!(inbox.view, View::Sheet { .. }), "back to where it came from");
    let step = type_keys(&mut inbox, "x enter");
    assert_eq!(step, Action::Decline { ask: id(1), reason: None });
    assert!(inbox.is_sending(id(1)));
}

/// P15 for the terminal: one answer for asks that ask the same; none is picked beforehand.
#[test]
fn p15_alike_asks_are_marked_and_answered_once() {
    let mut inbox = english();
    assert_eq!(inbox.open.n_alike(inbox.open.get(id(1)).unwrap()), 2);
    type_keys(&mut inbox, "a");
    assert_eq!(inbox.marked.iter().copied().collect::<Vec<_>>(), [id(1), id(4)]);
    // What asks something else cannot be marked beside them.
    type_keys(&mut inbox, "down space");
    assert_eq!((inbox.marked.len(), said(&inbox)), (2, "This question differs from the marked ones."));
    let Action::Send { asks, .. } = type_keys(&mut inbox, "up enter 2 enter") else { panic!() };
    assert_eq!(asks, [id(1), id(4)]);
    assert!(inbox.is_sending(id(1)) && inbox.is_sending(id(4)) && inbox.marked.is_empty());
    // An answer goes to the marked ones only from one of them.
    let mut inbox = english();
    let Action::Send { asks, .. } = type_keys(&mut inbox, "space enter 2 enter") else { panic!() };
    assert_eq!(asks, [id(1)]);
    let mut inbox = english();
    type_keys(&mut inbox, "a a");
    assert!(inbox.marked.is_empty());
    type_keys(&mut inbox, "down a");
    assert_eq!(said(&inbox), "No other question is identical.");
    type_keys(&mut inbox, "end space");
    assert_eq!(said(&inbox), "This question cannot be answered right now.");
}

#[test]
fn an_ask_that_closes_elsewhere_says_who_was_first() {
    let mut inbox = english();
    type_keys(&mut inbox, "enter 0");
    inbox.closed(id(1), "Answered by ana on the web page: Database: MySQL", true);
    assert!(matches!(&inbox.view, View::Lost { how, .. } if how.contains("ana")));
    // What is still being typed does nothing to the list.
    type_keys(&mut inbox, r#""qxa 1""#);
    assert!(matches!(inbox.view, View::Lost { .. }));
    type_keys(&mut inbox, "enter");
    assert_eq!((&inbox.view, inbox.open.len()), (&View::Open, 5));
    // Whoever only read the conversation for a moment is told as well; whoever is elsewhere is not.
    type_keys(&mut inbox, "enter c");
    inbox.closed(id(2), "Withdrawn", false);
    assert!(matches!(inbox.view, View::Lost { .. }));
    type_keys(&mut inbox, "esc");
    inbox.closed(id(3), "Answered", true);
    assert_eq!((&inbox.view, inbox.open.n_open()), (&View::Open, 3));
    inbox.too_late(id(4), "Answered by ana on the web page", true);
    assert_eq!(said(&inbox), "Too late, not sent. Answered by ana on the web page");
}

#[test]
fn the_cursor_stays_with_its_ask_while_others_come_and_go() {
    let mut inbox = english();
    type_keys(&mut inbox, "down down");
    inbox.closed(id(1), "", false);
    inbox.arrived(ask(9, ("codex", "shop"), vec![deploy()]));
    assert_eq!(inbox.open.selected().unwrap().id, id(3));
    inbox.listed(six());
    assert_eq!(inbox.open.selected().unwrap().id, id(3));
    type_keys(&mut inbox, r#"/ "codex" enter"#);
    assert_eq!((inbox.open.n_shown(), inbox.open.selected().unwrap().id), (3, id(2)));
    type_keys(&mut inbox, "esc");
    assert_eq!((inbox.open.n_shown(), inbox.open.selected().unwrap().id), (7, id(2)));
}

#[test]
fn a_sheet_that_was_saved_elsewhere_is_shown_unless_the_person_is_at_it() {
    let saved = || {
        let mut item = ask(1, ("claude-code", "shop"), vec![database()]);
        item.sheet.pick(&"db".into(), &"mysql".into()).unwrap();
        item
    };
    let picked = |inbox: &mut Inbox| {
        type_keys(inbox, "enter");
        inbox.sheets[&id(1)].sheet.entry(&"db".into()).map(|entry| entry.picked.clone())
    };
    let mut inbox = english();
    type_keys(&mut inbox, "enter 2 esc");
    inbox.arrived(saved());
    assert_eq!(picked(&mut inbox), Some(vec!["mysql".into()]));
    let mut inbox = english();
    type_keys(&mut inbox, "enter 2");
    inbox.arrived(saved());
    assert_eq!(picked(&mut inbox), Some(vec!["sqlite".into()]));
}

/// Words first: what has them is meant. Letters in their order where nothing has the words.
#[test]
fn a_search_goes_by_words_and_else_by_letters() {
    let found = |typed: &str| -> Vec<String> {
        let mut inbox = english();
        type_keys(&mut inbox, &format!(r#"/ "{typed}""#));
        inbox.open.window(20).map(|(item, _)| item.title().1.clone()).collect()
    };
    let (by_word, by_letters) = (found("database"), found("dtbs"));
    assert!(!by_word.is_empty() && by_word.len() < english().open.len(), "{by_word:?}");
    assert!(by_word.iter().all(|title| by_letters.contains(title)), "{by_word:?} {by_letters:?}");
    assert!(found("qqqzzz").is_empty());
}

/// P15: an earlier answer is filled in for the person to look over; nothing is sent by itself.
#[test]
fn p15_an_earlier_answer_is_filled_in_and_not_sent() {
    let mut inbox = english();
    assert_eq!(type_keys(&mut inbox, "r"), Action::Reuse(id(1)));
    let earlier = answered(8, ("codex", "shop"), database(), "as always");
    let entries: Vec<_> = earlier.sheet.entries().map(|(id, entry)| (id.clone(), entry.clone())).collect();
    inbox.reused(id(1), entries, Timestamp(NOW.0 - 3 * 86_400_000));
    assert_eq!(said(&inbox), "Filled in with your answer from 3 d ago; nothing is sent yet.");
    let Action::Send { answers, .. } = type_keys(&mut inbox, "enter") else { panic!() };
    assert_eq!(answers.0[0].note.as_deref(), Some("as always"));
}

#[test]
fn the_history_is_searched_at_the_desk_and_looked_through_page_by_page() {
    let mut inbox = english();
    assert_eq!(type_keys(&mut inbox, "h"), Action::Search);
    let page =
        |from: u128| (from..from + 3).map(|n| answered(n, ("codex", "shop"), database(), "")).collect();
    inbox.found(page(10), Some(id(12)), true);
    assert_eq!(type_keys(&mut inbox, "down"), Action::Stay);
    assert_eq!(type_keys(&mut inbox, "down"), Action::LookFurther(id(12)));
    assert_eq!(type_keys(&mut inbox, "down"), Action::Stay, "one page at a time");
    inbox.found(page(12), None, false);
    assert_eq!(inbox.ended.len(), 5, "none twice");
    assert_eq!(type_keys(&mut inbox, "/ p"), Action::Search);
    inbox.found(page(10), None, true);
    type_keys(&mut inbox, "enter enter");
    assert!(matches!(&inbox.view, View::Told { items: Some(items), .. } if items.len() == 1));
    type_keys(&mut inbox, "esc");
    assert_eq!(type_keys(&mut inbox, "esc"), Action::Search, "first the search is taken back");
    type_keys(&mut inbox, "esc");
    assert_eq!(inbox.view, View::Open);
    let step = type_keys(&mut inbox, "c");
    assert_eq!(step, Action::Tell("ses_shop".to_owned()));
    inbox.talked("ses_other", Vec::new());
    assert!(matches!(inbox.view, View::Told { items: None, .. }));
}

#[test]
fn keys_are_explained_on_any_terminal_and_scrolled_through() {
    let mut inbox = english();
    type_keys(&mut inbox, "? end");
    let frame = draw(&inbox, 40, 10);
    inbox.settle(&frame);
    let shown =
        |inbox: &Inbox| draw(inbox, 40, 10).lines.iter().map(Line::text).collect::<Vec<_>>().join("\n");
    assert!(shown(&inbox).contains("Ctrl-Z") && shown(&inbox).contains("more lines"), "{}", shown(&inbox));
    type_keys(&mut inbox, "home");
    assert!(shown(&inbox).contains("open the question"));
    type_keys(&mut inbox, "esc");
    assert_eq!(inbox.view, View::Open);
}

#[test]
fn an_ask_in_line_is_answered_when_it_has_its_turn() {
    let mut inbox = english();
    // It can be read and filled in, and is not sent.
    assert_eq!(type_keys(&mut inbox, "end enter space down space enter"), Action::Stay);
    let message = |inbox: &Inbox| inbox.sheets[&id(6)].message.clone().unwrap_or_default();
    assert!(message(&inbox).starts_with("Queued: earlier questions"), "{}", message(&inbox));
    inbox.shown(id(6));
    assert_eq!(inbox.open.get(id(6)).unwrap().standing, ItemState::Waiting);
    assert!(matches!(type_keys(&mut inbox, "enter"), Action::Send { .. }), "it came alive by itself");
}

#[test]
fn what_the_desk_refuses_is_given_back_with_its_sheet() {
    let mut inbox = inbox(Language::English, vec![ask(1, ("codex", "shop"), vec![auth()])]);
    assert!(matches!(type_keys(&mut inbox, "enter 2 enter"), Action::Send { .. }));
    inbox.refused(&[id(1)], "the ask has changed");
    assert_eq!(said(&inbox), "the ask has changed");
    type_keys(&mut inbox, "enter");
    let entry = inbox.sheets[&id(1)].sheet.entry(&"auth".into()).unwrap();
    assert_eq!(entry.picked, ["jwt".into()]);
    assert_eq!(NOW, inbox.open.get(id(1)).unwrap().asked_at.after(Duration::from_mins(113)));
}

/// What was looked up before the answer arrived may come in after it: it does not bring the ask back.
#[test]
fn an_ask_that_ended_is_not_brought_back_by_what_was_known_before() {
    let mut inbox = inbox(Language::English, vec![ask(1, ("codex", "shop"), vec![database()])]);
    assert!(matches!(type_keys(&mut inbox, "enter enter"), Action::Send { .. }));
    inbox.sent(&[id(1)], "Sent.");
    inbox.arrived(ask(1, ("codex", "shop"), vec![database()]));
    assert_eq!((inbox.open.len(), inbox.rung.take()), (0, None));
    // One that a list did not have yet has not ended for that.
    inbox.arrived(ask(2, ("codex", "shop"), vec![database()]));
    assert_eq!(inbox.listed(Vec::new()), [id(2)]);
    inbox.arrived(ask(2, ("codex", "shop"), vec![database()]));
    assert_eq!(inbox.open.n_open(), 1);
}
