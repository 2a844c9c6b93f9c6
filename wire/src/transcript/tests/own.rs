//! A session of ours, and its export read back.

use std::sync::Arc;

use askuser_core::answer::{Answer, Answers};
use askuser_core::ask::{Ask, State};
use askuser_core::asker::Terms;
use askuser_core::id::{AskId, ChoiceId, SessionId, UserId};
use askuser_core::outcome::{AnsweredBy, By, CancelStatus, Channel, Ending, Outcome, Proof};
use askuser_core::session::{Origin, Session};
use askuser_core::time::Timestamp;
use serde_json::json;

use super::super::*;
use super::{ALL, line, told};
use crate as wire;

fn session() -> Session {
    Session::new(SessionId(7), UserId::from("ann"), Origin::Named, Timestamp(0))
}

/// An ask with every kind of question, one of them a secret, one a follow-up.
fn ask(round: u32, context: Option<&str>, ending: Option<Ending>) -> Arc<Ask> {
    let asked = json!({"questions": [
        {"question_id": "auth", "question": "Which \"way\"?", "header": "Auth", "type": "multiple_choice", "other": true,
         "options": [{"id": "o", "label": "OAuth, 2.0", "recommended": true, "preview": "# x"}, {"id": "j", "label": "JWT"}],
         "follow_up_questions": {"o": [{"question_id": "p", "question": "Whose?", "type": "checkbox",
            "options": [{"id": "g", "label": "GitHub"}, {"id": "l", "label": "GitLab"}]}]}},
        {"question_id": "s", "question": "Password?", "type": "text", "secret": true},
        {"question_id": "y", "question": "Sure?", "type": "boolean"}]});
    let questions = wire::read_told(&asked).unwrap();
    let answer = |question: &str, picked: &[&str], text: Option<&str>| Answer {
        question: question.into(),
        parent: None,
        picked: picked.iter().map(|id| ChoiceId::from(*id)).collect(),
        text: text.map(str::to_owned),
        note: None,
        skipped: picked.is_empty() && text.is_none(),
        collected: false,
    };
    let state = ending.map_or(State::Showing, |ending| {
        let mut answers = vec![answer("auth", &["o"], None), answer("p", &["g", "l"], Some("mine"))];
        answers[0].note = Some("quick".to_owned());
        answers.extend([answer("s", &[], Some("hunter2")), answer("y", &[], None)]);
        let by = By::new(Some("ann".into()), Channel::Notify("ntfy".to_owned()), Proof::Link);
        let at = Timestamp(1_794_736_842_000 + i64::from(round));
        State::Completed(Arc::new(Outcome {
            ending,
            by,
            at,
            comment: Some("so".to_owned()),
            answers: Answers(answers),
            voices: Vec::new(),
        }))
    });
    Arc::new(Ask {
        round,
        state,
        ..Ask::new(
            AskId(u128::from(round) << 64),
            SessionId(7),
            "ann".into(),
            Arc::new(questions),
            Arc::new(Terms { context: context.map(str::to_owned), ..Terms::default() }),
            Timestamp(1_794_736_800_000),
        )
    })
}

fn rounds() -> Vec<Arc<Ask>> {
    let expired = |told_as, abort| Ending::Expired { told_as, abort };
    vec![
        ask(1, Some("Sign-in needs a **way**."), Some(Ending::Answered(AnsweredBy::Person))),
        ask(2, None, Some(Ending::Declined)),
        ask(3, Some(" "), Some(Ending::Withdrawn)),
        ask(4, None, Some(expired(CancelStatus::Timeout, false))),
        ask(5, None, Some(expired(CancelStatus::Cancelled, true))),
        ask(6, Some("Again"), Some(Ending::Answered(AnsweredBy::Rule))),
        ask(7, None, Some(Ending::Answered(AnsweredBy::Default))),
        ask(8, None, None),
    ]
}

/// P2, P5: our export, read back, is the same conversation, message for message.
#[test]
fn p5_an_export_reads_back_as_the_same_rounds() {
    let rounds = rounds();
    let export: String = wire::message::chain(&session(), &rounds).iter().map(line).collect();
    let read = read(export.as_bytes(), ALL);
    assert_eq!(read.messages, of_rounds(None, &rounds));
    assert_eq!((read.n_rounds, read.left_out.clone()), (8, LeftOut::default()));
    assert!(!export.contains("hunter2"));
    // From the middle on, it is the end of the same chain.
    let late = of_rounds(Some(&rounds[4]), &rounds[5..]);
    assert_eq!(read.messages[read.messages.len() - late.len()..], late);
}

/// P1, P2: a round of ours is why it was asked, and the question with how it ended.
#[test]
fn p2_rounds_become_messages() {
    let messages = of_rounds(None, &rounds()[..2]);
    assert_eq!(
        told(&messages),
        [
            "1 text: Sign-in needs a **way**.",
            "1 ask_user_question: Which \"way\"? -> Answered(Person) [\"OAuth, 2.0\", \"GitHub+GitLab+mine\", \"••••\", \"\"]",
            "2 ask_user_question: Which \"way\"? -> Declined [\"OAuth, 2.0\", \"GitHub+GitLab+mine\", \"••••\", \"\"]",
        ]
    );
    let Said::Ask(asked) = &messages[1].said else { unreachable!() };
    let ended = asked.ended.as_ref().unwrap();
    assert_eq!(ended.outcome.by.channel.name(), "ntfy");
    assert_eq!(ended.outcome.at.since(messages[1].at.unwrap()).as_secs(), 42);
}
