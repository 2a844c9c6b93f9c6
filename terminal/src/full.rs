//! The whole terminal, taken over for a while: keys and signals in, screens out.
//!
//! Knows nothing of what is shown. However it ends, the terminal is as it was before.

use std::io;

use crossterm::event::{Event, EventStream};

use super::canvas::Canvas;
use super::draw::Frame;
use super::keyboard::key_of;
use super::keys::Key;
use super::paint::Look;
use super::signals::{Signal, Signals, may_stop, next_event, stop_job};
use super::tty::Tty;

/// A terminal that is ours from edge to edge.
#[derive(Debug)]
pub struct Full {
    tty: Tty,
    canvas: Canvas,
    events: EventStream,
    signals: Signals,
}

/// What the terminal had to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A key was pressed.
    Key(Key),
    /// It has to be painted anew.
    Changed,
    /// We are asked to end.
    Interrupted,
    /// The terminal is gone.
    Gone,
}

impl Full {
    /// Takes the terminal over. What was typed before there was anything to see is thrown away.
    pub fn open(mut tty: Tty, look: Look) -> io::Result<Self> {
        let signals = Signals::listen()?;
        tty.drop_type_ahead()?;
        tty.open_full()?;
        Ok(Self { tty, canvas: Canvas::new(look), events: EventStream::new(), signals })
    }

    /// Returns columns and rows.
    pub fn size(&self) -> io::Result<(usize, usize)> {
        self.tty.size()
    }

    /// Waits for the next thing that happens. Nothing is lost where it is not waited out.
    pub async fn next(&mut self) -> io::Result<Heard> {
        loop {
            tokio::select! {
                biased;
                signal = self.signals.next() => match signal {
                    Signal::Interrupted => return Ok(Heard::Interrupted),
                    Signal::HungUp => return Ok(Heard::Gone),
                    Signal::Stop => return self.stop().map(|()| Heard::Changed),
                    Signal::Continued => return self.continued().map(|()| Heard::Changed),
                },
                event = next_event(&mut self.events) => match event {
                    None | Some(Err(_)) => return Ok(Heard::Gone),
                    Some(Ok(Event::Resize(..))) => return Ok(Heard::Changed),
                    Some(Ok(event)) => if let Some(key) = key_of(event) {
                        return Ok(Heard::Key(key));
                    }
                },
            }
        }
    }

    /// Waits until we are asked to end, with the terminal given back.
    pub async fn interrupted(&mut self) {
        while !matches!(self.signals.next().await, Signal::Interrupted | Signal::HungUp) {}
    }

    /// Shows a screen.
    pub fn paint(&mut self, frame: Frame) -> io::Result<()> {
        // A panic elsewhere in the program gave the terminal back while we go on.
        if !Tty::is_open() {
            self.tty.open_full()?;
            self.canvas.forget();
        }
        let size = self.size()?;
        let bytes = self.canvas.frame(frame, size);
        if bytes.is_empty() { Ok(()) } else { self.tty.write(&bytes) }
    }

    /// Rings; nothing of the screen changes.
    pub fn ring(&mut self, sequence: &str) -> io::Result<()> {
        if sequence.is_empty() { Ok(()) } else { self.tty.write(sequence) }
    }

    /// Asks to be stopped for a while, as Ctrl-Z does.
    pub fn suspend(&self) -> io::Result<()> {
        stop_job()
    }

    /// Gives the terminal back.
    pub fn close(&mut self) {
        self.tty.close();
    }

    fn stop(&mut self) -> io::Result<()> {
        if !may_stop() {
            return Ok(());
        }
        self.tty.close();
        self.signals.stop_here()?;
        self.open_again()
    }

    /// Comes back after someone else stopped and continued us.
    fn continued(&mut self) -> io::Result<()> {
        self.tty.close();
        self.open_again()
    }

    fn open_again(&mut self) -> io::Result<()> {
        self.tty.open_full()?;
        self.canvas.forget();
        Ok(())
    }
}
