//! `askuser demo`: a sample agent asks three rounds.
//!
//! It has a desk of its own, in a folder that is gone afterwards, so that it touches nobody's
//! questions and leaves no process behind. On a terminal the person answers, there, in
//! the browser, or with `askuser answer` in a second one. Without a terminal it plays the person from a script as well,
//! and says so. Where no daemon can be had it goes without.

use std::path::Path;

use askuser_core::answer::Answers;
use askuser_core::asker::Purpose;
use askuser_core::outcome::Proof;
use askuser_core::sheet::Sheet;
use askuser_words::Language;
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use super::alone::Alone;
use super::args::Layout;
use super::ask::finish;
use super::at_desk::{self, Rounds, Wanted};
use super::connect::block_on;
use super::exit::Exit;
use super::open;
use super::output::language;
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

/// One round in English and in Chinese: what the agent says before it asks, and what it asks; and the lines of the
/// script, which are the same.
struct Act {
    says: (&'static str, &'static str),
    asks: (&'static str, &'static str),
    lines: &'static [&'static str],
}

const ACTS: [Act; 3] = [
    Act {
        says: (
            "I'll add a login to the shop. First I need a decision.",
            "我来给商店加上登录功能，先请你做个决定。",
        ),
        asks: (include_str!("demo/round-1.json"), include_str!("demo/round-1.zh.json")),
        lines: &["1", "1,3"],
    },
    Act {
        says: ("Good. Two more things before I start.", "好的。开始之前还有两件事。"),
        asks: (include_str!("demo/round-2.json"), include_str!("demo/round-2.zh.json")),
        lines: &["1,3", "8080"],
    },
    Act {
        says: ("The code is written. Last round.", "代码写好了，最后一轮。"),
        asks: (include_str!("demo/round-3.json"), include_str!("demo/round-3.zh.json")),
        lines: &["2", "yes"],
    },
];

/// Agents that `askuser install` knows, by the program that people start.
const PROGRAMS: [(&str, &str); 7] = [
    ("claude", "claude-code"),
    ("codex", "codex"),
    ("gemini", "gemini"),
    ("opencode", "opencode"),
    ("cursor", "cursor"),
    ("code", "vscode"),
    ("windsurf", "windsurf"),
];

/// What the agent was told.
struct Told {
    reply: String,
    exit: Exit,
}

/// Plays the demo.
pub fn run(plain: Option<Layout>, environment: &Environment) -> Result<Exit, Report> {
    let watched = person::terminal(environment, plain)?.is_some();
    let language = language(environment);
    if !watched {
        say(language.pick(
            "No terminal here, so this demo plays the person too, from a script.",
            "这里没有终端，演示将按脚本代为回答。",
        ));
    }
    let stage = Stage::open(environment);
    match &stage {
        Some(stage) if watched => {
            let folder = environment.told(stage.folder());
            if let Ok((link, _)) = block_on(open::new_page(stage.client(), environment)) {
                say(&format!(
                    "{}{link}",
                    language.pick("Answer here, or in the browser: ", "在这里回答，或在浏览器中回答：")
                ));
            }
            say(&format!(
                "{}ASKUSER_HOME={folder} askuser answer",
                language.pick("or in a second terminal: ", "或在另一个终端中运行：")
            ));
        }
        Some(_) => {}
        None => say(language.pick(
            "askuser cannot be started in the background here, so nothing is saved.",
            "这里无法在后台启动 askuser，因此不会保存。",
        )),
    }
    let played = play(stage.as_ref(), plain, watched, environment);
    if let Some(stage) = stage {
        stage.close();
    }
    played
}

fn play(
    stage: Option<&Stage>,
    plain: Option<Layout>,
    watched: bool,
    environment: &Environment,
) -> Result<Exit, Report> {
    let language = language(environment);
    for (act_idx, act) in ACTS.iter().enumerate() {
        let asks = language.pick(act.asks.0, act.asks.1);
        let number = u32::try_from(act_idx + 1).unwrap_or(1);
        let round = Round { number, total: u32::try_from(ACTS.len()).ok() };
        let agent = language.pick("agent: ", "智能体：");
        say(&format!("\n{agent}{}", language.pick(act.says.0, act.says.1)));
        let wishes = Wishes {
            dialect: Some("full".to_owned()),
            reply: Some("push".to_owned()),
            session: Some("demo".to_owned()),
            ..Wishes::default()
        };
        let call = shell::read(asks, &wishes, |limits| limits)?;
        let way = if watched { person::terminal(environment, plain)? } else { None };
        let told = match (stage, way) {
            (Some(stage), way) => at_the_desk(stage, (asks, act.lines), &call, way, round, environment)?,
            (None, Some(way)) => {
                let told = block_on(async { Ok(person::ask(&call, way, Some(round), environment).await?) })?;
                Told { exit: Exit::from(&told.outcome), reply: told.reply }
            }
            (None, None) => alone(&call, act.lines, round, language)?,
        };
        if told.exit == Exit::Interrupted {
            return Ok(Exit::Interrupted);
        }
        say(&format!("{}{}", language.pick("agent got: ", "智能体收到："), told.reply));
        if told.exit != Exit::Answered {
            let stops = language
                .pick("agent: Then I stop here and change nothing.", "智能体：那我就此停下，不做任何改动。");
            return finish(stops, told.exit);
        }
    }
    let done = language
        .pick("\nagent: Done, and every decision was yours.", "\n智能体：完成了，每个决定都由你做出。");
    finish(&format!("{done}\n\n{}", next_step(language, environment)), Exit::Answered)
}

/// What to do next: connect the agents that are on this machine, or know how to.
fn next_step(language: Language, environment: &Environment) -> String {
    let path = environment.get("PATH").unwrap_or_default();
    let is_there = |program: &str| path.split(':').any(|folder| Path::new(folder).join(program).is_file());
    let found: Vec<&str> =
        PROGRAMS.iter().filter(|(program, _)| is_there(program)).map(|(_, agent)| *agent).collect();
    let agents = if found.is_empty() { vec!["claude-code"] } else { found };
    let lines: Vec<String> = agents.iter().map(|agent| format!("  askuser install {agent}")).collect();
    format!(
        "{}\n{}",
        language.pick("Next, connect your own agent:", "下一步，接入你自己的智能体："),
        lines.join("\n")
    )
}

/// One round at the demo's own desk.
fn at_the_desk(
    stage: &Stage,
    (asks, lines): (&str, &[&str]),
    call: &Call,
    way: Option<Way>,
    round: Round,
    environment: &Environment,
) -> Result<Told, Report> {
    let client = stage.client().clone();
    let mut new = at_desk::new_ask(asks, call.dialect, call, environment);
    if let Some(fields) = new.questions.as_object_mut() {
        // The sample agent works in no folder of this machine.
        let asker = &call.terms.asker;
        fields.insert("asker".to_owned(), json!({"agent": asker.agent, "project": asker.project}));
    }
    block_on(async {
        let finished = if way.is_some() {
            let wanted = Wanted {
                new,
                call,
                patience: None,
                round: Some(round),
                rounds: Rounds::Untold,
                or_alone: false,
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
            let entries =
                scripted(seen.sheet(), seen.purpose, lines, round, language(environment))?.entries();
            let body = write_entries(entries.iter().map(|(id, entry)| (id, entry)));
            client.answer(seen.id, Hand::Program, body).await?;
            at_desk::wait(client, seen.id, new.reply, None, Some(call.reply)).await?
        };
        finished.acknowledge().await;
        Ok(Told { reply: finished.text, exit: finished.exit })
    })
}

/// One round without a desk, from the script.
fn alone(call: &Call, lines: &[&str], round: Round, language: Language) -> Result<Told, NotAsked> {
    let mut alone =
        Alone::ask(call.questions.clone(), call.terms.clone(), clock::now()).map_err(NotAsked::Unfit)?;
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
