//! How long it takes from an ask to its nudge, channel by channel, and how many nudges a burst leads to.
//!
//! One desk in the process over a real store; services on loopback that
//! take everything at once. A quarter of a second of each time is the moment in which nudges are gathered.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench that cannot measure must fail, and it prints"
)]

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use askuser_config::Sources;
use askuser_core::asker::Terms;
use askuser_core::command::{Actor, KnownBy, Role};
use askuser_core::draft::{Draft, DraftChoice, DraftQuestion, Given};
use askuser_core::limits::{DeskLimits, Limits};
use askuser_core::outcome::{By, Channel, Proof};
use askuser_core::time::Timestamp;
use askuser_desk::{Desk, Request, Subscription};
use askuser_notify::{Notifier, Settings};
use askuser_store::sqlite::{Options, Sqlite};
use askuser_system::clock;
use askuser_system::environment::Environment;
use ring::agreement::{ECDH_P256, EphemeralPrivateKey};
use ring::rand::SystemRandom;
use tokio_tungstenite::tungstenite::{Message, accept};

/// Asks that are measured one after the other, and those of the burst.
const N_ASKS: usize = 40;
const BURST: usize = 1000;
const SECRET: &str = "whsec_plJ3nmyCDGBKInavdOK15jsl";
/// Every channel that there is.
const CHANNELS: [&str; 8] =
    ["command", "desktop", "webhook", "ntfy", "telegram", "slack", "email", "web push"];

/// Which service was told, and when.
type Told = (&'static str, Instant);

pub(crate) fn run() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(measure());
}

async fn measure() {
    let folder = tempfile::tempdir().unwrap();
    let (tell, told) = channel();
    let text = config(folder.path(), &tell);
    let desk = desk(folder.path()).await;
    let notifier = Notifier::start(&desk, settings(folder.path(), &text));
    subscribe(&desk, &text).await;
    println!("{:<52}{:>16}  target", "what", "figure");
    one_after_the_other(&desk, &told).await;
    notifier.set(settings(folder.path(), &text.replace("single_max: 100", "single_max: 3")).notify);
    burst(&desk, &told).await;
    notifier.close().await;
}

/// A person with every channel, each to a service of its own.
fn config(folder: &Path, tell: &Sender<Told>) -> String {
    let (hook, ntfy, telegram) = (http("webhook", tell), http("ntfy", tell), http("telegram", tell));
    let (slack, push, mail) = (http("slack", tell), http("web push", tell), smtp(tell));
    let command = script(&http("command", tell));
    desktop(folder, &script(&http("desktop", tell)));
    format!(
        "notify:
  push_servers: [\"{push}\"]
  people:
    ann:
      single_max: 100
      every: 1s
      channels:
        a: {{kind: command, command: [bash, -c, '{command}']}}
        b: {{kind: webhook, url: \"{hook}\", secret: {SECRET}}}
        c: {{kind: ntfy, server: \"{ntfy}\", topic: t}}
        d: {{kind: telegram, token: \"1:x\", chat: 1, people: [1], server: \"{telegram}\"}}
        e: {{kind: email, server: \"{mail}\", from: a@example.com, to: b@example.com}}
        f: {{kind: slack, bot_token: xoxb-1, app_token: xapp-1, channel: U1, people: [U1], server: \"{slack}\"}}
        g: {{kind: desktop}}
        h: {{kind: web_push}}
"
    )
}

/// What a program runs that says so at once, by a way that the shell has built in.
fn script(url: &str) -> String {
    let address = url.trim_start_matches("http://").replace(':', "/");
    format!(
        "exec 3<>/dev/tcp/{address}; printf \"POST / HTTP/1.0\\\\r\\\\nContent-Length: 0\\\\r\\\\n\\\\r\\\\n\" >&3; cat <&3 >/dev/null"
    )
}

/// A `notify-send` of our own; `settings` has it found before any other.
fn desktop(folder: &Path, script: &str) {
    let program = folder.join("notify-send");
    std::fs::write(&program, format!("#!/usr/bin/env bash\n{script}\necho 1\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// A browser of the person's; what it is sent is sealed for its key.
async fn subscribe(desk: &Desk, text: &str) {
    let server = text.split('"').nth(1).unwrap();
    let key = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).unwrap();
    let given = Subscription {
        endpoint: format!("{server}/push/1"),
        key: key.compute_public_key().unwrap().as_ref().to_vec(),
        auth: vec![1; 16],
        language: "en".to_owned(),
    };
    assert!(desk.subscribe(&"ann".into(), given).await.unwrap());
}

async fn one_after_the_other(desk: &Desk, told: &Receiver<Told>) {
    let mut times: HashMap<&str, Vec<Duration>> = HashMap::new();
    for n in 0..N_ASKS {
        let asked = Instant::now();
        ask(desk, n).await;
        for _ in CHANNELS {
            let (service, at) =
                tokio::task::block_in_place(|| told.recv_timeout(Duration::from_secs(30))).unwrap();
            times.entry(service).or_default().push(at - asked);
        }
    }
    for service in CHANNELS {
        let of_it = times.get_mut(service).unwrap();
        of_it.sort();
        for (part, name) in [(50, "p50"), (95, "p95")] {
            let time = of_it[(of_it.len() * part / 100).min(of_it.len() - 1)];
            let verdict = if time < Duration::from_secs(1) { "met" } else { "MISSED" };
            let what = format!("from the ask to its nudge by {service}, {name}");
            println!("{what:<52}{:>13.1} ms  within a second: {verdict}", time.as_secs_f64() * 1e3);
        }
    }
}

async fn burst(desk: &Desk, told: &Receiver<Told>) {
    let mut asking = tokio::task::JoinSet::new();
    for n in 0..BURST {
        let desk = desk.clone();
        asking.spawn(async move { ask(&desk, N_ASKS + n).await });
    }
    asking.join_all().await;
    let mut n_nudges = 0;
    // Quiet for three seconds: then everything is told of.
    while tokio::task::block_in_place(|| told.recv_timeout(Duration::from_secs(3))).is_ok() {
        n_nudges += 1;
    }
    let each = n_nudges / CHANNELS.len();
    let verdict = if each <= 20 { "met" } else { "MISSED" };
    let what = format!("nudges for {BURST} asks at once, a channel");
    println!("{what:<52}{each:>16}  at most 20: {verdict}");
}

fn settings(folder: &Path, text: &str) -> Settings {
    let file = folder.join("config.yaml");
    std::fs::write(&file, text).unwrap();
    let config = Sources { named: Some(file), ..Sources::default() }.load().unwrap().config;
    let path = format!("{}:{}", folder.display(), Environment::of_this_process().get("PATH").unwrap());
    let environment = Environment::of(&[("PATH", &path), ("DISPLAY", ":0")]);
    Settings::new(config.notify, folder.to_owned(), environment)
}

async fn desk(folder: &Path) -> Desk {
    let limits = DeskLimits { shown_max: 5000, open_max: 5000, ..DeskLimits::default() };
    let store = Sqlite::open(&folder.join("askuser.db"), &Options::new(limits, Timestamp(0))).unwrap();
    let desk = Desk::open(Arc::new(store), Arc::new(clock::now)).await.unwrap();
    desk.access().add_user(&"ann".into()).await.unwrap();
    desk
}

async fn ask(desk: &Desk, n: usize) {
    let choice = |label: &str| DraftChoice { label: Given::Value(label.into()), ..DraftChoice::default() };
    let question = DraftQuestion {
        id: Given::Value(format!("q{n}")),
        text: Given::Value(format!("Question {n}?")),
        choices: Given::Value(vec![choice("a"), choice("b")]),
        ..DraftQuestion::default()
    };
    let draft = Draft { questions: Given::Value(vec![question]), ..Draft::default() };
    let request = Request {
        questions: draft.check(&Limits::FOREIGN).unwrap(),
        terms: Terms::default(),
        asker_key: "bench".into(),
        known_by: KnownBy::Nothing,
    };
    let by = By::new(Some("ann".into()), Channel::Agent, Proof::KeyFile);
    let agent = Actor { role: Role::Agent, user: "ann".into(), by, key: None };
    desk.ask(&agent, request).await.unwrap();
}

/// A service over HTTP that says yes to everything, and tells of what is posted.
fn http(service: &'static str, tell: &Sender<Told>) -> String {
    // What every service of the lot reads as a yes; Slack's has a socket, too.
    let socket = if service == "slack" { socket(tell) } else { String::new() };
    let yes = format!(
        r#"{{"id":"m1","ok":true,"result":{{"message_id":1}},"channel":"D1","ts":"1.1","url":"{socket}"}}"#
    );
    serve(service, tell, move |stream, tell| {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let (mut first, mut n_bytes) = (String::new(), 0);
        reader.read_line(&mut first).unwrap_or_default();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or_default() <= 2 {
                break;
            }
            if let Some(length) = line.to_lowercase().strip_prefix("content-length:") {
                n_bytes = length.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; n_bytes];
        let _read = reader.read_exact(&mut body);
        if first.contains("getUpdates") {
            // Nobody presses anything: the poll is held.
            std::thread::sleep(Duration::from_mins(1));
            return;
        }
        if !first.contains("apps.connections.open") {
            tell();
        }
        let _said = write!(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{yes}",
            yes.len()
        );
    })
}

/// The socket over which Slack tells what was pressed: nothing is.
fn socket(tell: &Sender<Told>) -> String {
    let url = serve("slack", tell, |stream, _| {
        let Ok(mut socket) = accept(stream) else { return };
        let _greeted = socket.send(Message::text(r#"{"type":"hello"}"#));
        while socket.read().is_ok() {}
    });
    url.replace("http://", "ws://")
}

/// A mail server on this machine.
fn smtp(tell: &Sender<Told>) -> String {
    let url = serve("email", tell, |stream, tell| {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let _greeted = stream.write_all(b"220 ready\r\n");
        let mut in_data = false;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or_default() == 0 {
                return;
            }
            let answer: &[u8] = match line.trim_end() {
                "." => {
                    in_data = false;
                    tell();
                    b"250 taken\r\n"
                }
                _ if in_data => continue,
                "DATA" => {
                    in_data = true;
                    b"354 go on\r\n"
                }
                "QUIT" => b"221 bye\r\n",
                _ => b"250 ok\r\n",
            };
            let _said = stream.write_all(answer);
        }
    });
    url.replace("http://", "smtp://")
}

fn serve(
    service: &'static str,
    tell: &Sender<Told>,
    talk: impl Fn(&mut TcpStream, &dyn Fn()) + Clone + Send + 'static,
) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let tell = tell.clone();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let (tell, talk) = (tell.clone(), talk.clone());
            std::thread::spawn(move || {
                talk(&mut stream, &|| {
                    // Whoever measures may be done.
                    let _told = tell.send((service, Instant::now()));
                });
            });
        }
    });
    url
}
