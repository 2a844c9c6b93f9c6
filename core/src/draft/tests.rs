//! What may be asked and what may not, with every fault and its path.

use super::*;
use crate::limits::{Demands, FOLLOW_UP_DEPTH_MAX, Limits};
use crate::question::{Kind, NamedBy};

fn text(text: &str) -> Given<String> {
    Given::Value(text.to_owned())
}

fn choice(at: String, label: &str) -> DraftChoice {
    DraftChoice { at, label: text(label), description: text("what it means"), ..DraftChoice::default() }
}

/// A question that every profile takes, with these labels.
fn asking(question_idx: usize, labels: &[&str]) -> DraftQuestion {
    let at = format!("questions[{question_idx}]");
    let choices =
        labels.iter().enumerate().map(|(idx, label)| choice(format!("{at}.options[{idx}]"), label)).collect();
    DraftQuestion {
        header: text(&format!("H{question_idx}")),
        text: text("Which?"),
        kind: Given::Value(DraftKind::OneOf),
        choices: Given::Value(choices),
        at,
        ..DraftQuestion::default()
    }
}

fn draft(questions: Vec<DraftQuestion>) -> Draft {
    let keys = Keys { kind: "multiSelect", ..Keys::default() };
    Draft { at: "questions".to_owned(), keys, questions: Given::Value(questions), ..Draft::default() }
}

#[track_caller]
fn check(draft: Draft, limits: &Limits, expected: &[&str]) {
    let got: Vec<String> = match draft.check(limits) {
        Ok(questions) => questions.all().iter().map(|question| format!("ok {}", question.id)).collect(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    };
    assert_eq!(got, expected);
}

fn with(change: impl FnOnce(&mut DraftQuestion)) -> Draft {
    let mut question = asking(0, &["A", "B"]);
    change(&mut question);
    draft(vec![question])
}

#[test]
fn t2_the_command_takes_one_to_four_questions_with_two_to_four_choices() {
    let limits = &Limits::COMMAND;
    check(draft(vec![asking(0, &["A", "B"])]), limits, &["ok q1"]);
    check(
        draft((0..4).map(|idx| asking(idx, &["A", "B", "C", "D"])).collect()),
        limits,
        &["ok q1", "ok q2", "ok q3", "ok q4"],
    );
    check(draft(vec![]), limits, &["questions: has 0 items, 1 at least"]);
    check(
        draft((0..5).map(|idx| asking(idx, &["A", "B"])).collect()),
        limits,
        &["questions: has 5 items, 4 at most"],
    );
    check(draft(vec![asking(0, &["A"])]), limits, &["questions[0].options: has 1 item, 2 at least"]);
    check(
        draft(vec![asking(0, &["A", "B", "C", "D", "E"])]),
        limits,
        &["questions[0].options: has 5 items, 4 at most"],
    );
}

#[test]
fn t2_characters_are_counted_not_bytes() {
    let limits = &Limits::COMMAND;
    check(with(|question| question.header = text(&"框".repeat(12))), limits, &["ok q1"]);
    check(
        with(|question| question.header = text(&"框".repeat(13))),
        limits,
        &["questions[0].header: has 13 characters, 12 at most"],
    );
    check(with(|question| question.text = text(&"问".repeat(500))), limits, &["ok q1"]);
    check(
        with(|question| question.text = text(&"问".repeat(501))),
        limits,
        &["questions[0].question: has 501 characters, 500 at most"],
    );
    let long = "x".repeat(51);
    check(
        draft(vec![asking(0, &["A", &long])]),
        limits,
        &["questions[0].options[1].label: has 51 characters, 50 at most"],
    );
}

#[test]
fn t6_all_faults_come_at_once_in_the_order_of_the_input() {
    let broken = with(|question| {
        question.text = Given::Missing;
        question.header = Given::Wrong(Fault::WrongType { expected: "string", received: "number" });
        question.choices = Given::Value(vec![DraftChoice {
            at: "questions[0].options[0]".into(),
            label: text(""),
            ..DraftChoice::default()
        }]);
        question.kind = Given::Missing;
    });
    check(
        broken,
        &Limits::COMMAND,
        &[
            "questions[0].question: is missing",
            "questions[0].header: is a number, not a string",
            "questions[0].options: has 1 item, 2 at least",
            "questions[0].options[0].label: is empty",
            "questions[0].options[0].description: is missing",
            "questions[0].multiSelect: is missing",
        ],
    );
}

#[test]
fn what_a_profile_does_not_demand_may_be_left_out() {
    let bare = |demands: Demands| {
        let limits = Limits { demands, ..Limits::FOREIGN };
        let mut question = asking(0, &[]);
        question.header = Given::Missing;
        question.kind = Given::Missing;
        question.choices =
            Given::Value(vec![DraftChoice { at: "o".into(), label: text("A"), ..DraftChoice::default() }]);
        draft(vec![question]).check(&limits).map_err(|problems| problems.len())
    };
    assert_eq!(bare(Demands::Essentials).unwrap().top()[0].kind, Kind::OneOf);
    assert_eq!(bare(Demands::Words).unwrap_err(), 2);
    assert_eq!(bare(Demands::Everything).unwrap_err(), 3);
}

#[test]
fn d10_labels_of_the_platform_have_fifty_characters_at_most() {
    let long = "x".repeat(51);
    check(
        draft(vec![asking(0, &["A", &long])]),
        &Limits::PUSH,
        &["questions[0].options[1].label: has 51 characters, 50 at most"],
    );
    check(draft(vec![asking(0, &["A", &long])]), &Limits::FOREIGN, &["ok q1"]);
}

#[test]
fn p9_ids_that_are_missing_are_made_and_repeated_ones_refused() {
    let limits = &Limits::FOREIGN;
    let mut named = asking(0, &["A", "B"]);
    named.id = text("q1");
    // The id that we would have made is taken by the asker's own.
    check(draft(vec![named.clone(), asking(1, &["A", "B"])]), limits, &["ok q1", "ok q2"]);
    let mut twin = asking(1, &["A", "B"]);
    twin.id = text("q1");
    check(
        draft(vec![named, twin]),
        limits,
        &["questions[1].question_id: is the same as questions[0].question_id"],
    );
    let same_choice = with(|question| {
        if let Given::Value(choices) = &mut question.choices {
            for choice in choices.iter_mut() {
                choice.id = text("a");
            }
        }
    });
    check(same_choice, limits, &["questions[0].options[1].id: is the same as questions[0].options[0].id"]);
    check(with(|question| question.choices = Given::Missing), limits, &["questions[0].options: is missing"]);
    check(
        draft(vec![asking(0, &["A", "A"])]),
        limits,
        &["questions[0].options[1].label: is the same as questions[0].options[0].label"],
    );
}

#[test]
fn ids_that_we_make_are_unique_in_the_session_by_their_round() {
    let mut parent = asking(0, &["A", "B"]);
    parent.follow_ups = vec![DraftFollowUps {
        choice: "A".into(),
        at: "questions[0].follow_up_questions.A".into(),
        questions: Given::Value(vec![asking(7, &["C"])]),
    }];
    let mut own = asking(1, &["A"]);
    own.id = text("mine");
    let questions = draft(vec![parent, own]).check(&Limits::FOREIGN).unwrap().in_round(3);
    let ids: Vec<&str> = questions.all().iter().map(|question| question.id.as_str()).collect();
    assert_eq!(ids, ["r3q1", "r3q2", "mine"]);
    assert_eq!(questions.top()[1].named_by, NamedBy::Asker);
    // A condition on a question that we named follows it.
    let mut waiting = asking(1, &["A", "B"]);
    waiting.depends_on = Given::Value(Condition { question: "q1".into(), choice: None });
    let waited = draft(vec![asking(0, &["A", "B"]), waiting]).check(&Limits::FOREIGN).unwrap().in_round(2);
    assert_eq!(waited.top()[1].depends_on.as_ref().unwrap().question.as_str(), "r2q1");
    // Choices without an id are named by their number.
    assert_eq!(questions.top()[0].choices[1].id.as_str(), "2");
}

#[test]
fn what_answers_are_keyed_by_must_differ() {
    let twins = |keyed_by| Draft { keyed_by, ..draft(vec![asking(0, &["A", "B"]), asking(1, &["A", "B"])]) };
    check(twins(KeyedBy::Place), &Limits::COMMAND, &["ok q1", "ok q2"]);
    check(twins(KeyedBy::Header), &Limits::COMMAND, &["ok q1", "ok q2"]);
    check(
        twins(KeyedBy::Text),
        &Limits::COMMAND,
        &["questions[1].question: is the same as questions[0].question"],
    );
    let mut same = twins(KeyedBy::Header);
    if let Given::Value(questions) = &mut same.questions {
        questions[1].header = text("H0");
    }
    check(same, &Limits::COMMAND, &["questions[1].header: is the same as questions[0].header"]);
}

/// P7: any depth up to the limit, each under a choice that is there.
#[test]
fn p7_follow_ups_nest_up_to_the_limit_under_choices_that_exist() {
    fn nested(depth: usize) -> DraftQuestion {
        let mut question = asking(depth, &["A", "B"]);
        if depth > 0 {
            let at = format!("d{depth}");
            let questions = Given::Value(vec![nested(depth - 1)]);
            question.follow_ups = vec![DraftFollowUps { choice: "1".into(), at, questions }];
        }
        question
    }
    assert!(draft(vec![nested(FOLLOW_UP_DEPTH_MAX)]).check(&Limits::FOREIGN).is_ok());
    check(
        draft(vec![nested(FOLLOW_UP_DEPTH_MAX + 1)]),
        &Limits::FOREIGN,
        &["d1: is nested deeper than 10 levels"],
    );
    let astray = with(|question| {
        question.follow_ups =
            vec![DraftFollowUps { choice: "C".into(), at: "f.C".into(), questions: Given::Value(vec![]) }];
    });
    check(astray, &Limits::FOREIGN, &["f.C: names the choice `C`, which is not offered"]);
}

/// P19: conditions within an ask name a question and a choice, and none waits for itself.
#[test]
fn p19_conditions_name_something_and_never_go_in_circles() {
    let waiting = |id: &str, on: &str, choice: Option<&str>| {
        let mut question = asking(0, &["A", "B"]);
        question.at = id.to_owned();
        question.id = text(id);
        let choice = choice.map(Into::into);
        question.depends_on = Given::Value(Condition { question: on.into(), choice });
        question
    };
    let mut first = asking(0, &["A", "B"]);
    first.id = text("first");
    let limits = &Limits::FOREIGN;
    check(draft(vec![first.clone(), waiting("b", "first", Some("1"))]), limits, &["ok first", "ok b"]);
    check(
        draft(vec![first, waiting("b", "first", Some("9"))]),
        limits,
        &["b.depends_on: names the choice `9`, which is not offered"],
    );
    check(draft(vec![waiting("a", "a", None)]), limits, &["a.depends_on: waits for itself through a → a"]);
    check(
        draft(vec![waiting("a", "b", None), waiting("b", "c", None), waiting("c", "a", None)]),
        limits,
        &[
            "a.depends_on: waits for itself through a → b → c → a",
            "b.depends_on: waits for itself through b → c → a → b",
            "c.depends_on: waits for itself through c → a → b → c",
        ],
    );
    // A question of an earlier round: whoever knows the session judges it.
    check(draft(vec![waiting("a", "earlier", None)]), limits, &["ok a"]);
    // Asked by itself there is none, and that is told with everything else that is wrong.
    let mut untitled = waiting("b", "a", None);
    untitled.text = text("");
    let alone = Draft { alone: true, ..draft(vec![waiting("a", "earlier", None), untitled]) };
    check(
        alone,
        limits,
        &["b.question: is empty", "a.depends_on: names the question `earlier`, which is not there"],
    );
}

/// P19: a follow-up waits for the question that opens it, so that one must not wait for it.
#[test]
fn p19_a_question_cannot_wait_for_its_own_follow_up() {
    let mut parent = asking(0, &["A", "B"]);
    parent.id = text("parent");
    parent.depends_on = Given::Value(Condition { question: "child".into(), choice: None });
    let mut child = asking(1, &["A", "B"]);
    child.id = text("child");
    parent.follow_ups =
        vec![DraftFollowUps { choice: "1".into(), at: "f".into(), questions: Given::Value(vec![child]) }];
    check(
        draft(vec![parent]),
        &Limits::FOREIGN,
        &["questions[0].depends_on: waits for itself through parent → child → parent"],
    );
}

#[test]
fn bounds_that_cannot_be_kept_are_a_fault() {
    let some = |min, max| {
        with(move |question| {
            question.kind = Given::Value(DraftKind::SomeOf { min, max });
            question.other = Other::Closed;
        })
    };
    check(
        some(Some(3), None),
        &Limits::FORM,
        &["questions[0].options: asks for 3 picks at least, 2 at most can be made"],
    );
    check(
        some(None, Some(0)),
        &Limits::FORM,
        &["questions[0].options: asks for 1 picks at least, 0 at most can be made"],
    );
    let questions = some(None, Some(9)).check(&Limits::FORM).unwrap();
    assert_eq!(questions.top()[0].kind, Kind::SomeOf { min: 1, max: 2 });
}

/// E5: what was collected already is not asked again, and something must be left to ask.
#[test]
fn e5_answers_that_the_asker_had_are_kept_and_all_of_them_leave_nothing_to_ask() {
    let mut had = asking(0, &["A", "B"]);
    had.collected = Some((vec!["B".into()], None));
    let questions = draft(vec![had.clone(), asking(1, &["A", "B"])]).check(&Limits::EVENTS).unwrap();
    assert_eq!(questions.top()[0].collected.as_ref().unwrap().picked[0].as_str(), "2");
    check(draft(vec![had]), &Limits::EVENTS, &["questions: is answered already: nothing is left to ask"]);
}
