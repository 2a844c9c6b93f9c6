//! What comes from beside the keys: signals, and stopping for a while and coming back.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;

use crossterm::event::{Event, EventStream};
use futures_core::Stream;
use rustix::process::{Signal as Number, getpgrp, getpid, getsid, kill_current_process_group, kill_process};
use tokio::signal::unix::{Signal as Heard, SignalKind, signal};

/// A signal, as far as it means something here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    /// We are asked to end.
    Interrupted,
    /// The terminal is gone.
    HungUp,
    /// We are to be stopped for a while.
    Stop,
    /// We were continued.
    Continued,
}

/// Listens to signals.
#[derive(Debug)]
pub(super) struct Signals {
    interrupt: Heard,
    terminate: Heard,
    hang_up: Heard,
    stop: Heard,
    proceed: Heard,
}

impl Signals {
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            stop: signal(SignalKind::from_raw(Number::TSTP.as_raw()))?,
            proceed: signal(SignalKind::from_raw(Number::CONT.as_raw()))?,
        })
    }

    pub(super) async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::Interrupted,
            _ = self.terminate.recv() => Signal::Interrupted,
            _ = self.hang_up.recv() => Signal::HungUp,
            _ = self.stop.recv() => Signal::Stop,
            _ = self.proceed.recv() => Signal::Continued,
        }
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

/// Stops this process until it is continued.
pub(super) fn stop_here() -> io::Result<()> {
    Ok(kill_process(getpid(), Number::STOP)?)
}

/// Waits for the next event of the terminal.
pub(super) async fn next_event(events: &mut EventStream) -> Option<io::Result<Event>> {
    poll_fn(|context| Pin::new(&mut *events).poll_next(context)).await
}
