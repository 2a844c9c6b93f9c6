//! Routes by roles: every route of the contract and of the page, each with everybody who may come, over the
//! real server. Who is let in where stands in `roles_table`, by hand; here stands what follows from it.

use std::sync::Arc;
use std::time::Duration;

use askuser::daemon::rules;
use askuser_client::home::Home;
use askuser_config::Driver;
use askuser_config::template::Shelf;
use askuser_core::id::ServerId;
use askuser_core::limits::DeskLimits;
use askuser_core::time::Timestamp;
use askuser_desk::archive::Archive;
use askuser_http::ServerOptions;
use askuser_runner::agent::{Agents, ConfiguredAgent};
use askuser_runner::{Post, Runner};
use askuser_store::sqlite::Options;
use askuser_web::{self as web, Page};

use crate::roles_cast::{ANNS_WORD, Caller, Passes, Things, headers, send};
use crate::roles_table::{API, PAGE, Row, To, Whose};
use crate::stage::{Stage, stage_over, unlimited};

/// What must come of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    LetIn,
    Unauthorized,
    Forbidden,
    NotThere,
}

fn expected(row: &Row, caller: Caller) -> Expected {
    let writes = row.method != "GET";
    let of_page = matches!(row.to, To::Page | To::SignedIn | To::OpenPage | To::SignIn);
    // A form of the page is sent from the page, whoever sends it; a socket is opened from it, and a cookie
    // changes nothing from anywhere else.
    let needs_origin = writes || row.path == "/api/ws";
    if caller.is_foreign_page() && needs_origin && row.to != To::Anyone {
        return Expected::Forbidden;
    }
    let fits = match row.to {
        To::Anyone | To::OpenPage => return Expected::LetIn,
        To::SignIn => return Expected::Unauthorized,
        To::SignedIn if caller.is_person() && !caller.has_a_cookie() => return Expected::Forbidden,
        To::AnyKey => caller.is_known(),
        To::Agents => caller.is_agent(),
        To::People | To::Page | To::SignedIn => caller.is_person(),
        To::Browsers => caller.has_a_cookie(),
        To::AgentsAndPeople => caller.is_agent() || caller.is_person(),
        To::PeopleAndAdmins => caller.is_person() || caller == Caller::Admin,
        To::Admins => caller == Caller::Admin,
    };
    match (row.whose, fits) {
        // Whoever is no person is a stranger to the page.
        (_, false) if of_page || !caller.is_known() => Expected::Unauthorized,
        (_, false) => Expected::Forbidden,
        (Whose::Anns | Whose::AskersOnly, true) if caller.is_bobs() => Expected::NotThere,
        (Whose::AskersOnly, true) if caller == Caller::OtherAgent => Expected::Forbidden,
        (_, true) => Expected::LetIn,
    }
}

fn came(status: u16) -> Expected {
    match status {
        401 => Expected::Unauthorized,
        403 => Expected::Forbidden,
        404 => Expected::NotThere,
        _ => Expected::LetIn,
    }
}

/// A server with everything switched on that has routes.
async fn furnished() -> (Stage, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    // Nobody is to be refused for what others asked before.
    let limits = DeskLimits { active_sessions_max: 100_000, depth_max: 100_000, ..DeskLimits::default() };
    let stage = stage_over(Options::new(limits, Timestamp(0)), |server| {
        server.rates = unlimited();
        server.templates = Some(Arc::new(Shelf::new(Vec::new(), Some(folder.path().join("templates")))));
        let runner = runner(server, &folder);
        let transcripts = Some(folder.path().join("transcripts"));
        let page =
            Page { desk: server.desk.clone(), transcripts, runner: Some(runner.clone()), agents: None };
        server.page = Some(web::router(page));
        server.runner = Some(runner);
    })
    .await;
    let by_hand = rules::of(&Home::new(stage.home.path()));
    stage.desk.configure(|settings| settings.rules_by_hand = Some(by_hand));
    let line =
        format!("{{\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":\"{ANNS_WORD}\"}}}}\n");
    let archive = Archive::new(&folder.path().join("transcripts"), "ann");
    archive.take(ANNS_WORD, line.as_bytes()).unwrap();
    (stage, folder)
}

/// Somebody who runs tasks, with an agent that is never started: no task here is in its folder.
fn runner(server: &ServerOptions, folder: &tempfile::TempDir) -> Runner {
    let post = Post { server: ServerId(77), patience: Duration::from_secs(10) };
    let agent = ConfiguredAgent {
        name: "claude".to_owned(),
        driver: Driver::Claude,
        command: "/nowhere/claude".into(),
        args: Vec::new(),
        environment: Vec::new(),
        folders: vec![folder.path().to_owned()],
    };
    let agents = Agents { agents: vec![agent], ..Agents::default() };
    let opening = Runner::open(server.desk.clone(), post, agents, folder.path().join("tasks"));
    tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(opening)).unwrap()
}

/// Each cell of the table: who is refused gets nothing, reads nothing of Ann's, and changes nothing.
#[tokio::test(flavor = "multi_thread")]
async fn every_route_lets_in_whom_it_should_and_nobody_else() {
    let (stage, _folder) = furnished().await;
    let passes = Passes::make(&stage).await;
    let (mut things, mut n_made) = (Things::make(&stage, 0).await, 0);
    let mut wrong = Vec::new();
    let is_last = |row: &&Row| row.path == "/api/stop";
    let rows = || API.iter().chain(PAGE);
    for row in rows().filter(|row| !is_last(row)).chain(rows().filter(is_last)) {
        for caller in Caller::ALL {
            let expected = expected(row, caller);
            let (path, body) = (things.fill(row, row.path), things.fill(row, row.body));
            let before = stage.desk.head();
            let headers = headers(&stage, &passes, &things, row, caller);
            let (status, said) = send(&stage, row.method, &path, &headers, body).await;
            let named = format!("{} {} by {caller:?}", row.method, row.path);
            if came(status) != expected || status >= 500 || status == 429 || status == 405 {
                wrong.push(format!("{named}: {status}, not {expected:?}: {}", shortened(&said)));
            }
            if said.contains(ANNS_WORD) && !caller.may_read_anns() {
                wrong.push(format!("{named}: was told what is Ann's: {}", shortened(&said)));
            }
            if expected != Expected::LetIn && stage.desk.head() != before {
                wrong.push(format!("{named}: changed something"));
            }
            if expected == Expected::LetIn && row.method != "GET" && !is_last(&row) {
                n_made += 1;
                things = Things::make(&stage, n_made).await;
            }
        }
    }
    assert!(wrong.is_empty(), "{} cells:\n{}", wrong.len(), wrong.join("\n"));
}

fn shortened(text: &str) -> String {
    text.chars().take(160).collect()
}

/// A route that is new has to say here who is let in.
#[test]
fn every_route_stands_in_the_table_once() {
    let named = |method: &str, path: &str| format!("{method} {path}");
    let mut written: Vec<String> = API.iter().map(|row| named(row.method, row.path)).collect();
    let mut served: Vec<String> =
        askuser_api::routes().map(|route| named(route.method.name(), route.path)).collect();
    written.sort();
    served.sort();
    assert_eq!(written, served, "the contract");
    let mut written: Vec<String> = PAGE.iter().map(|row| named(row.method, row.path)).collect();
    let mut served: Vec<String> =
        askuser_web::ROUTES.iter().map(|(method, path)| named(&method.to_uppercase(), path)).collect();
    written.sort();
    served.sort();
    assert_eq!(written, served, "the page");
}
