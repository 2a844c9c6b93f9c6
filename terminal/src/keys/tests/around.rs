//! Keys beside plain answering: follow-ups, notes, help, the ways out, conditions.

use askuser_core::draft::Given;

use super::{check, state};
use crate::panel::{Leaving, Step};
use crate::samples::{auth, choice, database, deploy, follow_up, name, panel, type_keys, with};

#[test]
fn p7_follow_ups_open_under_the_choice_and_are_sent_with_it() {
    check(vec![auth()], "1", "choosing at auth");
    check(vec![auth()], "1 down", "choosing at providers");
    check(vec![auth()], "enter", "choosing at providers");
    check(vec![auth()], "enter enter", "choosing at providers: Nothing picked yet: Space picks.");
    check(vec![auth()], "enter 1 2 enter", "reviewing at providers");
    check(vec![auth()], "enter 1 2 enter enter", "sent auth=oauth providers=github+google");
    check(vec![auth()], "2 enter", "sent auth=jwt");
    check(vec![auth()], "enter 1 enter 1 2 enter", "sent auth=jwt");
    check(
        vec![auth(), deploy()],
        "1 down down space enter enter enter",
        "sent auth=oauth providers=google deploy=yes",
    );
    let deep = with(name(), Vec::new());
    let deeper = follow_up(database(), "pg", vec![deep]);
    check(vec![deeper], r#"enter "prod" enter enter"#, r#"sent db=pg name="prod""#);
}

#[test]
fn a_note_stands_beside_the_answer() {
    check(vec![database()], r#"m "soon" enter enter"#, r#"sent db=pg+note "soon""#);
    check(vec![database()], r#"m "soon" esc enter"#, "sent db=pg");
    check(vec![database()], r#"m "soon" enter m clear enter enter"#, "sent db=pg");
    check(vec![name()], r#""a" note "b" enter enter"#, r#"sent name="a"+note "b""#);
}

#[test]
fn leaving_asks_first_and_declining_is_an_act_of_its_own() {
    check(vec![database()], "esc", "leaving at db");
    check(vec![database()], "esc esc", "choosing at db");
    check(vec![database()], "esc enter", "choosing at db");
    check(vec![database()], "eof eof eof", "leaving at db");
    check(vec![database()], "esc down enter", "declining at db");
    check(vec![database()], "esc 2 enter", "declined None");
    check(vec![database()], r#"esc 2 "not now" enter"#, r#"declined Some("not now")"#);
    check(vec![database()], "esc 2 esc", "leaving at db");
    check(vec![database()], "esc 3", "leftopen");
    check(vec![name()], r#""ab" esc esc "c" enter"#, r#"sent name="abc""#);
    let mut alone = panel(vec![database()]);
    alone.around.leaving = Leaving::Declines;
    assert_eq!(type_keys(&mut alone, "esc 3"), Step::Stay);
    assert_eq!(state(&alone), "leaving at db");
}

#[test]
fn help_opens_and_any_key_closes_it() {
    check(vec![database()], "?", "helping at db");
    check(vec![database()], "? enter", "choosing at db");
    check(vec![name()], r#""a" help "x" enter"#, r#"sent name="a""#);
}

#[test]
fn ctrl_c_and_ctrl_z_work_everywhere() {
    for before in ["", "0", "n", "?", "esc", "esc 2", "enter enter"] {
        check(vec![database(), deploy()], &format!("{before} interrupt"), "interrupted");
        check(vec![database(), deploy()], &format!("{before} suspend"), "suspend");
    }
}

#[test]
fn a_condition_shows_and_hides_a_question_as_its_answer_changes() {
    let mut after = with(deploy(), vec![choice("yes", "Yes", ""), choice("no", "No", "")]);
    after.depends_on =
        Given::Value(askuser_core::question::Condition { question: "db".into(), choice: Some("pg".into()) });
    let both = vec![database(), after];
    check(both.clone(), "1 enter", "choosing at deploy");
    check(both.clone(), "1 enter enter enter", "sent db=pg deploy=yes");
    check(both, "2 enter enter", "sent db=sqlite");
}

#[test]
fn what_the_asker_brought_along_is_not_asked_and_may_leave_nothing_to_ask() {
    let mut known = follow_up(database(), "pg", vec![name()]);
    known.collected = Some((vec!["pg".to_owned()], None));
    check(
        vec![known.clone(), deploy()],
        r#""prod" enter enter enter"#,
        r#"sent db=pg name="prod" deploy=yes"#,
    );
    known.collected = Some((vec!["mysql".to_owned()], None));
    let mut hidden = deploy();
    hidden.depends_on =
        Given::Value(askuser_core::question::Condition { question: "db".into(), choice: Some("pg".into()) });
    let nothing = vec![known, hidden];
    check(nothing.clone(), "down up tab left", "reviewing at db");
    check(nothing, "enter", "sent db=mysql");
}
