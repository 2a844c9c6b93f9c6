//! A file that a form sends along: the fields of a `multipart/form-data` body.
//!
//! The body is taken in up to a limit and looked at where it lies; nothing of it is kept.

use std::ops::Range;
use std::time::Duration;

use axum::body::Body;
use futures_util::StreamExt as _;

/// The longest boundary, as the standard has it.
const BOUNDARY_BYTES_MAX: usize = 70;
/// More fields than any form of ours has.
const FIELDS_MAX: usize = 16;

/// Why a body was not taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotTaken {
    /// It is larger than allowed.
    TooLarge,
    /// It broke off, or took too long.
    Lost,
}

/// Takes a body in.
pub(super) async fn take(body: Body, bytes_max: usize, time_max: Duration) -> Result<Vec<u8>, NotTaken> {
    let taking = async {
        let mut taken = Vec::new();
        let mut pieces = body.into_data_stream();
        while let Some(piece) = pieces.next().await {
            let piece = piece.map_err(|_| NotTaken::Lost)?;
            if taken.len() + piece.len() > bytes_max {
                return Err(NotTaken::TooLarge);
            }
            taken.extend_from_slice(&piece);
        }
        Ok(taken)
    };
    tokio::time::timeout(time_max, taking).await.unwrap_or(Err(NotTaken::Lost))
}

/// The fields of a body: their names, and where their values lie.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Fields(Vec<(String, Range<usize>)>);

impl Fields {
    /// Finds the fields; none where the body is no such form, or broken.
    pub(super) fn find(content_type: &str, body: &[u8]) -> Self {
        let Some(boundary) = boundary(content_type) else { return Self::default() };
        let mark = format!("--{boundary}").into_bytes();
        let mut fields = Vec::new();
        let mut at = position(body, &mark, 0).map(|begin| begin + mark.len());
        while let Some(begin) = at.filter(|_| fields.len() < FIELDS_MAX) {
            // Two dashes behind the mark are the end.
            let Some(rest) = body.get(begin..).filter(|rest| rest.starts_with(b"\r\n")) else { break };
            let Some(head) = position(rest, b"\r\n\r\n", 0) else { break };
            let value = begin + head + 4;
            let Some(end) = position(body, &[b"\r\n", mark.as_slice()].concat(), value) else { break };
            let head = rest.get(..head).map(String::from_utf8_lossy).unwrap_or_default();
            fields.extend(name(&head).map(|name| (name, value..end)));
            at = Some(end + 2 + mark.len());
        }
        Self(fields)
    }

    /// Returns where the value of a field lies.
    pub(super) fn place(&self, name: &str) -> Option<Range<usize>> {
        self.0.iter().find(|(field, _)| field == name).map(|(_, place)| place.clone())
    }
}

/// Returns what parts the fields.
fn boundary(content_type: &str) -> Option<&str> {
    let (kind, rest) = content_type.split_once(';')?;
    if !kind.trim().eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let parameters = rest.split(';').filter_map(|parameter| parameter.trim().split_once('='));
    let (_, value) = parameters.into_iter().find(|(key, _)| key.eq_ignore_ascii_case("boundary"))?;
    let value = value.trim_matches('"');
    (1..=BOUNDARY_BYTES_MAX).contains(&value.len()).then_some(value)
}

/// Returns the field that a part's head names.
fn name(head: &str) -> Option<String> {
    let is_disposition = |line: &&str| line.to_ascii_lowercase().starts_with("content-disposition:");
    let disposition = head.split("\r\n").find(is_disposition)?;
    let parameters = disposition.split(';').filter_map(|parameter| parameter.trim().split_once('='));
    let (_, value) = parameters.into_iter().find(|(key, _)| *key == "name")?;
    Some(value.trim_matches('"').to_owned())
}

/// Finds bytes in others, from a place on. What is looked for begins with a byte that is rare in
/// texts, so looking for that one first is quick.
fn position(body: &[u8], wanted: &[u8], from: usize) -> Option<usize> {
    let first = *wanted.first()?;
    let mut at = from;
    loop {
        at += body.get(at..)?.iter().position(|byte| *byte == first)?;
        if body.get(at..)?.starts_with(wanted) {
            return Some(at);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: &str = "multipart/form-data; boundary=XyZ";

    fn value<'a>(body: &'a str, name: &str) -> Option<&'a str> {
        Fields::find(KIND, body.as_bytes()).place(name).and_then(|place| body.get(place))
    }

    #[test]
    fn fields_are_found_as_browsers_send_them() {
        let body = "--XyZ\r\nContent-Disposition: form-data; name=\"before\"\r\n\r\n40\r\n\
            --XyZ\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a;b.jsonl\"\r\n\
            Content-Type: application/octet-stream\r\n\r\n{}\r\n--Xy\r\n\r\n{}\n\r\n--XyZ--\r\n";
        assert_eq!(value(body, "before"), Some("40"));
        assert_eq!(value(body, "file"), Some("{}\r\n--Xy\r\n\r\n{}\n"));
        assert_eq!(value(body, "filename"), None);
        let quoted = "Multipart/Form-Data; charset=utf-8; Boundary=\"XyZ\"";
        assert!(Fields::find(quoted, body.as_bytes()).place("file").is_some());
    }

    #[test]
    fn a_broken_body_has_the_fields_that_are_whole() {
        let whole = "--XyZ\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--XyZ\r\n";
        assert_eq!(value(whole, "a"), Some("1"));
        for cut in 0..whole.len() {
            let _none_or_whole = value(&whole[..cut], "a").inspect(|a| assert_eq!(*a, "1"));
        }
        for (kind, body) in [
            ("", whole),
            ("text/plain; boundary=XyZ", whole),
            ("multipart/form-data", whole),
            ("multipart/form-data; boundary=", whole),
            (KIND, ""),
            (KIND, "--XyZ--"),
            (KIND, "--XyZ\r\n\r\n\r\n"),
            (KIND, "--XyZ\r\nContent-Disposition: form-data\r\n\r\n1\r\n--XyZ--"),
        ] {
            assert_eq!(Fields::find(kind, body.as_bytes()), Fields::default(), "{kind}: {body}");
        }
        let many = "--XyZ\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n".repeat(1000);
        assert_eq!(Fields::find(KIND, many.as_bytes()).0.len(), FIELDS_MAX);
    }

    #[tokio::test]
    async fn a_body_is_taken_in_up_to_its_limit() {
        let take = |bytes: &'static str, max| take(Body::from(bytes), max, Duration::from_secs(9));
        assert_eq!(take("12345", 5).await, Ok(b"12345".to_vec()));
        assert_eq!(take("123456", 5).await, Err(NotTaken::TooLarge));
        let silent = Body::from_stream(futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>());
        assert_eq!(super::take(silent, 5, Duration::from_millis(5)).await, Err(NotTaken::Lost));
    }
}
