//! A bot of which the server is a script: the shapes are those of the Bot API.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use askuser_core::outcome::{Channel, Proof};
use axum::Router;
use axum::extract::{Path as InPath, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use tokio::net::TcpListener;
use tokio::sync::Notify;

use super::*;
use crate::tests::fake::{Stage, permission, question, until};

/// The server: it notes every call, numbers messages, and hands out what was pressed.
#[derive(Clone, Default)]
struct Bot {
    calls: Arc<Mutex<Vec<(String, Value)>>>,
    pressed: Arc<Mutex<Vec<Value>>>,
    fails: Arc<Mutex<VecDeque<(u16, Value)>>>,
    bell: Arc<Notify>,
}

async fn called(
    State(bot): State<Bot>,
    InPath((who, method)): InPath<(String, String)>,
    body: String,
) -> Response {
    let body: Value = serde_json::from_str(&body).unwrap();
    let fail =
        |status: u16, said: Value| (StatusCode::from_u16(status).unwrap(), axum::Json(said)).into_response();
    if who != "bot12:key" {
        return fail(401, json!({"ok": false, "error_code": 401, "description": "Unauthorized"}));
    }
    let n_calls = {
        let mut calls = bot.calls.lock().unwrap();
        calls.push((method.clone(), body.clone()));
        calls.len()
    };
    if let Some((status, said)) = bot.fails.lock().unwrap().pop_front() {
        return fail(status, said);
    }
    let result = match method.as_str() {
        "sendMessage" => {
            json!({"message_id": n_calls, "chat": {"id": body["chat_id"]}, "text": body["text"]})
        }
        "getUpdates" => loop {
            let offset = body["offset"].as_i64().unwrap();
            let found: Vec<Value> = bot
                .pressed
                .lock()
                .unwrap()
                .iter()
                .filter(|one| one["update_id"].as_i64().unwrap() >= offset)
                .cloned()
                .collect();
            if !found.is_empty() {
                break json!(found);
            }
            bot.bell.notified().await;
        },
        _ => json!(true),
    };
    axum::Json(json!({"ok": true, "result": result})).into_response()
}

impl Bot {
    async fn start() -> (String, Self) {
        let bot = Self::default();
        let router = Router::new().route("/{who}/{method}", post(called)).with_state(bot.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        (url, bot)
    }

    fn of(&self, method: &str) -> Vec<Value> {
        self.calls
            .lock()
            .unwrap()
            .iter()
            .filter(|(name, _)| name == method)
            .map(|(_, body)| body.clone())
            .collect()
    }

    fn press(&self, who: i64, text: &str) {
        let mut pressed = self.pressed.lock().unwrap();
        let n = i64::try_from(pressed.len()).unwrap() + 100;
        pressed.push(json!({"update_id": n, "callback_query": {"id": format!("c{n}"), "from": {"id": who}, "data": text,
            "message": {"message_id": 1, "chat": {"id": 7}}}}));
        self.bell.notify_one();
    }

    async fn pop_up(&self, n: usize) -> String {
        until("a pop-up", async || {
            self.of("answerCallbackQuery").get(n).map(|one| one["text"].as_str().unwrap().to_owned())
        })
        .await
    }
}

fn text(url: &str) -> String {
    format!(
        "notify:\n  url: https://desk.example\n  people:\n    ann: {{content: choices, channels: {{chat: {{kind: telegram, token: \"12:key\", chat: 7, people: [42], server: \"{url}\"}}}}}}\n"
    )
}

#[tokio::test]
async fn a_bot_tells_takes_the_answer_of_people_on_its_list_and_edits_its_message() {
    let (url, bot) = Bot::start().await;
    let stage = Stage::new().await;
    let notifier = stage.start(&text(&url));
    let ask = stage.ask("Deploy", &["Staging", "Production"]).await;
    let sent = until("a message", async || bot.of("sendMessage").first().cloned()).await;
    assert_eq!(
        (sent["chat_id"].as_i64(), sent["text"].as_str()),
        (Some(7), Some("claude-code · shop asks\nDeploy?"))
    );
    let keyboard = &sent["reply_markup"]["inline_keyboard"];
    assert_eq!(
        (keyboard[1][0]["text"].as_str(), keyboard.as_array().unwrap().len()),
        (Some("Production"), 3)
    );
    assert!(keyboard[2][0]["url"].as_str().unwrap().starts_with("https://desk.example/a/a_"), "{sent}");
    let data = keyboard[1][0]["callback_data"].as_str().unwrap();
    assert!(data.len() <= 64, "{data}");
    bot.press(666, data);
    assert_eq!(bot.pop_up(0).await, "This is for somebody else.");
    bot.press(42, "a_forgedforgedforgedforgedforgedfo 1");
    assert!(bot.pop_up(1).await.contains("not valid"));
    assert!(stage.stored(ask.id).await.is_open());
    bot.press(42, data);
    assert_eq!(bot.pop_up(2).await, "✓");
    let outcome = stage.stored(ask.id).await.state.outcome().cloned().unwrap();
    assert_eq!((outcome.by.channel, outcome.by.proof), (Channel::Notify("chat".into()), Proof::Link));
    let edit = until("an edit", async || bot.of("editMessageText").first().cloned()).await;
    assert_eq!(edit["text"], "Answered by ann on chat.");
    // The buttons are gone with the edit; one that is pressed in the same moment says what happened.
    assert!(edit.get("reply_markup").is_none());
    bot.press(42, &data.replace(" 2", " 1"));
    assert!(bot.pop_up(3).await.contains("You answered on chat."));
    // A permission has no buttons, and its link leads to the page.
    let asked = stage.ask_with(question("May I", &["Yes", "No"]), permission()).await;
    let sent = until("another message", async || bot.of("sendMessage").get(1).cloned()).await;
    assert_eq!(
        sent["reply_markup"]["inline_keyboard"][0][0]["url"],
        format!("https://desk.example/asks/{}", asked.id)
    );
    notifier.close().await;
}

#[tokio::test]
async fn what_a_bot_is_refused_is_told_without_its_token() {
    let (url, bot) = Bot::start().await;
    let part = |token: &str| TelegramPart {
        token: askuser_config::Hidden::new(token),
        chat: 7,
        people: vec![42],
        server: url.clone(),
    };
    assert!(Telegram::new(&part("a b"), Path::new("/"), Http::default(), None).is_err());
    let telegram = Telegram::new(&part("12:key"), Path::new("/"), Http::default(), None).unwrap();
    let slow = json!({"ok": false, "error_code": 429, "description": "Too Many Requests: retry after 9", "parameters": {"retry_after": 9}});
    let gone =
        json!({"ok": false, "error_code": 400, "description": "Bad Request: message to edit not found"});
    bot.fails.lock().unwrap().extend([(429, slow), (400, gone)]);
    let letter =
        crate::Nudge { id: "n".into(), why: crate::Why::Test, person: "ann".into(), asks: Vec::new() };
    let letter = letter.write(&askuser_config::PersonPart::default(), None, None);
    let trouble = telegram.send(&letter).await.unwrap_err();
    assert_eq!(trouble.again, Retry::Later(Some(Duration::from_secs(9))));
    let ended = Ended { ask: "ask_1".into(), status: "answered", text: "Answered.".into() };
    assert_eq!(telegram.take_back("3", &ended).await, Ok(()));
    let other = Telegram::new(&part("13:other"), Path::new("/"), Http::default(), None).unwrap();
    let trouble = other.send(&letter).await.unwrap_err();
    assert_eq!(
        (trouble.again, trouble.why.english.as_str()),
        (Retry::Never, "the service answered 401 Unauthorized: Unauthorized")
    );
    let down = TelegramPart { server: "http://127.0.0.1:1".into(), ..part("12:key") };
    let down = Telegram::new(&down, Path::new("/"), Http::default(), None).unwrap();
    assert!(!down.send(&letter).await.unwrap_err().why.english.contains("12:key"));
}
