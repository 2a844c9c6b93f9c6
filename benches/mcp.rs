//! How long an agent waits for its list of tools: from the start of `askuser mcp`, in a folder where no server runs.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cold_start::end_daemon;
use crate::{Outcome, program};

const RUNS: usize = 40;
/// An agent that starts several servers waits for the slowest.
const TOOLS_WITHIN: Duration = Duration::from_millis(100);

/// What a client says first, as most of them still do.
fn said() -> [Value; 3] {
    let client = json!({"name": "bench", "version": "1"});
    let about = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}),
    ]
}

fn measure() -> Outcome<Duration> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let mut command = Command::new(program("askuser"));
    command.arg("mcp").env_clear().env("HOME", folder.path()).env("ASKUSER_HOME", folder.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let begun = Instant::now();
    let mut child = command.spawn()?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("it has no pipes".into());
    };
    for message in said() {
        writeln!(input, "{message}")?;
    }
    let mut took = None;
    for line in BufReader::new(output).lines() {
        let told: Value = serde_json::from_str(&line?)?;
        if told["id"] == 2 {
            let n_tools = told["result"]["tools"].as_array().map_or(0, Vec::len);
            took = Some(begun.elapsed()).filter(|_| n_tools > 0);
            break;
        }
    }
    drop(input);
    child.kill()?;
    child.wait()?;
    end_daemon(folder.path())?;
    took.ok_or_else(|| "it listed no tools".into())
}

pub(crate) fn run() -> Outcome {
    measure()?; // Once unmeasured, so that it is in memory.
    let mut times = (0..RUNS).map(|_| measure()).collect::<Outcome<Vec<Duration>>>()?;
    times.sort();
    let (median, slow) = (times[RUNS / 2], times[RUNS * 9 / 10]);
    let verdict = if median <= TOOLS_WITHIN { "within 100 ms" } else { "NOT within 100 ms" };
    let [median, slow] = [median, slow].map(|time| time.as_secs_f64() * 1e3);
    println!(
        "askuser mcp to its list of tools, no server, {RUNS} runs: median {median:.2} ms, p90 {slow:.2} ms  {verdict}"
    );
    Ok(())
}
