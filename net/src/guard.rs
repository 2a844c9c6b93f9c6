//! Where the desk may be sent by somebody else: an address that a browser hands in is called only if it
//! leads out of this network, or if whoever runs the desk named it.
//!
//! Names are looked up once, every address behind them is judged, and one of those is called: a name that
//! leads elsewhere a moment later leads nowhere. Nothing is followed from there.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::url::Url;
use askuser_words::fault::Wrong;
use askuser_words::{Both, both};

use askuser_wire::host::{Leads, ipv4, leads_to};

/// The longest address.
const URL_BYTES_MAX: usize = 2048;

/// Why an address is not called.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.said().english)]
pub enum NotCalled {
    /// It is none.
    NoAddress,
    /// Anybody can read along on the way there.
    NotEncrypted,
    /// It leads into this machine or its network.
    Inside(String),
}

impl NotCalled {
    /// Says it in both languages.
    pub fn said(&self) -> Both {
        match self {
            Self::NoAddress => both(Wrong::no_push_address),
            Self::NotEncrypted => both(Wrong::push_address_in_the_open),
            Self::Inside(host) => both(|say: Wrong| say.push_address_inside(host)),
        }
    }
}

/// Which addresses a name may lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    Any,
    /// Those of the open internet.
    Public,
}

/// Checks an address as it is written; `servers` are those that were named, as `https://host:port`.
pub fn check(url: &str, servers: &[String]) -> Result<(), NotCalled> {
    reach(url, servers).map(drop)
}

/// The same; returns what its name may lead to.
pub(crate) fn reach(text: &str, servers: &[String]) -> Result<Reach, NotCalled> {
    let is_printable = text.len() <= URL_BYTES_MAX && text.bytes().all(|byte| byte.is_ascii_graphic());
    let url = text.parse::<Url>().ok().filter(|_| is_printable && !text.contains('#'));
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-".contains(c);
    let url = url.filter(|url| {
        let path = text.strip_prefix(&url.origin()).unwrap_or("?");
        let is_host = url.host().chars().all(plain) || url.host().parse::<Ipv6Addr>().is_ok();
        is_host && (path.is_empty() || path.starts_with('/'))
    });
    let url = url.ok_or(NotCalled::NoAddress)?;
    let is_named = |server: &String| server.trim_end_matches('/').eq_ignore_ascii_case(&url.origin());
    if servers.iter().any(is_named) {
        return Ok(Reach::Any);
    }
    if !url.is_tls() {
        return Err(NotCalled::NotEncrypted);
    }
    let name = url.host().trim_end_matches('.').to_ascii_lowercase();
    // In any of the ways that an address may be written, as `127.1`.
    let ip = ipv4(&name).map(IpAddr::from).or_else(|| name.parse().ok());
    let inside = ip.map_or_else(|| leads_to(&name) != Leads::Out, |ip| !is_public(ip));
    if inside {
        return Err(NotCalled::Inside(name));
    }
    Ok(Reach::Public)
}

impl Reach {
    /// Judges what a name leads to: all of it, for any of it may be called.
    pub(crate) fn judge(self, name: &str, mut found: impl Iterator<Item = IpAddr>) -> Result<(), NotCalled> {
        match found.find(|ip| self == Self::Public && !is_public(*ip)) {
            Some(inside) => Err(NotCalled::Inside(format!("{name} ({inside})"))),
            None => Ok(()),
        }
    }
}

/// Whether an address is one of the open internet.
fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let reserved = a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a, b, c) == (192, 0, 0)
        || (a == 198 && (18..20).contains(&b));
    let special = ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_multicast()
        || ip.is_documentation();
    !reserved && !special
}

/// Addresses that carry one of IPv4 are judged by it.
fn is_public_v6(ip: Ipv6Addr) -> bool {
    let inner = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match ip.segments() {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => inner(high, low),
        // Only 2000::/3 is given out; of it, not what is for documents and for Teredo.
        [first, second, ..] => {
            first & 0xe000 == 0x2000 && !(first == 0x2001 && (second == 0x0db8 || second == 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_open_internet_is_called_unless_somebody_named_it() {
        let servers = ["http://127.0.0.1:8080/".to_owned(), "https://push.lan".to_owned()];
        for (url, good) in [
            ("https://fcm.googleapis.com/fcm/send/abc:def-_", true),
            ("https://updates.push.services.mozilla.com/wpush/v2/x", true),
            ("https://web.push.apple.com/Q?x=1", true),
            ("https://8.8.8.8/x", true),
            ("http://127.0.0.1:8080/push/1", true),
            ("https://push.lan/1", true),
            ("http://push.lan/1", false),
            ("http://127.0.0.1:8081/push/1", false),
            ("http://fcm.googleapis.com/x", false),
            ("https://localhost/x", false),
            ("https://a.localhost/x", false),
            ("https://localhost.localdomain/x", false),
            ("https://127.1/x", false),
            ("https://2130706433/x", false),
            ("https://0x7f.0.0.1/x", false),
            ("https://intranet/x", false),
            ("https://10.1.2.3/x", false),
            ("https://192.168.0.1:9200/", false),
            ("https://169.254.169.254/latest", false),
            ("https://100.64.0.1/", false),
            ("https://0.0.0.0/", false),
            ("https://[::1]/x", false),
            ("https://[fd00::1]/x", false),
            ("https://[fe80::1]/x", false),
            ("https://[::ffff:10.0.0.1]/x", false),
            ("https://[64:ff9b::a00:1]/x", false),
            ("https://[2002:a00:1::]/x", false),
            ("https://[2a00:1450:4001:800::200e]/x", true),
            ("https://me@a.example/", false),
            ("https://a.example/#x", false),
            ("https://a.example/ x", false),
            ("https://a.example?x/y", false),
            ("ftp://a.example/", false),
            ("", false),
        ] {
            assert_eq!(check(url, &servers).is_ok(), good, "{url}");
        }
        let long = format!("https://a.example/{}", "x".repeat(2048));
        assert_eq!(check(&long, &servers), Err(NotCalled::NoAddress));
    }

    /// All that a name leads to is judged: any of it may be called.
    #[test]
    fn one_inner_address_behind_a_name_is_enough() {
        let ips = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<IpAddr>>();
        let judged = |reach: Reach, texts| reach.judge("a.example", ips(texts).into_iter());
        assert_eq!(judged(Reach::Public, &["8.8.8.8", "2a00:1450:4001:800::200e"]), Ok(()));
        let inside = NotCalled::Inside("a.example (10.0.0.1)".to_owned());
        assert_eq!(judged(Reach::Public, &["8.8.8.8", "10.0.0.1"]), Err(inside));
        assert_eq!(judged(Reach::Any, &["10.0.0.1"]), Ok(()));
    }
}
