//! A transcript of another program, looked at like a conversation of ours (P5, P18).
//!
//! The file is read while it is shown and kept nowhere: whoever wants earlier messages sends it again.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::text::shown as harmless;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};

use super::Site;
use super::conversation::{Source, Talk};
use super::failing::{Shown, answered};
use super::layout::{Frame, page};
use super::upload::{NotTaken, take_form};
use super::visit::Visit;
use askuser_wire::transcript::{Broken, LeftOut, Transcript, Window, read};
use askuser_words::page::Page;

/// The largest file.
const FILE_MIB_MAX: usize = 64;
/// The largest body: the file, and a form around it.
const BODY_BYTES_MAX: u64 = FILE_MIB_MAX as u64 * 1024 * 1024 + 4096;
/// How long it may take to arrive.
const BODY_TIME_MAX: Duration = Duration::from_mins(2);
/// How many files are in memory at once.
pub(super) const AT_ONCE_MAX: usize = 2;
/// What one page shows.
pub(super) const WINDOW: Window = Window { before: None, messages_max: 1000, bytes_max: 2 * 1024 * 1024 };

/// `GET /transcript`
pub(super) async fn show(visit: &Visit) -> Shown {
    asked_for(visit, StatusCode::OK, None)
}

/// `POST /transcript`
pub(super) async fn open(State(site): State<Arc<Site>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let visit = Visit::without_body(parts, &site).await;
    let shown = opened(&visit, &site, body).await;
    answered(&visit, shown)
}

async fn opened(visit: &Visit, site: &Site, body: axum::body::Body) -> Shown {
    // Only whoever is signed in may send this much.
    visit.person()?;
    let words = visit.words();
    let refused = |status, why: &str| asked_for(visit, status, Some(why));
    let Ok(_place) = site.transcripts.try_acquire() else {
        return refused(StatusCode::SERVICE_UNAVAILABLE, words.talk().too_many_at_once());
    };
    let kind = visit.header(header::CONTENT_TYPE).unwrap_or_default();
    let too_large = || words.talk().file_too_large(FILE_MIB_MAX);
    let no_file = || refused(StatusCode::UNPROCESSABLE_ENTITY, words.talk().no_file());
    let upload = match take_form(kind, body, BODY_BYTES_MAX, BODY_TIME_MAX).await {
        Ok(upload) if upload.file.is_empty() => return no_file(),
        Ok(upload) => upload,
        Err(NotTaken::Malformed) => return no_file(),
        Err(NotTaken::TooLarge) => return refused(StatusCode::PAYLOAD_TOO_LARGE, &too_large()),
        Err(NotTaken::Lost) => return refused(StatusCode::REQUEST_TIMEOUT, words.away_why()),
    };
    // Reading takes a while, and others are waiting to be answered meanwhile.
    let window = Window { before: upload.before, ..WINDOW };
    match tokio::task::spawn_blocking(move || read(&upload.file, window)).await {
        Ok(transcript) => {
            let earlier = (transcript.first > 0).then(|| {
                html! {
                    details.msg.info {
                        summary { (words.talk().earlier_messages()) }
                        p.dim { (words.talk().choose_again()) }
                        (form(words, Some(transcript.first)))
                    }
                }
            });
            Ok(drawn(visit, &transcript, earlier, words.talk().transcript()))
        }
        Err(_) => refused(StatusCode::INTERNAL_SERVER_ERROR, words.our_fault_why()),
    }
}

/// Asks for a file; says why the last one was not taken.
fn asked_for(visit: &Visit, status: StatusCode, why: Option<&str>) -> Shown {
    visit.person()?;
    let words = visit.words();
    let body = html! {
        section.plain {
            h1 { (words.talk().open_transcript()) }
            p { (words.talk().transcript_why()) }
            @if let Some(why) = why { p.fault role="alert" { (why) } }
            (form(words, None))
            p { a href="/sessions" { (words.history()) } }
        }
    };
    let frame = Frame::plain("transcript", words.talk().open_transcript());
    Ok((status, page(visit, &frame, &body)).into_response())
}

fn form(words: Page, before: Option<usize>) -> Markup {
    html! {
        form.upload method="post" action="/transcript" enctype="multipart/form-data" {
            @if let Some(before) = before { input type="hidden" name="before" value=(before); }
            label { (words.talk().file()) input type="file" name="file" accept=".jsonl,.json,.ndjson,.txt" required; }
            button.go { (if before.is_some() { words.talk().earlier_messages() } else { words.talk().show_file() }) }
        }
    }
}

/// Draws a transcript; `earlier` leads to what comes before it.
pub(super) fn drawn(visit: &Visit, transcript: &Transcript, earlier: Option<Markup>, name: &str) -> Response {
    let words = visit.words();
    let talk = Talk {
        words,
        now: visit.desk().now(),
        messages: &transcript.messages,
        total: Some(transcript.n_rounds),
        source: Source::File,
    };
    let title = transcript.title.as_deref().map(harmless);
    let title = title.as_deref().unwrap_or(name);
    let last = transcript.first + transcript.messages.len();
    let body = html! {
        div.beside {
            (talk.rounds())
            section.talk aria-label=(words.conversation()) {
                h1 { (title) }
                @if transcript.messages.is_empty() {
                    p { (words.talk().no_conversation_in_it()) }
                } @else {
                    p.dim { (words.talk().messages_of(transcript.first + 1, last, transcript.n_messages)) }
                }
                (left_out(words, &transcript.left_out))
                @if let Some(earlier) = earlier { (earlier) }
                (talk.draw())
                p { a href="/transcript" { (words.talk().open_transcript()) } }
            }
        }
    };
    page(visit, &Frame::plain("transcript", title), &body)
}

/// Says what of the file is not shown: nothing is left out in silence.
fn left_out(words: Page, left: &LeftOut) -> Markup {
    let said = words.talk();
    let counts = [
        (left.n_broken, said.n_broken(left.n_broken)),
        (left.n_abandoned, said.n_abandoned(left.n_abandoned)),
        (left.n_aside, said.n_aside(left.n_aside)),
        (left.n_unknown, said.n_unknown(left.n_unknown)),
        (left.n_again, said.n_again(left.n_again)),
        (left.n_unread, said.n_unread(left.n_unread)),
    ];
    let counts: Vec<String> = counts.into_iter().filter_map(|(n, said)| (n > 0).then_some(said)).collect();
    html! {
        @if !counts.is_empty() {
            details.left-out.msg.info open[left.n_broken > 0] {
                summary { (words.talk().left_out()) }
                ul { @for said in &counts { li { (said) } } }
                @if !left.broken.is_empty() {
                    ul.dim { @for (number, why) in &left.broken { li { (broken(words, *number, why)) } } }
                }
            }
        }
    }
}

fn broken(words: Page, number: usize, why: &Broken) -> String {
    match why {
        Broken::NotJson(said) => words.talk().line_not_json(number, said),
        Broken::NotAnObject => words.talk().line_no_object(number),
        Broken::TooLong(bytes) => words.talk().line_too_long(number, bytes),
    }
}
