//! This machine in its network: its addresses there, and its names.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};

/// Where one might send something: away from here by the usual way, and into each kind of private
/// network. The first is an address for documents (RFC 5737) that nobody has.
const ELSEWHERE: [&str; 5] =
    ["192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254", "2001:db8::1"];

/// Returns the addresses under which others in the same network reach this machine, the likeliest
/// first.
///
/// Nothing is sent: connecting a datagram socket only asks the system which way it would go, and
/// with which address of ours.
pub fn addresses() -> Vec<IpAddr> {
    let mut found: Vec<IpAddr> = Vec::new();
    for there in ELSEWHERE {
        let Some(own) = own_address_towards(there) else { continue };
        if is_of_a_network(own) && !found.contains(&own) {
            found.push(own);
        }
    }
    found
}

fn own_address_towards(there: &str) -> Option<IpAddr> {
    let there: IpAddr = there.parse().ok()?;
    let any: IpAddr = if there.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { "::".parse().ok()? };
    let socket = UdpSocket::bind((any, 0)).ok()?;
    socket.connect((there, 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

/// Whether somebody else could reach it: neither loopback nor for one cable only.
fn is_of_a_network(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => !v4.is_loopback() && !v4.is_unspecified() && !v4.is_link_local(),
        IpAddr::V6(v6) => !v6.is_loopback() && !v6.is_unspecified() && !v6.is_unicast_link_local(),
    }
}

/// Returns what this machine is called: its name, and the name under which it is found without a
/// name server (mDNS).
pub fn names() -> BTreeSet<String> {
    let system = rustix::system::uname();
    let name = system.nodename().to_string_lossy().to_ascii_lowercase();
    names_of(&name)
}

fn names_of(name: &str) -> BTreeSet<String> {
    let is_name = |name: &str| {
        !name.is_empty() && name.len() < 64 && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-')
    };
    let short = name.split('.').next().unwrap_or_default();
    if !is_name(short) || short == "localhost" {
        return BTreeSet::new();
    }
    let whole = name.split('.').all(is_name).then(|| name.to_owned());
    [format!("{short}.local"), short.to_owned()].into_iter().chain(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_this_machine_is_never_one_that_only_it_can_reach() {
        assert!(addresses().into_iter().all(is_of_a_network), "{:?}", addresses());
        for nobodys in ["127.0.0.1", "0.0.0.0", "169.254.3.4", "::1", "::", "fe80::1"] {
            assert!(!is_of_a_network(nobodys.parse().unwrap()), "{nobodys}");
        }
        assert!(is_of_a_network("192.168.1.7".parse().unwrap()));
    }

    #[test]
    fn a_machine_has_its_names_and_that_of_its_network() {
        let names = |name: &str| names_of(name).into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(names("laptop"), "laptop laptop.local");
        assert_eq!(names("laptop.example.com"), "laptop laptop.example.com laptop.local");
        assert_eq!(names("localhost"), "");
        assert_eq!(names("odd name"), "");
        assert_eq!(names(""), "");
    }
}
