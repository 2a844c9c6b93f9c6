//! A client of its own, so that a fault in ours cannot hide: HTTP/1.1 over a plain socket, which
//! can also hang up in the middle of a word.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// Longer than anything takes; a call that is cut off by it is a fault.
const PATIENCE: Duration = Duration::from_mins(1);

/// What was answered.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Value,
    /// Seconds after which to come back.
    pub(crate) retry_after: Option<u64>,
}

impl Reply {
    pub(crate) fn is_ok(&self) -> bool {
        matches!(self.status, 200 | 201)
    }

    /// The code of a failure.
    pub(crate) fn error(&self) -> &str {
        self.body["error"].as_str().unwrap_or_default()
    }
}

/// One connection, kept open from call to call.
pub(crate) struct Line {
    address: SocketAddr,
    key: String,
    stream: BufReader<TcpStream>,
    /// Bytes that came.
    n_told: usize,
}

impl Line {
    pub(crate) fn open(address: SocketAddr, key: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self { address, key: key.to_owned(), stream: BufReader::new(stream), n_told: 0 })
    }

    /// The port that we come from, and how many bytes were told to it: what is told next begins there.
    pub(crate) fn place(&self) -> io::Result<(u16, usize)> {
        Ok((self.stream.get_ref().local_addr()?.port(), self.n_told))
    }

    /// From now on silence ends it soon.
    pub(crate) fn soon(&self) -> io::Result<()> {
        self.stream.get_ref().set_read_timeout(Some(Duration::from_secs(1)))
    }

    pub(crate) fn get(&mut self, path: &str) -> io::Result<Reply> {
        self.send("GET", path, "", None)?;
        self.receive()
    }

    pub(crate) fn post(&mut self, path: &str, body: &Value) -> io::Result<Reply> {
        self.send("POST", path, "", Some(body))?;
        self.receive()
    }

    pub(crate) fn put(&mut self, path: &str, body: &Value) -> io::Result<Reply> {
        self.send("PUT", path, "", Some(body))?;
        self.receive()
    }

    pub(crate) fn delete(&mut self, path: &str) -> io::Result<Reply> {
        self.send("DELETE", path, "", None)?;
        self.receive()
    }

    /// Another connection with the same key.
    pub(crate) fn again(&self) -> io::Result<Self> {
        Self::open(self.address, &self.key)
    }

    /// Asks, with an idempotency key, as the agent of its folder: many share one key here.
    pub(crate) fn ask(&mut self, key: &str, body: &Value) -> io::Result<Reply> {
        let folder = body["asker"]["folder"].as_str().unwrap_or_default();
        let more = format!("Idempotency-Key: {key}\r\nAskuser-Whence: {folder}\r\n");
        self.send("POST", "/api/asks", &more, Some(body))?;
        self.receive()
    }

    /// Sends a request and does not wait for the answer.
    pub(crate) fn send(
        &mut self,
        method: &str,
        path: &str,
        more: &str,
        body: Option<&Value>,
    ) -> io::Result<()> {
        let bytes = self.request(method, path, more, body);
        self.stream.get_mut().write_all(&bytes)
    }

    /// Sends the first part of a request, as a client that dies while it speaks.
    pub(crate) fn stammer(mut self, path: &str, body: &Value, n_bytes: usize) -> io::Result<()> {
        let bytes = self.request("POST", path, "", Some(body));
        self.stream.get_mut().write_all(&bytes[..n_bytes.min(bytes.len())])
    }

    fn request(&self, method: &str, path: &str, more: &str, body: Option<&Value>) -> Vec<u8> {
        let Self { address, key, .. } = self;
        let body = body.map(Value::to_string).unwrap_or_default();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {key}\r\n{more}\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        (head + &body).into_bytes()
    }

    /// Reads one answer.
    pub(crate) fn receive(&mut self) -> io::Result<Reply> {
        let first = self.line()?;
        let status = first.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| io::Error::other(format!("no status line: {first:?}")))?;
        let (mut n_bytes, mut retry_after) = (None, None);
        let mut chunked = false;
        loop {
            let line = self.line()?.to_ascii_lowercase();
            match line.split_once(':') {
                Some(("content-length", length)) => n_bytes = length.trim().parse().ok(),
                Some(("retry-after", seconds)) => retry_after = seconds.trim().parse().ok(),
                Some(("transfer-encoding", how)) => chunked = how.contains("chunked"),
                Some(_) => {}
                None => break,
            }
        }
        let mut bytes = Vec::new();
        if chunked {
            self.chunks(&mut bytes)?;
        } else {
            bytes.resize(n_bytes.unwrap_or(0), 0);
            self.stream.read_exact(&mut bytes)?;
            self.n_told += bytes.len();
        }
        let body = if bytes.is_empty() { Value::Null } else { serde_json::from_slice(&bytes)? };
        Ok(Reply { status, body, retry_after })
    }

    fn chunks(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        loop {
            let line = self.line()?;
            let size = usize::from_str_radix(line.trim(), 16).map_err(io::Error::other)?;
            let begin = bytes.len();
            bytes.resize(begin + size, 0);
            self.stream.read_exact(&mut bytes[begin..])?;
            self.n_told += size;
            self.line()?;
            if size == 0 {
                return Ok(());
            }
        }
    }

    /// Reads one line of what is sent bit by bit.
    pub(crate) fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.n_told += line.len();
        Ok(line.trim_end().to_owned())
    }
}
