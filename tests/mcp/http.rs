//! HTTP by hand: one request on a connection of its own, its answer as it comes.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::net::TcpStream;

use serde_json::Value;

use crate::home::PATIENCE;

/// An answer whose body is still to be read.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    chunked: bool,
    length: Option<usize>,
    stream: BufReader<TcpStream>,
    /// What was read and not yet taken.
    rest: Vec<u8>,
    /// Events without data that came so far.
    pub(crate) n_empty_events: usize,
    /// The id of the last event that had one.
    pub(crate) last_event_id: Option<String>,
}

/// Sends a request; none where nobody answers.
pub(crate) fn send(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<&Value>,
) -> Option<Answer> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let body = body.map(Value::to_string).unwrap_or_default();
    let mut head = format!("{method} {path} HTTP/1.1\r\nContent-Length: {}\r\n", body.len());
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        write!(head, "Host: {address}\r\n").unwrap();
    }
    for (name, value) in headers {
        write!(head, "{name}: {value}\r\n").unwrap();
    }
    stream.write_all(format!("{head}\r\n{body}").as_bytes()).ok()?;
    let mut stream = BufReader::new(stream);
    let status = line(&mut stream)?.split(' ').nth(1)?.parse().ok()?;
    let mut told = Vec::new();
    while let Some((name, value)) = line(&mut stream)?.split_once(':') {
        told.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let find = |wanted: &str| told.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
    let chunked = find("transfer-encoding").is_some();
    let length = find("content-length").and_then(|length| length.parse().ok());
    let (rest, n_empty_events, last_event_id) = (Vec::new(), 0, None);
    Some(Answer { status, headers: told, chunked, length, stream, rest, n_empty_events, last_event_id })
}

fn line(stream: &mut BufReader<TcpStream>) -> Option<String> {
    let mut line = String::new();
    stream.read_line(&mut line).ok().filter(|n_bytes| *n_bytes > 0)?;
    Some(line.trim_end().to_owned())
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Reads the next part of the body; nothing at its end.
    fn part(&mut self) -> Option<Vec<u8>> {
        let size = if self.chunked {
            usize::from_str_radix(&line(&mut self.stream)?, 16).ok()?
        } else {
            self.length.take()?
        };
        let mut bytes = vec![0; size];
        self.stream.read_exact(&mut bytes).ok()?;
        if self.chunked {
            line(&mut self.stream);
        }
        (size > 0).then_some(bytes)
    }

    /// Reads the rest of the body.
    pub(crate) fn text(mut self) -> String {
        let mut bytes = std::mem::take(&mut self.rest);
        while let Some(part) = self.part() {
            bytes.extend(part);
        }
        String::from_utf8(bytes).unwrap()
    }

    /// Reads the next event of a stream that carries JSON; nothing at its end.
    pub(crate) fn event(&mut self) -> Option<Value> {
        loop {
            if let Ok(json) = serde_json::from_str(&self.data()?) {
                return Some(json);
            }
        }
    }

    /// Reads the data of the next event of a stream that has any, be it empty; nothing at its end.
    pub(crate) fn data(&mut self) -> Option<String> {
        loop {
            let text = String::from_utf8_lossy(&self.rest).into_owned();
            if let Some((event, rest)) = text.split_once("\n\n") {
                self.rest = rest.as_bytes().to_vec();
                let id =
                    event.lines().find_map(|line| line.strip_prefix("id:")).map(|id| id.trim().to_owned());
                self.last_event_id = id.or(self.last_event_id.take());
                if let Some(data) = event.lines().find_map(|line| line.strip_prefix("data:")) {
                    self.n_empty_events += usize::from(data.trim().is_empty());
                    return Some(data.trim_start().to_owned());
                }
                continue;
            }
            let part = self.part()?;
            self.rest.extend(part);
        }
    }

    /// The connection itself, to close it while somebody reads.
    pub(crate) fn connection(&self) -> TcpStream {
        self.stream.get_ref().try_clone().unwrap()
    }
}

/// A call of the desk with a key: its status and what it says.
pub(crate) fn call(
    address: &str,
    method: &str,
    path: &str,
    key: &str,
    body: Option<&Value>,
) -> Option<(u16, Value)> {
    let bearer = format!("Bearer {key}");
    let answer = send(address, method, path, &[("Authorization", &bearer)], body)?;
    let status = answer.status;
    Some((status, serde_json::from_str(&answer.text()).ok()?))
}
