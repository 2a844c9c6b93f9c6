//! qwen-code: asks through the MCP server, which its person adds.

use crate::agent::Agent;
use crate::patience::{ENDLESS, FIVE_MINUTES, Patience};

pub(crate) static AGENT: Agent = Agent {
    name: "qwen-code",
    title: "qwen-code",
    clients: &["qwen"],
    marks: &["QWEN_CODE"],
    processes: &["qwen", "qwen-code"],
    // It waits on as long as it hears of progress.
    patience: Some(Patience { silent: FIVE_MINUTES, ..Patience::always(ENDLESS) }),
    ..Agent::UNKNOWN
};
