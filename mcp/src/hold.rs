//! How long a call is held before it comes back with `pending`.
//!
//! What each agent bears is known of it (`askuser_agents::patience`). A call that comes back in time loses nothing:
//! the question stays open, and the next call goes on waiting.

use std::time::Duration;

use askuser_agents::by_client;
use askuser_agents::patience::{ENDLESS, ONE_MINUTE, Patience};

/// The name that the Python SDK gives itself, whatever program uses it: it has no limit of its own.
const PYTHON_SDK: &str = "mcp";

/// How the client is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Carrier {
    /// Standard input and output.
    Stdio,
    /// Streamable HTTP.
    Http,
}

/// What decides how long a call is held.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallLimits<'a> {
    /// What the client calls itself.
    pub(super) client: Option<&'a str>,
    pub(super) carrier: Carrier,
    /// Whether it wants to hear of progress.
    pub(super) progress: bool,
    /// What was configured for it, which goes before everything.
    pub(super) configured: Option<Duration>,
}

/// Returns how long a call is held.
pub(super) fn hold(call: CallLimits<'_>) -> Duration {
    if let Some(configured) = call.configured {
        return configured.min(ENDLESS);
    }
    let patience = match call.client {
        Some(name) if name.eq_ignore_ascii_case(PYTHON_SDK) => Some(Patience::always(ENDLESS)),
        client => client.and_then(by_client).and_then(|agent| agent.patience),
    };
    let patience = patience.unwrap_or(Patience::always(ONE_MINUTE));
    match (call.carrier, call.progress) {
        (Carrier::Stdio, false) => patience.silent,
        (Carrier::Stdio, true) => patience.with_progress,
        (Carrier::Http, true) => patience.over_http,
        // Nothing is sent until the end, and many wait a minute for the first byte.
        (Carrier::Http, false) => ONE_MINUTE,
    }
}

/// Where a held call stands. Time is handed in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held {
    pub(super) hold: Duration,
    pub(super) every: Duration,
    n_told: u32,
}

/// What a held call does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Tell of progress, so long after it began.
    Tell(Duration),
    /// Come back, so long after it began.
    ComeBack(Duration),
}

impl Held {
    pub(super) fn new(hold: Duration, every: Duration) -> Self {
        Self { hold, every, n_told: 0 }
    }

    /// What comes next, seen from the beginning.
    pub(super) fn next(&self) -> Next {
        let tell = self.every.saturating_mul(self.n_told);
        if tell < self.hold { Next::Tell(tell) } else { Next::ComeBack(self.hold) }
    }

    /// Notes that progress was told.
    pub(super) fn told(&mut self) {
        self.n_told = self.n_told.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(client: &str, carrier: Carrier, progress: bool) -> u64 {
        let client = Some(client).filter(|name| !name.is_empty());
        hold(CallLimits { client, carrier, progress, configured: None }).as_secs()
    }

    const LONG_SECS: u64 = 27 * 3600;

    /// One line for each client that was measured, with what it gives up after.
    #[test]
    fn every_client_is_held_shorter_than_it_waits() {
        use Carrier::{Http, Stdio};
        let rules = [
            ("claude-code", Stdio, true, LONG_SECS),
            ("claude-code", Stdio, false, LONG_SECS),
            ("claude-code", Http, true, LONG_SECS),
            ("claude-code", Http, false, 50),
            ("codex-mcp-client", Stdio, true, 285),
            ("codex-mcp-client", Http, true, 285),
            ("opencode", Stdio, true, LONG_SECS),
            ("opencode", Stdio, false, 50),
            ("gemini-cli-mcp-client", Stdio, true, 585),
            ("goose", Stdio, true, 285),
            ("qwen-code", Stdio, true, LONG_SECS),
            ("qwen-code", Stdio, false, 285),
            ("mcp", Stdio, false, LONG_SECS),
            ("mcp", Http, false, 50),
            ("Visual Studio Code", Stdio, true, LONG_SECS),
            ("Visual Studio Code", Http, true, 285),
            ("cursor-vscode", Stdio, true, 50),
            ("claude-ai", Stdio, true, 50),
            ("my-typescript-app", Stdio, true, 50),
            ("inspector-client", Http, true, 50),
            ("", Stdio, true, 50),
        ];
        for (client, carrier, progress, expected) in rules {
            assert_eq!(held(client, carrier, progress), expected, "{client} {carrier:?} {progress}");
        }
    }

    #[test]
    fn what_is_configured_goes_before_everything() {
        let configured = |secs| {
            let call = CallLimits {
                client: Some("codex-mcp-client"),
                carrier: Carrier::Stdio,
                progress: false,
                configured: Some(Duration::from_secs(secs)),
            };
            hold(call).as_secs()
        };
        assert_eq!(configured(86_000), 86_000);
        assert_eq!(configured(1), 1);
        assert_eq!(configured(10_000_000), LONG_SECS);
    }

    #[test]
    fn progress_is_told_at_once_and_every_ten_seconds_until_the_hold_ends() {
        let secs = Duration::from_secs;
        let mut held = Held::new(secs(35), secs(10));
        let mut told = Vec::new();
        while let Next::Tell(at) = held.next() {
            told.push(at.as_secs());
            held.told();
        }
        assert_eq!(told, [0, 10, 20, 30]);
        assert_eq!(held.next(), Next::ComeBack(secs(35)));
        assert_eq!(Held::new(Duration::ZERO, secs(10)).next(), Next::ComeBack(Duration::ZERO));
    }
}
