//! `askuser wait`: comes back to a question that was asked.

use std::time::Duration;

use askuser_words::naming::Things;
use tokio::time::Instant;

use super::ask;
use crate::cli::args::{Output, Prints};
use crate::cli::at_desk;
use crate::cli::connect::block_on;
use crate::cli::duration;
use crate::cli::exit::Exit;
use crate::cli::output::language;
use crate::cli::printing::Printing;
use crate::cli::report::Report;
use crate::cli::which::{self};
use askuser_system::environment::Environment;
use askuser_wire::Dialect;

/// `askuser wait [ASK]`
pub fn run(
    ask: Option<&str>,
    patience: Option<&str>,
    reply: Option<&str>,
    prints: Prints,
    environment: &Environment,
) -> Result<Exit, Report> {
    let wrong = |error: duration::NotADuration| Report::from(error);
    let patience: Option<Duration> = patience.map(duration::parse).transpose().map_err(wrong)?;
    let dialect = match reply {
        None => None,
        Some(name) => {
            let said = Things(language(environment));
            let no_such = || Report::wrong_input(said.no_dialect(name), None);
            Some(Dialect::parse(name).ok_or_else(no_such)?)
        }
    };
    block_on(async {
        let client = which::asker(ask, environment).await?;
        let Some(id) = which::asked(&client, ask, environment).await? else { return Ok(Exit::StillOpen) };
        let until = patience.and_then(|patience| Instant::now().checked_add(patience));
        let waited =
            at_desk::wait(client, id, reply.map(str::to_owned), until, dialect, language(environment))
                .await?;
        let output = prints.output.or(Some(Output::Json));
        let printing = Printing { output, exit_code: prints.exit_code };
        ask::print(waited, printing, environment).await
    })
}
