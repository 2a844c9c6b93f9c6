//! The fence of invariant 6, tried by an agent under the same user id: who grants a permission is found out
//! by the desk, and no header, flag or variable of the caller's says it.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::asks::{ASKUSER, told};
use crate::home::{Program, TestHome, WAKES, eventually};
use crate::tmux::Tmux;

/// An agent that wants to run something, and waits for its person.
pub(crate) fn permission(home: &TestHome) -> (Program, String) {
    let event = json!({"session_id": "abc123", "cwd": "/home/u/shop", "hook_event_name": "PermissionRequest",
        "tool_name": "Bash", "tool_input": {"command": "make deploy"}});
    let path = home.path().join("event");
    fs::write(&path, event.to_string()).unwrap();
    let mut command = home.command(ASKUSER, &["hook", "claude-code"]);
    command.env("CLAUDECODE", "1").stdin(Stdio::from(File::open(path).unwrap()));
    let hook = Program::start_with(&mut command);
    let id = eventually("a permission", || {
        home.home.running()?;
        let asks = home.json(&["list", "--json"])["asks"].clone();
        Some(asks[0]["ask_id"].as_str()?.to_owned())
    });
    (hook, id)
}

fn tmux(home: &TestHome, vars: &[(&str, &str)]) -> Tmux {
    let data = home.data();
    let vars = [vars, &[("ASKUSER_HOME", data.as_str())]].concat();
    Tmux::start(home.path(), &vars)
}

pub(crate) fn by(home: &TestHome, id: &str) -> Value {
    home.json(&["show", id, "--json"])["outcome"]["by"].clone()
}

/// What was noticed.
pub(crate) fn security(home: &TestHome) -> Vec<Value> {
    home.json(&["audit", "--security", "--json"])["events"].as_array().unwrap().clone()
}

/// What was noticed of people's commands under an agent's mark.
fn as_person_events(home: &TestHome) -> Vec<Value> {
    security(home).into_iter().filter(|event| event["event_type"] == "as_person").collect()
}

/// What stands in an event.
fn details(event: &Value) -> Value {
    match &event["details"] {
        Value::String(text) => serde_json::from_str(text).unwrap(),
        told => told.clone(),
    }
}

const YES: &str = r#"--json '{"answers":{"r1q1":true}}'"#;

/// A person in a terminal of their own answers as ever, in the panel and by flags.
#[test]
fn a_person_in_a_terminal_grants_a_permission() {
    let home = TestHome::new();
    let (mut hook, id) = permission(&home);
    let terminal = home.terminal();
    terminal.types(&[&format!("{ASKUSER} answer {id}"), "Enter"]);
    terminal.sees("Allow claude-code to use `Bash`?");
    terminal.types(&["1"]);
    terminal.sees("● Yes");
    terminal.types(&["Enter"]);
    assert_eq!(hook.ends(), 0);
    let said: Value = serde_json::from_str(&hook.stdout()).unwrap();
    assert_eq!(said["hookSpecificOutput"]["decision"]["behavior"], "allow");
    let path = fs::canonicalize(ASKUSER).unwrap();
    let expected =
        json!({"user": "local", "channel": "terminal", "proof": "terminal", "program": {"path": path}});
    assert_eq!(by(&home, &id), expected);
    let (_hook, id) = permission(&home);
    let ran = terminal.run(&format!("{ASKUSER} answer {id} {}", YES.replace("r1q1", "r2q1")));
    assert!(ran.code == 0 && ran.stdout.contains("\"answered\""), "{ran:?}");
    assert_eq!((&by(&home, &id)["channel"], &by(&home, &id)["proof"]), (&json!("api"), &json!("terminal")));
}

/// S2: the key and a header, over TCP and over the Unix socket: the header proves nothing.
#[test]
fn a_header_makes_no_terminal() {
    let home = TestHome::new();
    let (mut hook, id) = permission(&home);
    let running = home.daemon();
    let socket = running.socket.unwrap();
    let key = home.key("person");
    for way in [vec![], vec!["--unix-socket", socket.to_str().unwrap()]] {
        let url = if way.is_empty() { running.url.clone() } else { "http://localhost".to_owned() };
        let output = Command::new("curl")
            .env_clear()
            .args(["-s", "-H", &format!("Authorization: Bearer {}", key.trim())])
            .args(["-H", "X-Askuser-Channel: terminal", "-d", r#"{"answers":{"r1q1":true}}"#])
            .args(way)
            .arg(format!("{url}/api/asks/{id}/answer"))
            .output()
            .unwrap();
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(said["error"], "forbidden", "{said}");
    }
    assert!(hook.is_running());
}

/// A terminal drawn by a program, without any mark: `script`, under an agent that has one, and without.
#[test]
fn a_terminal_that_a_program_draws_is_none() {
    let home = TestHome::new();
    let (mut hook, id) = permission(&home);
    let answer = format!("{ASKUSER} answer {id} {YES}");
    let mut script = home.command("/usr/bin/script", &["-qec", &answer, "/dev/null"]);
    let output = script.output().unwrap();
    assert_ne!(output.status.code(), Some(0), "{}", told(&output));
    // The mark is taken off the command, and stays with the shell that it comes from.
    let before = as_person_events(&home).len();
    let unmarked = "env -u CLAUDECODE script -qec \"$ANSWER\" /dev/null; true";
    let mut shell = home.command("/bin/sh", &["-c", unmarked]);
    let output = shell.env("CLAUDECODE", "1").env("ANSWER", &answer).output().unwrap();
    assert!(told(&output).contains("permission"), "{}", told(&output));
    let noted = as_person_events(&home);
    assert!(noted.len() > before, "it is noted although nobody said it");
    assert_eq!(details(noted.last().unwrap())["mark"], "CLAUDECODE");
    assert!(hook.is_running());
}

/// Whoever is handed to init has lost their terminal, were it the best one.
#[test]
fn a_process_whose_parent_is_gone_has_lost_its_terminal() {
    let home = TestHome::new();
    let (mut hook, id) = permission(&home);
    let terminal = home.terminal();
    // The shell between ends before the command begins, which keeps the terminal.
    let file = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let text = format!(
        "while [ \"$(ps -o ppid= -p $$ | tr -d ' ')\" = \"$1\" ]; do :; done\n\
         {ASKUSER} answer {id} {YES} >{out} 2>&1\necho $? >{code}.new\nmv {code}.new {code}\n",
        out = file("orphan.out"),
        code = file("orphan.code"),
    );
    fs::write(file("orphan.sh"), text).unwrap();
    terminal.types(&[&format!("sh -c 'sh {} $$ & exit 0'", file("orphan.sh")), "Enter"]);
    let code =
        eventually("the end of the orphan", || fs::read_to_string(home.path().join("orphan.code")).ok());
    let said = fs::read_to_string(home.path().join("orphan.out")).unwrap();
    assert_ne!(code.trim(), "0", "{said}");
    assert!(said.contains("permission"), "{said}");
    assert!(hook.is_running());
}

/// A mark anywhere among the ancestors: of the command, of its shell with `env -u`, of the multiplexer.
#[test]
fn a_mark_of_any_ancestor_is_seen() {
    let home = TestHome::new();
    let (mut hook, id) = permission(&home);
    let clean = home.terminal();
    let answer = format!("{ASKUSER} answer {id} {YES}");
    for (line, says) in [
        (format!("CLAUDECODE=1 {answer}"), "CLAUDECODE is set"),
        (format!("CLAUDECODE=1 {answer} --as-person"), "permission"),
        (format!("CLAUDECODE=1 sh -c 'env -u CLAUDECODE \"$@\"; exit $?' sh {answer}"), "permission"),
        // An agent that sets no variable, known by the name of its program.
        (
            format!(
                "cp /bin/sh {0}; {0} -c '\"$@\"; exit $?' sh {answer}",
                home.path().join("codex").display()
            ),
            "permission",
        ),
        // One that nobody knows.
        (
            format!(
                "cp /bin/sh {0}; {0} -c '\"$@\"; exit $?' sh {answer}",
                home.path().join("agent9").display()
            ),
            "permission",
        ),
    ] {
        let ran = clean.run(&line);
        assert!(ran.code != 0 && ran.stderr.contains(says), "{line}: {ran:?}");
    }
    let marked = tmux(&home, &[("GEMINI_CLI", "1")]);
    let ran = marked.run(&format!("env -u GEMINI_CLI {answer}"));
    assert!(ran.code != 0 && ran.stderr.contains("permission"), "{ran:?}");
    assert!(hook.is_running());
    assert!(as_person_events(&home).len() >= 4, "with a flag, with `env -u`, by name, by the multiplexer");
    // It may answer what grants nothing, and that is in the fact.
    let (mut ask, id) = home.asks(&[&crate::asks::database()]);
    let line = format!(
        "CLAUDECODE=1 sh -c 'env -u CLAUDECODE \"$@\"; exit $?' sh {ASKUSER} answer {id} --pick SQLite"
    );
    assert_eq!(clean.run(&line).code, 0);
    assert_eq!(ask.ends(), 0);
    assert_eq!(
        (&by(&home, &id)["proof"], &by(&home, &id)["program"]["mark"]),
        (&json!("as_person"), &json!("CLAUDECODE"))
    );
}

/// The socket is the owner's alone, and goes with its daemon.
#[test]
fn the_socket_goes_with_its_daemon_and_a_short_path_is_found_for_a_long_one() {
    let home = TestHome::new();
    let long = home.path().join("a-data-folder-with-a-long-name/".repeat(4));
    fs::create_dir_all(&long).unwrap();
    let run = |args: &[&str]| home.command(ASKUSER, args).env("ASKUSER_HOME", &long).output().unwrap();
    let listed = run(&WAKES);
    assert_eq!(listed.status.code(), Some(0), "{}", told(&listed));
    let said: Value = serde_json::from_slice(&fs::read(long.join("daemon.json")).unwrap()).unwrap();
    let socket = std::path::PathBuf::from(said["socket"].as_str().unwrap());
    assert!(socket.starts_with(home.path()) && !socket.starts_with(&long), "{socket:?}");
    assert!(socket.exists());
    assert_eq!(run(&["stop"]).status.code(), Some(0));
    assert!(!socket.exists() && !socket.parent().unwrap().exists());
    assert!(!long.join("askuser.sock").exists());
}

/// A mistyped flag, or a refusal, taught an agent how to pass for a person.
#[test]
fn no_complaint_teaches_an_agent_to_pass_for_a_person() {
    let home = TestHome::new();
    let agent = [("CLAUDECODE", "1")];
    for args in [
        &["answer", "ask_1", "--answer", "yes"][..],
        &["answer", "ask_1", "--as", "me"],
        &["open", "--as-persona"],
        &["open"],
        &["ask", "--answers", "x", "{}"],
    ] {
        let output = home.run_with(&agent, args);
        assert_eq!(output.status.code(), Some(2), "{}", told(&output));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!said.replace("--as-persona", "").contains("--as-person"), "{said}");
    }
}

/// A key that others could read was used without a word.
#[test]
fn a_key_that_others_can_read_is_told_and_closed() {
    let home = TestHome::new();
    home.wakes();
    home.prints(&["stop"]);
    let key = home.home.keys().join("person");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    fs::set_permissions(home.home.folder(), fs::Permissions::from_mode(0o777)).unwrap();
    home.wakes();
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&key), mode(home.home.folder())), (0o600, 0o700));
    let log = home.log();
    assert!(log.contains("keys/person could be read by others (mode 644). It is private now"), "{log}");
    assert!(log.contains("can be written to by others (mode 777)"), "{log}");
    let exposed = || security(&home).iter().filter(|event| event["event_type"] == "exposed_file").count();
    assert_eq!(exposed(), 2, "{:?}", security(&home));
    home.prints(&["stop"]);
    home.wakes();
    assert_eq!(exposed(), 2, "what was mended is not told again");
}

/// Signs a browser in with a link, and grants a permission with its cookie; returns the status.
fn granted_in_a_browser(link: &str, id: &str) -> String {
    let (origin, _) = link.split_at(link.match_indices('/').nth(2).unwrap().0);
    let host = origin.strip_prefix("http://").unwrap();
    let curl = |args: &[&str]| {
        let mut curl = Command::new("curl");
        curl.env_clear().args([
            "-s",
            "--resolve",
            &format!("{host}:127.0.0.1"),
            "-H",
            &format!("Origin: {origin}"),
        ]);
        String::from_utf8(curl.args(args).output().unwrap().stdout).unwrap()
    };
    let signed_in = curl(&["-o", "/dev/null", "-D", "-", "-X", "POST", link]);
    let cookie = signed_in.lines().find_map(|line| line.strip_prefix("set-cookie: "));
    let cookie = cookie.ok_or(&signed_in).unwrap();
    let cookie = format!("Cookie: {}", cookie.split(';').next().unwrap());
    let url = format!("{origin}/api/asks/{id}/answer");
    curl(&[
        "-o",
        "/dev/null",
        "-w",
        "%{http_code}",
        "-H",
        &cookie,
        "-d",
        r#"{"answers":{"r1q1":true}}"#,
        &url,
    ])
}

/// S3: a browser grants no more than whoever made its link.
#[test]
fn a_browser_is_signed_in_as_its_link_was_made() {
    let home = TestHome::new();
    let (mut hook, id) = permission(&home);
    let terminal = home.terminal();
    let open = ["open", "--print"];
    let insists = home.run_with(&[("CLAUDECODE", "1")], &["open", "--print", "--as-person"]);
    let insists = String::from_utf8(insists.stdout).unwrap().trim_end().to_owned();
    let unmarked =
        format!("CLAUDECODE=1 sh -c 'env -u CLAUDECODE \"$@\"; exit $?' sh {ASKUSER} open --print");
    let weak = [insists, home.prints(&open), terminal.run(&unmarked).stdout.trim_end().to_owned()];
    for link in weak {
        assert_eq!(granted_in_a_browser(&link, &id), "403", "{link}");
    }
    assert!(hook.is_running());
    assert_eq!(granted_in_a_browser(&terminal.prints(ASKUSER, &open), &id), "200");
    assert_eq!(hook.ends(), 0);
    assert_eq!(by(&home, &id), json!({"user": "local", "channel": "web", "proof": "cookie"}));
}
