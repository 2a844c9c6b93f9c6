//! The event protocol in one process (E7): an agent and a person, each at one end of a line.
//!
//! `cargo run --example events` asks a question as an agent's library would, answers it as a
//! surface of ours would, and prints every message. Nothing is listened on; the desk is in memory.

use std::error::Error;
use std::io::{Write as _, stdout};
use std::sync::Arc;

use askuser_core::command::{Actor, Role};
use askuser_core::limits::DeskLimits;
use askuser_core::outcome::{By, Channel, Proof};
use askuser_desk::Desk;
use askuser_http::event_protocol::{Conversation, Outgoing};
use askuser_store::sqlite::{Options, Sqlite};
use askuser_system::clock;
use askuser_words::Language;
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn Error>>;

#[tokio::main]
async fn main() -> Outcome<()> {
    for line in talk().await? {
        writeln!(stdout(), "{line}")?;
    }
    Ok(())
}

/// Asks and answers; returns what each end was sent.
async fn talk() -> Outcome<[String; 2]> {
    let store = Sqlite::in_memory(&Options::new(DeskLimits::default(), clock::now()))?;
    let desk = Desk::open(Arc::new(store), Arc::new(clock::now)).await?;
    let line = |actor| Conversation::new(desk.clone(), actor, "example".to_owned(), Language::English);
    let mut agent = line(actor(Role::Agent, Channel::Agent));
    let mut person = line(actor(Role::Person, Channel::Api));

    let request = json!({"event": "ask:question:request", "data": {
        "agentId": "example",
        "questions": [{
            "question": "Which colour?", "header": "Colour", "multiSelect": false,
            "options": [
                {"label": "Green", "description": "as the grass"},
                {"label": "Blue", "description": "as the sky"},
            ],
        }],
    }});
    agent.receive(&request.to_string()).await;

    let seen = next(&mut person).await?;
    let asked: Value = serde_json::from_str(&seen)?;
    let response = json!({"event": "ask:question:response", "data": {
        "agentId": asked["data"]["agentId"], "askId": asked["data"]["askId"],
        "answers": {"question-0": "Blue"},
    }});
    person.receive(&response.to_string()).await;

    let told = next(&mut agent).await?;
    desk.close().await?;
    Ok([format!("the person sees: {seen}"), format!("the agent is told: {told}")])
}

/// Takes the next message off a line, and says that it arrived.
async fn next(line: &mut Conversation) -> Outcome<String> {
    let said: Outgoing = line.next().await.ok_or("the desk closed")?;
    line.sent(&said);
    Ok(said.text)
}

fn actor(role: Role, channel: Channel) -> Actor {
    let by = By::new(Some("local".into()), channel, Proof::KeyFile);
    Actor { role, user: "local".into(), by, key: None }
}

/// E7: what stands here runs, and says what `docs/wire.md` says of the protocol.
#[tokio::test]
async fn e7_the_example_asks_and_is_answered() {
    let [seen, told] = talk().await.unwrap();
    let seen: Value = serde_json::from_str(seen.strip_prefix("the person sees: ").unwrap()).unwrap();
    let told: Value = serde_json::from_str(told.strip_prefix("the agent is told: ").unwrap()).unwrap();
    assert_eq!(seen["event"], "ask:question:request");
    assert_eq!(seen["data"]["questions"][0]["question"], "Which colour?");
    assert_eq!(told["event"], "ask:question:response");
    assert_eq!(told["data"]["answers"], json!({"question-0": "Blue"}));
}
