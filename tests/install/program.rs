//! The real program: what it says, what it changes, and what `askuser agents` sees of it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use serde_json::{Value, json};

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(place.0.path().join("project/.git")).unwrap();
        fs::create_dir_all(place.0.path().join("bin")).unwrap();
        place
    }

    fn run(&self, args: &[&str]) -> Output {
        let folder = self.0.path();
        let mut command = Command::new(env!("CARGO_BIN_EXE_askuser"));
        command.args(args).env_clear().env("HOME", folder).env("LANG", "C.UTF-8");
        command.env("PATH", format!("{}:/usr/bin:/bin", folder.join("bin").display()));
        command.current_dir(folder.join("project")).output().unwrap()
    }

    #[track_caller]
    fn prints(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.path().join(file)).unwrap()
    }
}

#[test]
fn a_look_changes_nothing_and_the_real_thing_does_what_the_look_said() {
    let place = Place::new();
    let settings = place.0.path().join(".cursor/mcp.json");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    fs::write(&settings, "{\"mcpServers\": {}}\n").unwrap();
    let diff = place.prints(&["install", "cursor", "--dry-run"]);
    assert!(diff.starts_with("--- ~/.cursor/mcp.json\n+++ ~/.cursor/mcp.json\n@@"), "{diff}");
    assert_eq!(place.read(".cursor/mcp.json"), "{\"mcpServers\": {}}\n");
    assert!(place.prints(&["install", "cursor"]).contains("changed ~/.cursor/mcp.json"));
    for line in diff.lines().filter(|line| line.starts_with('+') && !line.starts_with("+++")) {
        assert!(place.read(".cursor/mcp.json").contains(&line[1..]), "{line}");
    }
    assert!(place.prints(&["install", "cursor"]).contains("nothing changed"));
    assert_eq!(place.prints(&["install", "cursor", "--dry-run"]).trim(), "Nothing would change.");
    place.prints(&["uninstall", "cursor"]);
    assert_eq!(place.read(".cursor/mcp.json"), "{\"mcpServers\": {}}\n");
    assert!(place.prints(&["uninstall", "cursor"]).contains("nothing changed"));
}

#[test]
fn letting_go_says_which_files_and_folders_it_removed() {
    let place = Place::new();
    let said = place.prints(&["install", "codex"]);
    assert!(said.contains("\n  created ~/.codex/hooks.json\n"), "{said}");
    let said = place.prints(&["uninstall", "codex"]);
    for line in ["removed ~/.codex/config.toml", "removed ~/.codex/hooks.json", "removed ~/.codex (empty)"] {
        assert!(said.lines().any(|said| said.trim() == line), "{said}");
    }
    assert!(!place.0.path().join(".codex").exists());
}

#[test]
fn the_program_on_the_path_is_named_by_its_place_there() {
    let place = Place::new();
    let named = place.0.path().join("bin/askuser");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_askuser"), &named).unwrap();
    place.prints(&["install", "windsurf"]);
    let written: Value = serde_json::from_str(&place.read(".codeium/windsurf/mcp_config.json")).unwrap();
    assert_eq!(written["mcpServers"]["askuser"]["command"], json!(named));
}

#[test]
fn a_file_that_cannot_be_written_leaves_the_others_as_they_were() {
    let place = Place::new();
    let state = place.0.path().join(".claude.json");
    fs::write(&state, "{\"a\": 1}\n").unwrap();
    // The second file's folder is a file.
    fs::write(place.0.path().join(".claude"), "").unwrap();
    let output = place.run(&["install", "claude-code"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains(".claude/settings.json"), "{output:?}");
    assert_eq!(fs::read_to_string(&state).unwrap(), "{\"a\": 1}\n");
    let output = place.run(&["install", "windsurf", "--scope", "project"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("--scope user"), "{output:?}");
}

/// A server that answers as MCP does is told from one that does not, and from none at all.
#[test]
fn agents_are_seen_with_whether_they_work() {
    let place = Place::new();
    assert!(place.prints(&["agents"]).contains("No agent is connected"));
    place.prints(&["install", "gemini", "--scope", "project"]);
    let seen = |state: &str| {
        let told: Value = serde_json::from_str(&place.prints(&["agents", "--json"])).unwrap();
        let agents = told["agents"].as_array().unwrap().clone();
        assert_eq!(agents.len(), 1, "{told}");
        assert_eq!((&agents[0]["agent"], &agents[0]["state"]), (&json!("gemini"), &json!(state)), "{told}");
        agents[0].clone()
    };
    assert!(seen("broken")["why"].as_str().unwrap().contains("cannot be started"));
    let script = |text: &str| {
        let path = place.0.path().join("bin/askuser");
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    script("echo hello");
    assert!(seen("broken")["why"].as_str().unwrap().contains("does not speak MCP"));
    script(r#"read hello; echo '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"askuser"}}}'"#);
    seen("works");
    let file = place.0.path().join("project/.gemini/settings.json");
    fs::write(&file, place.read("project/.gemini/settings.json").replace("86400000", "1000")).unwrap();
    seen("old");
    fs::write(&file, "{").unwrap();
    assert!(seen("unreadable")["why"].as_str().unwrap().contains("line 1, column"));
}

/// Codex runs a hook only once its person trusts it, and notes that in its settings.
#[test]
fn agents_say_where_codex_does_not_trust_the_hooks_yet() {
    let place = Place::new();
    let said = place.prints(&["install", "codex"]);
    assert!(said.contains("Trust all and continue") && said.contains("codex exec"), "{said}");
    assert!(place.prints(&["agents"]).contains("its hooks do not run yet"));
    let hooks = place.0.path().join(".codex/hooks.json");
    let noted = format!(
        "{}\n[hooks.state.\"{}:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:0\"\n",
        place.read(".codex/config.toml"),
        hooks.display()
    );
    fs::write(place.0.path().join(".codex/config.toml"), noted).unwrap();
    assert!(!place.prints(&["agents"]).contains("its hooks do not run yet"));
}
