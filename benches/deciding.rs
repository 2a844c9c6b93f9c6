//! What the next ask costs where one agent keeps as much open as it may: beside a session with ten open asks.

use std::hint::black_box;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use askuser_core::asker::{Terms, Timing};
use askuser_core::command::{Actor, Command, KnownBy, NewAsk, Role};
use askuser_core::decide::{View, decide};
use askuser_core::id::{AskId, SessionId};
use askuser_core::limits::DeskLimits;
use askuser_core::outcome::{By, Channel, Proof};
use askuser_core::question::Questions;
use askuser_core::session::Origin;
use askuser_core::time::Timestamp;

use crate::Outcome;

const SAMPLES: usize = 101;
/// What the next ask may take beside a hostile agent's.
const MOST_MS: f64 = 1.0;

/// Prints the table; fails where the most is reached.
pub(crate) fn run() -> Outcome {
    let mut out = io::stdout().lock();
    writeln!(out, "deciding one more ask of 4 questions and a save, median of {SAMPLES} samples")?;
    writeln!(out, "{:>8}{:>12}{:>12}{:>12}  target", "open", "questions", "ask ms", "save ms")?;
    let mut is_missed = false;
    for (n_open, n_questions) in [(10, 4), (999, 40), (999, 100)] {
        let view = crowded(n_open, n_questions)?;
        let next = asking(5000, 4, "next")?;
        let ask_ms = measure(&view, &agent(), &next);
        let save = Command::Save { ask: AskId(1), entries: Vec::new() };
        let save_ms = measure(&view, &person(), &save);
        let missed = ask_ms >= MOST_MS;
        is_missed |= missed;
        let target = if missed { "MISSED" } else { "met" };
        writeln!(
            out,
            "{n_open:>8}{n_questions:>12}{ask_ms:>12.3}{save_ms:>12.3}  {target}: ask < {MOST_MS} ms"
        )?;
    }
    if is_missed { Err("the next ask waits for what others keep open".into()) } else { Ok(()) }
}

fn measure(view: &View, who: &Actor, command: &Command) -> f64 {
    let mut times: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let begun = Instant::now();
            let _decided = black_box(decide(black_box(view), who, command, Timestamp(1)));
            begun.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[SAMPLES / 2]
}

/// A session in which an agent keeps so many asks of so many questions open.
fn crowded(n_open: u128, n_questions: usize) -> Outcome<View> {
    let limits = DeskLimits { open_max: 1000, ..DeskLimits::default() };
    let open = Command::OpenSession {
        session: SessionId(1),
        external_id: None,
        origin: Origin::Named,
        total_rounds: None,
        timing: Timing::default(),
    };
    let empty = View { limits, ..View::default() };
    let mut view = decide(&empty, &agent(), &open, Timestamp(0))?.after;
    for id in 1..=n_open {
        view = decide(&view, &agent(), &asking(id, n_questions, &format!("a{id}"))?, Timestamp(0))?.after;
    }
    Ok(view)
}

fn asking(id: u128, n_questions: usize, prefix: &str) -> Outcome<Command> {
    let follow_up = |place: usize| {
        serde_json::json!({"question_id": format!("{prefix}-{place}"), "question": format!("{prefix} {place}?"),
            "options": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]})
    };
    let mut top = follow_up(0);
    let rest: Vec<serde_json::Value> = (1..n_questions).map(follow_up).collect();
    top["follow_up_questions"] = serde_json::json!({"a": rest});
    let read = askuser_wire::read(askuser_wire::Dialect::Full, &serde_json::json!({"questions": [top]}));
    let (questions, terms): (Questions, Terms) =
        read.check().map_err(|problems| format!("the questions do not fit: {problems:?}"))?;
    let fingerprint = askuser_core::content::digest(askuser_core::content::Content::new(&questions, &terms));
    let (id, session, otherwise) = (AskId(id), SessionId(1), Timing::default());
    Ok(Command::Ask(Box::new(NewAsk {
        id,
        session,
        questions,
        terms: Arc::new(terms),
        otherwise,
        fingerprint,
        known_by: KnownBy::Nothing,
    })))
}

fn agent() -> Actor {
    let by = By::new(Some("local".into()), Channel::Agent, Proof::KeyFile);
    Actor { role: Role::Agent, user: "local".into(), by, key: None }
}

fn person() -> Actor {
    Actor { role: Role::Person, by: By::new(Some("local".into()), Channel::Web, Proof::Cookie), ..agent() }
}
