//! Who asks: the agent, its conversation, its project folder and its tool call, from what the
//! client says of itself, the `_meta` of the call, its roots and our own surroundings.

use std::path::{Path, PathBuf};

use askuser_agents::{AGENTS, Meta, by_client};
use askuser_core::asker::Asker;
use percent_encoding::percent_decode_str;
use rmcp::model::MetaObject;
use serde_json::{Map, Value, json};

use askuser_system::environment::Environment;

/// Who asks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Identity {
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
pub(super) struct Surroundings<'a> {
    /// What the client calls itself.
    pub(super) client: Option<&'a str>,
    /// The first of its roots.
    pub(super) root: Option<PathBuf>,
    /// Our own surroundings, where the agent started us.
    pub(super) environment: Option<&'a Environment>,
}

impl Identity {
    /// Finds out who asks.
    pub(super) fn of(meta: &MetaObject, around: Surroundings<'_>) -> Self {
        let said = |name: fn(&Meta) -> Option<&'static str>| {
            let names = AGENTS.iter().filter_map(|agent| name(&agent.meta));
            let texts = names.filter_map(|name| meta.get(name)?.as_str());
            texts.map(str::trim).find(|text| !text.is_empty()).map(str::to_owned)
        };
        let environment = around.environment;
        let folder =
            said(|meta| meta.folder).map(PathBuf::from).or(around.root).or_else(|| environment?.folder());
        let project = folder.as_deref().and_then(Path::file_name).and_then(|name| name.to_str());
        let told = folder.as_deref().map(|folder| match environment {
            Some(environment) => environment.told(folder),
            None => folder.display().to_string(),
        });
        let marked = || environment?.agent().map(|agent| agent.name.to_owned());
        let agent = around.client.map(agent_name).or_else(marked);
        let asker = Asker { agent, project: project.map(str::to_owned), folder: told };
        // Not from our surroundings: Claude Code starts its servers under another session id than that of the
        // conversation which it goes on with, and an agent that comes back would not be known.
        let conversation = said(|meta| meta.conversation);
        let session = environment.and_then(Environment::session).map(str::to_owned);
        Self { asker, conversation, tool_call: said(|meta| meta.tool_call), session, project: folder }
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

/// The agent's one name; a client that is no agent of ours is called as it calls itself.
fn agent_name(client: &str) -> String {
    by_client(client).map_or(client, |agent| agent.name).to_owned()
}

/// Reads the folder that a root names; none where it is no file of this machine.
pub(super) fn folder_of(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    path.starts_with('/').then(|| percent_decode_str(path).decode_utf8_lossy().into_owned().into())
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
        let around = |client| Surroundings {
            client: Some(client),
            environment: Some(&environment),
            ..Surroundings::default()
        };
        let goose = meta(json!({
            "agent-session-id": "20261115_1", "agent-tool-call-request-id": "call_7",
            "agent-working-dir": "/home/ana/shop"}));
        let who = Identity::of(&goose, around("goose"));
        assert_eq!(who.asker.folder.as_deref(), Some("~/shop"));
        assert_eq!(who.asker.project.as_deref(), Some("shop"));
        assert_eq!(who.conversation.as_deref(), Some("20261115_1"));
        assert_eq!(who.tool_call.as_deref(), Some("call_7"));
        let codex = meta(json!({"callId": "c1", "threadId": "t1", "x-codex-turn-metadata": {}}));
        let who = Identity::of(&codex, around("codex-mcp-client"));
        assert_eq!((who.asker.agent.as_deref(), who.conversation.as_deref()), (Some("codex"), Some("t1")));
        let claude = meta(json!({"claudecode/toolUseId": "toolu_1"}));
        let rooted = Surroundings { root: folder_of("file:///home/ana/a%20b"), ..around("claude-code") };
        let who = Identity::of(&claude, rooted);
        assert_eq!(who.asker.folder.as_deref(), Some("~/a b"));
        assert_eq!(who.tool_call.as_deref(), Some("toolu_1"));
        // One agent is called the same over every doorway; a client that is none, as it calls itself.
        for (client, name) in
            [("cursor-vscode", "cursor"), ("Visual Studio Code", "vscode"), ("my-app", "my-app")]
        {
            assert_eq!(Identity::of(&MetaObject::new(), around(client)).asker.agent.as_deref(), Some(name));
        }
        // Nobody says anything: nothing is made up.
        assert_eq!(Identity::of(&MetaObject::new(), Surroundings::default()), Identity::default());
    }

    #[test]
    fn what_the_asker_says_itself_goes_before() {
        let who = Identity {
            asker: Asker {
                agent: Some("goose".into()),
                project: Some("p".into()),
                folder: Some("~/p".into()),
            },
            tool_call: Some("call_1".into()),
            ..Identity::default()
        };
        let mut ask = json!({"asker": {"agent": "me", "folder": null}}).as_object().unwrap().clone();
        who.sign(&mut ask);
        assert_eq!(ask["asker"], json!({"agent": "me", "project": "p", "folder": "~/p"}));
        assert!(!ask.contains_key("tool_use_id"));
        let mut wrong = json!({"asker": 7}).as_object().unwrap().clone();
        who.sign(&mut wrong);
        assert_eq!(wrong["asker"], 7);
        // Nothing but the call tells this one from another.
        let alone = Identity { tool_call: Some("call_1".into()), ..Identity::default() };
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
