//! The headers of the contract, and how much fits into a request.

use std::time::Duration;

/// Joins a repeated ask to the first one.
pub const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// What an asker tells of itself where many share a key: its own session or process.
pub const ASKER: &str = "askuser-whence";
/// `later`: an outcome counts as handed over only when it is acknowledged.
pub const ACKNOWLEDGED: &str = "askuser-ack";
/// Through what a person acts. It proves nothing.
pub const CHANNEL: &str = "x-askuser-channel";
/// Says that a person's command ran under an agent's mark all the same; the outcome says so.
pub const AS_PERSON: &str = "x-askuser-as-person";
/// Whether a dialog of the agent's own is there, beside a hook's event.
pub const MODE: &str = "x-askuser-mode";
/// How the agent was started, beside a hook's event.
pub const ENTRYPOINT: &str = "x-askuser-entrypoint";
/// The project's folder, beside a hook's event.
pub const FOLDER: &str = "x-askuser-folder";
/// Where the next page of a log begins, if its body has no place for it.
pub const NEXT: &str = "askuser-next";

/// The largest body of a request, and the largest message over a socket.
pub const BODY_BYTES_MAX: usize = 256 * 1024;
/// How long a body may take to arrive.
pub const BODY_TIME_MAX: Duration = Duration::from_secs(30);
