//! `askuser doctor` about the phone: our own listener, and a proxy that does what proxies do.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use askuser_system::clock;
use serde_json::Value;

use crate::home::TestHome;
use crate::phone::{configure, given};

/// What a proxy does to what it hands on.
#[derive(Clone, Copy)]
enum Proxy {
    /// Nothing.
    Honest,
    /// It collects answers before it sends them.
    Hoards,
    /// It hands on no upgrade.
    NoUpgrade,
}

/// Stands before another port; ends with the test's process.
fn proxy(kind: Proxy, listener: TcpListener, to: SocketAddr) {
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || hand_on(kind, stream, to));
        }
    });
}

fn hand_on(kind: Proxy, mut from: TcpStream, to: SocketAddr) {
    let Ok(mut desk) = TcpStream::connect(to) else { return };
    let (mut answers, mut back) = (desk.try_clone().unwrap(), from.try_clone().unwrap());
    std::thread::spawn(move || {
        let mut held = Vec::new();
        let mut bytes = [0; 4096];
        // Longer than the desk leaves between two events.
        let hoards = matches!(kind, Proxy::Hoards);
        answers.set_read_timeout(hoards.then_some(Duration::from_secs(1))).unwrap();
        loop {
            match answers.read(&mut bytes) {
                Ok(n_read) if n_read > 0 => held.extend_from_slice(&bytes[..n_read]),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    if back.write_all(&std::mem::take(&mut held)).is_err() {
                        return;
                    }
                    continue;
                }
                Ok(_) | Err(_) => {
                    let _gone = back.write_all(&held);
                    return;
                }
            }
            if !hoards && back.write_all(&std::mem::take(&mut held)).is_err() {
                return;
            }
        }
    });
    let mut bytes = [0; 4096];
    while let Ok(n_read) = from.read(&mut bytes) {
        let text = String::from_utf8_lossy(&bytes[..n_read]).into_owned();
        let text = match kind {
            Proxy::NoUpgrade => {
                let is_upgrade = |line: &&str| line.to_lowercase().contains("upgrade");
                text.split_inclusive("\r\n").filter(|line| !is_upgrade(line)).collect()
            }
            Proxy::Honest | Proxy::Hoards => text,
        };
        if n_read == 0 || desk.write_all(text.as_bytes()).is_err() {
            return;
        }
    }
}

/// The verdict, the words and the hint of a finding.
#[track_caller]
fn finding(home: &TestHome, what: &str) -> (String, String, String) {
    let output = home.run(&["doctor", "--json"]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let all = told["findings"].as_array().unwrap();
    let found = all.iter().rev().find(|finding| finding["what"] == what);
    assert!(found.is_some(), "{what}: {told}");
    let found = found.unwrap();
    let text = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
    (text("verdict"), text("said"), text("hint"))
}

/// The listener for other devices, and what is said of a certificate of our own.
#[test]
fn doctor_tells_whether_a_phone_can_come_in() {
    let home = TestHome::new();
    home.wakes();
    let (verdict, said, hint) = finding(&home, "phone");
    assert!(verdict == "ok" && said.contains("as configured") && hint.contains("open --qr --lan"), "{said}");
    home.prints(&["stop"]);
    let daemon = home.serve(&["--listen", "127.0.0.1:0", "--tls-listen", "127.0.0.2:0"]);
    let (verdict, said, _) = finding(&home, "phone");
    assert!(verdict == "ok" && said.contains("answers"), "{said}");
    let (verdict, said, hint) = finding(&home, "certificate");
    assert!(verdict == "ok" && said.contains("self-signed for 127.0.0.2"), "{said}");
    assert!(hint.contains("need a certificate that the phone trusts: `askuser help phone`"), "{hint}");
    home.kill();
    drop(daemon);
    let day = 24 * 3_600_000;
    let soon = askuser_core::time::Timestamp(clock::now().0 - 390 * day);
    let (certificate, key) = given(&home, "given", &["desk.example.com"], soon);
    configure(
        &home,
        &format!(
            "server: {{listen: 127.0.0.1:0, tls_listen: 127.0.0.2:0, tls_certificate: {certificate}, tls_key: {key}}}\n"
        ),
    );
    let (verdict, said, hint) = finding(&home, "certificate");
    assert!(verdict == "warn" && said.contains("is for desk.example.com, valid until"), "{said}");
    assert!(hint.contains("renew it"), "{hint}");
}

/// D16: `public_url`: what answers there, whether it is this desk, and what gets through.
#[test]
fn d16_doctor_goes_through_the_public_url_and_says_what_does_not_get_through() {
    let cases = [
        (Proxy::Honest, "ok", "ok", "ok"),
        (Proxy::Hoards, "ok", "warn", "ok"),
        (Proxy::NoUpgrade, "ok", "ok", "fail"),
    ];
    for (kind, _, events, socket) in cases {
        let home = TestHome::new();
        let listener = TcpListener::bind("127.0.0.2:0").unwrap();
        let public = format!("http://{}", listener.local_addr().unwrap());
        configure(&home, &format!("server: {{listen: 127.0.0.1:0, public_url: {public}/}}\n"));
        let _daemon = home.serve(&[]);
        let desk = home.daemon().url.strip_prefix("http://").unwrap().parse().unwrap();
        proxy(kind, listener, desk);
        let (verdict, said, hint) = finding(&home, "public url");
        assert!(
            verdict == "warn" && said.contains(&format!("{public} is this server, but not encrypted")),
            "{said}"
        );
        assert!(hint.contains("https://"), "{hint}");
        let (verdict, said, hint) = finding(&home, "events");
        assert_eq!(verdict, events, "{said}");
        assert!(events == "ok" || hint.contains("proxy_buffering off"), "{hint}");
        let (verdict, said, hint) = finding(&home, "websocket");
        assert_eq!(verdict, socket, "{said}");
        assert!(socket == "ok" || hint.contains("Upgrade"), "{hint}");
        // The code for the phone leads there.
        let output = home.run(&["open", "--qr"]);
        let shown = String::from_utf8(output.stdout).unwrap();
        assert!(shown.lines().last().unwrap().starts_with(&format!("{public}/login/")), "{shown}");
        assert!(String::from_utf8(output.stderr).unwrap().contains("IS NOT ENCRYPTED"));
    }
}

/// Nobody there, somebody who never answers, another desk, something else: each in its own words, and
/// none of them holds the command up.
#[test]
fn doctor_tells_a_public_url_that_leads_nowhere_or_elsewhere() {
    let home = TestHome::new();
    let other = TestHome::new();
    let _other = other.serve(&["--listen", "127.0.0.1:0"]);
    let silent = TcpListener::bind("127.0.0.2:0").unwrap();
    let nobody = TcpListener::bind("127.0.0.2:0").unwrap().local_addr().unwrap();
    let plain = TcpListener::bind("127.0.0.2:0").unwrap();
    let (silent_at, plain_at) = (silent.local_addr().unwrap(), plain.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in plain.incoming().flatten() {
            let _asked = stream.read(&mut [0; 4096]);
            let _told = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi");
        }
    });
    for (url, verdict, words, to_do) in [
        (format!("http://{nobody}"), "fail", "does not answer", "start the tunnel or proxy"),
        (format!("http://{silent_at}"), "fail", "does not answer", "askuser help phone"),
        (format!("https://{plain_at}"), "fail", "TLS", "certificate"),
        (format!("http://{plain_at}"), "fail", "no JSON", "something else answers"),
        (other.daemon().url, "warn", "another askuser server", "point the proxy or tunnel at this one"),
    ] {
        configure(&home, &format!("server: {{listen: 127.0.0.1:0, public_url: {url}}}\n"));
        let daemon = home.serve(&[]);
        let begun = Instant::now();
        let (found, said, hint) = finding(&home, "public url");
        assert!(
            found == verdict && said.contains(words) && hint.contains(to_do),
            "{url}: {found} {said}; {hint}"
        );
        assert!(begun.elapsed() < Duration::from_secs(20), "{url}: {:?}", begun.elapsed());
        home.kill();
        drop(daemon);
    }
    drop(silent);
}
