//! The panel in a window whose size changes: once on the screen, whole, and in its place.

use crate::asks::{ASKUSER, COMMAND, ask, database, login, question};
use crate::home::TestHome;
use crate::press::{DOWN, ENTER};
use crate::stage::{Setup, Stage};
use crate::tmux::Tmux;

const ABOVE: &str = "agent: I looked at the code.\r\nagent: One question.\r\n";

/// Wider panels are hard to read.
const WIDEST: u16 = 88;

/// Waits until the panel is there once, whole and as wide as it should be: every row of it ends in
/// the same column, and nothing stands below it.
#[track_caller]
fn whole(stage: &Stage, title: &str) -> String {
    stage.wait_cells("one whole panel", |cells| {
        let screen = cells.contents();
        let rows: Vec<&str> = screen.lines().collect();
        let once = |mark: char| rows.iter().filter(|row| row.contains(mark)).count() == 1;
        let tops = rows.iter().position(|row| row.starts_with('╭'));
        let bottoms = rows.iter().position(|row| row.starts_with('╰'));
        let (Some(top), Some(bottom)) = (tops, bottoms) else { return false };
        once('╭')
            && once('╰')
            && screen.contains(title)
            && top < bottom
            && rows[bottom + 1..].iter().all(|row| row.trim().is_empty())
            && right_edge(cells, top, bottom) == Some(cells.size().1.get().min(WIDEST) - 1)
    })
}

/// Returns the column in which all rows of the panel end.
fn right_edge(screen: &vt100::Screen, top: usize, bottom: usize) -> Option<u16> {
    let columns = screen.size().1.get();
    let mut edge = None;
    for row in top..=bottom {
        let row = u16::try_from(row).ok()?;
        let text = |column: &u16| screen.cell(row, *column).is_some_and(vt100::Cell::has_contents);
        let last = (0..columns).rev().find(text)?;
        let corner = screen.cell(row, last)?.contents();
        if !["╮", "│", "╯"].contains(&corner) || edge.is_some_and(|edge| edge != last) {
            return None;
        }
        edge = Some(last);
    }
    edge
}

fn above_stays(screen: &str) {
    let agent: Vec<&str> = screen.lines().filter(|row| row.starts_with("agent: ")).collect();
    assert_eq!(agent, ["agent: I looked at the code.", "agent: One question."], "{screen}");
}

#[test]
fn resizing_redraws_where_the_terminal_breaks_its_lines_anew() {
    let mut stage =
        Setup::new(COMMAND).arg(database()).before(ABOVE).breaks_lines_anew().size(80, 40).start();
    stage.sees("Esc leave");
    for (columns, rows) in [(40, 40), (120, 40), (60, 40), (100, 45), (33, 45), (80, 40)] {
        stage.resize(columns, rows);
        above_stays(&whole(&stage, "Which database?"));
    }
    stage.does(DOWN, "❯ 2");
    above_stays(&whole(&stage, "Which database?"));
    let ended = stage.types(ENTER).ends();
    above_stays(&ended.screen);
    assert!(!ended.screen.contains('╭') && !ended.screen.contains('│'), "{}", ended.screen);
}

#[test]
fn resizing_redraws_where_the_terminal_cuts_its_lines() {
    let stage = Setup::new(COMMAND).arg(database()).before(ABOVE).var("XTERM_VERSION", "1").start();
    stage.sees("Esc leave");
    for (columns, rows) in [(40, 30), (120, 30), (60, 30), (33, 30), (80, 30)] {
        stage.resize(columns, rows);
        above_stays(&whole(&stage, "Which database?"));
    }
}

#[test]
fn resizing_while_typing_keeps_what_was_typed() {
    let mut stage =
        Setup::new(COMMAND).arg(database()).before(ABOVE).breaks_lines_anew().size(80, 40).start();
    stage.sees("Esc leave");
    stage.does("0", "type your answer");
    let text = "a long answer of one's own 用中文写的答案 with more than a row of words in it";
    stage.does(text, "words in it");
    for (columns, rows) in [(40, 40), (90, 40), (37, 50), (80, 40)] {
        stage.resize(columns, rows);
        above_stays(&whole(&stage, "Which database?"));
    }
    let ended = stage.types(ENTER).ends();
    assert_eq!(ended.stdout, format!("{{\"answers\":{{\"Database\":\"Other (custom: {text})\"}}}}\n"));
}

/// A multiplexer moves a screen that is cleared as a whole into its scrollback.
#[test]
fn m26_a_resize_leaves_no_dead_panel_in_the_scrollback() {
    let home = TestHome::new();
    let tmux = Tmux::start(home.path(), &[("ASKUSER_HOME", &home.data()), ("ASKUSER_WHERE", "terminal")]);
    tmux.types(&[&format!("clear; seq 1 60; {COMMAND} '{}'", database()), "Enter"]);
    tmux.sees("Esc leave");
    for (columns, bottom) in [(80, 80), (60, 60), (100, 88), (50, 50), (88, 88)] {
        tmux.tell(&["resize-window", "-t", "main:0", "-x", &columns.to_string(), "-y", "40"]);
        tmux.sees_when("a panel of the new width", |screen| {
            screen.lines().any(|row| row.starts_with('╰') && row.chars().count() == bottom)
        });
        // Nobody drags a window on in the middle of a frame: what is still being written then is scrolled with it.
        let mut before = String::new();
        tmux.sees_when("a frame that is done", |screen| {
            std::mem::replace(&mut before, screen.to_owned()) == screen
        });
    }
    let scrolled = tmux.tell(&["capture-pane", "-p", "-S", "-", "-t", "main:0"]);
    assert_eq!(scrolled.matches('╭').count(), 1, "{scrolled}");
    assert_eq!(scrolled.lines().filter(|row| row.trim() == "60").count(), 1, "{scrolled}");
}

#[test]
fn a_burst_of_resizes_ends_in_one_panel() {
    let stage = Setup::new(COMMAND).arg(database()).before(ABOVE).var("XTERM_VERSION", "1").start();
    stage.sees("Esc leave");
    for columns in (40..120).chain((50..=120).rev()) {
        stage.resize(columns, 30);
    }
    above_stays(&whole(&stage, "Which database?"));
}

#[test]
fn low_windows_show_the_cursor_and_grow_back() {
    let mut stage = Setup::new(ASKUSER).arg("ask").arg(login()).breaks_lines_anew().start();
    stage.sees("Esc leave");
    stage.does("1", "Which providers?");
    for (columns, rows) in [(80, 8), (80, 5), (40, 15), (20, 8), (80, 30)] {
        stage.resize(columns, rows);
        let screen = whole(&stage, "❯");
        assert!(screen.contains("OAuth"), "{screen}");
    }
}

/// 40 columns and less: everything can be reached and sent.
#[test]
fn t1_small_windows_are_usable() {
    let json = ask(&[
        question("Database", "Which database should the shop use?", &["PostgreSQL", "SQLite"], false),
        question("Features", "Which features?", &["Caching", "Logging"], true),
    ]);
    for (columns, rows) in [(40, 15), (20, 8), (24, 6), (24, 3), (10, 4)] {
        let mut stage = Setup::new(COMMAND).arg(json.as_str()).size(columns, rows).start();
        stage.sees("╰");
        whole(&stage, "");
        stage.types("2");
        stage.sees("● SQLite".get(..6).unwrap());
        whole(&stage, "");
        stage.reads().types("\r");
        stage.wait("a box to tick", |screen| screen.contains("[ ]") || screen.contains('□'));
        stage.types("1");
        stage.wait("a tick", |screen| screen.contains("[x]") || screen.contains('■'));
        whole(&stage, "");
        stage.reads().types("\r");
        stage.sees("Send");
        whole(&stage, "");
        let ended = stage.types("\r").ends();
        assert_eq!(ended.code, 0, "{}", ended.screen);
        assert_eq!(ended.stdout, "{\"answers\":{\"Database\":\"SQLite\",\"Features\":\"Caching\"}}\n");
    }
}
