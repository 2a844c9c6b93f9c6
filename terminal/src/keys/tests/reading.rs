//! Nothing is answered that was not on the screen, and no key counts for what came up after it.

use std::time::Duration;

use askuser_core::time::Timestamp;

use super::state;
use crate::draw::draw;
use crate::keys::{Key, due, hear, press};
use crate::line::Line;
use crate::panel::{Panel, Step};
use crate::samples::{auth, database, deploy, features, keys, long, panel};
use askuser_wire::permission::Permission;

const NOW: Timestamp = Timestamp(1_800_000_000_000);
const NOT_READ: &str = "Part of the question is still out of sight: PgUp and PgDn show the rest.";

/// Presses keys on a terminal of this size, which shows each frame.
fn at(panel: &mut Panel, (width, height): (usize, usize), script: &str) -> Step {
    panel.settle(&draw(panel, width, height));
    for key in keys(script) {
        let step = press(panel, key);
        if step != Step::Stay {
            return step;
        }
        panel.settle(&draw(panel, width, height));
    }
    Step::Stay
}

fn screen(panel: &Panel, width: usize, height: usize) -> String {
    draw(panel, width, height).lines.iter().map(Line::text).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_was_not_on_the_screen_is_not_answered() {
    let mut panel = panel(vec![long()]);
    let size = (60, 14);
    assert_eq!(at(&mut panel, size, "enter"), Step::Stay);
    assert_eq!(state(&panel), format!("choosing at long: {NOT_READ}"));
    assert!(screen(&panel, 60, 14).contains("PgUp PgDn read all"), "{}", screen(&panel, 60, 14));
    assert!(!screen(&panel, 60, 14).contains("Enter"), "{}", screen(&panel, 60, 14));
    at(&mut panel, size, "pagedown pagedown pagedown enter");
    assert_eq!(state(&panel), format!("choosing at long: {NOT_READ}"), "the end was not there yet");
    at(
        &mut panel,
        size,
        "pagedown pagedown pagedown pagedown pagedown pageup pageup pageup pageup pageup pageup",
    );
    assert!(!screen(&panel, 60, 14).contains("read all"), "{}", screen(&panel, 60, 14));
    assert!(matches!(at(&mut panel, size, "enter"), Step::Sent(_)));
}

#[test]
fn a_long_context_is_read_before_the_question_is_answered() {
    let mut panel = panel(vec![deploy()]);
    let lines: Vec<String> = (1..60).map(|n| format!("line {n} of the diff")).collect();
    panel.around.context = Some(lines.join("\n"));
    at(&mut panel, (80, 24), "enter");
    assert_eq!(state(&panel), format!("choosing at deploy: {NOT_READ}"));
    at(&mut panel, (80, 24), "pageup pageup pageup pageup pageup enter");
    // It was read from below: there is nothing more.
    assert!(matches!(at(&mut panel, (80, 24), "enter"), Step::Sent(_)));
}

#[test]
fn an_ordinary_question_takes_its_answer_at_once() {
    for questions in [vec![database()], vec![deploy()], vec![features()]] {
        assert!(matches!(at(&mut panel(questions), (80, 24), "enter"), Step::Sent(_)));
    }
}

#[test]
fn a_question_that_was_skipped_is_shown_before_all_is_sent() {
    let mut optional = long();
    optional.required = askuser_core::draft::Given::Value(false);
    let mut panel = panel(vec![optional, deploy()]);
    at(&mut panel, (60, 14), "tab enter enter");
    assert_eq!(state(&panel), format!("choosing at long: {NOT_READ}"));
}

#[test]
fn a_follow_up_is_read_as_well() {
    let mut panel = panel(vec![auth()]);
    // The choice opens another question, which five rows do not show at once.
    at(&mut panel, (60, 9), "pagedown pagedown home enter");
    assert!(state(&panel).starts_with("choosing at "), "{}", state(&panel));
    assert!(!matches!(at(&mut panel, (60, 9), "space enter"), Step::Sent(_)));
}

#[test]
fn the_screen_that_declines_shows_what_is_declined() {
    let mut panel = panel(vec![database(), deploy()]);
    panel.around.context = Some("The service stores orders.".to_owned());
    at(&mut panel, (80, 24), "esc 2");
    let shown = screen(&panel, 80, 24);
    for text in ["Which database should the service use?", "Deploy to production now?", "stores orders"] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
}

#[test]
fn a_permission_shows_its_command_and_has_one_no() {
    let mut panel = panel(vec![deploy()]);
    panel.around.permission = Some(Permission {
        command: "rm -rf node_modules dist \\\n  && npm ci".to_owned(),
        rest: Some("{\n  \"timeout\": 5\n}".to_owned()),
        folder: Some("/home/ann/shop".to_owned()),
    });
    let shown = screen(&panel, 80, 24);
    for text in
        ["▏ rm -rf node_modules dist \\ ", "▏   && npm ci", "Folder: /home/ann/shop", "\"timeout\": 5"]
    {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    assert!(!shown.contains("12 files changed"), "the description is what is taken apart: {shown}");
    at(&mut panel, (80, 24), "esc");
    assert!(!screen(&panel, 80, 24).contains("Decline"), "{}", screen(&panel, 80, 24));
    panel.around.leaving = crate::panel::Leaving::Declines;
    at(&mut panel, (80, 24), "esc esc");
    assert_eq!(state(&panel), "choosing at deploy: To refuse, answer No. Ctrl-C quits without an answer.");
}

#[test]
fn a_question_that_waits_its_turn_is_not_sent() {
    let mut panel = panel(vec![deploy()]);
    panel.around.waits = true;
    assert_eq!(at(&mut panel, (80, 24), "1 enter"), Step::Stay);
    assert!(screen(&panel, 80, 24).contains("Queued: earlier questions"), "{}", screen(&panel, 80, 24));
    panel.around.waits = false;
    assert!(matches!(at(&mut panel, (80, 24), "enter"), Step::Sent(_)));
}

fn after(ms: u64) -> Timestamp {
    NOW.after(Duration::from_millis(ms))
}

/// Three questions, an Enter that is held down: it answers one of them.
#[test]
fn an_enter_held_down_goes_on_once() {
    let mut panel = panel(vec![database(), deploy(), features()]);
    panel.settle(&draw(&panel, 80, 40));
    let mut now = 0;
    for n in 0..60 {
        now += if n == 1 { 500 } else { 33 };
        assert_eq!(due(&mut panel, after(now)), None);
        assert_eq!(hear(&mut panel, Key::Enter, after(now)), Step::Stay);
        panel.settle(&draw(&panel, 80, 40));
    }
    assert_eq!(state(&panel), "choosing at deploy");
    // It is let go; what was the last of it is no key of its own.
    assert_eq!(due(&mut panel, after(now + 1000)), None);
    assert_eq!(hear(&mut panel, Key::Char('2'), after(now + 1000)), Step::Stay);
    assert_eq!(hear(&mut panel, Key::Enter, after(now + 1010)), Step::Stay);
    assert_eq!(state(&panel), "choosing at features");
}

#[test]
fn a_prompt_that_just_came_up_takes_no_answer() {
    let fresh = || {
        let mut panel = panel(vec![database()]);
        panel.settle(&draw(&panel, 80, 40));
        panel.guard.changed(NOW);
        panel
    };
    assert_eq!(hear(&mut fresh(), Key::Enter, after(399)), Step::Stay);
    assert!(matches!(hear(&mut fresh(), Key::Enter, after(400)), Step::Sent(_)));
    let mut moved = fresh();
    assert_eq!(hear(&mut moved, Key::Down, after(5)), Step::Stay);
    assert!(
        matches!(hear(&mut moved, Key::Enter, after(400)), Step::Sent(answers) if answers.0[0].picked[0].as_str() == "sqlite")
    );
}
