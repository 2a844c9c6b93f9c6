//! Whether a phone reaches this desk: the listener for other devices, its certificate, and the proxy or
//! tunnel before it. Everything is bounded, and no key is sent.

use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use askuser_core::time::Timestamp;
use askuser_words::commands::{Doctor, Reach};
use askuser_words::time::Times;
use askuser_words::{Language, both};
use serde_json::Value;

use super::{Finding, Verdict};
use crate::daemon::network::certificate::Certificate;
use crate::daemon::network::lan;
use askuser_client::error::ClientError;
use askuser_client::probe::Probe;
use askuser_config::{Config, ServerKeys};
use askuser_net::trust::Trust;
use askuser_net::url::Url;
use askuser_system::clock;
use askuser_wire::failure::Code;
use askuser_wire::time;

const PHONE: &str = "phone";
const CERTIFICATE: &str = "certificate";
/// How long each try may take.
const WITHIN: Duration = Duration::from_secs(3);
/// How long before its end a certificate is warned about.
const ENDS_SOON: Duration = Duration::from_hours(14 * 24);

/// Looks at everything, with what the desk says of itself where it runs.
pub(super) async fn phone(config: &Config, status: Option<&Value>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = given_certificate(&config.server).into_iter().collect();
    let Some(status) = status else { return findings };
    let number = status.get("desk").and_then(Value::as_str).unwrap_or_default();
    let network = status.get("network").filter(|network| !network.is_null());
    let public = status.get("public_url").and_then(Value::as_str);
    match network {
        Some(network) => findings.extend(in_the_network(network, number).await),
        None if public.is_none() => {
            findings.push(Finding::ok(PHONE, Reach::nobody).hint(Reach::nobody_tip));
        }
        None => {}
    }
    if let Some(url) = public {
        findings.extend(Box::pin(in_public(url, number)).await);
    }
    findings
}

/// The certificate that the configuration gives, also where no daemon runs.
fn given_certificate(server: &ServerKeys) -> Option<Finding> {
    let given = server.tls_certificate.as_deref()?;
    let now = clock::now();
    Some(match Certificate::read(Path::new(given), server.tls_key.as_deref().map(Path::new), now) {
        Err(error) => {
            let found = Finding::fail(CERTIFICATE, |language| error.said(language));
            Finding { hint: Some(error.hint()), ..found }
        }
        Ok(read) => {
            let hosts = read.claims.hosts().join(", ");
            let said = both(|language| {
                Reach(language).certificate(given, &hosts, day(read.claims.not_after, language))
            });
            if now.after(ENDS_SOON) >= read.claims.not_after {
                return Some(Finding::new(CERTIFICATE, Verdict::Warn, said).hint(Reach::ends_soon_hint));
            }
            Finding::new(CERTIFICATE, Verdict::Ok, said)
        }
    })
}

fn day(at: Timestamp, language: Language) -> String {
    Times::local(clock::now(), language).day(at)
}

fn day_of(written: &str, language: Language) -> String {
    time::read(written).map_or_else(|| written.to_owned(), |at| day(at, language))
}

async fn in_the_network(network: &Value, number: &str) -> Vec<Finding> {
    if let Some(why) = network.get("why_not").and_then(Value::as_str) {
        return vec![Finding::fail(PHONE, |said: Reach| said.no_phone(why)).hint(Reach::no_phone_hint)];
    }
    let text = |key: &str| network.get(key).and_then(Value::as_str).unwrap_or_default();
    let urls = network.get("urls").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let Some(url) = urls.first().and_then(Value::as_str) else {
        return vec![Finding::fail(PHONE, Reach::no_network).hint(Reach::no_network_hint)];
    };
    let self_made = network.get("self_made") == Some(&Value::Bool(true));
    let only = Probe { url: url.to_owned(), trust: Trust::only(text("fingerprint")), within: WITHIN };
    let mut findings = vec![match only.desk().await {
        Ok(found) if found == number => moved(url, &lan::addresses())
            .unwrap_or_else(|| Finding::ok(PHONE, |said: Reach| said.reached(url)).hint(Reach::reached_tip)),
        Ok(_) => Finding::fail(PHONE, |said: Reach| said.another(url)).hint(Reach::another_hint),
        Err(error) => Finding::fail(PHONE, |language| error.said(language)).hint(Reach::unreached_hint),
    }];
    let hosts = network.get("hosts").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    findings.push(shown_certificate(url, hosts, text("not_after"), self_made, text("fingerprint")));
    if !self_made {
        findings.extend(vouched_for(url).await);
    }
    findings
}

/// Whether this machine is in another network than when the desk was started.
fn moved(url: &str, own: &[IpAddr]) -> Option<Finding> {
    let address: IpAddr = host_of(url).parse().ok()?;
    if address.is_loopback() || own.contains(&address) {
        return None;
    }
    Some(Finding::warn(PHONE, |said: Reach| said.moved(url)).hint(Reach::moved_hint))
}

fn shown_certificate(url: &str, hosts: &[Value], until: &str, self_made: bool, fingerprint: &str) -> Finding {
    let host = host_of(url);
    let is_for = |known: &Value| {
        known.as_str().is_some_and(|known| known.trim_matches(['[', ']']).eq_ignore_ascii_case(&host))
    };
    if !hosts.iter().any(is_for) {
        return Finding::fail(CERTIFICATE, |said: Reach| said.wrong_host(&host)).hint(Reach::wrong_host_hint);
    }
    let until = |language| day_of(until, language);
    if !self_made {
        let what = |language: Language| Doctor(language).certificate();
        return Finding::ok(CERTIFICATE, |language| {
            Reach(language).certificate(what(language), &host, until(language))
        });
    }
    Finding::ok(CERTIFICATE, |language| Reach(language).self_made(&host, until(language), fingerprint))
        .hint(Reach::self_made_tip)
}

/// Whether anybody whom this machine trusts vouches for a given certificate.
async fn vouched_for(url: &str) -> Option<Finding> {
    let reaching = Probe { url: url.to_owned(), trust: Trust::default(), within: WITHIN };
    let error = reaching.desk().await.err()?;
    Some(Finding::warn(CERTIFICATE, |language| error.said(language)).hint(Reach::untrusted_hint))
}

async fn in_public(url: &str, number: &str) -> Vec<Finding> {
    let reaching = Probe { url: url.to_owned(), trust: Trust::default(), within: WITHIN };
    let (desk, events, socket) = tokio::join!(reaching.desk(), reaching.events(), reaching.socket());
    let here = "public url";
    let found = match desk {
        Ok(found) if found == number && url.starts_with("http://") => {
            Finding::warn(here, |said: Reach| said.plain(url)).hint(Reach::plain_hint)
        }
        Ok(found) if found == number => Finding::ok(here, |said: Reach| said.public(url)),
        Ok(_) => Finding::warn(here, |said: Reach| said.another(url)).hint(Reach::public_other_hint),
        Err(error) => {
            return vec![Finding::fail(here, |language| error.said(language)).hint(unreached(&error))];
        }
    };
    vec![found, through("events", events), through("websocket", socket.map(|_| true))]
}

/// What to do where the public address does not lead here.
fn unreached(error: &ClientError) -> fn(Reach) -> &'static str {
    match error {
        ClientError::Refused(failure) if failure.code == Some(Code::WrongHost) => Reach::host_hint,
        ClientError::Refused(failure) if matches!(failure.status, 502..=504) => Reach::gateway_hint,
        ClientError::Garbled { .. } | ClientError::Refused(_) => Reach::elsewhere_hint,
        _ => Reach::tunnel_hint,
    }
}

/// Whether something that a page needs gets through the proxy.
fn through(what: &'static str, tried: Result<bool, ClientError>) -> Finding {
    let hint = if what == "events" { Reach::events_hint } else { Reach::websocket_hint };
    match tried {
        Ok(true) => Finding::ok(what, Reach::through),
        Ok(false) => Finding::warn(what, Reach::held_back).hint(hint),
        Err(error) => {
            Finding::fail(what, |language| Reach(language).not_through(error.said(language))).hint(hint)
        }
    }
}

/// Returns the host of an address, an IPv6 address without its brackets.
fn host_of(url: &str) -> String {
    url.parse::<Url>().map(|url| url.host().to_ascii_lowercase()).unwrap_or_default()
}
