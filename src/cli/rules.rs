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
            vec![
                field(rule, "rule_id"),
                field(rule, "until"),
                field(rule, "agent"),
                field(rule, "project"),
                says.collect::<Vec<_>>().join("; "),
            ]
        })
        .collect();
    table(&["RULE", "UNTIL", "AGENT", "PROJECT", "ANSWERS"], &rows)
}
