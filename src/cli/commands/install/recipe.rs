//! What each agent should be told, and in which file: the one place that knows their settings.
//!
//! Timeouts are as long as a person may take: a day, the agent's own and, a little shorter, ours. No key
//! is ever written: the programs that are started find theirs in the data folder.

use std::path::{Path, PathBuf};

use askuser_words::commands::setup::{Editing, Hooks};
use askuser_words::{Both, Language, both};
use serde_json::{Map, Value, json};

use super::args::{Agent, Scope};
use super::want::{NAME, Want, shell_line};
use crate::cli::output::language;
use askuser_config::{self as config, From};
use askuser_system::environment::Environment;

/// How long an answer may take: a day, in seconds and in milliseconds.
const DAY_S: u64 = 86_400;
const DAY_MS: u64 = 86_400_000;
/// How long our server holds a call of an agent that was told to wait a day: it comes back first.
const HOLD: &str = "23h";
/// How long a hook may take that only tells us something.
const TELLING_S: u64 = 10;
/// Where a person answers, as agents show it while a hook waits.
const INBOX: &str = "askuser inbox";
const OPEN: &str = "askuser open";
/// opencode's plugin, and what in it stands for the words that start the hook.
const OPENCODE_PLUGIN: &str = include_str!("opencode.js");
const OPENCODE_WORDS: &str = r#"["askuser", "hook", "opencode"]"#;
/// Commands of a person that an agent is kept from (invariant 6).
const PERSONS_COMMANDS: [&str; 6] = ["answer", "cancel", "open", "key", "user", "uninstall"];

/// What is wanted of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The file.
    pub path: PathBuf,
    /// What should stand in it.
    pub stands: Stands,
}

/// What should stand in a file, in the file's own language.
#[derive(Debug, Clone, PartialEq)]
pub enum Stands {
    /// In JSON, with or without comments.
    Json(Vec<Want>),
    /// In TOML: an entry of ours in a table of tables.
    Toml {
        /// The table.
        table: &'static str,
        /// The fields of our entry.
        fields: Map<String, Value>,
    },
    /// A file that is ours alone: this text.
    Whole(String),
}

/// What is around: where things lie, and what to start.
#[derive(Debug, Clone)]
pub struct Around {
    /// The person's home folder.
    pub home: PathBuf,
    /// The project's folder.
    pub project: PathBuf,
    /// The program to start, as an absolute path.
    pub program: String,
    /// The data folder, where it is not the usual one.
    pub data: Option<PathBuf>,
    /// What the environment says of the agents' own folders.
    pub environment: Environment,
    /// What the person reads: agents show what a hook says while it waits.
    pub language: Language,
}

/// What the person wants beyond questions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extras {
    /// Permission prompts.
    pub permissions: bool,
    /// What other MCP servers want to know.
    pub elicitations: bool,
}

/// Why an agent cannot be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoRecipe {
    /// The agent knows no such scope.
    NoProject {
        /// The agent.
        agent: &'static str,
    },
    /// There is no home folder.
    NoHome,
    /// We do not know where we are.
    NoProgram(Both),
}

impl NoRecipe {
    /// Says it to a person.
    pub fn said(&self, language: Language) -> String {
        let said = Editing(language);
        match self {
            Self::NoProject { agent } => said.no_project(agent),
            Self::NoHome => said.no_home().to_owned(),
            Self::NoProgram(why) => said.no_program(language.of(why)),
        }
    }
}

impl Around {
    /// Looks around.
    pub fn look(environment: &Environment) -> Result<Self, NoRecipe> {
        let home = environment.path("HOME").ok_or(NoRecipe::NoHome)?;
        let here = environment.folder().unwrap_or_else(|| home.clone());
        let project = here.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(&here);
        let data = match config::data_folder(None, environment) {
            Ok((folder, From::Variable(_))) => Some(folder),
            _ => None,
        };
        Ok(Self {
            project: project.to_owned(),
            program: program(environment)?,
            data,
            environment: environment.clone(),
            language: language(environment),
            home,
        })
    }

    /// The program for a scope: a shared file must not name a path of this machine.
    fn program(&self, scope: Scope) -> &str {
        match scope {
            Scope::User => &self.program,
            Scope::Project => NAME,
        }
    }

    /// What agents show while a hook waits; a shared file is in nobody's own language.
    fn says(&self, scope: Scope) -> Hooks {
        Hooks(if scope == Scope::User { self.language } else { Language::English })
    }

    fn data(&self, scope: Scope) -> Option<&str> {
        self.data.as_deref().filter(|_| scope == Scope::User).and_then(Path::to_str)
    }

    fn config(&self) -> PathBuf {
        let folder = self.environment.path("XDG_CONFIG_HOME").filter(|folder| folder.is_absolute());
        folder.unwrap_or_else(|| self.home.join(".config"))
    }

    fn folder_of(&self, variable: &str, usual: &str) -> PathBuf {
        self.environment.path(variable).unwrap_or_else(|| self.home.join(usual))
    }
}

/// The program, by a name that stays right when it is replaced by a newer one: where it is found on
/// the path, that; else wherever it lies.
pub(in crate::cli) fn program(environment: &Environment) -> Result<String, NoRecipe> {
    let own = std::env::current_exe().map_err(|error| NoRecipe::NoProgram(error.to_string().into()))?;
    let path = environment.get("PATH").unwrap_or_default();
    let named = path.split(':').map(|folder| Path::new(folder).join(NAME));
    let mut ours =
        named.filter(|found| found.is_absolute() && found.canonicalize().is_ok_and(|found| found == own));
    let program = ours.next().unwrap_or(own);
    program.to_str().map(str::to_owned).ok_or_else(|| NoRecipe::NoProgram(both(Editing::path_not_text)))
}

/// Returns what an agent should be told.
pub fn recipe(agent: Agent, scope: Scope, extras: Extras, around: &Around) -> Result<Vec<Part>, NoRecipe> {
    let project = scope == Scope::Project;
    let json = |path: PathBuf, wants: Vec<Want>| Part { path, stands: Stands::Json(wants) };
    let place = |user: PathBuf, shared: &str| if project { around.project.join(shared) } else { user };
    Ok(match agent {
        Agent::ClaudeCode => {
            let folder = around.environment.path("CLAUDE_CONFIG_DIR");
            let state = folder
                .as_ref()
                .map_or_else(|| around.home.join(".claude.json"), |at| at.join(".claude.json"));
            let settings = folder.unwrap_or_else(|| around.home.join(".claude")).join("settings.json");
            vec![
                json(
                    place(state, ".mcp.json"),
                    vec![server(around, scope, &["mcpServers", NAME], "stdio", Some(DAY_MS))],
                ),
                json(place(settings, ".claude/settings.json"), claude_settings(around, scope, extras)),
            ]
        }
        Agent::Codex => {
            let folder = place(around.folder_of("CODEX_HOME", ".codex"), ".codex");
            let stands = Stands::Toml { table: "mcp_servers", fields: codex_server(around, scope) };
            vec![
                Part { path: folder.join("config.toml"), stands },
                json(folder.join("hooks.json"), codex_hooks(around, scope, extras)),
            ]
        }
        Agent::Gemini => {
            let settings = place(around.home.join(".gemini/settings.json"), ".gemini/settings.json");
            vec![json(settings, gemini(around, scope))]
        }
        Agent::Opencode => {
            let folder = if project { around.project.clone() } else { around.config().join("opencode") };
            let settings = ["opencode.jsonc", "opencode.json"].map(|name| folder.join(name));
            let found = settings.iter().find(|path| path.exists()).cloned();
            let plugins = if project { folder.join(".opencode/plugins") } else { folder.join("plugins") };
            vec![
                json(found.unwrap_or_else(|| folder.join("opencode.json")), opencode(around, scope)),
                Part {
                    path: plugins.join("askuser.js"),
                    stands: Stands::Whole(opencode_plugin(around, scope)),
                },
            ]
        }
        Agent::Cursor => {
            let settings = place(around.home.join(".cursor/mcp.json"), ".cursor/mcp.json");
            vec![json(settings, vec![server(around, scope, &["mcpServers", NAME], "", None)])]
        }
        Agent::Vscode => {
            let user = if cfg!(target_os = "macos") {
                around.home.join("Library/Application Support")
            } else {
                around.config()
            };
            let settings = place(user.join("Code/User/mcp.json"), ".vscode/mcp.json");
            vec![json(settings, vec![server(around, scope, &["servers", NAME], "stdio", None)])]
        }
        Agent::Windsurf if project => return Err(NoRecipe::NoProject { agent: "windsurf" }),
        Agent::Windsurf => {
            let settings = around.home.join(".codeium/windsurf/mcp_config.json");
            vec![json(settings, vec![server(around, scope, &["mcpServers", NAME], "", None)])]
        }
    })
}

/// The MCP server as most agents write it.
fn server(around: &Around, scope: Scope, at: &[&'static str], kind: &str, timeout: Option<u64>) -> Want {
    let mut fields = Map::new();
    if !kind.is_empty() {
        fields.insert("type".to_owned(), kind.into());
    }
    fields.insert("command".to_owned(), around.program(scope).into());
    fields.insert("args".to_owned(), json!(["mcp"]));
    fields.extend(timeout.map(|timeout| ("timeout".to_owned(), timeout.into())));
    fields.extend(variables(around, scope, timeout.is_some()).map(|env| ("env".to_owned(), env)));
    Want::Entry { at: at.to_vec(), fields }
}

/// What the server is started with: where the data folder is, and how long it holds a call where the
/// agent's own limit is set too. The one without the other is a `pending` every few minutes.
fn variables(around: &Around, scope: Scope, has_limit: bool) -> Option<Value> {
    let home = around.data(scope).map(|data| ("ASKUSER_HOME".to_owned(), data.into()));
    let hold = has_limit.then(|| ("ASKUSER_HOLD".to_owned(), HOLD.into()));
    let variables: Map<String, Value> = home.into_iter().chain(hold).collect();
    (!variables.is_empty()).then_some(Value::Object(variables))
}

fn hook_words<'a>(around: &'a Around, scope: Scope, agent: &'a str) -> Vec<&'a str> {
    let mut words = vec![around.program(scope), "hook", agent];
    words.extend(around.data(scope).into_iter().flat_map(|data| ["--data", data]));
    words
}

fn claude_settings(around: &Around, scope: Scope, extras: Extras) -> Vec<Want> {
    let words = hook_words(around, scope, "claude-code");
    let hook = |timeout: u64| json!({"type": "command", "command": words.first(), "args": words.get(1..), "timeout": timeout});
    let asked = if extras.permissions { "*" } else { "AskUserQuestion" };
    let wanted = |event, matcher, timeout| Want::Hook { event, matcher, hook: hook(timeout) };
    let mut wants = vec![
        wanted("PermissionRequest", Some(asked), DAY_S),
        wanted("PreToolUse", Some("AskUserQuestion"), DAY_S),
        // What was answered in the agent's own dialog is taken back from ours.
        wanted("PostToolUse", Some(asked), TELLING_S),
        wanted("PostToolUseFailure", Some(asked), TELLING_S),
        wanted("UserPromptSubmit", None, TELLING_S),
        wanted("Stop", None, TELLING_S),
        wanted("SessionEnd", None, TELLING_S),
    ];
    wants.push(if extras.elicitations {
        wanted("Elicitation", Some(".*"), DAY_S)
    } else {
        Want::NoHook { event: "Elicitation" }
    });
    // Else a call of our tool is put into the background after two minutes, and the agent goes on.
    let background = vec!["env", "CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS"];
    wants.push(Want::Unset { at: background, value: "0".into() });
    let rule = |list, text| Want::Listed { at: vec!["permissions", list], text };
    wants.push(rule("allow", format!("mcp__{NAME}__*")));
    wants.extend(PERSONS_COMMANDS.iter().map(|verb| rule("deny", format!("Bash({NAME} {verb}:*)"))));
    let data = data_rule(around, scope);
    wants.extend(["Read", "Edit"].map(|tool| rule("deny", format!("{tool}({data}/**)"))));
    wants
}

/// The data folder as Claude Code's rules write it: `~/…`, or `//…` for any other absolute path.
fn data_rule(around: &Around, scope: Scope) -> String {
    let usual = if cfg!(target_os = "macos") {
        "Library/Application Support/askuser"
    } else {
        ".local/share/askuser"
    };
    match around.data.as_deref().filter(|_| scope == Scope::User) {
        None => format!("~/{usual}"),
        Some(data) => match data.strip_prefix(&around.home) {
            Ok(below) => format!("~/{}", below.display()),
            Err(_) => format!("/{}", data.display()),
        },
    }
}

fn codex_server(around: &Around, scope: Scope) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("command".to_owned(), around.program(scope).into());
    fields.insert("args".to_owned(), json!(["mcp"]));
    fields.insert("startup_timeout_sec".to_owned(), 30.into());
    fields.insert("tool_timeout_sec".to_owned(), DAY_S.into());
    fields.extend(variables(around, scope, true).map(|env| ("env".to_owned(), env)));
    fields
}

fn codex_hooks(around: &Around, scope: Scope, extras: Extras) -> Vec<Want> {
    let command = shell_line(&hook_words(around, scope, "codex"));
    let said = around.says(scope);
    let (waits, waits_or_here) = (said.waits(INBOX, OPEN), said.waits_or_here(INBOX, OPEN));
    let waiting =
        |says: &str| json!({"type": "command", "command": command, "timeout": DAY_S, "statusMessage": says});
    let telling = json!({"type": "command", "command": command, "timeout": TELLING_S});
    let questions = Some("^request_user_input(_async)?$");
    let permissions = "PermissionRequest";
    vec![
        Want::Hook { event: "PreToolUse", matcher: questions, hook: waiting(&waits) },
        // Where the answer to a question is handed over that the agent did not wait for.
        Want::Hook { event: "Stop", matcher: None, hook: waiting(&waits_or_here) },
        // What was answered in the agent's own terminal is taken back from ours.
        Want::Hook { event: "UserPromptSubmit", matcher: None, hook: telling.clone() },
        Want::Hook { event: "SessionEnd", matcher: None, hook: telling },
        if extras.permissions {
            Want::Hook { event: permissions, matcher: Some("*"), hook: waiting(&waits) }
        } else {
            Want::NoHook { event: permissions }
        },
    ]
}

fn gemini(around: &Around, scope: Scope) -> Vec<Want> {
    let Want::Entry { at, mut fields } = server(around, scope, &["mcpServers", NAME], "", Some(DAY_MS))
    else {
        return Vec::new();
    };
    // Its tools only ask: confirming each question first would ask twice.
    fields.insert("trust".to_owned(), true.into());
    let command = shell_line(&hook_words(around, scope, "gemini"));
    let hook = json!({"name": around.says(scope).name(INBOX, OPEN), "type": "command", "command": command, "timeout": DAY_MS});
    vec![Want::Entry { at, fields }, Want::Hook { event: "BeforeTool", matcher: Some("ask_user"), hook }]
}

fn opencode(around: &Around, scope: Scope) -> Vec<Want> {
    let mut fields = Map::new();
    fields.insert("type".to_owned(), "local".into());
    fields.insert("command".to_owned(), json!([around.program(scope), "mcp"]));
    fields.insert("enabled".to_owned(), true.into());
    fields.insert("timeout".to_owned(), DAY_MS.into());
    fields.extend(variables(around, scope, true).map(|env| ("environment".to_owned(), env)));
    vec![Want::Entry { at: vec!["mcp", NAME], fields }]
}

/// The plugin that hands opencode's own questions on, with what it is to start.
fn opencode_plugin(around: &Around, scope: Scope) -> String {
    let words = json!(hook_words(around, scope, "opencode")).to_string();
    OPENCODE_PLUGIN.replace(OPENCODE_WORDS, &words)
}
