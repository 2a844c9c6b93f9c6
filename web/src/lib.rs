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

use askuser_api::page::{ASSETS, LINK, LOGIN, PRESENT, SHEET};
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
    Router::new()
        .route("/", get(page!(inbox::show)))
        .route("/asks/{ask}", get(page!(ask::show)))
        .route("/asks/{ask}/answer", post(page!(ask::answer)))
        .route("/asks/{ask}/undo", post(page!(undo::take_back)))
        .route(SHEET, post(page!(ask::save)))
        .route("/asks/{ask}/cancel", post(page!(ask::cancel)))
        .route("/asks/{ask}/reopen", post(page!(ask::reopen)))
        .route("/asks/{ask}/always", post(page!(rules::make)))
        .route("/asks/{ask}/again", post(page!(ask::again)))
        .route("/insight", get(page!(insight::show)))
        .route("/rules", get(page!(rules::show)))
        .route("/rules/{rule}/remove", post(page!(rules::remove)))
        .route("/rules/confirm", post(page!(rules::confirm)))
        .route("/rules/unconfirm", post(page!(rules::unconfirm)))
        .route(PRESENT, post(page!(presence::note)))
        .route("/asks/{ask}/preview/{question}/{choice}", get(page!(ask::preview)))
        .route(&format!("{LINK}{{link}}"), get(page!(link::show, mut)))
        .route(&format!("{LINK}{{link}}/answer"), post(page!(link::answer, mut)))
        .route(&format!("{LINK}{{link}}/cancel"), post(page!(link::cancel, mut)))
        .route(&format!("{LINK}{{link}}/preview/{{question}}/{{choice}}"), get(page!(link::preview)))
        .route("/sessions", get(page!(sessions::list)))
        .route("/sessions/{session}", get(page!(sessions::show)))
        .route("/sessions/{session}/restore", post(page!(sessions::restore)))
        .route("/tasks", get(page!(tasks::show)).post(page!(tasks::start)))
        .route("/tasks/{task}", get(page!(task::show)))
        .route("/tasks/{task}/say", post(page!(task::say)))
        .route("/tasks/{task}/resume", post(page!(task::resume)))
        .route("/tasks/{task}/stop", post(page!(task::stop)))
        .route("/transcript", get(page!(transcript::show)).post(transcript::open))
        .route("/transcripts/{name}", get(page!(archived::show)))
        .route("/preferences", get(page!(preferences::show)).post(preferences::keep))
        .route("/browsers", get(page!(browsers::show, mut)))
        .route("/browsers/{browser}/name", post(page!(browsers::rename)))
        .route("/browsers/{browser}/sign-out", post(page!(browsers::sign_out)))
        .route("/sign-in", get(page!(sign_in::show)).post(page!(sign_in::by_key)))
        .route(&format!("{LOGIN}{{link}}"), get(page!(sign_in::show_link)).post(page!(sign_in::by_link)))
        .route("/sign-out", post(page!(sign_in::sign_out)))
        .route(&format!("{ASSETS}{{version}}/{{name}}"), get(assets::versioned))
        .route("/sw.js", get(assets::worker))
        .route("/manifest.webmanifest", get(assets::manifest))
        .route("/icon.svg", get(assets::icon))
        .fallback(failing::nothing_here)
        .with_state(site)
}
