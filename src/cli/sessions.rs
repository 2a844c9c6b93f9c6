//! `askuser sessions` and `askuser history`: the conversations, and what was said in them.

use std::fmt::Write;
use std::io::Cursor;

use askuser_core::text::shown;
use hyper::Method;
use serde_json::{Value, json};

use super::args::{Export, Form, Insists};
use super::connect::{self, block_on, done};
use super::exit::Exit;
use super::report::Report;
use super::table::{ago, field, table};
use crate::client::in_path;
use crate::client::keys::KeyFor;
use crate::clock;
use crate::environment::Environment;
use crate::wire::transcript::{Markdown, each_message};

/// `askuser sessions [--end SESSION]`
pub fn run(
    end: Option<&str>,
    form: Form,
    insists: Insists,
    environment: &Environment,
) -> Result<Exit, Report> {
    block_on(async {
        let client = connect::person(environment, insists.as_person).await?;
        if let Some(session) = end {
            let path = format!("/api/sessions/{}/end", in_path(session));
            let told = client.plain(Method::POST, &path, KeyFor::Person, Some(json!({}))).await?;
            return done(&if form.json { told.to_string() } else { format!("{session} is ended") });
        }
        let told = client.plain(Method::GET, "/api/sessions", KeyFor::Person, None).await?;
        if form.json {
            return done(&told.to_string());
        }
        let sessions = told.get("sessions").and_then(Value::as_array).cloned().unwrap_or_default();
        if sessions.is_empty() {
            return done("no conversation yet");
        }
        let now = clock::now();
        let rows: Vec<Vec<String>> = sessions.iter().map(|session| row(session, now)).collect();
        done(&table(&["SESSION", "LAST", "STATUS", "ROUND", "NAME"], &rows))
    })
}

fn row(session: &Value, now: askuser_core::time::Timestamp) -> Vec<String> {
    // A derived name is a digest and tells a person nothing.
    let name = field(session, "external_id");
    let name = if field(session, "origin") == "derived" { "(made for single asks)".to_owned() } else { name };
    vec![
        field(session, "session_id"),
        ago(&field(session, "last_activity"), now),
        field(session, "status"),
        field(session, "current_round"),
        name,
    ]
}

/// `askuser history SESSION [--export FORM]`
pub fn history(
    session: &str,
    export: Option<Export>,
    insists: Insists,
    environment: &Environment,
) -> Result<Exit, Report> {
    block_on(async {
        let client = connect::person(environment, insists.as_person).await?;
        let path = format!("/api/sessions/{}", in_path(session));
        let Some(export) = export else {
            let told = client.plain(Method::GET, &path, KeyFor::Person, None).await?;
            return done(page(&told).trim_end());
        };
        let told = client.plain(Method::GET, &format!("{path}/messages"), KeyFor::Person, None).await?;
        let messages = told.get("messages").and_then(Value::as_array).cloned().unwrap_or_default();
        let lines: Vec<String> = messages.iter().map(Value::to_string).collect();
        match export {
            Export::Json => done(&Value::Array(messages).to_string()),
            Export::Jsonl => done(&lines.join("\n")),
            Export::Md => {
                let mut text = Markdown::title(session);
                let mut markdown = Markdown::default();
                let lines = Cursor::new(lines.join("\n"));
                let read = each_message(lines, |message| text.push_str(&markdown.message(&message)));
                read.map_err(|error| Report::failed(error.to_string(), None))?;
                done(text.trim_end())
            }
        }
    })
}

/// `askuser restore SESSION [--version V] [--round N]`
pub fn restore(
    session: &str,
    version: Option<u64>,
    round: Option<u32>,
    form: Form,
    insists: Insists,
    environment: &Environment,
) -> Result<Exit, Report> {
    block_on(async {
        let client = connect::person(environment, insists.as_person).await?;
        let path = format!("/api/sessions/{}/restore", in_path(session));
        let body = json!({"version": version, "round": round});
        let told = client.plain(Method::POST, &path, KeyFor::Person, Some(body)).await?;
        if form.json {
            return done(&told.to_string());
        }
        let (new, from) = (field(&told, "session_id"), field(&told, "restored_from"));
        done(&format!("{new} goes on from {from}, round {}", field(&told, "current_round")))
    })
}

/// Writes a session to be read on a terminal: every question with what was answered.
fn page(session: &Value) -> String {
    let mut text = String::new();
    let mut line = |words: String| {
        // Writing to a string does not fail.
        let _written = writeln!(text, "{}", shown(&words));
    };
    line(format!("{} · {}", field(session, "session_id"), field(session, "status")));
    line(String::new());
    let list = |key: &str| session.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    for said in list("dialog_history") {
        let round = field(&said, "round");
        let (question, answer) = (field(&said, "question"), field(&said, "answer"));
        let answer = if answer.is_empty() { field(&said, "status") } else { answer };
        line(format!("Round {round}: {question} → {answer}"));
    }
    for open in list("current_questions") {
        line(format!("Round {}: {} → (open)", field(&open, "round"), field(&open, "question")));
    }
    text
}
