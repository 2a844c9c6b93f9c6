//! The way in for other devices, as a phone in the same network: TLS, on a listener of its own, and
//! only where somebody asked for it. The commands of this machine keep their plain one on loopback.

pub mod certificate;
pub mod lan;
pub mod self_signed;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use askuser_core::time::Timestamp;
use askuser_words::commands::{NoNetwork, NoStart};
use askuser_words::{Both, Language, both};
use parking_lot::RwLock;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{self, ServerConfig};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use self::certificate::{Certificate, CertificateError, Claims, written};
use self::self_signed::{Hosts, MakingError};
use askuser_config::{ServerKeys, TLS_PORT};
use askuser_http::{self as http, Listener, Reach};
use askuser_net::url::{Url, without_port};
use askuser_system::clock;

/// How often it is looked whether this machine's addresses are still those of its certificate.
const LOOK_EVERY: Duration = Duration::from_mins(1);
/// How long before its end a given certificate is warned about.
const ENDS_SOON: Duration = Duration::from_hours(14 * 24);
/// Names that always lead to the machine that one sits at.
const OWN_NAMES: [&str; 2] = ["localhost", "askuser.localhost"];

/// Why other devices cannot come in.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.said(Language::English))]
pub enum NetworkError {
    /// There is a certificate, and nowhere to show it.
    NowhereToListen,
    /// There is a key without its certificate.
    KeyAlone,
    /// This machine is in no network.
    NoNetwork,
    /// The address cannot be listened on.
    NoListening { address: String, source: io::Error },
    /// The certificate that was given is not good.
    Certificate(#[from] CertificateError),
    /// None could be made.
    Making(#[from] MakingError),
    /// TLS itself says no.
    Tls(#[from] rustls::Error),
}

impl NetworkError {
    /// Says it in this language.
    pub fn said(&self, language: Language) -> String {
        let said = NoNetwork(language);
        match self {
            Self::NowhereToListen => said.nowhere().to_owned(),
            Self::KeyAlone => said.key_alone().to_owned(),
            Self::NoNetwork => said.no_network().to_owned(),
            Self::NoListening { address, source } => NoStart(language).no_listening(address, source),
            Self::Certificate(error) => error.said(language),
            Self::Making(error) => error.said(language),
            Self::Tls(error) => said.tls(error),
        }
    }

    /// Returns what to do about it.
    pub fn hint(&self) -> Both {
        both(match self {
            Self::NowhereToListen => NoNetwork::nowhere_hint,
            Self::KeyAlone => NoNetwork::key_alone_hint,
            Self::NoNetwork => NoNetwork::no_network_hint,
            Self::NoListening { source, .. } if source.kind() == io::ErrorKind::AddrInUse => {
                NoNetwork::port_taken_hint
            }
            Self::NoListening { .. } => NoNetwork::no_listening_hint,
            Self::Certificate(error) => return error.hint(),
            Self::Making(MakingError::NotKept { .. }) => NoNetwork::not_kept_hint,
            Self::Making(_) | Self::Tls(_) => NoNetwork::given_hint,
        })
    }
}

/// The way in, while it is open.
#[derive(Clone)]
pub(super) struct Network {
    address: SocketAddr,
    /// Where our own certificate lies.
    folder: PathBuf,
    /// Names that were configured.
    names: Vec<String>,
    shown: Arc<Presentation>,
    told: watch::Sender<Reach>,
}

/// The certificate that is shown now: the next connection gets a newer one.
#[derive(Debug)]
struct Presentation(RwLock<Presented>);

#[derive(Debug, Clone)]
struct Presented {
    certificate: Certificate,
    self_made: bool,
}

impl ResolvesServerCert for Presentation {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.get().certificate.certified))
    }
}

impl Presentation {
    fn get(&self) -> Presented {
        self.0.read().clone()
    }

    fn set(&self, presented: Presented) {
        *self.0.write() = presented;
    }
}

/// Opens the way in where the configuration asks for it; returns it and where to take connections.
pub(super) async fn open(
    server: &ServerKeys,
    folder: PathBuf,
    told: &watch::Sender<Reach>,
) -> Result<Option<(Network, Listener)>, NetworkError> {
    let Some(wanted) = &server.tls_listen else {
        return match (&server.tls_certificate, &server.tls_key) {
            (Some(_), _) => Err(NetworkError::NowhereToListen),
            (None, Some(_)) => Err(NetworkError::KeyAlone),
            (None, None) => Ok(None),
        };
    };
    let wanted = place(wanted)?;
    let listener = http::listen(&wanted).await;
    let listener =
        listener.map_err(|source| NetworkError::NoListening { address: wanted.clone(), source })?;
    let address = listener
        .local_addr()
        .map_err(|source| NetworkError::NoListening { address: wanted.clone(), source })?;
    let names = server.hosts.iter().cloned().chain(server.public_url.as_deref().and_then(host_of));
    let names: Vec<String> = names.map(|host| without_port(&host).to_owned()).collect();
    let presented = present(server, &folder, &wanted_of(address, names_and(&names)), clock::now())?;
    let shown = Arc::new(Presentation(RwLock::new(presented)));
    let mut tls = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_cert_resolver(Arc::clone(&shown) as Arc<dyn ResolvesServerCert>);
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    let network = Network { address, folder, names, shown, told: told.clone() };
    network.publish();
    Ok(Some((network, Listener { socket: listener, tls: Some(Arc::new(tls)) })))
}

impl Network {
    /// Says to whoever reads the log that others can come in now, and how they know that it is us.
    pub(super) fn warn_loudly(&self) {
        let (reach, presented) = (self.told.borrow().clone(), self.shown.get());
        let vouched = if presented.self_made { "self-signed" } else { "from the settings" };
        warn!(
            "{} IS REACHABLE FROM OTHER MACHINES over HTTPS, as it was asked to be: {}. Whoever has a key may \
             ask and answer. Certificate ({vouched}), SHA-256 {}",
            self.address,
            reach.urls.join(", "),
            presented.certificate.claims.fingerprint,
        );
    }

    /// Reads the certificate anew; the one before stays where the new one is not good.
    pub(super) fn reload(&self, server: &ServerKeys) {
        let wanted = wanted_of(self.address, names_and(&self.names));
        match present(server, &self.folder, &wanted, clock::now()) {
            Ok(presented) => self.show(presented),
            Err(error) => error!("The certificate is unchanged: {error}; {}", error.hint().english),
        }
    }

    /// Makes our own certificate anew when it is about to end or this machine has another address,
    /// until the daemon stops.
    pub(super) async fn follow(self, stop: CancellationToken) {
        let mut looks = interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = looks.tick() => self.look(clock::now()),
                () = stop.cancelled() => return,
            }
        }
    }

    fn look(&self, now: Timestamp) {
        let presented = self.shown.get();
        let wanted = wanted_of(self.address, names_and(&self.names));
        if presented.self_made && self_signed::is_outdated(&presented.certificate.claims, &wanted, now) {
            match self_signed::load_or_make(&self.folder, &wanted, now) {
                Ok((certificate, _)) => self.show(Presented { certificate, self_made: true }),
                Err(error) => error!("The certificate cannot be renewed: {error}"),
            }
        }
        self.publish();
    }

    fn show(&self, presented: Presented) {
        let before = self.shown.get().certificate.claims.fingerprint;
        let after = presented.certificate.claims.fingerprint.clone();
        self.shown.set(presented);
        self.publish();
        if before != after {
            info!("The certificate was replaced, SHA-256 {after}");
        }
    }

    /// Says where others come in, for `askuser open` and `askuser doctor`.
    fn publish(&self) {
        let presented = self.shown.get();
        let claims = presented.certificate.claims;
        self.told.send_modify(|reach| {
            reach.urls = urls(self.address, &claims, presented.self_made, &self.names);
            // A star in it is for those that are named.
            let by_star = self.names.iter().filter(|name| claims.is_for(name)).cloned();
            reach.hosts = claims.hosts().into_iter().chain(by_star).collect();
            reach.fingerprint = Some(claims.fingerprint.clone());
            reach.self_made = presented.self_made;
            reach.not_after = Some(claims.not_after);
        });
    }
}

/// Where to listen: `lan` is this machine's address in its network.
fn place(wanted: &str) -> Result<String, NetworkError> {
    let port = match wanted.strip_prefix("lan") {
        Some("") => TLS_PORT.to_string(),
        Some(rest) if rest.starts_with(':') => rest.trim_start_matches(':').to_owned(),
        _ => return Ok(wanted.to_owned()),
    };
    let own = lan::addresses().into_iter().next().ok_or(NetworkError::NoNetwork)?;
    Ok(format!("{}:{port}", written(own)))
}

/// The addresses by which others come to a listener.
fn addresses(listener: SocketAddr) -> Vec<IpAddr> {
    if listener.ip().is_unspecified() { lan::addresses() } else { vec![listener.ip()] }
}

fn names_and(configured: &[String]) -> Vec<String> {
    let own = OWN_NAMES.iter().map(|name| (*name).to_owned());
    let mut names: Vec<String> = own.chain(lan::names()).collect();
    for name in configured.iter().filter(|name| name.parse::<IpAddr>().is_err()) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

fn wanted_of(listener: SocketAddr, names: Vec<String>) -> Hosts {
    let mut addresses = addresses(listener);
    for own in [IpAddr::from(Ipv4Addr::LOCALHOST), Ipv6Addr::LOCALHOST.into()] {
        if !addresses.contains(&own) {
            addresses.push(own);
        }
    }
    Hosts { names, addresses }
}

/// The certificate that the configuration gives, else our own.
fn present(
    server: &ServerKeys,
    folder: &Path,
    wanted: &Hosts,
    now: Timestamp,
) -> Result<Presented, NetworkError> {
    let Some(given) = &server.tls_certificate else {
        if server.tls_key.is_some() {
            return Err(NetworkError::KeyAlone);
        }
        let (certificate, is_new) = self_signed::load_or_make(folder, wanted, now)?;
        if is_new {
            info!("Created a certificate: {}", self_signed::public_file(folder).display());
        }
        return Ok(Presented { certificate, self_made: true });
    };
    let key = server.tls_key.as_ref().map(Path::new);
    let certificate = Certificate::read(Path::new(given), key, now)?;
    let key = key.unwrap_or(Path::new(given));
    if std::fs::metadata(key).is_ok_and(|file| file.permissions().mode() & 0o007 != 0) {
        warn!("{} can be read by every user of this machine: run `chmod 600` on it", key.display());
    }
    if now.after(ENDS_SOON) >= certificate.claims.not_after {
        let until = askuser_wire::time::write(certificate.claims.not_after);
        warn!("The certificate in {given} expires at {until}: renew it, then run `askuser reload`");
    }
    Ok(Presented { certificate, self_made: false })
}

/// Where others come in, the best first: by a name that the certificate is for, and for our own by
/// the address, which a phone needs nobody to look up for.
fn urls(listener: SocketAddr, claims: &Claims, self_made: bool, configured: &[String]) -> Vec<String> {
    let by_address = addresses(listener).into_iter().map(written).filter(|host| claims.is_for(host));
    let named = configured.iter().chain(&claims.names);
    let by_name = named
        .filter(|name| claims.is_for(name) && !name.starts_with('*') && !OWN_NAMES.contains(&name.as_str()))
        .cloned();
    let mut hosts: Vec<String> =
        if self_made { by_address.chain(by_name).collect() } else { by_name.chain(by_address).collect() };
    if hosts.is_empty() {
        hosts = addresses(listener).into_iter().map(written).collect();
    }
    let mut urls: Vec<String> = Vec::new();
    for host in hosts {
        let url = format!("https://{host}:{}", listener.port());
        if !urls.contains(&url) {
            urls.push(url);
        }
    }
    urls
}

/// Returns the host of an address, without its port.
pub(super) fn host_of(url: &str) -> Option<String> {
    url.parse::<Url>().ok().map(|url| without_port(url.authority()).to_owned())
}

#[cfg(test)]
mod tests;
