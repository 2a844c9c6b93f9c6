//! `askuser mcp`: the MCP server that an agent starts on its own pipes.

use askuser_words::commands::Server as Said;

use super::config;
use crate::daemon::configured;
use askuser_ask::connect::{self, block_on};
use askuser_ask::exit::Exit;
use askuser_ask::report::Report;
use askuser_mcp::{self as mcp, RemoteDesk, Server, Settings, Templates};
use askuser_system::environment::Environment;

/// Run the MCP server for an agent on stdin and stdout
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser mcp")]
pub struct McpArgs {}

/// Serves until the agent closes our input.
pub fn run(_args: &McpArgs, environment: &Environment) -> Result<Exit, Report> {
    let remote = RemoteDesk::new(connect::client(environment)?, super::ask::fallback(environment)?);
    let own = connect::home(None, environment)?.templates();
    let templates = Templates::new(environment.path("HOME"), Some(own));
    // What is configured here says nothing of the desk, which may be elsewhere: it is asked.
    let no_dialog = matches!(environment.get("ASKUSER_AGENT_DIALOG"), Some("off" | "false"));
    let settings = Settings { no_dialog, ..configured::mcp(&config::load(environment)?.config) };
    let server = Server::started_by_agent(remote, environment.clone(), settings, templates);
    block_on(async {
        let ended = Box::pin(mcp::serve(server)).await;
        ended.map_err(|error| Report::failure(|said: Said| said.mcp_broken(&error)))?;
        Ok(Exit::Answered)
    })
}
