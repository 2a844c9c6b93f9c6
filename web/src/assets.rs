//! The page's files, compiled in. Their address carries a digest of them all, so that a browser
//! keeps them for ever and never mixes two versions. They are compressed once, when the first is
//! asked for.

use std::sync::LazyLock;

use askuser_core::hex::hex;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use super::layout::framed;
use super::packing::{as_packed, marked, packed_once, takes_packed};
use super::visit::Visit;
use askuser_api::page::ASSET;
use askuser_api::route::filled;

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
    "guard.js" => "js/guard.js", SCRIPT;
    "kept.js" => "js/kept.js", SCRIPT;
    "keys.js" => "js/keys.js", SCRIPT;
    "live.js" => "js/live.js", SCRIPT;
    "offline.js" => "js/offline.js", SCRIPT;
    "moved.js" => "js/moved.js", SCRIPT;
    "parts.js" => "js/parts.js", SCRIPT;
    "present.js" => "js/present.js", SCRIPT;
    "push.js" => "js/push.js", SCRIPT;
    "queue.js" => "js/queue.js", SCRIPT;
    "said.js" => "js/said.js", SCRIPT;
    "speak.js" => "js/speak.js", SCRIPT;
    "steps.js" => "js/steps.js", SCRIPT;
    "task.js" => "js/task.js", SCRIPT;
    "time.js" => "js/time.js", SCRIPT;
    "timings.js" => "js/timings.js", SCRIPT;
    "undo.js" => "js/undo.js", SCRIPT;
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
    hex(&digest.finalize()).chars().take(12).collect()
});

/// The files as they are served, in the same order.
static SERVED: LazyLock<Vec<String>> = LazyLock::new(|| FILES.iter().map(|(.., text)| bare(text)).collect());

/// The same compressed; one that could not be is empty, and served as it is.
static COMPRESSED: LazyLock<Vec<Vec<u8>>> =
    LazyLock::new(|| SERVED.iter().map(|text| packed_once(text)).collect());

/// A file without the comments that begin a line: they are for whoever reads the source.
fn bare(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut in_comment = false;
    for line in text.lines() {
        let begun = if in_comment { Some(line) } else { line.trim_start().strip_prefix("/*") };
        let left = match begun.map(|comment| comment.split_once("*/")) {
            None => line,
            Some(end) => {
                in_comment = end.is_none();
                end.map_or("", |(_, behind)| behind)
            }
        };
        if begun.is_none() || !left.trim().is_empty() {
            bare.push_str(left);
            bare.push('\n');
        }
    }
    bare
}

/// Returns the address of a file.
pub(super) fn path(name: &str) -> String {
    filled(&filled(ASSET, &VERSION), name)
}

/// Returns the addresses of the script's other files, to be fetched at once.
pub(super) fn modules() -> Vec<String> {
    let modules = FILES
        .iter()
        .filter(|(name, kind, _)| *kind == SCRIPT && !["page.js", "sw.js", "moved.js"].contains(name));
    modules.map(|(name, ..)| path(name)).collect()
}

/// `GET /assets/{version}/{name}`: an old version's page asks for the file that there is.
pub(super) async fn versioned(visit: Visit) -> Response {
    let is_this = visit.param(0) == *VERSION;
    let keep = if is_this { "public, max-age=31536000, immutable" } else { "no-cache" };
    file(&visit, visit.param(1), keep)
}

/// `GET /sw.js`: at the root, because a service worker serves what lies below it.
pub(super) async fn worker(visit: Visit) -> Response {
    file(&visit, "sw.js", "no-cache")
}

/// `GET /manifest.webmanifest`
pub(super) async fn manifest(visit: Visit) -> Response {
    file(&visit, "manifest.webmanifest", "no-cache")
}

/// `GET /icon.svg`
pub(super) async fn icon(visit: Visit) -> Response {
    file(&visit, "icon.svg", "public, max-age=86400")
}

fn file(visit: &Visit, name: &str, keep: &'static str) -> Response {
    let Some(place) = FILES.iter().position(|(known, ..)| *known == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let (_, kind, text) = FILES[place];
    let text = SERVED.get(place).map_or(text, String::as_str);
    let compressed = COMPRESSED.get(place).filter(|bytes| !bytes.is_empty());
    let mut response = match compressed.filter(|_| takes_packed(visit)) {
        Some(bytes) => as_packed(bytes.as_slice()),
        None => marked(text.into_response()),
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(keep));
    framed(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The most that all files may weigh on the wire: the page itself and its pictures come on top,
    /// and the first load is 60 kB at most.
    const WEIGHT_MAX: usize = 48 * 1024;

    fn names() -> Vec<&'static str> {
        FILES.iter().map(|(name, ..)| *name).collect()
    }

    #[test]
    fn every_module_that_a_script_imports_is_served() {
        let mut n_imports = 0;
        for (name, _, text) in FILES.iter().filter(|(_, kind, _)| *kind == SCRIPT) {
            let imports = text.split("'./").skip(1).filter_map(|rest| rest.split_once('\''));
            for (module, _) in imports {
                n_imports += 1;
                assert!(names().contains(&module), "{name} imports {module}");
            }
        }
        assert!(n_imports > 20, "the imports are not read right");
    }

    /// A script has no types: what it calls is looked for in the contract, and what it leads to among the pages.
    #[test]
    fn every_route_that_a_script_calls_is_there() {
        let routes = askuser_api::routes().map(|route| route.path);
        let there: Vec<&str> = routes.chain(crate::ROUTES.iter().map(|(_, path)| *path)).collect();
        let is_there = |called: &str| {
            let parts = |path: &str| path.split('/').map(str::to_owned).collect::<Vec<_>>();
            let fits = |(known, called): (&String, &String)| {
                known == called || known.starts_with('{') && called.starts_with("${")
            };
            let same = |known: &&str| {
                let (known, called) = (parts(known), parts(called));
                known.len() == called.len() && known.iter().zip(&called).all(fits)
            };
            there.iter().any(same)
                || called.ends_with('/') && there.iter().any(|known| known.starts_with(called))
        };
        let mut called = Vec::new();
        for (name, _, text) in FILES.iter().filter(|(_, kind, _)| *kind == SCRIPT) {
            let literals = text.split(['\'', '`']).filter(|literal| literal.starts_with('/'));
            let paths = literals.filter_map(|literal| literal.split('?').next());
            let paths = paths.filter(|path| path.len() > 1 && !path.contains(' '));
            called.extend(paths.map(|path| (*name, path)));
        }
        let strange: Vec<_> = called.iter().filter(|(_, path)| !is_there(path)).collect();
        assert!(strange.is_empty(), "{strange:?}");
        assert!(called.len() > 15, "the paths are not read right: {called:?}");
    }

    #[test]
    fn every_script_on_the_disk_is_served() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/assets/js");
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(names().contains(&name.as_str()), "{name} is not in the table of files");
        }
    }

    #[test]
    fn comments_stay_in_the_source_and_all_code_is_served() {
        let source = "/** What. */\nlet a = 1; /* kept */\n/**\n * More.\n */\n  /** @type {B} */ (b).c();\n\nd('/*');\n";
        assert_eq!(bare(source), "let a = 1; /* kept */\n (b).c();\n\nd('/*');\n");
        for ((name, _, text), served) in FILES.iter().zip(SERVED.iter()) {
            let is_code = |line: &&str| !line.trim_start().starts_with(['/', '*']);
            for line in text.lines().filter(is_code) {
                assert!(served.contains(line), "{name} is served without {line}");
            }
        }
    }

    #[test]
    fn d8_the_files_are_light_on_the_wire() {
        let weight: usize = COMPRESSED.iter().map(Vec::len).sum();
        assert!(COMPRESSED.iter().all(|bytes| bytes.starts_with(&[0x1f, 0x8b])), "a file is not compressed");
        assert!(weight <= WEIGHT_MAX, "{weight} bytes, {WEIGHT_MAX} at most");
    }
}
