//! A place on the network, with room for all who come at once.

use std::io;
use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpSocket, lookup_host};

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

fn listen_at(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Connections of a desk that has just ended do not keep its place; on Windows this would let two in.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING_MAX)
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
}
