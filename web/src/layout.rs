//! The frame of every page: its head, the bar, what the script needs to know, and what is announced.

use std::collections::BTreeMap;

use askuser_core::text::shown as harmless;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_FRAME_OPTIONS};
use axum::response::Response;
use maud::{DOCTYPE, Markup, html};
use serde_json::json;

use super::assets;
use super::look::tag;
use super::packing::fresh;
use super::visit::Visit;
use super::when::clock;
use askuser_words::page::Page;

/// Nothing of another host, nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; frame-src 'self'; manifest-src 'self'; worker-src 'self'; \
    base-uri 'none'; frame-ancestors 'none'";

/// The page under a name where nobody is signed in.
pub(super) const MOVED: &str = "moved";

/// What differs from page to page.
pub(super) struct Frame<'a> {
    /// Its name for the script and the style.
    pub(super) name: &'a str,
    pub(super) title: &'a str,
    /// How many asks wait; in the title, so that a tab says it.
    pub(super) waiting: Option<usize>,
    /// The number of the latest fact that the page shows: live news begin after it.
    pub(super) head: Option<u64>,
}

impl<'a> Frame<'a> {
    /// A page that shows nothing live.
    pub(super) fn plain(name: &'a str, title: &'a str) -> Self {
        Self { name, title, waiting: None, head: None }
    }
}

/// Draws a whole page.
pub(super) fn page(visit: &Visit, frame: &Frame<'_>, body: &Markup) -> Response {
    let words = visit.words();
    let look = &visit.look;
    let on = |is_on: bool| if is_on { "on" } else { "off" };
    let signed_in = visit.caller.is_some();
    let drawn = html! {
        (DOCTYPE)
        html lang=(visit.language.pick("en", "zh-CN")) data-theme=(look.theme.name()) data-density=(look.density.name()) {
            (head(frame))
            body data-page=(frame.name) data-head=[frame.head] data-user=[signed_in.then(|| user(visit))]
                data-language=(tag(visit.language)) data-name=(visit.shown_name())
                data-sound=(on(look.sound)) data-notify=(on(look.notify)) data-speech=(on(look.speech)) data-keys=(on(look.keys)) {
                a.skip href="#main" { (words.skip()) }
                (bar(words, frame, signed_in))
                div #line role="status" hidden {}
                @if signed_in { (notices(visit)) }
                main #main { (body) }
                div #said.visually-hidden aria-live="polite" {}
                (keys(words))
                template #words data-words=(json!(words.script().all().collect::<BTreeMap<_, _>>())) {}
            }
        }
    };
    part(visit, drawn)
}

/// Browsers that signed in elsewhere, and alerts that fire now (D17).
fn notices(visit: &Visit) -> Markup {
    let (words, now) = (visit.words(), visit.desk().now());
    html! {
        @for browser in &visit.news {
            p.alert role="status" {
                (words.signing_in().new_browser()) " " b { (harmless(&browser.name)) } " · "
                (clock(words, browser.created_at, now)) " · " a href="/browsers" { (words.signing_in().new_browser_look()) }
            }
        }
        @for notice in visit.desk().settings().notices.iter() {
            p.alert role="status" {
                (words.needs_attention(&notice.alert)) " " (clock(words, notice.since, now))
            }
        }
    }
}

/// Draws a phrase; what stands between backticks is code.
pub(super) fn coded(phrase: &str) -> Markup {
    html! {
        @for (place, part) in phrase.split('`').enumerate() {
            @if place % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// Answers with a part of a page.
pub(super) fn part(visit: &Visit, drawn: Markup) -> Response {
    let mut response = fresh(visit, drawn.into_string());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    framed(response)
}

/// Adds what every page says about itself.
pub(super) fn framed(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    headers.entry(X_FRAME_OPTIONS).or_insert(HeaderValue::from_static("DENY"));
    response
}

fn user(visit: &Visit) -> String {
    visit.caller.as_ref().map(|caller| caller.user.to_string()).unwrap_or_default()
}

fn head(frame: &Frame<'_>) -> Markup {
    let waiting = frame.waiting.filter(|n| *n > 0).map(|n| format!("({n}) ")).unwrap_or_default();
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="theme-color" content="#7c4dff";
            title { (waiting) (frame.title) " · askuser" }
            link rel="icon" href="/icon.svg" type="image/svg+xml";
            link rel="manifest" href="/manifest.webmanifest";
            link rel="stylesheet" href=(assets::path("page.css"));
            // Where nobody can be signed in, the page's script would only delete what an older one kept.
            @if frame.name == MOVED {
                script type="module" src=(assets::path("moved.js")) {}
            } @else {
                script type="module" src=(assets::path("page.js")) {}
                @for module in assets::modules() { link rel="modulepreload" href=(module); }
            }
        }
    }
}

fn bar(words: Page, frame: &Frame<'_>, signed_in: bool) -> Markup {
    let link = |name: &str, href: &str, label: &str| {
        // A conversation is a page of the history.
        let is_below = match name {
            "sessions" => ["session", "transcript", "insight"].contains(&frame.name),
            "preferences" => ["rules", "browsers"].contains(&frame.name),
            "tasks" => frame.name == "task",
            _ => false,
        };
        let current = (frame.name == name).then_some("page").or(is_below.then_some("true"));
        html! { a href=(href) aria-current=[current] { (label) } }
    };
    html! {
        header.bar {
            a.brand href="/" { span.mark aria-hidden="true" { "?" } "askuser" }
            @if signed_in {
                nav aria-label=(words.pages()) {
                    (link("inbox", "/", words.inbox()))
                    (link("tasks", "/tasks", words.tasks().title()))
                    (link("sessions", "/sessions", words.history()))
                    (link("preferences", "/preferences", words.preferences()))
                    button.plain #show-keys type="button" hidden aria-haspopup="dialog" title=(words.keys()) { "?" }
                }
            }
        }
    }
}

/// The sheet of keys; the script opens it.
fn keys(words: Page) -> Markup {
    html! {
        dialog #keys aria-labelledby="keys-title" {
            h2 #keys-title { (words.keys()) }
            dl {
                @for (key, does) in words.keys_do() {
                    div { dt { kbd { (key) } } dd { (does) } }
                }
            }
            form method="dialog" { button autofocus { (words.close()) } }
        }
    }
}
