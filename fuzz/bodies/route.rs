//! A shell line never makes the router panic, and what it took can be written and taken again.

use askuser::route::{AgentShell, BadArgument, Route, route};
use serde_json::Value;

/// Routes bytes as a line.
pub(crate) fn run(bytes: &[u8]) {
    let Ok(line) = std::str::from_utf8(bytes) else {
        return;
    };
    let taken = route(line);
    taken.to_json();
    if let Route::AgentShell(AgentShell { input: Ok(input), .. }) = taken {
        let text = input.to_string();
        // Not `input` itself: a long number may be another one after it was written and read.
        let read = serde_json::from_str::<Value>(&text);
        let input = read.map_err(|fault| BadArgument::NotJson(fault.to_string()));
        let again = route(&format!("AskUserQuestion '{}'", text.replace('\'', r"'\''")));
        let expected = AgentShell { env: Vec::new(), input };
        assert_eq!(again, Route::AgentShell(expected), "{line:?}");
    }
}
