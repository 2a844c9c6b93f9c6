//! What a person may put down, what is visible, what is sent.

use super::*;
use crate::draft::{Draft, DraftChoice, DraftFollowUps, DraftKind, DraftQuestion, Given, Other, TextRules};
use crate::format::Format;
use crate::limits::Limits;

/// Builds a question; choices are labels, and their ids are the labels.
pub(crate) fn question(id: &str, kind: DraftKind, labels: &[&str]) -> DraftQuestion {
    let choice = |label: &&str| DraftChoice {
        id: Given::Value((*label).to_owned()),
        label: Given::Value((*label).to_owned()),
        ..DraftChoice::default()
    };
    DraftQuestion {
        at: id.to_owned(),
        id: Given::Value(id.to_owned()),
        text: Given::Value(format!("{id}?")),
        kind: Given::Value(kind),
        choices: Given::Value(labels.iter().map(choice).collect()),
        ..DraftQuestion::default()
    }
}

pub(crate) fn under(mut parent: DraftQuestion, choice: &str, questions: Vec<DraftQuestion>) -> DraftQuestion {
    parent.follow_ups.push(DraftFollowUps {
        choice: choice.to_owned(),
        at: format!("{}.{choice}", parent.at),
        questions: Given::Value(questions),
    });
    parent
}

pub(crate) fn questions(drafts: Vec<DraftQuestion>) -> Arc<Questions> {
    let draft = Draft { at: "questions".into(), questions: Given::Value(drafts), ..Draft::default() };
    Arc::new(draft.check(&Limits::FOREIGN).unwrap())
}

const SOME: DraftKind = DraftKind::SomeOf { min: None, max: None };

fn ids(sheet: &Sheet) -> Vec<String> {
    sheet
        .visible()
        .iter()
        .map(|visible| format!("{}{}", "  ".repeat(visible.depth), visible.question.id))
        .collect()
}

fn auth() -> Arc<Questions> {
    let scopes = question("scopes", SOME, &["read", "write"]);
    let providers = under(question("providers", SOME, &["github", "google"]), "github", vec![scopes]);
    let auth = under(question("auth", DraftKind::OneOf, &["oauth", "jwt"]), "oauth", vec![providers]);
    let auth = under(auth, "jwt", vec![question("secret", DraftKind::Text, &[])]);
    questions(vec![auth, question("db", DraftKind::OneOf, &["pg", "sqlite"])])
}

#[test]
fn p7_follow_ups_show_as_soon_as_their_choice_is_picked() {
    let mut sheet = Sheet::blank(auth());
    assert_eq!(ids(&sheet), ["auth", "db"]);
    sheet.pick(&"auth".into(), &"oauth".into()).unwrap();
    assert_eq!(ids(&sheet), ["auth", "  providers", "db"]);
    sheet.pick(&"providers".into(), &"github".into()).unwrap();
    assert_eq!(ids(&sheet), ["auth", "  providers", "    scopes", "db"]);
}

#[test]
fn p7_changing_a_choice_drops_the_answers_of_the_branch_no_longer_taken() {
    let mut sheet = Sheet::blank(auth());
    sheet.pick(&"auth".into(), &"oauth".into()).unwrap();
    sheet.pick(&"providers".into(), &"github".into()).unwrap();
    sheet.pick(&"scopes".into(), &"read".into()).unwrap();
    sheet.pick(&"auth".into(), &"jwt".into()).unwrap();
    assert_eq!(ids(&sheet), ["auth", "  secret", "db"]);
    sheet.pick(&"auth".into(), &"oauth".into()).unwrap();
    assert!(sheet.entry(&"providers".into()).is_none());
    assert!(sheet.entry(&"scopes".into()).is_none());
    // A question that is not on the sheet cannot be answered.
    assert!(sheet.pick(&"scopes".into(), &"read".into()).is_err());
}

#[test]
fn p7_only_the_path_taken_is_returned_with_its_parents() {
    let mut sheet = Sheet::blank(auth());
    sheet.pick(&"auth".into(), &"oauth".into()).unwrap();
    sheet.pick(&"providers".into(), &"google".into()).unwrap();
    sheet.pick(&"db".into(), &"pg".into()).unwrap();
    let answers = sheet.answers().unwrap();
    let got: Vec<(&str, Option<&str>)> = answers
        .0
        .iter()
        .map(|answer| (answer.question.as_str(), answer.parent.as_ref().map(|parent| parent.choice.as_str())))
        .collect();
    assert_eq!(got, [("auth", None), ("providers", Some("oauth")), ("db", None)]);
}

#[test]
fn d2_what_the_asker_suggests_is_filled_in_and_says_so_until_it_is_touched() {
    let mut auth = question("auth", DraftKind::OneOf, &["oauth", "jwt"]);
    if let Given::Value(choices) = &mut auth.choices {
        choices[1].default = true;
    }
    let mut port = question("port", DraftKind::Text, &[]);
    port.text_rules = TextRules { default: Some("8080".into()), ..TextRules::default() };
    let sure = DraftQuestion { yes: Some(false), ..question("sure", DraftKind::YesNo, &[]) };
    let asked = questions(vec![auth, port, sure]);
    assert!(Sheet::blank(Arc::clone(&asked)).entries().next().is_none());
    let mut sheet = Sheet::suggested(asked);
    assert_eq!(sheet.entry(&"auth".into()).unwrap().picked, ["jwt".into()]);
    assert_eq!(sheet.entry(&"port".into()).unwrap().text.as_deref(), Some("8080"));
    assert_eq!(sheet.entry(&"sure".into()).unwrap().picked, ["no".into()]);
    assert!(sheet.entry(&"auth".into()).unwrap().suggested);
    sheet.pick(&"auth".into(), &"jwt".into()).unwrap();
    assert!(!sheet.entry(&"auth".into()).unwrap().suggested);
    assert!(sheet.answers().is_ok());
}

#[test]
fn d2_the_four_kinds_take_what_fits_them() {
    let asked = questions(vec![
        question("one", DraftKind::OneOf, &["a", "b"]),
        question("some", SOME, &["a", "b", "c"]),
        question("text", DraftKind::Text, &[]),
        question("sure", DraftKind::YesNo, &[]),
    ]);
    let mut sheet = Sheet::blank(asked);
    sheet.pick(&"one".into(), &"a".into()).unwrap();
    sheet.pick(&"one".into(), &"b".into()).unwrap();
    sheet.pick(&"some".into(), &"c".into()).unwrap();
    sheet.pick(&"some".into(), &"a".into()).unwrap();
    sheet.write(&"some".into(), "d").unwrap();
    sheet.write(&"text".into(), "O'Brien & <T>").unwrap();
    sheet.pick(&"sure".into(), &"no".into()).unwrap();
    assert_eq!(sheet.write(&"sure".into(), "maybe"), Err(Fault::NoFreeText));
    assert_eq!(sheet.pick(&"one".into(), &"c".into()), Err(Fault::NoSuchChoice { choice: "c".into() }));
    let answers = sheet.answers().unwrap();
    assert_eq!(answers.to(&"one".into()).unwrap().picked, ["b".into()]);
    // In the order in which they are offered, whatever the order of picking (T8).
    assert_eq!(answers.to(&"some".into()).unwrap().picked, ["a".into(), "c".into()]);
    assert_eq!(answers.to(&"some".into()).unwrap().text.as_deref(), Some("d"));
    // Stored as typed (D10).
    assert_eq!(answers.to(&"text".into()).unwrap().text.as_deref(), Some("O'Brien & <T>"));
}

#[test]
fn t10_other_takes_the_place_of_a_single_pick_and_an_empty_text_is_no_answer() {
    let mut sheet = Sheet::blank(questions(vec![question("q", DraftKind::OneOf, &["a", "b"])]));
    sheet.pick(&"q".into(), &"a".into()).unwrap();
    sheet.write(&"q".into(), "mine").unwrap();
    assert!(sheet.entry(&"q".into()).unwrap().picked.is_empty());
    sheet.pick(&"q".into(), &"b".into()).unwrap();
    assert!(sheet.entry(&"q".into()).unwrap().text.is_none());
    sheet.write(&"q".into(), "").unwrap();
    assert_eq!(sheet.entry(&"q".into()).unwrap().picked, ["b".into()]);
}

#[track_caller]
fn check(kind: DraftKind, entry: Entry, expected: &str) {
    let mut draft = question("q", kind, &["a", "b"]);
    draft.required = Given::Value(true);
    let got = match Sheet::filled(questions(vec![draft]), [("q".into(), entry)]) {
        Ok(sheet) => sheet.answers().map(|_| ()),
        Err(problems) => Err(problems),
    };
    let got = got.map_or_else(|problems| problems[0].to_string(), |()| "ok".to_owned());
    assert_eq!(got, expected);
}

fn picks(ids: &[&str]) -> Entry {
    Entry { picked: ids.iter().map(|id| (*id).into()).collect(), ..Entry::default() }
}

fn typed(text: &str) -> Entry {
    Entry { text: Some(text.to_owned()), ..Entry::default() }
}

#[test]
fn p9_an_answer_outside_the_choices_is_refused() {
    check(DraftKind::OneOf, picks(&["a"]), "ok");
    check(DraftKind::OneOf, picks(&["c"]), "q: names the choice `c`, which is not offered");
    check(DraftKind::OneOf, picks(&["a", "b"]), "q: has 2 items, 1 at most");
    check(DraftKind::OneOf, Entry { text: Some("x".into()), ..picks(&["a"]) }, "q: has 2 items, 1 at most");
    check(SOME, picks(&["a", "b"]), "ok");
    check(SOME, picks(&[]), "q: is missing");
    check(DraftKind::Text, picks(&["a"]), "q: names the choice `a`, which is not offered");
    check(DraftKind::YesNo, picks(&["yes"]), "ok");
    check(DraftKind::YesNo, typed("yes"), "q: takes one of its choices, no other text");
    check(DraftKind::Text, typed(""), "q: is empty");
}

#[test]
fn p10_longer_than_the_limit_is_refused_never_cut() {
    check(DraftKind::Text, typed(&"字".repeat(1000)), "ok");
    check(DraftKind::Text, typed(&"字".repeat(1001)), "q: has 1001 characters, 1000 at most");
    check(DraftKind::OneOf, typed(&"字".repeat(1001)), "q: has 1001 characters, 1000 at most");
    let note = Entry { note: Some("n".repeat(1001)), ..picks(&["a"]) };
    check(DraftKind::OneOf, note, "q: has 1001 characters, 1000 at most");
    let long: Vec<String> = (0..6).map(|idx| idx.to_string().repeat(200)).collect();
    let labels: Vec<&str> = long.iter().map(String::as_str).collect();
    let asked = questions(vec![question("q", SOME, &labels)]);
    let sheet = Sheet::filled(asked, [("q".into(), picks(&labels))]).unwrap();
    assert_eq!(sheet.problems()[0].fault, Fault::TooManyChars { max: 1000, got: 1200 });
}

#[test]
fn d10_control_characters_are_refused_in_answers() {
    check(DraftKind::Text, typed("a\tb\nc"), "ok");
    check(DraftKind::Text, typed("a\u{1b}[2J"), "q: contains the control character U+001B");
    check(DraftKind::OneOf, typed("\0"), "q: contains the control character U+0000");
}

#[test]
fn a_form_field_keeps_its_format_and_bounds() {
    let mut age = question("age", DraftKind::Text, &[]);
    age.text_rules.format = Format::Integer { min: Some(1.0), max: None };
    let mut some = question("some", DraftKind::SomeOf { min: Some(2), max: Some(2) }, &["a", "b", "c"]);
    some.other = Other::Closed;
    let mut sheet = Sheet::blank(questions(vec![age, some]));
    sheet.write(&"age".into(), "no").unwrap();
    sheet.pick(&"some".into(), &"a".into()).unwrap();
    let problems: Vec<String> = sheet.problems().iter().map(ToString::to_string).collect();
    assert_eq!(problems, ["age: is not a whole number", "some: has 1 item, 2 at least"]);
}

#[test]
fn p12_an_optional_question_may_be_skipped_and_a_required_one_not() {
    let mut optional = question("maybe", DraftKind::OneOf, &["a", "b"]);
    optional.required = Given::Value(false);
    let mut sheet = Sheet::blank(questions(vec![optional, question("must", DraftKind::OneOf, &["a"])]));
    assert_eq!(sheet.problems().iter().map(ToString::to_string).collect::<Vec<_>>(), ["must: is missing"]);
    sheet.pick(&"must".into(), &"a".into()).unwrap();
    assert!(sheet.answers().unwrap().0[0].skipped);
}

#[test]
fn o9_what_was_answered_so_far_is_told_apart_from_what_was_not() {
    let mut sheet = Sheet::blank(auth());
    sheet.pick(&"db".into(), &"pg".into()).unwrap();
    let answers = sheet.answers_so_far();
    assert!(answers.to(&"auth".into()).unwrap().skipped);
    assert!(!answers.to(&"db".into()).unwrap().skipped);
}

#[test]
fn p19_a_question_shows_when_what_it_waits_for_is_answered_so() {
    let mut second = question("second", DraftKind::OneOf, &["a"]);
    second.depends_on = Given::Value(Condition { question: "first".into(), choice: Some("x".into()) });
    let mut third = question("third", DraftKind::OneOf, &["a"]);
    third.depends_on = Given::Value(Condition { question: "second".into(), choice: None });
    let mut sheet =
        Sheet::blank(questions(vec![third, second, question("first", DraftKind::OneOf, &["x", "y"])]));
    assert_eq!(ids(&sheet), ["first"]);
    sheet.pick(&"first".into(), &"x".into()).unwrap();
    sheet.pick(&"second".into(), &"a".into()).unwrap();
    assert_eq!(ids(&sheet), ["third", "second", "first"]);
    sheet.pick(&"first".into(), &"y".into()).unwrap();
    assert_eq!(ids(&sheet), ["first"]);
    assert!(sheet.answers().is_ok());
}

#[test]
fn e5_what_the_asker_had_is_not_shown_but_returned() {
    let mut had = under(
        question("had", DraftKind::OneOf, &["a", "b"]),
        "b",
        vec![question("more", DraftKind::OneOf, &["c"])],
    );
    had.collected = Some((vec!["b".into()], None));
    let mut sheet = Sheet::blank(questions(vec![had, question("new", DraftKind::OneOf, &["a"])]));
    assert_eq!(ids(&sheet), ["  more", "new"]);
    assert!(sheet.pick(&"had".into(), &"a".into()).is_err());
    sheet.pick(&"more".into(), &"c".into()).unwrap();
    sheet.pick(&"new".into(), &"a".into()).unwrap();
    let answers = sheet.answers().unwrap();
    assert!(answers.to(&"had".into()).unwrap().collected);
    assert_eq!(answers.0.len(), 3);
}

#[test]
fn a_whole_sheet_from_outside_may_name_hidden_questions_but_no_unknown_ones() {
    let hidden =
        Sheet::filled(auth(), [("auth".into(), picks(&["jwt"])), ("providers".into(), picks(&["github"]))]);
    assert_eq!(ids(&hidden.unwrap()), ["auth", "  secret", "db"]);
    let unknown = Sheet::filled(auth(), [("nope".into(), picks(&[]))]).unwrap_err();
    assert_eq!(unknown[0].to_string(), "nope: names the question `nope`, which is not there");
}
