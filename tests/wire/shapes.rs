//! Our own JSON: the ask of the contract, the push form, the ending of a short-lived caller.

use askuser_core::answer::{Answer, Answers};
use askuser_core::asker::Asker;
use askuser_core::hearing::Voice;
use askuser_core::id::{AskId, SessionId};
use askuser_core::outcome::{AnsweredBy, By, CancelStatus, Channel, Ending, Outcome, Proof};
use askuser_core::question::Questions;
use askuser_core::time::Timestamp;
use askuser_wire::{self as wire, Dialect, push::Envelope, session::SessionNames};
use serde_json::{Value, json};

fn questions() -> Questions {
    let ask = json!({"questions": [{
        "question_id": "q1", "header": "Auth", "question": "Which authentication?", "type": "multiple_choice",
        "options": [{"id": "oauth2", "label": "OAuth 2.0", "description": "…"}],
        "follow_up_questions": {"oauth2": [{
            "question_id": "providers", "question": "Which providers?", "type": "checkbox",
            "options": [{"id": "github", "label": "GitHub", "default": true}],
        }]},
    }]});
    wire::read(Dialect::Full, &ask).check().unwrap().0
}

fn outcome(ending: Ending) -> Outcome {
    Outcome {
        ending,
        by: By::new(None, Channel::Notify("ntfy".into()), Proof::Link),
        at: Timestamp(1),
        comment: Some("because".into()),
        answers: Answers::default(),
        voices: Vec::new(),
    }
}

#[test]
fn an_ask_is_told_as_the_contract_says() {
    let asker = Asker {
        agent: Some("claude-code".into()),
        project: Some("shop".into()),
        folder: Some("~/shop".into()),
    };
    let told = wire::ask::AskSummary {
        ask: AskId(1),
        session: SessionNames { id: SessionId(2), given: Some("session_xxx") },
        round: 2,
        status: "showing",
        created_at: Timestamp(1_794_736_800_000),
        deadline_at: None,
        asker: &asker,
        audience: None,
        context: None,
        questions: &questions(),
        outcome: None,
    };
    let expected = json!({
        "ask_id": "ask_00000000000000000000000001", "session_id": "session_xxx", "session": "ses_00000000000000000000000002",
        "round": 2, "status": "showing", "created_at": "2026-11-15T10:00:00.000Z", "deadline_at": null,
        "asker": {"agent": "claude-code", "project": "shop", "folder": "~/shop"}, "context": null,
        "questions": [{
            "question_id": "q1", "header": "Auth", "question": "Which authentication?", "description": null,
            "type": "multiple_choice", "required": true, "other": true,
            "options": [{"id": "oauth2", "label": "OAuth 2.0", "description": "…", "default": false, "recommended": false, "preview": null}],
            "follow_up_questions": {"oauth2": [{
                "question_id": "providers", "header": null, "question": "Which providers?", "description": null,
                "type": "checkbox", "required": true, "other": true,
                "options": [{"id": "github", "label": "GitHub", "description": null, "default": true, "recommended": false, "preview": null}],
                "follow_up_questions": {}, "min_picks": 1, "max_picks": 2,
            }]},
        }],
        "outcome": null,
    });
    assert_eq!(wire::ask::write(&told), expected);
    let again = wire::read(Dialect::Full, &expected).check().unwrap().0;
    assert_eq!(again, questions());
}

#[test]
fn p6_the_push_form_of_a_question_reads_back() {
    let questions = questions();
    let envelope = Envelope {
        session: SessionNames { id: SessionId(2), given: Some("session_xxx") },
        tool_use_id: Some("toolu_xxx"),
        at: Timestamp(1_771_495_200_000),
        context: None,
    };
    let pushed = wire::push::push_form(questions.top().first().unwrap(), envelope);
    assert_eq!(
        pushed,
        json!({
            "type": "ask_user_question", "session_id": "session_xxx", "session": "ses_00000000000000000000000002", "question_id": "q1",
            "question": {
                "question_id": "q1", "header": "Auth", "question_text": "Which authentication?", "description": null,
                "type": "multiple_choice",
                "options": [{"id": "oauth2", "label": "OAuth 2.0", "description": "…", "default": false}],
                "required": true,
                "follow_up_questions": {"oauth2": [{
                    "question_id": "providers", "header": null, "question_text": "Which providers?", "description": null,
                    "type": "checkbox", "options": [{"id": "github", "label": "GitHub", "description": null, "default": true}],
                    "required": true, "follow_up_questions": {},
                }]},
            },
            "tool_use_id": "toolu_xxx", "timestamp": "2026-02-19T10:00:00.000Z",
        })
    );
    assert_eq!(wire::recognise(&pushed), Dialect::Push);
    let again = wire::read(Dialect::Push, &pushed).check().unwrap();
    assert_eq!(again.0, questions);
    assert_eq!(again.1.session.as_deref(), Some("session_xxx"));
}

#[test]
fn o1_an_ending_without_an_answer_is_told_in_one_shape() {
    let declined = wire::outcome::ending(&outcome(Ending::Declined), Some(AskId(1)));
    assert_eq!(
        declined,
        json!({
            "status": "cancelled", "reason": "user", "ask_id": "ask_00000000000000000000000001",
            "answers": {}, "comment": "because",
        })
    );
    assert_eq!(
        wire::outcome::still_open(None),
        json!({"status": "pending", "reason": null, "ask_id": null, "answers": {}})
    );
}

#[test]
fn every_outcome_reads_back() {
    let expired = |told_as, abort| Ending::Expired { told_as, abort };
    for ending in [
        Ending::Answered(AnsweredBy::Person),
        Ending::Answered(AnsweredBy::Default),
        Ending::Answered(AnsweredBy::Rule),
        Ending::Declined,
        Ending::Withdrawn,
        expired(CancelStatus::Timeout, false),
        expired(CancelStatus::Timeout, true),
        expired(CancelStatus::Cancelled, false),
    ] {
        let outcome = outcome(ending);
        let reply = json!({"answers": {}});
        let written = wire::outcome::write(&questions(), &outcome, Some(reply.clone()));
        assert_eq!(written.get("reply"), Some(&reply));
        assert_eq!(wire::outcome::read(&written), Ok(outcome));
    }
    assert!(wire::outcome::read(&json!({"status": "gone"})).is_err());
    assert!(wire::outcome::read(&Value::Null).is_err());
}

#[test]
fn e7_old_clients_may_answer_with_labels_by_place() {
    let old = json!({"answers": ["OAuth 2.0"]});
    let entries = wire::read_reply(Dialect::AskUser, &questions(), &old).unwrap();
    assert_eq!(entries.len(), 1);
    let unknown = json!({"answers": [{"questionId": "gone", "selected": []}]});
    let problems = wire::read_reply(Dialect::AskUser, &questions(), &unknown).unwrap_err();
    let told = problems.first().unwrap().to_string();
    assert_eq!(told, "answers[0]: names the question `gone`, which is not there");
}

/// Where people do not agree, every dialect says so, and no answer stands for all of them.
#[test]
fn people_who_do_not_agree_are_each_told_in_every_dialect() {
    let questions = wire::read(
        Dialect::Command,
        &json!({"questions": [
            {"header": "Same", "question": "Which?", "multiSelect": false,
             "options": [{"label": "A", "description": ""}, {"label": "B", "description": ""}]},
            {"header": "Other", "question": "And which?", "multiSelect": false,
             "options": [{"label": "A", "description": ""}, {"label": "B", "description": ""}]},
        ]}),
    );
    let (questions, terms) = questions.check().unwrap();
    let ids: Vec<_> = questions.top().iter().map(|question| question.id.clone()).collect();
    let answer = |idx: usize, choice: usize| Answer {
        question: ids[idx].clone(),
        parent: None,
        picked: vec![questions.top()[idx].choices[choice].id.clone()],
        text: None,
        note: None,
        skipped: false,
        collected: false,
    };
    let voice = |user: &str, other: usize| Voice {
        user: user.into(),
        by: By::new(Some(user.into()), Channel::Web, Proof::Cookie),
        at: Timestamp(2),
        answers: Some(Answers(vec![answer(0, 0), answer(1, other)])),
        comment: None,
    };
    let outcome = Outcome {
        answers: Answers(vec![answer(0, 0)]),
        voices: vec![voice("ann", 0), voice("bob", 1)],
        comment: None,
        ..outcome(Ending::Answered(AnsweredBy::Person))
    };
    for dialect in Dialect::ALL {
        let reply = wire::write(dialect, &questions, &terms, &outcome);
        assert_eq!(reply["agreed"], false, "{}: {reply}", dialect.name());
        assert_eq!(reply["voices"][1]["answers"][1]["selected"][0]["label"], "B", "{}", dialect.name());
    }
    let command = wire::write(Dialect::Command, &questions, &terms, &outcome);
    assert_eq!(command["answers"], json!({"Same": "A"}));
    let text = wire::result_text::write(&questions, &outcome).text;
    assert!(text.contains("they do not agree. \"Which?\"=\"A\", ann said \"And which?\"=\"A\", bob said \"And which?\"=\"B\"."), "{text}");
    // A client of another desk reads back what was written.
    let written = wire::outcome::write(&questions, &outcome, None);
    assert_eq!(wire::outcome::read(&written).unwrap(), outcome);
}
