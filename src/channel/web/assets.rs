//! The page's files, compiled in. Their address carries a digest of them all, so that a browser
//! keeps them for ever and never mixes two versions.

use std::fmt::Write as _;
use std::sync::LazyLock;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use super::layout::framed;
use super::visit::Visit;

macro_rules! files {
    ($($name:literal => $path:literal, $kind:ident;)*) => {
        /// Every file: its name, what it is, what is in it.
        const FILES: &[(&str, &str, &str)] = &[$(($name, $kind, include_str!(concat!("assets/", $path)))),*];
    };
}

const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const MANIFEST: &str = "application/manifest+json";

files! {
    "page.css" => "page.css", CSS;
    "page.js" => "js/page.js", SCRIPT;
    "account.js" => "js/account.js", SCRIPT;
    "answer.js" => "js/answer.js", SCRIPT;
    "arrival.js" => "js/arrival.js", SCRIPT;
    "asks.js" => "js/asks.js", SCRIPT;
    "card.js" => "js/card.js", SCRIPT;
    "dom.js" => "js/dom.js", SCRIPT;
    "draft.js" => "js/draft.js", SCRIPT;
    "form.js" => "js/form.js", SCRIPT;
    "kept.js" => "js/kept.js", SCRIPT;
    "keys.js" => "js/keys.js", SCRIPT;
    "live.js" => "js/live.js", SCRIPT;
    "offline.js" => "js/offline.js", SCRIPT;
    "parts.js" => "js/parts.js", SCRIPT;
    "present.js" => "js/present.js", SCRIPT;
    "queue.js" => "js/queue.js", SCRIPT;
    "said.js" => "js/said.js", SCRIPT;
    "speak.js" => "js/speak.js", SCRIPT;
    "steps.js" => "js/steps.js", SCRIPT;
    "time.js" => "js/time.js", SCRIPT;
    "sw.js" => "sw.js", SCRIPT;
    "icon.svg" => "icon.svg", SVG;
    "manifest.webmanifest" => "manifest.webmanifest", MANIFEST;
}

/// The digest of all files.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut digest = Sha256::new();
    for (_, _, text) in FILES {
        digest.update(text);
    }
    digest.finalize().iter().take(6).fold(String::new(), |mut written, byte| {
        // Writing to a text cannot fail.
        let _written = write!(written, "{byte:02x}");
        written
    })
});

/// Returns the address of a file.
pub(super) fn path(name: &str) -> String {
    format!("/assets/{}/{name}", *VERSION)
}

/// Returns the addresses of the script's other files, to be fetched at once.
pub(super) fn modules() -> Vec<String> {
    let modules =
        FILES.iter().filter(|(name, kind, _)| *kind == SCRIPT && *name != "page.js" && *name != "sw.js");
    modules.map(|(name, ..)| path(name)).collect()
}

/// `GET /assets/{version}/{name}`: an old version's page asks for the file that there is.
pub(super) async fn versioned(visit: Visit) -> Response {
    let is_this = visit.param(0) == *VERSION;
    let keep = if is_this { "public, max-age=31536000, immutable" } else { "no-cache" };
    file(visit.param(1), keep)
}

/// `GET /sw.js`: at the root, because a service worker serves what lies below it.
pub(super) async fn worker() -> Response {
    file("sw.js", "no-cache")
}

/// `GET /manifest.webmanifest`
pub(super) async fn manifest() -> Response {
    file("manifest.webmanifest", "no-cache")
}

/// `GET /icon.svg`
pub(super) async fn icon() -> Response {
    file("icon.svg", "public, max-age=86400")
}

fn file(name: &str, keep: &'static str) -> Response {
    let Some((_, kind, text)) = FILES.iter().find(|(known, ..)| *known == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    // A service worker fetched anew must know which files it is to keep.
    let text = text.replace("{{version}}", &VERSION);
    let mut response = text.into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(keep));
    framed(response)
}
