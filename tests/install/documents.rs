//! The tables of agents in the documentation are made of what is known of them.
//!
//! `ASKUSER_WRITE_GOLDEN=1 cargo test --test install` writes them anew.

use std::fs;
use std::path::Path;

use askuser_agents::install::{Install, Place, SettingsFile};
use askuser_agents::{AGENTS, Agent};

/// What the table says, in one language.
struct Words {
    page: &'static str,
    head: &'static str,
    hooks: &'static str,
    mcp: &'static str,
    by_hand: &'static str,
    none: &'static str,
    comma: &'static str,
    or: fn(&str) -> String,
    platform: fn(&str) -> String,
    variable: fn(&str) -> String,
}

const PAGES: [Words; 2] = [
    Words {
        page: "docs/agents.md",
        head: "| agent | name | asks through | `--scope user` | `--scope project` |",
        hooks: "hooks, MCP",
        mcp: "MCP",
        by_hand: "you add the server yourself",
        none: "none",
        comma: ", ",
        or: |ending| format!(" or `.{ending}`"),
        platform: |file| format!("`{file}` in the platform's settings folder"),
        variable: |name| format!(" (or `{name}`)"),
    },
    Words {
        page: "docs/agents.zh-CN.md",
        head: "| 智能体 | 名称 | 提问方式 | `--scope user` | `--scope project` |",
        hooks: "钩子、MCP",
        mcp: "MCP",
        by_hand: "由你自己添加服务",
        none: "无",
        comma: "、",
        or: |ending| format!(" 或 `.{ending}`"),
        platform: |file| format!("系统设置文件夹中的 `{file}`"),
        variable: |name| format!("（或 `{name}`）"),
    },
];

impl Words {
    fn table(&self) -> String {
        let rows: Vec<String> = AGENTS.iter().map(|agent| self.row(agent)).collect();
        format!("{}\n|---|---|---|---|---|\n{}\n", self.head, rows.join("\n"))
    }

    fn row(&self, agent: &Agent) -> String {
        let way = if agent.hooks.is_some() { self.hooks } else { self.mcp };
        let (user, project) = match &agent.install {
            Some(install) => (self.user(install), self.project(install)),
            None => (self.by_hand.to_owned(), self.none.to_owned()),
        };
        format!("| {} | `{}` | {way} | {user} | {project} |", agent.title, agent.command_name())
    }

    fn user(&self, install: &Install) -> String {
        let file = |file: &SettingsFile| match file.user {
            Place::Home(name) | Place::Named { usual: "", file: name, .. } => format!("`~/{name}`"),
            Place::Config(name) => format!("`~/.config/{name}`"),
            Place::Named { usual, file: name, .. } => format!("`~/{usual}/{name}`"),
            Place::Platform(name) => (self.platform)(name),
        };
        let variable = install.files.iter().find_map(|file| match file.user {
            Place::Named { variable, .. } => Some((self.variable)(variable)),
            _ => None,
        });
        self.files(install, file) + &variable.unwrap_or_default()
    }

    fn project(&self, install: &Install) -> String {
        if !install.has_project() {
            return self.none.to_owned();
        }
        self.files(install, |file| format!("`{}`", file.project.unwrap_or_default()))
    }

    fn files(&self, install: &Install, said: impl Fn(&SettingsFile) -> String) -> String {
        let file = |file: &SettingsFile| {
            said(file) + &file.or_ending.map(|ending| (self.or)(ending)).unwrap_or_default()
        };
        install.files.iter().map(file).collect::<Vec<_>>().join(self.comma)
    }
}

#[test]
fn the_table_of_agents_is_what_is_known_of_them() {
    for words in PAGES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(words.page);
        let page = fs::read_to_string(&path).unwrap();
        let begin = page.find(words.head).unwrap_or_else(|| panic!("{} has no such table", words.page));
        let end = begin + page[begin..].find("\n\n").unwrap() + 1;
        let made = words.table();
        if std::env::var_os("ASKUSER_WRITE_GOLDEN").is_some() {
            fs::write(&path, format!("{}{made}{}", &page[..begin], &page[end..])).unwrap();
        } else {
            assert_eq!(page[begin..end], made, "{}: ASKUSER_WRITE_GOLDEN=1 writes it anew", words.page);
        }
    }
}
