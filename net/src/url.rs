//! Addresses of services: the one place where a URL is taken apart, and where a word is written into one.

use std::fmt;
use std::str::FromStr;

use hyper::Uri;
use hyper::http::uri::{Authority, Scheme};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What is written as it is in a path and in a query.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// An `http://` or `https://` address with a host. It is parsed by what connects to it, so that nobody judges another
/// host than the one that is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Url {
    uri: Uri,
    authority: Authority,
}

/// Why an address cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// It has another form.
    #[error("`{0}` does not begin with http:// or https://")]
    Form(String),
    /// It names nobody.
    #[error("`{0}` has no host")]
    NoHost(String),
}

impl FromStr for Url {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<Self, UrlError> {
        let form = || UrlError::Form(text.to_owned());
        let uri: Uri = text.parse().map_err(|_| form())?;
        let is_web = [Some(&Scheme::HTTP), Some(&Scheme::HTTPS)].contains(&uri.scheme());
        let authority = uri.authority().filter(|_| is_web).cloned().ok_or_else(form)?;
        let port = authority.as_str().rsplit(']').next().and_then(|behind| behind.split_once(':'));
        // Nobody is called by a name of their own, and what stands for a port is one.
        if authority.as_str().contains('@') || (port.is_some() && authority.port_u16().is_none()) {
            return Err(form());
        }
        if authority.host().is_empty() {
            return Err(UrlError::NoHost(text.to_owned()));
        }
        Ok(Self { uri, authority })
    }
}

impl Url {
    /// Whether the way there is encrypted.
    pub fn is_tls(&self) -> bool {
        self.uri.scheme() == Some(&Scheme::HTTPS)
    }

    /// Returns the host, an IPv6 address without its brackets.
    pub fn host(&self) -> &str {
        let host = self.authority.host();
        host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
    }

    /// Returns the port, the usual one where none is named.
    pub fn port(&self) -> u16 {
        self.authority.port_u16().unwrap_or(if self.is_tls() { 443 } else { 80 })
    }

    /// Returns the port where one is named.
    pub fn named_port(&self) -> Option<u16> {
        self.authority.port_u16()
    }

    /// Returns the host with its port, as they were written.
    pub fn authority(&self) -> &str {
        self.authority.as_str()
    }

    /// Returns what a page of that host says where it is from.
    pub fn origin(&self) -> String {
        format!("{}://{}", if self.is_tls() { "https" } else { "http" }, self.authority)
    }

    pub(crate) fn uri(&self) -> &Uri {
        &self.uri
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uri.fmt(f)
    }
}

/// Writes a value so that it can stand in a path or a query.
pub fn escaped(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

/// Returns the host of `host:port`.
pub fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => host,
        _ => authority,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_apart() {
        for (url, expected) in [
            ("http://a.example:9/x?y", Some((false, "a.example", 9, "http://a.example:9"))),
            ("https://a.example", Some((true, "a.example", 443, "https://a.example"))),
            ("http://127.0.0.1/", Some((false, "127.0.0.1", 80, "http://127.0.0.1"))),
            ("http://127.0.0.1:8275", Some((false, "127.0.0.1", 8275, "http://127.0.0.1:8275"))),
            ("https://[::1]:8443/p", Some((true, "::1", 8443, "https://[::1]:8443"))),
            ("http://[::1]/p", Some((false, "::1", 80, "http://[::1]"))),
            ("http://desk", Some((false, "desk", 80, "http://desk"))),
            ("ftp://a", None),
            ("http://", None),
            ("http://me@a/", None),
            ("http://a:port/", None),
            ("http://a:/", None),
            ("http://a:99999/", None),
            ("http://:80/", None),
            ("http://a b", None),
            ("127.0.0.1:8275", None),
            ("/x", None),
            ("", None),
        ] {
            let found = Url::from_str(url).ok();
            let parts = found.as_ref().map(|url| (url.is_tls(), url.host(), url.port(), url.origin()));
            let parts = parts.as_ref().map(|(tls, host, port, origin)| (*tls, *host, *port, origin.as_str()));
            assert_eq!(parts, expected, "{url}");
        }
        assert_eq!(Url::from_str("http://:80/"), Err(UrlError::NoHost("http://:80/".into())));
    }

    #[test]
    fn what_stands_in_a_path_is_escaped() {
        assert_eq!(escaped("a/b c?ü"), "a%2Fb%20c%3F%C3%BC");
        assert_eq!(escaped("ask_01-._~"), "ask_01-._~");
    }

    #[test]
    fn a_host_is_told_from_its_port() {
        for (authority, host) in [
            ("a.example:80", "a.example"),
            ("a.example", "a.example"),
            ("[::1]:80", "[::1]"),
            ("[::1]", "[::1]"),
        ] {
            assert_eq!(without_port(authority), host);
        }
    }
}
