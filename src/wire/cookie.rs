//! What a browser sends along by itself: the cookies of a request, and where its page is from.

use axum::http::{HeaderMap, header};

/// Returns the value of a cookie, the first of its name; none where the request has none.
///
/// A browser may write them in one header or in several (RFC 6265 §5.4, RFC 9113 §8.2.3).
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find_map(|(known, value)| (known == name).then_some(value))
}

/// Whether the page that sent this is seen over TLS, as its origin says: then its cookies are for TLS
/// only.
pub fn is_https(headers: &HeaderMap) -> bool {
    headers.get(header::ORIGIN).is_some_and(|origin| origin.as_bytes().starts_with(b"https://"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lines: &[&str], expected: Option<&str>) {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::COOKIE, line.parse().unwrap());
        }
        assert_eq!(cookie(&headers, "askuser"), expected);
    }

    #[test]
    fn a_cookie_is_found_by_its_whole_name() {
        check(&[], None);
        check(&["askuser=abc"], Some("abc"));
        check(&["a=1; askuser=abc;b=2"], Some("abc"));
        check(&["a=1", "askuser=abc"], Some("abc"));
        check(&["askuser=a=b"], Some("a=b"));
        check(&["askuser=first; askuser=second"], Some("first"));
        check(&["askuser_look=abc; xaskuser=abc; askuser"], None);
        check(&["\u{e4}; askuser=abc"], None); // Not text: the line says nothing.
    }
}
