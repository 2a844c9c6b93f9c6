//! Programs by their names: ours, agents, shells, and those that open terminals for people.

use askuser_agents::{AGENTS, OTHER_PROGRAMS};

use super::Process;

/// What a person types their answers into.
const OURS: [&str; 2] = ["askuser", "AskUserQuestion"];

/// Programs that only run others: what they run is told by their words.
const INTERPRETERS: [&str; 7] = ["node", "nodejs", "bun", "deno", "python", "pypy", "uv"];

/// What may stand between a command and its terminal. Not among them: interpreters, editors, and whatever
/// draws a terminal for another program, because nobody knows who types there.
const SHELLS: [&str; 30] = [
    "sh", "bash", "dash", "ash", "zsh", "fish", "ksh", "ksh93", "mksh", "csh", "tcsh", "nu", "elvish",
    "pwsh", "busybox", "login", "sudo", "su", "doas", "runuser", "env", "time", "nice", "timeout", "watch",
    "make", "just", "askuser", "uv", "uvx",
];

/// Logins, terminals and multiplexers: a person sits before them. Not among them: editors and terminals
/// that run an agent in the same place as their person (VS Code, Cursor, Zed, Warp).
const TERMINALS: [&str; 46] = [
    "login",
    "sshd",
    "sshd-session",
    "mosh-server",
    "tmux",
    "tmux: server",
    "screen",
    "SCREEN",
    "zellij",
    "dtach",
    "abduco",
    "gnome-terminal-server",
    "kgx",
    "gnome-console",
    "ptyxis",
    "ptyxis-agent",
    "konsole",
    "yakuake",
    "kitty",
    "alacritty",
    "wezterm-gui",
    "wezterm-mux-server",
    "foot",
    "xterm",
    "uxterm",
    "rxvt",
    "urxvt",
    "urxvtd",
    "st",
    "ghostty",
    "tilix",
    "xfce4-terminal",
    "mate-terminal",
    "lxterminal",
    "qterminal",
    "deepin-terminal",
    "terminology",
    "sakura",
    "rio",
    "cool-retro-term",
    "blackbox",
    "contour",
    "Terminal",
    "iTerm2",
    "Alacritty",
    "Ghostty",
];

/// The system keeps no more of a name where the path cannot be read.
const NAME_CUT: usize = 15;

/// Returns the name of a program's file.
pub(super) fn file_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Its name as it is known: of its file, without the dash of a login shell.
fn known_as(process: &Process) -> &str {
    file_name(&process.program).trim_start_matches('-')
}

fn is_one_of(name: &str, known: &[&str]) -> bool {
    known.iter().any(|known| *known == name || (name.len() == NAME_CUT && known.starts_with(name)))
}

/// Whether it is a command of ours.
pub(super) fn is_ours(process: &Process) -> bool {
    OURS.contains(&known_as(process))
}

/// Whether it only runs what a person typed.
pub(super) fn is_shell(process: &Process) -> bool {
    is_one_of(known_as(process), &SHELLS) || is_launcher(process)
}

/// Whether it is the launcher of our npm package. npm itself is not among them: it is known by its title alone, and
/// any script of node can give itself that title.
fn is_launcher(process: &Process) -> bool {
    let script = process.words.iter().skip(1).find(|word| !word.starts_with('-'));
    ["node", "nodejs"].contains(&known_as(process))
        && script.is_some_and(|script| OURS.contains(&file_name(script).trim_end_matches(".js")))
}

/// Whether a person opens their terminals with it.
pub(super) fn opens_terminals(process: &Process) -> bool {
    let name = known_as(process);
    is_one_of(name, &TERMINALS) || name.starts_with("iTermServer-")
}

/// Returns the coding agent that it is, also by the script that an interpreter runs.
pub(super) fn agent(process: &Process) -> Option<String> {
    let is_agent = |name: &&str| {
        OTHER_PROGRAMS.contains(name) || AGENTS.iter().any(|agent| agent.processes.contains(name))
    };
    // A program may have renamed itself, and one is installed under the number of its version.
    if let Some(name) = [known_as(process), process.name.as_str()].into_iter().find(is_agent) {
        return Some(name.to_owned());
    }
    let name = known_as(process).trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    if !INTERPRETERS.contains(&name) {
        return None;
    }
    let script = process.words.iter().skip(1).find(|word| !word.starts_with('-'))?;
    let stem = |part: &str| part.split('.').next().unwrap_or(part).to_owned();
    script.rsplit('/').map(stem).find(|part| is_agent(&part.as_str()))
}
