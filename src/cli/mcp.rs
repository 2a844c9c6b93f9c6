//! `askuser mcp`: the MCP server that an agent starts on its own pipes.

use super::connect::{self, block_on};
use super::duration;
use super::exit::Exit;
use super::report::Report;
use crate::doorway::mcp::{self, Afar, Server, Settings, Templates};
use crate::environment::Environment;

/// Serves until the agent closes our input.
pub fn run(environment: &Environment) -> Result<Exit, Report> {
    let afar = Afar::new(connect::client(environment)?, super::ask::fallback(environment)?);
    let own = connect::home(None, environment)?.templates();
    let templates = Templates::new(environment.path("HOME"), Some(own));
    let server = Server::started_by_agent(afar, environment.clone(), settings(environment)?, templates);
    block_on(async {
        let ended = Box::pin(mcp::serve(server)).await;
        ended.map_err(|error| Report::failed(format!("the conversation broke off: {error}"), None))?;
        Ok(Exit::Answered)
    })
}

/// Reads what is configured for the calls of agents.
pub fn settings(environment: &Environment) -> Result<Settings, Report> {
    let hold = environment.get("ASKUSER_HOLD").map(duration::parse).transpose();
    let hold = hold.map_err(|error| Report::wrong_input(format!("ASKUSER_HOLD: {error}"), None))?;
    let agent_dialog = match environment.get("ASKUSER_AGENT_DIALOG") {
        None | Some("off") => false,
        Some("on") => true,
        Some(other) => {
            let what = format!("ASKUSER_AGENT_DIALOG is `{other}`, which is neither on nor off");
            return Err(Report::wrong_input(what, None));
        }
    };
    Ok(Settings { hold, agent_dialog })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_dialog_is_off_unless_it_is_wanted_and_what_makes_no_sense_is_said() {
        assert_eq!(settings(&Environment::of(&[])), Ok(Settings::default()));
        let both = Environment::of(&[("ASKUSER_HOLD", "23h"), ("ASKUSER_AGENT_DIALOG", "on")]);
        let expected = Settings { hold: Some(Duration::from_hours(23)), agent_dialog: true };
        assert_eq!(settings(&both), Ok(expected));
        for wrong in [("ASKUSER_HOLD", "soon"), ("ASKUSER_AGENT_DIALOG", "maybe")] {
            let told = settings(&Environment::of(&[wrong])).unwrap_err();
            assert_eq!(told.exit, Exit::WrongInput);
        }
    }
}
