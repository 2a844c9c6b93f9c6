//! A mail server on loopback, plain and private, friendly and not.

use std::sync::{Arc, Mutex};

use askuser_core::time::Timestamp;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, BufReader};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::io::AsyncWriteExt;

use super::super::carrier::Retry;
use super::*;
use crate::minder::Why;
use crate::nudge::tests::offered;
use askuser_config::Hidden;

/// What a server offers, and how it answers a receiver.
#[derive(Clone, Copy)]
struct Manner {
    at_once: bool,
    starts_tls: bool,
    to: &'static str,
    /// What it says in plain behind its word that TLS may begin.
    injects: &'static str,
}

type Heard = Arc<Mutex<Vec<String>>>;

async fn server(manner: Manner) -> (String, Heard) {
    let certificate = CertificateDer::from_pem_slice(include_bytes!("../tests/tls/server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("../tests/tls/server.key")).unwrap();
    let config =
        ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let scheme = if manner.at_once { "smtps" } else { "smtp" };
    let url = format!("{scheme}://127.0.0.1:{}", listener.local_addr().unwrap().port());
    let heard = Heard::default();
    let notes = Arc::clone(&heard);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, notes) = (acceptor.clone(), Arc::clone(&notes));
            tokio::spawn(async move {
                if manner.at_once {
                    let Ok(stream) = acceptor.accept(stream).await else { return };
                    talk(stream, manner, &notes, true, true).await;
                } else if let Some(stream) = talk(stream, manner, &notes, false, true).await {
                    let Ok(stream) = acceptor.accept(stream).await else { return };
                    talk(stream, manner, &notes, true, false).await;
                }
            });
        }
    });
    (url, heard)
}

/// Talks to a client; returns the stream where it is to become private.
async fn talk<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    manner: Manner,
    heard: &Heard,
    private: bool,
    greets: bool,
) -> Option<S> {
    let mut stream = BufReader::new(stream);
    if greets {
        stream.write_all(b"220-mail.example\r\n220 ready\r\n").await.ok()?;
    }
    let mut in_data = false;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        let line = line.trim_end().to_owned();
        heard.lock().unwrap().push(format!("{}{line}", if private { "tls " } else { "" }));
        let answer = match line.split(' ').next().unwrap() {
            "." if in_data => {
                in_data = false;
                "250 taken"
            }
            _ if in_data => continue,
            "EHLO" if manner.starts_tls && !private => "250-mail.example\r\n250-STARTTLS\r\n250 SIZE 1000",
            "EHLO" => "250-mail.example\r\n250 AUTH PLAIN",
            "STARTTLS" => {
                stream.write_all(format!("220 go on\r\n{}", manner.injects).as_bytes()).await.ok()?;
                return Some(stream.into_inner());
            }
            "AUTH" => "235 welcome",
            "RCPT" => manner.to,
            "DATA" => {
                in_data = true;
                "354 go on"
            }
            "QUIT" => "221 bye",
            _ => "250 ok",
        };
        stream.write_all(format!("{answer}\r\n").as_bytes()).await.ok()?;
    }
}

fn email(url: &str, account: bool, trusted: bool) -> Email {
    let authority = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/tls/authority.pem");
    let part = EmailPart {
        server: url.to_owned(),
        from: "desk@example.com".into(),
        to: "ann@example.com".into(),
        user: account.then(|| "desk".into()),
        password: account.then(|| Hidden::new("sesame")),
    };
    let certificates = trusted.then_some(Path::new(authority));
    Email::new(&part, Path::new("/"), certificates, Arc::new(|| Timestamp(0))).unwrap()
}

fn letter() -> Letter {
    Letter {
        id: "nudge_1".into(),
        why: Why::New,
        title: "claude-code · 商店 asks\r\nBcc: evil@example.com".into(),
        text: "Deploy?\n.\nQUIT".into(),
        choices: vec![offered("Staging")],
        link: Some("https://desk.example/a/a_t".into()),
        token: None,
        asks: Vec::new(),
    }
}

const FRIENDLY: Manner = Manner { at_once: false, starts_tls: true, to: "250 ok", injects: "" };

#[tokio::test]
async fn a_mail_goes_in_private_and_says_who_asks_what_and_where_to_answer() {
    for manner in [FRIENDLY, Manner { at_once: true, starts_tls: false, ..FRIENDLY }] {
        let (url, heard) = server(manner).await;
        assert_eq!(email(&url, true, true).send(&letter()).await.unwrap(), "nudge_1");
        let heard = heard.lock().unwrap().clone();
        let at = |what: &str| {
            heard
                .iter()
                .position(|line| line.starts_with(what))
                .unwrap_or_else(|| panic!("{what}: {heard:?}"))
        };
        assert!(
            at("tls AUTH PLAIN") < at("tls MAIL FROM:<desk@example.com>")
                && at("tls RCPT TO:<ann@example.com>") < at("tls DATA")
        );
        assert!(
            heard.iter().all(|line| !line.starts_with("tls Bcc:")),
            "what was asked is a header: {heard:?}"
        );
        assert_eq!(heard[at("tls Date:")], "tls Date: Thu, 01 Jan 1970 00:00:00 +0000");
        let empty = heard.iter().position(|line| line == "tls ").unwrap();
        let body: String =
            heard[empty + 1..at("tls .")].iter().map(|line| line.trim_start_matches("tls ")).collect();
        let body = String::from_utf8(STANDARD.decode(body).unwrap()).unwrap().replace("\r\n", "\n");
        assert!(
            body.contains("Deploy?\n.\nQUIT")
                && body.contains("• Staging")
                && body.ends_with("https://desk.example/a/a_t"),
            "{body}"
        );
        assert!(heard.iter().all(|line| line.len() < 90), "{heard:?}");
    }
}

#[tokio::test]
async fn nothing_goes_over_a_way_that_others_read_or_to_whom_nobody_vouches_for() {
    let (url, heard) = server(Manner { starts_tls: false, ..FRIENDLY }).await;
    let refused = email(&url, true, true).send(&letter()).await.unwrap_err();
    assert!(refused.again == Retry::Never && refused.why.english.contains("STARTTLS"), "{refused}");
    assert!(heard.lock().unwrap().iter().all(|line| !line.contains("AUTH") && !line.contains("MAIL")));
    // To this very machine, without an account, it may be plain.
    email(&url, false, true).send(&letter()).await.unwrap();
    let (url, heard) = server(FRIENDLY).await;
    let stranger = email(&url, true, false).send(&letter()).await.unwrap_err();
    assert!(stranger.why.english.contains("UnknownIssuer"), "{stranger}");
    assert!(heard.lock().unwrap().iter().all(|line| !line.contains("AUTH")));
}

#[tokio::test]
async fn what_passes_is_tried_again_and_what_does_not_is_not() {
    for (to, again) in [("450 busy", Retry::Later(None)), ("550 no such user", Retry::Never)] {
        let (url, _heard) = server(Manner { to, ..FRIENDLY }).await;
        let trouble = email(&url, false, true).send(&letter()).await.unwrap_err();
        assert_eq!((trouble.again, trouble.why), (again, both(|say: Undelivered| say.answered(to))));
    }
    assert!(
        email("smtp://127.0.0.1:1", false, true).send(&letter()).await.unwrap_err().again
            == Retry::Later(None)
    );
    for (from, server) in
        [("not an address", "smtp://a"), ("a@b\r\nRCPT TO:<x@y>", "smtp://a"), ("a@b", "http://a")]
    {
        let part = EmailPart {
            server: server.into(),
            from: from.into(),
            to: "a@b".into(),
            user: None,
            password: None,
        };
        assert!(Email::new(&part, Path::new("/"), None, Arc::new(|| Timestamp(0))).is_err(), "{from}");
    }
}

/// An answer that somebody slipped in before TLS began is none of what was asked within it.
#[tokio::test]
async fn what_came_in_plain_is_no_answer_once_it_is_private() {
    let injects =
        "250-mail.example\r\n250 AUTH PLAIN\r\n235 welcome\r\n250 ok\r\n250 ok\r\n354 go on\r\n250 taken\r\n";
    let (url, heard) = server(Manner { injects, ..FRIENDLY }).await;
    let trouble = email(&url, true, true).send(&letter()).await.unwrap_err();
    assert!(trouble.again == Retry::Later(None), "{trouble}");
    assert!(heard.lock().unwrap().iter().all(|line| !line.contains("AUTH") && !line.contains("MAIL")));
}

#[tokio::test]
async fn a_server_that_talks_without_end_is_not_listened_to() {
    let injects: &str =
        Box::leak(format!("250-{}\r\n", "x".repeat(900)).repeat(PLAIN_BYTES_MAX / 800).into_boxed_str());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://127.0.0.1:{}", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _sent = stream.write_all(injects.as_bytes()).await;
        }
    });
    let trouble = email(&url, false, true).send(&letter()).await.unwrap_err();
    assert!(trouble.why.english.contains("too long"), "{trouble}");
}

#[test]
fn a_title_in_any_script_is_a_header() {
    let title = "商店 😀 asks ".repeat(9);
    let letter = Letter { title: title.clone(), ..letter() };
    let mail = email("smtps://mail.example", false, false).mail(&letter).unwrap();
    let written = String::from_utf8(mail.formatted()).unwrap();
    let (_, rest) = written.split_once("\r\nSubject: ").unwrap();
    // A header goes on where a line begins with a blank.
    let mut lines = rest.split("\r\n");
    let first = lines.next().unwrap();
    let folded: Vec<&str> =
        std::iter::once(first).chain(lines.take_while(|line| line.starts_with(' '))).collect();
    assert!(folded.iter().all(|line| line.is_ascii() && line.len() <= 78), "{folded:?}");
    let words = folded.iter().flat_map(|line| line.split(' ')).filter(|word| !word.is_empty());
    let read: String = words
        .map(|word| match word.strip_prefix("=?utf-8?b?").and_then(|word| word.strip_suffix("?=")) {
            Some(word) => String::from_utf8(STANDARD.decode(word).unwrap()).unwrap(),
            None => format!("{word} "),
        })
        .collect();
    assert_eq!(read.split_whitespace().collect::<String>(), title.split_whitespace().collect::<String>());
}
