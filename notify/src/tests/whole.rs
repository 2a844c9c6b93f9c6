//! Nobody answers what they were not shown: whatever is asked, whatever the person lets out, a message with
//! an answer button has all of the question in it, on every channel.

use std::path::Path;
use std::sync::Arc;

use askuser_core::ask::{Ask, State};
use askuser_core::asker::{Asker, Purpose, Terms, TimeoutPolicy};
use askuser_core::id::{AskId, SessionId};
use askuser_core::text::shown as harmless;
use askuser_core::time::Timestamp;
use askuser_words::Language;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use super::fake::{NtfyServer, Stage, question, until};
use crate::email::Email;
use crate::ntfy::Ntfy;
use crate::replies::button;
use crate::slack::Slack;
use crate::telegram::Telegram;
use crate::{Letter, Nudge, Why, command, push};
use askuser_config::{Content, EmailPart, Hidden, NtfyPart, PersonPart, SlackPart, TelegramPart, WhenClosed};
use askuser_net::http::Http;
use askuser_wire::read_told;

const TOKEN: &str = "a_0123456789abcdefghijklmnopqrstuv";

/// Texts of every length, some of which would act.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-zA-Zé数 ?*•:<&]{1,24}[a-z?]",
        1 => "[a-z\n]{1,60}[a-z?]",
        1 => "[a-z ]{200,1500}[a-z?]",
        1 => "[a-z\u{1b}\u{202e}\u{7}\u{feff}]{1,20}[a-z]",
    ]
}

fn maybe(text: impl Strategy<Value = String>) -> impl Strategy<Value = Option<String>> {
    proptest::option::weighted(0.4, text)
}

fn asked() -> impl Strategy<Value = Value> {
    let choice = (text(), maybe(text()), proptest::bool::weighted(0.05));
    let choices = proptest::collection::vec(choice, 0..5);
    let kind = prop_oneof![4 => Just("multiple_choice"), 2 => Just("boolean"), 1 => Just("checkbox")];
    (maybe(text()), text(), maybe(text()), kind, choices, proptest::bool::weighted(0.05)).prop_map(
        |(header, text, description, kind, choices, secret)| {
            let option = |(place, (label, about, has_preview)): (usize, &(String, Option<String>, bool))| {
                let preview = has_preview.then_some("looks so");
                json!({"id": format!("c{place}"), "label": format!("{label}{place}"), "description": about,
                    "preview": preview, "default": place == 0})
            };
            let options: Vec<Value> = choices.iter().enumerate().map(option).collect();
            let kind = if options.len() < 2 && kind != "boolean" { "text" } else { kind };
            let mut question = json!({"header": header, "question": text, "description": description,
                "type": kind, "secret": secret && kind == "text"});
            if kind != "boolean" && kind != "text" {
                question["options"] = options.into();
            }
            question
        },
    )
}

fn any_ask() -> impl Strategy<Value = Ask> {
    let questions =
        prop_oneof![6 => proptest::collection::vec(asked(), 1), 1 => proptest::collection::vec(asked(), 2)];
    let policy =
        prop_oneof![Just(TimeoutPolicy::Cancel), Just(TimeoutPolicy::Default), Just(TimeoutPolicy::Abort)];
    let around = (maybe(text()), proptest::bool::weighted(0.1), proptest::option::of(policy));
    let state = prop_oneof![9 => Just(State::Showing), 1 => Just(State::Pending)];
    (questions, around, state).prop_filter_map("a question", |(questions, around, state)| {
        let (context, is_permission, policy) = around;
        let purpose = if is_permission { Purpose::Permission } else { Purpose::Decision };
        let asker = Asker { agent: Some("codex".into()), ..Asker::default() };
        let questions = read_told(&json!({ "questions": questions })).ok()?;
        Some(Ask {
            deadline: policy.map(|_| Timestamp(600_000)),
            state,
            ..Ask::new(
                AskId(1),
                SessionId(1),
                "ann".into(),
                Arc::new(questions),
                Arc::new(Terms { asker, context, purpose, policy, ..Terms::default() }),
                Timestamp(0),
            )
        })
    })
}

fn rules() -> impl Strategy<Value = PersonPart> {
    let content =
        prop_oneof![1 => Just(Content::Title), 1 => Just(Content::Question), 4 => Just(Content::Choices)];
    (content, prop_oneof![Just(Language::English), Just(Language::Chinese)])
        .prop_map(|(content, language)| PersonPart { content, language, ..PersonPart::default() })
}

/// Every text in a value, one after another.
fn texts(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text}\n"),
        Value::Array(list) => list.iter().map(texts).collect(),
        Value::Object(fields) => fields.values().map(texts).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

/// What every channel sends of a letter: its name, and all the texts that are in it.
fn payloads(letter: &Letter) -> Vec<(&'static str, String)> {
    let (folder, http) = (Path::new("/"), Http::default);
    let slack = SlackPart {
        bot_token: Hidden::new("xoxb-1"),
        app_token: Hidden::new("xapp-1"),
        channel: "U1".into(),
        people: vec!["U1".into()],
        server: "https://slack.example".into(),
    };
    let telegram = TelegramPart {
        token: Hidden::new("12:key"),
        chat: 7,
        people: vec![42],
        server: "https://telegram.example".into(),
    };
    let ntfy = |replies: Option<Hidden>| NtfyPart {
        server: "https://ntfy.example".into(),
        topic: Hidden::new("t"),
        replies,
        token: None,
        priority: 4,
        closed: WhenClosed::Delete,
    };
    let email = EmailPart {
        server: "smtps://mail.example".into(),
        from: "desk@example.com".into(),
        to: "ann@example.com".into(),
        user: None,
        password: None,
    };
    let clock: askuser_desk::Clock = Arc::new(|| Timestamp(0));
    let mail = Email::new(&email, folder, None, clock).unwrap().mail(letter).unwrap().formatted();
    let mail = String::from_utf8(mail).unwrap();
    let (_, body) = mail.split_once("\r\n\r\n").unwrap();
    let body = STANDARD.decode(body.replace("\r\n", "")).unwrap();
    let asks = letter.asks.join(" ");
    let told = command::variables(letter, &asks).map(|(_, text)| text).join("\n");
    let hook: Value = serde_json::from_str(&letter.message(Timestamp(0))).unwrap();
    let pushed: Value = serde_json::from_slice(&push::written(letter, "tag", "/")).unwrap();
    let on_topic = |replies| Ntfy::new(&ntfy(replies), folder, http(), None).unwrap().message(letter);
    vec![
        ("slack", texts(&Slack::new(&slack, folder, http(), None).unwrap().message(letter))),
        ("telegram", texts(&Telegram::new(&telegram, folder, http(), None).unwrap().message(letter))),
        ("ntfy", texts(&on_topic(Some(Hidden::new("back"))))),
        ("ntfy without replies", texts(&on_topic(None))),
        ("web_push", texts(&pushed)),
        ("email", String::from_utf8(body).unwrap().replace("\r\n", "\n")),
        ("webhook", texts(&hook)),
        ("command", format!("{told}\n{}", texts(&letter.json()))),
        ("desktop", format!("{}\n{}", letter.title, letter.text)),
    ]
}

#[test]
fn no_message_has_an_answer_button_for_what_it_does_not_show() {
    let mut runner = TestRunner::new(Config { failure_persistence: None, cases: 600, ..Config::default() });
    let n_pressed = std::cell::Cell::new(0);
    let held = runner.run(&(any_ask(), rules()), |(ask, rule)| {
        let ask = Arc::new(ask);
        let nudge =
            Nudge { id: "n".into(), why: Why::New, person: "ann".into(), asks: vec![Arc::clone(&ask)] };
        let letter = nudge.write(&rule, Some("https://desk.example"), Some(TOKEN));
        for (channel, sent) in payloads(&letter) {
            let is_button = |place: usize| sent.contains(&button(TOKEN, place));
            if !(0..64).any(is_button) {
                // Cut or not, the rest is a way to the question.
                let has_way = sent.contains(TOKEN) || ["web_push", "desktop"].contains(&channel);
                prop_assert!(has_way, "{channel}: {sent}");
                continue;
            }
            n_pressed.set(n_pressed.get() + 1);
            prop_assert_eq!(rule.content, Content::Choices);
            prop_assert!(ask.terms.purpose == Purpose::Decision && ask.state == State::Showing);
            for part in ask.parts() {
                prop_assert!(sent.contains(&*harmless(part)), "{channel} lacks {part:?}: {sent}");
            }
        }
        Ok(())
    });
    held.unwrap();
    assert!(n_pressed.get() > 60, "too few have buttons to prove anything: {}", n_pressed.get());
}

/// A reply is made up easily: only a message that had buttons is answered by one.
#[tokio::test]
async fn a_reply_answers_nothing_whose_message_had_no_buttons() {
    let (ntfy, server) = NtfyServer::start(&[]).await;
    let stage = Stage::new().await;
    let text = format!(
        "notify:\n  url: https://desk.example\n  people:\n    ann: {{content: choices, channels: {{phone: {{kind: ntfy, server: \"{ntfy}\", topic: t, replies: back}}}}}}\n"
    );
    let notifier = stage.start(&text);
    let terms = Terms { context: Some("It deletes all backups. ".repeat(40)), ..Terms::default() };
    let ask = stage.ask_with(question("Go on", &["Yes", "No"]), terms).await;
    let message = until("a message", async || server.on("t").first().cloned()).await;
    assert_eq!(message["actions"], Value::Null, "{message}");
    let said = message["message"].as_str().unwrap();
    assert!(said.contains("It deletes all backups.") && said.contains('…'), "{said}");
    let (_, token) = message["click"].as_str().unwrap().split_once("/a/").unwrap();
    server.reply("back", &format!("{token} 1"));
    let refused = until("a refusal", async || server.on("t").get(1).cloned()).await;
    assert!(refused["message"].as_str().unwrap().contains("too long for a button"), "{refused}");
    assert!(stage.stored(ask.id).await.is_open());
    notifier.close().await;
}
