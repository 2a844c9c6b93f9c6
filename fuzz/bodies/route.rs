//! A shell line never makes the router panic, and what it took can be written and taken again.

use askuser::doorway::route::{AgentShell, Route, route};

/// Routes bytes as a line.
pub(crate) fn run(bytes: &[u8]) {
    let Ok(line) = std::str::from_utf8(bytes) else {
        return;
    };
    let taken = route(line);
    taken.to_json();
    if let Route::AgentShell(AgentShell { input: Ok(input), .. }) = taken {
        let text = input.to_string().replace('\'', r"'\''");
        let again = route(&format!("AskUserQuestion '{text}'"));
        let expected = AgentShell { env: Vec::new(), input: Ok(input) };
        assert_eq!(again, Route::AgentShell(expected), "{line:?}");
    }
}
