//! The commands of the README and of the tutorial, taken out of them word for word and typed into bash, zsh and fish, each without a
//! configuration of its own. What it builds is tried by the full run.

use std::path::Path;

use crate::asks::ASKUSER;
use crate::home::TestHome;
use crate::press::ENTER;
use crate::stage::{Setup, Stage};

const SHELLS: [(&str, &[&str]); 3] = [
    ("/usr/bin/bash", &["--norc", "--noprofile", "-i"]),
    ("/usr/bin/zsh", &["-f", "-i"]),
    ("/usr/bin/fish", &["--no-config", "-i"]),
];

const READMES: [&str; 2] = [include_str!("../../README.md"), include_str!("../../README.zh-CN.md")];
const TUTORIALS: [&str; 2] = [include_str!("../../docs/start.md"), include_str!("../../docs/start.zh-CN.md")];

/// What a person does after a command, and what they see at the end: a whole line, or its beginning.
enum Walk {
    /// They read.
    Reads(&'static str),
    /// They read in the pager, and leave it.
    Pages(&'static str),
    /// They pick this option in the panel.
    Picks(&'static str, &'static str),
}

/// How each command goes on. A new one on a page needs its walk here.
fn walk(command: &str) -> Option<Walk> {
    let words: Vec<&str> = command.split_whitespace().collect();
    Some(match *words.as_slice() {
        ["askuser", "install", "claude-code"] => Walk::Reads("claude-code is connected"),
        ["askuser", "install", "claude-code", "--dry-run"] => Walk::Pages("+++ ~/.claude.json"),
        ["askuser", "agents"] => Walk::Reads("AGENT "),
        ["askuser", "setup"] => Walk::Picks("", "Next"),
        ["askuser", "uninstall", "claude-code"] => Walk::Reads("claude-code is disconnected"),
        ["askuser", "stats"] => Walk::Reads("Asked most often"),
        ["askuser", "stop"] => Walk::Reads("Stopped askuser."),
        ["askuser", "open"] => Walk::Reads("http://askuser-"),
        ["askuser", "ask", .., "value"] => Walk::Picks("2", "SQLite"),
        ["askuser", "ask", .., "&"] => Walk::Reads("Waiting for an answer"),
        ["askuser", "ask", ..] => Walk::Picks("1", "{\"answers\":{\"q1\":true}}"),
        ["askuser", "confirm", .., "deleted"] => Walk::Picks("1", "deleted"),
        ["askuser", "confirm", .., "已删除"] => Walk::Picks("1", "已删除"),
        ["askuser", "list" | "history"] => Walk::Reads("ID "),
        ["askuser", "answer"] => Walk::Picks("1", "Answered: "),
        _ => return None,
    })
}

/// The lines of each block for a shell.
fn blocks(page: &str) -> Vec<Vec<&str>> {
    let fenced = page.split("```").skip(1).step_by(2);
    fenced.filter_map(|block| block.strip_prefix("sh\n")).map(|block| block.lines().collect()).collect()
}

fn shell(home: &TestHome, (program, args): (&'static str, &[&str])) -> Stage {
    assert!(Path::new(program).exists(), "{program} is needed: scripts/steps.sh installs it");
    let folder = Path::new(ASKUSER).parent().unwrap().to_str().unwrap();
    let setup = Setup::new(program).wiring("").size(120, 40).var("ASKUSER_HOME", &home.data());
    let setup =
        setup.var("PATH", &format!("{folder}:/usr/bin:/bin")).var("HOME", home.path().to_str().unwrap());
    args.iter().fold(setup, |setup, arg| setup.arg(*arg)).start()
}

#[test]
fn the_readmes_commands_work_as_pasted_in_bash_zsh_and_fish() {
    walk_through(READMES);
}

#[test]
fn the_tutorials_commands_work_as_pasted_in_bash_zsh_and_fish() {
    walk_through(TUTORIALS);
}

fn walk_through(pages: [&str; 2]) {
    for page in pages {
        let blocks = blocks(page);
        let lines = blocks.iter().flatten();
        let asked: Vec<&&str> = lines.filter(|line| !line.starts_with("cargo ")).collect();
        assert!(asked.len() >= 8, "{asked:?}");
        for with in SHELLS {
            let home = TestHome::new();
            for block in &blocks {
                let mut stage = shell(&home, with);
                for command in block.iter().filter(|line| !line.starts_with("cargo ")) {
                    let walk = walk(command);
                    assert!(walk.is_some(), "{command} is new on the page");
                    let Some(walk) = walk else { continue };
                    stage.types(&format!("{command}\r"));
                    let (Walk::Reads(seen) | Walk::Pages(seen) | Walk::Picks(_, seen)) = walk;
                    if let Walk::Picks(option, _) = walk {
                        stage.wait("the panel", |screen| screen.contains("Esc leave"));
                        stage.types(option);
                        stage.types(ENTER);
                    }
                    // What a command in the background prints comes after the next prompt.
                    let at_once = command.ends_with('&');
                    let is_seen = |screen: &str| {
                        screen.lines().any(|line| line.starts_with(seen) || at_once && line.contains(seen))
                    };
                    stage.wait(&format!("{seen} ({}, {command})", with.0), is_seen);
                    // Whoever asked in the background is told, and ends.
                    if *command == "askuser answer" {
                        stage.sees("{\"answers\":{\"q1\":true}}");
                    }
                    if command.starts_with("askuser uninstall") {
                        let left = home.path().join(".claude.json");
                        assert!(!left.exists(), "{} is left", left.display());
                    }
                    if matches!(walk, Walk::Pages(_)) {
                        stage.types("q");
                    }
                }
            }
        }
    }
}
