//! Safety: off until it is configured, for people only, in allowed folders only, with only the listed
//! environment.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;

use crate::home::TestHome;

#[test]
fn nothing_runs_until_it_is_configured() {
    let home = TestHome::empty();
    home.start();
    let body = json!({"folder": home.work(), "text": "x"});
    let (status, refused) = home.call("POST", "/api/tasks", Some(body));
    assert_eq!((status, &refused["error"]), (403, &json!("runner_off")));
    let (_, listed) = home.call("GET", "/api/tasks", None);
    assert_eq!((&listed["tasks"], &listed["agents"]), (&json!([]), &json!([])));
}

/// D18: a task is a person's to give: no agent's key opens any of these doors.
#[test]
fn d18_no_agent_starts_stops_or_reads_a_task() {
    let home = TestHome::with("claude", &["waits"]);
    let task = home.give("waits", "Ask and wait");
    let one = format!("/api/tasks/{}", task["task_id"].as_str().unwrap());
    let body = json!({"folder": home.work(), "text": "x"});
    for key in ["agent", "admin"] {
        for (method, path) in [
            ("POST", "/api/tasks".to_owned()),
            ("GET", "/api/tasks".to_owned()),
            ("GET", one.clone()),
            ("POST", format!("{one}/stop")),
            ("POST", format!("{one}/say")),
            ("POST", format!("{one}/resume")),
            ("GET", format!("{one}/whole?message=x")),
        ] {
            let (status, refused) = home.call_as(key, method, &path, Some(body.clone()));
            assert_eq!((status, &refused["error"]), (403, &json!("forbidden")), "{key} {method} {path}");
        }
    }
    // Nor does an agent hear what another says.
    let url = home.daemon().url;
    let bearer = format!("Bearer {}", home.key("agent"));
    let path = format!("/api/events?since=0&session={}", task["session_id"].as_str().unwrap());
    home.until_open(1);
    let headers = [("Authorization", bearer.as_str())];
    let mut heard =
        crate::http::send(url.strip_prefix("http://").unwrap(), "GET", &path, &headers, None).unwrap();
    let first = heard.event().unwrap();
    assert_eq!(first["change"], "opened", "{first}");
    let second = heard.event().unwrap();
    assert!(second["ask_id"].is_string(), "{second}");
}

#[test]
fn folders_that_are_not_allowed_are_refused_whichever_way_they_are_named() {
    let home = TestHome::with("claude", &["noise"]);
    let outside = home.path().join("outside");
    fs::create_dir_all(&outside).unwrap();
    symlink(&outside, home.work().join("link")).unwrap();
    fs::write(home.work().join("file"), "").unwrap();
    let dots = home.work().join("../outside");
    for folder in [outside.clone(), home.work().join("link"), dots, home.work().join("file"), "work".into()] {
        let body = json!({"agent": "noise", "folder": folder, "text": "x"});
        let (status, refused) = home.call("POST", "/api/tasks", Some(body));
        assert_eq!((status, &refused["error"]), (400, &json!("invalid_task")), "{}", folder.display());
        assert_eq!(refused["problems"][0]["path"], "folder");
    }
    let body = json!({"agent": "nobody", "folder": home.work(), "text": "x"});
    let (status, refused) = home.call("POST", "/api/tasks", Some(body));
    assert_eq!((status, &refused["problems"][0]["path"]), (400, &json!("agent")));
    let (status, _) = home.call("GET", "/api/tasks/task_00000000000000000000000000", None);
    assert_eq!(status, 404);
}

#[test]
fn an_agent_gets_only_the_listed_environment() {
    let home = TestHome::with("claude", &["environment"]);
    let task = home.give("environment", "Look around");
    home.until(&task, "done");
    let said = home.said(&task);
    // The shell itself adds PWD and the like.
    let names: Vec<&str> = said[1].strip_prefix("text: ").unwrap().split_whitespace().collect();
    let ours = ["ASKUSER_DRIVER", "ASKUSER_HOME", "ASKUSER_SERVER", "ASKUSER_SESSION", "ASKUSER_TASK"];
    let expected = [&ours[..], &["ASKUSER", "LISTED", "PATH"]].concat();
    assert!(expected.iter().all(|name| names.contains(name)), "{said:?}");
    let allowed = [&expected[..], &["PWD", "OLDPWD", "SHLVL", "_", "in"]].concat();
    let place = home.work().display().to_string();
    assert!(names.iter().all(|name| allowed.contains(name) || *name == place), "{said:?}");
}

#[test]
fn a_program_that_is_not_there_fails_the_task_and_not_the_daemon() {
    let home = TestHome::empty();
    let work = home.work().display().to_string();
    home.write_config(&format!(
        "runner:\n  folders: [{work}]\nagents:\n  gone:\n    driver: claude\n    command: /nowhere/claude\n"
    ));
    home.start();
    let task = home.give("gone", "x");
    let failed = home.until(&task, "failed");
    assert!(failed["reason"].as_str().unwrap().starts_with("`/nowhere/claude` could not be started"));
}

#[test]
fn a_configuration_that_others_may_write_is_not_used() {
    use std::os::unix::fs::PermissionsExt;
    let home = TestHome::empty();
    home.configure("", "claude", &["noise"]);
    let path = home.home.folder().join("config.yaml");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    let tried = home.command(&["serve", "--listen", "127.0.0.1:0"]).output().unwrap();
    let words = String::from_utf8(tried.stderr).unwrap();
    assert!(!tried.status.success() && words.contains("can be changed by others"), "{words}");
}

/// Two people share a desk: nobody sees, stops or hears of another's task.
#[test]
fn a_task_is_its_owners_alone() {
    let home = TestHome::with("claude", &["waits"]);
    let task = home.give("waits", "Ask and wait");
    home.until_open(1);
    home.call_as("admin", "POST", "/api/users", Some(json!({"name": "bob"})));
    let made = home.call_as("admin", "POST", "/api/keys", Some(json!({"role": "person", "user": "bob"}))).1;
    let bob = made["key"].as_str().unwrap();
    let url = home.daemon().url;
    let one = format!("/api/tasks/{}", task["task_id"].as_str().unwrap());
    let call = |method: &str, path: &str| {
        crate::http::call(url.strip_prefix("http://").unwrap(), method, path, bob, None).unwrap()
    };
    assert_eq!(call("GET", &one).0, 404);
    assert_eq!(call("POST", &format!("{one}/stop")).0, 404);
    assert_eq!(call("GET", "/api/tasks").1["tasks"], json!([]));
    assert_eq!(home.task(&task)["status"], "running");
}
