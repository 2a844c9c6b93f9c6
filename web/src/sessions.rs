//! The history: every conversation of the person's agents, and each of them round by round.

use std::collections::HashMap;
use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::command::Actor;
use askuser_core::id::{AskId, SessionId};
use askuser_core::session::{Origin, Session, SessionStatus};
use askuser_core::task::Task;
use askuser_core::text::shown as harmless;
use maud::{Markup, html};

use super::archived;
use super::conversation::{Source, Talk, gist};
use super::failing::{Mishap, Shown};
use super::inbox::asker_line;
use super::layout::{Frame, page};
use super::sign_in::see;
use super::visit::Visit;
use super::when;
use askuser_api::Route as _;
use askuser_api::sessions::Export;
use askuser_desk::{Desk, HistoryQuery, Point};
use askuser_net::url::escaped;
use askuser_wire::transcript::{Asked, of_rounds};
use askuser_words::page::Page;

/// Conversations on one page of the list.
const LISTED_MAX: usize = 50;
/// Rounds on one page.
const ROUNDS_MAX: u32 = 50;
/// The longest text that is looked for.
const SEARCH_CHARS_MAX: usize = 200;

/// One conversation as the list shows it.
struct Row {
    session: Session,
    /// Its latest round.
    latest: Option<Arc<Ask>>,
    n_open: usize,
    /// What was found in it, where something was looked for.
    found: Vec<Arc<Ask>>,
}

/// `GET /sessions`
pub(super) async fn list(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let words = visit.words();
    let sessions = visit.desk().sessions(&person).await?;
    let wanted =
        visit.query("q").unwrap_or_default().trim().chars().take(SEARCH_CHARS_MAX).collect::<String>();
    let at: usize = visit.query("from").and_then(|from| from.parse().ok()).unwrap_or(0);
    let n_sessions = sessions.len();
    let (rows, next) = if wanted.is_empty() {
        let listed = sessions.into_iter().skip(at).take(LISTED_MAX).collect();
        (rows(visit.desk(), &person, listed).await?, None)
    } else {
        search(visit, &person, &wanted).await?
    };
    let more = wanted.is_empty().then_some((at, n_sessions));
    let earlier = next.map(|next| format!("/sessions?q={}&after={next}", escaped(&wanted)));
    let now = visit.desk().now();
    let body = html! {
        section.inbox.history {
            h1 { (words.history()) }
            p { a href="/insight" { (words.stats().title()) } }
            form.search role="search" method="get" action="/sessions" {
                label.visually-hidden for="q" { (words.talk().search_what()) }
                input #q type="search" name="q" value=(wanted) placeholder=(words.talk().search_what()) maxlength=(SEARCH_CHARS_MAX);
                button { (words.talk().search()) }
            }
            ol #sessions { @for row in &rows { (drawn(words, row, now)) } }
            @if rows.is_empty() && wanted.is_empty() { p.big { (words.talk().no_conversations()) } p.dim { (words.talk().no_conversations_why()) } }
            @if rows.is_empty() && !wanted.is_empty() { p { (words.talk().nothing_found()) } }
            @if let Some(earlier) = &earlier {
                nav.turning aria-label=(words.history()) { a href=(earlier) { (words.earlier()) } }
            }
            (turning(words, more))
            @if at == 0 && wanted.is_empty() { (archived::section(visit).await) }
            p { a href="/transcript" { (words.talk().open_transcript()) } }
        }
    };
    let frame =
        Frame { name: "sessions", title: words.history(), waiting: None, head: Some(visit.desk().head()) };
    Ok(page(visit, &frame, &body))
}

/// Finds what the desk finds, by conversation; and the ask to go on after.
async fn search(visit: &Visit, person: &Actor, words: &str) -> Result<(Vec<Row>, Option<AskId>), Mishap> {
    let after =
        visit.query("after").map(|id| id.parse::<AskId>()).transpose().map_err(|_| Mishap::NotFound)?;
    let query = HistoryQuery { words, after, ..HistoryQuery::default() };
    let page = visit.desk().history(person, &query).await?;
    let mut found: Vec<(SessionId, Vec<Arc<Ask>>)> = Vec::new();
    for ask in page.asks {
        match found.last_mut().filter(|(session, _)| *session == ask.session) {
            Some((_, asks)) => asks.push(ask),
            None => found.push((ask.session, vec![ask])),
        }
    }
    let mut sessions = Vec::new();
    for (session, _) in &found {
        sessions.push(visit.desk().session(person, &session.to_string()).await?);
    }
    let mut rows = rows(visit.desk(), person, sessions).await?;
    for (row, (_, asks)) in rows.iter_mut().zip(found) {
        row.found = asks;
    }
    Ok((rows, page.next))
}

async fn rows(desk: &Desk, person: &Actor, sessions: Vec<Session>) -> Result<Vec<Row>, Mishap> {
    let mut open: HashMap<SessionId, usize> = HashMap::new();
    for ask in desk.inbox(person).await? {
        *open.entry(ask.session).or_default() += 1;
    }
    let mut rows = Vec::new();
    for session in sessions {
        let latest = desk.rounds_after(session.id, session.round.saturating_sub(1), 1).await?.pop();
        if let Some(latest) = &latest
            && desk.is_a_test(person, latest).await?
        {
            continue;
        }
        let n_open = open.get(&session.id).copied().unwrap_or(0);
        rows.push(Row { session, latest, n_open, found: Vec::new() });
    }
    Ok(rows)
}

fn drawn(words: Page, row: &Row, now: askuser_core::time::Timestamp) -> Markup {
    let session = &row.session;
    html! {
        li.ask-row data-session=(session.id.to_string()) {
            a href=(format!("/sessions/{}", session.id)) {
                @match &row.latest {
                    Some(ask) => {
                        b { (gist(words, &Asked::of(ask))) }
                        span.dim { (asker_line(words, ask)) " · " }
                    }
                    None => b { (harmless(session.given_name().unwrap_or(words.conversation()))) }
                }
                span.dim {
                    (words.talk().n_questions(session.round))
                    @if row.n_open > 0 { " · " span.chip { (words.n_waiting(row.n_open)) } }
                    " · " (status(words, session.status)) " · " (when::age(words, session.last_activity, now))
                }
            }
            @if !row.found.is_empty() {
                ul.found { @for ask in &row.found {
                    li data-ask=(ask.id.to_string()) {
                        a href=(format!("/sessions/{}?upto={}", session.id, ask.round)) { (gist(words, &Asked::of(ask))) }
                    }
                } }
            }
        }
    }
}

fn status(words: Page, status: SessionStatus) -> &'static str {
    match status {
        SessionStatus::Active => words.talk().active(),
        SessionStatus::Completed => words.talk().completed(),
        SessionStatus::Timeout => words.talk().idle(),
    }
}

/// The way to the pages before and after this one of the list.
fn turning(words: Page, more: Option<(usize, usize)>) -> Markup {
    html! {
        @if let Some((at, n)) = more {
            nav.turning aria-label=(words.history()) {
                @if at > 0 { a href=(format!("/sessions?from={}", at.saturating_sub(LISTED_MAX))) { (words.later()) } }
                @if at + LISTED_MAX < n { a href=(format!("/sessions?from={}", at + LISTED_MAX)) { (words.earlier()) } }
            }
        }
    }
}

/// `GET /sessions/{session}`
pub(super) async fn show(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let (words, now) = (visit.words(), visit.desk().now());
    let head = visit.desk().head();
    let session = visit.desk().session(&person, visit.param(0)).await?;
    // The last rounds, or the ones up to a round that was asked for.
    let last =
        visit.query("upto").and_then(|round| round.parse().ok()).unwrap_or(session.round).min(session.round);
    let after = last.saturating_sub(ROUNDS_MAX);
    let before = visit.desk().rounds_after(session.id, after.saturating_sub(1), 1).await?;
    let before = before.first().filter(|ask| ask.round <= after);
    let rounds = visit.desk().rounds_after(session.id, after, (last - after) as usize).await?;
    let messages = of_rounds(before.map(|ask| &**ask), &rounds);
    let id = session.id.to_string();
    let talk =
        Talk { words, now, messages: &messages, total: session.total_rounds, source: Source::Session(&id) };
    let latest = rounds.last();
    let asked_in = visit.desk().task_in(session.id).await?;
    let title = latest.map_or_else(|| words.conversation().to_owned(), |ask| gist(words, &Asked::of(ask)));
    let body = html! {
        div.beside {
            (talk.rounds())
            section.talk aria-label=(words.conversation()) {
                h1.visually-hidden { (words.conversation()) }
                (about(words, &session, asked_in.as_deref(), latest.map(|ask| &**ask), now))
                @if after > 0 { p { a href=(format!("/sessions/{id}?upto={after}")) { (words.earlier()) } } }
                (talk.draw())
                @if rounds.is_empty() { p { (words.talk().no_conversations()) } }
                @if last < session.round {
                    p { a href=(format!("/sessions/{id}?upto={}", last.saturating_add(ROUNDS_MAX))) { (words.later()) } }
                }
                p { a href="/sessions" { (words.history()) } }
            }
        }
    };
    let frame = Frame { name: "session", title: &title, waiting: None, head: Some(head) };
    Ok(page(visit, &frame, &body))
}

/// Whose conversation it is, how far it got, and what can be done with it.
fn about(
    words: Page,
    session: &Session,
    task: Option<&Task>,
    latest: Option<&Ask>,
    now: askuser_core::time::Timestamp,
) -> Markup {
    html! {
        header.about {
            p.progress { (words.0.round(session.round, session.total_rounds)) " · " (status(words, session.status)) " · "
                (words.talk().last_active()) " " (when::age(words, session.last_activity, now)) }
            @if let Some(ask) = latest { p.dim { (asker_line(words, ask)) } }
            @if let Some(name) = session.given_name() { p.dim { code { (harmless(name)) } } }
            @if let Origin::Restored(from) = session.origin {
                p.dim { a href=(format!("/sessions/{from}")) { (words.talk().branched_from()) }
                    @if let Some(reason) = &session.restore_reason { ": " (harmless(reason)) } }
            }
            @if let Some(task) = task { p { a href=(format!("/tasks/{}", task.id)) { (words.talk().of_a_task()) } } }
            p { a href=(format!("{}?format=jsonl", Export::path_of(session.id))) download { (words.talk().export()) } }
        }
    }
}

/// `POST /sessions/{session}/restore`
pub(super) async fn restore(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let from = visit.desk().session(&person, visit.param(0)).await?;
    let point = match visit.form.get("round") {
        Some(round) => Point::Round(round.parse().map_err(|_| Mishap::NotFound)?),
        None => Point::Latest,
    };
    let reason = visit.form.get("reason").map(str::to_owned);
    let session = visit.desk().restore(&person, &from, point, reason).await?.session;
    Ok(see(&format!("/sessions/{}", session.id)))
}
