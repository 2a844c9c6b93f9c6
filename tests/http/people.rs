//! Three people at one desk: whose inbox, who has to answer, what is said of them.

use std::sync::atomic::Ordering;
use std::time::Duration;

use askuser_desk::{Desk, KeyRole};
use serde_json::{Value, json};

use crate::stage::{Stage, choice, config, id, stage};

/// Ann's agent asks; Ann, Bob and Cy are there; `ops` is Bob and Cy.
async fn three() -> (Stage, String) {
    let stage = stage().await;
    // Groups come from the configuration, as the daemon reads it.
    stage
        .desk
        .configure(|settings| settings.groups = config("groups:\n  ops: [bob, cy]\n  empty: []\n").groups);
    let cy = person(&stage.desk, "cy").await;
    (stage, cy)
}

async fn person(desk: &Desk, name: &str) -> String {
    desk.access().add_user(&name.into()).await.unwrap();
    desk.access().make_key(KeyRole::Person, &name.into(), "test").await.unwrap().unwrap().reveal().to_owned()
}

fn asking(whom: &Value) -> Value {
    json!({"for": whom, "questions": [choice("q1"), choice("q2")]})
}

fn answers(one: &str, two: &str) -> Value {
    json!({"answers": {"q1": one, "q2": two}})
}

async fn inbox(stage: &Stage, key: &str) -> Vec<String> {
    let inbox = stage.get("/api/inbox", key).await.ok();
    inbox["asks"].as_array().unwrap().iter().map(id).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn d19_an_ask_for_somebody_else_is_theirs_to_see_and_to_answer() {
    let (stage, cy) = three().await;
    let asked = stage.ask(asking(&json!({"people": ["bob"]}))).await;
    assert_eq!(asked["for"], json!({"people": ["bob"], "quorum": 1}));
    assert_eq!(asked["quorum"]["still_to_answer"], json!(["bob"]));
    let path = format!("/api/asks/{}", id(&asked));
    assert_eq!(inbox(&stage, &stage.bob.person).await, [id(&asked)]);
    assert!(inbox(&stage, &stage.ann.person).await.is_empty() && inbox(&stage, &cy).await.is_empty());
    // Ann, whose agent asks, looks on; for Cy and for Bob's agent it is not there.
    let seen = stage.get(&path, &stage.ann.person).await.ok();
    assert_eq!(seen["waits_for_you"], false);
    assert_eq!(stage.get(&path, &stage.bob.person).await.ok()["waits_for_you"], true);
    assert_eq!(stage.get(&path, &cy).await.code(), "404 ask_not_found");
    assert_eq!(stage.get(&path, &stage.bob.agent).await.code(), "404 ask_not_found");
    let answer = format!("{path}/answer");
    assert_eq!(stage.post(&answer, &stage.ann.person, answers("a", "a")).await.code(), "403 forbidden");
    assert_eq!(stage.post(&answer, &cy, answers("a", "a")).await.code(), "404 ask_not_found");
    assert_eq!(stage.post(&answer, &stage.ann.agent, answers("a", "a")).await.code(), "403 forbidden");
    assert_eq!(stage.post(&format!("{path}/cancel"), &cy, json!({})).await.code(), "404 ask_not_found");
    let sheet = stage.call("PUT", &format!("{path}/sheet"), &stage.bob.person, answers("b", "b")).await.ok();
    assert_eq!(sheet["sheet"]["answers"]["q1"]["selected"], json!(["b"]));
    assert_eq!(stage.get(&path, &stage.ann.person).await.ok()["sheet"]["answers"], json!({}));
    stage.post(&answer, &stage.bob.person, answers("a", "b")).await.ok();
    let outcome = stage.get(&path, &stage.ann.agent).await.ok()["outcome"].clone();
    assert_eq!((&outcome["by"]["user"], &outcome["agreed"]), (&json!("bob"), &Value::Null));
    assert_eq!(outcome["answers"][1]["selected"][0]["id"], "b");
}

#[tokio::test(flavor = "multi_thread")]
async fn d19_two_of_three_answer_and_the_agent_is_told_what_each_said() {
    let (stage, cy) = three().await;
    let whom = json!({"people": ["ann"], "groups": ["ops"], "quorum": 2});
    let asked = stage.ask(asking(&whom)).await;
    let path = format!("/api/asks/{}", id(&asked));
    let answer = format!("{path}/answer");
    let one = stage.post(&answer, &stage.bob.person, answers("a", "a")).await.ok();
    assert_eq!(
        (&one["status"], &one["quorum"]["still_to_answer"]),
        (&json!("showing"), &json!(["ann", "cy"]))
    );
    assert!(inbox(&stage, &stage.bob.person).await.is_empty(), "he has spoken");
    let again = stage.post(&answer, &stage.bob.person, answers("b", "b")).await;
    assert_eq!(again.code(), "400 already_answered");
    // The others see what he said; the agent that somebody has spoken, and not yet what.
    let seen = stage.get(&path, &cy).await.ok();
    assert_eq!(seen["quorum"]["voices"][0]["answers"][0]["selected"][0]["id"], "a");
    let told = stage.get(&path, &stage.ann.agent).await.ok();
    assert_eq!(
        (&told["quorum"]["answered"], &told["quorum"]["voices"][0]["user"]),
        (&json!(1), &json!("bob"))
    );
    assert!(told["quorum"]["voices"][0].get("answers").is_none() && told["outcome"].is_null());
    stage.post(&answer, &cy, answers("a", "b")).await.ok();
    let outcome = stage.get(&path, &stage.ann.agent).await.ok()["outcome"].clone();
    assert_eq!((&outcome["status"], &outcome["agreed"]), (&json!("answered"), &json!(false)));
    // What they agree on, and nothing made up for the rest; also in the dialect that it came in.
    let agreed = outcome["answers"].as_array().unwrap();
    assert_eq!((agreed.len(), &agreed[0]["question_id"]), (1, &json!("q1")));
    let said = |voice: usize| outcome["voices"][voice]["answers"][1]["selected"][0]["id"].clone();
    assert_eq!((said(0), said(1)), (json!("a"), json!("b")));
    assert_eq!(
        (&outcome["reply"]["agreed"], &outcome["reply"]["voices"][1]["user"]),
        (&json!(false), &json!("cy"))
    );
    assert_eq!(stage.post(&answer, &stage.ann.person, answers("a", "a")).await.code(), "409 already_closed");
    // Secrets and sheets aside, every fact of it is there for whoever looks back.
    let verified = stage.desk.audit().verify().await.unwrap().facts;
    assert!(verified.broken.is_none());
    let log = stage.get("/api/audit?action=voice", &stage.ann.admin).await.ok();
    let voices: Vec<_> = log["entries"].as_array().unwrap().iter().map(|entry| &entry["user_id"]).collect();
    assert_eq!(voices, ["bob", "cy"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn d19_a_no_counts_as_that_persons_and_too_many_end_it() {
    let (stage, cy) = three().await;
    let asked = stage.ask(asking(&json!({"people": ["ann", "bob", "cy"], "quorum": 2}))).await;
    let path = format!("/api/asks/{}", id(&asked));
    let cancel = format!("{path}/cancel");
    let no = stage.post(&cancel, &stage.ann.person, json!({"reason": "busy"})).await.ok();
    assert_eq!(
        (&no["status"], &no["quorum"]["voices"][0]["status"]),
        (&json!("showing"), &json!("declined"))
    );
    let no = stage.post(&cancel, &cy, json!({})).await.ok();
    assert_eq!((&no["status"], &no["outcome"]["reason"]), (&json!("cancelled"), &json!("user")));
    assert_eq!(no["outcome"]["voices"][0]["comment"], "busy");
}

#[tokio::test(flavor = "multi_thread")]
async fn d19_after_a_time_others_are_shown_it_too() {
    let (stage, cy) = three().await;
    let whom = json!({"people": ["bob"], "escalate": {"afterMs": 600_000, "to": "ops"}});
    let asked = stage.ask(asking(&whom)).await;
    assert!(inbox(&stage, &cy).await.is_empty());
    stage.forward_ms.store(600_000, Ordering::SeqCst);
    // The desk sleeps by another clock: what comes in wakes it.
    stage.ask(json!({"timeoutMs": 1, "questions": [choice("wake")]})).await;
    for _ in 0..2000 {
        if !inbox(&stage, &cy).await.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(inbox(&stage, &cy).await, [id(&asked)]);
    let path = format!("/api/asks/{}", id(&asked));
    let seen = stage.get(&path, &cy).await.ok();
    assert_eq!(seen["quorum"]["still_to_answer"], json!(["bob", "cy"]));
    assert!(seen["quorum"]["escalated_at"].is_string());
    let closed = stage.post(&format!("{path}/answer"), &cy, answers("a", "a")).await.ok();
    assert_eq!(closed["outcome"]["by"]["user"], "cy");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_could_answer_is_refused_with_every_fault() {
    let (stage, _) = three().await;
    for (whom, told) in [
        (json!({"people": ["nobody"]}), "for: names `nobody`, who is no user of this server"),
        (json!({"groups": ["sec"]}), "for: names the group `sec`, which is not configured"),
        (json!({"groups": ["empty"]}), "for: has nobody who could answer"),
        (json!({"people": ["bob"], "quorum": 2}), "for.quorum: is 2, but there are only 1 to answer"),
        (json!({"people": ["bob"], "escalate": {"to": "cy"}}), "for.escalate.afterMs: is missing"),
        (json!({"quorum": 2}), "for: names nobody: give `people`, `groups` or `anyone`"),
    ] {
        let refused = stage.post("/api/asks", &stage.ann.agent, asking(&whom)).await;
        assert_eq!(refused.code(), "400 invalid_question");
        let problem = &refused.json()["problems"][0];
        let problem =
            format!("{}: {}", problem["path"].as_str().unwrap(), problem["message"].as_str().unwrap());
        assert_eq!(problem, told);
    }
    let anyone = stage.ask(asking(&json!({"anyone": true, "quorum": 2}))).await;
    assert_eq!(anyone["quorum"]["still_to_answer"], Value::Null);
    assert_eq!(inbox(&stage, &stage.bob.person).await, [id(&anyone)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_shows_each_person_their_own_inbox_and_who_still_has_to_answer() {
    let (stage, _) = three().await;
    let private = json!({"session_id": "s", "questions": [choice("private")]});
    let earlier = stage.ask(private).await;
    let body = json!({"answers": {"private": "b"}});
    stage.post(&format!("/api/asks/{}/answer", id(&earlier)), &stage.ann.person, body).await.ok();
    let mut ask = asking(&json!({"people": ["ann", "bob"], "quorum": 2}));
    ask["session_id"] = json!("s");
    let asked = stage.ask(ask).await;
    let (ann, bob) = (stage.sign_in().await, stage.sign_in_as(&stage.bob).await);
    let see = async |cookie: &str, path: &str| {
        let reply = stage.send("GET", path, &[("cookie", cookie), ("accept", "text/html")], "").await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.text
    };
    assert!(see(&ann, "/").await.contains("2 answers wanted, none so far; waiting for bob and you"));
    let page = format!("/asks/{}", id(&asked));
    // Bob is asked, and what Ann's agent asked her before is not his to read.
    let bobs = see(&bob, &page).await;
    assert!(bobs.contains("waiting for ann and you") && !bobs.contains("private?"), "{bobs}");
    assert!(see(&ann, &page).await.contains("private?"));
    let origin = stage.origin();
    let form = [
        ("cookie", ann.as_str()),
        ("origin", &origin),
        ("content-type", "application/x-www-form-urlencoded"),
    ];
    let sent = stage.send("POST", &format!("{page}/answer"), &form, "pick:q1=a&pick:q2=a&do=answer").await;
    assert_eq!(sent.status, 303, "{}", sent.text);
    let anns = see(&ann, &page).await;
    assert!(anns.contains("You answered. Waiting for the others.") && !anns.contains("id=\"answer\""));
    assert!(anns.contains("2 answers wanted, 1 so far; waiting for bob"), "{anns}");
    assert!(!see(&ann, "/").await.contains(&page), "her inbox is done with it");
    let bobs = see(&bob, &page).await;
    assert!(bobs.contains("2 answers wanted, 1 so far; waiting for you") && bobs.contains("id=\"answer\""));
    let form = [
        ("cookie", bob.as_str()),
        ("origin", &origin),
        ("content-type", "application/x-www-form-urlencoded"),
    ];
    stage.send("POST", &format!("{page}/answer"), &form, "pick:q1=a&pick:q2=b&do=answer").await;
    let closed = see(&ann, &page).await;
    assert!(closed.contains("The agent gets each person's answer."), "{closed}");
    // It is told in one sentence, with what each said: not as an answer, nor as none.
    let card = closed.split("id=\"card\"").nth(1).unwrap().split("</article>").next().unwrap();
    assert!(
        card.contains("They did not agree") && card.contains("<b>You</b>") && card.contains("<b>bob</b>"),
        "{card}"
    );
    assert!(
        !card.contains("Answered") && !card.contains("Not answered") && !card.contains("/always"),
        "{card}"
    );
    let session = asked["session"].as_str().unwrap();
    for path in [format!("/sessions/{session}"), "/sessions".to_owned()] {
        assert!(see(&ann, &path).await.contains("No agreement"), "{path}");
    }
    let talk = see(&ann, &format!("/sessions/{session}")).await;
    assert!(talk.contains("<b>bob</b>") && !talk.contains("Not answered"), "{talk}");
    // Nor does the one who spoke last make a rule of it.
    let rule = json!({"ask_id": id(&asked)});
    let made = stage.post("/api/rules", &stage.bob.person, rule).await;
    assert!(made.status >= 400, "{}", made.text);
}
