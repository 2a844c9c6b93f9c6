//! The web page: what every agent asks, answered on the desk or on the phone.
//!
//! HTML made on the server; every form works without the script, which only adds what is live. In
//! reading order: what a person likes (`look`), one request (`visit`), the
//! frame of every page (`layout`), the pages (`inbox`, `ask` with its `card` and `undo`, `sessions` and
//! `transcript` with their `conversation`, `tasks` and `task` with its `stream`, `sign_in`,
//! `preferences`, `browsers`, `rules`, `insight`, `link` for whoever was sent one), what a form says (`form`,
//! `upload`), and the files (`assets`).
//!
//! It knows no doorway: whoever serves it puts the `Caller` into each request, checks where it came
//! from, and counts it.

#![forbid(unsafe_code)]

mod look;
mod when;
mod visit;
mod failing;
mod packing;
mod layout;
mod inbox;
mod ask;
mod undo;
mod card;
mod form;
mod link;
mod presence;
mod markdown;
mod conversation;
mod sessions;
mod stream;
mod tasks;
mod task;
mod upload;
mod transcript;
mod archived;
mod sign_in;
mod preferences;
mod browsers;
mod rules;
mod insight;
mod assets;
#[cfg(test)]
mod any_ask;

use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};
use tokio::sync::Semaphore;

use askuser_api::page::{ASK, ASSET, LINK, LOGIN, PRESENT, SHEET};
use askuser_core::id::UserId;
use askuser_desk::Desk;
use askuser_runner::Runner;
use askuser_words::Language;
use failing::answered;
use visit::Visit;

/// What every request shares.
struct Site {
    desk: Desk,
    presence: Arc<presence::Presence>,
    /// Who may have a transcript read now.
    transcripts: Semaphore,
    /// Where the transcripts lie that were taken in.
    transcripts_folder: Option<PathBuf>,
    /// Who runs tasks, where somebody does.
    runner: Option<Runner>,
    /// The coding agents of the machine.
    agents: Option<AgentsHere>,
}

/// The coding agents of the machine that the server runs on, for the person whose machine it is.
#[derive(Clone)]
pub struct AgentsHere {
    /// That person.
    pub person: UserId,
    /// Looks for them, and says where each stands in this language.
    pub look: Arc<dyn Fn(Language) -> Vec<AgentHere> + Send + Sync>,
}

/// A coding agent of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentHere {
    /// What people call it.
    pub name: String,
    /// Where it stands: connected, not connected, or why it does not work.
    pub standing: String,
    /// The command that connects it, where there is anything to do.
    pub command: Option<String>,
}

/// What the page is made of.
pub struct Page {
    /// What it shows.
    pub desk: Desk,
    /// Where the transcripts lie that were taken in.
    pub transcripts: Option<PathBuf>,
    /// Who runs tasks, where somebody does.
    pub runner: Option<Runner>,
    /// The coding agents of the machine, where they are somebody's who looks at the page.
    pub agents: Option<AgentsHere>,
}

/// Makes a handler of what shows a page or says why it cannot.
macro_rules! page {
    ($show:path) => {
        |visit: Visit| async move {
            let shown = $show(&visit).await;
            answered(&visit, shown)
        }
    };
    ($show:path, mut) => {
        |mut visit: Visit| async move {
            let shown = $show(&mut visit).await;
            answered(&visit, shown)
        }
    };
}

/// Makes the router, and a list of what it serves.
macro_rules! routes {
    ($($method:ident $path:expr => $handler:expr;)*) => {
        /// What the page serves: methods and paths.
        pub const ROUTES: &[(&str, &str)] = &[$((stringify!($method), $path)),*];

        fn routes() -> Router<Arc<Site>> {
            Router::new()$(.route($path, $method($handler)))*
        }
    };
}

routes! {
    get "/" => page!(inbox::show);
    get ASK => page!(ask::show);
    post "/asks/{ask}/answer" => page!(ask::answer);
    post "/asks/{ask}/undo" => page!(undo::take_back);
    post SHEET => page!(ask::save);
    post "/asks/{ask}/cancel" => page!(ask::cancel);
    post "/asks/{ask}/reopen" => page!(ask::reopen);
    post "/asks/{ask}/always" => page!(rules::make);
    post "/asks/{ask}/again" => page!(ask::again);
    get "/insight" => page!(insight::show);
    get "/rules" => page!(rules::show);
    post "/rules/{rule}/remove" => page!(rules::remove);
    post "/rules/confirm" => page!(rules::confirm);
    post "/rules/unconfirm" => page!(rules::unconfirm);
    post PRESENT => page!(presence::note);
    get "/asks/{ask}/preview/{question}/{choice}" => page!(ask::preview);
    get LINK => page!(link::show, mut);
    post "/a/{link}/answer" => page!(link::answer, mut);
    post "/a/{link}/cancel" => page!(link::cancel, mut);
    get "/a/{link}/preview/{question}/{choice}" => page!(link::preview);
    get "/sessions" => page!(sessions::list);
    get "/sessions/{session}" => page!(sessions::show);
    post "/sessions/{session}/restore" => page!(sessions::restore);
    get "/tasks" => page!(tasks::show);
    post "/tasks" => page!(tasks::start);
    get "/tasks/{task}" => page!(task::show);
    post "/tasks/{task}/say" => page!(task::say);
    post "/tasks/{task}/resume" => page!(task::resume);
    post "/tasks/{task}/stop" => page!(task::stop);
    get "/transcript" => page!(transcript::show);
    post "/transcript" => transcript::open;
    get "/transcripts/{name}" => page!(archived::show);
    get "/preferences" => page!(preferences::show);
    post "/preferences" => preferences::keep;
    get "/browsers" => page!(browsers::show, mut);
    post "/browsers/{browser}/name" => page!(browsers::rename);
    post "/browsers/{browser}/sign-out" => page!(browsers::sign_out);
    get "/sign-in" => page!(sign_in::show);
    post "/sign-in" => page!(sign_in::by_key);
    get LOGIN => page!(sign_in::show_link);
    post LOGIN => page!(sign_in::by_link);
    post "/sign-out" => page!(sign_in::sign_out);
    get ASSET => assets::versioned;
    get "/sw.js" => assets::worker;
    get "/manifest.webmanifest" => assets::manifest;
    get "/icon.svg" => assets::icon;
}

/// Returns the page, to be served behind a gate that says who comes.
pub fn router(page: Page) -> Router {
    let presence = Arc::new(presence::Presence::default());
    presence.listen(&page.desk);
    let site = Arc::new(Site {
        desk: page.desk,
        transcripts_folder: page.transcripts,
        runner: page.runner,
        agents: page.agents,
        presence,
        transcripts: Semaphore::new(transcript::AT_ONCE_MAX),
    });
    routes().fallback(failing::nothing_here).with_state(site)
}
