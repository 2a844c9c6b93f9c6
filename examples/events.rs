//! The event protocol in one process (E7): an agent and a person, each at one end of a line.
//!
//! `cargo run --example events` asks a question as an agent's library would, answers it as a
//! surface of ours would, and prints every message. Nothing is listened on; the desk is in memory.

use std::error::Error;
use std::io::{Write as _, stdout};
use std::sync::Arc;

use askuser::clock;
use askuser::desk::Desk;
use askuser::doorway::socket::{Line, Said};
use askuser::store::sqlite::{Options, Sqlite};
use askuser::wire::language::Language;
use askuser_core::command::{Actor, Role};
use askuser_core::limits::DeskLimits;
use askuser_core::outcome::{By, Channel, Proof};
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn Error>>;

#[tokio::main]
async fn main() -> Outcome<()> {
    let store = Sqlite::in_memory(&Options::new(DeskLimits::default(), clock::now()))?;
    let desk = Desk::open(Arc::new(store), Arc::new(clock::now)).await?;
    let line = |actor| Line::new(desk.clone(), actor, "example".to_owned(), Language::English);
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
    agent.hear(&request.to_string()).await;

    let asked = next(&mut person, "the person sees").await?;
    let response = json!({"event": "ask:question:response", "data": {
        "agentId": asked["data"]["agentId"], "askId": asked["data"]["askId"],
        "answers": {"question-0": "Blue"},
    }});
    person.hear(&response.to_string()).await;

    next(&mut agent, "the agent is told").await?;
    desk.close().await?;
    Ok(())
}

/// Takes the next message off a line, prints it, and says that it arrived.
async fn next(line: &mut Line, who: &str) -> Outcome<Value> {
    let said: Said = line.next().await.ok_or("the desk closed")?;
    line.sent(&said);
    writeln!(stdout(), "{who}: {}", said.text)?;
    Ok(serde_json::from_str(&said.text)?)
}

fn actor(role: Role, channel: Channel) -> Actor {
    let by = By { user: Some("local".into()), channel, proof: Proof::KeyFile };
    Actor { role, user: "local".into(), by }
}
