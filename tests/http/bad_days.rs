//! Bodies that are too large, headers without end, connections that do nothing, and stopping.

use std::process::Stdio;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use askuser_system::environment::Environment;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::Command;

use crate::stage::{Stage, ask, choice, id, stage, stage_with, unlimited};

/// Sends bytes, reads what comes back until the server closes, or nothing more can be sent.
async fn raw(stage: &Stage, head: &str, more: &[u8], n_times: usize) -> String {
    let (mut from, mut to) = TcpStream::connect(stage.address).await.unwrap().into_split();
    let head = head.replace("HOST", &stage.address.to_string());
    let sending = async {
        if to.write_all(head.as_bytes()).await.is_ok() {
            for _ in 0..n_times {
                if to.write_all(more).await.is_err() {
                    break;
                }
            }
        }
        to
    };
    let mut text = Vec::new();
    let reading = async {
        let _until_closed = from.read_to_end(&mut text).await;
    };
    let both = async { tokio::join!(sending, reading) };
    let _ended = tokio::time::timeout(Duration::from_secs(10), both).await;
    String::from_utf8_lossy(&text).into_owned()
}

/// D10: a body of 100 MB is refused before it is read, announced or not.
#[tokio::test(flavor = "multi_thread")]
async fn d10_a_body_of_a_hundred_megabytes_is_refused_early() {
    let stage = stage().await;
    let begun = Instant::now();
    let head =
        format!("POST /api/asks HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer {}\r\n", stage.ann.agent);
    let announced = raw(&stage, &format!("{head}content-length: 104857600\r\n\r\n"), b"", 0).await;
    assert!(announced.starts_with("HTTP/1.1 413") && announced.contains("payload_too_large"), "{announced}");
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    let chunked =
        raw(&stage, &format!("{head}transfer-encoding: chunked\r\n\r\n"), chunk.as_bytes(), 1600).await;
    assert!(chunked.is_empty() || chunked.starts_with("HTTP/1.1 413"), "{chunked}");
    // Somebody without a key does not even get that far.
    let nobody = "POST /api/asks HTTP/1.1\r\nhost: HOST\r\ncontent-length: 104857600\r\n\r\n";
    let nobody = raw(&stage, nobody, b"", 0).await;
    assert!(nobody.starts_with("HTTP/1.1 401"), "{nobody}");
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert_eq!(stage.send("GET", "/healthz", &[], "").await.status, 200);
    let just_over = "x".repeat(256 * 1024 + 1);
    let bearer = format!("Bearer {}", stage.ann.agent);
    let over = stage.send("POST", "/api/asks", &[("authorization", &bearer)], just_over).await;
    assert_eq!(over.code(), "413 payload_too_large");
}

/// A header without end, and a hundred thousand short ones.
#[tokio::test(flavor = "multi_thread")]
async fn a_header_without_end_is_cut_off() {
    let stage = stage().await;
    let endless = raw(&stage, "GET /healthz HTTP/1.1\r\nhost: HOST\r\nx: ", &[b'x'; 4096], 10_000).await;
    assert!(endless.is_empty() || endless.starts_with("HTTP/1.1 431"), "{endless}");
    let many = raw(&stage, "GET /healthz HTTP/1.1\r\nhost: HOST\r\n", b"a: b\r\n", 100_000).await;
    assert!(many.is_empty() || many.starts_with("HTTP/1.1 431"), "{many}");
    assert_eq!(stage.send("GET", "/healthz", &[], "").await.status, 200);
}

/// Somebody who sends a byte now and then does not hold a connection for ever.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_never_ends_is_given_up() {
    let stage = stage_with(|server| server.bounds.headers_time_max = Duration::from_millis(200)).await;
    let mut slow = TcpStream::connect(stage.address).await.unwrap();
    slow.write_all(b"GET /healthz HTTP/1.1\r\n").await.unwrap();
    let begun = Instant::now();
    while slow.write_all(b"x").await.is_ok() {
        assert!(begun.elapsed() < Duration::from_secs(5), "still open");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Opens connections and leaves them alone until its input ends. In a process of its own, because both
/// ends of ten thousand are more descriptors than one may often have.
const IDLE: &str =
    "for ((n = 0; n < $1; n++)); do exec {fd}<>/dev/tcp/$2/$3 || exit 1; done; echo open; read -r end";

/// Thousands of connections that do nothing are in nobody's way; one over the limit is closed.
/// `ASKUSER_IDLE_CONNECTIONS` says how many they are (2000).
#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_idle_connections_are_in_nobodys_way() {
    let n_idle = Environment::of_this_process().get("ASKUSER_IDLE_CONNECTIONS").unwrap_or("2000").to_owned();
    let stage = stage_with(|server| {
        server.rates = unlimited();
        server.bounds.connections_max = n_idle.parse::<usize>().unwrap() + 50;
        // However long it takes to open them all, the first are still there.
        server.bounds.headers_time_max = Duration::from_mins(10);
    })
    .await;
    let (ip, port) = (stage.address.ip().to_string(), stage.address.port().to_string());
    let mut clients = Command::new("bash");
    clients.args(["-c", IDLE, "idle", &n_idle, &ip, &port]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut clients = clients.kill_on_drop(true).spawn().unwrap();
    let mut said = String::new();
    let mut out = BufReader::new(clients.stdout.take().unwrap());
    tokio::time::timeout(Duration::from_mins(2), out.read_line(&mut said)).await.unwrap().unwrap();
    assert_eq!(said, "open\n", "not all could be opened: `ulimit -n` must allow {n_idle} and some more");
    // Whoever is answered came after all of them: none is left in the system's own queue.
    assert_eq!(stage.send("GET", "/healthz", &[], "").await.status, 200);
    let mut idle = Vec::new();
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    assert_eq!(asked["status"], "showing");
    for _ in 0..60 {
        idle.push(TcpStream::connect(stage.address).await.unwrap());
    }
    let mut over = TcpStream::connect(stage.address).await.unwrap();
    let mut told = Vec::new();
    let closed = tokio::time::timeout(Duration::from_secs(5), over.read_to_end(&mut told)).await.unwrap();
    assert!(closed.is_ok() && told.starts_with(b"HTTP/1.1 503 "), "it is told so, and closed");
    drop(idle);
    clients.kill().await.unwrap();
    // Their places are free again.
    for _ in 0..1000 {
        let mut stream = TcpStream::connect(stage.address).await.unwrap();
        let request =
            format!("GET /healthz HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", stage.address);
        let mut text = String::new();
        let sent = stream.write_all(request.as_bytes()).await;
        if sent.is_ok() && stream.read_to_string(&mut text).await.is_ok() && text.contains("200 OK") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("no place became free");
}

/// Graceful stop: no new asks, whoever waits is told, everything acknowledged is there afterwards.
#[tokio::test(flavor = "multi_thread")]
async fn stopping_tells_whoever_waits_and_takes_nothing_new() {
    let mut stage = stage().await;
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    let path = format!("/api/asks/{}?wait=600", id(&asked));
    let events = format!(
        "GET /api/events HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer {}\r\n\r\n",
        stage.ann.person
    );
    let begun = Instant::now();
    let stop = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        stage.post("/api/stop", &stage.ann.admin, Value::Null).await
    };
    let waiters = futures_util::future::join_all((0..20).map(|_| stage.get(&path, &stage.ann.agent)));
    let (waited, streamed, stopped) = tokio::join!(waiters, raw(&stage, &events, b"", 0), stop);
    assert_eq!(stopped.status, 202);
    for waited in waited {
        // Not a failure: it is still open, and the caller comes back by id.
        assert_eq!((waited.status, &waited.json()["status"]), (200, &json!("showing")));
    }
    assert!(streamed.starts_with("HTTP/1.1 200") && streamed.ends_with("0\r\n\r\n"), "{streamed}");
    tokio::time::timeout(Duration::from_secs(5), &mut stage.served).await.unwrap().unwrap().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert!(TcpStream::connect(stage.address).await.is_err());
    stage.desk.close().await.unwrap();
}

/// A desk that is closing takes no ask, and says when to come back.
#[tokio::test(flavor = "multi_thread")]
async fn a_closing_desk_is_unavailable() {
    let stage = stage().await;
    stage.desk.stopping().cancel();
    let refused = stage.post("/api/asks", &stage.ann.agent, ask("s", &[choice("q")])).await;
    assert_eq!(refused.code(), "503 unavailable");
    assert_eq!(refused.header("retry-after"), Some("1"));
    // The store is closed under it: nothing is told as done that is not.
    stage.desk.close().await.unwrap();
    assert_eq!(stage.get("/api/inbox", &stage.ann.person).await.code(), "503 unavailable");
    assert_eq!(stage.send("GET", "/readyz", &[], "").await.code(), "503 unavailable");
    assert_eq!(stage.send("GET", "/healthz", &[], "").await.status, 200);
}

/// A clock that jumps back ends nothing early and breaks nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_jumps_back_breaks_nothing() {
    let stage = stage().await;
    let first = stage.ask(ask("s", &[choice("q")])).await;
    stage.forward_ms.store(-3_600_000, Ordering::SeqCst);
    let mut timed = ask("s", &[choice("r")]);
    timed["timeoutMs"] = 100.into();
    let second = stage.ask(timed).await;
    assert!(id(&second) > id(&first), "ids grow whatever the clock does");
    let ended = stage.get(&format!("/api/asks/{}?wait=20", id(&second)), &stage.ann.agent).await.ok();
    assert_eq!(ended["outcome"]["status"], "timeout");
    assert_eq!(
        stage.get(&format!("/api/asks/{}", id(&first)), &stage.ann.agent).await.ok()["status"],
        "showing"
    );
}
