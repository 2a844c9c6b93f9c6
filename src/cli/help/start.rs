//! `askuser` alone: what is waiting, and the three commands one needs next. Starts nothing.

use std::time::Duration;

use askuser_words::help::Start;
use tokio::time::timeout;

use crate::cli::commands::install::found::is_any_connected;
use askuser_ask::connect::{self, block_on};
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::output::paint::Role;
use askuser_ask::report::Report;
use askuser_client::{Client, Location};
use askuser_system::environment::Environment;
use askuser_terminal::width::width;

/// How long it is looked for what is waiting: whoever types one word does not wait for more.
const PATIENCE: Duration = Duration::from_secs(2);

/// A command and what it is for.
type Next = (&'static str, fn(Start) -> &'static str);

const INBOX: Next = ("askuser inbox", Start::inbox);
const OPEN: Next = ("askuser open", Start::open);
const HELP: Next = ("askuser help", Start::help);
const LIST: Next = ("askuser list", Start::list);
const HISTORY: Next = ("askuser history", Start::history);
const DEMO: Next = ("askuser demo", Start::demo);
const CONNECT: Next = ("askuser setup", Start::connect);
const ASK: Next = ("askuser ask '{\"question\":\"Deploy?\",\"type\":\"boolean\"}'", Start::ask);
const WAIT: Next = ("askuser wait ID", Start::wait);
const WIRE: Next = ("askuser help wire", Start::wire);

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
    let said = Start(screen.language);
    if let Some(mark) = environment.agent_mark() {
        return screen.print(&page(&screen, &said.agent(mark), [ASK, WAIT, WIRE]));
    }
    let found = look(environment)?;
    screen.print(&overview(&found, is_any_connected(environment), &screen))
}

fn overview(found: &Found, is_connected: bool, screen: &Screen) -> String {
    let said = Start(screen.language);
    match found {
        Found::Waiting(0) if is_connected => page(screen, said.none_waiting(), [OPEN, HISTORY, HELP]),
        Found::Waiting(0) => page(screen, said.none_waiting(), [HISTORY, CONNECT, HELP]),
        Found::Waiting(n) => page(screen, &said.waiting(*n), [INBOX, OPEN, HELP]),
        Found::NotRunning => page(screen, said.not_running(), [LIST, HISTORY, HELP]),
        Found::Nothing if is_connected => page(screen, said.nothing_asked(), [DEMO, OPEN, HELP]),
        Found::Nothing => page(screen, said.nothing_asked(), [DEMO, CONNECT, HELP]),
    }
}

fn look(environment: &Environment) -> Result<Found, Report> {
    let client = connect::client(environment)?;
    if connect::has_nothing(&client, environment) {
        return Ok(Found::Nothing);
    }
    if let Location::Folder(home) = client.location()
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
    let lines = next.iter().map(|(command, about)| {
        let about = about(Start(screen.language));
        // Below the command where there is no room beside it.
        if widest + 4 + width(about) > columns {
            return format!("  {}\n      {about}", screen.paint.text(Role::Id, command));
        }
        let space = " ".repeat(widest - width(command) + 2);
        format!("  {}{space}{about}", screen.paint.text(Role::Id, command))
    });
    format!("{}\n\n{}", screen.paint.text(Role::Strong, said), lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use askuser_core::time::Timestamp;
    use askuser_words::Language;

    use super::*;

    #[test]
    fn askuser_alone_says_what_is_waiting_and_what_to_type() {
        let mut all = Vec::new();
        for language in [Language::English, Language::Chinese] {
            let screen = Screen::made(80, language, Timestamp(0));
            let found =
                [Found::Waiting(0), Found::Waiting(1), Found::Waiting(3), Found::NotRunning, Found::Nothing];
            all.extend(found.iter().map(|found| overview(found, false, &screen)));
            all.push(page(&screen, &Start(language).agent("CLAUDECODE"), [ASK, WAIT, WIRE]));
        }
        insta::assert_snapshot!("start", all.join("\n\n\n"));
    }
}
