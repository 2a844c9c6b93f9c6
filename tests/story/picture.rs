//! The moving picture of the README is taken from the real program (`scripts/test-browser.sh --pictures`), and this test
//! keeps its first scene true: what stands there is what the program shows.

use serde_json::json;

use crate::asks::ASKUSER;
use crate::stage::Setup;

const PICTURE: &str = include_str!("../../docs/pictures/askuser-en.svg");

/// The words of the first scene, in order.
fn drawn() -> Vec<&'static str> {
    let scene = PICTURE.split("class=\"scene s0\"").nth(1).unwrap().split("</g>").next().unwrap();
    let texts = scene.split("<text ").skip(1).filter_map(|text| text.split_once('>'));
    texts.filter_map(|(_, text)| text.split_once("</text>")).map(|(text, _)| text).collect()
}

#[test]
fn the_picture_in_the_readme_is_what_the_program_shows() {
    let choice = |id: &str, label: &str, description: &str, recommended: bool| json!({"id": id, "label": label, "description": description, "recommended": recommended});
    let asked = json!({
        "asker": {"agent": "claude-code", "project": "shop"},
        "context": "The shop goes live on Friday and has no login yet. I read `src/routes`.",
        "questions": [{
            "question_id": "login", "header": "Login", "question": "How should people sign in?", "type": "multiple_choice",
            "options": [
                choice("oauth", "OAuth 2.0", "with an account they already have", true),
                choice("passwords", "Passwords", "kept by the shop", false),
                choice("links", "Links by mail", "nothing to remember", false),
            ],
            "follow_up_questions": {"oauth": [{"question_id": "why", "question": "Why?", "type": "text"}]},
        }],
    });
    let stage = Setup::new(ASKUSER).arg("ask").arg(asked.to_string()).size(76, 21).start();
    let screen = stage.sees("How should people sign in?");
    // The first is the command that was typed.
    for text in drawn().into_iter().skip(1).filter(|text| !text.contains('$')) {
        assert!(
            screen.contains(text.trim()),
            "{text:?} is out of date: scripts/test-browser.sh --pictures\n{screen}"
        );
    }
}
