//! `askuser wait`: comes back to a question that was asked.

use std::time::Duration;

use askuser_words::naming::Things;
use tokio::time::Instant;

use crate::cli::args::{Output, Prints};
use crate::cli::completion;
use crate::cli::duration;
use crate::cli::lookup::{self};
use askuser_ask::connect::block_on;
use askuser_ask::desk;
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::printing::Printing;
use askuser_ask::report::Report;
use askuser_system::environment::Environment;
use askuser_wire::Dialect;

/// Wait again for an answer
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser wait YNQD --patience 10m")]
pub struct WaitArgs {
    /// The question's id, or four characters of it [default: the only one you asked]
    #[arg(value_name = "QUESTION", add = completion::waiting())]
    pub ask: Option<String>,
    /// Stop waiting after this time, e.g. 50s; the question keeps waiting (exit code 5)
    #[arg(long, value_name = "TIME")]
    pub patience: Option<String>,
    /// The JSON format of the reply [default: the one asked for]
    #[arg(long, value_name = "NAME")]
    pub reply: Option<String>,
    #[command(flatten)]
    pub prints: Prints,
}

/// `askuser wait [ASK]`
pub fn run(args: &WaitArgs, environment: &Environment) -> Result<Exit, Report> {
    let (ask, patience, reply) = (args.ask.as_deref(), args.patience.as_deref(), args.reply.as_deref());
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
        let client = lookup::asker(ask, environment).await?;
        let Some(id) = lookup::asked(&client, ask, environment).await? else { return Ok(Exit::StillOpen) };
        let until = patience.and_then(|patience| Instant::now().checked_add(patience));
        let waited =
            desk::wait(client, id, reply.map(str::to_owned), until, dialect, language(environment)).await?;
        let output = args.prints.output.or(Some(Output::Json));
        let printing = Printing { output, exit_code: args.prints.exit_code };
        askuser_ask::run::print(waited, printing, environment).await
    })
}
