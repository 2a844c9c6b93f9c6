//! The whole way: a desk, its asks, and every channel against a faithful service on loopback.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use askuser_core::asker::Terms;
use askuser_core::command::Role;
use askuser_core::outcome::{Channel, Proof};
use hyper::Method;

use self::fake::{Mood, NtfyServer, Stage, actor, behind_tls, config, half_an_answer, person};
use self::fake::{question, receiver, until};
use askuser_desk::Waited;

pub(crate) mod fake;
mod links;
mod people;
mod whole;

const SECRET: &str = "whsec_plJ3nmyCDGBKInavdOK15jsl";

/// A program that notes what it is told in a file, a line a call.
fn program(stage: &Stage) -> (String, std::path::PathBuf) {
    let told = stage.folder.path().join("told");
    let script =
        format!("echo \"$ASKUSER_NUDGE $ASKUSER_ASKS $ASKUSER_RECEIPT\" >> {}; echo r1", told.display());
    (format!("{{kind: command, command: [sh, -c, '{script}'], closed: true}}"), told)
}

fn lines(path: &std::path::Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// Three channels, four ways to close, two of them after a restart: each is told once, and taken back once.
#[tokio::test]
async fn a_nudge_is_sent_once_and_taken_back_however_the_ask_closes() {
    let (hook, heard) = receiver(&[]).await;
    let (ntfy, server) = NtfyServer::start(&[]).await;
    let mut stage = Stage::new().await;
    let (own, told) = program(&stage);
    let text = format!(
        "notify:\n  people:\n    ann:\n      single_max: 9\n      channels:\n        own: {own}\n        hook: {{kind: webhook, url: \"{hook}/x\", secret: {SECRET}}}\n        phone: {{kind: ntfy, server: \"{ntfy}\", topic: t}}\n"
    );
    let notifier = stage.start(&text);
    let mut asks = Vec::new();
    for id in ["a", "b", "c"] {
        asks.push(stage.ask(id, &["x", "y"]).await);
    }
    let timed = Terms { timeout: Some(Duration::from_mins(5)), ..Terms::default() };
    asks.push(stage.ask_with(question("d", &["x", "y"]), timed).await);
    let sent = async || {
        let all = (lines(&told).len(), heard.all().len(), server.on("t").len());
        (all == (4, 4, 4)).then_some(())
    };
    until("four nudges on three channels", sent).await;
    // Every one is noted as sent before the daemon stops.
    until("notes", async || {
        let rows = stage.desk.nudges().all().await.unwrap();
        (rows.len() == 12 && rows.iter().all(|row| row.receipt.is_some())).then_some(())
    })
    .await;
    stage.answer(&asks[0]).await;
    stage.desk.decline(&person(), asks[1].id, None).await.unwrap();
    until("two are taken back", async || (server.on("t").len() == 2).then_some(())).await;
    // One closes while nobody listens, one is overdue at the next start.
    notifier.close().await;
    stage.desk.withdraw(&actor(Role::Agent, "ann"), asks[2].id).await.unwrap();
    stage = stage.again_after(Duration::from_mins(6)).await;
    let notifier = stage.start(&text);
    until("all are taken back", async || {
        let all = (lines(&told).len(), heard.all().len(), server.on("t").len());
        (all == (8, 8, 0)).then_some(())
    })
    .await;
    notifier.close().await;
    for ask in &asks {
        let of_it = |line: &&String| line.contains(&ask.id.to_string());
        let expected = [format!("new {} ", ask.id), format!("closed {} r1", ask.id)];
        assert_eq!(
            lines(&told).iter().filter(of_it).collect::<Vec<_>>(),
            expected.iter().collect::<Vec<_>>()
        );
        let kinds = heard.all().into_iter().map(|heard| heard.json());
        let kinds: Vec<String> = kinds
            .filter(|message| message["data"].to_string().contains(&ask.id.to_string()))
            .map(|message| message["type"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(kinds, ["nudge.new", "nudge.closed"]);
    }
    assert_eq!((server.notes.count(&Method::POST), server.notes.count(&Method::DELETE)), (4, 4));
    assert!(stage.desk.nudges().all().await.unwrap().is_empty());
}

/// A thousand asks at once lead to few nudges, before a restart and after it.
#[tokio::test]
async fn a_thousand_asks_in_a_burst_lead_to_few_nudges() {
    let (hook, heard) = receiver(&[]).await;
    let mut stage = Stage::new().await;
    let text = format!(
        "notify:\n  people:\n    ann: {{channels: {{hook: {{kind: webhook, url: \"{hook}\", secret: {SECRET}}}}}}}\n"
    );
    let notifier = stage.start(&text);
    let mut asking = tokio::task::JoinSet::new();
    let shared = Arc::new(stage);
    for n in 0..1000 {
        let stage = Arc::clone(&shared);
        asking.spawn(async move { stage.ask(&format!("q{n}"), &["x", "y"]).await.id });
    }
    assert_eq!(asking.join_all().await.len(), 1000);
    stage = Arc::into_inner(shared).unwrap();
    let told = || -> usize {
        heard.all().iter().map(|heard| heard.json()["data"]["asks"].as_array().unwrap().len()).sum()
    };
    until("the first are told of", async || (told() > 0).then_some(())).await;
    // What is held back is told of a minute later, in one; a slow machine may need a few of them.
    let (mut before, mut since, mut n_minutes) = (0, std::time::Instant::now(), 1);
    until("everything is told of", async || {
        if told() != before {
            (before, since) = (told(), std::time::Instant::now());
        } else if since.elapsed() > Duration::from_secs(2) {
            stage.forward(Duration::from_secs(61));
            (since, n_minutes) = (std::time::Instant::now(), n_minutes + 1);
        }
        (told() == 1000).then_some(())
    })
    .await;
    // Three one by one, and one a minute.
    let n_nudges = heard.all().len();
    assert!(n_nudges <= 3 + 1 + n_minutes, "{n_nudges} nudges in {n_minutes} minutes");
    let n_before = heard.all().len();
    notifier.close().await;
    stage = stage.again().await;
    let notifier = stage.start(&text);
    let last = stage.ask("last", &["x", "y"]).await;
    until("the last one", async || {
        heard.all().last().filter(|heard| heard.body.contains(&last.id.to_string())).map(|_| ())
    })
    .await;
    assert_eq!(heard.all().len(), n_before + 1, "nothing is told again after a restart");
    notifier.close().await;
}

/// Down, slow, 429, 5xx, half an answer, a wrong certificate: the ask goes on, and what can be told is.
#[tokio::test]
async fn a_channel_in_a_bad_mood_holds_up_nobody() {
    let (moody, heard) =
        receiver(&[Mood::Says(500, None), Mood::Says(429, Some(0)), Mood::Says(503, None)]).await;
    let (hanging, _) = receiver(&[Mood::Hangs, Mood::Hangs, Mood::Hangs]).await;
    let (refusing, refused) = receiver(&[Mood::Says(410, None)]).await;
    let (half, (private, taken)) = (half_an_answer().await, behind_tls().await);
    let stage = Stage::new().await;
    let hook = |name: &str, url: &str| {
        format!("        {name}: {{kind: webhook, url: \"{url}\", secret: {SECRET}}}\n")
    };
    let channels = [
        ("moody", moody.as_str()),
        ("hanging", &hanging),
        ("refusing", &refusing),
        ("half", &half),
        ("down", "http://127.0.0.1:1"),
        ("private", &private),
    ];
    let channels: String = channels.iter().map(|(name, url)| hook(name, url)).collect();
    let text = format!("notify:\n  people:\n    ann:\n      channels:\n{channels}");
    let notifier = stage.start(&text);
    let begun = std::time::Instant::now();
    let ask = stage.ask("q", &["x", "y"]).await;
    until("the moody one takes it", async || (heard.all().len() == 4).then_some(())).await;
    let ids: Vec<_> = heard.all().iter().map(|heard| heard.header("webhook-id").to_owned()).collect();
    assert!(ids.iter().all(|id| *id == ids[0] && !id.is_empty()), "the same name in every attempt: {ids:?}");
    // The agent's answer waits for none of them.
    let agent = actor(Role::Agent, "ann");
    let waiting = stage.desk.wait(&agent, ask.id, Duration::from_hours(1));
    stage.answer(&ask).await;
    let waited = waiting.await.unwrap();
    assert!(matches!(waited, Waited::Closed(_)) && begun.elapsed() < Duration::from_secs(20));
    until("it is closed on the moody one", async || (heard.all().len() == 5).then_some(())).await;
    assert_eq!(refused.all().len(), 1, "410: nothing more is sent there");
    assert_eq!(taken.load(Ordering::SeqCst), 0, "nothing is said to whom nobody vouches for");
    notifier.close().await;
    // With the authority's certificate it is trusted.
    let authority = include_bytes!("tests/tls/authority.pem");
    std::fs::write(stage.folder.path().join("authority.pem"), authority).unwrap();
    let text = format!(
        "notify:\n  certificates: authority.pem\n  people:\n    ann:\n      channels:\n{}",
        hook("p", &private)
    );
    let notifier = stage.start(&text);
    stage.ask("r", &["x", "y"]).await;
    until("it is told in private", async || (taken.load(Ordering::SeqCst) == 1).then_some(())).await;
    notifier.close().await;
}

/// What waits for a channel that is down is sent after a restart, and then once.
#[tokio::test]
async fn what_could_not_be_sent_is_sent_after_a_restart() {
    let (hook, heard) = receiver(&[Mood::Says(503, Some(3000)), Mood::Well]).await;
    let mut stage = Stage::new().await;
    let text = format!(
        "notify:\n  people:\n    ann: {{channels: {{hook: {{kind: webhook, url: \"{hook}\", secret: {SECRET}}}}}}}\n"
    );
    let notifier = stage.start(&text);
    stage.ask("q", &["x", "y"]).await;
    until("it waits", async || {
        let rows = stage.desk.nudges().all().await.unwrap();
        rows.iter().any(|row| row.state == askuser_desk::NudgeState::Waiting).then_some(())
    })
    .await;
    notifier.close().await;
    stage = stage.again().await;
    let notifier = stage.start(&text);
    until("it is sent", async || (heard.all().len() == 2).then_some(())).await;
    notifier.close().await;
}

/// Replies: once, by the person, through the channel that it was sent to, while the ask is open.
#[tokio::test]
async fn a_button_answers_once_and_says_who_and_through_what() {
    let (ntfy, server) = NtfyServer::start(&[]).await;
    let stage = Stage::new().await;
    let text = format!(
        "notify:\n  people:\n    ann: {{content: choices, channels: {{phone: {{kind: ntfy, server: \"{ntfy}\", topic: t, replies: back, closed: update}}}}}}\n    bob: {{channels: {{pad: {{kind: ntfy, server: \"{ntfy}\", topic: u, replies: bobs}}}}}}\n"
    );
    let notifier = stage.start(&text);
    let ask = stage.ask("Deploy", &["Staging", "Production"]).await;
    let message = until("a message", async || server.on("t").first().cloned()).await;
    assert_eq!(message["title"], "claude-code · shop asks");
    assert_eq!(message["message"], "Deploy?");
    assert_eq!(message["actions"][1]["label"], "Production");
    // Somebody else's topic, a choice that is not there, and words that are none of ours.
    let body = message["actions"][1]["body"].as_str().unwrap().to_owned();
    let (token, _) = body.split_once(' ').unwrap();
    server.reply("bobs", &body);
    server.reply("back", &format!("{token} 7"));
    server.reply("back", "hello");
    server.reply("back", "a_forgedforgedforgedforgedforgedfo 1");
    until("three are told why", async || {
        let told: Vec<_> = ["t", "u"].iter().flat_map(|topic| server.on(topic)).collect();
        let says = |what: &str| told.iter().any(|one| one["message"].as_str().unwrap().contains(what));
        (says("somebody else") && says("does not have that option") && says("not valid")).then_some(())
    })
    .await;
    assert!(stage.stored(ask.id).await.is_open());
    server.press(&message, 1);
    let outcome = until("an answer", async || stage.stored(ask.id).await.state.outcome().cloned()).await;
    assert_eq!(outcome.by.to_string(), "ann (phone)");
    assert_eq!((outcome.by.channel, outcome.by.proof), (Channel::Notify("phone".into()), Proof::Link));
    let question = stage.stored(ask.id).await.questions.top()[0].clone();
    assert_eq!(outcome.answers.to(&question.id).unwrap().picked, [question.choices[1].id.clone()]);
    // The message says so; pressed once more, it is refused with what happened.
    until("it is updated", async || {
        let updated = server.on("t").into_iter().find(|one| one["sequence_id"] == message["id"]);
        updated.filter(|one| one["message"] == "Answered by ann on phone.")
    })
    .await;
    server.press(&message, 0);
    until("it is refused", async || {
        let told = server.on("t");
        told.iter()
            .any(|one| one["message"].as_str().unwrap().contains("You answered on phone."))
            .then_some(())
    })
    .await;
    notifier.close().await;
}

/// Every key of `notify:` does what it says, also while it runs.
#[tokio::test]
async fn every_setting_has_its_effect() {
    let (hook, heard) = receiver(&[]).await;
    let stage = Stage::new().await;
    let hook = format!("{{kind: webhook, url: \"{hook}\", secret: \"file:hook.secret\"}}");
    std::fs::write(stage.folder.path().join("hook.secret"), SECRET).unwrap();
    let text = |more: &str| {
        format!(
            "notify:\n  url: https://desk.example/\n  people:\n    ann: {{{more}channels: {{h: {hook}, later: {hook}}}}}\n    bob: {{channels: {{b: {hook}}}}}\n"
        )
    };
    let notifier = stage.start(&text(""));
    let last = async |n: usize| {
        until(&format!("{n} nudges"), async || (heard.all().len() >= n).then_some(())).await;
        heard.all()[n - 1].json()
    };
    // content: question, and the link of the page.
    let ask = stage.ask("q1", &["x", "y"]).await;
    let told = last(2).await;
    assert_eq!(
        (told["data"]["text"].as_str(), &told["data"]["choices"]),
        (Some("q1?"), &serde_json::json!([]))
    );
    assert!(told["data"]["link"].as_str().unwrap().starts_with("https://desk.example/a/a_"), "{told}");
    stage.answer(&ask).await;
    last(4).await;
    // content: title; language: zh; escalate: a channel that is kept for it, and another person.
    notifier.set(config(&text(
        "content: title, language: zh, escalate: {after: 30m, channels: [later], to: bob}, ",
    )));
    notifier.settled().await;
    let ask = stage.ask("q2", &["x", "y"]).await;
    let told = last(5).await;
    assert_eq!(
        (told["data"]["title"].as_str(), told["data"]["text"].as_str()),
        (Some("claude-code · shop 有问题"), Some(""))
    );
    stage.forward(Duration::from_mins(31));
    last(7).await;
    let escalated: Vec<_> = heard.all()[5..7].iter().map(fake::Heard::json).collect();
    assert!(escalated.iter().all(|told| told["type"] == "nudge.escalation"));
    let theirs = escalated.iter().find(|told| told["data"]["link"].is_null()).unwrap();
    assert_eq!(
        (theirs["data"]["title"].as_str(), theirs["data"]["text"].as_str()),
        (Some("claude-code · shop is waiting for ann"), Some(""))
    );
    stage.answer(&ask).await;
    last(10).await;
    // wait and remind; content: choices.
    notifier.set(config(&text(
        "content: choices, wait: 1h, remind: [2h], escalate: {after: 9h, channels: [later]}, ",
    )));
    notifier.settled().await;
    let ask = stage.ask("q3", &["x", "y"]).await;
    stage.forward(Duration::from_mins(59));
    assert_eq!(heard.all().len(), 10);
    stage.forward(Duration::from_mins(2));
    let told = last(11).await;
    assert_eq!((told["type"].as_str(), told["data"]["choices"][1].as_str()), (Some("nudge.new"), Some("y")));
    stage.forward(Duration::from_hours(1));
    assert_eq!(last(12).await["type"], "nudge.reminder");
    stage.answer(&ask).await;
    last(14).await;
    notifier.close().await;
}

/// Named again, a person learns of what came meanwhile, in the words of the new setting.
#[tokio::test]
async fn whoever_is_named_again_learns_of_what_is_open() {
    let (hook, heard) = receiver(&[]).await;
    let stage = Stage::new().await;
    let text = format!(
        "notify:\n  people:\n    ann: {{language: zh, channels: {{hook: {{kind: webhook, url: \"{hook}\", secret: {SECRET}}}}}}}\n"
    );
    let notifier = stage.start(&text);
    notifier.set(config("notify: {people: {}}"));
    notifier.settled().await;
    stage.ask("q", &["x", "y"]).await;
    notifier.set(config(&text));
    until("the nudge", async || (!heard.all().is_empty()).then_some(())).await;
    assert_eq!(heard.all()[0].json()["data"]["title"], "claude-code · shop 有问题");
    notifier.close().await;
}

/// Nobody is nudged of what they look at, here or on a restart.
#[tokio::test]
async fn whoever_looks_at_an_ask_is_not_nudged_of_it() {
    let (hook, heard) = receiver(&[]).await;
    let mut stage = Stage::new().await;
    let text = format!(
        "notify:\n  people:\n    ann: {{wait: 1h, channels: {{hook: {{kind: webhook, url: \"{hook}\", secret: {SECRET}}}}}}}\n"
    );
    let notifier = stage.start(&text);
    let seen = stage.ask("seen", &["x", "y"]).await;
    stage.forward(Duration::from_mins(59));
    stage.desk.viewers().note(seen.id, &"ann".into(), stage.desk.now().after(Duration::from_mins(1)), false);
    stage.forward(Duration::from_secs(61));
    until("it is noted as seen", async || {
        let rows = stage.desk.nudges().all().await.unwrap();
        (rows.len() == 1 && rows[0].key.channel.is_empty()).then_some(())
    })
    .await;
    notifier.close().await;
    stage = stage.again_after(Duration::from_mins(61)).await;
    let notifier = stage.start(&text);
    let other = stage.ask("other", &["x", "y"]).await;
    stage.forward(Duration::from_mins(61));
    until("the other", async || (!heard.all().is_empty()).then_some(())).await;
    assert_eq!(heard.all().len(), 1);
    assert!(heard.all()[0].body.contains(&other.id.to_string()));
    notifier.close().await;
}
