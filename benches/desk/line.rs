//! The thinnest client there is, so that what is measured is the server.

use std::io;
use std::net::SocketAddr;

use tokio::net::TcpStream;

/// One connection, kept open from call to call.
pub(crate) struct Line {
    stream: TcpStream,
    host: SocketAddr,
    key: String,
    read: Vec<u8>,
}

impl Line {
    pub(crate) async fn open(host: SocketAddr, key: &str) -> Self {
        let stream = TcpStream::connect(host).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, host, key: key.to_owned(), read: Vec::with_capacity(4096) }
    }

    /// Makes a call that must succeed; returns the body.
    pub(crate) async fn call(&mut self, method: &str, path: &str, more: &str, body: &str) -> String {
        self.send(method, path, more, body).await;
        self.receive().await
    }

    pub(crate) async fn send(&mut self, method: &str, path: &str, more: &str, body: &str) {
        let Self { host, key, .. } = self;
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n{more}\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        let mut rest = request.as_bytes();
        while !rest.is_empty() {
            self.stream.writable().await.unwrap();
            match self.stream.try_write(rest) {
                Ok(n) => rest = &rest[n..],
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::WouldBlock, "{error}"),
            }
        }
    }

    pub(crate) async fn receive(&mut self) -> String {
        loop {
            if let Some(body) = self.whole() {
                return body;
            }
            self.stream.readable().await.unwrap();
            let before = self.read.len();
            self.read.resize(before + 16 * 1024, 0);
            let n = match self.stream.try_read(&mut self.read[before..]) {
                Ok(n) => {
                    assert!(n > 0, "the server closed the connection");
                    n
                }
                Err(error) => {
                    assert_eq!(error.kind(), io::ErrorKind::WouldBlock, "{error}");
                    0
                }
            };
            self.read.truncate(before + n);
        }
    }

    /// Takes one whole answer off what was read.
    fn whole(&mut self) -> Option<String> {
        let end = self.read.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
        let head = String::from_utf8_lossy(&self.read[..end]).to_ascii_lowercase();
        let length = head.split("\r\n").find_map(|line| line.strip_prefix("content-length:"));
        let length: usize = length.map_or(0, |length| length.trim().parse().unwrap());
        if self.read.len() < end + length {
            return None;
        }
        let body = String::from_utf8_lossy(&self.read[end..end + length]).into_owned();
        assert!(head.starts_with("http/1.1 20"), "{head}{body}");
        self.read.drain(..end + length);
        Some(body)
    }
}

/// Returns the first value of this name in a JSON text: enough for ids.
pub(crate) fn value<'a>(json: &'a str, name: &str) -> &'a str {
    let name = format!("\"{name}\":\"");
    let begin = json.find(&name).map(|at| at + name.len()).unwrap();
    json[begin..].split('"').next().unwrap()
}
