//! A receiver that takes, fails, hangs and redirects.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};

use super::*;

const SECRET: &str = "whsec_plJ3nmyCDGBKInavdOK15jsl";

/// The example of the specification's own libraries.
#[test]
fn a_signature_is_that_of_the_specification() {
    let webhook = Webhook::new("http://x", SECRET).unwrap();
    let body = r#"{"event_type":"ping","data":{"success":true}}"#;
    let signature = webhook.signature("msg_loFOjxBNrRLzqYUf", 1_731_705_121, body).unwrap();
    assert_eq!(signature, "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=");
    for wrong in ["", "plJ3nmyC", "whsec_%%%"] {
        assert_eq!(Webhook::new("http://x", wrong).err(), Some(NotASecret));
    }
}

/// A receiver that gives these answers, one a connection, and then none; empty hangs.
fn receiver(answers: &'static [&'static str]) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let (tell, heard) = channel();
    std::thread::spawn(move || {
        let mut hanging = Vec::new();
        for answer in answers {
            let (stream, _) = listener.accept().unwrap();
            hanging.extend(serve(stream, answer, &tell));
        }
        // Those that hang do so until the test is over.
        let _more = listener.accept();
        drop(hanging);
    });
    (url, heard)
}

fn serve(mut stream: TcpStream, answer: &str, tell: &Sender<String>) -> Option<TcpStream> {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !String::from_utf8_lossy(&request).ends_with('}') {
        let n_read = stream.read(&mut buffer).unwrap();
        request.extend_from_slice(&buffer[..n_read]);
    }
    tell.send(String::from_utf8(request).unwrap()).unwrap();
    if answer.is_empty() {
        return Some(stream);
    }
    let other = "Location: http://127.0.0.1:1/elsewhere\r\n";
    write!(stream, "HTTP/1.1 {answer}\r\n{other}Content-Length: 0\r\nConnection: close\r\n\r\n").unwrap();
    None
}

fn quick(url: &str, n_retries: usize) -> Webhook {
    const QUICK: [Duration; 5] = [Duration::from_millis(5); 5];
    let pauses = Pauses::new(&QUICK[..n_retries]);
    Webhook::new(url, SECRET).unwrap().timed(pauses, Duration::from_millis(200))
}

fn header<'a>(request: &'a str, name: &str) -> &'a str {
    let line = request.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}: "))).unwrap();
    line.split_once(": ").unwrap().1
}

/// D17: a receiver that fails and hangs is told again, with the same id and a right signature.
#[tokio::test(flavor = "multi_thread")]
async fn d17_a_message_is_sent_again_until_it_is_taken() {
    let (url, heard) = receiver(&["500 No", "", "302 Found", "204 Taken"]);
    let outbox = Outbox::default();
    let webhook = quick(&url, 5);
    outbox.send(webhook.clone(), "msg_1".into(), r#"{"a":1}"#.into(), Arc::new(|| Timestamp(5_000)));
    for _ in 0..4 {
        let request = tokio::task::block_in_place(|| heard.recv_timeout(Duration::from_secs(20))).unwrap();
        assert!(request.starts_with("POST /hook HTTP/1.1\r\n"), "{request}");
        assert_eq!((header(&request, "webhook-id"), header(&request, "webhook-timestamp")), ("msg_1", "5"));
        let signature = webhook.signature("msg_1", 5, r#"{"a":1}"#).unwrap();
        assert_eq!(header(&request, "webhook-signature"), signature);
    }
    assert!(outbox.dead().is_empty());
}

/// D17: what cannot be told is kept with its reason, and nothing else is held up.
#[tokio::test(flavor = "multi_thread")]
async fn d17_what_cannot_be_told_is_kept_in_a_list() {
    let (redirecting, _heard) = receiver(&["301 Moved", "301 Moved"]);
    let (hanging, _also) = receiver(&["", ""]);
    for (url, why) in [
        (redirecting.as_str(), "answered 301 Moved Permanently, which is not followed"),
        (hanging.as_str(), "no answer within 0.2 s"),
        ("http://127.0.0.1:1/", "refused"),
    ] {
        let outbox = Outbox::default();
        outbox.send(quick(url, 1), "msg_2".into(), "{}".into(), Arc::new(|| Timestamp(7)));
        let begun = std::time::Instant::now();
        let dead = loop {
            let dead = outbox.dead();
            if let Some(dead) = dead.first() {
                break dead.clone();
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "{why}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        };
        assert!(dead.why.contains(why), "{}", dead.why);
        assert_eq!((dead.n_attempts, dead.id.as_str(), dead.at), (2, "msg_2", Timestamp(7)));
    }
}

/// D17: more than can be on their way at once are given up, not queued without end.
#[tokio::test]
async fn d17_the_outbox_is_bounded() {
    const LONG: [Duration; 1] = [Duration::from_hours(1)];
    let outbox = Outbox::default();
    let pauses = Pauses::new(&LONG);
    let webhook = Webhook::new("http://127.0.0.1:1/", SECRET).unwrap().timed(pauses, ATTEMPT_MAX);
    for number in 0..ON_THE_WAY_MAX + DEAD_MAX + 50 {
        outbox.send(webhook.clone(), format!("msg_{number}"), "{}".into(), Arc::new(|| Timestamp(0)));
    }
    assert_eq!(outbox.dead().len(), DEAD_MAX);
    assert_eq!(outbox.dead()[DEAD_MAX - 1].id, format!("msg_{}", ON_THE_WAY_MAX + DEAD_MAX + 49));
}
