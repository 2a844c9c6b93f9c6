//! What the real agents say, played again: recordings of unchanged programs over pipes and over HTTP, so that every
//! run of the tests knows each client's handshake, headers, `_meta`, progress tokens and way of giving up.
//!
//! `scripts/test-agents.sh --record` takes them anew; the agents themselves are tried there.

use std::path::Path;

use serde_json::{Value, json};

use crate::home::TestHome;
use crate::player::{Carrier, Player};

const QUESTION: &str = "Which way shall we go?";
const ANSWER: &str = "Which way shall we go?\"=\"Southward\"";

/// A recording: an agent, and what its client does over each carrier.
struct Recording {
    agent: String,
    sides: [(Carrier, Value); 2],
}

/// All recordings, by name.
fn recordings() -> Vec<Recording> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agents/recordings");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path| -> Value { serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap() };
    let recording = |told: Value| Recording {
        agent: told["agent"].as_str().unwrap().to_owned(),
        sides: [(Carrier::Pipes, told["pipes"].clone()), (Carrier::Http, told["http"].clone())],
    };
    paths.into_iter().map(|path| recording(read(path))).collect()
}

/// Plays every recording over every carrier, each in a home of its own, all at once; fails with all that failed.
#[track_caller]
fn with_each(story: fn(&str, &mut Player<'_>)) {
    let all = recordings();
    let names: Vec<_> = all.iter().map(|recording| recording.agent.as_str()).collect();
    assert_eq!(names, ["claude-code", "codex", "gemini-cli", "goose", "opencode", "qwen-code"]);
    let failed: Vec<_> = std::thread::scope(|scope| {
        let mut playing = Vec::new();
        for Recording { agent, sides } in &all {
            for (carrier, side) in sides {
                let play = move || {
                    let home = TestHome::with_daemon();
                    story(agent, &mut Player::new(&home, *carrier, side));
                };
                playing.push((format!("{agent}, {carrier:?}"), scope.spawn(play)));
            }
        }
        playing
            .into_iter()
            .filter_map(|(name, played)| Some((name, played.join().err()?)))
            .map(told)
            .collect()
    });
    assert!(failed.is_empty(), "\n{}\n", failed.join("\n"));
}

fn told((name, panic): (String, Box<dyn std::any::Any + Send>)) -> String {
    let said = panic.downcast_ref::<String>().cloned();
    let said = said.or_else(|| panic.downcast_ref::<&str>().map(|said| (*said).to_owned()));
    format!("{name}: {}", said.unwrap_or_default())
}

/// The answer is in what the client hands to its model.
#[track_caller]
fn assert_answered(result: &Value) {
    assert_ne!(result["isError"], true, "{result}");
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains(ANSWER), "{text}");
}

#[test]
fn every_recorded_client_gives_up_asks_again_and_gets_the_one_answer() {
    with_each(|agent, player| {
        let home = player.home;
        player.until_call();
        let ask = home.until_open(1).remove(0);
        assert_eq!(ask["questions"][0]["question"], QUESTION);
        assert_eq!(ask["asker"]["agent"], agent);
        // Whatever it says when it gives up, and then the second call.
        let call = player.until_call();
        let open = home.inbox();
        assert_eq!(open.len(), 1, "asked twice: {open:?}");
        assert_eq!(open[0]["ask_id"], ask["ask_id"]);
        home.pick("Southward");
        assert_answered(&player.result(&call));
        player.finish();
    });
}

/// Gemini CLI and others with an older SDK end the connection over an event that is no message.
#[test]
fn no_recorded_client_meets_an_event_that_it_cannot_read() {
    with_each(|_, player| {
        let call = player.until_call();
        player.home.pick("Southward");
        player.result(&call);
        assert!(player.stumbled().is_empty(), "not messages: {:?}", player.stumbled());
    });
}

#[test]
fn every_recorded_client_is_known_by_its_agent_and_its_folder() {
    with_each(|agent, player| {
        let tells_folder = player.tells_folder();
        player.until_call();
        let asker = player.home.until_open(1).remove(0)["asker"].clone();
        let folder = player.work().display().to_string();
        let known = match player.carrier {
            // The agent started us in its folder, and there the home is known.
            Carrier::Pipes => json!({"agent": agent, "project": "work", "folder": "~/work"}),
            Carrier::Http if tells_folder => json!({"agent": agent, "project": "work", "folder": folder}),
            Carrier::Http => json!({"agent": agent, "project": null, "folder": null}),
        };
        assert_eq!(asker, known);
    });
}

/// Its program was killed, or its connection broke: it shakes hands anew, under another session, and asks the same.
#[test]
fn every_recorded_client_joins_its_question_when_it_comes_back() {
    with_each(|_, player| {
        let home = player.home;
        player.until_call();
        let ask = home.until_open(1).remove(0);
        player.reconnect();
        let call = player.until_call();
        let open = home.inbox();
        assert_eq!(open.len(), 1, "asked twice: {open:?}");
        assert_eq!(open[0]["ask_id"], ask["ask_id"]);
        home.pick("Southward");
        assert_answered(&player.result(&call));
    });
}

/// Answered while nobody was there: whoever comes back and asks the same is handed the answer.
#[test]
fn every_recorded_client_is_handed_the_answer_that_was_given_while_it_was_away() {
    with_each(|_, player| {
        let home = player.home;
        player.until_call();
        home.until_open(1);
        player.reconnect();
        home.pick("Southward");
        let call = player.call();
        assert_answered(&player.result(&call));
        assert!(home.inbox().is_empty(), "asked again: {:?}", home.inbox());
    });
}

/// Where a client names its conversation, another conversation's question is another question.
#[test]
fn every_recorded_client_that_names_its_conversation_is_told_from_its_other_conversations() {
    with_each(|agent, player| {
        let names = player.rename_conversation("another-one");
        assert_eq!(names, matches!(agent, "codex" | "goose"), "who names its conversation");
        if !names {
            return;
        }
        let home = player.home;
        player.until_call();
        home.until_open(1);
        player.reconnect();
        player.rename_conversation("yet-another-one");
        player.call();
        home.until_open(2);
    });
}
