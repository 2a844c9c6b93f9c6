//! What a person's asks say together, and what they answered before (D19).

use serde_json::json;

use crate::page::Person;
use crate::stage::{Stage, ask, choice, id, stage};

/// Asks the same question in a session of its own, and answers it; returns the ask's id.
async fn answered(stage: &Stage, session: &str, pick: &str) -> String {
    let asked = stage.ask(ask(session, &[choice("q")])).await;
    let path = format!("/api/asks/{}/answer", id(&asked));
    stage.post(&path, &stage.ann.person, json!({"answers": {"q": pick}})).await.ok();
    id(&asked)
}

/// D19: usage analytics, as JSON and as a page with charts that say what they show.
#[tokio::test(flavor = "multi_thread")]
async fn d19_what_was_asked_is_counted_for_the_person_alone() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    assert!(person.get("/insight").await.text.contains("No answers yet"));
    for (n, pick) in ["a", "b", "a"].into_iter().enumerate() {
        answered(&stage, &format!("s{n}"), pick).await;
    }
    let mut asked = ask("no", &[choice("other")]);
    asked["asker"] = json!({"agent": "codex<b>"});
    let asked = stage.ask(asked).await;
    stage.post(&format!("/api/asks/{}/cancel", id(&asked)), &stage.ann.person, json!({})).await.ok();
    stage.ask(ask("open", &[choice("third")])).await;
    let told = stage.get("/api/insight", &stage.ann.person).await.ok();
    let outcomes = &told["outcomes"];
    assert_eq!(
        (&outcomes["all"], &outcomes["answered"], &outcomes["cancelled"]),
        (&json!(4), &json!(3), &json!(1))
    );
    assert_eq!(told["most_asked"][0], json!({"question": "q?", "count": 3}));
    assert_eq!(told["most_cancelled"], json!([{"question": "other?", "count": 1}]));
    assert_eq!(told["days"].as_array().unwrap().len(), 30);
    assert_eq!(told["days"][29]["all"], 4);
    let east = stage.get("/api/insight?minutes_east=840", &stage.ann.person).await.ok();
    assert_eq!(east["days"][29]["all"], 4);
    assert!(east["days"][29]["day"].as_str() >= told["days"][29]["day"].as_str());
    for wrong in ["x", "9999"] {
        let path = format!("/api/insight?minutes_east={wrong}");
        assert_eq!(stage.get(&path, &stage.ann.person).await.status, 400);
    }
    let took: u64 =
        told["response_times"].as_array().unwrap().iter().map(|part| part["count"].as_u64().unwrap()).sum();
    assert_eq!(took, 4);
    assert_eq!(stage.get("/api/insight", &stage.bob.person).await.ok()["outcomes"]["all"], 0, "not Bob's");
    assert_eq!(stage.get("/api/insight", &stage.ann.agent).await.code(), "403 forbidden");
    let page = person.get("/insight").await.text;
    assert!(page.matches("role=\"img\" aria-label=\"").count() == 3, "{page}");
    assert!(page.contains("4 questions in 30 days") && page.contains("<rect class=\"own\""), "{page}");
    assert!(page.contains("codex&lt;b&gt;") && !page.contains("<b>codex"), "{page}");
    assert!(page.contains("<th scope=\"row\">"), "the figures stand in a table as well");
}

/// D19: "you chose X 4 of 5 times", never picked beforehand, off by preference; the last answer is put on
/// the sheet by one button, and sent by the person.
#[tokio::test(flavor = "multi_thread")]
async fn d19_what_was_chosen_before_is_told_and_filled_in_only_on_request() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let mut last = String::new();
    for (n, pick) in ["a", "b", "b", "b", "b"].into_iter().enumerate() {
        last = answered(&stage, &format!("s{n}"), pick).await;
    }
    let asked = stage.ask(ask("now", &[choice("q")])).await;
    let path = format!("/asks/{}", id(&asked));
    let card = person.get(&path).await.text;
    assert!(card.contains("You chose Beta 4 of 5 times"), "{card}");
    assert!(card.contains(&format!("/asks/{last}\"")) && card.contains("id=\"again\""), "{card}");
    assert!(!card.contains(" checked"), "nothing is picked for anybody: {card}");
    // Somebody else's past is theirs; an agent sees nothing of it.
    let told = stage.get(&format!("/api{path}"), &stage.ann.agent).await;
    assert!(!told.text.contains("4 of 5"), "{}", told.text);
    let off = [("cookie", format!("{}; askuser_look=theme=system&keys=on&forgetful=on", person.cookie))];
    let off = off.each_ref().map(|(name, value)| (*name, value.as_str()));
    let quiet = stage.send("GET", &path, &off, "").await.text;
    assert!(!quiet.contains("You chose") && !quiet.contains("id=\"again\""), "{quiet}");
    let filled = person.send(&format!("{path}/again"), "").await;
    assert_eq!((filled.status, filled.header("location")), (303, Some(path.as_str())));
    let card = person.get(&path).await.text;
    assert!(card.contains("value=\"b\" checked") || card.contains("checked value=\"b\""), "{card}");
    stage.until(&id(&asked), "showing").await;
    person.send(&format!("{path}/answer"), "pick:q=b").await;
    let outcome = stage.get(&format!("/api{path}"), &stage.ann.agent).await.ok()["outcome"].clone();
    assert_eq!((&outcome["answered_by"], &outcome["by"]["proof"]), (&json!("person"), &json!("cookie")));
    // Other words are another question.
    let other = stage.ask(ask("other", &[choice("other")])).await;
    assert!(!person.get(&format!("/asks/{}", id(&other))).await.text.contains("You chose"));
}
