//! Runs line mode: prints, waits for a line, a signal, the deadline or an answer from elsewhere.

use std::fs::File;
use std::future::Future;
use std::io::{self, IsTerminal, Read, Write};
use std::pin::pin;
use std::sync::mpsc;

use askuser_core::sheet::Sheet;
use askuser_core::text::shown;
use askuser_words::plain::Plain as Words;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::super::driver::{ClosedElsewhere, Ended};
use super::super::signals::until;
use super::{Next, Plain};

/// A line is no longer than an ask may be; whatever writes more is no person.
const LINE_BYTES_MAX: usize = 64 * 1024;

/// Where lines come from and where the questions are printed.
#[derive(Debug)]
pub struct Lines {
    /// The terminal, or standard input.
    pub input: File,
    /// The terminal, or standard error. Never standard output.
    pub output: File,
}

/// Asks line by line.
pub async fn ask(
    lines: Lines,
    mut plain: Plain,
    deadline: Option<Instant>,
    closed: impl Future<Output = ClosedElsewhere>,
    mut on_change: impl FnMut(&Sheet),
) -> io::Result<Ended> {
    let Lines { input, mut output } = lines;
    let keys = input.try_clone()?;
    let mut hidden = Hidden::when(plain.is_secret(), &keys);
    let reader = Reader::start(input);
    let mut closed = pin!(closed);
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    put_question(&mut output, &mut plain)?;
    loop {
        output.flush()?;
        let line = tokio::select! {
            biased;
            elsewhere = &mut closed => {
                writeln!(output, "\n{}", elsewhere.line)?;
                return Ok(Ended::ClosedElsewhere);
            }
            _ = interrupt.recv() => {
                // The terminal has written `^C` after the prompt.
                writeln!(output)?;
                return Ok(Ended::Interrupted);
            }
            _ = terminate.recv() => return Ok(Ended::Interrupted),
            _ = hang_up.recv() => return Ok(Ended::Gone),
            () = until(deadline) => {
                writeln!(output, "\n{}", Words(plain.language()).too_late())?;
                return Ok(Ended::Expired);
            }
            line = reader.line() => line?,
        };
        // The end of input is nobody's answer.
        let Some(line) = line else { return Ok(Ended::Gone) };
        let Ok(line) = String::from_utf8(line) else {
            write!(output, "{}\n{}", Words(plain.language()).not_text(), plain.prompt())?;
            continue;
        };
        if !keys.is_terminal() && !plain.is_secret() {
            // A terminal shows what is typed; what was piped in stands after its prompt as well.
            writeln!(output, "{}", shown(line.trim_end()))?;
        }
        let reply = plain.line(&line);
        drop(hidden.take());
        hidden = Hidden::when(plain.is_secret(), &keys);
        on_change(plain.sheet());
        output.write_all(reply.say.as_bytes())?;
        match reply.next {
            Next::Question => put_question(&mut output, &mut plain)?,
            Next::Prompt => write!(output, "{}", plain.prompt())?,
            Next::Declined { reason } => return Ok(Ended::Declined { reason }),
            // Every question was settled, so the sheet can be sent.
            Next::Sent(sheet) => return Ok(sheet.answers().map_or(Ended::Gone, Ended::Sent)),
        }
    }
}

/// Prints the question, as wide as the terminal is now.
fn put_question(output: &mut File, plain: &mut Plain) -> io::Result<()> {
    if let Ok(size) = tcgetwinsize(&*output)
        && size.ws_col > 0
    {
        plain.fit(usize::from(size.ws_col));
    }
    write!(output, "{}{}", plain.question(), plain.prompt())
}

/// A terminal that does not show what is typed, until this is dropped.
struct Hidden<'a> {
    terminal: &'a File,
    before: Termios,
}

impl<'a> Hidden<'a> {
    /// Hides what is typed where it is wanted; what is no terminal shows nothing anyway.
    fn when(wanted: bool, terminal: &'a File) -> Option<Self> {
        let before = tcgetattr(terminal).ok().filter(|_| wanted)?;
        let mut modes = before.clone();
        modes.local_modes.remove(LocalModes::ECHO);
        modes.local_modes.insert(LocalModes::ECHONL);
        tcsetattr(terminal, OptionalActions::Now, &modes).ok()?;
        Some(Self { terminal, before })
    }
}

impl Drop for Hidden<'_> {
    fn drop(&mut self) {
        // A terminal that is gone needs no restoring.
        let _restored = tcsetattr(self.terminal, OptionalActions::Now, &self.before);
    }
}

type Line = io::Result<Option<Vec<u8>>>;

/// Reads lines in a thread of its own, because a terminal cannot be read without blocking. It ends
/// with the program.
struct Reader(mpsc::Sender<oneshot::Sender<Line>>);

impl Reader {
    fn start(mut input: File) -> Self {
        let (wanted, wishes) = mpsc::channel::<oneshot::Sender<Line>>();
        std::thread::spawn(move || {
            while let Ok(wish) = wishes.recv() {
                // Whoever wished for it may be gone.
                let _taken = wish.send(read_line(&mut input));
            }
        });
        Self(wanted)
    }

    async fn line(&self) -> Line {
        let (wish, line) = oneshot::channel();
        let gone = || io::Error::other("the reader of lines is gone");
        self.0.send(wish).map_err(|_| gone())?;
        line.await.map_err(|_| gone())?
    }
}

/// Reads one line byte by byte, so that what follows is left for the next program that reads.
fn read_line(input: &mut impl Read) -> Line {
    let mut line = Vec::new();
    let mut byte = [0];
    loop {
        let ended = match input.read(&mut byte) {
            Ok(n_read) => n_read == 0,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // A terminal that hung up.
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error()) => true,
            Err(error) => return Err(error),
        };
        if ended && line.is_empty() {
            return Ok(None);
        }
        if ended || byte == *b"\n" {
            return Ok(Some(line));
        }
        if line.len() >= LINE_BYTES_MAX {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a line of more than 64 KiB"));
        }
        line.extend_from_slice(&byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_and_the_rest_is_left() {
        let mut input = &b"one\r\ntwo"[..];
        assert_eq!(read_line(&mut input).unwrap().as_deref(), Some(&b"one\r"[..]));
        assert_eq!(input, b"two");
        assert_eq!(read_line(&mut input).unwrap().as_deref(), Some(&b"two"[..]));
        assert_eq!(read_line(&mut input).unwrap(), None);
        let endless = vec![b'x'; LINE_BYTES_MAX + 1];
        assert!(read_line(&mut &endless[..]).is_err());
    }
}
