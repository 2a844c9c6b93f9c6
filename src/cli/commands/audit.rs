//! `askuser audit`: what was decided, and the proof that nobody changed it.

use askuser_core::headline::headline;
use askuser_words::Language;
use askuser_words::commands::{Audit as Log, Titles};
use serde_json::{Value, json};

use super::list;
use crate::cli::args::{self, Insists};
use crate::cli::ask_text::unnamed;
use crate::cli::completion;
use crate::cli::fields::field;
use crate::cli::lookup::{self, Noun};
use askuser_api::audit::{After, AuditSearch, ListSecurityEvents, SearchAudit, VerifyAudit};
use askuser_ask::connect::{self, block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::output::paint::Role;
use askuser_ask::output::table::{Cell, Column, table};
use askuser_ask::report::{Report, print_outcome};
use askuser_client::Client;
use askuser_client::error::ClientError;
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;
use askuser_watch::audit::{self, Form, write};
use askuser_wire::{outcome, time};

/// Search, export or verify the audit log
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser audit --since 2026-11-01 --action answer
askuser audit --verify
askuser audit --export csv")]
pub struct Audit {
    /// Verify that the log is unchanged; name the first entry that is not
    #[arg(long, conflicts_with_all = ["security", "export"])]
    pub verify: bool,
    /// Show security events instead, e.g. wrong keys and forged answers
    #[arg(long, conflicts_with = "export")]
    pub security: bool,
    /// Export the log
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub export: Option<AuditForm>,
    /// Only since then, e.g. 2h, 3d, 2026-11-15 or 2026-11-15T10:00:00Z
    #[arg(long, value_name = "WHEN")]
    pub since: Option<String>,
    /// Only before then
    #[arg(long, value_name = "WHEN")]
    pub until: Option<String>,
    /// Only in this conversation: its id, four characters of it, or the agent's own id
    #[arg(long, value_name = "CONVERSATION", add = completion::conversations())]
    pub session: Option<String>,
    /// Only from this agent
    #[arg(long, value_name = "NAME", add = completion::askers())]
    pub agent: Option<String>,
    /// Only if asked of this user, or closed by them
    #[arg(long, value_name = "NAME", add = completion::users())]
    pub user: Option<String>,
    /// Only this action; `voice` is one of several people's answers
    #[arg(long, value_name = "ACTION", value_parser = askuser_api::audit::ACTIONS)]
    pub action: Option<String>,
    /// Only with these words in the question, answer, context or comment
    #[arg(long, value_name = "WORDS")]
    pub text: Option<String>,
    #[command(flatten)]
    pub form: args::Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// How the log of decisions leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum AuditForm {
    /// One JSON entry per line
    Jsonl,
    /// A table
    Csv,
    /// Decision records to read
    Md,
}

/// Entries that are fetched in one go.
const PAGE: usize = 1000;

/// `askuser audit`: with `--verify` 0 where the chains are whole, 1 where one is not.
pub fn run(args: &Audit, environment: &Environment) -> Result<Exit, Report> {
    let screen = Screen::of(environment);
    block_on(async {
        if args.verify {
            let client = connect::person(environment, args.insists).await?;
            return verify(&client, args.form.json, screen.language).await;
        }
        let Some(client) = connect::reader(environment, args.insists).await? else {
            let list = if args.security { "events" } else { "entries" };
            return done(&if args.form.json { json!({ list: [] }).to_string() } else { nothing(&screen) });
        };
        if args.security {
            return security(&client, args.form.json, &screen).await;
        }
        search(&client, args, &screen, environment).await
    })
}

async fn verify(client: &Client, as_json: bool, language: Language) -> Result<Exit, Report> {
    let told = client.call::<VerifyAudit>(KeyRole::Admin).told().await?;
    let whole = told.get("whole").and_then(Value::as_bool) == Some(true);
    let exit = if whole { Exit::Answered } else { Exit::Failed };
    if as_json {
        return askuser_ask::report::finish(&told.to_string(), exit);
    }
    let said = if whole {
        let of = |part: &str, name: &str| told.get(part).map(|part| field(part, name)).unwrap_or_default();
        let (facts, events) = (field(&told, "facts"), of("security", "events"));
        let (asks, erased) = (of("served", "asks"), of("served", "asks_erased"));
        match erased.as_str() {
            "" | "0" => Log(language).intact(facts, events, asks),
            erased => Log(language).intact_erased(facts, events, asks, erased),
        }
    } else {
        Log(language).broken(broken(&told, language).join("\n        "))
    };
    askuser_ask::report::finish(&said, exit)
}

/// What does not hold, a line each.
fn broken(told: &Value, language: Language) -> Vec<String> {
    let link = |part: Option<&Value>| {
        let broken = part?.get("broken").filter(|broken| broken.is_object())?;
        Some((field(broken, "number"), field(broken, "fault")))
    };
    let said = Log(language);
    let served = told.get("served");
    let differences = served.and_then(|served| served.get("differences")).and_then(Value::as_array);
    let faults = differences.into_iter().flatten().map(|difference| field(difference, "fault"));
    let mut lines: Vec<String> = link(Some(told))
        .map(|(number, fault)| said.broken_fact(number, fault))
        .into_iter()
        .chain(link(told.get("security")).map(|(number, fault)| said.broken_event(number, fault)))
        .chain(faults)
        .collect();
    let n_differs = served.and_then(|served| served.get("differs")).and_then(Value::as_u64).unwrap_or(0);
    let n_named = differences.map_or(0, Vec::len) as u64;
    if n_differs > n_named {
        lines.push(said.more(n_differs - n_named));
    }
    lines
}

fn nothing(screen: &Screen) -> String {
    Log(screen.language).nothing().to_owned()
}

async fn security(client: &Client, as_json: bool, screen: &Screen) -> Result<Exit, Report> {
    let page = async |after| {
        let after = After { after: Some(after), limit: Some(PAGE) };
        client.call::<ListSecurityEvents>(KeyRole::Admin).query(&after).told().await
    };
    let events = pages(page, "events", None).await?;
    if as_json {
        return done(&json!({ "events": events }).to_string());
    }
    if events.is_empty() {
        return done(&nothing(screen));
    }
    screen.print(&events_listed(&events, screen))
}

pub(super) fn events_listed(events: &[Value], screen: &Screen) -> String {
    let told = |event: &Value| {
        let severity = field(event, "severity");
        let role = match severity.as_str() {
            "high" | "critical" => Role::Bad,
            "medium" => Role::Warn,
            _ => Role::Plain,
        };
        vec![
            Cell::new(Role::Dim, screen.times.clock_of(&field(event, "timestamp"))),
            Cell::new(role, severity),
            field(event, "event_type").into(),
            event.get("details").map(ToString::to_string).unwrap_or_default().into(),
        ]
    };
    table(screen, &SECURITY, events.iter().map(told).collect())
}

const SECURITY: [Column; 4] = [
    Column::new(Titles::when),
    Column::new(Titles::severity).minor(1),
    Column::new(Titles::event),
    Column::new(Titles::details).cut(12).minor(2),
];

const ENTRIES: [Column; 9] = [
    Column::new(Titles::number).right().minor(5),
    Column::new(Titles::when),
    Column::new(Titles::action),
    Column::new(Titles::agent).cut(10).minor(1),
    Column::new(Titles::user).cut(8).minor(2),
    Column::new(Titles::channel).minor(3),
    Column::new(Titles::address).minor(4),
    Column::new(Titles::question).cut(12),
    Column::new(Titles::answer).cut(8),
];

async fn search(
    client: &Client,
    args: &Audit,
    screen: &Screen,
    environment: &Environment,
) -> Result<Exit, Report> {
    let moment = |text: &Option<String>| {
        text.as_deref().map(|text| Ok::<_, Report>(time::write(list::moment(text, screen)?))).transpose()
    };
    let session = match &args.session {
        Some(typed) => {
            Some(lookup::meant(client, KeyRole::Person, Noun::Conversation, typed, environment).await?)
        }
        None => None,
    };
    let search = AuditSearch {
        limit: Some(PAGE),
        since: moment(&args.since)?,
        until: moment(&args.until)?,
        session,
        agent: args.agent.clone(),
        user: args.user.clone(),
        action: args.action.clone(),
        text: args.text.clone(),
        ..AuditSearch::default()
    };
    let page = async |after| {
        let search = AuditSearch { after: Some(after), ..search.clone() };
        client.call::<SearchAudit>(KeyRole::Admin).query(&search).told().await
    };
    if let Some(form) = args.export {
        let form = match form {
            AuditForm::Jsonl => Form::JsonLines,
            AuditForm::Csv => Form::Csv,
            AuditForm::Md => Form::Markdown,
        };
        pages(page, "entries", Some(form)).await?;
        return Ok(Exit::Answered);
    }
    let entries = pages(page, "entries", None).await?;
    if args.form.json {
        return done(&json!({ "entries": entries }).to_string());
    }
    if entries.is_empty() {
        return done(&nothing(screen));
    }
    screen.print(&entries_listed(&entries, screen))
}

pub(super) fn entries_listed(entries: &[Value], screen: &Screen) -> String {
    let columns = ["number", "timestamp", "action", "agent", "user_id", "channel", "ip_address"];
    let row = |entry: &Value| {
        let cell = |column: &&str| match (*column, audit::field(entry, column)) {
            ("timestamp", at) => Cell::new(Role::Dim, screen.times.clock_of(&at)),
            ("agent", name) if name.is_empty() => Cell::new(Role::Dim, unnamed(screen.language)),
            (_, text) if text.is_empty() => Cell::new(Role::Dim, "-"),
            ("action", action) => acted(&action, Log(screen.language)),
            ("channel", name) => screen.language.place(&outcome::channel(&name)).into(),
            (_, text) => text.into(),
        };
        let mut row: Vec<Cell> = columns.iter().map(cell).collect();
        let context = Some(audit::field(entry, "context")).filter(|context| !context.is_empty());
        let all = audit::said(entry);
        let questions = all.iter().enumerate().map(|(place, said)| {
            headline(&field(said, "question"), context.as_deref().filter(|_| place == 0))
        });
        let answers = all.iter().map(|said| field(said, "answer")).filter(|answer| !answer.is_empty());
        row.extend(
            [questions.collect::<Vec<_>>().join(" | "), answers.collect::<Vec<_>>().join(" | ")]
                .map(Cell::from),
        );
        row
    };
    table(screen, &ENTRIES, entries.iter().map(row).collect())
}

/// What happened, in a word.
fn acted(action: &str, said: Log) -> Cell {
    let (role, word) = match action {
        "ask" => (Role::Warn, said.asked()),
        "show" => (Role::Plain, said.shown()),
        "answer" => (Role::Good, said.answered()),
        "cancel" => (Role::Plain, said.declined()),
        "withdraw" => (Role::Plain, said.withdrawn()),
        "timeout" => (Role::Bad, said.timed_out()),
        "voice" => (Role::Plain, said.one_of_several()),
        "escalate" => (Role::Plain, said.escalated()),
        "answer_late" => (Role::Bad, said.answered_late()),
        "reopen" => (Role::Plain, said.asked_again()),
        "erased" => (Role::Plain, said.text_deleted()),
        // A newer server knows more.
        other => (Role::Plain, other),
    };
    Cell::new(role, word)
}

/// Fetches page after page; prints each as it comes where a form is given, and keeps none of it.
async fn pages(
    page: impl AsyncFn(u64) -> Result<Value, ClientError>,
    list: &str,
    form: Option<Form>,
) -> Result<Vec<Value>, Report> {
    let mut all = Vec::new();
    let mut after = 0;
    loop {
        let mut told = page(after).await?;
        let found = told.get_mut(list).and_then(Value::as_array_mut).map(std::mem::take).unwrap_or_default();
        match form {
            Some(form) => {
                let text = write(form, &found, after == 0);
                let printed = if text.is_empty() { Ok(()) } else { print_outcome(text.trim_end()) };
                printed.map_err(|error| Report::failure(|said: Log| said.not_printed(&error)))?;
            }
            None => all.extend(found),
        }
        match told.get("next").and_then(Value::as_u64) {
            Some(next) if next > after => after = next,
            _ => return Ok(all),
        }
    }
}
