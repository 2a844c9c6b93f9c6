//! Tasks on the page, without a browser and without its script, as a store that knows them shows them.

use askuser_core::command::{Actor, Role};
use askuser_core::id::ServerId;
use askuser_core::message::{Said, Speaker};
use askuser_core::outcome::{By, Channel, Proof};
use askuser_core::task::{Child, Task, TaskMove};
use askuser_wire::transcript::{Markdown, Message, Window, of_facts, read};
use serde_json::json;

use crate::page::Person;
use crate::stage::{Stage, ask, choice, id, stage};

fn actor(role: Role, channel: Channel, proof: Proof) -> Actor {
    Actor { role, user: "ann".into(), by: By::new(Some("ann".into()), channel, proof), key: None }
}

fn server() -> Actor {
    actor(Role::Server, Channel::Server, Proof::Server)
}

/// A task of ann's that an agent works on.
async fn running(stage: &Stage, text: &str) -> Task {
    let ann = actor(Role::Person, Channel::Web, Proof::Cookie);
    let (agent, folder) = ("claude".to_owned(), "/srv/shop".to_owned());
    let given = stage.desk.start_task(&ann, ServerId(1), agent, folder, text.to_owned()).await;
    let run = TaskMove::Run { child: Child { pid: 1, started: 1 } };
    let task = stage.desk.move_task(&server(), given.unwrap().id, run).await.unwrap();
    Task::clone(&task)
}

async fn tell(stage: &Stage, task: &Task, said: impl IntoIterator<Item = Said>) {
    let messages = said.into_iter().map(|said| stage.desk.message(said)).collect();
    stage.desk.add_messages(&server(), task, messages).await.unwrap();
}

fn text(words: &str) -> Said {
    Said::Text { by: Speaker::Agent, text: words.to_owned() }
}

/// Every kind there is, and what is hostile in each of them.
fn every_kind() -> Vec<Said> {
    let evil = "<img src=x onerror=alert(1)>".to_owned();
    vec![
        Said::Thinking(format!("hm {evil}")),
        text(&format!("**bold** {evil}")),
        Said::ToolUse { call: "t1".into(), name: "Read".into(), input: json!({"file": evil}).to_string() },
        Said::ToolResult { call: "t1".into(), text: format!("found {evil}"), is_error: false },
        Said::ToolUse { call: "t2".into(), name: "Bash".into(), input: "{".into() },
        Said::ToolResult { call: "t2".into(), text: "broke".into(), is_error: true },
        Said::Notice("a notice".into()),
        Said::Error("an error".into()),
        Said::Complete("all done".into()),
    ]
}

/// P1, P18: the messages of a task are shown by their kinds, and nothing in them is more than text.
#[tokio::test(flavor = "multi_thread")]
async fn p1_p18_a_task_is_shown_with_every_kind_of_message() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let task = running(&stage, "Add a <b>cart</b>\nwith a till").await;
    tell(&stage, &task, every_kind()).await;
    let page = person.get(&format!("/tasks/{}", task.id)).await;
    assert_eq!(page.status, 200);
    let kinds = ["msg think", "msg text", "msg tool", "msg result", "msg info", "msg error", "msg complete"];
    let words =
        ["by-person", "Add a &lt;b&gt;cart&lt;/b&gt;", "<strong>bold</strong>", "running", "claude", "shop"];
    for part in kinds.into_iter().chain(words) {
        assert!(page.text.contains(part), "{part} in {}", page.text);
    }
    assert!(!page.text.contains("<img") && !page.text.contains("<b>cart"), "{}", page.text);
    // The call that failed says so, and the one that did not.
    assert_eq!(page.text.matches("msg tool\" open data-state=\"ok\"").count(), 1, "{}", page.text);
    assert_eq!(page.text.matches("msg tool\" open data-state=\"failed\"").count(), 1, "{}", page.text);
    let list = person.get("/tasks").await.text;
    assert!(list.contains(&format!("href=\"/tasks/{}\"", task.id)) && list.contains("Add a &lt;b&gt;cart"));
    let bob = stage.sign_in_as(&stage.bob).await;
    let bob = Person { stage: &stage, cookie: bob, own: person.own.clone() };
    assert_eq!(bob.get(&format!("/tasks/{}", task.id)).await.status, 404, "another's task is not there");
    assert!(!bob.get("/tasks").await.text.contains("cart"));
}

/// P2: a long conversation is shown in windows, and what is new is told by the number of a fact.
#[tokio::test(flavor = "multi_thread")]
async fn p2_a_long_task_is_shown_in_windows_and_what_is_new_by_itself() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let task = running(&stage, "Talk").await;
    for from in (0..1000).step_by(50) {
        tell(&stage, &task, (from..from + 50).map(|n| text(&format!("message {n:04}.")))).await;
    }
    let address = format!("/tasks/{}", task.id);
    let page = person.get(&address).await.text;
    assert!(page.contains("message 0999.") && !page.contains("message 0600."), "only the last of them");
    let (_, earlier) = page.split_once(&format!("href=\"{address}?before=")).unwrap();
    let before: u64 = earlier.split('"').next().unwrap().parse().unwrap();
    let earlier = person.get(&format!("{address}?before={before}")).await.text;
    assert!(earlier.contains("message 0700.") && !earlier.contains("message 0999."), "{earlier}");
    assert!(earlier.contains("Latest messages") && !earlier.contains("id=\"composer\""));

    let head = stage.desk.head();
    let call = Said::ToolUse { call: "t".into(), name: "Read".into(), input: "{}".into() };
    tell(&stage, &task, [text("new one."), call]).await;
    let fresh = person.get(&format!("{address}?part=fresh&since={head}")).await.text;
    assert!(fresh.contains("new one.") && !fresh.contains("message 0999."), "{fresh}");
    assert!(fresh.contains("data-whole=\"false\"") && fresh.contains("data-state=\"open\""), "{fresh}");
    // A result brings its call along, which has changed by it.
    let head = stage.desk.head();
    tell(&stage, &task, [Said::ToolResult { call: "t".into(), text: "ok".into(), is_error: false }]).await;
    let fresh = person.get(&format!("{address}?part=fresh&since={head}")).await.text;
    assert!(!fresh.contains("new one.") && fresh.matches("data-state=\"ok\"").count() == 2, "{fresh}");
    let behind = person.get(&format!("{address}?part=fresh&since=3")).await.text;
    assert!(behind.contains("data-whole=\"true\"") && behind.contains("message 0999."), "{behind}");
}

/// O4: where a task stands is said as it is, with what can be done about it.
#[tokio::test(flavor = "multi_thread")]
async fn o4_where_a_task_stands_is_said_honestly() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let stop = |reason: &str| TaskMove::Stop { reason: reason.to_owned() };
    for (to, said) in [
        (TaskMove::Interrupt { reason: None }, "None of it is still running"),
        (TaskMove::Interrupt { reason: Some("gone".to_owned()) }, "has not responded for a while"),
        (TaskMove::Fail { reason: "the <agent> died".to_owned() }, "the &lt;agent&gt; died"),
        (stop("user"), "You stopped it."),
        (stop("ask_user_timeout"), "nobody answered its question in time"),
        (TaskMove::Done, "done"),
    ] {
        let task = running(&stage, "Work").await;
        let page = person.get(&format!("/tasks/{}", task.id)).await.text;
        assert!(
            page.contains(&format!("action=\"/tasks/{}/stop\"", task.id))
                && page.contains("data-mode=\"say\"")
        );
        stage.desk.move_task(&server(), task.id, to).await.unwrap();
        let page = person.get(&format!("/tasks/{}", task.id)).await.text;
        assert!(page.contains(said), "{said} in {page}");
        assert!(page.contains("data-mode=\"resume\"") && !page.contains("/stop\""), "{page}");
    }
}

/// P5: a task's session leaves as one chain and as Markdown, and reads back as what is on the page.
#[tokio::test(flavor = "multi_thread")]
async fn p5_a_task_is_exported_as_a_chain_and_as_markdown() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let task = running(&stage, "Add a cart").await;
    tell(&stage, &task, every_kind()).await;
    let asked = stage.ask(ask(&task.session.to_string(), &[choice("q1")])).await;
    let answers = json!({"answers": {"q1": "a"}});
    stage.post(&format!("/api/asks/{}/answer", id(&asked)), &stage.ann.person, answers).await.ok();
    tell(&stage, &task, [text("after it")]).await;
    let export = person.get(&format!("/api/sessions/{}/export", task.session)).await.text;
    let lines: Vec<serde_json::Value> =
        export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 13, "{export}");
    for (before, line) in lines.iter().zip(&lines[1..]) {
        assert_eq!(before["uuid"], line["parentUuid"], "{export}");
    }
    // What is read back is what the page shows.
    let facts = stage.desk.facts_after(task.session, 0, 1000).await.unwrap();
    let facts = facts.iter().filter_map(|numbered| Some((numbered.number, numbered.fact.as_deref()?)));
    let rounds = stage.desk.rounds(&server(), task.session).await.unwrap();
    let shown = of_facts(facts, |id| rounds.iter().find(|ask| ask.id == id));
    let all = Window { before: None, messages_max: 100, bytes_max: 1 << 20 };
    let back = read(export.as_bytes(), all).messages;
    let parts = |message: &Message| (message.uuid.clone(), message.at, Markdown::default().message(message));
    let shown: Vec<_> = shown.iter().map(|placed| parts(&placed.message)).collect();
    let back: Vec<_> = back.iter().map(parts).collect();
    assert_eq!(back, shown);
    let markdown = person.get(&format!("/api/sessions/{}/export?format=md", task.session)).await.text;
    for words in
        ["> Add a cart", "**bold**", "**Tool** `Read` · succeeded", "**Tool** `Bash` · failed", "all done"]
    {
        assert!(markdown.contains(words), "{words} in {markdown}");
    }
    let wrong = person.get(&format!("/api/sessions/{}/export?format=pdf", task.session)).await;
    assert_eq!(wrong.status, 400);
}

/// Where no agent is configured, the page says how that is done, and nothing can be started.
#[tokio::test(flavor = "multi_thread")]
async fn without_agents_the_page_says_how_to_turn_tasks_on() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let page = person.get("/tasks").await.text;
    assert!(page.contains("id=\"runner-off\"") && page.contains("driver: claude"), "{page}");
    assert!(!page.contains("action=\"/tasks\""), "{page}");
    assert_eq!(person.send("/tasks", "agent=claude&folder=%2Ftmp&text=go").await.status, 404);
}
