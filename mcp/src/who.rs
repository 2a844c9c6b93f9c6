//! Who asks: the agent, its conversation, its project folder and its tool call, from what the
//! client says of itself, the `_meta` of the call, its roots and our own surroundings.

use std::path::{Path, PathBuf};

use askuser_core::asker::Asker;
use percent_encoding::percent_decode_str;
use rmcp::model::MetaObject;
use serde_json::{Map, Value, json};

use askuser_system::environment::Environment;

/// How a client's name begins, and how its agent is called.
const AGENTS: [(&str, &str); 6] = [
    ("claude-code", "claude-code"),
    ("codex", "codex"),
    ("gemini", "gemini-cli"),
    ("opencode", "opencode"),
    ("qwen", "qwen-code"),
    ("goose", "goose"),
];

/// Under which names agents tell their own conversation, their tool call and their folder.
const CONVERSATIONS: [&str; 3] = ["threadId", "agent-session-id", "claudecode/sessionId"];
const TOOL_CALLS: [&str; 3] = ["claudecode/toolUseId", "callId", "agent-tool-call-request-id"];
const FOLDERS: [&str; 1] = ["agent-working-dir"];

/// Who asks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Who {
    pub(super) asker: Asker,
    /// The agent's own name for its conversation.
    pub(super) conversation: Option<String>,
    /// The agent's name for this very call.
    pub(super) tool_call: Option<String>,
    /// The session of the task that the agent runs for.
    pub(super) session: Option<String>,
    /// The project's folder, as the agent says or as we were started in.
    pub(super) project: Option<PathBuf>,
}

/// What is known besides the call itself.
#[derive(Debug, Clone, Default)]
pub(super) struct Around<'a> {
    /// What the client calls itself.
    pub(super) client: Option<&'a str>,
    /// The first of its roots.
    pub(super) root: Option<PathBuf>,
    /// Our own surroundings, where the agent started us.
    pub(super) environment: Option<&'a Environment>,
}

impl Who {
    /// Finds out who asks.
    pub(super) fn of(meta: &MetaObject, around: Around<'_>) -> Self {
        let said = |names: &[&str]| {
            let texts = names.iter().filter_map(|name| meta.get(*name)?.as_str());
            texts.map(str::trim).find(|text| !text.is_empty()).map(str::to_owned)
        };
        let environment = around.environment;
        let folder = said(&FOLDERS).map(PathBuf::from).or(around.root).or_else(|| environment?.folder());
        let project = folder.as_deref().and_then(Path::file_name).and_then(|name| name.to_str());
        let told = folder.as_deref().map(|folder| match environment {
            Some(environment) => environment.told(folder),
            None => folder.display().to_string(),
        });
        let agent = around.client.map(agent_name).or_else(|| environment?.agent().map(str::to_owned));
        let asker = Asker { agent, project: project.map(str::to_owned), folder: told };
        // Not from our surroundings: Claude Code starts its servers under another session id than that of the
        // conversation which it goes on with, and an agent that comes back would not be known.
        let conversation = said(&CONVERSATIONS);
        let session = environment.and_then(Environment::session).map(str::to_owned);
        Self { asker, conversation, tool_call: said(&TOOL_CALLS), session, project: folder }
    }

    /// Puts into an ask what its asker did not say itself.
    pub(super) fn sign(&self, ask: &mut Map<String, Value>) {
        let given = ask.get("asker").and_then(Value::as_object).cloned().unwrap_or_default();
        let known = |name: &str, ours: &Option<String>| {
            let given = given.get(name).filter(|given| !given.is_null()).cloned();
            given.unwrap_or_else(|| json!(ours))
        };
        let Asker { agent, project, folder } = &self.asker;
        let signed = json!({
            "agent": known("agent", agent), "project": known("project", project), "folder": known("folder", folder),
        });
        // What is no object is a fault of the ask, and told as one.
        if ask.get("asker").is_none_or(|asker| asker.is_object() || asker.is_null()) {
            ask.insert("asker".to_owned(), signed);
        }
        if let Some(session) = &self.session {
            ask.entry("session_id").or_insert_with(|| session.as_str().into());
        }
        // Where nothing else tells two askers apart, two calls that wait with the same words are two
        // questions. Elsewhere a repeated question is the same one, whatever its call is named.
        let nameless = self.conversation.is_none() && self.asker.folder.is_none();
        if let (true, Some(call)) = (nameless, &self.tool_call) {
            ask.entry("tool_use_id").or_insert_with(|| call.as_str().into());
        }
    }
}

fn agent_name(client: &str) -> String {
    let lower = client.to_lowercase();
    let known = AGENTS.into_iter().find(|(beginning, _)| lower.starts_with(beginning));
    known.map_or_else(|| client.to_owned(), |(_, agent)| agent.to_owned())
}

/// Reads the folder that a root names; none where it is no file of this machine.
pub(super) fn folder_of(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    path.starts_with('/').then(|| PathBuf::from(&*percent_decode_str(path).decode_utf8_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meta(value: Value) -> MetaObject {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn who_asks_is_read_from_what_each_agent_sends() {
        let environment = Environment::of(&[("HOME", "/home/ana")]);
        let around =
            |client| Around { client: Some(client), environment: Some(&environment), ..Around::default() };
        let goose = meta(json!({
            "agent-session-id": "20261115_1", "agent-tool-call-request-id": "call_7",
            "agent-working-dir": "/home/ana/shop"}));
        let who = Who::of(&goose, around("goose"));
        assert_eq!(who.asker.folder.as_deref(), Some("~/shop"));
        assert_eq!(who.asker.project.as_deref(), Some("shop"));
        assert_eq!(who.conversation.as_deref(), Some("20261115_1"));
        assert_eq!(who.tool_call.as_deref(), Some("call_7"));
        let codex = meta(json!({"callId": "c1", "threadId": "t1", "x-codex-turn-metadata": {}}));
        let who = Who::of(&codex, around("codex-mcp-client"));
        assert_eq!((who.asker.agent.as_deref(), who.conversation.as_deref()), (Some("codex"), Some("t1")));
        let claude = meta(json!({"claudecode/toolUseId": "toolu_1"}));
        let rooted = Around { root: folder_of("file:///home/ana/a%20b"), ..around("claude-code") };
        let who = Who::of(&claude, rooted);
        assert_eq!(who.asker.folder.as_deref(), Some("~/a b"));
        assert_eq!(who.tool_call.as_deref(), Some("toolu_1"));
        // Nobody says anything: nothing is made up.
        assert_eq!(Who::of(&MetaObject::new(), Around::default()), Who::default());
    }

    #[test]
    fn what_the_asker_says_itself_goes_before() {
        let who = Who {
            asker: Asker {
                agent: Some("goose".into()),
                project: Some("p".into()),
                folder: Some("~/p".into()),
            },
            tool_call: Some("call_1".into()),
            ..Who::default()
        };
        let mut ask = json!({"asker": {"agent": "me", "folder": null}}).as_object().unwrap().clone();
        who.sign(&mut ask);
        assert_eq!(ask["asker"], json!({"agent": "me", "project": "p", "folder": "~/p"}));
        assert!(!ask.contains_key("tool_use_id"));
        let mut wrong = json!({"asker": 7}).as_object().unwrap().clone();
        who.sign(&mut wrong);
        assert_eq!(wrong["asker"], 7);
        // Nothing but the call tells this one from another.
        let alone = Who { tool_call: Some("call_1".into()), ..Who::default() };
        let mut ask = Map::new();
        alone.sign(&mut ask);
        assert_eq!(ask["tool_use_id"], "call_1");
    }

    #[test]
    fn a_root_is_a_folder_or_nothing() {
        assert_eq!(folder_of("file:///srv/x"), Some("/srv/x".into()));
        assert_eq!(folder_of("file://localhost/srv/%E4%B8%AD"), Some("/srv/中".into()));
        assert_eq!(folder_of("file:///100%"), Some("/100%".into()));
        assert_eq!(folder_of("https://example.com/x"), None);
        assert_eq!(folder_of("file://elsewhere"), None);
    }
}
