//! `askuser rules`: always the same answer to the same question, until a time; made from an answer that
//! the person gave.

use hyper::Method;
use serde_json::{Value, json};

use super::args::RuleVerb;
use super::connect::{self, block_on, done};
use super::exit::Exit;
use super::report::Report;
use super::table::{field, table};
use crate::client::in_path;
use crate::client::keys::KeyFor;
use crate::clock;
use crate::config::duration;
use crate::environment::Environment;
use crate::wire::time;

/// `askuser rules …`
pub fn run(verb: &RuleVerb, environment: &Environment) -> Result<Exit, Report> {
    match verb {
        RuleVerb::Add { ask, length, form } => {
            let length =
                duration::parse(length).map_err(|error| Report::wrong_input(error.to_string(), None))?;
            let until = time::write(clock::now().after(length));
            block_on(async {
                // Whoever insists may answer, and may not have answers given from then on (invariant 6).
                let client = connect::person(environment, false).await?;
                let body = json!({"ask_id": ask, "until": until});
                let told = client.plain(Method::POST, "/api/rules", KeyFor::Person, Some(body)).await?;
                done(&if form.json { told.to_string() } else { words(&told) })
            })
        }
        RuleVerb::List { form, insists } => block_on(async {
            let client = connect::person(environment, insists.as_person).await?;
            let told = client.plain(Method::GET, "/api/rules", KeyFor::Person, None).await?;
            done(&if form.json { told.to_string() } else { listed(&told) })
        }),
        RuleVerb::Remove { rule, insists } => block_on(async {
            let client = connect::person(environment, insists.as_person).await?;
            let path = format!("/api/rules/{}", in_path(rule));
            client.plain(Method::DELETE, &path, KeyFor::Person, None).await?;
            done(&format!("removed {rule}: you are asked again"))
        }),
    }
}

fn words(rule: &Value) -> String {
    format!(
        "{} until {}; `askuser rules remove {}` takes it back",
        field(rule, "name"),
        field(rule, "until"),
        field(rule, "rule_id")
    )
}

fn listed(told: &Value) -> String {
    let permissions = permissions(told);
    let made = made(told);
    if permissions.is_empty() { made } else { format!("{permissions}\n\n{made}") }
}

/// The rules for permissions of `rules.yaml`, and whether they count.
fn permissions(told: &Value) -> String {
    let rules = told.get("permissions").and_then(Value::as_array).cloned().unwrap_or_default();
    let rows: Vec<Vec<String>> = rules
        .iter()
        .map(|rule| {
            let in_file = rule.get("in_file").and_then(Value::as_bool).unwrap_or(true);
            let state = match rule.get("confirmed_at").and_then(Value::as_str) {
                None => "waits for your confirmation on the page: `askuser open`, then Rules".to_owned(),
                Some(at) if in_file => format!("confirmed {at}"),
                Some(at) => format!("confirmed {at}, no longer in rules.yaml"),
            };
            let digest: String = field(rule, "digest").chars().take(12).collect();
            vec![digest, field(rule, "name"), state]
        })
        .collect();
    if rows.is_empty() { String::new() } else { table(&["FOR PERMISSIONS", "NAME", "STATE"], &rows) }
}

fn made(told: &Value) -> String {
    let rules = told.get("rules").and_then(Value::as_array).cloned().unwrap_or_default();
    if rules.is_empty() {
        return "no rule was made; `askuser rules add ASK` makes one from an answer you gave".to_owned();
    }
    let rows: Vec<Vec<String>> = rules
        .iter()
        .map(|rule| {
            let says = rule.get("answers").and_then(Value::as_array).cloned().unwrap_or_default();
            let says =
                says.iter().map(|said| format!("{} → {}", field(said, "question"), field(said, "answer")));
            let holds = rule.get("holds").and_then(Value::as_bool).unwrap_or(true);
            vec![
                field(rule, "rule_id"),
                if holds { field(rule, "until") } else { "answers nothing: make it again".to_owned() },
                field(rule, "agent"),
                field(rule, "project"),
                says.collect::<Vec<_>>().join("; "),
            ]
        })
        .collect();
    table(&["RULE", "UNTIL", "AGENT", "PROJECT", "ANSWERS"], &rows)
}
