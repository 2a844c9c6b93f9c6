//! Templates by name: of the project's skills over the pipes, of the data folder over HTTP (P17).

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::home::TestHome;
use crate::pipe::{Pipe, text};
use crate::web::{self, Web};

const DEPLOY: &str = "\
description: Where to deploy
variables:
  service: {description: what is deployed}
  env: staging
context: On {{git.branch}}
questions:
  - {question_id: where, header: Deploy, question: 'Deploy {{service}} to {{env}}?', type: boolean}
";

fn lay(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A project on a branch, and a server that was started in it.
fn in_project(home: &TestHome) -> (std::path::PathBuf, Pipe) {
    let project = home.path().join("shop");
    lay(&project.join(".git/HEAD"), "ref: refs/heads/topic\n");
    let mut pipe = Pipe::start_as(home.command(&["mcp"]).current_dir(&project));
    pipe.initialize("claude-code", "2025-06-18", json!({}));
    (project, pipe)
}

#[track_caller]
fn refused(result: &Value, told: &str) {
    assert_eq!(result["isError"], true, "{result}");
    assert!(text(result).contains(told), "{}", text(result));
    assert!(text(result).contains("Nothing was asked. Fix this and call again."), "{}", text(result));
}

#[test]
fn p17_a_template_of_the_project_is_asked_by_its_name() {
    let home = TestHome::new();
    let (project, mut pipe) = in_project(&home);
    // What is laid there while the server runs is found.
    lay(&project.join(".claude/skills/ship/questions/deploy.yaml"), DEPLOY);
    let arguments = json!({"template": "deploy", "vars": {"service": "shop"}, "questions": null});
    let id = pipe.start_call("ask_user_question", &arguments);
    let ask = home.until_open(1).remove(0);
    assert_eq!(ask["questions"][0]["question"], "Deploy shop to staging?");
    assert_eq!(ask["context"], "On topic");
    assert_eq!(ask["asker"]["folder"], "~/shop");
    home.answer(&ask, json!({"where": true}));
    let result = pipe.result(id);
    assert_eq!(result["structuredContent"]["status"], "answered", "{result}");
    assert_eq!(result["structuredContent"]["answers"][0]["question_id"], "where");
}

/// P17: the data folder's own by their names, a skill's by its full name; a change is seen at once.
#[test]
fn p17_the_data_folder_and_later_changes_count_too() {
    let home = TestHome::with_daemon();
    let (project, mut pipe) = in_project(&home);
    let asked = |pipe: &mut Pipe, name: &str, question: &str| {
        let id = pipe.start_call("ask_user_question", &json!({ "template": name }));
        let ask = home.until_open(1).remove(0);
        assert_eq!(ask["questions"][0]["question"], question);
        home.answer(&ask, json!({"now": true}));
        pipe.result(id);
    };
    let now = |word: &str| format!("questions: [{{question_id: now, question: '{word}?', type: boolean}}]\n");
    lay(&home.home.templates().join("now.yaml"), &now("Own"));
    asked(&mut pipe, "now", "Own?");
    lay(&project.join(".claude/skills/ship/questions/now.yaml"), &now("Skill"));
    asked(&mut pipe, "ship/now", "Skill?");
    lay(&project.join(".claude/skills/ship/questions/now.yaml"), &now("Changed"));
    asked(&mut pipe, "ship/now", "Changed?");
}

#[test]
fn what_is_wrong_with_a_template_is_told_and_nobody_is_asked() {
    let home = TestHome::new();
    let (project, mut pipe) = in_project(&home);
    lay(&project.join(".claude/skills/ship/questions/deploy.yaml"), DEPLOY);
    lay(
        &project.join(".claude/skills/ship/questions/bad.yaml"),
        "questions: [{question: 'Now {{when}}?'}]\n",
    );
    let mut call = |arguments: Value| pipe.call("ask_user_question", &arguments);
    refused(&call(json!({"template": "depoly"})), "no template `depoly`: there are ship/bad, ship/deploy");
    refused(&call(json!({"template": "deploy"})), "needs a value for `service` (what is deployed)");
    refused(
        &call(json!({"template": "deploy", "vars": {"service": "x", "evn": "y"}})),
        "has no variable `evn`",
    );
    refused(&call(json!({"template": "deploy", "vars": {"service": []}})), "vars.service: is not a text");
    refused(&call(json!({"template": "bad"})), "nothing fills `{{when}}`");
    refused(&call(json!({"template": 7})), "template: is not a text");
    // A name that is left empty names none.
    refused(&call(json!({"template": ""})), "questions");
    // None of it needed a desk.
    assert!(home.home.running().is_none());
}

/// P17: over HTTP those of the data folder, in both eras; the desk looks into nobody's project.
#[test]
fn p17_a_template_of_the_data_folder_is_asked_over_http() {
    let home = TestHome::with_daemon();
    let plain = DEPLOY.replace("context: On {{git.branch}}\n", "");
    lay(&home.home.templates().join("deploy.yaml"), &plain);
    lay(&home.home.templates().join("branch.yaml"), DEPLOY);
    let older = Web::open(&home, "codex-mcp-client", json!({}));
    let newer = Web::modern(&home, "claude-code", json!({}));
    for (client, service) in [(&older, "shop"), (&newer, "till")] {
        let arguments = json!({"template": "deploy", "vars": {"service": service, "env": "live"}});
        let mut answer = client.start_call("ask_user_question", &arguments);
        let ask = home.until_open(1).remove(0);
        assert_eq!(ask["questions"][0]["question"], format!("Deploy {service} to live?"));
        home.answer(&ask, json!({"where": false}));
        assert_eq!(web::result(&mut answer)["structuredContent"]["status"], "answered");
        let arguments = json!({"template": "branch", "vars": {"service": service}});
        refused(&client.call("ask_user_question", &arguments), "is known only in the project");
    }
}

/// A server whose desk is elsewhere asks its own templates, and those of that desk.
#[test]
fn p17_a_desk_elsewhere_brings_its_own_templates() {
    let desk = TestHome::with_daemon();
    lay(&desk.home.templates().join("deploy.yaml"), &DEPLOY.replace("context: On {{git.branch}}\n", ""));
    let here = TestHome::new();
    let mut command = here.command(&["mcp"]);
    command.env("ASKUSER_URL", desk.daemon().url).env("ASKUSER_AGENT_KEY", desk.key("agent"));
    let mut pipe = Pipe::start_as(&mut command);
    pipe.initialize("claude-code", "2025-06-18", json!({}));
    let arguments = json!({"template": "deploy", "vars": {"service": "shop"}});
    let id = pipe.start_call("ask_user_question", &arguments);
    let ask = desk.until_open(1).remove(0);
    assert_eq!(ask["questions"][0]["question"], "Deploy shop to staging?");
    assert_eq!(ask["asker"]["agent"], "claude-code");
    desk.answer(&ask, json!({"where": true}));
    assert_eq!(pipe.result(id)["structuredContent"]["status"], "answered");
    let missing = pipe.call("ask_user_question", &json!({"template": "nowhere"}));
    assert_eq!(missing["isError"], true);
    assert!(text(&missing).contains("no template `nowhere`: there are deploy"), "{}", text(&missing));
}
