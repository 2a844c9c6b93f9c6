//! What leaves this machine, and what does not.

use askuser_core::asker::Terms;
use askuser_core::draft::{DraftKind, DraftQuestion, Given};

use super::*;
use crate::channel::notify::tests::fake::{Stage, permission, question};

fn nudge(why: Why, person: &str, asks: Vec<Arc<Ask>>) -> Nudge {
    Nudge { id: "n".into(), why, person: person.into(), asks }
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
    assert_eq!(
        (letter.choices, letter.token.as_deref()),
        (vec!["Staging".into(), "Production".into()], Some("a_t"))
    );
    assert_eq!(letter.link, None);
    // Another person learns that it waits, and nothing of what it says.
    let letter = nudge(Why::Escalation, "bob", vec![ask]).write(&rule(Content::Choices), url, None);
    assert_eq!((letter.title.as_str(), letter.text.as_str()), ("claude-code · shop waits for ann", ""));
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
    assert_eq!(several.title, "2 questions wait");
    assert_eq!(several.text, "claude-code · shop\nclaude-code · shop: Ship?");
    assert!(!format!("{:?} {}", several, several.json()).contains("sk-context"));
}

#[tokio::test]
async fn only_small_questions_have_buttons() {
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
