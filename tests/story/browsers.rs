//! Browsers that are signed in, with the real program: what each proves hangs on the command that made its link,
//! and a person lists, names and signs them out from the shell.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

use serde_json::{Value, json};

use crate::asks::{ASKUSER, told};
use crate::home::TestHome;
use crate::tmux::Tmux;

/// Sends a request to the page's own name, as a browser would; returns the whole answer.
fn send(home: &TestHome, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> String {
    let name = fs::read_to_string(Path::new(&home.data()).join("askuser.page-host")).unwrap();
    let address = home.daemon().url.replace("http://", "");
    let host = address.replace("127.0.0.1", name.trim());
    let headers: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let headers = headers.concat();
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\nconnection: close\r\n\
         content-length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// Signs a browser in by a link; returns its cookie.
#[track_caller]
fn sign_in(home: &TestHome, link: &str) -> String {
    let path = link.trim().splitn(4, '/').last().unwrap();
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
    let answer = send(home, "POST", &format!("/{path}"), &[("user-agent", firefox)], "");
    assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
    let set = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    set.split(';').next().unwrap().to_owned()
}

/// A permission that an agent asks for; returns the ask and its question.
fn permission(home: &TestHome, command: &str) -> (String, String) {
    let key = fs::read_to_string(Path::new(&home.data()).join("keys/agent")).unwrap();
    let event = json!({
        "session_id": command, "cwd": "/srv/shop", "hook_event_name": "PermissionRequest",
        "tool_name": "Bash", "tool_input": {"command": command},
    });
    let bearer = format!("Bearer {}", key.trim());
    let headers = [("authorization", bearer.as_str()), ("x-askuser-mode", "interactive")];
    send(home, "POST", "/api/hooks/claude-code?wait=0", &headers, &event.to_string());
    let listed = home.json(&["list", "--json"]);
    let ask = listed["asks"].as_array().or_else(|| listed.as_array()).unwrap().last().unwrap().clone();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&ask["ask_id"]), text(&ask["questions"][0]["question_id"]))
}

/// S3: `askuser open --as-person` under an agent's mark was refused the permission that its cookie then granted.
#[test]
fn what_a_browser_proves_is_what_the_command_proved_that_signed_it_in() {
    let home = TestHome::new();
    let by_key = home.prints(&["open", "--print"]);
    let marked = home.run_with(&[("CLAUDECODE", "1")], &["open", "--print", "--as-person"]);
    assert_eq!(marked.status.code(), Some(0), "{}", told(&marked));
    let as_person = String::from_utf8(marked.stdout).unwrap();
    let tmux = Tmux::start(home.path(), &[("ASKUSER_HOME", &home.data())]);
    let in_terminal = tmux.run(&format!("{ASKUSER} open --print"));
    assert_eq!(in_terminal.code, 0, "{in_terminal:?}");
    for (link, proof, grants) in [
        (&by_key, &["key_file", "as_person"][..], false),
        (&as_person, &["as_person"], false),
        (&in_terminal.stdout, &["cookie"], true),
    ] {
        let cookie = sign_in(&home, link);
        let (ask, question) = permission(&home, &format!("echo {proof:?}"));
        let body = json!({"answers": {question: true}}).to_string();
        let answer = send(&home, "POST", &format!("/api/asks/{ask}/answer"), &[("cookie", &cookie)], &body);
        assert_eq!(answer.starts_with("HTTP/1.1 200"), grants, "{proof:?}: {answer}");
        assert_eq!(answer.starts_with("HTTP/1.1 403"), !grants, "{proof:?}: {answer}");
        if !grants {
            home.prints(&["cancel", &ask]);
        }
        let listed = send(&home, "GET", "/api/browsers", &[("cookie", &cookie)], "");
        let listed: Value = serde_json::from_str(listed.split("\r\n\r\n").last().unwrap()).unwrap();
        let here = listed["browsers"].as_array().unwrap().iter().find(|one| one["current"] == true).unwrap();
        let made_with = here["made_with"].as_str().unwrap();
        assert!(proof.contains(&made_with) || (grants && made_with == "terminal"), "{proof:?}: {here}");
    }
}

#[test]
fn a_person_lists_names_and_signs_out_browsers_from_the_shell() {
    let home = TestHome::new();
    let cookie = sign_in(&home, &home.prints(&["open", "--print"]));
    let listed = home.json(&["browsers", "--json"]);
    let id = listed["browsers"][0]["browser_id"].as_str().unwrap().to_owned();
    assert_eq!(listed["browsers"][0]["name"], "Firefox on Linux");
    let table = home.prints(&["browsers"]);
    assert!(table.contains(&id[28..]) && table.contains("Firefox on Linux"), "{table}");
    home.prints(&["browsers", "--rename", &id, "the old laptop"]);
    assert!(home.prints(&["browsers"]).contains("the old laptop"));
    for agents in [&["browsers"][..], &["browsers", "--sign-out", &id]] {
        assert_eq!(home.run_with(&[("CLAUDECODE", "1")], agents).status.code(), Some(2));
    }
    let inbox = || send(&home, "GET", "/api/inbox", &[("cookie", &cookie)], "");
    assert!(inbox().starts_with("HTTP/1.1 200"));
    home.prints(&["browsers", "--sign-out", &id]);
    assert!(inbox().starts_with("HTTP/1.1 401"), "{}", inbox());
    assert!(home.prints(&["browsers"]).contains("No browser is signed in"));
    assert_ne!(home.run(&["browsers", "--sign-out", &id]).status.code(), Some(0));
}

/// Nothing that anybody but a person reads says where the page is.
#[test]
fn the_name_of_the_page_is_in_no_log_and_no_answer_to_an_agent() {
    let home = TestHome::new();
    let link = home.prints(&["open", "--print"]);
    let name = link.strip_prefix("http://").unwrap().split(':').next().unwrap().to_owned();
    sign_in(&home, &link);
    let (asking, _) = home.asks(&[r#"{"question_id":"q","question_text":"Go?","type":"boolean"}"#]);
    let said = format!("{}{}", asking.stdout(), asking.stderr());
    let files = ["daemon.json", "askuser.log"]
        .map(|file| fs::read_to_string(Path::new(&home.data()).join(file)).unwrap_or_default());
    let status = home.prints(&["status", "--json"]);
    for text in files.iter().chain([&said, &status]) {
        assert!(!text.contains(&name), "{text}");
    }
}
