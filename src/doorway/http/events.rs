//! What happens, as server-sent events: first what happened since, then what happens.
//!
//! Nothing is queued for a reader: it is asked for the next fact when it has taken the last one, so
//! a slow one costs no memory. One that does not read at all is dropped by `serving`, and comes back
//! with the number of the last event that it saw.

use std::convert::Infallible;
use std::time::Duration;

use askuser_core::command::Actor;
use askuser_core::fact::Fact;
use askuser_core::problem::Fault;
use axum::http::HeaderValue;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;

use super::failing::{forbidden, wrong_field};
use super::gate::Ticket;
use super::visit::Visit;
use crate::desk::{Desk, Listener, Numbered, Told};
use crate::watch::metrics::Subscriber;
use crate::wire::event;
use crate::wire::failure::Failure;

/// How often a silent stream says that it lives.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// `GET /api/events[?session=ID][&since=N]`
pub(super) async fn events(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.reader()?;
    let since = since(&visit)?;
    let session = match visit.query("session") {
        Some(name) => Some(visit.desk().session(&actor, name).await?.id),
        None => None,
    };
    let listener = visit.desk().listen(actor.user.clone(), session, since);
    let Some(caller) = &visit.caller else { return Err(forbidden("this needs a key", "需要密钥")) };
    let ticket = Ticket::of(&visit.hall, &visit.parts.headers, caller);
    let counted = visit.hall.watch().metrics.subscriber("sse");
    let telling =
        Telling { desk: visit.desk().clone(), actor, listener, ticket, begun: false, _counted: counted };
    let events = stream::unfold(telling, |mut telling| async move {
        let event = telling.next().await?;
        Some((Ok::<_, Infallible>(event), telling))
    });
    // An empty comment: `: ` and an empty line.
    let alive = KeepAlive::new().interval(HEARTBEAT).text("");
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
    listener: Listener,
    ticket: Ticket,
    /// Whether the number was told at which the stream begins.
    begun: bool,
    _counted: Subscriber,
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
            let numbered = match self.listener.next().await {
                Ok(Told::Fact(numbered)) => numbered,
                Ok(Told::Closing) | Err(_) => return None,
            };
            if !self.ticket.is_good().await {
                return None;
            }
            if let Some(event) = self.event(&numbered).await {
                return Some(event);
            }
        }
    }

    async fn event(&self, numbered: &Numbered) -> Option<Event> {
        let fact = numbered.fact.as_deref()?;
        let ask = match fact {
            Fact::Closed { ask, .. } => self.desk.ask_of(&self.actor, *ask).await.ok(),
            _ => None,
        };
        let told = event::write(numbered.session, fact, ask.as_deref());
        let event = Event::default().id(numbered.number.to_string()).event(event::name(fact));
        Some(event.data(told.to_string()))
    }
}
