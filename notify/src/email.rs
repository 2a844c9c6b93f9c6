//! E-mail: one short message over SMTP, with a link that answers the ask. A mail cannot be taken back: its
//! link says what happened.
//!
//! Spoken by ourselves, because we say so little: one sender, one receiver, one plain text. The way is
//! encrypted, from the beginning (`smtps://`) or by STARTTLS (`smtp://`); only to this very machine may
//! it be plain.

use std::path::Path;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::carrier::{Carrier, Later, Trouble};
use super::nudge::{Ended, Letter};
use askuser_config::EmailPart;
use askuser_desk::Clock;
use askuser_net::trust::{Trust, Wire};
use askuser_wire::time;

/// How long a whole delivery may take.
const TIME_MAX: Duration = Duration::from_secs(30);
/// The longest reply of a server.
const REPLY_BYTES_MAX: usize = 16 * 1024;
/// Columns of encoded text.
const COLUMNS: usize = 76;

/// A mailbox, and the server that takes mail for it.
pub(super) struct Email {
    host: String,
    port: u16,
    /// Whether it is encrypted from the beginning.
    at_once: bool,
    from: String,
    to: String,
    /// The account and its password.
    account: Option<(String, String)>,
    trust: Trust,
    clock: Clock,
}

/// A server that we talk to.
struct Talk {
    wire: Box<dyn Wire>,
    read: Vec<u8>,
}

impl Email {
    pub(super) fn new(
        mailbox: &EmailPart,
        folder: &Path,
        trust: Trust,
        clock: Clock,
    ) -> Result<Self, String> {
        let (at_once, rest) = match mailbox.server.split_once("://") {
            Some(("smtps", rest)) => (true, rest),
            Some(("smtp", rest)) => (false, rest),
            _ => return Err(format!("`{}` is no address with smtps:// or smtp://", mailbox.server)),
        };
        let rest = rest.trim_end_matches('/');
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().map_err(|_| format!("`{port}` is no port"))?),
            None => (rest, if at_once { 465 } else { 587 }),
        };
        for address in [&mailbox.from, &mailbox.to] {
            let plain = |c: char| c.is_ascii_graphic() && !"<>,;\"()".contains(c);
            if !address.contains('@') || !address.chars().all(plain) {
                return Err(format!("`{address}` is no address of a mailbox: write it as me@example.com"));
            }
        }
        let password = mailbox.password.as_ref().map(|hidden| hidden.reveal(folder)).transpose()?;
        Ok(Self {
            host: host.to_owned(),
            port,
            at_once,
            from: mailbox.from.clone(),
            to: mailbox.to.clone(),
            account: mailbox.user.clone().zip(password),
            trust,
            clock,
        })
    }

    async fn deliver(&self, letter: &Letter) -> Result<(), Trouble> {
        let later = |error: &dyn std::fmt::Display| Trouble::later(error.to_string());
        let stream =
            TcpStream::connect((self.host.as_str(), self.port)).await.map_err(|error| later(&error))?;
        let is_here = stream.peer_addr().is_ok_and(|address| address.ip().is_loopback());
        let mut talk = if self.at_once {
            let wire = self.trust.secure(stream, &self.host).await.map_err(Trouble::later)?;
            let mut talk = Talk { wire, read: Vec::new() };
            talk.expect(220).await?;
            talk.say("EHLO askuser", 250).await?;
            talk
        } else {
            self.begin_plain(stream, is_here).await?
        };
        if let Some((user, password)) = &self.account {
            let plain = STANDARD.encode(format!("\0{user}\0{password}"));
            talk.say(&format!("AUTH PLAIN {plain}"), 235).await?;
        }
        talk.say(&format!("MAIL FROM:<{}>", self.from), 250).await?;
        talk.say(&format!("RCPT TO:<{}>", self.to), 250).await?;
        talk.say("DATA", 354).await?;
        talk.say(&format!("{}\r\n.", self.mail(letter)), 250).await?;
        // It has the mail; whether it hears the good-bye is no matter.
        let _bye = talk.say("QUIT", 221).await;
        Ok(())
    }

    /// Begins a conversation that is plain at first, and makes it private.
    async fn begin_plain(&self, mut stream: TcpStream, is_here: bool) -> Result<Talk, Trouble> {
        let mut read = Vec::new();
        reply(&mut stream, &mut read).await.and_then(|said| wanted(&said, 220))?;
        write(&mut stream, "EHLO askuser").await?;
        let offers = reply(&mut stream, &mut read).await.and_then(|said| wanted(&said, 250))?;
        let starts = offers
            .lines()
            .any(|line| line.get(4..).is_some_and(|word| word.eq_ignore_ascii_case("STARTTLS")));
        if !starts {
            let private = self.account.is_none() && is_here;
            let never =
                || Trouble::never("it does not offer STARTTLS, and nothing is sent in plain: use smtps://");
            return if private { Ok(Talk { wire: Box::new(stream), read }) } else { Err(never()) };
        }
        write(&mut stream, "STARTTLS").await?;
        reply(&mut stream, &mut read).await.and_then(|said| wanted(&said, 220))?;
        // What came along before the way was private is nobody's word.
        let wire = self.trust.secure(stream, &self.host).await.map_err(Trouble::later)?;
        let mut talk = Talk { wire, read: Vec::new() };
        talk.say("EHLO askuser", 250).await?;
        Ok(talk)
    }

    pub(super) fn mail(&self, letter: &Letter) -> String {
        let mut text = String::new();
        text.extend([&letter.title, "\n\n"]);
        for line in letter.lines(false) {
            text.extend([&line, "\n"]);
        }
        if let Some(link) = &letter.link {
            text.extend(["\n", link, "\n"]);
        }
        let host = self.from.rsplit('@').next().unwrap_or("askuser");
        let headers = [
            format!("From: askuser <{}>", self.from),
            format!("To: <{}>", self.to),
            format!("Subject: {}", encoded(&letter.title)),
            format!("Date: {}", time::write_mail((self.clock)())),
            format!("Message-ID: <{}@{host}>", letter.id),
            "Auto-Submitted: auto-generated".to_owned(),
            "MIME-Version: 1.0".to_owned(),
            "Content-Type: text/plain; charset=utf-8".to_owned(),
            "Content-Transfer-Encoding: base64".to_owned(),
        ];
        format!("{}\r\n\r\n{}", headers.join("\r\n"), wrapped(&STANDARD.encode(text.trim_end())))
    }
}

/// A header's text in words of letters that every server takes.
fn encoded(text: &str) -> String {
    let line = text.replace(['\r', '\n'], " ");
    let chars: Vec<char> = line.chars().collect();
    // Eleven characters are at most 44 bytes, which are 60 letters: a word of 75 is the longest.
    let words = chars.chunks(11).map(|chunk| {
        let chunk: String = chunk.iter().collect();
        format!("=?utf-8?B?{}?=", STANDARD.encode(chunk))
    });
    words.collect::<Vec<_>>().join("\r\n ")
}

fn wrapped(letters: &str) -> String {
    let lines: Vec<&str> =
        letters.as_bytes().chunks(COLUMNS).map(|line| str::from_utf8(line).unwrap_or_default()).collect();
    lines.join("\r\n")
}

impl Talk {
    async fn say(&mut self, line: &str, code: u16) -> Result<String, Trouble> {
        write(&mut self.wire, line).await?;
        self.expect(code).await
    }

    async fn expect(&mut self, code: u16) -> Result<String, Trouble> {
        let said = reply(&mut self.wire, &mut self.read).await?;
        wanted(&said, code)
    }
}

async fn write(wire: &mut (impl AsyncWriteExt + Unpin), line: &str) -> Result<(), Trouble> {
    let sent = wire.write_all(format!("{line}\r\n").as_bytes()).await;
    let flushed = if sent.is_ok() { wire.flush().await } else { sent };
    flushed.map_err(|error| Trouble::later(error.to_string()))
}

/// Reads a reply to its last line: `250-more`, `250 last`.
async fn reply(wire: &mut (impl AsyncReadExt + Unpin), read: &mut Vec<u8>) -> Result<String, Trouble> {
    loop {
        if let Some(end) = whole(read) {
            let said: Vec<u8> = read.drain(..end).collect();
            return Ok(String::from_utf8_lossy(&said).into_owned());
        }
        let mut buffer = [0; 1024];
        let n_read = wire.read(&mut buffer).await.map_err(|error| Trouble::later(error.to_string()))?;
        if n_read == 0 {
            return Err(Trouble::later("it hung up in the middle"));
        }
        read.extend_from_slice(buffer.get(..n_read).unwrap_or_default());
        if read.len() > REPLY_BYTES_MAX {
            return Err(Trouble::later("it talks without end"));
        }
    }
}

/// Where the last line of a reply ends.
fn whole(read: &[u8]) -> Option<usize> {
    let mut begin = 0;
    while let Some(length) = read.get(begin..)?.iter().position(|byte| *byte == b'\n') {
        let end = begin + length + 1;
        if read.get(begin + 3) != Some(&b'-') {
            return Some(end);
        }
        begin = end;
    }
    None
}

/// Judges a reply: 4xx passes, 5xx does not.
fn wanted(said: &str, code: u16) -> Result<String, Trouble> {
    let got: u16 = said.get(..3).and_then(|code| code.parse().ok()).unwrap_or(0);
    if got == code {
        return Ok(said.to_owned());
    }
    let why = format!("answered {}", said.lines().last().unwrap_or_default().trim());
    Err(if (500..600).contains(&got) { Trouble::never(why) } else { Trouble::later(why) })
}

impl Carrier for Email {
    fn send<'a>(&'a self, letter: &'a Letter) -> Later<'a, Result<String, Trouble>> {
        Box::pin(async move {
            let late = |_| Trouble::later(format!("not delivered within {} s", TIME_MAX.as_secs()));
            tokio::time::timeout(TIME_MAX, self.deliver(letter)).await.map_err(late)??;
            Ok(letter.id.clone())
        })
    }

    fn take_back<'a>(&'a self, _receipt: &'a str, _ended: &'a Ended) -> Later<'a, Result<(), Trouble>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

#[cfg(test)]
mod tests;
