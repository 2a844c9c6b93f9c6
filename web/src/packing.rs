//! Pages and files packed for the way, for browsers that take them so.

use std::io::Write as _;

use axum::http::HeaderValue;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, VARY};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::visit::Visit;

/// Less than this is not worth the work.
const BYTES_MIN: usize = 2048;

/// Packs as small as it gets, for what is packed once; nothing where it cannot be.
pub(super) fn packed_once(text: &str) -> Vec<u8> {
    packed(text, Compression::best())
}

/// Answers with a text that is made anew each time, packed quickly where that helps.
pub(super) fn fresh(visit: &Visit, text: String) -> Response {
    if text.len() < BYTES_MIN || !takes_packed(visit) {
        return marked(text.into_response());
    }
    let bytes = packed(&text, Compression::fast());
    if bytes.is_empty() { marked(text.into_response()) } else { as_packed(bytes) }
}

/// Answers with what was packed before.
pub(super) fn as_packed(bytes: impl IntoResponse) -> Response {
    let mut response = marked(bytes.into_response());
    response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    response
}

/// Says that the answer depends on what the browser takes.
pub(super) fn marked(mut response: Response) -> Response {
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept-encoding"));
    response
}

/// Whether this browser takes what is packed.
pub(super) fn takes_packed(visit: &Visit) -> bool {
    visit.header(ACCEPT_ENCODING).is_some_and(takes_gzip)
}

fn packed(text: &str, how: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), how);
    encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish()).unwrap_or_default()
}

fn takes_gzip(accepted: &str) -> bool {
    accepted.split(',').any(|given| {
        let mut parts = given.split(';').map(str::trim);
        let refused =
            |weight: &str| weight.strip_prefix("q=").is_some_and(|q| q.trim_matches(['0', '.']).is_empty());
        parts.next() == Some("gzip") && !parts.any(refused)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_is_sent_only_to_who_takes_it() {
        let takes = ["gzip", "br, gzip", "gzip;q=0.5", "deflate , gzip; q=1.0"];
        let refuses = ["", "br", "gzip;q=0", "gzip; q=0.000", "xgzip", "identity"];
        assert_eq!(takes.map(takes_gzip), [true; 4]);
        assert_eq!(refuses.map(takes_gzip), [false; 6]);
    }
}
