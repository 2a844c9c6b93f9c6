//! The curl lines of `docs/http.md`: one for every route, and all of them run against a real server, in order.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use askuser_api::routes;

use crate::asks::{ASKUSER, told};
use crate::home::TestHome;

const PAGE: &str = include_str!("../../docs/http.md");

/// What is not a plain 200 or the like: a socket that opens, a page that leads on, and a message with nothing more to it.
const OTHERWISE: [(&str, &str); 3] = [("/api/ws", "101"), ("/login/", "303"), ("/whole?", "404")];

/// Says each status on a line of its own, with what was asked for.
const CURL: &str = r#"#!/bin/sh
exec /usr/bin/curl -w '%{stderr}%{http_code} %{method} %{url}\n' "$@" 2>>"$HOME/statuses"
"#;

/// The lines of the page that a shell runs; a line that goes on is one.
fn lines() -> String {
    let blocks = PAGE.split("```sh\n").skip(1).filter_map(|rest| rest.split_once("```"));
    blocks.map(|(block, _)| block).collect::<Vec<_>>().join("\n").replace("\\\n", " ")
}

/// The route that a curl line goes to, with `{}` for what changes.
fn route(call: &str) -> Option<(String, String)> {
    let (_, rest) = call.split_once("\"$url/").or_else(|| call.split_once("\"$page/"))?;
    let path: Vec<&str> = rest.split(['?', '"']).next()?.split('/').collect();
    let method = match call.split_once("-X ") {
        Some((_, method)) => method.split(' ').next()?,
        None if call.contains(" -d ") => "POST",
        None => "GET",
    };
    Some((method.to_owned(), format!("/{}", path.join("/"))))
}

fn matches(path: &str, pattern: &str) -> bool {
    let (path, pattern): (Vec<&str>, Vec<&str>) = (path.split('/').collect(), pattern.split('/').collect());
    path.len() == pattern.len()
        && path.iter().zip(&pattern).all(|(part, wanted)| part == wanted || wanted.starts_with('{'))
}

#[test]
fn every_route_has_a_curl_line() {
    let lines = lines();
    let called: BTreeSet<(String, String)> = lines.split("curl ").skip(1).filter_map(route).collect();
    let missing: Vec<String> = routes()
        .filter(|route| {
            let is_called = |(method, path): &(String, String)| {
                method == route.method.name() && matches(path, route.path)
            };
            !called.iter().any(is_called)
        })
        .map(|route| format!("{} {}", route.method, route.path))
        .collect();
    assert!(missing.is_empty(), "docs/http.md has no curl line for {missing:?}");
}

#[test]
fn every_curl_line_works_in_its_order() {
    let home = TestHome::new();
    let folder = home.path().to_owned();
    for made in ["bin", "shop", "desk"] {
        fs::create_dir(folder.join(made)).unwrap();
    }
    let curl = folder.join("bin/curl");
    fs::write(&curl, CURL).unwrap();
    fs::set_permissions(&curl, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    configure(&folder);
    home.wakes();
    let programs = Path::new(ASKUSER).parent().unwrap().display().to_string();
    let mut command = home.command("/bin/sh", &["-ec", &lines()]);
    let output =
        command.env("PATH", format!("{}/bin:{programs}:/usr/bin:/bin", folder.display())).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let statuses = fs::read_to_string(folder.join("statuses")).unwrap();
    for line in statuses.lines() {
        let expected =
            OTHERWISE.iter().find(|(path, _)| line.contains(path)).map_or("2", |(_, status)| *status);
        assert!(line.starts_with(expected), "{line}\n{statuses}");
    }
    assert!(statuses.lines().count() > routes().count(), "{statuses}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("\"deploy\":true"), "{said}");
}

/// Takes answers of an agent's own dialog, and has an agent that works until it is stopped.
fn configure(folder: &Path) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runner");
    let shop = fs::canonicalize(folder.join("shop")).unwrap();
    let read = |name: &str| fs::read_to_string(tests.join("claude").join(name)).unwrap();
    let (goes_on, stops) = (read("more.talk"), read("stop.talk"));
    let n_lines = stops.lines().count();
    let lines: Vec<&str> = goes_on.lines().take(7).chain(stops.lines().skip(n_lines - 3)).collect();
    let talk = lines
        .join("\n")
        .replace("One thing", "Add a sign-in")
        .replace("And another", "Leave the snapshots alone");
    let own = folder.join("desk/own.talk");
    fs::write(&own, talk.replace("@FOLDER@", shop.to_str().unwrap()) + "\n").unwrap();
    let config = format!(
        "mcp:\n  agent_dialog: true\nrunner:\n  folders: [{}]\nagents:\n  scripted:\n    driver: claude\n    command: /bin/sh\n    args: [{}, {}]\n",
        shop.display(),
        tests.join("agent.sh").display(),
        own.display()
    );
    fs::write(folder.join("desk/config.yaml"), config).unwrap();
}
