//! The shapes that the source documents define, under their names.

use askuser_words::Language;
use serde_json::{Value, json};

use crate::events::{Ear, Heard};
use crate::sockets::Socket;
use crate::stage::{Stage, ask, choice, id, stage, stage_with};

/// Both names of a session, as something tells them.
fn names_of(told: &Value) -> (&str, &str) {
    (told["session_id"].as_str().unwrap(), told["session"].as_str().unwrap())
}

/// Every event of Ann's so far, up to the first of this name.
async fn events(stage: &Stage, path: &str, key: &str, last: &str) -> Vec<Heard> {
    let mut ear = Ear::open(stage, path, key, "").await;
    let mut heard: Vec<Heard> = Vec::new();
    while heard.last().is_none_or(|event| event.name != last) {
        heard.push(ear.next().await.unwrap());
    }
    heard
}

/// 003 2.7.1, 002 3.1.2 (P6, P11): `session_id` is what the caller calls the session, wherever it is told; ours
/// stands beside it, and finds the session as well.
#[tokio::test(flavor = "multi_thread")]
async fn p6_p11_session_id_is_the_name_that_the_caller_gave() {
    let stage = stage().await;
    let opened =
        stage.post("/api/sessions", &stage.ann.agent, json!({"session_id": "session_xxx"})).await.json();
    let ours = opened["id"].as_str().unwrap().to_owned();
    assert_eq!(opened["session_id"], "session_xxx");
    assert!(ours.starts_with("ses_") && opened.get("external_id").is_none(), "{opened}");
    // By either name it is asked in, and told under the caller's.
    let asked = stage.ask(ask("session_xxx", &[choice("q1")])).await;
    let again = stage.ask(ask(&ours, &[choice("q2")])).await;
    let both = ("session_xxx", ours.as_str());
    assert_eq!((names_of(&asked), names_of(&again)), (both, both));
    let mut socket = Socket::open(&stage, "?protocol=ask_user", &stage.ann.person).await;
    let request = socket.hear().await;
    assert_eq!((&request["sessionId"], &request["session"]), (&json!("session_xxx"), &json!(ours)));
    for session in ["session_xxx", &ours] {
        let question = if session == ours { "q2" } else { "q1" };
        let body = json!({"session_id": session, "question_id": question, "answer": "a"});
        stage.post("/api/task/answer", &stage.ann.person, body).await.ok();
    }
    for path in [format!("/api/asks/{}", id(&asked)), format!("/api/asks/{}", id(&again))] {
        assert_eq!(names_of(&stage.get(&path, &stage.ann.agent).await.ok()), both);
    }
    let heard = events(&stage, "/api/events?since=0", &stage.ann.person, "delivered").await;
    assert!(heard.len() > 6, "{heard:?}");
    for event in &heard {
        assert_eq!(names_of(&event.said), both, "{event:?}");
    }
    let asked = heard.iter().find(|event| event.name == "asked").unwrap();
    assert_eq!(names_of(&asked.said["ask"]), both);
    assert_eq!(names_of(&asked.said["push"][0]), both);
    let messages = stage.get("/api/sessions/session_xxx/messages", &stage.ann.person).await.ok();
    assert_eq!(messages["messages"][0]["sessionId"], "session_xxx");
}

/// A session that nobody named has one name: ours.
#[tokio::test(flavor = "multi_thread")]
async fn p11_a_session_without_a_name_goes_by_ours() {
    let stage = stage().await;
    let asked = stage.ask(json!({"questions": [choice("q")]})).await;
    assert_eq!(asked["session_id"], asked["session"]);
    let opened = stage.post("/api/sessions", &stage.ann.agent, json!({})).await.json();
    assert_eq!(opened["session_id"], opened["id"]);
    let within = stage.ask(ask(opened["id"].as_str().unwrap(), &[choice("r")])).await;
    assert_eq!((&within["session_id"], &within["session"]), (&opened["id"], &opened["id"]));
    for session in stage.get("/api/sessions", &stage.ann.agent).await.ok()["sessions"].as_array().unwrap() {
        assert_eq!(session["session_id"], session["id"]);
    }
}

/// 002 3.1.2, 003 2.7.1 (P11): `current_questions` is a list of ids, `answered_questions` has the answer to each
/// id. A question that was answered alone moves from one to the other at once, although its ask is open.
#[tokio::test(flavor = "multi_thread")]
async fn p11_a_question_answered_alone_is_answered_at_once() {
    let stage = stage().await;
    let mut several = choice("several");
    several["type"] = "checkbox".into();
    let mut one = choice("one");
    one["follow_up_questions"] =
        json!({"b": [{"question_id": "why", "question_text": "Why?", "type": "text"}]});
    let secret = json!({"question_id": "pw", "question_text": "Password?", "type": "text", "secret": true});
    let sure = json!({"question_id": "sure", "question_text": "Sure?", "type": "boolean"});
    let asked = stage.ask(ask("s", &[one, several, secret, sure])).await;
    let shape = async || {
        let told = stage.get("/api/sessions/s", &stage.ann.agent).await.ok();
        (
            told["current_questions"].clone(),
            told["answered_questions"].clone(),
            told["open_questions"].clone(),
        )
    };
    let (current, answered, open) = shape().await;
    assert_eq!((current, answered), (json!(["one", "several", "pw", "sure"]), json!({})));
    let first = json!({"ask_id": asked["ask_id"], "question_id": "one", "question": "one?", "round": 1});
    assert_eq!(open[0], first);
    // What is only typed is the person's own: nothing is current because of it.
    let sheet = json!({"answers": {"one": "b", "sure": true}});
    stage.call("PUT", &format!("/api/asks/{}/sheet", id(&asked)), &stage.ann.person, sheet).await.ok();
    assert_eq!(shape().await.0, json!(["one", "several", "pw", "sure"]));
    let answer = async |question: &str, answer: Value| {
        let body = json!({"session_id": "s", "question_id": question, "answer": answer});
        stage.post("/api/task/answer", &stage.ann.person, body).await.ok()
    };
    answer("one", json!("b")).await;
    answer("pw", json!("hunter2")).await;
    let (current, answered, open) = shape().await;
    assert_eq!(current, json!(["why", "several", "sure"]));
    assert_eq!(answered, json!({"one": "b"}), "and no secret");
    assert_eq!(open.as_array().unwrap().len(), 3);
    answer("why", json!("because")).await;
    answer("several", json!(["a", "b"])).await;
    answer("sure", json!(false)).await;
    let (current, answered, _) = shape().await;
    assert_eq!(current, json!([]));
    assert_eq!(answered, json!({"one": "b", "why": "because", "several": ["a", "b"], "sure": false}));
}

/// 001 (E1): a listener of `ask:question:request` gets `data.metadata` as it came, and none where none came.
#[tokio::test(flavor = "multi_thread")]
async fn e1_metadata_reaches_the_listener() {
    let stage = stage().await;
    let mut person = Socket::open(&stage, "", &stage.ann.person).await;
    let mut agent = Socket::open(&stage, "", &stage.ann.agent).await;
    let options = json!([{"label": "A", "description": "a"}, {"label": "B", "description": "b"}]);
    let question = json!({"question": "Which?", "header": "H", "options": options, "multiSelect": false});
    let metadata = json!({"source": "remember", "n": [1, null]});
    let mut data = json!({"agentId": "one", "questions": [question], "metadata": metadata});
    agent.say(json!({"event": "ask:question:request", "data": data})).await;
    let request = person.hear().await;
    assert_eq!(
        (&request["event"], &request["data"]["metadata"]),
        (&json!("ask:question:request"), &metadata)
    );
    data["questions"][0]["question"] = "And which?".into();
    data.as_object_mut().unwrap().remove("metadata");
    agent.say(json!({"event": "ask:question:request", "data": data})).await;
    let request = person.hear().await;
    assert!(request["data"].get("metadata").is_none(), "{request}");
}

/// 001 (E4): `metadata.source` is there for analysis (the audit, its exports, the statistics), and nowhere
/// where the person answers.
#[tokio::test(flavor = "multi_thread")]
async fn e4_the_source_is_counted_and_never_shown() {
    let stage = stage().await;
    let mut body = ask("s", &[choice("q")]);
    body["metadata"] = json!({"source": "remember-this"});
    let asked = stage.ask(body).await;
    let cookie = stage.sign_in().await;
    let page = [("cookie", cookie.as_str())];
    for path in ["/".to_owned(), format!("/asks/{}", id(&asked))] {
        let seen = stage.send("GET", &path, &page, "").await;
        assert!(seen.status == 200 && !seen.text.contains("remember-this"), "{path}: {}", seen.text);
    }
    for path in ["/api/inbox".to_owned(), format!("/api/asks/{}", id(&asked))] {
        let seen = stage.get(&path, &stage.ann.person).await;
        assert!(seen.status == 200 && !seen.text.contains("remember-this"), "{path}: {}", seen.text);
    }
    let path = format!("/api/asks/{}/answer", id(&asked));
    stage.post(&path, &stage.ann.person, json!({"answers": {"q": "a"}})).await.ok();
    let plain = stage.ask(ask("s", &[choice("r")])).await;
    stage.post(&format!("/api/asks/{}/withdraw", id(&plain)), &stage.ann.agent, Value::Null).await.ok();
    let log = stage.get("/api/audit?action=answer", &stage.ann.admin).await.ok();
    assert_eq!(log["entries"][0]["details"]["source"], "remember-this");
    for form in ["jsonl", "csv", "md"] {
        let text = stage.get(&format!("/api/audit?form={form}"), &stage.ann.admin).await.text;
        assert!(text.contains("remember-this"), "{form}: {text}");
    }
    let figures = stage.get("/api/insight", &stage.ann.person).await.ok();
    assert_eq!(
        (&figures["sources"][0]["source"], &figures["sources"][0]["answered"]),
        (&json!("remember-this"), &json!(1))
    );
    assert_eq!((figures["sources"].as_array().unwrap().len(), &figures["outcomes"]["all"]), (1, &json!(2)));
}

/// 002 10.2 (D15, P20): whichever way somebody comes, what they do has their address, and a try at another's
/// ask the path.
#[tokio::test(flavor = "multi_thread")]
async fn d15_p20_every_way_in_leaves_an_address_and_a_path() {
    let stage = stage().await;
    let mut person = Socket::open(&stage, "?protocol=ask_user", &stage.ann.person).await;
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    let request = person.hear().await;
    let answers = json!({"type": "ask_user_response", "askId": request["askId"], "status": "answered", "answers": [{"questionId": "q", "selectedIds": ["a"]}]});
    // Bob names what is Ann's.
    let mut bob = Socket::open(&stage, "", &stage.bob.person).await;
    bob.say(answers.clone()).await;
    assert_eq!(bob.hear().await["error"], "ask_not_found");
    let other = crate::audit::events(&stage, "other_user").await;
    assert_eq!(
        (&other[0]["details"]["path"], &other[0]["details"]["address"]),
        (&json!("/api/ws"), &json!("127.0.0.1"))
    );
    person.say(answers).await;
    assert_eq!(person.hear().await["status"], "answered");
    let log = stage.get("/api/audit?action=answer", &stage.ann.admin).await.ok();
    assert_eq!(
        (&log["entries"][0]["ip_address"], &log["entries"][0]["details"]["ask_id"]),
        (&json!("127.0.0.1"), &asked["ask_id"])
    );
}

/// 002 5.2.1, 003 2.3.4 (P6): a listener of the push protocol gets a message a question, with its `type` at the
/// top, and one when the ask ends: over server-sent events, which `onmessage` hears, and over a socket.
#[tokio::test(flavor = "multi_thread")]
async fn p6_the_push_protocol_tells_a_question_a_message() {
    let stage = stage().await;
    let mut ear = Ear::open(&stage, "/api/events?protocol=push&since=0", &stage.ann.person, "").await;
    let mut socket = Socket::open(&stage, "?protocol=push", &stage.ann.person).await;
    let mut body = ask("session_xxx", &[choice("auth_strategy_01"), choice("second")]);
    body["tool_use_id"] = "toolu_xxx".into();
    body["context"] = "Why it is asked".into();
    let asked = stage.ask(body).await;
    let first = socket.hear().await;
    let names: Vec<&String> = first.as_object().unwrap().keys().collect();
    let expected =
        ["type", "session_id", "session", "question_id", "question", "tool_use_id", "timestamp", "context"];
    assert_eq!(names, expected);
    let values =
        ["type", "session_id", "question_id", "tool_use_id", "context"].map(|name| first[name].clone());
    let expected = ["ask_user_question", "session_xxx", "auth_strategy_01", "toolu_xxx", "Why it is asked"];
    assert_eq!(values, expected.map(|text| json!(text)));
    assert_eq!(first["timestamp"], asked["created_at"]);
    let question = &first["question"];
    assert_eq!(
        (&question["question_text"], &question["type"]),
        (&json!("auth_strategy_01?"), &json!("multiple_choice"))
    );
    let second = socket.hear().await;
    assert_eq!((ear.unnamed().await, ear.unnamed().await), (first, second.clone()));
    // As a client of the documents answers.
    socket.say(json!({"session_id": "session_xxx", "question_id": "second", "answer": "a"})).await;
    assert!(socket.hear().await["problems"][0].to_string().contains("/api/task/answer"));
    for question in ["auth_strategy_01", "second"] {
        let body = json!({"session_id": second["session_id"], "question_id": question, "answer": "a"});
        stage.post("/api/task/answer", &stage.ann.person, body).await.ok();
    }
    let (over_socket, streamed) = (socket.hear().await, ear.unnamed().await);
    for close in [&over_socket, &streamed] {
        assert_eq!((&close["type"], &close["status"]), (&json!("ask_user_response"), &json!("answered")));
        assert_eq!(names_of(close), ("session_xxx", asked["session"].as_str().unwrap()));
    }
    let wrong = stage.get("/api/events?protocol=pull", &stage.ann.person).await;
    assert_eq!(wrong.code(), "400 invalid_request");
}

/// 003 3 (P8): a reply is in the language of `Accept-Language`, else in the server's, else in English; the page too.
#[tokio::test(flavor = "multi_thread")]
async fn p8_who_names_no_language_is_answered_in_the_servers() {
    for (own, expected) in [(Language::Chinese, "zh"), (Language::English, "en")] {
        let stage = stage_with(|server| server.language = own).await;
        for (accepted, language) in [
            (None, expected),
            (Some("*"), expected),
            (Some("fr-FR"), expected),
            (Some("en"), "en"),
            (Some("fr, zh;q=0.1"), "zh"),
        ] {
            let bearer = format!("Bearer {}", stage.ann.person);
            let mut headers = vec![("authorization", bearer.as_str())];
            headers.extend(accepted.map(|accepted| ("accept-language", accepted)));
            let missing = stage.send("GET", "/api/asks/ask_00000000000000000000000001", &headers, "").await;
            let message = missing.json()["message"].as_str().unwrap().to_owned();
            assert_eq!(message.is_ascii(), language == "en", "{own:?} {accepted:?}: {message}");
            let nowhere = stage.send("GET", "/api/nothing", &headers, "").await.text;
            assert_eq!(nowhere.is_ascii(), language == "en", "{own:?} {accepted:?}: {nowhere}");
        }
        let cookie = stage.sign_in().await;
        let page = stage.send("GET", "/", &[("cookie", cookie.as_str())], "").await.text;
        assert!(page.contains(&format!("lang=\"{expected}")), "{page}");
    }
}

/// 002 10.2, 9.2 (D13, D15): what was said in a session before somebody went back stays under the caller's name,
/// in the audit and for whoever hears it later.
#[tokio::test(flavor = "multi_thread")]
async fn d13_d15_a_name_that_was_handed_on_is_still_the_name_of_what_happened() {
    let stage = stage().await;
    let first = stage.ask(ask("work", &[choice("q1")])).await;
    let path = format!("/api/asks/{}/answer", id(&first));
    stage.post(&path, &stage.ann.person, json!({"answers": {"q1": "a"}})).await.ok();
    stage.ask(ask("work", &[choice("q2")])).await;
    let restored = stage.post("/api/sessions/work/restore", &stage.ann.person, json!({})).await.json();
    assert_eq!(restored["session_id"], "work");
    assert_ne!(restored["id"], first["session"]);
    let log = stage.get("/api/audit?session=work", &stage.ann.admin).await.ok();
    let actions: Vec<&str> =
        log["entries"].as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert!(actions.starts_with(&["ask", "show", "answer", "ask", "show"]), "{log}");
    for event in events(&stage, "/api/events?since=0", &stage.ann.person, "ask_user_response").await {
        assert_eq!(names_of(&event.said), ("work", first["session"].as_str().unwrap()), "{event:?}");
    }
}
