//! Whether a server that stands in an agent's settings works: it is started as the agent would
//! start it, and must answer the first words of MCP.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use askuser_words::commands::setup::Connecting;
use askuser_words::{Both, both};
use serde_json::{Value, json};

/// Agents wait for one to thirty seconds; who needs longer than this is not offered to the model.
const PATIENCE: Duration = Duration::from_secs(5);

/// Starts the server and greets it. Returns how long the answer took, or what went wrong.
pub(super) fn greet(command: &[String], variables: &[(String, String)]) -> Result<Duration, Both> {
    let Some((program, args)) = command.split_first() else {
        return Err(both(Connecting::no_command));
    };
    let begun = Instant::now();
    let mut child = Command::new(program)
        .args(args)
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| both(|said: Connecting| said.not_started(program, &error)))?;
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "askuser-check", "version": env!("CARGO_PKG_VERSION")},
    }});
    // Where it is gone already, there will be no answer either.
    let _said = child.stdin.as_mut().map(|stdin| stdin.write_all(format!("{hello}\n").as_bytes()));
    let (tell, told) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        std::thread::spawn(move || {
            let mut line = String::new();
            let read = BufReader::new(stdout).read_line(&mut line);
            // Nobody listens any more where it took too long.
            let _told = tell.send(read.map(|_| line));
        });
    }
    let line = told.recv_timeout(PATIENCE);
    // It was started for this alone.
    let _killed = child.kill();
    let _waited = child.wait();
    let line = line.map_err(|_| both(|said: Connecting| said.silent(program, PATIENCE.as_secs())))?;
    let answer: Value = serde_json::from_str(line.unwrap_or_default().trim()).unwrap_or_default();
    match answer.get("result").and_then(|result| result.get("serverInfo")) {
        Some(_) => Ok(begun.elapsed()),
        None => Err(both(|said: Connecting| said.no_mcp(program, args.join(" ")))),
    }
}
