//! What happens, as server-sent events: first what happened since, then what happens.
//!
//! Nothing is queued for a reader: it is asked for the next fact when it has taken the last one, so
//! a slow one costs no memory. One that does not read at all is dropped by `serving`, and comes back
//! with the number of the last event that it saw.

use std::collections::{HashSet, VecDeque};
use std::convert::Infallible;

use askuser_core::ask::Ask;
use askuser_core::command::{Actor, Role};
use askuser_core::decide::Refusal;
use askuser_core::fact::Fact;
use askuser_core::id::{AskId, SessionId};
use askuser_words::failed::Failed;
use axum::http::HeaderValue;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::json;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::failing::{forbidden, wrong_field};
use super::gate::Credentials;
use super::visit::Visit;
use askuser_api::doorways::{EventNumber, Events, Pushed};
use askuser_desk::{Desk, DeskError, Listener, Numbered, Update};
use askuser_runner::{Piece, Runner};
use askuser_watch::metrics::Subscriber;
use askuser_wire::failure::Failure;
use askuser_wire::session::SessionNames;
use askuser_wire::{event, task};

/// `GET /api/events[?session=ID][&since=N][&protocol=push]`
pub(super) async fn events(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.reader()?;
    let query = visit.query::<Events>()?;
    let session = match query.session {
        Some(name) => Some(visit.desk().session(&actor, &name).await?.id),
        None => None,
    };
    let pushed = query.protocol.map(|Pushed::Push| HashSet::new());
    // A browser that comes back sends the header; it knows better than the address it first used.
    let seen = visit.header("last-event-id").map(EventNumber::parse).transpose();
    let seen = seen.map_err(|fault| wrong_field("since", fault))?.or(query.since);
    let listener = visit.desk().listen(&actor, session, seen.map(|seen| seen.0));
    let Some(caller) = &visit.caller else { return Err(forbidden(Failed::any_key)) };
    let credentials = Credentials::of(&visit.state, &visit.parts, caller);
    let pieces = visit.state.options.runner.as_ref().filter(|_| pushed.is_none()).map(Runner::listen);
    let counted = visit.state.watch().metrics.subscriber("sse");
    let telling = Telling {
        desk: visit.desk().clone(),
        actor,
        session,
        listener,
        pieces,
        credentials,
        begun: false,
        pushed,
        ready: VecDeque::new(),
        _counted: counted,
    };
    let events = stream::unfold(telling, |mut telling| async move {
        let event = telling.next().await?;
        Some((Ok::<_, Infallible>(event), telling))
    });
    // An empty comment: `: ` and an empty line.
    let alive = KeepAlive::new().interval(visit.state.options.bounds.heartbeat).text("");
    let mut response = Sse::new(events).keep_alive(alive).into_response();
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

struct Telling {
    desk: Desk,
    actor: Actor,
    session: Option<SessionId>,
    listener: Listener,
    /// What agents are writing: told as it comes and never again, so it has no number.
    pieces: Option<broadcast::Receiver<Piece>>,
    credentials: Credentials,
    /// Whether the number was told at which the stream begins.
    begun: bool,
    /// Where the push protocol is spoken: the open asks whose questions were told.
    pushed: Option<HashSet<AskId>>,
    /// To be told next.
    ready: VecDeque<Event>,
    _counted: Subscriber,
}

/// What ends the wait.
enum Wake {
    Update(Update),
    Piece(Box<Piece>),
    /// Nothing, for so long that the credentials is looked at again.
    Nothing,
}

/// The next piece of what an agent is writing. One that was missed comes with the message.
async fn next_piece(pieces: &mut Option<broadcast::Receiver<Piece>>) -> Piece {
    loop {
        match pieces {
            Some(live) => match live.recv().await {
                Ok(piece) => return piece,
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => *pieces = None,
            },
            None => return std::future::pending().await,
        }
    }
}

fn piece_event(piece: &Piece) -> Event {
    let told = json!({
        "uuid": piece.id.to_string(),
        "session_id": piece.session.to_string(),
        "session": piece.session.to_string(),
        "task_id": piece.task.to_string(),
        "kind": task::spoken_kind(piece.thinking),
        "at": piece.at,
        "text": piece.text,
    });
    Event::default().event("message_piece").data(told.to_string())
}

/// What was said from here on is erased: whoever kept something of it reads it anew.
fn resync(numbered: &Numbered, session: SessionNames<'_>) -> Event {
    let mut told = json!({});
    session.put_into(&mut told);
    Event::default().id(numbered.number.to_string()).event("resync").data(told.to_string())
}

/// Whether an ask that is for others is for this person, too: its owner hears of it and need not do anything.
fn for_you(numbered: &Numbered, actor: &Actor) -> Option<bool> {
    let people = numbered.people.as_ref().filter(|_| actor.role == Role::Person)?;
    Some(people.has(&actor.user))
}

impl Telling {
    /// The next event; none when the desk closes, or the store is away: the reader comes back.
    async fn next(&mut self) -> Option<Event> {
        if !self.begun {
            self.begun = true;
            let number = self.listener.begins_at().await.ok()?;
            // An id without data is no event, but whoever reads keeps it and comes back with it: a
            // stream that is cut before its first event is taken up where it began.
            return Some(Event::default().id(number.to_string()));
        }
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            let heard = tokio::select! {
                told = self.listener.next() => Wake::Update(told.ok()?),
                piece = next_piece(&mut self.pieces) => Wake::Piece(Box::new(piece)),
                () = self.credentials.due() => Wake::Nothing,
            };
            if matches!(heard, Wake::Update(Update::Closing)) || !self.credentials.is_good().await {
                return None;
            }
            match heard {
                // Not told at all rather than told wrong: whoever comes back is told it then.
                Wake::Update(Update::Fact(numbered)) => {
                    if let Err(error) = self.queue(&numbered).await {
                        tracing::warn!("A stream of events ended before {}: {error}", numbered.number);
                        return None;
                    }
                }
                Wake::Piece(piece) if self.is_mine(&piece) => self.ready.push_back(piece_event(&piece)),
                Wake::Piece(_) | Wake::Update(Update::Closing) | Wake::Nothing => {}
            }
        }
    }

    async fn queue(&mut self, numbered: &Numbered) -> Result<(), DeskError> {
        if self.pushed.is_some() {
            return self.push(numbered).await;
        }
        let event = self.event(numbered).await?;
        self.ready.extend(event);
        Ok(())
    }

    /// Tells the questions of an ask that is shown, and how it ended (002 5.2.1, 003 2.3.4): messages that say
    /// their `type` themselves, so they have no other name, and `onmessage` hears them.
    async fn push(&mut self, numbered: &Numbered) -> Result<(), DeskError> {
        let (Some(fact), Some(id)) = (numbered.fact.as_deref(), numbered.ask) else { return Ok(()) };
        let Some(pushed) = &mut self.pushed else { return Ok(()) };
        let is_close = match fact {
            Fact::Closed { .. } => true,
            // Somebody who only looks on is not asked; whoever was told is not told again.
            Fact::Shown { .. } | Fact::Escalated { .. } => {
                if for_you(numbered, &self.actor) == Some(false) || !pushed.insert(id) {
                    return Ok(());
                }
                false
            }
            _ => return Ok(()),
        };
        let ask = match self.desk.ask_of(&self.actor, id).await {
            Ok(ask) => ask,
            Err(DeskError::Refused(Refusal::AskNotFound)) => return Ok(()),
            Err(error) => return Err(error),
        };
        let messages = if is_close {
            pushed.remove(&id);
            self.handed_over(&ask);
            vec![event::write(SessionNames::of(&ask), fact, Some(&ask))]
        } else {
            event::pushed(&ask)
        };
        let mut events: Vec<Event> =
            messages.iter().map(|message| Event::default().data(message.to_string())).collect();
        // Whoever is cut off before the last of them is told all of them again.
        if let Some(last) = events.pop() {
            events.push(last.id(numbered.number.to_string()));
        }
        self.ready.extend(events);
        Ok(())
    }

    /// An agent that listens has the outcome of what it asked: asking the same again is a new round.
    fn handed_over(&self, ask: &Ask) {
        if self.actor.role == Role::Agent && ask.asked_by == self.actor.key {
            self.desk.delivered(&self.actor, ask.session, ask.id);
        }
    }

    /// What agents write is their person's to read, not another agent's.
    fn is_mine(&self, piece: &Piece) -> bool {
        self.actor.role == Role::Person
            && piece.owner == self.actor.user
            && self.session.is_none_or(|session| session == piece.session)
    }

    /// Writes an event; none where it is not for this reader. Only an ask that is not there is left out
    /// of it: one that cannot be read just now is a failure, or its answers would be told as none.
    async fn event(&self, numbered: &Numbered) -> Result<Option<Event>, DeskError> {
        let given = self.desk.session_name(numbered.session).await?;
        let session = SessionNames { id: numbered.session, given: given.as_deref() };
        let Some(fact) = numbered.fact.as_deref() else { return Ok(Some(resync(numbered, session))) };
        // An answer that may still be taken back is none yet: agents do not hear of it.
        let is_for_people = matches!(
            fact,
            Fact::Said(_) | Fact::TaskChanged { .. } | Fact::Held { .. } | Fact::TakenBack { .. }
        );
        if is_for_people && self.actor.role != Role::Person {
            return Ok(None);
        }
        let ask = match fact {
            Fact::Closed { ask, .. } | Fact::Heard { ask, .. } | Fact::Escalated { ask } => {
                match self.desk.ask_of(&self.actor, *ask).await {
                    Ok(ask) => Some(ask),
                    Err(DeskError::Refused(Refusal::AskNotFound)) => None,
                    Err(error) => return Err(error),
                }
            }
            _ => None,
        };
        if let (Fact::Closed { .. }, Some(ask)) = (fact, &ask) {
            self.handed_over(ask);
        }
        let mut told = event::write(session, fact, ask.as_deref());
        if let Some(for_you) = for_you(numbered, &self.actor) {
            told["for_you"] = for_you.into();
        }
        let event = Event::default().id(numbered.number.to_string()).event(event::name(fact));
        Ok(Some(event.data(told.to_string())))
    }
}
