//! Other devices: whether they were let in, how that goes, and where they come in.

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tracing::error;

use super::Options;
use super::error::StartError;
use super::network::{self, Network, host_of};
use askuser_config::Config;
use askuser_http::{Listener, Reach};

/// What the daemon does for other devices.
pub(super) struct Devices {
    network: Option<(Network, Listener)>,
    /// Where they come in, for whoever asks.
    pub(super) reach: watch::Receiver<Reach>,
}

impl Devices {
    /// Opens the way in, where that was asked for. A daemon in the background has nobody to refuse:
    /// questions of this machine go on, and `askuser doctor` says why nobody else can come in.
    pub(super) async fn open(options: &Options) -> Result<Self, StartError> {
        let server = &options.loaded.config.server;
        let (told, reach) = watch::channel(Reach {
            asked_for: server.tls_listen.is_some(),
            public_url: server.public_url.as_deref().map(|url| url.trim_end_matches('/').to_owned()),
            ..Reach::default()
        });
        let network = match network::open(server, options.home.tls(), &told).await {
            Ok(network) => network,
            Err(error) if options.background => {
                let why = format!("{error}; {}", error.hint().english);
                error!("No other device can connect: {why}");
                told.send_modify(|reach| {
                    reach.asked_for = true;
                    reach.why_not = Some(why);
                });
                None
            }
            Err(error) => return Err(error.into()),
        };
        Ok(Self { network, reach })
    }

    /// Returns where connections are taken, this machine's own first; says loudly that others can come
    /// in, and sees to their certificate until the daemon stops.
    pub(super) fn let_in(
        self,
        own: TcpListener,
        twin: Option<TcpListener>,
        stop: &CancellationToken,
    ) -> (Vec<Listener>, Option<Network>) {
        let mut listeners = vec![Listener { socket: own, tls: None }];
        listeners.extend(twin.map(|socket| Listener { socket, tls: None }));
        let network = self.network.map(|(network, place)| {
            network.warn_loudly();
            listeners.push(place);
            tokio::spawn(network.clone().follow(stop.clone()));
            network
        });
        (listeners, network)
    }
}

/// Names under which we are reached besides the loopback ones.
pub(super) fn hosts(config: &Config) -> Vec<String> {
    config.server.hosts.iter().cloned().chain(public_host(config)).collect()
}

/// Those of them that are reached over TLS only.
pub(super) fn https_hosts(config: &Config) -> Vec<String> {
    let https = config.server.public_url.as_deref().is_some_and(|url| url.starts_with("https://"));
    public_host(config).filter(|_| https).into_iter().collect()
}

/// The name of the proxy or tunnel before us.
fn public_host(config: &Config) -> Option<String> {
    host_of(config.server.public_url.as_deref()?)
}
