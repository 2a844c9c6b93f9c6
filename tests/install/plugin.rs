//! The Claude Code plugin and the marketplace: their shape, and that they say what the installer says.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use askuser::cli::commands::install::recipe::{Machine, recipe};
use askuser_agents::install::{Content, Extras, Scope, Want};
use askuser_agents::named;
use askuser_system::environment::Environment;
use askuser_words::Language;
use serde_json::{Value, json};

fn text(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn value(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap()
}

/// A file of the plugin, with `askuser` where the plugin looks for it first.
fn started(path: &str) -> Value {
    let text = text(path)
        .replace("\"${CLAUDE_PLUGIN_ROOT}/start.sh\", ", "")
        .replace("\"${CLAUDE_PLUGIN_ROOT}/start.sh\",", "");
    serde_json::from_str(&text.replace("\"command\": \"sh\"", "\"command\": \"askuser\"")).unwrap()
}

/// What the installer writes into a project, where everything is named as in a plugin.
fn wants() -> Vec<Want> {
    let machine = Machine {
        home: "/h".into(),
        project: "/p".into(),
        program: "askuser".to_owned(),
        data: None,
        environment: Environment::of(&[]),
        language: Language::English,
    };
    let parts = recipe(named("claude-code").unwrap(), Scope::Project, Extras::default(), &machine).unwrap();
    let wants = parts.into_iter().filter_map(|part| match part.content {
        Content::Json(wants) => Some(wants),
        Content::Toml { .. } | Content::Whole(_) => None,
    });
    wants.flatten().collect()
}

#[test]
fn the_plugin_has_its_parts_and_the_marketplace_leads_to_it() {
    let plugin = value("plugin/.claude-plugin/plugin.json");
    assert_eq!(plugin["name"], "askuser");
    assert_eq!(plugin["version"], env!("CARGO_PKG_VERSION"));
    let market = value(".claude-plugin/marketplace.json");
    assert!(market["name"].is_string() && market["owner"]["name"].is_string());
    let listed = market["plugins"].as_array().unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0]["name"], plugin["name"]);
    let source = listed[0]["source"].as_str().unwrap().strip_prefix("./").unwrap();
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(source).join(".claude-plugin/plugin.json").exists());
}

#[test]
fn the_plugins_server_and_hooks_are_those_of_the_installer() {
    let mut hooks = json!({});
    let mut server = Value::Null;
    for want in wants() {
        match want {
            Want::Hook { event, matcher, hook } => hooks[event] = json!([Want::group(matcher, &hook)]),
            Want::Entry { fields, .. } => server = Value::Object(fields),
            Want::Default { .. } | Want::Listed { .. } | Want::NoHook { .. } => {}
        }
    }
    assert_eq!(started("plugin/hooks/hooks.json"), json!({ "hooks": hooks }));
    let shipped = started("plugin/.mcp.json")["mcpServers"]["askuser"].clone();
    for key in ["command", "args", "timeout", "env"] {
        assert_eq!(shipped[key], server[key], "{key}");
    }
}

/// Whoever has no askuser on the path gets the npm package; whoever has neither is told.
#[test]
fn the_plugin_starts_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let program = |name: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\necho {name} \"$@\"\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    let start = || {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugin/start.sh");
        let started = Command::new("/bin/sh")
            .arg(script)
            .args(["mcp", "a b"])
            .env_clear()
            .env("PATH", folder.path())
            .output();
        let started = started.unwrap();
        (started.status.code(), String::from_utf8(started.stdout).unwrap())
    };
    assert_eq!(start(), (Some(127), String::new()));
    program("npx");
    assert_eq!(start(), (Some(0), "npx -y askuser mcp a b\n".to_owned()));
    program("askuser");
    assert_eq!(start(), (Some(0), "askuser mcp a b\n".to_owned()));
}

/// T12: the skill gives the same advice as the manual.
#[test]
fn t12_the_skill_says_when_to_ask_and_when_not_to() {
    let skill = text("plugin/skills/ask-user/SKILL.md");
    let (head, body) = skill.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
    assert!(head.lines().any(|line| line == "name: ask-user"));
    let description = head.lines().find_map(|line| line.strip_prefix("description: ")).unwrap();
    assert!((20..1024).contains(&description.len()));
    for said in [
        "## Ask when",
        "## Do not ask when",
        "(Recommended)",
        "Never write an \"Other\"",
        "ExitPlanMode",
        "pending",
    ] {
        assert!(body.contains(said), "{said}");
    }
    let tools = head.lines().find_map(|line| line.strip_prefix("allowed-tools: ")).unwrap();
    for tool in tools.split(", ") {
        assert!(tool.starts_with("mcp__plugin_askuser_askuser__"), "{tool}");
    }
}
