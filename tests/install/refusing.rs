//! Files that are damaged or not as they should be: told with line and column, and not changed.

use std::fs;

use askuser::cli::commands::install::plan;
use askuser::cli::commands::install::receipt::Receipts;
use askuser::cli::commands::install::recipe::{Machine, recipe};
use askuser_agents::install::{Extras, Scope};
use askuser_agents::named;
use askuser_client::home::Home;
use askuser_system::environment::Environment;
use askuser_words::Language;

#[track_caller]
fn refused(agent: &str, file: &str, text: &str, said: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    let machine = Machine {
        home: folder.path().to_owned(),
        project: folder.path().to_owned(),
        program: "askuser".to_owned(),
        data: None,
        environment: Environment::of(&[]),
        language: Language::English,
    };
    let receipts = Receipts::of(&Home::new(folder.path().join("desk")));
    let parts = recipe(named(agent).unwrap(), Scope::User, Extras::default(), &machine).unwrap();
    let part = parts.iter().find(|part| part.path == path).unwrap();
    for error in [
        plan::install(part, Scope::User, &receipts).unwrap_err(),
        plan::uninstall(part, Scope::User, &receipts).err().unwrap_or_else(|| {
            // What is not ours need not be as we want it: letting go finds nothing to take.
            plan::install(part, Scope::User, &receipts).unwrap_err()
        }),
    ] {
        let told = error.said(Language::English);
        assert!(told.contains(said) && told.contains(file), "{told}");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    assert!(!folder.path().join("desk").exists(), "nothing is kept of what was not changed");
}

#[test]
fn a_damaged_file_is_refused_with_its_line_and_column() {
    refused("cursor", ".cursor/mcp.json", "{\n  \"mcpServers\": {\n", "line 2, column");
    refused("cursor", ".cursor/mcp.json", "{\n  \"a\": 1\n  \"b\": 2\n}", "line 2, column");
    refused("cursor", ".cursor/mcp.json", "{\"a\": 1} trailing", "line 1, column 10");
    refused("gemini", ".gemini/settings.json", "{'a': 1}", "line 1, column 2");
    refused("codex", ".codex/config.toml", "model = \"x\"\n[mcp_servers\n", "line 2, column 13");
    refused("codex", ".codex/config.toml", "a = 1\na = 2\n", "line 2, column 1");
}

#[test]
fn something_else_in_our_place_is_refused() {
    let file = ".config/opencode/plugins/askuser.js";
    refused("opencode", file, "export const Mine = 1;\n", "it was not written by `askuser install`");
    refused("cursor", ".cursor/mcp.json", "[]", "the whole file is a list, not an object");
    refused("cursor", ".cursor/mcp.json", "{\"mcpServers\": []}", "`mcpServers` is a list, not an object");
    refused(
        "cursor",
        ".cursor/mcp.json",
        "{\"mcpServers\": {\"askuser\": true}}",
        "`mcpServers.askuser` is true or false, not an object",
    );
    refused(
        "claude-code",
        ".claude/settings.json",
        "{\"hooks\": {\"PreToolUse\": {}}}",
        "`hooks.PreToolUse` is an object, not a list",
    );
    refused("codex", ".codex/config.toml", "mcp_servers = 7\n", "`mcp_servers` is a value, not a table");
}
