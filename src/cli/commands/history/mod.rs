//! `askuser history`: what was asked and answered, in everything or in one conversation.

mod projects;
pub mod transcripts;

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::PathBuf;

use askuser_core::outcome::{AnsweredBy, Ending};
use askuser_core::text::shown;
use askuser_words::commands::{History, Titles};
use serde_json::{Value, json};

use super::sessions;
use crate::cli::args::{Form, Insists};
use crate::cli::ask_text;
use crate::cli::ask_text::{asker_or_unnamed, status};
use crate::cli::completion;
use crate::cli::fields::field;
use crate::cli::lookup::{self, Noun};
use askuser_api::sessions::{Messages, ShowSession};
use askuser_api::shapes::Open;
use askuser_ask::connect::{self, block_on, done};
use askuser_ask::ended;
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::output::paint::Role;
use askuser_ask::output::table::{Cell, Column, table};
use askuser_ask::report::Report;
use askuser_client::seen::SeenAsk;
use askuser_client::{Client, Lookup};
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;
use askuser_wire::transcript::{Markdown, each_message};

/// Show past questions and answers, newest first
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser history
askuser history work --export md
askuser history --projects")]
pub struct HistoryArgs {
    /// The conversation: its id, four characters of it, or the agent's own id; `file:NAME` is an imported
    /// transcript [default: all]
    #[arg(value_name = "CONVERSATION", add = completion::conversations())]
    pub session: Option<String>,
    /// Export the conversation
    #[arg(long, value_name = "FORMAT", value_enum, requires = "session")]
    pub export: Option<Export>,
    /// Import a Claude Code transcript: a file, or an id from --projects
    #[arg(long, value_name = "FILE", conflicts_with_all = ["session", "projects"])]
    pub import: Option<PathBuf>,
    /// List the transcripts in Claude Code's project folders, newest first
    #[arg(long, conflicts_with = "session")]
    pub projects: bool,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// How a history leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Export {
    /// One JSON message per line
    Jsonl,
    /// A page to read
    Md,
    /// One JSON list
    Json,
}

/// Pages that are looked at; what is older is found by `askuser audit`.
const PAGES_MAX: usize = 40;

/// Shows what was, or takes in a transcript from elsewhere.
pub fn run(args: &HistoryArgs, environment: &Environment) -> Result<Exit, Report> {
    let HistoryArgs { session, export, import, projects, form, insists } = args;
    match (session, import) {
        (_, Some(file)) => transcripts::import(file, *form, *insists, environment),
        (Some(session), None) => match session.strip_prefix(transcripts::PREFIX) {
            Some(name) => transcripts::history(name, *export, *insists, environment),
            None => of_session(session, *export, *form, *insists, environment),
        },
        (None, None) if *projects => transcripts::projects(*form, *insists, environment),
        (None, None) => all(*form, *insists, environment),
    }
}

/// `askuser history`: everything, the newest first.
fn all(form: Form, insists: Insists, environment: &Environment) -> Result<Exit, Report> {
    let screen = Screen::of(environment);
    block_on(async {
        let mut asks = match connect::reader(environment, insists).await? {
            Some(client) => asked(&client, EACH).await?,
            None => Vec::new(),
        };
        // The server goes from conversation to conversation; a person reads by time.
        asks.sort_by_key(|seen| std::cmp::Reverse(field(&seen.told, "created_at")));
        if form.json {
            return done(&to_json(&asks));
        }
        if asks.is_empty() {
            return done(History(screen.language).no_questions());
        }
        screen.print(&listed(&asks, &screen))
    })
}

/// `askuser history SESSION [--export FORM]`
fn of_session(
    session: &str,
    export: Option<Export>,
    form: Form,
    insists: Insists,
    environment: &Environment,
) -> Result<Exit, Report> {
    let screen = Screen::of(environment);
    block_on(async {
        let client = lookup::reader(Noun::Conversation, Some(session), false, insists, environment).await?;
        let session =
            &lookup::meant(&client, KeyRole::Person, Noun::Conversation, session, environment).await?;
        let Some(export) = export else {
            let about = client.call::<ShowSession>(KeyRole::Person).at(session).told().await?;
            let asks = rounds(&client, &about).await?;
            return if form.json {
                done(&to_json(&asks))
            } else {
                screen.print(&page(&about, &asks, &screen))
            };
        };
        let chain = client.call::<Messages>(KeyRole::Person).at(session).send().await?;
        let messages: Vec<Value> = chain.messages.into_iter().map(|Open(message)| message).collect();
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

fn to_json(asks: &[SeenAsk]) -> String {
    json!({ "asks": asks.iter().map(|seen| &seen.told).collect::<Vec<_>>() }).to_string()
}

/// Every ask, with what a person calls it by.
const EACH: Lookup<'static> = Lookup { session: None, words: "", after: None, open: true, short_ids: true };

/// What was looked for, the newest first.
async fn asked(client: &Client, lookup: Lookup<'_>) -> Result<Vec<SeenAsk>, Report> {
    let mut asks = Vec::new();
    let mut after = None;
    for _ in 0..PAGES_MAX {
        let page = client.history(Lookup { after, ..lookup }).await?;
        asks.extend(page.asks);
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    Ok(asks)
}

/// The rounds of a conversation in order, with those that it goes on from.
async fn rounds(client: &Client, about: &Value) -> Result<Vec<SeenAsk>, Report> {
    let mut asks = asked(client, Lookup { session: Some(&field(about, "id")), ..EACH }).await?;
    let said = about.get("dialog_history").and_then(Value::as_array).cloned().unwrap_or_default();
    let is_said = |seen: &SeenAsk| {
        let first = seen.questions.top().first().map(|question| question.text.as_str()).unwrap_or_default();
        said.iter()
            .any(|said| field(said, "round") == seen.round.to_string() && field(said, "question") == first)
    };
    let mut from = field(about, "restored_from");
    while !from.is_empty() {
        let earlier = asked(client, Lookup { session: Some(&from), ..EACH }).await?;
        let is_new = |seen: &SeenAsk| is_said(seen) && asks.iter().all(|known| known.round != seen.round);
        let mut more: Vec<SeenAsk> = earlier.into_iter().filter(is_new).collect();
        asks.append(&mut more);
        let session = client.call::<ShowSession>(KeyRole::Person).at(&from).told().await?;
        from = field(&session, "restored_from");
    }
    asks.sort_by_key(|seen| seen.round);
    Ok(asks)
}

/// The latest ask of each conversation, by its id.
pub(super) async fn latest_by_session(client: &Client) -> Result<BTreeMap<String, SeenAsk>, Report> {
    let mut latest = BTreeMap::new();
    for seen in asked(client, Lookup { short_ids: false, ..EACH }).await? {
        latest.entry(field(&seen.told, "session")).or_insert(seen);
    }
    Ok(latest)
}

const COLUMNS: [Column; 7] = [
    Column::new(Titles::id),
    Column::new(Titles::when).minor(1),
    Column::new(Titles::status).minor(3),
    Column::new(Titles::agent).cut(12).minor(2),
    Column::new(Titles::by).cut(6).minor(4),
    Column::new(Titles::question).cut(14),
    Column::new(Titles::answer).cut(8),
];

pub(super) fn listed(asks: &[SeenAsk], screen: &Screen) -> String {
    table(screen, &COLUMNS, asks.iter().map(|seen| row(seen, screen)).collect())
}

fn row(seen: &SeenAsk, screen: &Screen) -> Vec<Cell> {
    let (word, role) = status(seen, screen.language);
    vec![
        Cell::new(Role::Id, seen.called()),
        Cell::new(Role::Dim, screen.times.clock_of(&field(&seen.told, "created_at"))),
        Cell::new(role, word),
        asker_or_unnamed(seen, screen.language).into(),
        by(seen, screen).into(),
        ask_text::headline(seen).into(),
        answer(seen, screen).into(),
    ]
}

/// Who answered or declined: a person, or what answers in their place.
fn by(seen: &SeenAsk, screen: &Screen) -> String {
    let Some(outcome) = &seen.outcome else { return String::new() };
    match outcome.ending {
        Ending::Answered(AnsweredBy::Default) => History(screen.language).by_default().to_owned(),
        Ending::Answered(AnsweredBy::Rule) => History(screen.language).by_rule().to_owned(),
        Ending::Answered(_) | Ending::Declined => {
            outcome.by.user.as_ref().map(|user| user.as_str().to_owned()).unwrap_or_default()
        }
        Ending::Withdrawn | Ending::Expired { .. } => String::new(),
    }
}

/// What was answered; for a no, why.
fn answer(seen: &SeenAsk, screen: &Screen) -> String {
    let Some(outcome) = &seen.outcome else { return String::new() };
    match outcome.ending {
        Ending::Answered(_) if outcome.is_disagreement() => {
            ended::looking_back(seen, outcome, screen.language)
        }
        Ending::Answered(_) => ended::bare_answers(seen, &outcome.answers, screen.language),
        Ending::Declined => outcome.comment.clone().unwrap_or_default(),
        Ending::Withdrawn | Ending::Expired { .. } => String::new(),
    }
}

/// A conversation to be read: each round with what was asked, what was answered, when and by whom.
pub(super) fn page(about: &Value, asks: &[SeenAsk], screen: &Screen) -> String {
    let agent = asks.last().map(|seen| format!(" · {}", asker_or_unnamed(seen, screen.language)));
    let stands =
        format!(" · {}{}", sessions::status(&field(about, "status"), screen), agent.unwrap_or_default());
    let title = screen.line(&[(Role::Id, &field(about, "id")), (Role::Plain, &stands)]);
    let round = |seen: &SeenAsk| {
        let when = screen.times.clock_of(&field(&seen.told, "created_at"));
        let (word, role) = status(seen, screen.language);
        let how = match &seen.outcome {
            Some(outcome) => ended::looking_back(seen, outcome, screen.language),
            None => word,
        };
        let head = format!(" · {} · {when} · ", screen.language.round(seen.round, None));
        let answer = answer(seen, screen);
        let answered =
            matches!(&seen.outcome, Some(outcome) if matches!(outcome.ending, Ending::Answered(_)));
        let arrow = if answered && !answer.is_empty() { format!(" → {answer}") } else { String::new() };
        let said = format!("  {}{arrow}", ask_text::headline(seen)).replace('\n', "\n  ");
        let head = screen.line(&[(Role::Id, &seen.called()), (Role::Dim, &head), (role, &how)]);
        format!("{head}\n{}", screen.wrapped(&shown(&said)))
    };
    std::iter::once(title).chain(asks.iter().map(round)).collect::<Vec<_>>().join("\n\n")
}
