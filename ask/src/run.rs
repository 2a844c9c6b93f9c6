//! Asks where it was found out to be asked, waits, and prints what came of it.

use std::time::Duration;

use super::connect;
use super::desk::{self, Finished, Request, Rounds};
use super::destination::Destination;
use super::exit::Exit;
use super::options::Output;
use super::output::language;
use super::printing::{Printing, tell_answered_by};
use super::report::{Report, finish};
use super::shell::Call;
use super::surface::{self, tell_unsaved};
use askuser_system::environment::Environment;

/// Asks where it was found out to be asked, waits, prints.
pub fn ask_at(
    found: Destination,
    text: &str,
    call: &Call,
    (patience, printing): (Option<Duration>, Printing),
    environment: &Environment,
) -> Result<Exit, Report> {
    connect::block_on(async {
        let (client, surface, or_alone) = match found {
            Destination::Desk { client, surface, or_alone } => (*client, surface, or_alone),
            Destination::Alone(surface) => {
                let told = surface::ask(call, surface, None, environment).await?;
                tell_unsaved(None, environment);
                return print(told.into(), printing, environment).await;
            }
        };
        let wanted = Request {
            new: desk::new_ask(text, call.dialect, call, environment),
            call,
            patience,
            round: None,
            rounds: Rounds::of(&call.terms),
            or_alone,
            environment,
        };
        print(desk::ask(client, surface, &wanted).await?, printing, environment).await
    })
}

/// Prints what came of asking, then tells the desk that it arrived.
pub async fn print(
    finished: Finished,
    printing: Printing,
    environment: &Environment,
) -> Result<Exit, Report> {
    finished.tell_open(environment);
    let (Some(outcome), Some(questions)) = (&finished.outcome, &finished.questions) else {
        let is_json = printing.output == Some(Output::Json) && !finished.text.is_empty();
        return if is_json { finish(&finished.text, finished.exit) } else { Ok(finished.exit) };
    };
    let language = language(environment);
    tell_answered_by(outcome, language);
    let exit = printing.print((questions, outcome), &finished.text, language)?;
    finished.acknowledge().await;
    Ok(exit)
}
