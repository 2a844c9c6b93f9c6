//! What a browser sends along by itself: the cookies of a request, and where its page is from.
//!
//! A cookie knows no port, so every other server under the same name is sent it as well. Which cookie is
//! set and taken therefore hangs on the name by which a request came.

use http::{HeaderMap, header};

/// The cookie of a signed-in browser.
pub const COOKIE: &str = "askuser";
/// The same over TLS: no page without it, and none of another name, can set or change this one.
pub const SECURE_COOKIE: &str = "__Host-askuser";

/// Under what kind of name a request came, as far as the page's cookie goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CookieScope {
    /// A name that every program on this machine has, as `localhost`: no cookie is set or taken.
    #[default]
    Shared,
    /// The page's own name, which no other server is opened under.
    Own,
    /// Over TLS, ours or a proxy's.
    Secure,
    /// In the network, by a name of which we do not know whether a proxy adds TLS.
    Network,
}

impl CookieScope {
    /// Returns the cookie of a signed-in browser, where one counts here.
    pub fn cookie(self, headers: &HeaderMap) -> Option<&str> {
        match self {
            Self::Shared => None,
            Self::Own => cookie(headers, COOKIE),
            Self::Secure => cookie(headers, SECURE_COOKIE),
            Self::Network => cookie(headers, SECURE_COOKIE).or_else(|| cookie(headers, COOKIE)),
        }
    }

    /// Returns what sets the cookie for so many seconds, to be answered to this request; none where none is set.
    pub fn set(self, headers: &HeaderMap, secret: &str, age_s: u64) -> Option<String> {
        let is_secure = match self {
            Self::Shared => return None,
            Self::Own => false,
            Self::Secure => true,
            // A form says by its origin which it is, and the door has checked that.
            Self::Network => is_https(headers),
        };
        let (name, secure) = if is_secure { (SECURE_COOKIE, "; Secure") } else { (COOKIE, "") };
        Some(format!("{name}={secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age={age_s}{secure}"))
    }
}

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

    fn headers(lines: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::COOKIE, line.parse().unwrap());
        }
        headers
    }

    #[track_caller]
    fn check(lines: &[&str], expected: Option<&str>) {
        assert_eq!(cookie(&headers(lines), "askuser"), expected);
    }

    #[test]
    fn a_cookie_is_found_by_its_whole_name() {
        check(&[], None);
        check(&["askuser=abc"], Some("abc"));
        check(&["a=1; askuser=abc;b=2"], Some("abc"));
        check(&["a=1", "askuser=abc"], Some("abc"));
        check(&["askuser=a=b"], Some("a=b"));
        check(&["askuser=first; askuser=second"], Some("first"));
        check(&["askuser_look=abc; xaskuser=abc; askuser; __Host-askuser=abc"], None);
        check(&["\u{e4}; askuser=abc"], None); // Not text: the line says nothing.
    }

    #[test]
    fn which_cookie_counts_hangs_on_the_name_that_the_request_came_by() {
        let both = headers(&["askuser=plain; __Host-askuser=secure"]);
        let taken = |scope: CookieScope| scope.cookie(&both);
        assert_eq!(taken(CookieScope::Shared), None);
        assert_eq!(taken(CookieScope::Own), Some("plain"));
        assert_eq!(taken(CookieScope::Secure), Some("secure"));
        assert_eq!(taken(CookieScope::Network), Some("secure"));
        assert_eq!(CookieScope::Secure.cookie(&headers(&["askuser=plain"])), None);
        assert_eq!(CookieScope::Network.cookie(&headers(&["askuser=plain"])), Some("plain"));
    }

    #[test]
    fn a_cookie_in_the_network_is_for_this_host_and_tls_only() {
        let mut https = HeaderMap::new();
        https.insert(header::ORIGIN, "https://desk.example.com".parse().unwrap());
        let rest = "; HttpOnly; SameSite=Strict; Path=/; Max-Age=9";
        for (scope, headers, expected) in [
            (CookieScope::Shared, &https, None),
            (CookieScope::Own, &HeaderMap::new(), Some(format!("askuser=x{rest}"))),
            (CookieScope::Secure, &HeaderMap::new(), Some(format!("__Host-askuser=x{rest}; Secure"))),
            (CookieScope::Network, &https, Some(format!("__Host-askuser=x{rest}; Secure"))),
            (CookieScope::Network, &HeaderMap::new(), Some(format!("askuser=x{rest}"))),
        ] {
            assert_eq!(scope.set(headers, "x", 9), expected, "{scope:?}");
        }
    }
}
