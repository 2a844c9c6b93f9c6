//! Nothing is answered on the page that was not seen, and a slip can be taken back: without the script.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use crate::page::Person;
use crate::stage::{Reply, Stage, ask, choice, id, stage, stage_configured};

const MESSAGE: &str =
    "Delete the production database `shop_prod` together with all 14 backups? This cannot be undone.";

/// A form that an MCP server asks for: its message is what is asked.
async fn elicitation(stage: &Stage, message: &str) -> String {
    let schema = json!({"type": "object", "required": ["confirm"],
        "properties": {"confirm": {"type": "boolean", "title": "Confirm"}}});
    id(&stage.ask(json!({"message": message, "requestedSchema": schema})).await)
}

async fn link(stage: &Stage, ask: &str) -> String {
    let found = stage.desk.across_users().ask(ask.parse().unwrap()).await.unwrap().unwrap();
    let link = stage.desk.links().make(&found, &"ann".into(), "mail").await.unwrap().unwrap();
    format!("/a/{}", link.reveal())
}

async fn status(stage: &Stage, ask: &str) -> Value {
    stage.get(&format!("/api/asks/{ask}"), &stage.ann.person).await.ok()["status"].clone()
}

/// What stands in a page, without its tags.
fn plain(page: &Reply) -> String {
    let mut text = String::new();
    for part in page.text.split('<') {
        text.push_str(part.split_once('>').map_or(part, |(_, text)| text));
    }
    text
}

/// Every page on which an ask can be answered.
async fn where_it_is_answered(stage: &Stage, person: &Person<'_>, ask: &str) -> [Reply; 4] {
    let link = link(stage, ask).await;
    let pages = [
        person.get("/?part=inbox").await,
        person.get(&format!("/asks/{ask}")).await,
        person.get(&format!("/asks/{ask}?part=card")).await,
        stage.send("GET", &link, &[], "").await,
    ];
    for page in &pages {
        assert!(page.text.contains("/answer\""), "it can be answered: {}", page.text);
    }
    pages
}

#[tokio::test(flavor = "multi_thread")]
async fn the_message_of_an_elicitation_is_there_wherever_it_can_be_answered() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let ask = elicitation(&stage, MESSAGE).await;
    for page in where_it_is_answered(&stage, &person, &ask).await {
        assert!(plain(&page).contains(MESSAGE) && plain(&page).contains("Confirm"), "{}", page.text);
    }
    person.send(&format!("/asks/{ask}/answer"), "pick:confirm=no&do=answer").await;
    let closed = person.get(&format!("/asks/{ask}")).await;
    assert!(
        closed.text.contains("data-open=\"false\"") && plain(&closed).contains(MESSAGE),
        "{}",
        closed.text
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_context_of_a_question_is_there_once_wherever_it_can_be_answered() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let mut body = ask("s", &[json!({"question_id": "q", "question": "Confirm", "type": "boolean"})]);
    body["context"] = json!("All 14 **backups** are deleted too.");
    let ask = id(&stage.ask(body).await);
    // Drawn, and not counting the lines of the list, which have it in words.
    let seen = "All 14 <strong>backups</strong> are deleted too.";
    for page in where_it_is_answered(&stage, &person, &ask).await {
        assert_eq!(page.text.matches(seen).count(), 1, "{}", page.text);
    }
    person.send(&format!("/asks/{ask}/answer"), "pick:q=no&do=answer").await;
    let closed = person.get(&format!("/asks/{ask}")).await;
    assert_eq!(closed.text.matches(seen).count(), 1, "{}", closed.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_in_a_row_is_answered_on_its_page_only() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let long = format!("{MESSAGE}\n\n{}", "It takes a while. ".repeat(80));
    let asked = elicitation(&stage, &long).await;
    let list = person.get("/?part=inbox").await;
    assert!(!list.text.contains("<form") && list.text.contains("Open to read and answer"), "{}", list.text);
    assert!(list.text.contains("together with all 14 backups"), "its beginning: {}", list.text);
    // A row that was drawn before, or is made up, answers nothing either.
    let path = format!("/asks/{asked}");
    let sent = person.send(&format!("{path}/answer"), "pick:confirm=yes&from=inbox").await;
    assert_eq!((sent.status, sent.header("location")), (303, Some(path.as_str())));
    assert_eq!(status(&stage, &asked).await, "showing");
    let card = person.get(&path).await;
    assert!(plain(&card).contains(&"It takes a while. ".repeat(80)), "{}", card.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_says_what_its_buttons_mean() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let question = json!({"question_id": "q", "header": "Auth", "question": "Which method?", "type": "multiple_choice",
        "description": "For the shop.", "options": [
            {"id": "a", "label": "OAuth", "description": "Signs in elsewhere."}, {"id": "b", "label": "Keys"}]});
    stage.ask(ask("s", &[question])).await;
    let list = person.get("/?part=inbox").await.text;
    let button = list.split("<button").find(|part| part.contains("value=\"a\"")).unwrap();
    assert!(button.split("</button").next().unwrap().contains("Signs in elsewhere."), "{list}");
    for text in ["Auth", "Which method?", "For the shop."] {
        assert!(list.contains(text), "{text}: {list}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn declining_says_what_is_declined() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let asked = stage.ask(ask("s", &[choice("auth"), choice("db")])).await;
    let page = person.get(&format!("/asks/{}", id(&asked))).await.text;
    let decline = page.split("id=\"decline\"").nth(1).unwrap().split("</section>").next().unwrap();
    assert!(decline.contains("auth?") && decline.contains("db?"), "{decline}");
}

/// A yes-no question that is answered in its row.
async fn answered_in_its_row(stage: &Stage, person: &Person<'_>) -> String {
    let asked =
        stage.ask(ask("s", &[json!({"question_id": "q", "question": "Go on?", "type": "boolean"})])).await;
    let ask = id(&asked);
    let sent = person.send(&format!("/asks/{ask}/answer"), "pick:q=yes&from=inbox").await;
    assert_eq!((sent.status, sent.header("location")), (303, Some("/")), "{}", sent.text);
    ask
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_one_press_is_taken_back_without_the_script() {
    let (stage, _rates) = stage_configured("answers:\n  undo_for: 60s\n").await;
    let person = Person::at(&stage).await;
    let ask = answered_in_its_row(&stage, &person).await;
    assert_eq!(status(&stage, &ask).await, "showing", "the agent is told nothing yet");
    let list = person.get("/?part=inbox").await.text;
    assert!(list.contains("data-held=\"") && list.contains("ask-row held"), "{list}");
    assert!(list.contains("Answered: Yes") && !list.contains("name=\"pick:q\""), "{list}");
    assert!(list.contains(&format!("action=\"/asks/{ask}/undo\"")), "{list}");
    let card = person.get(&format!("/asks/{ask}?part=card")).await.text;
    assert!(
        card.contains("Answered: Yes") && card.contains("/undo\"") && !card.contains("/answer\""),
        "{card}"
    );
    let undone = person.send(&format!("/asks/{ask}/undo"), "from=inbox").await;
    assert_eq!((undone.status, undone.header("location")), (303, Some("/")), "{}", undone.text);
    let list = person.get("/?part=inbox").await.text;
    assert!(!list.contains("data-held") && list.contains("name=\"pick:q\""), "{list}");
    // Once more is nothing, and no other site may do it.
    assert_eq!(person.send(&format!("/asks/{ask}/undo"), "").await.status, 303);
    let headers = [("cookie", person.cookie.as_str()), ("origin", "http://evil.example")];
    assert_eq!(stage.send("POST", &format!("/asks/{ask}/undo"), &headers, "").await.status, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_undoes_too_late_is_told_so() {
    let (stage, _rates) = stage_configured("answers:\n  undo_for: 60s\n").await;
    let person = Person::at(&stage).await;
    let ask = answered_in_its_row(&stage, &person).await;
    assert_eq!(status(&stage, &ask).await, "showing");
    stage.forward_ms.store(61_000, Ordering::SeqCst);
    let told = stage.until(&ask, "answered").await;
    assert_eq!(
        (&told["outcome"]["by"]["user"], &told["outcome"]["by"]["channel"]),
        (&json!("ann"), &json!("web"))
    );
    let late = person.send(&format!("/asks/{ask}/undo"), "from=inbox").await;
    assert_eq!(late.status, 409);
    assert!(late.text.contains("Too late to undo") && late.text.contains("You answered"), "{}", late.text);
    assert!(late.text.contains("href=\"/\""), "and leads on: {}", late.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nothing_is_held_a_row_answers_at_once() {
    let (stage, _rates) = stage_configured("answers:\n  undo_for: 0s\n").await;
    let person = Person::at(&stage).await;
    let ask = answered_in_its_row(&stage, &person).await;
    assert_eq!(status(&stage, &ask).await, "answered");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sent_on_the_card_is_final_at_once() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let asked = id(&stage.ask(ask("s", &[choice("auth")])).await);
    person.send(&format!("/asks/{asked}/answer"), "pick:auth=a&do=answer").await;
    assert_eq!(status(&stage, &asked).await, "answered");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ask_that_waits_its_turn_says_so_and_cannot_be_sent() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let mut asked = Vec::new();
    for n in 0..6 {
        asked.push(id(&stage.ask(ask("s", &[choice(&format!("q{n}"))])).await));
    }
    let last = asked.last().unwrap();
    let inbox = person.get("/?part=inbox").await.text;
    let row = inbox.split("<li").find(|row| row.contains(last.as_str())).unwrap();
    assert!(
        row.contains("data-pending=\"true\"") && row.contains("queued") && !row.contains("<form"),
        "{row}"
    );
    let card = person.get(&format!("/asks/{last}?part=card")).await.text;
    assert!(card.contains("data-pending=\"true\"") && card.contains("earlier questions"), "{card}");
    assert!(!card.contains("/answer\"") && !card.contains("button class=\"go\""), "{card}");
    assert!(card.contains("<fieldset class=\"locked\" disabled"), "{card}");
    let sent = person.send(&format!("/asks/{last}/answer"), "pick:q5=a&do=answer").await;
    assert!(sent.status == 400 || sent.status == 409, "{}", sent.text);
    assert_eq!(status(&stage, last).await, "pending");
    // It comes alive when one before it has ended.
    person.send(&format!("/asks/{}/answer", asked[0]), "pick:q0=a&do=answer").await;
    let card = person.get(&format!("/asks/{last}?part=card")).await.text;
    assert!(!card.contains("data-pending") && card.contains("/answer\""), "{card}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_ask_waits_for_is_named() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let first = json!({"question_id": "cloud", "header": "Hosting", "question": "Where?", "type": "boolean"});
    stage.ask(ask("s", &[first])).await;
    let mut second = choice("region");
    second["depends_on"] = json!({"question_id": "cloud"});
    let last = id(&stage.ask(ask("s", &[second])).await);
    let card = person.get(&format!("/asks/{last}?part=card")).await.text;
    assert!(card.contains("Queued: answer “Hosting” first."), "{card}");
}

#[tokio::test(flavor = "multi_thread")]
async fn deadlines_say_what_will_happen_in_both_languages() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let mut level = choice("level");
    level["options"][0] = json!({"id": "a", "label": "info", "default": true});
    for (policy, timeout, english, chinese) in [
        ("default", 250_000, "the default “info” is taken", "后采用默认值“info”"),
        ("cancel", 250_000, "the agent is told that nobody answered", "后告知智能体无人回答"),
        ("abort", 100_000, "the task stops", "后任务停止"),
    ] {
        let mut body = ask(policy, &[level.clone()]);
        body["timeoutMs"] = json!(timeout);
        body["timeoutPolicy"] = json!(policy);
        let asked = id(&stage.ask(body).await);
        let list = person.get("/?part=inbox").await.text;
        let row = list.split("<li").find(|row| row.contains(asked.as_str())).unwrap().to_owned();
        let card = person.get(&format!("/asks/{asked}?part=card")).await.text;
        for drawn in [&row, &card] {
            assert!(drawn.contains(english) && drawn.contains("data-then=\"in {time} "), "{drawn}");
            assert_eq!(drawn.contains("deadline urgent"), timeout < 120_000, "{drawn}");
        }
        let headers = [("cookie", person.cookie.as_str()), ("accept-language", "zh")];
        let card = stage.send("GET", &format!("/asks/{asked}?part=card"), &headers, "").await.text;
        assert!(card.contains(chinese), "{card}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permission_shows_its_command_and_folder_and_has_one_no() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let event = json!({
        "session_id": "abc", "cwd": "/home/u/shop", "permission_mode": "default",
        "hook_event_name": "PermissionRequest", "tool_name": "Bash",
        "tool_input": {"command": "rm -rf dist\n  && npm ci <b>", "description": "Clean install"},
    });
    let reply = stage.post("/api/hooks/claude-code?wait=0.01", &stage.ann.agent, event).await;
    let asked = reply.json()["ask_id"].as_str().unwrap().to_owned();
    let command = "<code>rm -rf dist\n  &amp;&amp; npm ci &lt;b&gt;</code>";
    let list = person.get("/?part=inbox").await.text;
    assert!(list.contains(command) && list.contains("/home/u/shop") && !list.contains("<form"), "{list}");
    let card = person.get(&format!("/asks/{asked}?part=card")).await.text;
    for text in [command, "/home/u/shop", "Clean install", "value=\"no\""] {
        assert!(card.contains(text), "{text}: {card}");
    }
    assert!(!card.contains("id=\"decline\"") && !card.contains("#decline"), "one no is enough: {card}");
    person.send(&format!("/asks/{asked}/answer"), "pick:r1q1=no&do=answer").await;
    let closed = person.get(&format!("/asks/{asked}?part=card")).await.text;
    assert!(closed.contains(command) && closed.contains("Clean install"), "{closed}");
}
