//! A place on the network, with room for all who come at once.

use std::fs::{self, Permissions};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::Path;

use tokio::net::{TcpListener, TcpSocket, UnixListener, UnixSocket, lookup_host};

/// Callers who may be waiting to be let in; the system may allow fewer. When a desk is back, everybody
/// who waited comes at the same moment, and whoever finds no room tries again only after a second. The
/// usual 128 were measured to be far too few for that.
const WAITING_MAX: u32 = 4096;

/// Listens at an address: a name or a number, with a port.
pub async fn listen(wanted: &str) -> io::Result<TcpListener> {
    let mut failed = None;
    for address in lookup_host(wanted).await? {
        match listen_at(address) {
            Ok(listener) => return Ok(listener),
            Err(error) => failed = Some(error),
        }
    }
    Err(failed.unwrap_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the name has no address")))
}

/// Listens at an address, and where that is this machine's own also at the other of its two: a browser that
/// opens a name below `localhost` tries `[::1]` first, so whoever held that port there would be sent what
/// is meant for us. A system without one of them has no twin; a twin that is taken is a place that is.
pub async fn listen_with_twin(wanted: &str) -> io::Result<(TcpListener, Option<TcpListener>)> {
    let is_any_port = wanted.ends_with(":0");
    let mut tries = 0;
    loop {
        let listener = listen(wanted).await?;
        match twin_of(listener.local_addr()?).map(listen_at).transpose() {
            Ok(twin) => return Ok((listener, twin)),
            Err(error) if error.kind() != io::ErrorKind::AddrInUse => return Ok((listener, None)),
            // Of a port that was not asked for by its number there are others.
            Err(_) if is_any_port && tries < TWIN_TRIES => tries += 1,
            Err(error) => return Err(error),
        }
    }
}

/// How often another free port is looked for.
const TWIN_TRIES: u32 = 20;

fn twin_of(address: SocketAddr) -> Option<SocketAddr> {
    let twin = match address.ip() {
        IpAddr::V4(Ipv4Addr::LOCALHOST | Ipv4Addr::UNSPECIFIED) => IpAddr::from(Ipv6Addr::LOCALHOST),
        IpAddr::V6(Ipv6Addr::LOCALHOST) => Ipv4Addr::LOCALHOST.into(),
        _ => return None,
    };
    Some(SocketAddr::new(twin, address.port()))
}

fn listen_at(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Connections of a desk that has just ended do not keep its place; on Windows this would let two in.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING_MAX)
}

/// Listens on a Unix socket that only its owner may use. One that a daemon left behind is replaced:
/// whoever calls this owns the folder.
pub fn listen_locally(path: &Path) -> io::Result<UnixListener> {
    // Made under another name, so that nobody finds it before it is closed to others. It is no longer
    // than the other: there is little room for names of sockets.
    let new = path.with_extension("new");
    for old in [path, &new] {
        match fs::symlink_metadata(old) {
            Ok(found) if found.file_type().is_socket() => {}
            Ok(_) => return Err(io::Error::new(io::ErrorKind::AlreadyExists, "something else has its name")),
            Err(_) => {}
        }
    }
    // Whether there was one, or it cannot be removed, binding says.
    let _removed = fs::remove_file(&new);
    let socket = UnixSocket::new_stream()?;
    socket.bind(&new)?;
    fs::set_permissions(&new, Permissions::from_mode(0o600))?;
    let listener = socket.listen(WAITING_MAX)?;
    fs::rename(&new, path)?;
    Ok(listener)
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;
    use std::time::Duration;

    use super::*;

    /// Ten thousand waiters come back when the desk does: nobody is left standing for a second.
    #[tokio::test]
    async fn many_may_wait_to_be_let_in() {
        let listener = listen("localhost:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        // Nobody is let in meanwhile. One who finds no room would get no answer.
        let come = || TcpStream::connect_timeout(&address, Duration::from_millis(900)).unwrap();
        let waiting: Vec<TcpStream> = (0..400).map(|_| come()).collect();
        assert_eq!(waiting.len(), 400);
        let taken = listen(&address.to_string()).await.unwrap_err();
        assert_eq!(taken.kind(), io::ErrorKind::AddrInUse);
        assert!(listen("127.0.0.1:99999").await.is_err());
    }

    #[tokio::test]
    async fn a_unix_socket_is_its_owners_alone_and_replaces_one_that_was_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("askuser.sock");
        for _ in 0..2 {
            let listener = listen_locally(&path).unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            let (came, _) = tokio::join!(listener.accept(), tokio::net::UnixStream::connect(&path));
            came.unwrap();
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
        let letter = folder.path().join("letter.sock");
        fs::write(&letter, "dear ana").unwrap();
        assert!(listen_locally(&letter).is_err());
        assert_eq!(
            fs::read_to_string(&letter).unwrap(),
            "dear ana",
            "what is no socket is nobody's to remove"
        );
    }

    /// A server at `[::1]` and the port of a desk that listens at `127.0.0.1` was sent the page's cookie: a
    /// browser tries that address first.
    #[tokio::test]
    async fn nobody_else_has_our_port_at_the_other_loopback_address() {
        let (listener, twin) = listen_with_twin("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        // A machine without IPv6 has no other address.
        let Some(twin) = twin else { return };
        assert_eq!(twin.local_addr().unwrap(), SocketAddr::from((Ipv6Addr::LOCALHOST, port)));
        assert!(std::net::TcpListener::bind(("::1", port)).is_err());
        drop(listener);
        let taken = listen_with_twin(&format!("127.0.0.1:{port}")).await.unwrap_err();
        assert_eq!(taken.kind(), io::ErrorKind::AddrInUse);
    }
}
