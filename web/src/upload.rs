//! What a form sends, up to a limit: a body as it is, and a file that is sent along (`multipart/form-data`).

use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::StreamExt as _;
use multer::{Constraints, Error, Multipart, SizeLimit, parse_boundary};
use tokio::time::timeout;

/// What the form says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Upload {
    /// The file; empty where none was chosen.
    pub(super) file: Bytes,
    /// Up to which message it is to be read.
    pub(super) before: Option<usize>,
}

/// Why a body was not taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotTaken {
    /// It is larger than allowed.
    TooLarge,
    /// It broke off, or took too long.
    Lost,
    /// It is no such form.
    Malformed,
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
    timeout(time_max, taking).await.unwrap_or(Err(NotTaken::Lost))
}

/// Takes a form in.
pub(super) async fn take_form(
    content_type: &str,
    body: Body,
    bytes_max: u64,
    time_max: Duration,
) -> Result<Upload, NotTaken> {
    let boundary = parse_boundary(content_type).map_err(|_| NotTaken::Malformed)?;
    let limits = Constraints::new().size_limit(SizeLimit::new().whole_stream(bytes_max));
    let form = Multipart::with_constraints(body.into_data_stream(), boundary, limits);
    match timeout(time_max, read(form)).await {
        Ok(Ok(upload)) => Ok(upload),
        Ok(Err(Error::StreamSizeExceeded { .. })) => Err(NotTaken::TooLarge),
        Ok(Err(Error::StreamReadFailed(_))) | Err(_) => Err(NotTaken::Lost),
        Ok(Err(_)) => Err(NotTaken::Malformed),
    }
}

async fn read(mut form: Multipart<'_>) -> Result<Upload, Error> {
    let mut upload = Upload::default();
    while let Some(field) = form.next_field().await? {
        match field.name() {
            Some("file") => upload.file = field.bytes().await?,
            Some("before") => upload.before = field.text().await?.parse().ok(),
            _ => {}
        }
    }
    Ok(upload)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: &str = "multipart/form-data; boundary=XyZ";
    const LONG: Duration = Duration::from_secs(9);

    async fn taken(kind: &str, body: impl Into<Body>) -> Result<Upload, NotTaken> {
        take_form(kind, body.into(), 1 << 20, LONG).await
    }

    #[tokio::test]
    async fn fields_are_found_as_browsers_send_them() {
        let body = "--XyZ\r\nContent-Disposition: form-data; name=\"before\"\r\n\r\n40\r\n\
            --XyZ\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\n1\r\n\
            --XyZ\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a;b.jsonl\"\r\n\
            Content-Type: application/octet-stream\r\n\r\n{}\r\n--Xy\r\n\r\n{}\n\r\n--XyZ--\r\n";
        let expected = Upload { file: "{}\r\n--Xy\r\n\r\n{}\n".into(), before: Some(40) };
        assert_eq!(taken(KIND, body).await.as_ref(), Ok(&expected));
        let quoted = "Multipart/Form-Data; charset=utf-8; Boundary=\"XyZ\"";
        assert_eq!(taken(quoted, body).await, Ok(expected));
    }

    #[tokio::test]
    async fn a_body_that_is_broken_or_something_else_is_not_taken() {
        let whole = "--XyZ\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n1\r\n--XyZ--\r\n";
        assert_eq!(taken(KIND, whole).await.map(|upload| upload.file), Ok("1".into()));
        // The line break behind the end may be missing.
        for cut in 0..whole.len() - 4 {
            assert!(taken(KIND, &whole[..cut]).await.is_err(), "{cut}");
        }
        for (kind, body) in [
            ("", whole),
            ("text/plain; boundary=XyZ", whole),
            ("multipart/form-data", whole),
            (KIND, ""),
            (KIND, "--XyZ\r\n\r\n\r\n"),
        ] {
            assert_eq!(taken(kind, body).await, Err(NotTaken::Malformed), "{kind}: {body}");
        }
    }

    #[tokio::test]
    async fn a_body_is_taken_in_up_to_its_limit() {
        let long = format!(
            "--XyZ\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n{}\r\n--XyZ--\r\n",
            "x".repeat(1000)
        );
        let form = |max| take_form(KIND, Body::from(long.clone()), max, LONG);
        assert_eq!(form(u64::try_from(long.len()).unwrap()).await.map(|upload| upload.file.len()), Ok(1000));
        assert_eq!(form(999).await, Err(NotTaken::TooLarge));
        let silent = Body::from_stream(futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>());
        assert_eq!(take_form(KIND, silent, 5, Duration::from_millis(5)).await, Err(NotTaken::Lost));
        let silent = Body::from_stream(futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>());
        assert_eq!(take(silent, 5, Duration::from_millis(5)).await, Err(NotTaken::Lost));
        assert_eq!(take("12345".into(), 5, LONG).await, Ok(b"12345".to_vec()));
        assert_eq!(take("123456".into(), 5, LONG).await, Err(NotTaken::TooLarge));
        let cut = futures_util::stream::iter([Ok("--XyZ\r\n"), Err(std::io::Error::other("cut"))]);
        assert_eq!(take_form(KIND, Body::from_stream(cut), 50, LONG).await, Err(NotTaken::Lost));
    }
}
