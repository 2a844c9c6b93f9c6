//! A thousand open asks: the inbox is as quick with them as with ten.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use askuser_client::{Client, NewAsk};
use askuser_system::environment::Environment;
use serde_json::json;
use tokio::task::JoinSet;

use crate::asks::ASKUSER;
use crate::home::{TestHome, WAKES};
use crate::press::{DOWN, UP};
use crate::stage::{Setup, Stage};

/// How many keys are timed.
const KEYS: usize = 30;
/// Asks that one conversation shows at once.
const SHOWN: usize = 5;

/// A desk with so many open asks, of as many agents as it takes for all to be shown.
fn desk_with(n_asks: usize) -> TestHome {
    let home = TestHome::new();
    // What is counted here is not how often an agent may ask.
    let mut command = home.command(ASKUSER, &WAKES);
    let started = command.env("ASKUSER_RATE_LIMIT_REQUESTS", "0").output().unwrap();
    assert!(started.status.success(), "{}", crate::asks::told(&started));
    let client = Client::new(&Environment::of(&[]), home.home.clone());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let mut asking = JoinSet::new();
        for n in 0..n_asks {
            let client = client.clone();
            asking.spawn(async move {
                let questions = json!({"asker": {"agent": "codex", "project": format!("p{}", n / SHOWN)},
                    "questions": [{"question_id": format!("q{n}"), "question_text": format!("Question number {n}?"), "type": "multiple_choice",
                        "options": [{"id": "a", "label": "Now"}, {"id": "b", "label": "Later"}]}]});
                let conversation = Some(format!("c{}", n / SHOWN));
                client.ask(&NewAsk { questions, conversation, ..NewAsk::default() }).await.unwrap();
            });
            if asking.len() >= 32 {
                asking.join_next().await.unwrap().unwrap();
            }
        }
        while let Some(asked) = asking.join_next().await {
            asked.unwrap();
        }
    });
    home
}

/// Returns the middle time from a key to the painted frame, as the person at the terminal sees it.
fn key_to_frame(stage: &mut Stage, n_asks: usize) -> Duration {
    let mut times: Vec<Duration> = (0..KEYS)
        .map(|n| {
            let mut place = String::new();
            write!(place, " {}/{n_asks}", n % 2 + 2).unwrap();
            let begun = Instant::now();
            stage.does(if n % 2 == 0 && n > 0 { UP } else { DOWN }, &place);
            begun.elapsed()
        })
        .collect();
    times.sort();
    times[KEYS / 2]
}

fn opened(home: &TestHome, n_asks: usize) -> Stage {
    let setup = Setup::new(ASKUSER).arg("inbox").size(120, 22).var("ASKUSER_HOME", &home.data());
    let stage = setup.start();
    stage.sees(&format!("Inbox {n_asks}"));
    stage
}

#[test]
fn a_thousand_open_asks_stay_smooth() {
    let (few, lots) = (desk_with(10), desk_with(1000));
    let few = key_to_frame(&mut opened(&few, 10), 10);
    let mut stage = opened(&lots, 1000);
    let many = key_to_frame(&mut stage, 1000);
    let ratio = many.as_secs_f64() / few.as_secs_f64();
    // A key that waited for anything of the other 990 would be far beyond this.
    assert!(ratio < 4.0, "{many:?} with 1000 asks, {few:?} with 10: {ratio:.1} times as long");
    // The last one is a key away, and found by its words.
    stage.does("G", " 1000/1000");
    stage.types("/").sees("type to search");
    stage.does("number 997?", "Question number 997?");
    stage.wait("one ask", |screen| screen.matches("Question number").count() == 2);
}
