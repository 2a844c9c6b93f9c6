//! Any asks, any keys, any news, any size: never a panic, never a line that does not fit, and never an
//! answer to an ask that the person did not open.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::asker::Purpose;
use askuser_core::content::Content;
use askuser_core::question::Questions;
use askuser_core::sheet::Sheet;
use askuser_core::whole::{one_press, parts};
use askuser_words::Language;
use proptest::prelude::*;

use crate::any_keys::{any_ask, any_key, words};
use crate::inbox::draw::draw;
use crate::inbox::item::{Item, ItemState, ROW};
use crate::inbox::keys::press;
use crate::inbox::samples::{NOW, ask, id, inbox};
use crate::inbox::{Action, Inbox, View};
use crate::keys::Key;
use crate::line::Line;
use crate::samples::deploy;

/// Something that happens to the inbox.
#[derive(Debug, Clone)]
enum Happens {
    Key(Key),
    Closed(u128),
    Arrived(u128),
    Arrives,
    Listed,
    Found,
    Away(bool),
}

fn happens() -> impl Strategy<Value = Happens> {
    let letters = "xcrhqaun/?gG jk0123".chars().map(Key::Char).collect::<Vec<_>>();
    prop_oneof![
        8 => any_key().prop_map(Happens::Key),
        8 => prop::sample::select(letters).prop_map(Happens::Key),
        1 => (1..6_u128).prop_map(Happens::Closed),
        1 => (1..6_u128).prop_map(Happens::Arrived),
        1 => Just(Happens::Arrives),
        1 => Just(Happens::Listed),
        1 => Just(Happens::Found),
        1 => any::<bool>().prop_map(Happens::Away),
    ]
}

fn asks(questions: &[Arc<Questions>]) -> Vec<Item> {
    let of = |(idx, questions): (usize, &Arc<Questions>)| {
        let number = u128::try_from(idx).unwrap() + 1;
        let item = ask(number, ("codex", "\u{1b}[2Jshop\u{202e}"), vec![deploy()]);
        Item { sheet: Sheet::suggested(Arc::clone(questions)), ..item }
    };
    questions.iter().enumerate().map(of).collect()
}

fn happened(inbox: &mut Inbox, known: &[Item], screen: &str, what: Happens) -> Result<(), TestCaseError> {
    let again = |number: u128| known.iter().find(|item| item.id == id(number)).cloned();
    match what {
        Happens::Key(key) => {
            let at = match inbox.view {
                View::Sheet { id, .. } => Some(id),
                _ => None,
            };
            let selected = inbox.open.selected().map(|item| item.id);
            match press(inbox, key) {
                Action::Send { asks, .. } => {
                    prop_assert_eq!(asks.first().copied(), at, "only the ask whose sheet is open");
                    inbox.sent(&asks, "Sent.");
                }
                Action::Hold { ask, .. } => {
                    prop_assert_eq!(Some(ask), selected, "only the ask under the cursor");
                    prop_assert_eq!(Some(ask), inbox.whole, "only where all of it is on the screen");
                    let item = inbox.open.get(ask).unwrap();
                    let content = Content {
                        questions: item.sheet.questions(),
                        context: item.context.as_deref(),
                        purpose: Purpose::Decision,
                        asker: &item.asker,
                    };
                    for part in parts(&content) {
                        for word in words(part) {
                            prop_assert!(screen.contains(&word), "{word:?} of {part:?} is not on:\n{screen}");
                        }
                    }
                    inbox.sent(&[ask], "Sent.");
                }
                Action::Decline { ask, .. } => {
                    prop_assert_eq!(Some(ask), at);
                    inbox.refused(&[ask], "no");
                }
                Action::Tell(session) => inbox.talked(&session, known.to_vec()),
                _ => {}
            }
        }
        Happens::Closed(number) => inbox.closed(id(number), "Answered elsewhere", true),
        Happens::Arrived(number) => again(number).into_iter().for_each(|item| inbox.arrived(item)),
        Happens::Arrives => {
            let mut item = ask(99, ("gemini", "文档站"), vec![deploy()]);
            item.context = Some("Deletes the database together with all 14 backups.".to_owned());
            inbox.arrived(item);
        }
        Happens::Listed => drop(inbox.listed(known.to_vec())),
        Happens::Found => {
            let ended = |item: &Item| Item {
                standing: ItemState::Ended { at: NOW, how: "Declined".to_owned(), answered: false },
                ..item.clone()
            };
            inbox.found(known.iter().map(ended).collect(), Some(id(1)), true);
        }
        Happens::Away(away) => inbox.away = away,
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.div_ceil(8), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn d10_any_inbox_takes_any_keys_and_news_at_any_size(
        questions in prop::collection::vec(any_ask(), 0..3),
        story in prop::collection::vec((happens(), 0..600_u64), 0..25),
        size in (1..170_usize, 1..40_usize),
        chinese in any::<bool>(),
    ) {
        let language = if chinese { Language::Chinese } else { Language::English };
        let known = asks(&questions);
        let mut inbox = inbox(language, known.clone());
        let mut screen = String::new();
        for (what, ms) in story {
            let now = inbox.now.after(Duration::from_millis(ms));
            inbox.tick(now);
            happened(&mut inbox, &known, &screen, what)?;
            let frame = draw(&inbox, size.0, size.1);
            inbox.settle(&frame);
            screen = frame.lines.iter().map(Line::text).collect::<Vec<_>>().join("\n");
            // Smaller terminals get a screen of twenty columns and four rows.
            let (width, height) = (size.0.max(20), size.1.max(4));
            prop_assert_eq!(frame.lines.len(), height);
            for line in &frame.lines {
                prop_assert!(line.width() <= width, "{} > {width}: {}", line.width(), line.text());
                prop_assert!(!line.text().chars().any(char::is_control), "{:?}", line.text());
            }
            if let Some((row, column)) = frame.caret {
                prop_assert!(row < height && column < width);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.div_ceil(2), failure_persistence: None, ..ProptestConfig::default() })]

    /// Where a number answers in the list, all of the question is on the screen.
    #[test]
    fn what_a_number_answers_is_on_the_screen(
        questions in any_ask(),
        context in prop::option::of("[a-z ]{1,300}"),
        size in (40..170_usize, 4..40_usize),
        digit in prop::sample::select("123".chars().collect::<Vec<_>>()),
    ) {
        let mut item = asks(&[questions]).remove(0);
        item.context = context;
        let content = Content {
            questions: item.sheet.questions(),
            context: item.context.as_deref(),
            purpose: Purpose::Decision,
            asker: &item.asker,
        };
        item.one_press = one_press(&content, &ROW).map(|question| question.id.clone());
        let mut inbox = inbox(Language::English, vec![item.clone()]);
        let frame = draw(&inbox, size.0, size.1);
        inbox.settle(&frame);
        let screen = frame.lines.iter().map(Line::text).collect::<Vec<_>>().join("\n");
        inbox.tick(inbox.now.after(Duration::from_secs(1)));
        happened(&mut inbox, &[item], &screen, Happens::Key(Key::Char(digit)))?;
    }
}
