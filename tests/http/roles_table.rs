//! Who is let in where: what every route of the contract and of the page promises, written down by hand.
//! Nothing here is read from the program, so a route that opens to somebody else is noticed, and so is one
//! that is new and stands nowhere in this table.

use To::{
    Admins, Agents, AgentsAndPeople, AnyKey, Anyone, Browsers, OpenPage, Page, People, PeopleAndAdmins,
    SignIn, SignedIn,
};
use Whose::{Anns, AskersOnly, Nobodys};

/// Who is let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum To {
    /// Whoever comes.
    Anyone,
    /// Whoever has any key, or is signed in.
    AnyKey,
    Agents,
    /// People, by key or signed in.
    People,
    /// People who are signed in on the page; no key will do.
    Browsers,
    AgentsAndPeople,
    PeopleAndAdmins,
    Admins,
    /// A page for people: by key or signed in.
    Page,
    /// What only people who are signed in do on the page; no key will do.
    SignedIn,
    /// A page for whoever comes.
    OpenPage,
    /// A form that wants a secret, which the one that is sent here does not have.
    SignIn,
}

/// Whose is what the request names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    /// It names nothing, or what is the same for everybody.
    Nobodys,
    /// Ann's: for another user it is not there.
    Anns,
    /// Ann's, and the business of the key that asked: not of her other agents.
    AskersOnly,
}

/// One route: who is let in, to whose thing, with which body.
pub(crate) struct Row {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) to: To,
    pub(crate) whose: Whose,
    pub(crate) body: &'static str,
}

const fn row(method: &'static str, path: &'static str, to: To, whose: Whose) -> Row {
    Row { method, path, to, whose, body: "" }
}

const fn with(method: &'static str, path: &'static str, to: To, whose: Whose, body: &'static str) -> Row {
    Row { method, path, to, whose, body }
}

const ANSWERS: &str = r#"{"answers": {"q": "a"}}"#;
const ASK: &str = r#"{"questions": [{"question_id": "own", "question_text": "Mine?", "type": "boolean"}]}"#;
const HELLO: &str = r#"{"jsonrpc": "2.0", "id": 1, "method": "ping"}"#;
const TEMPLATE: &str = r#"{"questions": [{"question_id": "t", "question": "Again?", "type": "boolean"}]}"#;

/// Every route of the contract.
pub(crate) const API: &[Row] = &[
    with("POST", "/api/asks", Agents, Nobodys, ASK),
    row("GET", "/api/asks", Agents, Nobodys),
    row("GET", "/api/asks/{ask_id}", AgentsAndPeople, Anns),
    row("POST", "/api/asks/{ask_id}/withdraw", Agents, AskersOnly),
    row("POST", "/api/asks/{ask_id}/ack", Agents, AskersOnly),
    row("POST", "/api/asks/{ask_id}/dialog", Agents, Anns),
    row("GET", "/api/inbox", People, Nobodys),
    row("GET", "/api/history", People, Nobodys),
    row("GET", "/api/ids", AgentsAndPeople, Nobodys),
    with("POST", "/api/asks/{ask_id}/answer", People, Anns, ANSWERS),
    with("POST", "/api/asks/{ask_id}/hold", People, Anns, ANSWERS),
    row("DELETE", "/api/asks/{ask_id}/hold", People, Anns),
    with("PUT", "/api/asks/{ask_id}/sheet", People, Anns, ANSWERS),
    row("POST", "/api/asks/{ask_id}/cancel", People, Anns),
    row("POST", "/api/asks/{ask_id}/reopen", People, Anns),
    with(
        "POST",
        "/api/asks/answer-many",
        People,
        Nobodys,
        r#"{"ask_ids": ["{ask_id}"], "answers": {"q": "a"}}"#,
    ),
    with(
        "POST",
        "/api/task/answer",
        People,
        Anns,
        r#"{"session_id": "{session_id}", "question_id": "q", "answer": "a"}"#,
    ),
    with("POST", "/api/task/cancel", People, Anns, r#"{"session_id": "{session_id}", "question_id": "q"}"#),
    with("POST", "/api/sessions", AgentsAndPeople, Nobodys, r#"{"session_id": "own"}"#),
    row("GET", "/api/sessions", AgentsAndPeople, Nobodys),
    row("GET", "/api/sessions/{session_id}", AgentsAndPeople, Anns),
    row("GET", "/api/sessions/{session_id}/messages", People, Anns),
    row("GET", "/api/sessions/{session_id}/export", People, Anns),
    row("GET", "/api/sessions/{session_id}/checkpoints", People, Anns),
    row("POST", "/api/sessions/{session_id}/end", AgentsAndPeople, Anns),
    row("POST", "/api/sessions/{session_id}/restore", People, Anns),
    with("POST", "/api/tasks", People, Nobodys, r#"{"text": "work", "folder": "/nowhere"}"#),
    row("GET", "/api/tasks", People, Nobodys),
    row("GET", "/api/tasks/{task_id}", People, Anns),
    row("POST", "/api/tasks/{task_id}/stop", People, Anns),
    with("POST", "/api/tasks/{task_id}/say", People, Anns, r#"{"text": "more"}"#),
    with("POST", "/api/tasks/{task_id}/resume", People, Anns, r#"{"text": "more"}"#),
    row("GET", "/api/tasks/{task_id}/whole", People, Anns),
    row("GET", "/api/events", AgentsAndPeople, Nobodys),
    row("GET", "/api/ws", AgentsAndPeople, Nobodys),
    with("POST", "/mcp", Agents, Nobodys, HELLO),
    row("GET", "/mcp", Agents, Nobodys),
    row("DELETE", "/mcp", Agents, Nobodys),
    row("POST", "/api/login-links", People, Nobodys),
    row("GET", "/api/browsers", People, Nobodys),
    with("PUT", "/api/browsers/{browser_id}", People, Anns, r#"{"name": "phone"}"#),
    row("DELETE", "/api/browsers/{browser_id}", People, Anns),
    row("POST", "/api/sign-out", People, Nobodys),
    row("GET", "/api/push", Browsers, Nobodys),
    row("POST", "/api/push", Browsers, Nobodys),
    row("POST", "/api/push/forget", Browsers, Nobodys),
    with("POST", "/api/timings", Browsers, Nobodys, r#"{"timings": []}"#),
    row("GET", "/api/status", AnyKey, Nobodys),
    row("GET", "/api/config", PeopleAndAdmins, Nobodys),
    row("POST", "/api/config/reload", Admins, Nobodys),
    row("POST", "/api/stop", Admins, Nobodys),
    row("GET", "/api/users", Admins, Nobodys),
    with("POST", "/api/users", Admins, Nobodys, r#"{"name": "somebody"}"#),
    row("POST", "/api/users/{name}/disable", Admins, Nobodys),
    row("GET", "/api/keys", Admins, Nobodys),
    with("POST", "/api/keys", Admins, Nobodys, r#"{"role": "agent"}"#),
    row("DELETE", "/api/keys/{key_id}", Admins, Nobodys),
    row("POST", "/api/keys/own", Agents, Nobodys),
    row("PUT", "/api/keys/own", Admins, Nobodys),
    with("POST", "/api/hooks/{agent}", Agents, Nobodys, r#"{"hook_event_name": "Stop", "session_id": "s"}"#),
    row("GET", "/api/templates", PeopleAndAdmins, Nobodys),
    row("GET", "/api/templates/{name}", PeopleAndAdmins, Nobodys),
    with("PUT", "/api/templates/{name}", PeopleAndAdmins, Nobodys, TEMPLATE),
    row("DELETE", "/api/templates/{name}", PeopleAndAdmins, Nobodys),
    row("GET", "/api/insight", People, Nobodys),
    row("GET", "/api/rules", People, Nobodys),
    with("POST", "/api/rules", People, Anns, r#"{"ask_id": "{answered_id}"}"#),
    row("DELETE", "/api/rules/{rule_id}", People, Anns),
    row("GET", "/api/audit/verify", Admins, Nobodys),
    row("GET", "/api/audit", Admins, Nobodys),
    row("GET", "/api/security", Admins, Nobodys),
    row("GET", "/api/purge", Admins, Nobodys),
    row("POST", "/api/purge", Admins, Nobodys),
    row("GET", "/metrics", Admins, Nobodys),
    row("GET", "/api/metrics/summary", Admins, Nobodys),
    row("GET", "/api/alerts", Admins, Nobodys),
    row("GET", "/healthz", Anyone, Nobodys),
    row("GET", "/readyz", Anyone, Nobodys),
    row("GET", "/api/reach", Anyone, Nobodys),
    row("GET", "/openapi.json", Anyone, Nobodys),
];

/// Every route of the page.
pub(crate) const PAGE: &[Row] = &[
    row("GET", "/", Page, Nobodys),
    row("GET", "/asks/{ask}", Page, Anns),
    with("POST", "/asks/{ask}/answer", Page, Anns, "pick:q=a&do=answer"),
    with("POST", "/asks/{ask}/sheet", Page, Anns, "pick:q=a"),
    row("POST", "/asks/{ask}/undo", Page, Anns),
    row("POST", "/asks/{ask}/cancel", Page, Anns),
    row("POST", "/asks/{ask}/reopen", Page, Anns),
    row("POST", "/asks/{ask}/always", Page, Anns),
    row("POST", "/asks/{ask}/again", Page, Anns),
    row("GET", "/insight", Page, Nobodys),
    row("GET", "/rules", Page, Nobodys),
    // Gone is gone, also where it never was theirs.
    row("POST", "/rules/{rule}/remove", Page, Nobodys),
    with("POST", "/rules/confirm", SignedIn, Nobodys, "digest=00"),
    with("POST", "/rules/unconfirm", Page, Nobodys, "digest=00"),
    row("POST", "/asks/{ask}/present", Page, Anns),
    row("GET", "/asks/{ask}/preview/{question}/{choice}", Page, Anns),
    // A link that was made up.
    row("GET", "/a/{link}", SignIn, Nobodys),
    row("POST", "/a/{link}/answer", SignIn, Nobodys),
    row("POST", "/a/{link}/cancel", SignIn, Nobodys),
    row("GET", "/a/{link}/preview/{question}/{choice}", SignIn, Nobodys),
    row("GET", "/sessions", Page, Nobodys),
    row("GET", "/sessions/{session}", Page, Anns),
    row("POST", "/sessions/{session}/restore", Page, Anns),
    row("GET", "/tasks", Page, Nobodys),
    with("POST", "/tasks", Page, Nobodys, "text=work&folder=/nowhere"),
    row("GET", "/tasks/{task}", Page, Anns),
    with("POST", "/tasks/{task}/say", Page, Anns, "text=more"),
    with("POST", "/tasks/{task}/resume", Page, Anns, "text=more"),
    row("POST", "/tasks/{task}/stop", Page, Anns),
    row("GET", "/transcript", Page, Nobodys),
    row("POST", "/transcript", Page, Nobodys),
    row("GET", "/transcripts/{name}", Page, Anns),
    row("GET", "/preferences", Page, Nobodys),
    // How the page looks is kept in the browser and nowhere else, also before somebody signs in.
    row("POST", "/preferences", OpenPage, Nobodys),
    row("GET", "/browsers", Page, Nobodys),
    with("POST", "/browsers/{browser}/name", Page, Anns, "name=phone"),
    row("POST", "/browsers/{browser}/sign-out", Page, Nobodys),
    row("GET", "/sign-in", OpenPage, Nobodys),
    row("POST", "/sign-in", SignIn, Nobodys),
    row("GET", "/login/{link}", OpenPage, Nobodys),
    row("POST", "/login/{link}", SignIn, Nobodys),
    row("POST", "/sign-out", OpenPage, Nobodys),
    row("GET", "/assets/{version}/{name}", OpenPage, Nobodys),
    row("GET", "/sw.js", OpenPage, Nobodys),
    row("GET", "/manifest.webmanifest", OpenPage, Nobodys),
    row("GET", "/icon.svg", OpenPage, Nobodys),
];
