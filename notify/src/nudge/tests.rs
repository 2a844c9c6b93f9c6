//! What leaves this machine, and what does not.

use askuser_core::answer::{Answer, Answers};
use askuser_core::asker::{Terms, TimeoutPolicy};
use askuser_core::draft::{DraftKind, DraftQuestion, Given};
use askuser_core::outcome::{AnsweredBy, By, Ending};
use askuser_core::time::Timestamp;

use super::*;
use crate::tests::fake::{Stage, permission, question};

fn nudge(why: Why, person: &str, asks: Vec<Arc<Ask>>) -> Nudge {
    Nudge { id: "n".into(), why, person: person.into(), asks }
}

/// A choice without a meaning.
pub(crate) fn offered(label: &str) -> Offered {
    Offered { label: label.to_owned(), meaning: None }
}

fn rule(content: Content) -> PersonPart {
    PersonPart { content, ..PersonPart::default() }
}

#[tokio::test]
async fn a_nudge_says_no_more_than_the_person_lets_out() {
    let stage = Stage::new().await;
    let ask = stage.ask("Deploy", &["Staging", "Production"]).await;
    let url = Some("https://desk.example/");
    let one = nudge(Why::New, "ann", vec![Arc::clone(&ask)]);
    let letter = one.write(&rule(Content::Title), url, Some("a_t"));
    assert_eq!((letter.title.as_str(), letter.text.as_str()), ("claude-code · shop asks", ""));
    assert_eq!((letter.choices.len(), &letter.token), (0, &None));
    assert_eq!(letter.link.as_deref(), Some("https://desk.example/a/a_t"));
    let letter = one.write(&rule(Content::Question), url, None);
    assert_eq!((letter.text.as_str(), letter.choices.len(), &letter.token), ("Deploy?", 0, &None));
    assert_eq!(letter.link, Some(format!("https://desk.example/asks/{}", ask.id)));
    let letter = one.write(&rule(Content::Choices), None, Some("a_t"));
    assert_eq!((letter.text.as_str(), letter.token.as_deref()), ("Deploy?", Some("a_t")));
    assert_eq!(letter.choices, [offered("Staging"), offered("Production")]);
    assert_eq!(letter.link, None);
    // Another person learns that it waits, and nothing of what it says.
    let letter = nudge(Why::Escalation, "bob", vec![ask]).write(&rule(Content::Choices), url, None);
    assert_eq!((letter.title.as_str(), letter.text.as_str()), ("claude-code · shop is waiting for ann", ""));
    assert_eq!((letter.link, letter.choices), (None, Vec::new()));
}

#[tokio::test]
async fn secrets_are_never_in_a_nudge() {
    let stage = Stage::new().await;
    let secret = DraftQuestion { secret: Given::Value(true), ..question("The key for prod", &[]) };
    let terms =
        Terms { context: Some("sk-context".into()), metadata: Some("{\"k\":1}".into()), ..Terms::default() };
    let ask = stage.ask_with(secret, terms).await;
    let letter =
        nudge(Why::New, "ann", vec![Arc::clone(&ask)]).write(&rule(Content::Choices), None, Some("a_t"));
    assert_eq!((letter.text.as_str(), &letter.token), ("", &None));
    let other = stage.ask("Ship", &["x", "y"]).await;
    let several = nudge(Why::New, "ann", vec![ask, other]).write(&rule(Content::Choices), None, None);
    assert_eq!(several.title, "2 questions waiting");
    assert_eq!(several.text, "claude-code · shop\nclaude-code · shop: Ship?");
    assert!(!format!("{:?} {}", several, several.json()).contains("sk-context"));
}

#[tokio::test]
async fn only_small_questions_that_are_told_whole_have_buttons() {
    let stage = Stage::new().await;
    let token = |ask: Arc<Ask>| {
        nudge(Why::New, "ann", vec![ask]).write(&rule(Content::Choices), None, Some("t")).token
    };
    assert!(token(stage.ask("a", &["x", "y", "z"]).await).is_some());
    assert!(token(stage.ask("b", &["w", "x", "y", "z"]).await).is_none());
    assert!(token(stage.ask("c", &[]).await).is_none(), "nothing to press");
    let many = DraftQuestion {
        kind: Given::Value(DraftKind::SomeOf { min: None, max: None }),
        ..question("d", &["x", "y"])
    };
    assert!(token(stage.ask_with(many, Terms::default()).await).is_none());
    // A permission has no link at all; without one there is no button.
    let ask = stage.ask_with(question("e", &["x", "y"]), permission()).await;
    assert!(nudge(Why::New, "ann", vec![ask]).write(&rule(Content::Choices), None, None).token.is_none());
}

#[tokio::test]
async fn what_would_act_is_shown_and_what_is_long_is_cut() {
    let stage = Stage::new().await;
    let hostile = DraftQuestion {
        text: Given::Value(format!("\u{1b}]0;x\u{7}{}", "é".repeat(3000))),
        ..question("h", &["x"])
    };
    let ask = stage.ask_with(hostile, Terms::default()).await;
    let letter = nudge(Why::New, "ann", vec![ask]).write(&rule(Content::Question), None, None);
    assert_eq!(letter.text.chars().count(), TEXT_CHARS_MAX);
    assert!(!letter.text.contains('\u{1b}') && letter.text.ends_with('…'));
}

/// The message of a form is what is asked: "Confirm" alone says nothing.
#[tokio::test]
async fn what_explains_a_question_is_in_the_message_that_answers_it() {
    let stage = Stage::new().await;
    let mut confirm = question("Confirm", &["Yes", "No"]);
    confirm.text = Given::Value("Confirm".into());
    confirm.header = Given::Value("Database".into());
    confirm.description = Given::Value("It cannot be undone.".into());
    if let Given::Value(choices) = &mut confirm.choices {
        choices[0].description = Given::Value("deletes them".into());
    }
    let terms = |context: &str| Terms { context: Some(context.into()), ..Terms::default() };
    let ask = stage.ask_with(confirm.clone(), terms("Delete all 14 backups?")).await;
    let one = nudge(Why::New, "ann", vec![Arc::clone(&ask)]);
    let letter = one.write(&rule(Content::Choices), None, Some("a_t"));
    assert_eq!(letter.text, "Delete all 14 backups?\n\nDatabase\nConfirm\nIt cannot be undone.");
    assert_eq!(letter.lines(true)[1..], ["• Yes: deletes them"]);
    assert_eq!(letter.lines(false)[1..], ["• Yes: deletes them", "• No"]);
    assert!(letter.token.is_some());
    let letter = one.write(&rule(Content::Question), None, Some("a_t"));
    assert_eq!((letter.text.as_str(), letter.token), ("Delete all 14 backups? · Confirm …", None));
    // What does not fit is told in short, and answered elsewhere.
    confirm.id = Given::Value("long".into());
    let long = stage.ask_with(confirm, terms(&"Delete all 14 backups? ".repeat(20))).await;
    let letter =
        nudge(Why::New, "ann", vec![Arc::clone(&long)]).write(&rule(Content::Choices), None, Some("a_t"));
    assert!(letter.token.is_none() && letter.text.ends_with(" · Confirm …"), "{letter:?}");
    let several = nudge(Why::New, "ann", vec![ask, long]).write(&rule(Content::Question), None, None);
    assert!(
        several.text.starts_with("claude-code · shop: Delete all 14 backups? · Confirm\n"),
        "{}",
        several.text
    );
}

#[tokio::test]
async fn a_deadline_says_when_it_is_and_what_happens_then() {
    let stage = Stage::new().await;
    let mut level = question("Level", &["info", "debug"]);
    if let Given::Value(choices) = &mut level.choices {
        choices[0].default = true;
    }
    let last = |ask: &Ask, rule: &PersonPart| {
        let ask = Ask { asked_at: Timestamp(0), deadline: Some(Timestamp(23 * 3_600_000)), ..ask.clone() };
        let letter = nudge(Why::New, "ann", vec![Arc::new(ask)]).write(rule, None, None);
        letter.text.lines().last().unwrap_or_default().to_owned()
    };
    let terms = |policy| Terms { policy: Some(policy), ..Terms::default() };
    let ask = stage.ask_with(level.clone(), terms(TimeoutPolicy::Default)).await;
    let choices = rule(Content::Choices);
    assert_eq!(last(&ask, &choices), "Answer by 23:00 UTC, or the default \u{201c}info\u{201d} is taken.");
    // Not even a default is named where the choices are not let out.
    assert_eq!(last(&ask, &rule(Content::Question)), "Answer by 23:00 UTC, or the default is taken.");
    assert_eq!(last(&ask, &rule(Content::Title)), "");
    let there =
        PersonPart { utc_offset: askuser_config::Offset(120), language: Language::Chinese, ..choices };
    assert_eq!(last(&ask, &there), "请在 1月2日 01:00 前回答，否则采用默认值\u{201c}info\u{201d}。");
    level.id = Given::Value("stops".into());
    let ask = stage.ask_with(level.clone(), terms(TimeoutPolicy::Abort)).await;
    assert_eq!(last(&ask, &rule(Content::Question)), "Answer by 23:00 UTC, or the task stops.");
    level.id = Given::Value("ends".into());
    let ask = stage.ask_with(level, Terms::default()).await;
    assert_eq!(
        last(&ask, &rule(Content::Question)),
        "Answer by 23:00 UTC, or the agent is told that nobody answered."
    );
}

#[tokio::test]
async fn people_who_did_not_agree_have_not_answered() {
    let stage = Stage::new().await;
    let ask = stage.ask("Deploy", &["Yes", "No"]).await;
    let voice = |user: &str, choice: &str| Voice {
        user: user.into(),
        by: By::server(),
        at: Timestamp(0),
        answers: Some(answer("Deploy", choice)),
        comment: None,
    };
    let outcome = Outcome {
        ending: Ending::Answered(AnsweredBy::Person),
        by: By::server(),
        at: Timestamp(0),
        comment: None,
        answers: Answers::default(),
        voices: vec![voice("ann", "1"), voice("bob", "2")],
    };
    assert_eq!(Ended::of(&ask, &outcome, Language::English).text, "They did not agree.");
    assert_eq!(Ended::of(&ask, &outcome, Language::Chinese).text, "大家的回答不一致。");
}

fn answer(question: &str, choice: &str) -> Answers {
    let answer = Answer {
        question: question.into(),
        parent: None,
        picked: vec![choice.into()],
        text: None,
        note: None,
        skipped: false,
        collected: false,
    };
    Answers(vec![answer])
}
