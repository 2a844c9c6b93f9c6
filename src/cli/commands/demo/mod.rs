//! `askuser demo`: a sample agent asks three rounds.
//!
//! It has a desk of its own, in a folder that is gone afterwards, so that it touches nobody's
//! questions and leaves no process behind. On a terminal the person answers, there, in the browser, or with
//! `askuser answer` in a second one. Without a terminal it plays the person from a script as well, and says so.
//! Where no daemon can be started it goes without.

pub mod temporary_desk;

use askuser_core::answer::Answers;
use askuser_core::asker::Purpose;
use askuser_core::outcome::Proof;
use askuser_core::sheet::Sheet;
use askuser_words::demo::Demo;
use askuser_words::prompt::Prompt;
use askuser_words::{Language, both};
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use super::demo::temporary_desk::Stage;
use super::install::found::is_any_connected;
use super::open;
use crate::cli::args::Layout;
use askuser_ask::connect::block_on;
use askuser_ask::desk::{self, Request, Rounds};
use askuser_ask::exit::Exit;
use askuser_ask::in_memory::InMemory;
use askuser_ask::output::language;
use askuser_ask::report::finish;
use askuser_ask::report::{Report, print_outcome};
use askuser_ask::shell::{self, Call, Wishes};
use askuser_ask::surface::{self, NotAsked, Surface};
use askuser_client::Via;
use askuser_client::seen::write_entries;
use askuser_system::clock;
use askuser_system::environment::Environment;
use askuser_terminal::Round;
use askuser_terminal::plain::{Next, Plain};

/// Try askuser with a sample agent
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser demo")]
pub struct DemoArgs {
    /// Use numbered text prompts instead of the panel
    #[arg(long, value_name = "LAYOUT", value_enum, num_args = 0..=1, require_equals = true,
          default_missing_value = "box")]
    pub plain: Option<Layout>,
}

/// One round: what the agent says before it asks, and what it asks in English and in Chinese; and the lines of the
/// script, which are the same.
struct Act {
    says: fn(Demo) -> &'static str,
    asks: (&'static str, &'static str),
    lines: &'static [&'static str],
}

const ACTS: [Act; 3] = [
    Act {
        says: Demo::first,
        asks: (include_str!("round-1.json"), include_str!("round-1.zh.json")),
        lines: &["1", "1,3"],
    },
    Act {
        says: Demo::second,
        asks: (include_str!("round-2.json"), include_str!("round-2.zh.json")),
        lines: &["1,3", "http", "8080"],
    },
    Act {
        says: Demo::third,
        asks: (include_str!("round-3.json"), include_str!("round-3.zh.json")),
        lines: &["2", "yes"],
    },
];

/// What the agent was told.
struct Told {
    reply: String,
    exit: Exit,
}

/// Plays the demo.
pub fn run(args: &DemoArgs, environment: &Environment) -> Result<Exit, Report> {
    let plain = args.plain;
    let watched = surface::terminal(environment, plain)?.is_some();
    let said = Demo(language(environment));
    if !watched {
        say(said.scripted());
    }
    let stage = Stage::open(environment);
    match &stage {
        Some(stage) if watched => {
            say(said.here());
            if let Ok((link, _)) = block_on(open::new_page(stage.client(), environment)) {
                say(&said.browser(link));
            }
            say(&said.terminal(answer_command(stage, environment)));
        }
        Some(_) => {}
        None => say(said.alone()),
    }
    let played = play(stage.as_ref(), plain, watched, environment);
    if let Some(stage) = stage {
        stage.close();
    }
    played
}

/// Returns how to answer in another terminal.
fn answer_command(stage: &Stage, environment: &Environment) -> String {
    format!("ASKUSER_HOME={} askuser answer", environment.told(stage.folder()))
}

fn play(
    stage: Option<&Stage>,
    plain: Option<Layout>,
    watched: bool,
    environment: &Environment,
) -> Result<Exit, Report> {
    let language = language(environment);
    let said = Demo(language);
    for (act_idx, act) in ACTS.iter().enumerate() {
        let asks = language.pick(act.asks.0, act.asks.1);
        let number = u32::try_from(act_idx + 1).unwrap_or(1);
        let round = Round { number, total: u32::try_from(ACTS.len()).ok() };
        say(&format!("\n{}", said.agent((act.says)(said))));
        if let Some(stage) = stage.filter(|_| watched && act_idx + 1 == ACTS.len()) {
            say(&said.elsewhere(answer_command(stage, environment)));
        }
        let wishes = Wishes {
            dialect: Some("full".to_owned()),
            reply: Some("push".to_owned()),
            session: Some("demo".to_owned()),
            ..Wishes::default()
        };
        let call = shell::read(asks, &wishes, |limits| limits)?;
        let way = if watched { surface::terminal(environment, plain)? } else { None };
        let told = match (stage, way) {
            (Some(stage), way) => at_the_desk(stage, (asks, act.lines), &call, way, round, environment)?,
            (None, Some(way)) => {
                let told = block_on(async { Ok(surface::ask(&call, way, Some(round), environment).await?) })?;
                Told { exit: Exit::from(&told.outcome), reply: told.reply }
            }
            (None, None) => alone(&call, act.lines, round, language)?,
        };
        if told.exit == Exit::Interrupted {
            return Ok(Exit::Interrupted);
        }
        say(&said.got(told.reply));
        if told.exit != Exit::Answered {
            return finish(&said.agent(said.stops()), told.exit);
        }
    }
    let done = said.agent(said.done());
    let (next, command) = if is_any_connected(environment) {
        (said.next_inbox(), "askuser open")
    } else {
        (said.next(), "askuser setup")
    };
    finish(&format!("\n{done}\n\n{next}\n  {command}"), Exit::Answered)
}

/// One round at the demo's own desk.
fn at_the_desk(
    stage: &Stage,
    (asks, lines): (&str, &[&str]),
    call: &Call,
    way: Option<Surface>,
    round: Round,
    environment: &Environment,
) -> Result<Told, Report> {
    let client = stage.client().clone();
    let mut new = desk::new_ask(asks, call.dialect, call, environment);
    if let Some(fields) = new.questions.as_object_mut() {
        // The sample agent works in no folder of this machine.
        let asker = &call.terms.asker;
        fields.insert("asker".to_owned(), json!({"agent": asker.agent, "project": asker.project}));
    }
    block_on(async {
        let finished = if way.is_some() {
            let wanted = Request {
                new,
                call,
                patience: None,
                round: Some(round),
                rounds: Rounds::Untold,
                or_alone: false,
                environment,
            };
            let failed = |error| Report::failed(Prompt(language(environment)).no_signals(error), None);
            let mut hang_up = signal(SignalKind::hangup()).map_err(failed)?;
            tokio::select! {
                finished = desk::ask(client, way, &wanted) => finished?,
                // An agent would wait on for the browser; nobody sees what this one does without its terminal.
                _ = hang_up.recv() => return Ok(Told { reply: String::new(), exit: Exit::Interrupted }),
            }
        } else {
            let seen = client.ask(&new).await?;
            let entries =
                scripted(seen.sheet(), seen.purpose, lines, round, language(environment))?.entries();
            let body = write_entries(entries.iter().map(|(id, entry)| (id, entry)));
            client.answer(seen.id, Via::Program, body).await?;
            desk::wait(client, seen.id, new.reply, None, Some(call.reply), language(environment)).await?
        };
        finished.acknowledge().await;
        Ok(Told { reply: finished.text, exit: finished.exit })
    })
}

/// One round without a desk, from the script.
fn alone(call: &Call, lines: &[&str], round: Round, language: Language) -> Result<Told, NotAsked> {
    let mut alone =
        InMemory::ask(call.questions.clone(), call.terms.clone(), clock::now()).map_err(NotAsked::Unfit)?;
    let Some(ask) = alone.now() else { return Err(script_ended()) };
    let answers = scripted(ask.sheet(), ask.terms.purpose, lines, round, language)?;
    let outcome = alone.answer(&answers, Proof::Rule, clock::now())?;
    Ok(Told { reply: alone.reply(call.reply, &outcome), exit: Exit::from(&outcome) })
}

/// Plays the person: prints the question and each line of the script as if it were typed.
fn scripted(
    sheet: Sheet,
    purpose: Purpose,
    lines: &[&str],
    round: Round,
    language: Language,
) -> Result<Answers, NotAsked> {
    let title = language.round(round.number, round.total);
    let mut plain = Plain::new(sheet, purpose, Some(title)).in_language(language);
    for line in lines {
        say(&format!("{}{}{line}", plain.question(), plain.prompt()));
        let reply = plain.line(line);
        if !reply.say.is_empty() {
            say(reply.say.trim_end());
        }
        if let Next::Sent(sheet) = reply.next {
            return sheet.answers().map_err(|_| script_ended());
        }
    }
    Err(script_ended())
}

fn script_ended() -> NotAsked {
    NotAsked::NobodyThere { why: both(Demo::script_ended) }
}

/// Tells the story. Whoever closed standard output has seen enough.
fn say(text: &str) {
    let _told = print_outcome(text);
}
