//! What comes from beside the keys: signals, and stopping for a while and coming back.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;

use crossterm::event::{Event, EventStream};
use futures_core::Stream;
use rustix::process::{Signal as Number, getpgrp, getpid, getsid, kill_current_process_group, kill_process};
use tokio::signal::unix::{Signal as Source, SignalKind, signal};
use tokio::time::{Instant, sleep_until};

/// A signal, as far as it means something here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    /// We are asked to end.
    Interrupted,
    /// The terminal is gone.
    HungUp,
    /// We are to be stopped for a while.
    Stop,
    /// Somebody else stopped and continued us.
    Continued,
}

/// Listens to signals.
#[derive(Debug)]
pub(super) struct Signals {
    interrupt: Source,
    terminate: Source,
    hang_up: Source,
    stop: Source,
    proceed: Source,
    /// We came back from a stop of our own, whose signal to continue is still to be read.
    resumed: bool,
}

impl Signals {
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            stop: signal(SignalKind::from_raw(Number::TSTP.as_raw()))?,
            proceed: signal(SignalKind::from_raw(Number::CONT.as_raw()))?,
            resumed: false,
        })
    }

    pub(super) async fn next(&mut self) -> Signal {
        loop {
            return tokio::select! {
                _ = self.interrupt.recv() => Signal::Interrupted,
                _ = self.terminate.recv() => Signal::Interrupted,
                _ = self.hang_up.recv() => Signal::HungUp,
                _ = self.stop.recv() => Signal::Stop,
                _ = self.proceed.recv() => {
                    if std::mem::take(&mut self.resumed) {
                        continue;
                    }
                    Signal::Continued
                }
            };
        }
    }

    /// Stops this process until it is continued.
    pub(super) fn stop_here(&mut self) -> io::Result<()> {
        kill_process(getpid(), Number::STOP)?;
        self.resumed = true;
        Ok(())
    }
}

/// Whether someone could continue us: not where our group is the session's first, without a shell
/// that keeps jobs.
pub(super) fn may_stop() -> bool {
    getsid(None).is_ok_and(|session| session != getpgrp())
}

/// Asks the whole job to stop, a pipe behind us included; our own part comes as a signal.
pub(super) fn stop_job() -> io::Result<()> {
    if may_stop() {
        kill_current_process_group(Number::TSTP)?;
    }
    Ok(())
}

/// Waits until then; for ever where there is no deadline.
pub(super) async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

/// Waits for the next event of the terminal.
pub(super) async fn next_event(events: &mut EventStream) -> Option<io::Result<Event>> {
    poll_fn(|context| Pin::new(&mut *events).poll_next(context)).await
}
