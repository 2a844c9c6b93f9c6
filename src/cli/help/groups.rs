//! The commands by what one wants to do, each with a real example. One table: a command that is not in
//! it is listed under Other, and a test names it.

use askuser_words::help::Help;
use clap::Command;

use super::page::{Row, part};
use askuser_ask::output::Screen;

/// Columns of the longest name of a command.
const NAME_COLUMNS: usize = 11;

/// A command in the help.
pub struct Entry {
    /// Its words.
    pub path: &'static [&'static str],
    /// Lines as one types them.
    pub examples: &'static [&'static str],
}

const fn entry(path: &'static [&'static str], examples: &'static [&'static str]) -> Entry {
    Entry { path, examples }
}

/// The groups, in the order in which one meets them, with their commands.
pub const GROUPS: [(&str, &[&str]); 7] = [
    ("Ask", &["ask", "confirm", "choose", "input", "wait", "withdraw", "template", "demo"]),
    ("Answer", &["inbox", "list", "show", "answer", "cancel", "rules", "open"]),
    ("Look back", &["history", "sessions", "restore", "stats", "audit"]),
    ("Agents", &["setup", "install", "uninstall", "agents", "mcp", "hook", "events", "route"]),
    ("Run", &["run", "tasks", "task"]),
    ("Server", &["status", "doctor", "config", "reload", "stop", "serve", "service", "notify"]),
    (
        "Administration",
        &["user", "key", "browsers", "backup", "purge", "migrate", "update", "completions", "help"],
    ),
];

/// Every command with its examples.
pub const ENTRIES: &[Entry] = &[
    entry(
        &["ask"],
        &[
            r#"askuser ask "Deploy to production?""#,
            r#"askuser ask "Which database?" -o "PostgreSQL: one more server" -o SQLite"#,
            r#"askuser ask "What is it called?" --text --output value"#,
            r#"askuser ask "Where?" -o staging -o prod -q "Why?" --text --output shell"#,
            r#"askuser ask "Commit this?" --context diff.txt --exit-code"#,
            r#"askuser ask '{"question":"Which?","options":["A","B"]}'"#,
            "askuser ask --file questions.json --timeout 5m --on-timeout default",
            "askuser ask --template deploy --var target=staging",
        ],
    ),
    entry(&["confirm"], &[r#"askuser confirm "Delete the old backups?" --default no"#]),
    entry(
        &["choose"],
        &[
            r#"askuser choose "Deploy where?" staging production --no-other"#,
            r#"askuser choose "Which features?" --multi Search Cart "Login: with a link""#,
        ],
    ),
    entry(&["input"], &[r#"askuser input "What is the project called?" --default shop"#]),
    entry(&["wait"], &["askuser wait YNQD --patience 10m"]),
    entry(&["withdraw"], &["askuser withdraw YNQD"]),
    entry(&["template", "list"], &["askuser template list"]),
    entry(&["template", "show"], &["askuser template show deploy"]),
    entry(&["template", "check"], &["askuser template check .claude/skills/ship/questions/deploy.yaml"]),
    entry(&["template"], &["askuser template list"]),
    entry(&["demo"], &["askuser demo"]),
    entry(&["inbox"], &["askuser inbox"]),
    entry(&["list"], &["askuser list --agent claude-code --since 1h"]),
    entry(&["show"], &["askuser show YNQD"]),
    entry(
        &["answer"],
        &[
            "askuser answer",
            "askuser answer --pick yes",
            "askuser answer YNQD --pick database=sqlite --pick 2=Redis",
            "askuser answer YNQD --text Name=shop",
        ],
    ),
    entry(&["cancel"], &[r#"askuser cancel YNQD --reason "not before Monday""#]),
    entry(&["rules", "add"], &["askuser rules add YNQD --for 30d"]),
    entry(&["rules", "list"], &["askuser rules list"]),
    entry(&["rules", "remove"], &["askuser rules remove YNQD"]),
    entry(&["rules"], &["askuser rules add YNQD --for 30d"]),
    entry(&["open"], &["askuser open", "askuser open --qr --lan"]),
    entry(
        &["history"],
        &["askuser history", "askuser history work --export md", "askuser history --projects"],
    ),
    entry(&["sessions"], &["askuser sessions", "askuser sessions --end work"]),
    entry(&["restore"], &["askuser restore work --round 2"]),
    entry(&["stats"], &["askuser stats"]),
    entry(
        &["audit"],
        &[
            "askuser audit --since 2026-11-01 --action answer",
            "askuser audit --verify",
            "askuser audit --export csv",
        ],
    ),
    entry(&["setup"], &["askuser setup", "askuser setup --dry-run", "askuser setup --yes"]),
    entry(&["install"], &["askuser install claude-code", "askuser install codex --scope project --dry-run"]),
    entry(&["uninstall"], &["askuser uninstall claude-code"]),
    entry(&["agents"], &["askuser agents"]),
    entry(&["mcp"], &["askuser mcp"]),
    entry(&["hook"], &["askuser hook claude-code"]),
    entry(&["events"], &["askuser events --as person"]),
    entry(&["route"], &[r#"askuser route "AskUserQuestion '{}'""#]),
    entry(&["run"], &[r#"askuser run "Fix the failing test" --agent claude"#]),
    entry(&["tasks"], &["askuser tasks"]),
    entry(&["task", "show"], &["askuser task show 4RCG"]),
    entry(&["task", "follow"], &["askuser task follow 4RCG"]),
    entry(&["task", "stop"], &["askuser task stop 4RCG"]),
    entry(&["task", "say"], &[r#"askuser task say 4RCG "Leave the docs alone""#]),
    entry(&["task", "resume"], &[r#"askuser task resume 4RCG "Now the docs""#]),
    entry(&["task"], &["askuser task follow 4RCG"]),
    entry(&["status"], &["askuser status"]),
    entry(&["doctor"], &["askuser doctor"]),
    entry(&["config"], &["askuser config", "askuser config --verbose", "askuser config --sample"]),
    entry(&["config", "path"], &["askuser config path"]),
    entry(&["config", "get"], &["askuser config get log.level"]),
    entry(&["config", "set"], &["askuser config set log.level debug"]),
    entry(&["reload"], &["askuser reload"]),
    entry(&["stop"], &["askuser stop"]),
    entry(&["serve"], &["askuser serve", "askuser serve --lan --open"]),
    entry(&["service", "install"], &["askuser service install --dry-run"]),
    entry(&["service", "remove"], &["askuser service remove"]),
    entry(&["service", "status"], &["askuser service status"]),
    entry(&["service"], &["askuser service install"]),
    entry(&["notify", "test"], &["askuser notify test --channel phone"]),
    entry(&["notify"], &["askuser notify test"]),
    entry(&["user", "add"], &["askuser user add ann"]),
    entry(&["user", "list"], &["askuser user list"]),
    entry(&["user", "disable"], &["askuser user disable ann"]),
    entry(&["user"], &["askuser user add ann"]),
    entry(&["key", "create"], &["askuser key create --role agent --name ci"]),
    entry(&["key", "list"], &["askuser key list"]),
    entry(&["key", "renew"], &["askuser key renew claude-code"]),
    entry(&["key", "revoke"], &["askuser key revoke 89ab"]),
    entry(&["key"], &["askuser key create --role agent --name ci"]),
    entry(&["browsers"], &["askuser browsers"]),
    entry(&["backup"], &["askuser backup askuser-backup.db"]),
    entry(&["purge"], &["askuser purge --older-than 90d --dry-run"]),
    entry(&["migrate"], &["askuser migrate --to postgres://askuser@db.example.com/askuser"]),
    entry(&["update"], &["askuser update"]),
    entry(&["completions"], &["askuser completions zsh"]),
    entry(&["help"], &["askuser help ask", "askuser help wire"]),
    entry(&["man"], &["askuser man ~/.local/share/man/man1"]),
];

/// The commands, group by group.
pub(super) fn listed(command: &Command, screen: &Screen) -> Vec<String> {
    let visible: Vec<&Command> = command.get_subcommands().filter(|command| !command.is_hide_set()).collect();
    let find = |name: &&str| visible.iter().copied().find(|command| command.get_name() == *name);
    let is_known = |command: &&&Command| GROUPS.iter().any(|(_, names)| names.contains(&command.get_name()));
    let others: Vec<&Command> = visible.iter().filter(|command| !is_known(command)).copied().collect();
    let groups = GROUPS.iter().map(|(title, names)| (*title, names.iter().filter_map(find).collect()));
    let groups = groups.chain((!others.is_empty()).then_some(("Other", others)));
    let group = |(title, commands): (&str, Vec<&Command>)| {
        let about = |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
        // All groups are as wide as the longest name.
        let name = |command: &Command| format!("{:NAME_COLUMNS$}", command.get_name());
        let rows: Vec<Row> =
            commands.into_iter().map(|command| (name(command), vec![about(command)])).collect();
        part(&Help(screen.language).part(screen.language.help(title)), &rows, screen)
    };
    groups.map(group).collect()
}
