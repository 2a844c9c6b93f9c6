//! What the inbox looks like, on the smallest terminal and on a common one, in both languages.

use std::time::Duration;

use askuser_words::Language;

use crate::inbox::draw::draw;
use crate::inbox::item::{Item, ItemState};
use crate::inbox::samples::{NOW, answered, ask, id, inbox, six, type_keys};
use crate::inbox::{Inbox, Tone};
use crate::line::Line;
use crate::samples::{auth_zh, database, deploy, hostile, layout, name};
use askuser_wire::permission::Permission;

const SIZES: [(usize, usize); 3] = [(60, 15), (100, 30), (160, 30)];

fn text(inbox: &Inbox, (width, height): (usize, usize), write: impl Fn(&Line) -> String) -> String {
    let frame = draw(inbox, width, height);
    assert_eq!(frame.lines.len(), height);
    for line in &frame.lines {
        assert!(line.width() <= width, "{}", line.text());
    }
    let mut lines: Vec<String> = frame.lines.iter().map(|line| write(line).trim_end().to_owned()).collect();
    if let Some((row, column)) = frame.caret {
        lines.push(format!("caret at row {row}, column {column}"));
    }
    lines.join("\n")
}

/// Draws the inbox at every size as it is read, and once with its roles, in both languages.
fn look(name: &str, asks: &[Item], prepare: impl Fn(&mut Inbox)) {
    for (language, ending) in [(Language::English, ""), (Language::Chinese, "_zh")] {
        let mut inbox = inbox(language, asks.to_vec());
        prepare(&mut inbox);
        let mut parts: Vec<String> = SIZES.iter().map(|size| text(&inbox, *size, Line::text)).collect();
        parts.push(text(&inbox, SIZES[0], Line::marked));
        insta::assert_snapshot!(format!("{name}{ending}"), parts.join("\n\n"));
    }
}

/// P15: what is open, with age, agent, project, round, time left.
#[test]
fn p15_what_is_open() {
    look("open", &six(), |inbox| {
        type_keys(inbox, "down");
    });
    look("nothing_open", &[], |_| {});
    look("marked", &six(), |inbox| {
        type_keys(inbox, "a");
    });
    look("searched", &six(), |inbox| {
        type_keys(inbox, r#"/ "数据 billing" backspace"#);
    });
    look("away", &six(), |inbox| {
        inbox.away = true;
        inbox.say(Tone::Bad, "Too late, not sent. Answered by local in the terminal: Database: PostgreSQL");
    });
}

/// What ended stays on its row, what is held can be taken back, what is urgent and new waits above.
#[test]
fn what_happens_while_somebody_looks() {
    let mut asks = six();
    asks.insert(1, ask(7, ("codex", "shop"), vec![deploy()]));
    asks[2].others = Some("being answered by ana in the browser".to_owned());
    look("happening", &asks, |inbox| {
        type_keys(inbox, "down");
        let held = |inbox: &Inbox| {
            let mut item = inbox.open.get(id(1)).unwrap().clone();
            let until = inbox.now.after(Duration::from_secs(5));
            item.standing = ItemState::Held { until, answer: "SQLite".to_owned() };
            item
        };
        inbox.held(held(inbox));
        inbox.closed(id(3), "Withdrawn", false);
        let mut urgent = ask(9, ("gemini", "docs"), vec![database()]);
        urgent.deadline = Some(inbox.now.after(Duration::from_secs(90)));
        inbox.arrived(urgent);
    });
    let mut urgent = six();
    urgent[4].deadline = Some(NOW.after(Duration::from_secs(45)));
    look("urgent", &urgent, |_| {});
    asks[1].context = Some("The tests of the last hour are green.".to_owned());
    look("one_press", &asks, |inbox| {
        type_keys(inbox, "end up");
        inbox.open.select(id(7));
    });
    let mut permission = ask(1, ("claude-code", "shop"), vec![deploy()]);
    permission.permission = Some(Permission {
        command: "rm -rf node_modules dist \\\n  && npm ci".to_owned(),
        rest: Some("{\n  \"description\": \"Clean install\"\n}".to_owned()),
        folder: Some("/home/ann/shop".to_owned()),
    });
    permission.one_press = None;
    look("permission", &[permission], |inbox| {
        type_keys(inbox, "enter");
    });
}

#[test]
fn a_sheet_is_the_prompts() {
    look("sheet", &six(), |inbox| {
        type_keys(inbox, "enter down");
    });
    look("sheet_typed", &six(), |inbox| {
        type_keys(inbox, r#"down down enter 0 "微信扫码""#);
    });
    look("sheet_preview", &[ask(1, ("codex", "shop"), vec![layout()])], |inbox| {
        type_keys(inbox, "enter");
    });
    look("sheet_for_two", &six(), |inbox| {
        type_keys(inbox, "a enter");
    });
    look("declining", &six(), |inbox| {
        type_keys(inbox, r#"x "not this week""#);
    });
    look("lost", &six(), |inbox| {
        type_keys(inbox, "enter");
        inbox.closed(id(1), "Answered by ana on the web page: Database: MySQL", true);
    });
    look("keys", &six(), |inbox| {
        type_keys(inbox, "?");
    });
    look("keys_of_the_sheet", &six(), |inbox| {
        type_keys(inbox, "enter ?");
    });
}

/// Two people said different things.
fn disagreed() -> Item {
    let mut item = ask(3, ("codex", "shop"), vec![deploy()]);
    let how = "They did not agree: ann: Deploy: Yes; bob: Deploy: No".to_owned();
    item.standing = ItemState::Ended { at: NOW, how, answered: false };
    item.disagreed = true;
    item
}

fn past() -> Vec<Item> {
    vec![
        answered(4, ("claude-code", "shop"), database(), "as the other services"),
        answered(5, ("codex", "billing"), name(), ""),
        answered(6, ("gemini", "文档站"), auth_zh(), ""),
        disagreed(),
    ]
}

/// P15: the history and the conversation, with every option and what was chosen.
#[test]
fn p15_what_ended_and_the_conversation() {
    look("history", &six(), |inbox| {
        type_keys(inbox, "h");
        inbox.found(past(), None, true);
    });
    look("conversation", &six(), |inbox| {
        type_keys(inbox, "c");
        let mut rounds = past();
        rounds.push(six().remove(0));
        inbox.talked("ses_shop", rounds);
        inbox.tick(NOW.after(Duration::from_hours(2)));
    });
}

#[test]
fn d10_hostile_text_is_shown_as_symbols_and_nothing_is_too_wide() {
    let mut evil = ask(1, ("\u{1b}[31mevil\u{7}", "a\nb\u{202e}"), vec![hostile()]);
    evil.context = Some("\u{1b}]0;title\u{7}".to_owned());
    look("hostile", &[evil], |_| {});
    for width in 1..40 {
        let mut inbox = inbox(Language::Chinese, six());
        for script in ["", "a", "enter", "esc c", "esc h", "esc ?"] {
            type_keys(&mut inbox, script);
            let frame = draw(&inbox, width, 6);
            assert!(frame.lines.iter().all(|line| line.width() <= width.max(20)), "{width}");
        }
    }
}
