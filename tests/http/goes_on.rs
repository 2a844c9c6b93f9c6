//! P8, P12: "the task goes on" is said when it does, and not while the same ask still waits for something.

use serde_json::{Value, json};

use crate::stage::{Stage, ask, choice, stage};

async fn told(stage: &Stage, person: &str, route: &str, body: &Value, language: &str) -> String {
    let bearer = format!("Bearer {person}");
    let headers = [("authorization", bearer.as_str()), ("accept-language", language)];
    let told = stage.send("POST", &format!("/api/task/{route}"), &headers, body.to_string()).await.ok();
    assert_eq!(told["success"], true);
    told["message"].as_str().unwrap().to_owned()
}

fn body(session: &str, question: &str, answer: &str) -> Value {
    json!({"session_id": session, "question_id": question, "answer": answer})
}

/// P8: what is left are the questions that are visible now, follow-ups and optional ones included.
#[tokio::test(flavor = "multi_thread")]
async fn p8_the_task_goes_on_only_when_nothing_is_left_to_answer() {
    let stage = stage().await;
    let person = stage.ann.person.clone();
    for (language, said) in [
        (
            "en",
            [
                "Recorded; 3 questions are left",
                "Recorded; 2 questions are left",
                "Recorded; 1 question is left",
                "The answer was submitted, the task goes on",
            ],
        ),
        (
            "zh",
            [
                "已记录，还有 3 个问题",
                "已记录，还有 2 个问题",
                "已记录，还有 1 个问题",
                "答案已提交，任务继续执行",
            ],
        ),
    ] {
        let (mut first, mut optional) = (choice("first"), choice("optional"));
        first["follow_up_questions"] = json!({"a": [choice("deeper"), choice("beside")]});
        optional["required"] = false.into();
        stage.ask(ask(language, &[first, optional])).await;
        let questions = ["first", "optional", "deeper", "beside"];
        for (question, said) in questions.into_iter().zip(said) {
            assert_eq!(told(&stage, &person, "answer", &body(language, question, "a"), language).await, said);
        }
        // The other choice shows nothing more: one answer is all.
        let name = format!("{language} alone");
        let mut alone = choice("first");
        alone["follow_up_questions"] = json!({"a": [choice("deeper")]});
        stage.ask(ask(&name, &[alone])).await;
        assert_eq!(told(&stage, &person, "answer", &body(&name, "first", "b"), language).await, said[3]);
    }
}

/// P12: a cancel ends the whole ask, and says that the agent is told; for several people it may not end yet.
#[tokio::test(flavor = "multi_thread")]
async fn p12_a_cancel_says_what_became_of_it() {
    let stage = stage().await;
    let ann = stage.ann.person.clone();
    stage.ask(ask("s", &[choice("q"), choice("r")])).await;
    assert_eq!(
        told(&stage, &ann, "answer", &body("s", "q", "a"), "en").await,
        "Recorded; 1 question is left"
    );
    let cancel = json!({"session_id": "s", "question_id": "r", "reason": "not now"});
    assert_eq!(told(&stage, &ann, "cancel", &cancel, "en").await, "Declined; the agent will be told");
    let mut both = ask("both", &[choice("q")]);
    both["for"] = json!({"people": ["ann", "bob"], "quorum": 2});
    stage.ask(both).await;
    assert_eq!(told(&stage, &ann, "answer", &body("both", "q", "a"), "zh").await, "已记录，还在等其他人回答");
}
