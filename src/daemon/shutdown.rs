//! What ends a daemon: SIGTERM, SIGINT, or somebody with an admin's key.

use std::io::{self, Read};

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Returns what is cancelled when the daemon is to stop. A hang-up is none of those: a terminal
/// that closes does not close the desk, and the configuration is read anew.
pub(super) fn on_signal() -> io::Result<CancellationToken> {
    let stop = CancellationToken::new();
    let told = stop.clone();
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            () = told.cancelled() => return,
        }
        told.cancel();
    });
    Ok(stop)
}

/// Cancels it as well when standard input ends: whoever held the other end is gone.
pub(super) fn on_end_of_input(stop: CancellationToken) {
    std::thread::spawn(move || {
        let mut ignored = [0; 64];
        while io::stdin().read(&mut ignored).is_ok_and(|n_read| n_read > 0) {}
        stop.cancel();
    });
}
