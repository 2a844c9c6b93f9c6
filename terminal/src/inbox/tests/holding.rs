//! An answer by one press: given in the list, held, taken back.

use std::time::Duration;

use askuser_words::Language;
use askuser_words::deadline::Then;

use super::said;
use crate::inbox::draw::draw;
use crate::inbox::item::{Item, ItemState};
use crate::inbox::samples::{ask, id, inbox, six, type_keys};
use crate::inbox::{Action, Inbox, View};
use crate::line::Line;
use crate::samples::{auth, database, deploy, layout};
use askuser_wire::permission::Permission;

fn screen(inbox: &mut Inbox, width: usize, height: usize) -> String {
    let frame = draw(inbox, width, height);
    inbox.settle(&frame);
    frame.lines.iter().map(Line::text).collect::<Vec<_>>().join("\n")
}

fn deploys() -> Vec<Item> {
    (1..=3).map(|n| ask(n, ("codex", "shop"), vec![deploy()])).collect()
}

/// What the desk says of an ask that it holds an answer to.
fn held(inbox: &Inbox, number: u128) -> Item {
    let until = inbox.now.after(Duration::from_secs(5));
    let mut item = inbox.open.get(id(number)).unwrap().clone();
    item.standing = ItemState::Held { until, answer: "Yes".to_owned() };
    item
}

#[test]
fn a_number_answers_the_question_that_is_wholly_on_the_screen() {
    for size in [(80, 24), (120, 40), (60, 15)] {
        let mut inbox = inbox(Language::English, deploys());
        let shown = screen(&mut inbox, size.0, size.1);
        for text in ["Deploy to production now?", "12 files changed, all tests pass.", "Yes", "No"] {
            assert!(shown.contains(text), "{text}: {shown}");
        }
        assert!(shown.contains("1-2 answer now"), "{shown}");
        inbox.tick(inbox.now.after(Duration::from_secs(1)));
        let step = crate::inbox::keys::press(&mut inbox, crate::keys::Key::Char('2'));
        let Action::Hold { ask, answers } = step else { panic!("{size:?}") };
        assert_eq!((ask, answers.0[0].picked[0].as_str()), (id(1), "no"));
        assert_eq!(inbox.open.selected().unwrap().id, id(2), "the next one is under the cursor");
    }
}

#[test]
fn a_number_opens_what_is_not_wholly_on_the_screen() {
    let mut long = deploy();
    long.description = askuser_core::draft::Given::Value("many words about it. ".repeat(25));
    let cases = [
        (vec![auth()], (120, 40)),
        (vec![layout()], (120, 40)),
        (vec![database(), deploy()], (120, 40)),
        (vec![long.clone()], (120, 12)),
        (vec![long], (60, 10)),
    ];
    for (questions, size) in cases {
        let mut inbox = inbox(Language::English, vec![ask(1, ("codex", "shop"), questions)]);
        let shown = screen(&mut inbox, size.0, size.1);
        assert!(!shown.contains("answer now"), "{shown}");
        inbox.tick(inbox.now.after(Duration::from_secs(1)));
        let step = crate::inbox::keys::press(&mut inbox, crate::keys::Key::Char('1'));
        assert_eq!(step, Action::Stay);
        assert!(matches!(inbox.view, View::Sheet { .. }), "{shown}");
    }
}

#[test]
fn the_context_is_on_the_screen_where_a_number_answers() {
    let mut item = ask(1, ("db-mcp", "shop"), vec![deploy()]);
    item.context = Some("Delete `shop_prod` together with all 14 backups?".to_owned());
    for size in [(80, 24), (120, 40)] {
        let mut inbox = inbox(Language::Chinese, vec![item.clone()]);
        let shown = screen(&mut inbox, size.0, size.1);
        assert!(shown.contains("all 14 backups?") && shown.contains("1-2 直接回答"), "{shown}");
    }
}

#[test]
fn a_held_answer_counts_down_and_is_taken_back() {
    let mut inbox = inbox(Language::English, deploys());
    assert!(matches!(type_keys(&mut inbox, "1"), Action::Hold { .. }));
    inbox.held(held(&inbox, 1));
    assert_eq!(inbox.open.selected().unwrap().id, id(2));
    assert!(
        screen(&mut inbox, 80, 24).contains("Answered: Yes · u undo (5)"),
        "{}",
        screen(&mut inbox, 80, 24)
    );
    inbox.tick(inbox.now.after(Duration::from_millis(3200)));
    let shown = screen(&mut inbox, 80, 24);
    assert!(shown.contains("u undo (2)") && shown.lines().last().unwrap().contains("u undo"), "{shown}");
    assert_eq!(type_keys(&mut inbox, "u"), Action::TakeBack(id(1)));
    assert_eq!(inbox.open.selected().unwrap().id, id(1), "the cursor is on what is taken back");
    inbox.held(deploys().remove(0));
    assert_eq!(inbox.open.get(id(1)).unwrap().standing, ItemState::Waiting);
    assert!(!screen(&mut inbox, 80, 24).contains("undo ("));
    assert_eq!(type_keys(&mut inbox, "u"), Action::Stay);
    assert_eq!(said(&inbox), "There is nothing to undo.");
}

#[test]
fn a_held_answer_that_became_final_says_so() {
    let mut inbox = inbox(Language::English, deploys());
    type_keys(&mut inbox, "1");
    inbox.held(held(&inbox, 1));
    inbox.closed(id(1), "Answered by local in a terminal: Deploy: Yes", true);
    let shown = screen(&mut inbox, 80, 24);
    assert!(shown.contains("Answered by local") && shown.contains("Inbox 2"), "{shown}");
    // Nobody answers it once more.
    type_keys(&mut inbox, "up");
    assert_eq!(inbox.open.selected().unwrap().id, id(2), "there is nothing to be done there");
}

#[test]
fn what_others_hold_is_told_and_can_still_be_answered() {
    let mut asks = deploys();
    asks[0].others = Some("being answered by ana in the browser".to_owned());
    let mut inbox = inbox(Language::English, asks);
    assert!(screen(&mut inbox, 80, 24).contains("being answered by ana in the browser"));
    assert!(matches!(type_keys(&mut inbox, "1"), Action::Hold { .. }), "whoever commits first wins");
}

#[test]
fn marked_ones_are_not_answered_by_a_number() {
    let mut inbox = inbox(Language::English, deploys());
    assert_eq!(type_keys(&mut inbox, "a 1"), Action::Stay);
    assert!(matches!(inbox.view, View::Sheet { .. }), "an answer for several is looked over");
}

#[test]
fn a_deadline_says_what_it_brings() {
    let mut item = ask(1, ("codex", "shop"), vec![database()]);
    item.deadline = Some(crate::inbox::samples::NOW.after(Duration::from_secs(250)));
    let cases = [
        (
            Then::Default(Some("SQLite".to_owned())),
            "in 4:10 the default “SQLite” is taken",
            "4:10 后采用默认值“SQLite”",
        ),
        (Then::Unanswered, "in 4:10 the agent is told that nobody answered", "4:10 后告知智能体无人回答"),
        (Then::Stops, "in 4:10 the task stops", "4:10 后任务停止"),
    ];
    for (then, english, chinese) in cases {
        item.then = Some(then);
        for (language, text) in [(Language::English, english), (Language::Chinese, chinese)] {
            let mut inbox = inbox(language, vec![item.clone()]);
            for width in [80, 120] {
                assert!(screen(&mut inbox, width, 24).contains(text), "{}", screen(&mut inbox, width, 24));
            }
            type_keys(&mut inbox, "enter");
            inbox.tick(crate::inbox::samples::NOW);
            assert!(screen(&mut inbox, 80, 24).contains(text), "{}", screen(&mut inbox, 80, 24));
        }
    }
}

#[test]
fn a_permission_is_opened_and_not_declined_beside_its_no() {
    let mut item = ask(1, ("codex", "shop"), vec![deploy()]);
    item.one_press = None;
    item.permission = Some(Permission { command: "rm -rf dist".to_owned(), rest: None, folder: None });
    let mut inbox = inbox(Language::English, vec![item]);
    assert_eq!(type_keys(&mut inbox, "1"), Action::Stay);
    assert!(matches!(inbox.view, View::Sheet { .. }));
    assert!(screen(&mut inbox, 80, 24).contains("▏ rm -rf dist"));
    type_keys(&mut inbox, "esc x");
    assert!(matches!(inbox.view, View::Sheet { to_decline: false, .. }));
    assert_eq!(said(&inbox), "To refuse, answer No. Ctrl-C quits without an answer.");
    assert!(!screen(&mut inbox, 80, 24).contains("x decline"), "{}", screen(&mut inbox, 80, 24));
}

#[test]
fn six_asks_of_the_samples_say_which_are_small() {
    let small: Vec<u128> =
        six().iter().filter(|item| item.one_press.is_some()).map(|item| item.id.0).collect();
    assert_eq!(small, [1, 4], "several questions, follow-ups, previews and several picks are opened");
}
