//! Asks for the tests of the inbox, and a person who presses keys.

use std::time::Duration;

use askuser_core::asker::{Asker, Terms};
use askuser_core::content::Content;
use askuser_core::draft::DraftQuestion;
use askuser_core::id::AskId;
use askuser_core::search::readable;
use askuser_core::sheet::Sheet;
use askuser_core::time::Timestamp;
use askuser_core::whole::one_press;
use askuser_words::Language;
use askuser_words::deadline::Then;

use super::draw::draw;
use super::item::{Item, ItemState, ROW};
use super::keys::press;
use super::{Action, Inbox};
use crate::samples::{auth, auth_zh, checked, database, deploy, features, keys, layout, name};
use askuser_core::content;

/// When the tests take place.
pub(super) const NOW: Timestamp = Timestamp(1_800_000_000_000);

pub(super) fn id(number: u128) -> AskId {
    AskId(number)
}

pub(super) fn ask(number: u128, asker_line: (&str, &str), questions: Vec<DraftQuestion>) -> Item {
    let questions = checked(questions);
    let asker =
        Asker { agent: Some(asker_line.0.to_owned()), project: Some(asker_line.1.to_owned()), folder: None };
    let terms = Terms { asker: asker.clone(), ..Terms::default() };
    let one_press = one_press(&Content::new(&questions, &terms), &ROW).map(|question| question.id.clone());
    let minutes = i64::try_from(number).unwrap() * 7;
    Item {
        id: id(number),
        session: format!("ses_{}", asker_line.1),
        round: u32::try_from(number % 4 + 1).unwrap(),
        asked_at: Timestamp(NOW.0 - 60_000 * (120 - minutes).max(0)),
        deadline: None,
        standing: ItemState::Waiting,
        content: content::digest(Content::new(&questions, &Terms::default())),
        readable: readable(&asker, None, &questions, None),
        sheet: Sheet::suggested(questions),
        asker,
        people: None,
        left: None,
        context: None,
        then: None,
        permission: None,
        others: None,
        disagreed: false,
        one_press,
    }
}

/// An ask that was answered, by picking the first choice.
pub(super) fn answered(number: u128, asker_line: (&str, &str), question: DraftQuestion, note: &str) -> Item {
    let mut item = ask(number, asker_line, vec![question]);
    let first = item.sheet.questions().top()[0].clone();
    match first.choices.first() {
        Some(choice) => item.sheet.pick(&first.id, &choice.id).unwrap(),
        None => item.sheet.write(&first.id, "order-service").unwrap(),
    }
    item.sheet.note(&first.id, note).unwrap();
    let at = item.asked_at.after(Duration::from_secs(40));
    item.standing =
        ItemState::Ended { at, how: "Answered by local in a terminal".to_owned(), answered: true };
    item
}

/// Six asks of three agents in three projects.
pub(super) fn six() -> Vec<Item> {
    let mut asks = vec![
        ask(1, ("claude-code", "shop"), vec![database()]),
        ask(2, ("codex", "billing"), vec![auth(), deploy(), name()]),
        ask(3, ("gemini", "文档站"), vec![auth_zh()]),
        ask(4, ("claude-code", "billing"), vec![database()]),
        ask(5, ("claude-code", "shop"), vec![layout()]),
        ask(6, ("codex", "billing"), vec![features()]),
    ];
    asks[1].context = Some("The new service needs a login before it can be tried out.".to_owned());
    asks[1].deadline = Some(NOW.after(Duration::from_mins(16)));
    asks[1].then = Some(Then::Unanswered);
    asks[4].deadline = Some(NOW.after(Duration::from_secs(245)));
    asks[4].then = Some(Then::Default(Some("Sidebar".to_owned())));
    asks[5].standing = ItemState::InLine;
    asks
}

pub(super) fn inbox(language: Language, asks: Vec<Item>) -> Inbox {
    let mut inbox = Inbox::new(language, NOW);
    inbox.listed(asks);
    inbox
}

/// Presses keys, a second apart, until something other than staying or saving comes of one.
pub(super) fn type_keys(inbox: &mut Inbox, script: &str) -> Action {
    for key in keys(script) {
        let now = inbox.now.after(Duration::from_secs(1));
        inbox.tick(now);
        let frame = draw(inbox, 160, 60);
        inbox.settle(&frame);
        let step = press(inbox, key);
        if !matches!(step, Action::Stay | Action::Save(_)) {
            return step;
        }
    }
    Action::Stay
}
