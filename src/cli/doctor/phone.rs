//! Whether a phone reaches this desk: the listener for other devices, its certificate, and the proxy or
//! tunnel before it. Everything is bounded, and no key is sent.

use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use askuser_core::time::Timestamp;
use askuser_words::Language;
use askuser_words::time::Times;
use serde_json::Value;

use super::{Finding, Verdict};
use crate::client::error::ClientError;
use crate::client::line::Trust;
use crate::client::reaching::Reaching;
use crate::clock;
use crate::config::{Config, ServerKeys};
use crate::daemon::network::certificate::Certificate;
use crate::daemon::network::lan;
use crate::wire::time;

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
        None if public.is_none() => findings.push(
            Finding::new("phone", Verdict::Ok, "no other device can reach askuser, as configured")
                .hint("`askuser open --qr --lan` lets your phone in; see `askuser help phone`"),
        ),
        None => {}
    }
    if let Some(url) = public {
        findings.extend(in_public(url, number).await);
    }
    findings
}

/// The certificate that the configuration gives, also where no daemon runs.
fn given_certificate(server: &ServerKeys) -> Option<Finding> {
    let given = server.tls_certificate.as_deref()?;
    let now = clock::now();
    Some(match Certificate::read(Path::new(given), server.tls_key.as_deref().map(Path::new), now) {
        Err(error) => Finding::new("certificate", Verdict::Fail, error.to_string()).hint(error.hint()),
        Ok(read) => {
            let until = day(read.facts.not_after);
            let said = format!("{given} is for {}, until {until}", read.facts.hosts().join(", "));
            if now.after(ENDS_SOON) >= read.facts.not_after {
                let hint = "renew it, then `kill -HUP` the daemon";
                return Some(Finding::new("certificate", Verdict::Warn, said).hint(hint));
            }
            Finding::new("certificate", Verdict::Ok, said)
        }
    })
}

fn day(at: Timestamp) -> String {
    Times::local(clock::now(), Language::English).day(at)
}

fn day_of(written: &str) -> String {
    time::read(written).map_or_else(|| written.to_owned(), day)
}

async fn in_the_network(network: &Value, number: &str) -> Vec<Finding> {
    if let Some(why) = network.get("why_not").and_then(Value::as_str) {
        let hint = "mend that, then `askuser stop`: the next command starts the desk anew";
        return vec![Finding::new("phone", Verdict::Fail, format!("no phone can come in: {why}")).hint(hint)];
    }
    let text = |key: &str| network.get(key).and_then(Value::as_str).unwrap_or_default();
    let urls = network.get("urls").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let Some(url) = urls.first().and_then(Value::as_str) else {
        let hint = "join a network, then `askuser stop`: the next command starts the desk anew";
        return vec![Finding::new("phone", Verdict::Fail, "this machine is in no network").hint(hint)];
    };
    let self_made = network.get("self_made") == Some(&Value::Bool(true));
    let only =
        Reaching { url: url.to_owned(), trust: Trust::Only(text("fingerprint").to_owned()), within: WITHIN };
    let mut findings = vec![match only.desk().await {
        Ok(found) if found == number => moved(url, &lan::addresses()).unwrap_or_else(|| {
            let hint = "where a phone in the same network does not get there, a firewall stands in between";
            Finding::new("phone", Verdict::Ok, format!("{url} answers, and is this desk")).hint(hint)
        }),
        Ok(_) => Finding::new("phone", Verdict::Fail, format!("{url} is answered by another desk"))
            .hint("give this one a port of its own: server.tls_listen"),
        Err(error) => Finding::new("phone", Verdict::Fail, error.to_string())
            .hint("look for a firewall, or `askuser stop` where this machine has moved to another network"),
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
    let address: IpAddr = host_of(url).trim_matches(['[', ']']).parse().ok()?;
    if address.is_loopback() || own.contains(&address) {
        return None;
    }
    let said = format!("{url} is no address of this machine's network any more");
    let hint = "`askuser stop`, then start it anew: it does not follow into other networks by itself";
    Some(Finding::new("phone", Verdict::Warn, said).hint(hint))
}

fn shown_certificate(url: &str, hosts: &[Value], until: &str, self_made: bool, fingerprint: &str) -> Finding {
    let host = host_of(url).trim_matches(['[', ']']).to_ascii_lowercase();
    let is_for = |known: &Value| {
        known.as_str().is_some_and(|known| known.trim_matches(['[', ']']).eq_ignore_ascii_case(&host))
    };
    if !hosts.iter().any(is_for) {
        let said = format!("the certificate is not for {host}, so every browser refuses it there");
        let hint = "name a host that it is for in server.hosts, or get one for this name";
        return Finding::new("certificate", Verdict::Fail, said).hint(hint);
    }
    if !self_made {
        return Finding::new(
            "certificate",
            Verdict::Ok,
            format!("it is for {host}, until {}", day_of(until)),
        );
    }
    let said = format!("self-signed for {host}, until {}; SHA-256 {fingerprint}", day_of(until));
    let hint = "a phone warns at it once. Web push, installing the page and the page without a line need one \
                that the phone trusts: `askuser help phone`";
    Finding::new("certificate", Verdict::Ok, said).hint(hint)
}

/// Whether anybody whom this machine trusts vouches for a given certificate.
async fn vouched_for(url: &str) -> Option<Finding> {
    let reaching = Reaching { url: url.to_owned(), trust: Trust::System, within: WITHIN };
    let error = reaching.desk().await.err()?;
    let hint = "a phone will say the same, unless it was told to trust whoever made it; give the whole chain, \
                with the certificates above yours in the same file";
    Some(Finding::new("certificate", Verdict::Warn, error.to_string()).hint(hint))
}

async fn in_public(url: &str, number: &str) -> Vec<Finding> {
    let reaching = Reaching { url: url.to_owned(), trust: Trust::System, within: WITHIN };
    let (desk, events, socket) = tokio::join!(reaching.desk(), reaching.events(), reaching.socket());
    let here = "public url";
    let found = match desk {
        Ok(found) if found == number && url.starts_with("http://") => {
            let said = format!("{url} is this desk, and not encrypted on the way");
            Finding::new(here, Verdict::Warn, said).hint("use https://, see `askuser help phone`")
        }
        Ok(found) if found == number => Finding::new(here, Verdict::Ok, format!("{url} is this desk")),
        Ok(_) => {
            let said = format!("{url} is answered by another desk than the one that runs here");
            let hint =
                "fine where several servers share a database; else point the proxy or tunnel at this one";
            Finding::new(here, Verdict::Warn, said).hint(hint)
        }
        Err(error) => {
            return vec![Finding::new(here, Verdict::Fail, error.to_string()).hint(unreached(&error))];
        }
    };
    vec![found, through("events", events), through("websocket", socket.map(|_| true))]
}

/// What to do where the public address does not lead here.
fn unreached(error: &ClientError) -> String {
    match error {
        ClientError::Refused(failure) if failure.code == "wrong_host" => {
            "let the proxy hand on the Host header, or add the name that it sends to server.hosts".to_owned()
        }
        ClientError::Refused(failure) if matches!(failure.status, 502..=504) => {
            "the proxy is there and does not reach the desk: point it at the address that `askuser status` prints"
                .to_owned()
        }
        ClientError::Garbled { .. } | ClientError::Refused(_) => {
            "something else answers there: look at server.public_url and at what the proxy leads to".to_owned()
        }
        _ => "start the tunnel or proxy, or look at server.public_url, the name and the certificate; \
              see `askuser help phone`"
            .to_owned(),
    }
}

/// Whether something that a page needs gets through the proxy.
fn through(what: &'static str, tried: Result<bool, ClientError>) -> Finding {
    let events = what == "events";
    let hint = if events {
        "turn its buffering off: `proxy_buffering off` in nginx, `flush_interval -1` in Caddy"
    } else {
        "let it hand on Host, Upgrade and Connection, as in `askuser help phone`"
    };
    match tried {
        Ok(true) => Finding::new(what, Verdict::Ok, "they get through the proxy"),
        Ok(false) => {
            let said = "the proxy keeps them back and sends them in heaps: the page learns late";
            Finding::new(what, Verdict::Warn, said).hint(hint)
        }
        Err(error) => {
            Finding::new(what, Verdict::Fail, format!("they do not get through the proxy: {error}"))
                .hint(hint)
        }
    }
}

fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.split('/').next().unwrap_or(rest);
    match rest.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => host,
        _ => rest,
    }
}
