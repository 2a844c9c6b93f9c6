//! `askuser demo`: a sample agent asks three rounds.
//!
//! On a terminal the person answers. Without one it plays the person from a script as well, and
//! says so: the outcome then says `rule`, never `person`'s terminal.

use askuser_core::outcome::Proof;

use super::alone::Alone;
use super::ask::finish;
use super::exit::Exit;
use super::person::{self, NotAsked, Told};
use super::report::{Report, print_outcome};
use crate::channel::terminal::Round;
use crate::channel::terminal::plain::{Next, Plain};
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

/// Plays the demo.
pub fn run(plain: bool, environment: &Environment) -> Result<Exit, Report> {
    let alone = person::way(environment, false, plain).is_err();
    if alone {
        say("No terminal here, so this demo plays the person too, from a script.");
    }
    for (act_idx, act) in ACTS.iter().enumerate() {
        let number = u32::try_from(act_idx + 1).unwrap_or(1);
        let round = Round { number, total: u32::try_from(ACTS.len()).ok() };
        say(&format!("\nagent: {}", act.says));
        let wishes = Wishes { dialect: Some("push".to_owned()), ..Wishes::default() };
        let call = shell::read(act.asks, &wishes, |limits| limits)?;
        let told = if alone {
            play(&call, act.lines, round)?
        } else {
            person::ask(&call, person::way(environment, false, plain)?, Some(round), environment)?
        };
        say(&format!("agent got: {}", told.reply));
        let exit = Exit::from(&told.outcome);
        if exit != Exit::Answered {
            return finish("agent: Then I stop here and change nothing.", exit);
        }
    }
    finish("\nagent: Done, and every decision was yours.", Exit::Answered)
}

/// Plays the person: prints the question and each line of the script as if it were typed.
fn play(call: &Call, lines: &[&str], round: Round) -> Result<Told, NotAsked> {
    let mut alone =
        Alone::ask(call.questions.clone(), call.terms.clone(), clock::now()).map_err(NotAsked::Unfit)?;
    let ended = || NotAsked::NobodyThere { why: "the script of the demo ended".to_owned() };
    let Some(ask) = alone.now() else { return Err(ended()) };
    let title = format!("Round {}/{}", round.number, round.total.unwrap_or(round.number));
    let mut plain = Plain::new(ask.sheet(), ask.terms.purpose, Some(title));
    for line in lines {
        say(&format!("{}{}{line}", plain.question(), plain.prompt()));
        let reply = plain.line(line);
        if let Next::Sent(sheet) = reply.next {
            let answers = sheet.answers().map_err(|_| ended())?;
            let outcome = alone.answer(&answers, Proof::Rule, clock::now())?;
            return Ok(Told { reply: alone.reply(call.reply, &outcome), outcome });
        }
    }
    Err(ended())
}

/// Tells the story. Whoever closed standard output has seen enough.
fn say(text: &str) {
    let _told = print_outcome(text);
}
