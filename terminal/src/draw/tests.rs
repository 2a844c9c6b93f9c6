//! What the panel looks like, at four widths, in both languages, with and without colours.

use std::time::Duration;

use askuser_core::draft::{DraftQuestion, Given};
use askuser_core::question::{Preview, PreviewFormat};

use super::draw;
use crate::line::Line;
use crate::panel::Panel;
use crate::samples::{
    auth, auth_zh, database, deploy, features, hostile, layout, long, name, panel, panel_zh, type_keys,
};

const WIDTHS: [usize; 4] = [40, 60, 80, 120];
const HEIGHT: usize = 30;

fn text(panel: &Panel, width: usize, height: usize, write: impl Fn(&Line) -> String) -> String {
    let frame = draw(panel, width, height);
    for line in &frame.lines {
        assert!(line.width() <= width, "{}", line.text());
    }
    let mut lines: Vec<String> = frame.lines.iter().map(write).collect();
    if let Some((row, column)) = frame.caret {
        lines.push(format!("caret at row {row}, column {column}"));
    }
    lines.join("\n")
}

/// Draws the panel at every width as it is read, and once with its roles.
fn look(name: &str, panel: &Panel) {
    let mut parts: Vec<String> = WIDTHS.iter().map(|width| text(panel, *width, HEIGHT, Line::text)).collect();
    parts.push(text(panel, 80, HEIGHT, Line::marked));
    insta::assert_snapshot!(name, parts.join("\n\n"));
}

fn after(questions: Vec<DraftQuestion>, script: &str) -> Panel {
    let mut panel = panel(questions);
    type_keys(&mut panel, script);
    panel
}

fn after_zh(questions: Vec<DraftQuestion>, script: &str) -> Panel {
    let mut panel = panel_zh(questions);
    type_keys(&mut panel, script);
    panel
}

/// Draws the same in both languages.
fn in_both(name: &str, questions: &[DraftQuestion], script: &str) {
    look(name, &after(questions.to_vec(), script));
    look(&format!("{name}_zh"), &after_zh(questions.to_vec(), script));
}

#[test]
fn p14_t14_a_single_choice() {
    look("single", &after(vec![database()], "down"));
    look("single_zh", &after_zh(vec![auth_zh(), deploy()], ""));
}

#[test]
fn d2_several_choices_with_a_suggestion() {
    look("several", &after(vec![features(), deploy()], "down space"));
    look("several_zh", &after_zh(vec![features(), deploy()], "space enter"));
}

#[test]
fn a_text_question() {
    in_both("text_empty", &[name()], "");
    look("text", &after(vec![name()], r#""a name that is rather too long for it" enter "xxx" enter"#));
    look("text_zh", &after_zh(vec![name()], r#""订单服务 order""#));
    let mut secret = name();
    secret.secret = Given::Value(true);
    in_both("text_secret", &[secret], r#""hunter2" left"#);
}

#[test]
fn t10_other_being_typed() {
    in_both("other", &[database()], r#"0 "CockroachDB" newline "three nodes""#);
    look("other_empty_zh", &after_zh(vec![auth_zh()], "0 enter"));
}

/// An ask that the desk tells says nothing of a limit that the desk itself keeps.
#[test]
fn a_field_without_a_limit_is_drawn_as_any_other() {
    let mut question = name();
    question.text_rules.chars_max = Some(usize::MAX);
    let panel = after(vec![question], r#""shop""#);
    assert!(text(&panel, 40, HEIGHT, Line::text).contains("shop"));
}

#[test]
fn a_yes_no_question() {
    look("yes_no", &after(vec![deploy()], ""));
    look("yes_no_zh", &after_zh(vec![deploy()], "n"));
}

#[test]
fn p7_follow_ups_open_under_their_choice() {
    look("follow_ups", &after(vec![auth(), deploy()], "1 down space"));
    look("follow_ups_zh", &after_zh(vec![auth_zh(), deploy()], "1 down space"));
}

#[test]
fn a_preview_stands_beside_the_choices_or_below_them() {
    in_both("preview", &[layout()], "");
    in_both("preview_html", &[layout()], "down");
}

#[test]
fn t11_the_review_shows_every_answer() {
    let script = r#"enter 1 2 enter m "after the freeze" enter enter "shop" enter"#;
    in_both("review", &[auth(), deploy(), name()], script);
    let mut optional = features();
    optional.required = Given::Value(false);
    look("review_missing_zh", &after_zh(vec![auth_zh(), deploy(), optional], "tab tab tab up"));
}

#[test]
fn help_and_the_ways_out() {
    in_both("help", &[database()], "?");
    look("help_typing_zh", &after_zh(vec![name()], "help"));
    look("leaving", &after(vec![database()], "esc down"));
    look("leaving_zh", &after_zh(vec![database()], "esc"));
    in_both("declining", &[database()], r#"esc 2 "ask me again on Monday""#);
}

#[test]
fn a_note_context_and_the_time_left() {
    let script = r#"m "ask the ops team first""#;
    for (name, mut panel) in
        [("note", after(vec![database()], script)), ("note_zh", after_zh(vec![database()], script))]
    {
        panel.around.context = Some("The service stores orders and needs transactions.".to_owned());
        panel.time_left = Some(Duration::from_secs(160));
        look(name, &panel);
    }
}

/// Contexts and previews are Markdown; the question itself is not.
#[test]
fn m20_markdown_is_drawn() {
    let context = "## Orders\n\nMove **40 million** rows with `pg_repack`, see [the plan](https://example.org/plan).\n\n\
                   - at night\n- in *batches*\n\n| step | minutes |\n|---|---:|\n| copy | 40 |\n| 切换 | 1 |";
    let preview = "```diff\n@@ -1 +1 @@\n-old();\n+new();\n```\n> Not `final`.";
    let mut question = layout();
    if let Given::Value(choices) = &mut question.choices {
        choices[0].preview = Some(Preview { format: PreviewFormat::Markdown, text: preview.to_owned() });
    }
    let mut panel = after(vec![question.clone()], "");
    panel.around.context = Some(context.to_owned());
    look("markdown", &panel);
    let mut panel = after_zh(vec![question], "");
    panel.around.context = Some(context.to_owned());
    look("markdown_zh", &panel);
}

#[test]
fn long_texts_scroll_and_the_cursor_stays_in_sight() {
    let mut parts = Vec::new();
    for script in ["", "down down down down down", "end", "pagedown"] {
        let mut panel = panel(vec![long()]);
        type_keys(&mut panel, script);
        parts.push(text(&panel, 60, 14, Line::text));
    }
    insta::assert_snapshot!("scrolled", parts.join("\n\n"));
}

#[test]
fn d10_hostile_text_is_shown_as_symbols_and_the_borders_hold() {
    in_both("hostile", &[hostile()], "down");
}

#[test]
fn twenty_columns_and_less_still_work() {
    let mut parts = Vec::new();
    for width in [20, 14, 10] {
        parts.push(text(&after(vec![auth_zh(), deploy()], "1 down space"), width, 30, Line::text));
    }
    insta::assert_snapshot!("narrow", parts.join("\n\n"));
}
