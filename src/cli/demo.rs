//! `askuser demo`: a sample agent asks three rounds.
//!
//! It has a desk of its own, in a folder that is gone afterwards, so that it touches nobody's
//! questions and leaves no process behind. On a terminal the person answers, there, in
//! the browser, or with `askuser answer` in a second one. Without a terminal it plays the person from a script as well,
//! and says so. Where no daemon can be had it goes without.

use askuser_core::answer::Answers;
use askuser_core::asker::Purpose;
use askuser_core::outcome::Proof;
use askuser_core::sheet::Sheet;
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use super::alone::Alone;
use super::ask::finish;
use super::at_desk::{self, Rounds, Wanted};
use super::connect::block_on;
use super::exit::Exit;
use super::open;
use super::person::{self, NotAsked, Way};
use super::report::{Report, print_outcome};
use super::stage::Stage;
use crate::channel::terminal::Round;
use crate::channel::terminal::plain::{Next, Plain};
use crate::client::Hand;
use crate::client::seen::write_entries;
use crate::clock;
use crate::doorway::shell::{self, Call, Wishes};
use crate::environment::Environment;

/// One round: what the agent says before it asks, what it asks, and the lines of the script.
struct Act {
    says: &'static str,
    asks: &'static str,
    lines: &'static [&'static str],
}

const ACTS: [Act; 3] = [
    Act {
        says: "I'll add a login to the shop. First I need a decision.",
        asks: include_str!("demo/round-1.json"),
        lines: &["1", "1,3"],
    },
    Act {
        says: "Good. Two more things before I start.",
        asks: include_str!("demo/round-2.json"),
        lines: &["1,3", "8080"],
    },
    Act {
        says: "The code is written. Last round.",
        asks: include_str!("demo/round-3.json"),
        lines: &["2", "yes"],
    },
];

/// What the agent was told.
struct Told {
    reply: String,
    exit: Exit,
}

/// Plays the demo.
pub fn run(plain: bool, environment: &Environment) -> Result<Exit, Report> {
    let watched = person::terminal(environment, plain)?.is_some();
    if !watched {
        say("No terminal here, so this demo plays the person too, from a script.");
    }
    let stage = Stage::open(environment);
    match &stage {
        Some(stage) if watched => {
            let folder = environment.told(stage.folder());
            if let Ok((link, _)) = block_on(open::new_page(stage.client(), environment)) {
                say(&format!("Answer here, or in the browser: {link}"));
            }
            say(&format!("or in a second terminal: ASKUSER_HOME={folder} askuser answer"));
        }
        Some(_) => {}
        None => say("No daemon can be had here, so this demo does without one."),
    }
    let played = play(stage.as_ref(), plain, watched, environment);
    if let Some(stage) = stage {
        stage.close();
    }
    played
}

fn play(
    stage: Option<&Stage>,
    plain: bool,
    watched: bool,
    environment: &Environment,
) -> Result<Exit, Report> {
    for (act_idx, act) in ACTS.iter().enumerate() {
        let number = u32::try_from(act_idx + 1).unwrap_or(1);
        let round = Round { number, total: u32::try_from(ACTS.len()).ok() };
        say(&format!("\nagent: {}", act.says));
        let wishes = Wishes {
            dialect: Some("full".to_owned()),
            reply: Some("push".to_owned()),
            session: Some("demo".to_owned()),
            ..Wishes::default()
        };
        let call = shell::read(act.asks, &wishes, |limits| limits)?;
        let way = if watched { person::terminal(environment, plain)? } else { None };
        let told = match (stage, way) {
            (Some(stage), way) => at_the_desk(stage, act, &call, way, round, environment)?,
            (None, Some(way)) => {
                let told = person::ask(&call, way, Some(round), environment)?;
                Told { exit: Exit::from(&told.outcome), reply: told.reply }
            }
            (None, None) => alone(&call, act.lines, round)?,
        };
        if told.exit == Exit::Interrupted {
            return Ok(Exit::Interrupted);
        }
        say(&format!("agent got: {}", told.reply));
        if told.exit != Exit::Answered {
            return finish("agent: Then I stop here and change nothing.", told.exit);
        }
    }
    finish("\nagent: Done, and every decision was yours.", Exit::Answered)
}

/// One round at the demo's own desk.
fn at_the_desk(
    stage: &Stage,
    act: &Act,
    call: &Call,
    way: Option<Way>,
    round: Round,
    environment: &Environment,
) -> Result<Told, Report> {
    let client = stage.client().clone();
    let mut new = at_desk::new_ask(act.asks, call.dialect, call, environment);
    if let Some(fields) = new.questions.as_object_mut() {
        // The sample agent works in no folder of this machine.
        let asker = &call.terms.asker;
        fields.insert("asker".to_owned(), json!({"agent": asker.agent, "project": asker.project}));
    }
    block_on(async {
        let reply = call.reply;
        let finished = if way.is_some() {
            let wanted = Wanted {
                new,
                reply,
                patience: None,
                round: Some(round),
                rounds: Rounds::Untold,
                environment,
            };
            let failed = |error| Report::failed(format!("signals cannot be heard: {error}"), None);
            let mut hang_up = signal(SignalKind::hangup()).map_err(failed)?;
            tokio::select! {
                finished = at_desk::ask(client, way, &wanted) => finished?,
                // An agent would wait on for the browser; nobody sees what this one does without its terminal.
                _ = hang_up.recv() => return Ok(Told { reply: String::new(), exit: Exit::Interrupted }),
            }
        } else {
            let seen = client.ask(&new).await?;
            let entries = scripted(seen.sheet(), seen.purpose, act.lines, round)?.entries();
            let body = write_entries(entries.iter().map(|(id, entry)| (id, entry)));
            client.answer(seen.id, Hand::Program, body).await?;
            at_desk::wait(client, seen.id, new.reply, None, Some(reply)).await?
        };
        finished.acknowledge().await;
        Ok(Told { reply: finished.text, exit: finished.exit })
    })
}

/// One round without a desk, from the script.
fn alone(call: &Call, lines: &[&str], round: Round) -> Result<Told, NotAsked> {
    let mut alone =
        Alone::ask(call.questions.clone(), call.terms.clone(), clock::now()).map_err(NotAsked::Unfit)?;
    let Some(ask) = alone.now() else { return Err(script_ended()) };
    let answers = scripted(ask.sheet(), ask.terms.purpose, lines, round)?;
    let outcome = alone.answer(&answers, Proof::Rule, clock::now())?;
    Ok(Told { reply: alone.reply(call.reply, &outcome), exit: Exit::from(&outcome) })
}

/// Plays the person: prints the question and each line of the script as if it were typed.
fn scripted(sheet: Sheet, purpose: Purpose, lines: &[&str], round: Round) -> Result<Answers, NotAsked> {
    let title = format!("Round {}/{}", round.number, round.total.unwrap_or(round.number));
    let mut plain = Plain::new(sheet, purpose, Some(title));
    for line in lines {
        say(&format!("{}{}{line}", plain.question(), plain.prompt()));
        if let Next::Sent(sheet) = plain.line(line).next {
            return sheet.answers().map_err(|_| script_ended());
        }
    }
    Err(script_ended())
}

fn script_ended() -> NotAsked {
    NotAsked::NobodyThere { why: "the script of the demo ended".to_owned() }
}

/// Tells the story. Whoever closed standard output has seen enough.
fn say(text: &str) {
    let _told = print_outcome(text);
}
