//! `askuser run`: gives a task to an agent and follows it. What happens goes to standard error, and
//! where that is a terminal, what is asked is answered there; what the agent says at the end is the
//! outcome.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use askuser_core::text::shown;
use askuser_words::commands::Tasks;
use serde_json::Value;

use super::reload;
use crate::cli::args::{Form, Insists};
use crate::cli::completion;
use crate::cli::fields::field;
use crate::cli::lookup::{self, Noun};
use askuser_api::asks::ShowAsk;
use askuser_api::tasks::{NewTask, ShowTask, StartTask};
use askuser_ask::connect::{self, block_on, done, say};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::prompt::{DeskPrompt, Prompted};
use askuser_ask::report::Report;
use askuser_ask::surface::{self, Surface};
use askuser_client::Client;
use askuser_client::error::ClientError;
use askuser_client::events::{Event, Events};
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;
use askuser_wire::failure::Code;

/// Give an agent a task and follow it
#[derive(Debug, clap::Args)]
#[command(after_help = r#"askuser run "Fix the failing test" --agent claude"#)]
pub struct Run {
    /// What the agent should do
    pub text: String,
    /// The agent's name in config.yaml [default: the only one]
    #[arg(long, value_name = "NAME", add = completion::agents())]
    pub agent: Option<String>,
    /// The folder to work in [default: the current folder]
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
    /// Start the task and print its id, without following it
    #[arg(long)]
    pub detach: bool,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// The most of a tool's arguments or result that a line shows.
const LINE_CHARS: usize = 160;

/// `askuser run "TASK"`
pub fn run(args: &Run, environment: &Environment) -> Result<Exit, Report> {
    let folder = args.folder.clone().or_else(|| environment.folder());
    let folder = folder
        .and_then(|folder| std::path::absolute(folder).ok())
        .ok_or_else(|| Report::failure(Tasks::no_folder).hint(Tasks::no_folder_hint))?;
    block_on(async {
        let client = connect::person(environment, args.insists).await?;
        // Listen before it begins: then nothing of it is missed.
        let mut events = client.events(KeyRole::Person, None);
        events.connect().await?;
        let folder = folder.display().to_string();
        let new = NewTask { agent: args.agent.clone(), folder, text: args.text.clone() };
        let task = match client.call::<StartTask>(KeyRole::Person).body(&new).told().await {
            Err(ClientError::Refused(failure)) if failure.code == Some(Code::RunnerOff) => {
                return Err(reload::runner_off(&client, environment).await);
            }
            started => started?,
        };
        if args.detach {
            return done(&if args.form.json { task.to_string() } else { field(&task, "task_id") });
        }
        follow(&client, events, &task, args.form, environment).await
    })
}

/// Follows a task that is there.
pub(super) async fn join(
    client: &Client,
    id: &str,
    form: Form,
    environment: &Environment,
) -> Result<Exit, Report> {
    let mut events = client.events(KeyRole::Person, None);
    events.connect().await?;
    let task = client.call::<ShowTask>(KeyRole::Person).at(id).told().await?;
    match ended(&task) {
        Some(exit) => end(client, &task, exit, "", form, Tasks(language(environment))).await,
        None => follow(client, events, &task, form, environment).await,
    }
}

/// Tells what happens in a task until it ends.
async fn follow(
    client: &Client,
    mut events: Events,
    task: &Value,
    form: Form,
    environment: &Environment,
) -> Result<Exit, Report> {
    let (id, session) = (field(task, "task_id"), field(task, "session"));
    let called = lookup::called(client, Noun::Task, &id).await;
    let said = Tasks(language(environment));
    say(&said.follow(called));
    for ask in task.get("open_asks").and_then(Value::as_array).into_iter().flatten() {
        if let Left::Everything(exit) =
            ask_here(client, ask.as_str().unwrap_or_default(), environment).await?
        {
            return Ok(exit);
        }
    }
    let mut last_words = String::new();
    loop {
        let Event { name, carries, .. } = events.next().await?;
        if field(&carries, "session") != session {
            continue;
        }
        match name.as_str() {
            "message" => {
                if field(&carries, "kind") == "complete" {
                    last_words = field(&carries, "text");
                }
                if let Some(line) = line(&carries, said) {
                    say(&line);
                }
            }
            "asked" => {
                let ask = field(&carries, "ask_id");
                if let Left::Everything(exit) = ask_here(client, &ask, environment).await? {
                    return Ok(exit);
                }
            }
            "ask_user_response" => say(&format!("  {}", field(&carries, "status"))),
            "task_changed" => {
                if let Some(exit) = ended(&carries) {
                    return end(client, &carries, exit, &last_words, form, said).await;
                }
            }
            _ => {}
        }
    }
}

/// What the person left when a question was before them.
enum Left {
    /// The question at most: the task is followed on.
    Question,
    /// The task too, which goes on by itself.
    Everything(Exit),
}

/// Puts a question of the task before the person here, or says where it is answered.
async fn ask_here(client: &Client, ask: &str, environment: &Environment) -> Result<Left, Report> {
    let ask = lookup::ask(client, KeyRole::Person, ask, environment).await?;
    if let Some(way) = person_here(environment)? {
        match DeskPrompt::of_person(client, environment).run(ask, way).await? {
            Prompted::Closed(_) | Prompted::Counted(_) => return Ok(Left::Question),
            Prompted::LeftOpen | Prompted::NotTaken => {}
            Prompted::Interrupted => return Ok(Left::Everything(Exit::Interrupted)),
            Prompted::Gone => return Ok(Left::Everything(Exit::NobodyThere)),
        }
    }
    let asked = client.call::<ShowAsk>(KeyRole::Person).at(ask).told().await?;
    let called = lookup::called(client, Noun::Question, &ask.to_string()).await;
    say(&elsewhere(client, &called, &asked, Tasks(language(environment))));
    Ok(Left::Question)
}

/// The person at the terminal to which what happens is told.
fn person_here(environment: &Environment) -> Result<Option<Surface>, Report> {
    Ok(if io::stderr().is_terminal() { surface::terminal(environment, None)? } else { None })
}

/// How a task ended, as an exit; none while it is alive.
fn ended(task: &Value) -> Option<Exit> {
    Some(match (field(task, "status").as_str(), field(task, "reason").as_str()) {
        ("done", _) => Exit::Answered,
        ("failed" | "interrupted", _) => Exit::Failed,
        ("stopped", "ask_user_timeout") => Exit::TimedOut,
        ("stopped", _) => Exit::Withdrawn,
        _ => return None,
    })
}

/// Tells how a task ended: in words, or as a program reads it, with what the agent said at the end.
async fn end(
    client: &Client,
    task: &Value,
    exit: Exit,
    last_words: &str,
    form: Form,
    said: Tasks,
) -> Result<Exit, Report> {
    let id = field(task, "task_id");
    if form.json {
        let mut told = client.call::<ShowTask>(KeyRole::Person).at(&id).told().await?;
        told["result"] = last_words.into();
        return askuser_ask::report::finish(&told.to_string(), exit);
    }
    match field(task, "status").as_str() {
        "done" => return done(&shown(last_words)),
        "failed" => {
            let reason = shown(&field(task, "reason")).into_owned();
            return Err(Report::failure(|said: Tasks| said.agent_failed(said.0.reason(&reason))));
        }
        "interrupted" => {
            let command = format!("askuser task resume {id} \"…\"");
            return Err(Report::failure(Tasks::server_left).hint(|said: Tasks| said.try_hint(&command)));
        }
        _ if exit == Exit::TimedOut => say(said.stopped_unanswered()),
        _ => say(said.was_stopped()),
    }
    Ok(exit)
}

/// One line for a message; none for what only a page has room for.
fn line(message: &Value, said: Tasks) -> Option<String> {
    let text = field(message, "text");
    match field(message, "kind").as_str() {
        "text" if field(message, "by") == "person" => None,
        "text" => Some(shown(&text).into_owned()),
        "tool_use" => Some(format!("· {} {}", shown(&field(message, "name")), short(&text))),
        "tool_result" if message.get("is_error") == Some(&Value::Bool(true)) => {
            Some(said.tool_failed(short(&text)))
        }
        "error" => Some(said.error(shown(&text))),
        "info" => Some(format!("({})", shown(&text))),
        _ => None,
    }
}

fn short(text: &str) -> String {
    let line: String = text.chars().map(|c| if c == '\n' { ' ' } else { c }).take(LINE_CHARS).collect();
    let more = if text.chars().nth(LINE_CHARS).is_some() { "…" } else { "" };
    format!("{}{more}", shown(&line))
}

/// What is asked, and where it can be answered.
fn elsewhere(client: &Client, id: &str, ask: &Value, said: Tasks) -> String {
    let questions = ask.get("questions").and_then(Value::as_array);
    let texts = questions.into_iter().flatten().map(|question| field(question, "question"));
    let texts: Vec<String> = texts.map(|text| shown(&text).into_owned()).collect();
    let page = client.url().unwrap_or_default();
    said.elsewhere(texts.join(" / "), id, page)
}
