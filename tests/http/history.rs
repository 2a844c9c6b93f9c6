//! The history on the page: conversations, going on from a round, and transcripts, without a script.

use askuser_desk::archive::Archive;
use askuser_wire::check;
use askuser_words::Language;
use serde_json::{Value, json};

use crate::page::Person;
use crate::stage::{Reply, Stage, ask, choice, id, stage};

/// Two answered rounds and an open one, of an agent that says who it is.
async fn three_rounds(stage: &Stage) -> String {
    let mut session = String::new();
    for (question, context) in [("q1", "Why **one**"), ("q2", "<b>two</b>"), ("q3", "three")] {
        let mut body = ask("mine", &[choice(question)]);
        body["context"] = context.into();
        body["total_rounds"] = 4.into();
        body["asker"] = json!({"agent": "claude-code", "project": "shop"});
        let asked = stage.ask(body).await;
        session = asked["session"].as_str().unwrap().to_owned();
        if question != "q3" {
            let answers = json!({"answers": {question: "b"}});
            stage.post(&format!("/api/asks/{}/answer", id(&asked)), &stage.ann.person, answers).await.ok();
        }
    }
    session
}

/// The test questions of `askuser doctor` and `askuser setup` stood among the conversations.
#[tokio::test(flavor = "multi_thread")]
async fn test_questions_are_no_conversations() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    for language in [Language::English, Language::Chinese] {
        let asked = stage.ask(check::of_setup(language)).await;
        let waiting = person.get("/sessions").await.text;
        assert!(waiting.contains("askuser setup"), "what waits is shown: {waiting}");
        let answers = json!({"answers": {check::SETUP_ID: true}});
        stage.post(&format!("/api/asks/{}/answer", id(&asked)), &stage.ann.person, answers).await.ok();
        let list = person.get("/sessions").await.text;
        assert!(list.contains("No conversations yet.") && !list.contains("askuser setup"), "{list}");
    }
    // Whatever else says something to the person makes it a question as any other: an agent hides nothing in it.
    let places = ["/questions/0/question_text", "/questions/0/header", "/asker/agent", "/asker/project"];
    for (number, place) in places.into_iter().enumerate() {
        let mut other = check::of_setup(Language::English);
        other["asker"]["project"] = Value::Null;
        *other.pointer_mut(place).unwrap() = "Drop the table?".into();
        let asked = stage.ask(other).await;
        let answers = json!({"answers": {check::SETUP_ID: true}});
        stage.post(&format!("/api/asks/{}/answer", id(&asked)), &stage.ann.person, answers).await.ok();
        let told = stage.get("/api/history", &stage.ann.person).await.ok();
        assert_eq!(told["asks"].as_array().unwrap().len(), number + 1, "{place}: {told}");
    }
}

/// P2, P18: the list leads to the conversation, round by round, with what was chosen, by whom and where.
#[tokio::test(flavor = "multi_thread")]
async fn p2_p18_a_conversation_is_shown_round_by_round() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    assert!(person.get("/sessions").await.text.contains("No conversations yet."));
    let session = three_rounds(&stage).await;
    let list = person.get("/sessions").await.text;
    for said in ["claude-code", "shop", "3 questions", "1 waiting", &format!("/sessions/{session}"), "q3?"] {
        assert!(list.contains(said), "{said} in {list}");
    }
    let page = person.get(&format!("/sessions/{session}")).await;
    assert_eq!(page.status, 200);
    for said in [
        "id=\"round-1\"",
        "id=\"round-3\"",
        "href=\"#round-2\"",
        "Round 2/4",
        "<strong>one</strong>",
        "&lt;b&gt;two&lt;/b&gt;",
        "Answered by ann with a command",
        "opt chosen",
        "Still waiting.",
        "/export?format=jsonl",
    ] {
        assert!(page.text.contains(said), "{said} in {}", page.text);
    }
    assert_eq!(person.get("/sessions/mine").await.status, 200, "by the agent's own name too");
    let chinese = [("cookie", person.cookie.as_str()), ("accept-language", "zh-CN")];
    let chinese = stage.send("GET", &format!("/sessions/{session}"), &chinese, "").await.text;
    assert!(chinese.contains("<h2>第 2/4 轮</h2>"), "{chinese}");
}

/// P2: the page of an ask shows what led to it.
#[tokio::test(flavor = "multi_thread")]
async fn p2_an_ask_is_shown_with_the_rounds_before_it() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    three_rounds(&stage).await;
    let open = stage.get("/api/inbox", &stage.ann.person).await.ok();
    let page = person.get(&format!("/asks/{}", id(&open["asks"][0]))).await.text;
    assert!(page.contains("<summary>Round 1 · q1? → Beta</summary>"), "{page}");
    assert!(page.contains("<summary>Round 2 · q2? → Beta</summary>") && !page.contains("Round 3 · q3?"));
    assert!(page.contains("<p>three</p>"), "why it is asked: {page}");
}

/// P2, P20: going on from a round opens a new conversation, and the old one stays.
#[tokio::test(flavor = "multi_thread")]
async fn p2_a_round_is_taken_up_again_from_the_page() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let session = three_rounds(&stage).await;
    let path = format!("/sessions/{session}/restore");
    let sent = person.send(&path, "round=1").await;
    assert_eq!(sent.status, 303, "{}", sent.text);
    let new = sent.header("location").unwrap().to_owned();
    assert_ne!(new, format!("/sessions/{session}"));
    let page = person.get(&new).await.text;
    assert!(page.contains("Branched from an earlier conversation") && page.contains("q1?"), "{page}");
    // What was open goes on in it; what was decided after that round is not part of it.
    assert!(page.contains("Still waiting.") && page.contains("q3?") && !page.contains("q2?"), "{page}");
    assert!(person.get(&format!("/sessions/{session}")).await.text.contains("Answered by ann"));
    assert_eq!(person.send(&path, "round=99").await.status, 404);
    assert_eq!(person.send(&path, "round=x").await.status, 404);
    assert_eq!(person.get("/sessions/ses_00000000000000000000000000").await.status, 404);
    assert_eq!(stage.send("GET", "/sessions", &[("accept", "text/html")], "").await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn conversations_are_found_by_what_was_asked_and_answered() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    three_rounds(&stage).await;
    let question = json!({"question_id": "s", "question_text": "Password?", "type": "text", "secret": true});
    let asked = stage.ask(ask("other", &[question])).await;
    let answers = json!({"answers": {"s": "hunter2"}});
    stage.post(&format!("/api/asks/{}/answer", id(&asked)), &stage.ann.person, answers).await.ok();
    for (wanted, n_found) in
        [("q2", 1), ("BETA", 1), ("shop", 1), ("password", 1), ("hunter2", 0), ("", 2), ("%22%3E%3Ci%3E", 0)]
    {
        let page = person.get(&format!("/sessions?q={wanted}")).await.text;
        assert_eq!(page.matches("data-session=").count(), n_found, "{wanted}: {page}");
        assert!(!page.contains("\"><i>"));
    }
}

async fn upload(person: &Person<'_>, file: &str, before: Option<usize>) -> Reply {
    let before = before.map_or_else(String::new, |before| {
        format!("--XyZ\r\nContent-Disposition: form-data; name=\"before\"\r\n\r\n{before}\r\n")
    });
    let body = format!(
        "{before}--XyZ\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jsonl\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n{file}\r\n--XyZ--\r\n"
    );
    let headers = [
        ("cookie", person.cookie.as_str()),
        ("origin", &person.own),
        ("content-type", "multipart/form-data; boundary=XyZ"),
    ];
    person.stage.send("POST", "/transcript", &headers, body).await
}

/// P5, P18: a transcript is opened and looks like a conversation of ours; our own export too.
#[tokio::test(flavor = "multi_thread")]
async fn p5_p18_a_transcript_is_opened_and_looks_the_same() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let form = person.get("/transcript").await.text;
    assert!(form.contains("enctype=\"multipart/form-data\"") && form.contains("type=\"file\""), "{form}");
    let lines = [
        json!({"type": "user", "uuid": "a", "parentUuid": null, "message": {"content": "Fix <it>"}}).to_string(),
        json!({"type": "assistant", "uuid": "b", "parentUuid": "a", "message": {"content": [
            {"type": "thinking", "thinking": "Hm"}, {"type": "tool_use", "id": "t", "name": "Read", "input": {}}]}})
        .to_string(),
        "{broken".to_owned(),
        json!({"type": "user", "uuid": "c", "parentUuid": "b", "message": {"content": [
            {"type": "tool_result", "tool_use_id": "t", "content": "ok"}]}})
        .to_string(),
    ];
    let page = upload(&person, &lines.join("\n"), None).await;
    assert_eq!(page.status, 200);
    for said in [
        "Fix &lt;it&gt;",
        "msg think",
        "<code>Read</code> · <span class=\"state\">succeeded",
        "Line 3: not JSON",
        "Messages 1 to 4 of 4",
    ] {
        assert!(page.text.contains(said), "{said} in {}", page.text);
    }
    let session = three_rounds(&stage).await;
    let export = person.get(&format!("/api/sessions/{session}/export")).await.text;
    let read = upload(&person, &export, None).await.text;
    let own = person.get(&format!("/sessions/{session}")).await.text;
    let talk = |html: &str| {
        // The rounds themselves; only the total and the way to go on differ.
        let rounds: Vec<&str> = html.split("<section class=\"round\"").skip(1).collect();
        let plain = |part: &&str| {
            let (_, body) = part.split_once("</h2>").unwrap();
            let end = body.find("<form class=\"go-on\"").or_else(|| body.rfind("</section>")).unwrap();
            body[..end].to_owned()
        };
        let mut rounds: Vec<String> = rounds.iter().map(plain).collect();
        // The last section goes on with the end of the page.
        let last = rounds.pop().unwrap();
        (rounds, last.contains("href=\"/asks/"))
    };
    assert_eq!(talk(&read), talk(&own));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_transcript_is_shown_in_parts_and_a_wrong_one_is_told() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let line = |n: usize| format!("{}\n", json!({"type": "text", "content": format!("message {n:04}.")}));
    let file: String = (1..=2500).map(line).collect();
    let page = upload(&person, &file, None).await.text;
    assert!(page.contains("Messages 1501 to 2500 of 2500") && page.contains("message 2500."));
    assert!(page.contains("name=\"before\" value=\"1500\"") && !page.contains("message 1500."));
    let earlier = upload(&person, &file, Some(1500)).await.text;
    assert!(earlier.contains("Messages 501 to 1500 of 2500") && earlier.contains("message 1500."));
    assert_eq!(upload(&person, "", None).await.status, 422);
    assert_eq!(person.send("/transcript", "file=x").await.status, 422);
    let picture = upload(&person, "\u{0}PNG\n\u{1}", None).await;
    assert!(picture.text.contains("There is no conversation in this file."), "{}", picture.text);
    assert_eq!(upload(&person, &"x".repeat(65 * 1024 * 1024), None).await.status, 413);
    let stranger = Person { stage: &stage, cookie: "a=b".to_owned(), own: person.own.clone() };
    assert_eq!(upload(&stranger, &file, None).await.status, 401);
}

/// P2: a long conversation is shown in parts, the latest first, and every round can be read.
#[tokio::test(flavor = "multi_thread")]
async fn p2_a_long_conversation_is_shown_in_parts() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    for n in 1..=53 {
        let asked = stage.ask(ask("long", &[choice(&format!("q{n}"))])).await;
        let answers = json!({"answers": {format!("q{n}"): "a"}});
        stage.post(&format!("/api/asks/{}/answer", id(&asked)), &stage.ann.person, answers).await.ok();
    }
    let page = person.get("/sessions/long").await.text;
    assert!(page.contains("id=\"round-53\"") && page.contains("id=\"round-4\""), "the last fifty");
    assert!(!page.contains("id=\"round-3\"") && page.contains("?upto=3\">Earlier</a>"));
    let earlier = person.get("/sessions/long?upto=3").await.text;
    assert!(earlier.contains("id=\"round-1\"") && !earlier.contains("id=\"round-4\""), "{earlier}");
    assert!(earlier.contains("?upto=53\">Later</a>") && !earlier.contains(">Earlier<"));
}

/// P5: a transcript that was taken in is listed for its person alone, and read in parts.
#[tokio::test(flavor = "multi_thread")]
async fn p5_a_transcript_that_was_taken_in_is_listed_and_shown_in_parts() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let line = |n: usize| format!("{}\n", json!({"type": "text", "content": format!("message {n:04}.")}));
    let file: String = (1..=2500).map(line).collect();
    let folder = stage.home.path().join("transcripts");
    Archive::new(&folder, "ann").take("Talk of May", file.as_bytes()).unwrap();
    Archive::new(&folder, "bob").take("of-bob", file.as_bytes()).unwrap();
    let list = person.get("/sessions").await.text;
    assert!(list.contains("href=\"/transcripts/Talk-of-May\"") && !list.contains("of-bob"), "{list}");
    let page = person.get("/transcripts/Talk-of-May").await.text;
    assert!(page.contains("Messages 1501 to 2500 of 2500") && page.contains("?before=1500\""), "{page}");
    let earlier = person.get("/transcripts/Talk-of-May?before=1500").await.text;
    assert!(earlier.contains("Messages 501 to 1500 of 2500") && earlier.contains("message 1500."));
    for wrong in ["/transcripts/of-bob", "/transcripts/..%2Fbob%2Fof-bob", "/transcripts/nobody"] {
        assert_eq!(person.get(wrong).await.status, 404, "{wrong}");
    }
    let stranger = Person { stage: &stage, cookie: "a=b".to_owned(), own: person.own.clone() };
    assert_eq!(stranger.get("/transcripts/Talk-of-May").await.status, 401);
}
