//! A hundred agents at once, each with a server of its own: each gets its own answer.

use serde_json::json;

use crate::home::{TestHome, which};
use crate::pipe::{Pipe, text};
use crate::web::{self, Web};

const N_PIPES: usize = 80;
const N_WEBS: usize = 20;

#[test]
fn a_hundred_agents_each_get_their_own_answer() {
    let home = TestHome::with_daemon();
    let question = |n: usize| format!("Agent {n}?");
    let mut pipes: Vec<(usize, Pipe, u64)> = (0..N_PIPES)
        .map(|n| {
            let folder = home.path().join(format!("project-{n}"));
            std::fs::create_dir(&folder).unwrap();
            let mut pipe = Pipe::start_as(home.command(&["mcp"]).current_dir(&folder));
            pipe.initialize("claude-code", "2025-06-18", json!({}));
            let id = pipe.start_call("ask_user_question", &which(&question(n)));
            (n, pipe, id)
        })
        .collect();
    let mut webs: Vec<_> = (N_PIPES..N_PIPES + N_WEBS)
        .map(|n| {
            let web = Web::open(&home, "codex-mcp-client", json!({}));
            (n, web.start_call("ask_user_question", &which(&question(n))))
        })
        .collect();
    let label = |n: usize| if n.is_multiple_of(3) { "Alpha" } else { "Beta" };
    for ask in home.until_open(N_PIPES + N_WEBS) {
        let asked = &ask["questions"][0];
        let number = asked["question"].as_str().unwrap().trim_matches(|c: char| !c.is_ascii_digit());
        let id = asked["question_id"].as_str().unwrap().to_owned();
        home.answer(&ask, json!({ id: label(number.parse().unwrap()) }));
    }
    for (n, pipe, id) in &mut pipes {
        assert!(text(&pipe.result(*id)).contains(&format!("\"{}\"=\"{}\"", question(*n), label(*n))));
    }
    for (n, answer) in &mut webs {
        let result = web::result(answer);
        assert!(text(&result).contains(&format!("\"{}\"=\"{}\"", question(*n), label(*n))));
    }
}
