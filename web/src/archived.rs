//! Transcripts that were taken in: a list below the history, and each of them as a conversation.

use std::fs::File;
use std::io;

use askuser_core::time::Timestamp;
use axum::http::StatusCode;
use maud::{Markup, html};

use super::failing::{Mishap, Shown, error_page};
use super::transcript::{WINDOW, drawn};
use super::visit::Visit;
use super::when;
use askuser_desk::archive::{Archive, Kept};
use askuser_wire::transcript::{Transcript, Window, read_file};
use askuser_words::page::Page;

/// Transcripts on one page of the list.
const LISTED_MAX: usize = 20;

/// Returns the transcripts of whoever is signed in.
fn archive(visit: &Visit) -> Option<Archive> {
    let user = visit.caller.as_ref()?.user.to_string();
    visit.site.transcripts_folder.as_deref().map(|folder| Archive::new(folder, &user))
}

/// Draws the latest of them; nothing where there are none.
pub(super) async fn section(visit: &Visit) -> Markup {
    let (words, now) = (visit.words(), visit.desk().now());
    let Some(archive) = archive(visit) else { return html! {} };
    let listed = tokio::task::spawn_blocking(move || archive.list()).await;
    let Ok(Ok(kept)) = listed else { return html! { p.fault { (words.our_fault_why()) } } };
    html! {
        @if !kept.is_empty() {
            h2 { (words.talk().imported()) }
            ol #transcripts { @for kept in kept.iter().take(LISTED_MAX) { (row(words, kept, now)) } }
        }
    }
}

fn row(words: Page, kept: &Kept, now: Timestamp) -> Markup {
    html! {
        li.ask-row { a href=(format!("/transcripts/{}", kept.name)) {
            b { (kept.name) }
            span.dim { (kept.n_bytes.div_ceil(1000)) " kB · " (when::age(words, kept.at, now)) }
        } }
    }
}

/// `GET /transcripts/{name}[?before=N]`
pub(super) async fn show(visit: &Visit) -> Shown {
    visit.person()?;
    let words = visit.words();
    let archive = archive(visit).ok_or(Mishap::NotFound)?;
    let name = visit.param(0).to_owned();
    let Ok(_place) = visit.site.transcripts.try_acquire() else {
        return Ok(error_page(
            visit,
            StatusCode::SERVICE_UNAVAILABLE,
            words.talk().transcript(),
            words.talk().too_many_at_once(),
        ));
    };
    let before = visit.query("before").and_then(|before| before.parse().ok());
    let reading = tokio::task::spawn_blocking(move || {
        archive.open(&name)?.map(|file: File| read_file(file, Window { before, ..WINDOW })).transpose()
    });
    let read: io::Result<Option<Transcript>> =
        reading.await.unwrap_or_else(|_| Err(io::ErrorKind::Other.into()));
    match read {
        Ok(Some(transcript)) => {
            let earlier = (transcript.first > 0).then(|| {
                let address = format!("/transcripts/{}?before={}", visit.param(0), transcript.first);
                html! { p { a href=(address) { (words.talk().earlier_messages()) } } }
            });
            Ok(drawn(visit, &transcript, earlier, visit.param(0)))
        }
        Ok(None) => Err(Mishap::NotFound),
        Err(error) => {
            tracing::warn!(%error, "A transcript could not be read");
            Ok(error_page(
                visit,
                StatusCode::INTERNAL_SERVER_ERROR,
                words.talk().transcript(),
                words.our_fault_why(),
            ))
        }
    }
}
