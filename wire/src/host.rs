//! Hosts as browsers read them: where the host of an address ends, and whether it is this machine.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What the host of an address is, as far as can be said without looking its name up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leads {
    /// Elsewhere.
    Out,
    /// To this machine itself.
    Loopback,
    /// That depends on who reads it, or it is no host.
    Unclear,
}

/// Returns where an `http://` or `https://` address leads. One that browsers would mend before they follow
/// it is unclear: what they make of it is theirs to say.
pub fn leads(address: &str) -> Leads {
    let scheme = ["http://", "https://"]
        .into_iter()
        .find(|scheme| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    let Some(rest) = scheme.map(|scheme| &address[scheme.len()..]) else { return Leads::Unclear };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port),
        _ => (authority, ""),
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    let is_name = !host.is_empty() && host.chars().all(is_plain);
    let is_bracketed = host.starts_with('[') && host.ends_with(']');
    if !port.bytes().all(|digit| digit.is_ascii_digit()) || !(is_name || is_bracketed) {
        return Leads::Unclear;
    }
    leads_to(host)
}

/// The same for a host alone.
pub fn leads_to(host: &str) -> Leads {
    if let Some(inner) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        return inner.parse().map_or(Leads::Unclear, |ip: Ipv6Addr| leads_to_ip(ip.into()));
    }
    let name = host.to_ascii_lowercase();
    let name = name.strip_suffix('.').unwrap_or(&name);
    let last = name.rsplit('.').next().unwrap_or_default();
    if is_number(last) {
        return ipv4(name).map_or(Leads::Unclear, |ip| leads_to_ip(ip.into()));
    }
    // A name without a dot is one of this network, and often of this very machine.
    let own = ["localhost", "localdomain"].contains(&last) || !name.contains('.');
    if own { Leads::Loopback } else { Leads::Out }
}

fn leads_to_ip(ip: IpAddr) -> Leads {
    let is_own = |ip: Ipv4Addr| ip.is_loopback() || ip.octets()[0] == 0;
    let own = match ip {
        IpAddr::V4(ip) => is_own(ip),
        // Those that carry one of IPv4 are judged by it; `::1` and `::` are among the first.
        IpAddr::V6(ip) => match ip.segments() {
            [0, 0, 0, 0, 0, 0, ..] => ip.is_loopback() || ip.to_ipv4().is_some_and(is_own),
            _ => ip.to_ipv4_mapped().is_some_and(is_own),
        },
    };
    if own { Leads::Loopback } else { Leads::Out }
}

/// Reads an IPv4 address in any of the ways that browsers take: `127.0.0.1`, `127.1`, `2130706433`,
/// `0x7f.1`, `0177.0.0.1`.
pub fn ipv4(host: &str) -> Option<Ipv4Addr> {
    let parts: Option<Vec<u64>> = host.split('.').map(number).collect();
    let parts = parts?;
    let (last, first) = parts.split_last()?;
    if parts.len() > 4 || first.iter().any(|part| *part > 255) {
        return None;
    }
    // The last one fills whatever is left.
    let room = 256_u64.pow(u32::try_from(4 - first.len()).ok()?);
    let high = first.iter().enumerate().map(|(place, part)| part << (8 * (3 - place))).sum::<u64>();
    u32::try_from(high + last).ok().filter(|_| *last < room).map(Ipv4Addr::from_bits)
}

fn is_number(part: &str) -> bool {
    !part.is_empty() && (part.bytes().all(|byte| byte.is_ascii_digit()) || number(part).is_some())
}

fn number(part: &str) -> Option<u64> {
    if let Some(hex) = part.strip_prefix("0x").or_else(|| part.strip_prefix("0X")) {
        return if hex.is_empty() { Some(0) } else { digits(hex, 16) };
    }
    match part.strip_prefix('0') {
        Some(octal) if !octal.is_empty() => digits(octal, 8),
        _ => digits(part, 10),
    }
}

fn digits(text: &str, radix: u32) -> Option<u64> {
    // A sign is no digit.
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    u64::from_str_radix(text, radix).ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_known_in_every_way_that_browsers_write_it() {
        for host in [
            "127.0.0.1",
            "127.0.0.1:38573",
            "127.1",
            "127.0.1",
            "127.255.3.4",
            "2130706433",
            "0x7f000001",
            "0x7F.1",
            "0177.0.0.1",
            "017700000001",
            "0.0.0.0",
            "0",
            "00",
            "0x",
            "[::1]",
            "[::1]:80",
            "[::]",
            "[0:0:0:0:0:0:0:1]",
            "[::ffff:127.0.0.1]",
            "[::127.0.0.1]",
            "[::ffff:7f00:1]",
            "localhost",
            "LOCALHOST",
            "localhost.",
            "localhost:3000",
            "askuser.localhost:1",
            "a.b.localhost",
            "localhost.localdomain",
            "ip6-localhost",
            "devbox",
            "127.0.0.1.",
        ] {
            for address in
                [format!("http://{host}/x"), format!("HTTPS://{host}?a#b"), format!("http://{host}")]
            {
                assert_eq!(leads(&address), Leads::Loopback, "{address}");
            }
        }
    }

    #[test]
    fn what_browsers_would_mend_is_not_guessed_at() {
        for address in [
            "http:127.0.0.1",
            "http:/127.0.0.1",
            "http:\\\\127.0.0.1",
            "http://\\127.0.0.1",
            "http://a@127.0.0.1/",
            "http://good.example@127.0.0.1",
            "http://%3127.0.0.1",
            "http://１２７.0.0.1",
            "http://127。0。0。1",
            "http://ⓛocalhost",
            "http://",
            "http://:80",
            "http://a:b",
            "http://[::1",
            "http://[1.2.3.4]",
            "http://1.2.3.4.5",
            "http://256.0.0.1",
            "http://09.1",
            "ftp://a.example",
            "javascript:alert(1)",
            "",
            "http://a.example\\@127.0.0.1",
            "http://+127.0.0.1",
        ] {
            assert_ne!(leads(address), Leads::Out, "{address}");
        }
    }

    #[test]
    fn the_rest_leads_out() {
        for address in [
            "https://example.com",
            "http://example.com:8080/x",
            "https://a-b.example.org/?q=http://localhost",
            "https://93.184.216.34",
            "https://[2606:2800:220:1::1]/",
            "https://localhost.example.com",
            "https://192.168.1.7",
            "https://xn--fiq228c.example",
            "http://1270.0.0.1.example",
        ] {
            assert_eq!(leads(address), Leads::Out, "{address}");
        }
    }
}
