//! `askuser` alone: what is waiting, and the three commands one needs next. Starts nothing.

use std::time::Duration;

use askuser_words::Language;
use tokio::time::timeout;

use crate::channel::terminal::width::width;
use crate::cli::connect::{self, block_on};
use crate::cli::exit::Exit;
use crate::cli::output::Screen;
use crate::cli::output::paint::Role;
use crate::cli::report::Report;
use crate::client::{Client, Whereabouts};
use crate::environment::Environment;

/// How long it is looked for what is waiting: whoever types one word does not wait for more.
const PATIENCE: Duration = Duration::from_secs(2);

/// A command and what it is for, in both languages.
type Next = (&'static str, &'static str, &'static str);

const INBOX: Next = ("askuser inbox", "answer here, in the terminal", "在终端里回答");
const OPEN: Next = ("askuser open", "answer in the browser", "在浏览器里回答");
const HELP: Next = ("askuser help", "all commands", "查看所有命令");
const LIST: Next =
    ("askuser list", "start askuser and show what is waiting", "启动 askuser 并列出待回答的问题");
const HISTORY: Next = ("askuser history", "what was asked and answered", "查看问过和答过的问题");
const DEMO: Next = ("askuser demo", "see how it works", "看看它怎么用");
const CONNECT: Next = ("askuser install claude-code", "connect your coding agent", "接入你的编程智能体");
const ASK: Next = (
    "askuser ask '{\"question\":\"Deploy?\",\"type\":\"boolean\"}'",
    "ask the person and wait",
    "向用户提问并等待回答",
);
const WAIT: Next =
    ("askuser wait ID", "wait again for a question that is still open", "继续等待尚未回答的问题");
const WIRE: Next = ("askuser help wire", "the JSON of questions and answers", "问题和答案的 JSON 格式");

/// What is known of the questions.
enum Found {
    /// So many are waiting.
    Waiting(usize),
    /// Nobody looks after them now.
    NotRunning,
    /// Nothing was ever asked.
    Nothing,
}

/// Says it.
pub fn run(environment: &Environment) -> Result<Exit, Report> {
    let screen = Screen::of(environment);
    if let Some(mark) = environment.agent_mark() {
        let said = match screen.language {
            Language::English => format!("An agent runs this shell ({mark} is set). Ask the person with:"),
            Language::Chinese => format!("这是智能体的终端（已设置 {mark}）。这样向用户提问："),
        };
        return screen.print(&page(&screen, &said, [ASK, WAIT, WIRE]));
    }
    let found = look(environment)?;
    let (said, next) = match (found, screen.language) {
        (Found::Waiting(0), _) => (
            screen.pick("No questions are waiting.", "没有待回答的问题。").to_owned(),
            [HISTORY, CONNECT, HELP],
        ),
        (Found::Waiting(1), Language::English) => ("1 question is waiting.".to_owned(), [INBOX, OPEN, HELP]),
        (Found::Waiting(n), Language::English) => {
            (format!("{n} questions are waiting."), [INBOX, OPEN, HELP])
        }
        (Found::Waiting(n), Language::Chinese) => (format!("有 {n} 个问题待回答。"), [INBOX, OPEN, HELP]),
        (Found::NotRunning, _) => (
            screen.pick("askuser is not running.", "askuser 服务没有运行。").to_owned(),
            [LIST, HISTORY, HELP],
        ),
        (Found::Nothing, _) => (
            screen.pick("Nothing was asked here yet.", "这里还没有人提过问题。").to_owned(),
            [DEMO, CONNECT, HELP],
        ),
    };
    screen.print(&page(&screen, &said, next))
}

fn look(environment: &Environment) -> Result<Found, Report> {
    let client = connect::client(environment)?;
    if connect::has_nothing(&client, environment) {
        return Ok(Found::Nothing);
    }
    if let Whereabouts::Folder(home) = client.whereabouts()
        && home.running().is_none()
    {
        return Ok(Found::NotRunning);
    }
    block_on(async { Ok(waiting(&client).await) })
}

async fn waiting(client: &Client) -> Found {
    match timeout(PATIENCE, client.inbox()).await {
        Ok(Ok(asks)) => Found::Waiting(asks.len()),
        // Why not is said by the command that is named next.
        Ok(Err(_)) | Err(_) => Found::NotRunning,
    }
}

fn page(screen: &Screen, said: &str, next: [Next; 3]) -> String {
    let widest = next.iter().map(|(command, ..)| width(command)).max().unwrap_or(0);
    let columns = screen.columns().unwrap_or(usize::MAX);
    let lines = next.iter().map(|(command, english, chinese)| {
        let about = screen.pick(english, chinese);
        // Below the command where there is no room beside it.
        if widest + 4 + width(about) > columns {
            return format!("  {}\n      {about}", screen.paint.text(Role::Id, command));
        }
        let space = " ".repeat(widest - width(command) + 2);
        format!("  {}{space}{about}", screen.paint.text(Role::Id, command))
    });
    format!("{}\n\n{}", screen.paint.text(Role::Strong, said), lines.collect::<Vec<_>>().join("\n"))
}
