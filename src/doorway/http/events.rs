//! What happens, as server-sent events: first what happened since, then what happens.
//!
//! Nothing is queued for a reader: it is asked for the next fact when it has taken the last one, so
//! a slow one costs no memory. One that does not read at all is dropped by `serving`, and comes back
//! with the number of the last event that it saw.

use std::convert::Infallible;

use askuser_core::command::{Actor, Role};
use askuser_core::decide::Refusal;
use askuser_core::fact::Fact;
use askuser_core::id::SessionId;
use askuser_core::problem::Fault;
use axum::http::HeaderValue;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::json;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::failing::{forbidden, wrong_field};
use super::gate::Ticket;
use super::visit::Visit;
use crate::desk::{Desk, DeskError, Listener, Numbered, Told};
use crate::runner::{Piece, Runner};
use crate::watch::metrics::Subscriber;
use crate::wire::failure::Failure;
use crate::wire::{event, task};

/// `GET /api/events[?session=ID][&since=N]`
pub(super) async fn events(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.reader()?;
    let since = since(&visit)?;
    let session = match visit.query("session") {
        Some(name) => Some(visit.desk().session(&actor, name).await?.id),
        None => None,
    };
    let listener = visit.desk().listen(&actor, session, since);
    let Some(caller) = &visit.caller else { return Err(forbidden("this needs a key", "需要密钥")) };
    let ticket = Ticket::of(&visit.hall, &visit.parts, caller);
    let pieces = visit.hall.door.runner.as_ref().map(Runner::listen);
    let counted = visit.hall.watch().metrics.subscriber("sse");
    let telling = Telling {
        desk: visit.desk().clone(),
        actor,
        session,
        listener,
        pieces,
        ticket,
        begun: false,
        _counted: counted,
    };
    let events = stream::unfold(telling, |mut telling| async move {
        let event = telling.next().await?;
        Some((Ok::<_, Infallible>(event), telling))
    });
    // An empty comment: `: ` and an empty line.
    let alive = KeepAlive::new().interval(visit.hall.door.bounds.heartbeat).text("");
    let mut response = Sse::new(events).keep_alive(alive).into_response();
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

fn since(visit: &Visit) -> Result<Option<u64>, Failure> {
    // A browser that comes back sends the header; it knows better than the address it first used.
    let given = visit.header("last-event-id").or_else(|| visit.query("since"));
    let wrong = || wrong_field("since", Fault::Other("is not the number of an event".to_owned()));
    given.map(|number| number.trim().parse().map_err(|_| wrong())).transpose()
}

struct Telling {
    desk: Desk,
    actor: Actor,
    session: Option<SessionId>,
    listener: Listener,
    /// What agents are writing: told as it comes and never again, so it has no number.
    pieces: Option<broadcast::Receiver<Piece>>,
    ticket: Ticket,
    /// Whether the number was told at which the stream begins.
    begun: bool,
    _counted: Subscriber,
}

/// What is heard next.
enum Heard {
    Told(Told),
    Piece(Box<Piece>),
    /// Nothing, for so long that the ticket is looked at again.
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
        "task_id": piece.task.to_string(),
        "kind": task::spoken_kind(piece.thinking),
        "at": piece.at,
        "text": piece.text,
    });
    Event::default().event("message_piece").data(told.to_string())
}

/// What was said from here on is erased: whoever kept something of it reads it anew.
fn resync(numbered: &Numbered) -> Event {
    let told = json!({"session_id": numbered.session.to_string()});
    Event::default().id(numbered.number.to_string()).event("resync").data(told.to_string())
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
            let heard = tokio::select! {
                told = self.listener.next() => Heard::Told(told.ok()?),
                piece = next_piece(&mut self.pieces) => Heard::Piece(Box::new(piece)),
                () = self.ticket.due() => Heard::Nothing,
            };
            if matches!(heard, Heard::Told(Told::Closing)) || !self.ticket.is_good().await {
                return None;
            }
            let event = match heard {
                Heard::Told(Told::Fact(numbered)) => match self.event(&numbered).await {
                    Ok(event) => event,
                    // Not told at all rather than told wrong: whoever comes back is told it then.
                    Err(error) => {
                        tracing::warn!("A stream of events ends before {}: {error}", numbered.number);
                        return None;
                    }
                },
                Heard::Piece(piece) => self.is_mine(&piece).then(|| piece_event(&piece)),
                Heard::Told(Told::Closing) | Heard::Nothing => None,
            };
            if event.is_some() {
                return event;
            }
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
        let Some(fact) = numbered.fact.as_deref() else { return Ok(Some(resync(numbered))) };
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
        let mut told = event::write(numbered.session, fact, ask.as_deref());
        if let Some(people) = numbered.people.as_ref().filter(|_| self.actor.role == Role::Person) {
            // The owner hears of it too, and need not do anything.
            told["for_you"] = people.has(&self.actor.user).into();
        }
        let event = Event::default().id(numbered.number.to_string()).event(event::name(fact));
        Ok(Some(event.data(told.to_string())))
    }
}
