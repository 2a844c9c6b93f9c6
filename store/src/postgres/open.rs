//! The way to a database: its address, TLS, and the connections that are kept.
//!
//! Away from this machine the way is encrypted and the database's certificate checked, unless the
//! address says otherwise; the certificates are the system's, or those of `SSL_CERT_FILE`.

use std::future::poll_fn;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use askuser_core::limits::DeskLimits;
use askuser_core::time::Timestamp;
use deadpool_postgres::{Connect, Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use futures_util::future::BoxFuture;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;
use tokio_postgres::config::{Config, Host, SslMode};
use tokio_postgres::error::Error as SqlError;
use tokio_postgres::{AsyncMessage, Client, Connection, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::error::OpenError;

/// How long to wait for a connection to be made.
const CONNECT_FOR: Duration = Duration::from_secs(5);
/// How long to wait for one that others use.
const FREE_FOR: Duration = Duration::from_secs(10);
/// A peer that is gone without a word is noticed after about this long.
const SILENT_FOR: Duration = Duration::from_secs(10);

/// How a store is opened.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The limits under which it decides.
    pub limits: DeskLimits,
    pub now: Timestamp,
    /// Connections for reading.
    pub readers_max: usize,
    /// Batches that are under way at once: while one is flushed, the next is decided.
    pub writers_max: usize,
}

impl Options {
    /// Returns the usual ones.
    pub fn new(limits: DeskLimits, now: Timestamp) -> Self {
        Self { limits, now, readers_max: 8, writers_max: 2 }
    }
}

/// The way to a database.
#[derive(Clone)]
pub(super) struct Way {
    config: Config,
    tls: Option<MakeRustlsConnect>,
    /// Where it is, without the password.
    pub(super) place: String,
}

/// Hears what the database says by itself: on which channel, and what.
pub(super) type Hear = Arc<dyn Fn(&str, &str) + Send + Sync>;

impl Way {
    /// Reads an address.
    pub(super) fn read(address: &str) -> Result<Self, OpenError> {
        // A certificate is always checked in full, so what asks for that asks for nothing more.
        let address = &address.replace("sslmode=verify-full", "sslmode=require");
        let mut config: Config = address.parse().map_err(|error: SqlError| {
            use std::error::Error as _;
            // Never the address itself: a password may stand in it.
            OpenError::Address(error.source().map_or_else(|| error.to_string(), ToString::to_string))
        })?;
        if config.get_hosts().is_empty() {
            return Err(OpenError::Address("it names no host".to_owned()));
        }
        if !address.contains("sslmode=") {
            let near = config.get_hosts().iter().all(is_near);
            config.ssl_mode(if near { SslMode::Disable } else { SslMode::Require });
        }
        config.application_name("askuser").connect_timeout(CONNECT_FOR);
        config.keepalives_idle(SILENT_FOR / 2).keepalives_interval(SILENT_FOR / 5).keepalives_retries(3);
        config.tcp_user_timeout(SILENT_FOR);
        let tls = match config.get_ssl_mode() {
            SslMode::Disable => None,
            _ => Some(certificates()?),
        };
        let place = place(&config);
        Ok(Self { config, tls, place })
    }

    /// Connects; what the database says by itself is heard until the connection ends, and its end as
    /// nothing said.
    pub(super) async fn connect(&self, hear: Option<Hear>) -> Result<(Client, JoinHandle<()>), SqlError> {
        Ok(match &self.tls {
            None => {
                let (client, connection) = self.config.connect(NoTls).await?;
                (client, tokio::spawn(drive(connection, hear)))
            }
            Some(tls) => {
                let (client, connection) = self.config.connect(tls.clone()).await?;
                (client, tokio::spawn(drive(connection, hear)))
            }
        })
    }

    /// Keeps connections, at most so many. None is made before it is needed.
    pub(super) fn pool(&self, most: usize) -> Result<Pool, OpenError> {
        let config = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = Manager::from_connect(self.config.clone(), self.clone(), config);
        Pool::builder(manager)
            .max_size(most)
            .runtime(Runtime::Tokio1)
            .create_timeout(Some(CONNECT_FOR))
            .wait_timeout(Some(FREE_FOR))
            .build()
            .map_err(|error| OpenError::Away { place: self.place.clone(), what: error.to_string() })
    }
}

impl Connect for Way {
    fn connect(&self, _: &Config) -> BoxFuture<'_, Result<(Client, JoinHandle<()>), SqlError>> {
        Box::pin(Self::connect(self, None))
    }
}

async fn drive<S, T>(mut connection: Connection<S, T>, hear: Option<Hear>)
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    while let Some(Ok(message)) = poll_fn(|cx| connection.poll_message(cx)).await {
        if let (AsyncMessage::Notification(said), Some(hear)) = (message, &hear) {
            hear(said.channel(), said.payload());
        }
    }
    // Whoever used the connection learns from its next statement that it is gone.
    if let Some(hear) = hear {
        hear("", "");
    }
}

fn certificates() -> Result<MakeRustlsConnect, OpenError> {
    let none = |errors: Vec<_>| {
        let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
        OpenError::Certificates(told.join("; "))
    };
    MakeRustlsConnect::with_native_certs().map(|(tls, _)| tls).map_err(none)
}

/// Whether a host is this machine.
fn is_near(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

/// Where a database is, for people: never with its password.
fn place(config: &Config) -> String {
    let hosts = config.get_hosts().iter().enumerate().map(|(idx, host)| {
        let port = config.get_ports().get(idx).or(config.get_ports().first()).copied().unwrap_or(5432);
        match host {
            Host::Tcp(name) => format!("{name}:{port}"),
            #[cfg(unix)]
            Host::Unix(folder) => format!("{}/.s.PGSQL.{port}", folder.display()),
        }
    });
    let user = config.get_user().map(|user| format!("{user}@")).unwrap_or_default();
    let database = config.get_dbname().or(config.get_user()).unwrap_or_default();
    format!("postgres://{user}{}/{database}", hosts.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, expected: &str) {
        let got = Way::read(address).map(|way| (way.place.clone(), way.config.get_ssl_mode()));
        let got = got.map_or_else(|error| error.to_string(), |(place, tls)| format!("{place} {tls:?}"));
        assert_eq!(got, expected);
    }

    #[test]
    fn an_address_says_where_and_never_its_password() {
        check("postgres://ann:secret@localhost/desk", "postgres://ann@localhost:5432/desk Disable");
        check("postgres://ann@127.0.0.1:6000/desk", "postgres://ann@127.0.0.1:6000/desk Disable");
        check("postgres://ann@/desk?host=/run/pg", "postgres://ann@/run/pg/.s.PGSQL.5432/desk Disable");
        let hint = "give one like postgres://user@host:5432/askuser";
        check("desk", &format!("the address of the database makes no sense (unexpected EOF); {hint}"));
        check(
            "postgres://ann:secret@/desk",
            &format!("the address of the database makes no sense (it names no host); {hint}"),
        );
    }

    #[test]
    fn away_from_this_machine_the_way_is_encrypted_unless_the_address_says_otherwise() {
        check(
            "postgres://ann@db.example/desk?sslmode=disable",
            "postgres://ann@db.example:5432/desk Disable",
        );
        // Where the system has no certificates at all, that is what is said.
        let far = Way::read("postgres://ann@db.example,localhost/desk");
        assert!(
            matches!(&far, Ok(way) if way.config.get_ssl_mode() == SslMode::Require && way.tls.is_some())
                || matches!(far, Err(OpenError::Certificates(_)))
        );
    }
}
