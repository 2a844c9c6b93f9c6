//! `askuser audit` and `askuser purge`: what was decided, the proof that nobody changed it, and
//! erasing what is old.

use askuser_core::headline::headline;
use hyper::Method;
use serde_json::{Value, json};

use super::args::{Audit, AuditForm, Purge};
use super::connect::{self, block_on, done};
use super::duration;
use super::exit::Exit;
use super::report::{Report, print_outcome};
use super::table::{field, table};
use crate::client::keys::KeyFor;
use crate::client::{Client, in_path};
use crate::environment::Environment;
use crate::watch::audit::{Form, write};

/// Entries that are fetched in one go.
const PAGE: u32 = 1000;

/// `askuser audit`: with `--verify` 0 where the chains are whole, 1 where one is not.
pub fn audit(args: &Audit, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let client = connect::person(environment, args.insists.as_person).await?;
        if args.verify {
            return verify(&client, args.form.json).await;
        }
        if args.security {
            return security(&client, args.form.json).await;
        }
        search(&client, args).await
    })
}

async fn verify(client: &Client, as_json: bool) -> Result<Exit, Report> {
    let told = client.plain(Method::GET, "/api/audit/verify", KeyFor::Admin, None).await?;
    let whole = told.get("whole").and_then(Value::as_bool) == Some(true);
    let exit = if whole { Exit::Answered } else { Exit::Failed };
    if as_json {
        return super::ask::finish(&told.to_string(), exit);
    }
    let said = if whole {
        let of = |part: &str, name: &str| told.get(part).map(|part| field(part, name)).unwrap_or_default();
        let (facts, events) = (field(&told, "facts"), of("security", "events"));
        let (asks, erased) = (of("served", "asks"), of("served", "asks_erased"));
        let erased = match erased.as_str() {
            "" | "0" => String::new(),
            erased => format!(" ({erased} as far as the facts still say: the rest was erased)"),
        };
        format!(
            "whole: {facts} facts and {events} security events, each chained to the one before; \
             {asks} questions and their answers agree with the facts{erased}"
        )
    } else {
        format!("BROKEN: {}", broken(&told).join("\n        "))
    };
    super::ask::finish(&said, exit)
}

/// What does not hold, a line each.
fn broken(told: &Value) -> Vec<String> {
    let link = |part: Option<&Value>, what: &str| {
        let broken = part?.get("broken").filter(|broken| broken.is_object())?;
        Some(format!("{what} {} {}", field(broken, "number"), field(broken, "fault")))
    };
    let served = told.get("served");
    let differences = served.and_then(|served| served.get("differences")).and_then(Value::as_array);
    let faults = differences.into_iter().flatten().map(|difference| field(difference, "fault"));
    let mut lines: Vec<String> = link(Some(told), "fact")
        .into_iter()
        .chain(link(told.get("security"), "security event"))
        .chain(faults)
        .collect();
    let n_differs = served.and_then(|served| served.get("differs")).and_then(Value::as_u64).unwrap_or(0);
    let n_named = differences.map_or(0, Vec::len) as u64;
    if n_differs > n_named {
        lines.push(format!("and {} more", n_differs - n_named));
    }
    lines
}

async fn security(client: &Client, as_json: bool) -> Result<Exit, Report> {
    let events = pages(client, "/api/security?", "events", None).await?;
    if as_json {
        return done(&json!({ "events": events }).to_string());
    }
    let told = |event: &Value| {
        let details = event.get("details").map(ToString::to_string).unwrap_or_default();
        vec![
            field(event, "number"),
            field(event, "at"),
            field(event, "severity"),
            field(event, "kind"),
            details,
        ]
    };
    let rows: Vec<Vec<String>> = events.iter().map(told).collect();
    done(&table(&["NUMBER", "WHEN", "SEVERITY", "KIND", "WHAT IS KNOWN"], &rows))
}

async fn search(client: &Client, args: &Audit) -> Result<Exit, Report> {
    let filters = [
        ("since", &args.since),
        ("until", &args.until),
        ("session", &args.session),
        ("agent", &args.agent),
        ("user", &args.user),
        ("action", &args.action),
        ("text", &args.text),
    ];
    let given = filters.iter().filter_map(|(name, value)| value.as_ref().map(|value| (name, value)));
    let query: Vec<String> = given.map(|(name, value)| format!("{name}={}&", in_path(value))).collect();
    let path = format!("/api/audit?{}", query.concat());
    if let Some(form) = args.export {
        let form = match form {
            AuditForm::Jsonl => Form::JsonLines,
            AuditForm::Csv => Form::Csv,
            AuditForm::Md => Form::Markdown,
        };
        pages(client, &path, "entries", Some(form)).await?;
        return Ok(Exit::Answered);
    }
    let entries = pages(client, &path, "entries", None).await?;
    if args.form.json {
        return done(&json!({ "entries": entries }).to_string());
    }
    let columns = ["number", "at", "action", "agent", "user", "channel", "address"];
    let row = |entry: &Value| {
        let cell = |column: &&str| match (*column, field(entry, column)) {
            ("agent", name) if name.is_empty() => "(unnamed)".to_owned(),
            (_, text) if text.is_empty() => "-".to_owned(),
            (_, text) => text,
        };
        let mut row: Vec<String> = columns.iter().map(cell).collect();
        let said = entry.get("questions").and_then(Value::as_array).cloned().unwrap_or_default();
        let context = Some(field(entry, "context")).filter(|context| !context.is_empty());
        let said = said.iter().enumerate().map(|(place, said)| {
            let question = headline(&field(said, "question"), context.as_deref().filter(|_| place == 0));
            format!("{question} {}", field(said, "answer"))
        });
        row.push(said.collect::<Vec<_>>().join(" | "));
        row
    };
    let rows: Vec<Vec<String>> = entries.iter().map(row).collect();
    done(&table(&["NUMBER", "WHEN", "WHAT", "AGENT", "USER", "CHANNEL", "ADDRESS", "SAID"], &rows))
}

/// Fetches page after page; prints each as it comes where a form is given, and keeps none of it.
async fn pages(client: &Client, path: &str, list: &str, form: Option<Form>) -> Result<Vec<Value>, Report> {
    let mut all = Vec::new();
    let mut after = 0;
    loop {
        let page = format!("{path}limit={PAGE}&after={after}");
        let mut told = client.plain(Method::GET, &page, KeyFor::Admin, None).await?;
        let found = told.get_mut(list).and_then(Value::as_array_mut).map(std::mem::take).unwrap_or_default();
        match form {
            Some(form) => {
                let text = write(form, &found, after == 0);
                let printed = if text.is_empty() { Ok(()) } else { print_outcome(text.trim_end()) };
                printed.map_err(|error| Report::failed(format!("it cannot be printed: {error}"), None))?;
            }
            None => all.extend(found),
        }
        match told.get("next").and_then(Value::as_u64) {
            Some(next) if next > after => after = next,
            _ => return Ok(all),
        }
    }
}

/// `askuser purge --older-than TIME`
pub fn purge(args: &Purge, environment: &Environment) -> Result<Exit, Report> {
    let older = duration::parse(&args.older_than);
    let older = older.map_err(|error| Report::wrong_input(error.to_string(), Some("as --older-than 90d")))?;
    block_on(async {
        let client = connect::person(environment, args.insists.as_person).await?;
        let body = json!({"older_than": older.as_secs()});
        let told = client.plain(Method::POST, "/api/purge", KeyFor::Admin, Some(body)).await?;
        let said = "asks erased; that they were, who ended them and when stays, and the chain verifies";
        done(&if args.form.json { told.to_string() } else { format!("{} {said}", field(&told, "erased")) })
    })
}
