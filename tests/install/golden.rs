//! Every golden case: installed, installed twice, let go again, and let go after an edit.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use askuser::cli::commands::install::plan::{self, Change};
use askuser::cli::commands::install::receipt::Receipts;
use askuser::cli::commands::install::recipe::{Machine, recipe};
use askuser_agents::install::{Extras, Scope};
use askuser_agents::{AGENTS, Agent};
use askuser_client::home::Home;
use askuser_system::environment::Environment;
use askuser_words::Language;

type Tree = BTreeMap<String, String>;

/// One case on its own copy of the home.
pub(crate) struct Case {
    folder: tempfile::TempDir,
    agent: &'static Agent,
    scope: Scope,
    extras: Extras,
    machine: Machine,
    receipts: Receipts,
}

/// Reads every file below a folder.
fn tree(folder: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(&at).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with(".keep") {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                tree.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    tree
}

fn lay(tree: &Tree, folder: &Path) {
    for (name, text) in tree {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

impl Case {
    pub(crate) fn new(name: &str, before: &Tree) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        fs::create_dir(&home).unwrap();
        lay(before, &home);
        let agent = installed().find(|agent| name.starts_with(agent.command_name())).unwrap();
        let scope = Scope::ALL.into_iter().find(|scope| name.ends_with(scope.name())).unwrap();
        let machine = Machine {
            home: home.clone(),
            project: home,
            program: "/opt/askuser/bin/askuser".to_owned(),
            data: None,
            environment: Environment::of(&[]),
            language: Language::English,
        };
        let wanted = name.contains("permissions");
        let extras = Extras { permissions: wanted, elicitations: wanted };
        let receipts = Receipts::of(&Home::new(folder.path().join("desk")));
        Self { folder, agent, scope, extras, machine, receipts }
    }

    fn tree(&self) -> Tree {
        tree(&self.folder.path().join("home"))
    }

    fn install(&self) -> Vec<Change> {
        let parts = recipe(self.agent, self.scope, self.extras, &self.machine).unwrap();
        self.carried_out(parts.iter().map(|part| plan::install(part, self.scope, &self.receipts).unwrap()))
    }

    fn uninstall(&self) -> Vec<Change> {
        let everything = Extras { permissions: true, elicitations: true };
        let parts = recipe(self.agent, self.scope, everything, &self.machine).unwrap();
        self.carried_out(parts.iter().map(|part| plan::uninstall(part, self.scope, &self.receipts).unwrap()))
    }

    fn carried_out(&self, changes: impl Iterator<Item = Change>) -> Vec<Change> {
        let changes: Vec<Change> = changes.collect();
        for change in &changes {
            change.carry_out(&self.receipts).unwrap();
        }
        changes
    }
}

/// The agents that can be connected.
fn installed() -> impl Iterator<Item = &'static Agent> {
    AGENTS.into_iter().filter(|agent| agent.install.is_some())
}

pub(crate) fn cases() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/install");
    let folders =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let mut cases: Vec<(String, PathBuf)> =
        folders.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), path)).collect();
    cases.sort();
    cases
}

#[test]
fn every_agent_has_a_case_in_every_scope_that_it_has() {
    let names: Vec<String> = cases().into_iter().map(|(name, _)| name).collect();
    for agent in installed() {
        for scope in Scope::ALL {
            let there = names
                .iter()
                .any(|name| name.starts_with(agent.command_name()) && name.ends_with(scope.name()));
            let has = scope == Scope::User || agent.install.as_ref().unwrap().has_project();
            assert_eq!(there, has, "{agent:?} {scope:?}");
        }
    }
}

#[test]
fn each_agent_is_connected_as_its_golden_files_say_and_twice_changes_nothing() {
    for (name, folder) in cases() {
        let case = Case::new(&name, &tree(&folder.join("before")));
        assert!(case.install().iter().any(Change::changes), "{name}");
        let after = case.tree();
        if std::env::var_os("ASKUSER_WRITE_GOLDEN").is_some() {
            drop(fs::remove_dir_all(folder.join("after")));
            lay(&after, &folder.join("after"));
        }
        assert_eq!(after, tree(&folder.join("after")), "{name}");
        assert!(!case.install().iter().any(Change::changes), "{name}: twice");
        assert_eq!(case.tree(), after, "{name}: twice");
    }
}

#[test]
fn letting_go_puts_every_file_back_as_it_was() {
    for (name, folder) in cases() {
        let before = tree(&folder.join("before"));
        let case = Case::new(&name, &before);
        case.install();
        case.install();
        case.uninstall();
        assert_eq!(case.tree(), before, "{name}");
        // Where an older one of ours was there before us, the second time takes that.
        let ours_before = before.values().any(|text| text.contains("askuser"));
        assert_eq!(case.uninstall().iter().any(Change::changes), ours_before, "{name}: twice");
        lay(&before, &case.machine.home);
        // And once more around: nothing of the first time is left that could mislead.
        case.install();
        assert_eq!(case.tree(), tree(&folder.join("after")), "{name}");
    }
}

/// Every folder below one, but not itself.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut left = vec![folder.to_owned()];
    while let Some(at) = left.pop() {
        let below = fs::read_dir(&at).into_iter().flatten().map(|entry| entry.unwrap().path());
        let below: Vec<PathBuf> = below.filter(|path| path.is_dir()).collect();
        found.extend(below.iter().cloned());
        left.extend(below);
    }
    found.sort();
    found
}

#[test]
fn letting_go_takes_the_folders_that_were_made_and_no_other() {
    for (name, folder) in cases() {
        let case = Case::new(&name, &tree(&folder.join("before")));
        // A folder that was there before us and is empty is not ours to take.
        fs::create_dir_all(case.machine.home.join(".config")).unwrap();
        let before = folders(&case.machine.home);
        case.install();
        case.install();
        case.uninstall();
        assert_eq!(folders(&case.machine.home), before, "{name}");
        // Nor is one in which somebody has put something since.
        let made = case.install();
        let theirs: Vec<PathBuf> = made.iter().map(|change| change.path.with_file_name("theirs")).collect();
        for path in &theirs {
            fs::write(path, "").unwrap();
        }
        case.uninstall();
        assert!(theirs.iter().all(|path| path.exists()), "{name}");
    }
}

/// What the person wrote after we came stays, and what is ours goes all the same.
#[test]
fn letting_go_keeps_what_was_written_since() {
    for (name, folder) in cases() {
        let case = Case::new(&name, &tree(&folder.join("before")));
        let changed = case.install();
        for change in &changed {
            let text = fs::read_to_string(&change.path).unwrap();
            let edited = match change.path.extension().unwrap().to_str().unwrap() {
                "toml" => format!("{text}\n[theirs]\nkept = true # really\n"),
                _ => text.replacen('{', "{\n  \"theirs\": [1, 2], ", 1),
            };
            fs::write(&change.path, edited).unwrap();
        }
        // Installing over the edit must not make the edit part of what is taken back.
        case.install();
        case.uninstall();
        for change in &changed {
            // A file that is ours alone goes whole.
            if change.path.ends_with("plugins/askuser.js") {
                assert!(!change.path.exists(), "{name}");
                continue;
            }
            let left = fs::read_to_string(&change.path).unwrap();
            assert!(left.contains("theirs"), "{name}: {left}");
            let had = folder.join("before").join(change.path.strip_prefix(&case.machine.home).unwrap());
            let had = fs::read_to_string(had).unwrap_or_default();
            if had.contains("askuser") {
                continue;
            }
            assert!(!left.contains("askuser"), "{name}: {left}");
            for word in had
                .split(['"', ',', '\n', '\r'])
                .map(|word| word.trim_matches([' ', ']']))
                .filter(|word| word.len() > 6)
            {
                assert!(left.contains(word), "{name}: {word} is gone: {left}");
            }
        }
    }
}

#[test]
fn a_plain_diff_says_exactly_what_is_written() {
    let before = Tree::from([(".cursor/mcp.json".to_owned(), "{\n  \"mcpServers\": {}\n}\n".to_owned())]);
    let case = Case::new("cursor-user", &before);
    let parts = recipe(case.agent, case.scope, case.extras, &case.machine).unwrap();
    let change = plan::install(&parts[0], case.scope, &case.receipts).unwrap();
    let expected = "--- ~/.cursor/mcp.json\n+++ ~/.cursor/mcp.json\n@@ -1,3 +1,8 @@\n {\n-  \"mcpServers\": {}\n\
                    +  \"mcpServers\": {\n+    \"askuser\": {\n+      \"command\": \"/opt/askuser/bin/askuser\",\n\
                    +      \"args\": [\"mcp\"]\n+    }\n+  }\n }\n";
    assert_eq!(change.diff("~/.cursor/mcp.json"), expected);
    assert_eq!(case.tree(), before, "a look changes nothing");
}

/// A data folder of one's own goes into the person's settings, never into a project's.
#[test]
fn no_key_and_no_path_of_this_machine_goes_into_a_project() {
    for agent in installed() {
        for scope in Scope::ALL {
            let name = format!("{}-{}", agent.command_name(), scope.name());
            let mut case = Case::new(&name, &Tree::new());
            case.machine.data = Some("/srv/desk".into());
            let Ok(parts) = recipe(agent, scope, case.extras, &case.machine) else { continue };
            for part in parts {
                plan::install(&part, scope, &case.receipts).unwrap().carry_out(&case.receipts).unwrap();
            }
            let written: String = case.tree().into_values().collect();
            assert_eq!(written.contains("/srv/desk"), scope == Scope::User, "{name}: {written}");
            assert_eq!(written.contains("/opt/"), scope == Scope::User, "{name}: {written}");
            assert!(!written.contains("askuser_agent") && !written.contains("Bearer"), "{name}");
        }
    }
}
