//! Servers that are slow, talk without end, hang up, redirect, or are not to be called.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, UnixListener};

use super::*;

const SHORT: Duration = Duration::from_millis(200);

fn get(url: &str) -> Call<'_> {
    Call { method: Method::GET, url, headers: &[], body: String::new(), time_max: Duration::from_secs(20) }
}

/// A server that answers this, once a connection, to whatever it is sent; it hangs where that is empty.
async fn server(answer: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/x", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let answer = answer.clone();
            tokio::spawn(async move {
                let _request = stream.read(&mut [0; 4096]).await;
                if answer.is_empty() {
                    std::future::pending::<()>().await;
                }
                let _sent = stream.write_all(answer.as_bytes()).await;
            });
        }
    });
    url
}

fn whole(status: &str, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\n\r\n{body}", body.len())
}

#[tokio::test]
async fn an_answer_is_read_with_its_status_and_when_to_come_again() {
    let url = server(whole("429 Too Many Requests", "retry-after: 7\r\n", "later")).await;
    let answer = Http::default().call(get(&url)).await.unwrap();
    assert_eq!((answer.status.as_u16(), answer.body.as_str()), (429, "later"));
    assert_eq!(answer.retry_after, Some(Duration::from_secs(7)));
    let url = server(whole("503 No", "retry-after: 999999\r\n", "")).await;
    assert_eq!(Http::default().call(get(&url)).await.unwrap().retry_after, Some(RETRY_AFTER_MAX));
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_leads_nowhere() {
    let elsewhere = server(whole("200 OK", "", "elsewhere")).await;
    let url = server(whole("302 Found", &format!("location: {elsewhere}\r\n"), "")).await;
    assert_eq!(Http::default().call(get(&url)).await.unwrap().status, StatusCode::FOUND);
}

#[tokio::test]
async fn what_is_slow_too_long_or_cut_off_is_told_apart() {
    let http = Http::default();
    let silent = server(String::new()).await;
    let slow = http.call(Call { time_max: SHORT, ..get(&silent) }).await.unwrap_err();
    assert!(matches!(slow, HttpError::Slow { step: Step::Answer, .. }), "{slow:?}");
    assert_eq!(slow.to_string(), "no answer within 0.2 s");
    let long = server(whole("200 OK", "", &"x".repeat(ANSWER_BYTES_MAX + 1))).await;
    let long = http.call(get(&long)).await.unwrap_err();
    assert!(matches!(long, HttpError::TooLong(ANSWER_BYTES_MAX)), "{long:?}");
    let half = server("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf".to_owned()).await;
    assert!(matches!(http.call(get(&half)).await, Err(HttpError::Failed(_))));
    let nobody = http.call(get("http://127.0.0.1:1/")).await.unwrap_err();
    assert!(nobody.to_string().contains("refused"), "{nobody}");
}

#[tokio::test]
async fn tls_that_never_begins_is_told_from_a_server_that_does_not_answer() {
    let url = server(String::new()).await.replace("http", "https");
    let http = Http::default().connecting_within(SHORT);
    let slow = http.call(get(&url)).await.unwrap_err();
    assert!(matches!(slow, HttpError::Slow { step: Step::Tls, .. }), "{slow:?}");
    let url = server("HTTP/1.1 400 Bad Request\r\n\r\n".to_owned()).await.replace("http", "https");
    assert!(matches!(http.call(get(&url)).await, Err(HttpError::Tls(_))));
}

#[tokio::test]
async fn a_unix_socket_stands_for_any_address() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let http = Http::default().over(&path);
    assert!(matches!(http.call(get("http://localhost/x")).await, Err(HttpError::NotConnected(_))));
    let listener = UnixListener::bind(&path).unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _request = stream.read(&mut [0; 4096]).await;
            let _sent = stream.write_all(whole("200 OK", "", "by socket").as_bytes()).await;
        }
    });
    assert_eq!(http.call(get("http://localhost/x")).await.unwrap().body, "by socket");
}

/// A name that looks harmless is judged by where it leads: this one is written as a number.
#[tokio::test]
async fn what_somebody_else_handed_in_is_judged_by_where_it_leads() {
    let http = Http::default();
    let url = server(whole("200 OK", "", "inside")).await;
    let port = url.parse::<Url>().unwrap().port();
    for host in ["127.1", "0x7f.0.0.1", "localhost", "[::1]", "127.0.0.1"] {
        let url = format!("https://{host}:{port}/");
        let refused = http.call_public(get(&url), &[]).await.unwrap_err();
        assert!(matches!(refused, HttpError::NotCalled(NotCalled::Inside(_))), "{host}: {refused}");
    }
    let named = [format!("http://127.0.0.1:{port}")];
    assert_eq!(http.call_public(get(&url), &named).await.unwrap().body, "inside");
}

/// What the connector looks up is what is judged: a name that passed as text and leads inside is not connected to.
#[tokio::test]
async fn the_address_that_is_connected_to_is_the_one_that_was_judged() {
    let url = server(whole("200 OK", "", "inside")).await.replace("127.0.0.1", "localhost");
    let reached = Http::default().call_within(Reach::Public, get(&url)).await;
    assert!(matches!(reached, Err(HttpError::NotCalled(NotCalled::Inside(_)))), "{reached:?}");
    assert_eq!(Http::default().call_within(Reach::Any, get(&url)).await.unwrap().body, "inside");
}
