//! The desk's events, read one by one; resumed by number, so that none is missed or told twice.

use std::collections::VecDeque;
use std::time::Duration;

use http_body_util::BodyExt;
use hyper::body::Incoming;
use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::Client;
use super::error::ClientError;
use askuser_api::doorways::{self, EventNumber, Listening};
use askuser_core::command::KeyRole;
use askuser_system::backoff::{BackOff, Pauses};
use askuser_words::both;
use askuser_words::commands::Unreachable;

/// The desk sends a comment line every 15 seconds: silence beyond that is a lost connection.
const SILENCE_MAX: Duration = Duration::from_secs(45);
/// A line of an event is one JSON object, no longer than a few asks.
const LINE_MAX: usize = 1024 * 1024;
/// How long a desk may take to say at which number its stream begins.
const BEGINS_WITHIN: Duration = Duration::from_secs(5);

/// One event.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its number; none where it is no fact.
    pub number: Option<u64>,
    /// Its name: `asked`, `ask_user_response`, …
    pub name: String,
    /// What it carries.
    pub carries: Value,
}

/// What a listener hears.
#[derive(Debug, Clone, PartialEq)]
pub enum StreamUpdate {
    /// Something happened.
    Event(Event),
    /// The line to the desk was cut; it is looked for.
    Away,
    /// The line is there again. What happened in between comes now, by number.
    Back,
}

/// Listens to events, over as many connections as it takes.
pub struct Events {
    client: Client,
    who: KeyRole,
    since: Option<u64>,
    body: Option<Incoming>,
    lines: Lines,
    /// Whether the line was cut and whoever listens was told.
    away: bool,
    back_off: BackOff,
}

impl Client {
    /// Listens from now on, or after the fact of this number.
    pub fn events(&self, who: KeyRole, since: Option<u64>) -> Events {
        Events {
            client: self.clone(),
            who,
            since,
            body: None,
            lines: Lines::default(),
            away: false,
            back_off: BackOff::new(Pauses::OF_THE_SERVER),
        }
    }
}

impl Events {
    /// Waits for the next event; comes back by itself where the desk goes away for a while.
    pub async fn next(&mut self) -> Result<Event, ClientError> {
        loop {
            if let StreamUpdate::Event(event) = self.hear().await? {
                return Ok(event);
            }
        }
    }

    /// The same, and says when the line is cut and when it is there again. Nothing is lost where it
    /// is not waited out.
    pub async fn hear(&mut self) -> Result<StreamUpdate, ClientError> {
        loop {
            if let Some(event) = self.lines.ready.pop_front() {
                self.since = event.number.or(self.since);
                return Ok(StreamUpdate::Event(event));
            }
            let Some(body) = &mut self.body else {
                match self.connect().await {
                    Ok(()) => {
                        self.back_off.reset();
                        if std::mem::take(&mut self.away) {
                            return Ok(StreamUpdate::Back);
                        }
                    }
                    Err(error) if error.may_pass() && self.away => {
                        sleep(error.retry_after().unwrap_or_else(|| self.back_off.pause())).await;
                    }
                    Err(error) if error.may_pass() => {
                        self.away = true;
                        return Ok(StreamUpdate::Away);
                    }
                    Err(error) => return Err(error),
                }
                continue;
            };
            if !read(body, &mut self.lines, SILENCE_MAX).await {
                // Cut off, ended, or silent for too long: come back by number.
                self.body = None;
                self.lines = Lines::default();
                sleep(Pauses::OF_THE_SERVER.after(1)).await;
            }
        }
    }

    /// Connects, so that whatever happens from now on is heard.
    pub async fn connect(&mut self) -> Result<(), ClientError> {
        let listening = Listening { since: self.since.map(EventNumber), ..Listening::default() };
        let call = self.client.call::<doorways::Events>(self.who).query(&listening);
        let call = call.header("accept", Some("text/event-stream".to_owned())).ready()?;
        let target = self.client.target()?;
        let mut body = target.send(&self.client.http, call).await?.into_body();
        // From here on a cut must not lose anything: whoever has no number yet waits for it.
        while self.since.is_none() && self.lines.ready.is_empty() {
            if !read(&mut body, &mut self.lines, BEGINS_WITHIN).await {
                self.lines = Lines::default();
                let why = both(Unreachable::cut_off);
                return Err(ClientError::Away { url: target.url, why });
            }
            self.since = self.lines.begins_at;
        }
        self.body = Some(body);
        Ok(())
    }
}

/// Reads on; false where the stream was cut off, ended, or was silent for too long.
async fn read(body: &mut Incoming, lines: &mut Lines, silence_max: Duration) -> bool {
    let Ok(Some(Ok(frame))) = timeout(silence_max, body.frame()).await else { return false };
    lines.take(&frame.into_data().unwrap_or_default());
    true
}

/// Bytes becoming lines becoming events.
#[derive(Default)]
struct Lines {
    rest: Vec<u8>,
    number: Option<u64>,
    name: String,
    carries: String,
    ready: VecDeque<Event>,
    /// The number at which the stream begins: an id without an event.
    begins_at: Option<u64>,
}

impl Lines {
    fn take(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if *byte != b'\n' {
                // What is longer than any event is none.
                if self.rest.len() < LINE_MAX {
                    self.rest.push(*byte);
                }
                continue;
            }
            let line = String::from_utf8_lossy(&std::mem::take(&mut self.rest)).into_owned();
            self.line(line.trim_end_matches('\r'));
        }
    }

    fn line(&mut self, line: &str) {
        if line.is_empty() {
            self.finish();
            return;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "id" => self.number = value.parse().ok(),
            "event" => value.clone_into(&mut self.name),
            "data" => {
                if !self.carries.is_empty() {
                    self.carries.push('\n');
                }
                self.carries.push_str(value);
            }
            // Comments and what we do not know.
            _ => {}
        }
    }

    fn finish(&mut self) {
        let (name, carries) = (std::mem::take(&mut self.name), std::mem::take(&mut self.carries));
        let number = self.number.take();
        if carries.is_empty() {
            self.begins_at = self.begins_at.or(number);
            return;
        }
        let carries = serde_json::from_str(&carries).unwrap_or(Value::String(carries));
        self.ready.push_back(Event { number, name, carries });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn events_are_put_together_from_any_pieces() {
        let text = ": hello\n\nid: 5\n\nid: 7\nevent: asked\ndata: {\"a\":\ndata: 1}\n\n:\nevent: alert\r\ndata:x\r\n\r\nid: 9\n\n";
        for piece in [1, 2, 3, 7, text.len()] {
            let mut lines = Lines::default();
            for bytes in text.as_bytes().chunks(piece) {
                lines.take(bytes);
            }
            assert_eq!(lines.begins_at, Some(5));
            let events: Vec<Event> = lines.ready.into();
            assert_eq!(
                events,
                [
                    Event { number: Some(7), name: "asked".into(), carries: json!({"a": 1}) },
                    Event { number: None, name: "alert".into(), carries: json!("x") },
                ]
            );
        }
    }
}
