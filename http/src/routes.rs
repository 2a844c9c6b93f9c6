//! Every route there is: who may use it, what it counts as, what it does.
//!
//! The router, the gate, the rate limits and `/openapi.json` are made from this one table.

use std::sync::Arc;

use askuser_words::failed::Failed;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::{MethodFilter, on};

use super::failing::{not_found, response};
use super::rates::Bucket::{self, Answers, Free, Reads, Writes};
use super::visit::{Reply, Visit, language, receive, speak};
use super::{
    Hall, access, alerts, asks, audit, browsers, configuration, dialog, events, figures, gate, history,
    hooks, ids, insight, mcp, openapi, operating, own_keys, page, person, push, reach, restoring, rules,
    sessions, signing_in, socket, task, tasks, templates, timings,
};
use askuser_watch::security::Kind;
use askuser_wire::failure::{Code, Failure};

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// Whoever finds it.
    Anyone,
    /// Whoever has a key or the page's cookie.
    AnyKey,
    /// An agent.
    Agent,
    /// A person, by key or cookie.
    Person,
    /// Either of the two.
    AgentOrPerson,
    /// A person, or whoever looks after the desk.
    PersonOrAdmin,
    /// Whoever looks after the desk.
    Admin,
}

/// One route.
#[derive(Clone, Copy)]
pub struct Route {
    /// The method.
    pub method: &'static str,
    /// The path, with `{…}` for what changes.
    pub path: &'static str,
    /// Who may use it.
    pub who: Who,
    /// What it does, in a line.
    pub summary: &'static str,
    pub(super) bucket: Bucket,
    /// Its session stands in the body: it counts once that is read.
    pub(super) counts_itself: bool,
    pub(super) run: fn(Visit) -> Reply,
}

macro_rules! route {
    ($method:literal $path:literal, $who:ident, $bucket:ident, $run:path, $summary:literal) => {
        Route {
            method: $method,
            path: $path,
            who: Who::$who,
            summary: $summary,
            bucket: $bucket,
            counts_itself: false,
            run: |visit| Box::pin($run(visit)),
        }
    };
}

/// A route whose session stands in its body.
const fn counts_itself(route: Route) -> Route {
    Route { counts_itself: true, ..route }
}

/// Every route of the contract that is served here.
pub static ROUTES: &[Route] = &[
    counts_itself(route!("POST" "/api/asks", Agent, Writes, asks::ask,
        "Asks, in any dialect; with `wait` it answers when the ask ends")),
    route!("GET" "/api/asks", Agent, Reads, asks::own,
        "What waits for this asker: open asks, and those that ended without its being told"),
    route!("GET" "/api/asks/{ask_id}", AgentOrPerson, Reads, asks::show,
        "The ask; with `wait` it answers when the ask ends"),
    route!("POST" "/api/asks/{ask_id}/withdraw", Agent, Writes, asks::withdraw, "Takes an ask back"),
    route!("POST" "/api/asks/{ask_id}/ack", Agent, Writes, asks::acknowledge, "Confirms that the outcome arrived"),
    route!("POST" "/api/asks/{ask_id}/dialog", Agent, Writes, dialog::answer,
        "Answers with what the agent's own dialog was told, where the desk's configuration takes that"),
    route!("GET" "/api/inbox", Person, Reads, person::inbox, "Open asks: the urgent first, then the oldest"),
    route!("GET" "/api/history", Person, Reads, history::show,
        "Asks that ended, the newest conversation first; `q` searches, `after` goes on"),
    route!("GET" "/api/ids", AgentOrPerson, Reads, ids::show,
        "What a part of an id stands for; without `part`, what there is: open things first, then the latest"),
    route!("POST" "/api/asks/{ask_id}/answer", Person, Answers, person::answer, "Answers the whole ask"),
    route!("POST" "/api/asks/{ask_id}/hold", Person, Answers, person::hold,
        "Answers by one press: it can be taken back for a few seconds"),
    route!("DELETE" "/api/asks/{ask_id}/hold", Person, Answers, person::take_back,
        "Takes back an answer that is not final yet"),
    route!("PUT" "/api/asks/{ask_id}/sheet", Person, Reads, person::save, "Saves a half-filled sheet"),
    route!("POST" "/api/asks/{ask_id}/cancel", Person, Answers, person::cancel, "Declines to answer"),
    route!("POST" "/api/asks/{ask_id}/reopen", Person, Writes, person::reopen,
        "Asks a timed-out or cancelled ask anew"),
    route!("POST" "/api/asks/answer-many", Person, Answers, person::answer_many,
        "The same answer for several alike asks"),
    counts_itself(route!("POST" "/api/task/answer", Person, Answers, task::answer,
        "Answers one question; the ask ends with the last visible one")),
    counts_itself(route!("POST" "/api/task/cancel", Person, Answers, task::cancel,
        "Declines the ask of a question")),
    route!("POST" "/api/sessions", AgentOrPerson, Writes, sessions::open, "Begins a session, or finds it by name"),
    route!("GET" "/api/sessions", AgentOrPerson, Reads, sessions::list, "Sessions, the newest first"),
    route!("GET" "/api/sessions/{session_id}", AgentOrPerson, Reads, sessions::show, "A session with its rounds"),
    route!("GET" "/api/sessions/{session_id}/messages", Person, Reads, sessions::messages,
        "The chain of messages of a session"),
    route!("GET" "/api/sessions/{session_id}/export", Person, Reads, sessions::export,
        "The chain of messages as a file, one a line, or as Markdown to read"),
    route!("GET" "/api/sessions/{session_id}/checkpoints", Person, Reads, restoring::checkpoints,
        "The versions of a session, one for each change"),
    route!("POST" "/api/sessions/{session_id}/end", AgentOrPerson, Writes, sessions::end,
        "Ends a session that has no open ask"),
    route!("POST" "/api/sessions/{session_id}/restore", Person, Writes, restoring::restore,
        "Goes on from an earlier version or round in a new session"),
    route!("POST" "/api/tasks", Person, Writes, tasks::start, "Gives a task to an agent"),
    route!("GET" "/api/tasks", Person, Reads, tasks::list, "Tasks, the newest first, and the agents that could run one"),
    route!("GET" "/api/tasks/{task_id}", Person, Reads, tasks::show,
        "A task, its open asks and what its agent is writing"),
    route!("POST" "/api/tasks/{task_id}/stop", Person, Answers, tasks::stop, "Stops a task: gently, then hard"),
    route!("POST" "/api/tasks/{task_id}/say", Person, Answers, tasks::say, "Says something more to an agent that works"),
    route!("POST" "/api/tasks/{task_id}/resume", Person, Writes, tasks::resume,
        "Takes a task up again, with something to say"),
    route!("GET" "/api/tasks/{task_id}/whole", Person, Reads, tasks::whole, "A long message, whole, as plain text"),
    route!("GET" "/api/events", AgentOrPerson, Reads, events::events,
        "What happens, as server-sent events; `Last-Event-ID` or `since` resumes"),
    route!("GET" "/api/ws", AgentOrPerson, Reads, socket::open, "The event protocol over a WebSocket"),
    route!("POST" "/mcp", Agent, Reads, mcp::answer, "MCP over streamable HTTP: a message of the client"),
    route!("GET" "/mcp", Agent, Reads, mcp::answer, "MCP: messages to an older client, as events"),
    route!("DELETE" "/mcp", Agent, Reads, mcp::answer, "MCP: ends the session of an older client"),
    route!("POST" "/api/login-links", Person, Writes, signing_in::make_link, "Makes a one-time login link"),
    route!("GET" "/api/browsers", Person, Reads, browsers::list, "The browsers in which this person is signed in, the newest first"),
    route!("PUT" "/api/browsers/{browser_id}", Person, Writes, browsers::rename, "Names a signed-in browser"),
    route!("DELETE" "/api/browsers/{browser_id}", Person, Writes, browsers::revoke, "Signs a browser out"),
    route!("POST" "/api/sign-out", Person, Writes, signing_in::sign_out, "Ends the page's cookie"),
    route!("GET" "/api/push", Person, Reads, push::key, "The key that a browser needs to be told (Web Push)"),
    route!("POST" "/api/push", Person, Writes, push::subscribe, "Has this browser told, for whoever is signed in there"),
    route!("POST" "/api/push/forget", Person, Writes, push::unsubscribe, "Leaves this browser alone again"),
    route!("POST" "/api/timings", Person, Reads, timings::note,
        "How long what a person did took in their browser, as the page measured it"),
    route!("GET" "/api/status", AnyKey, Reads, operating::status, "How the daemon is doing"),
    route!("GET" "/api/config", PersonOrAdmin, Reads, configuration::show,
        "What in the configuration file differs from what the server runs with"),
    route!("POST" "/api/config/reload", Admin, Writes, configuration::reload,
        "Reloads the configuration file: what changed, and what needs a restart"),
    route!("POST" "/api/stop", Admin, Writes, operating::stop, "Stops the daemon in good order"),
    route!("GET" "/api/users", Admin, Reads, access::users, "Every user"),
    route!("POST" "/api/users", Admin, Writes, access::add_user, "Adds a user"),
    route!("POST" "/api/users/{name}/disable", Admin, Writes, access::disable_user,
        "Disables a user with everything that lets them in"),
    route!("GET" "/api/keys", Admin, Reads, access::keys, "Every key, without the keys"),
    route!("POST" "/api/keys", Admin, Writes, access::make_key, "Makes a key; it is shown once"),
    route!("DELETE" "/api/keys/{key_id}", Admin, Writes, access::revoke_key, "Revokes a key"),
    route!("POST" "/api/keys/own", Agent, Reads, own_keys::add,
        "Lets an agent of this machine in by a key of its own, once; only its digest is told"),
    route!("PUT" "/api/keys/own", Admin, Writes, own_keys::renew,
        "Gives an agent another key of its own and revokes the one it had"),
    counts_itself(route!("POST" "/api/hooks/{agent}", Agent, Writes, hooks::receive,
        "An agent's hook event in, its decision out")),
    route!("GET" "/api/templates", PersonOrAdmin, Reads, templates::list, "Question templates, with how often they were used"),
    route!("GET" "/api/templates/{name}", PersonOrAdmin, Reads, templates::show, "One template, as it stands in its file"),
    route!("PUT" "/api/templates/{name}", PersonOrAdmin, Writes, templates::put, "Puts a template there, if it is sound"),
    route!("DELETE" "/api/templates/{name}", PersonOrAdmin, Writes, templates::remove, "Removes a template"),
    route!("GET" "/api/insight", Person, Reads, insight::show,
        "What this person's asks say together: by day, time, agent and outcome"),
    route!("GET" "/api/rules", Person, Reads, rules::list, "Rules that this person made from answers, the newest first"),
    route!("POST" "/api/rules", Person, Writes, rules::make,
        "Always the same answer to this question, from this agent in this project, until a time"),
    route!("DELETE" "/api/rules/{rule_id}", Person, Writes, rules::remove, "Removes a rule"),
    route!("GET" "/api/audit/verify", Admin, Reads, operating::verify, "Walks the chain of facts"),
    route!("GET" "/api/audit", Admin, Reads, audit::show,
        "The log of decisions, searched; as JSON, JSON Lines, CSV or decision records"),
    route!("GET" "/api/security", Admin, Reads, audit::security, "Security events, the oldest first"),
    route!("GET" "/api/purge", Admin, Reads, audit::would_purge, "Counts what would be erased"),
    route!("POST" "/api/purge", Admin, Writes, audit::purge, "Erases what asks tell that ended long ago"),
    route!("GET" "/metrics", Admin, Reads, figures::metrics, "Figures for Prometheus, as OpenMetrics text"),
    route!("GET" "/api/metrics/summary", Admin, Reads, figures::summary,
        "Count, average, least, most and p95 over the last `window` seconds"),
    route!("GET" "/api/alerts", Admin, Reads, alerts::show,
        "Alerts and how they stand, what was told of them, and what could not be"),
    route!("GET" "/healthz", Anyone, Free, operating::healthy, "Whether the daemon lives"),
    route!("GET" "/readyz", Anyone, Free, operating::ready, "Whether it can write"),
    route!("GET" "/api/reach", Anyone, Free, reach::show,
        "A number that only this desk has: plainly, as two events, or over a WebSocket"),
    route!("GET" "/openapi.json", Anyone, Free, openapi::show, "This document"),
];

/// Makes the router of the table.
pub(super) fn router(hall: &Arc<Hall>) -> Router {
    let mut router = Router::new();
    for route in ROUTES {
        let visit = move |State(hall): State<Arc<Hall>>, request: Request| receive(hall, route, request);
        router = router.route(route.path, on(filter(route.method), visit));
    }
    router = match &hall.door.page {
        Some(page) => {
            let through = middleware::from_fn_with_state(Arc::clone(hall), page::let_through);
            router.fallback_service(page.clone().layer(through))
        }
        None => router
            .fallback(|request: Request| async move { response(&not_found(), language(request.headers())) }),
    };
    router
        .method_not_allowed_fallback(|request: Request| async move {
            let failure = Failure::new(Code::MethodNotAllowed, Failed::no_such_method);
            response(&failure, language(request.headers()))
        })
        .layer(middleware::from_fn_with_state(Arc::clone(hall), around))
        .with_state(Arc::clone(hall))
}

fn filter(method: &str) -> MethodFilter {
    match method {
        "POST" => MethodFilter::POST,
        "PUT" => MethodFilter::PUT,
        "DELETE" => MethodFilter::DELETE,
        _ => MethodFilter::GET,
    }
}

/// What holds for every request, also one that leads nowhere.
async fn around(State(hall): State<Arc<Hall>>, mut request: Request, next: Next) -> Response {
    let way = request.extensions().get::<gate::Way>().copied();
    speak(request.headers_mut(), hall.door.language);
    let mut answered = match gate::check_host(&hall, request.uri(), request.headers(), way) {
        Ok(scope) => {
            request.extensions_mut().insert(scope);
            next.run(request).await
        }
        Err(failure) => {
            hall.watch().security(
                Kind::WrongHost,
                &gate::suspect(request.uri(), gate::peer(request.extensions()), None),
            );
            response(&failure, language(request.headers()))
        }
    };
    let headers = answered.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Not `no-referrer`: browsers then send forms with the origin `null`.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    answered
}
