//! Sessions of older clients, by the thousand: what they cost the real daemon.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::home::{TestHome, eventually};
use crate::http;

const N_CALLS: usize = 10_000;
const N_CALLERS: usize = 4;
const MEGABYTES_MAX: u64 = 100;

fn megabytes(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap() / 1024
}

/// S5: ten thousand `initialize` calls by one key took the daemon to 1,620 MB, and it kept them.
#[test]
#[cfg(target_os = "linux")]
fn s5_ten_thousand_sessions_of_one_key_leave_the_daemon_small() {
    let home = TestHome::new();
    home.start_with(&[("ASKUSER_RATE_LIMIT_REQUESTS", "0")]);
    let (running, bearer) = (home.daemon(), format!("Bearer {}", home.key("agent")));
    let address = running.url.strip_prefix("http://").unwrap();
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for caller in 0..N_CALLERS {
            let bearer = &bearer;
            scope.spawn(move || {
                for number in 0..N_CALLS / N_CALLERS {
                    let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                        "protocolVersion": "2025-06-18", "capabilities": {},
                        "clientInfo": {"name": "t", "version": "1"}}});
                    let headers = [
                        ("Authorization", bearer.as_str()),
                        ("Accept", "application/json, text/event-stream"),
                        ("Content-Type", "application/json"),
                        ("Connection", "close"),
                    ];
                    let path = format!("/mcp?session={caller}-{number}");
                    let answer = http::send(address, "POST", &path, &headers, Some(&message)).unwrap();
                    let (status, text) = (answer.status, answer.text());
                    assert!(status == 200 && text.contains("protocolVersion"), "{status} {text}");
                }
            });
        }
    });
    // What ended with its last session is given back a little later.
    eventually("its memory to be given back", || (megabytes(running.pid) < MEGABYTES_MAX).then_some(()));
    assert!(begun.elapsed() < Duration::from_mins(3), "{:?}", begun.elapsed());
}
