//! `askuser task`: one task is shown, followed, stopped, spoken to and resumed.

use askuser_core::text::shown;
use askuser_words::commands::Tasks;
use serde_json::Value;

use super::tasks::status;
use crate::cli::args::{Form, Insists};
use crate::cli::completion;
use crate::cli::fields::field;
use crate::cli::lookup::{self, Noun};
use askuser_api::tasks::{ResumeTask, SayToTask, ShowTask, StopTask, Words};
use askuser_ask::connect::{block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::output::paint::Role;
use askuser_ask::report::Report;
use askuser_client::error::ClientError;
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;
use askuser_terminal::width::width;
use askuser_terminal::wrap::wrap;
use askuser_wire::failure::Code;

/// Manage one task: show, follow, stop, say, resume
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser task follow 4RCG")]
pub struct TaskArgs {
    /// What to do
    #[command(subcommand)]
    pub what: TaskVerb,
}

/// What is done with a task.
#[derive(Debug, clap::Subcommand)]
pub enum TaskVerb {
    /// Show one task
    #[command(after_help = "askuser task show 4RCG")]
    Show {
        /// The task's id, or four characters of it [default: the only one, or pick from a list]
        #[arg(add = completion::tasks())]
        task: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Follow a task until it ends
    #[command(after_help = "askuser task follow 4RCG")]
    Follow {
        /// The task's id, or four characters of it [default: the one that is running]
        #[arg(add = completion::running())]
        task: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Stop a task, by force if it does not stop by itself
    #[command(after_help = "askuser task stop 4RCG")]
    Stop {
        /// The task's id, or four characters of it [default: the one that is running]
        #[arg(add = completion::running())]
        task: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Send the agent another message
    #[command(after_help = r#"askuser task say 4RCG "Leave the docs alone""#)]
    #[command(allow_missing_positional = true)]
    Say {
        /// The task's id, or four characters of it [default: the one that is running]
        #[arg(add = completion::running())]
        task: Option<String>,
        /// The message
        text: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Resume an ended task
    #[command(after_help = r#"askuser task resume 4RCG "Now the docs""#)]
    #[command(allow_missing_positional = true)]
    Resume {
        /// The task's id, or four characters of it [default: the only one, or pick from a list]
        #[arg(add = completion::tasks())]
        task: Option<String>,
        /// What the agent should do now
        text: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
}

/// `askuser task …`
pub fn run(TaskArgs { what }: &TaskArgs, environment: &Environment) -> Result<Exit, Report> {
    let screen = Screen::of(environment);
    // What runs is stopped and spoken to; what has ended is taken up again.
    let post = |typed: &Option<String>, deed: &str, form: Form, insists: Insists, text: Option<&str>| {
        block_on(async {
            let (typed, open) = (typed.as_deref(), deed != "resume");
            let client = lookup::reader(Noun::Task, typed, open, insists, environment).await?;
            let found = lookup::one(&client, Noun::Task, typed, open, environment);
            let Some(task) = found.await? else { return Ok(Exit::Interrupted) };
            let words = Words { text: text.unwrap_or_default().to_owned() };
            let told = match deed {
                "stop" => client.call::<StopTask>(KeyRole::Person).at(&task).told().await,
                "say" => client.call::<SayToTask>(KeyRole::Person).at(&task).body(&words).told().await,
                _ => client.call::<ResumeTask>(KeyRole::Person).at(&task).body(&words).told().await,
            };
            let called = lookup::called(&client, Noun::Task, &task).await;
            let told = told.map_err(|error| not_ready(error, &called, deed))?;
            let said = done_to(&called, deed, text.unwrap_or_default(), &screen);
            done(&if form.json { told.to_string() } else { shown(&said).into_owned() })
        })
    };
    match what {
        TaskVerb::Show { task, form, insists } => show(task.as_deref(), *form, *insists, environment),
        TaskVerb::Follow { task, form, insists } => block_on(async {
            let client = lookup::reader(Noun::Task, task.as_deref(), true, *insists, environment).await?;
            let found = lookup::one(&client, Noun::Task, task.as_deref(), true, environment).await?;
            let Some(task) = found else { return Ok(Exit::Interrupted) };
            Box::pin(super::run::join(&client, &task, *form, environment)).await
        }),
        TaskVerb::Stop { task, form, insists } => post(task, "stop", *form, *insists, None),
        TaskVerb::Say { task, text, form, insists } => post(task, "say", *form, *insists, Some(text)),
        TaskVerb::Resume { task, text, form, insists } => post(task, "resume", *form, *insists, Some(text)),
    }
}

/// Names the task that stands where this cannot be done, and what can.
fn not_ready(error: ClientError, task: &str, deed: &str) -> Report {
    match error {
        ClientError::Refused(failure) if failure.code == Some(Code::TaskNotReady) => {
            let command = match deed {
                "resume" => format!("askuser task follow {task}"),
                _ => format!("askuser task resume {task} \"…\""),
            };
            Report::wrong_input(format!("{task}: {}", failure.message), None)
                .hint(|said: Tasks| said.try_hint(&command))
        }
        error => error.into(),
    }
}

/// Says what was done with a task.
fn done_to(task: &str, deed: &str, text: &str, screen: &Screen) -> String {
    let said = Tasks(screen.language);
    match deed {
        "stop" => said.stopping(task),
        "say" => said.told(task, text),
        _ => said.resumed(task),
    }
}

fn show(task: Option<&str>, form: Form, insists: Insists, environment: &Environment) -> Result<Exit, Report> {
    let screen = Screen::of(environment);
    block_on(async {
        let client = lookup::reader(Noun::Task, task, false, insists, environment).await?;
        let found = lookup::one(&client, Noun::Task, task, false, environment).await?;
        let Some(task) = found else { return Ok(Exit::Interrupted) };
        let told = client.call::<ShowTask>(KeyRole::Person).at(&task).told().await?;
        if form.json {
            return done(&told.to_string());
        }
        screen.print(&in_full(&told, &screen))
    })
}

/// The columns of what stands before each line.
const LABEL: usize = 14;

/// One task with everything about it.
pub(super) fn in_full(told: &Value, screen: &Screen) -> String {
    let waits = told.get("open_asks").and_then(Value::as_array).is_some_and(|asks| !asks.is_empty());
    let (status, role) = status(&field(told, "status"), waits, screen);
    let said = Tasks(screen.language);
    let rows = [
        (said.task(), Role::Id, field(told, "task_id")),
        (said.status(), role, status),
        (said.reason(), Role::Plain, screen.language.reason(&field(told, "reason")).into_owned()),
        (said.started(), Role::Plain, screen.times.clock_of(&field(told, "created_at"))),
        (said.agent(), Role::Plain, field(told, "agent")),
        (said.folder(), Role::Plain, field(told, "folder")),
        (said.conversation(), Role::Plain, field(told, "session")),
    ];
    // Nothing is cut here: why a task failed is told nowhere else.
    let row = |(label, role, text): &(&'static str, Role, String)| {
        let space = " ".repeat(LABEL.saturating_sub(width(label)));
        let room = screen.columns().map_or(usize::MAX, |columns| columns.saturating_sub(LABEL));
        let rows: Vec<String> = wrap(text, room).iter().map(|row| screen.paint.text(*role, row)).collect();
        let text = rows.join(&format!("\n{}", " ".repeat(LABEL)));
        format!("{}{space}{text}", screen.paint.text(Role::Dim, label))
    };
    let about: Vec<String> = rows.iter().filter(|(.., text)| !text.is_empty()).map(row).collect();
    let about = about.join("\n");
    format!("{about}\n\n{}", screen.wrapped(&shown(&field(told, "text"))))
}
