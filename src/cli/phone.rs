//! `askuser open --qr`: the way to this desk for the phone, as a QR code with a sign-in link for one
//! person, good once and for a while.
//!
//! Other devices come in only where somebody asked for it: here with `--lan`, at `askuser serve`, or in
//! the configuration. Where nobody did, the command says how, and makes no link.

use std::net::IpAddr;

use hyper::Method;
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use serde_json::{Value, json};

use super::args::{Form, Insists};
use super::connect::{self, block_on, done};
use super::exit::Exit;
use super::open::{LoginLink, new_link};
use super::report::Report;
use crate::client::find_or_start::{start_for_others, wait_until_gone};
use crate::client::keys::KeyFor;
use crate::client::{Client, Whereabouts};
use crate::daemon::network::{certificate::written, lan};
use crate::environment::Environment;

/// What needs a certificate that the phone trusts, and where it is told how to get one.
const NEEDS_TRUST: &str = "web push, installing the page and the page without a line need a certificate that the \
                           phone trusts: a tunnel or a proxy has one, see `askuser help phone`";

/// How a phone comes to this desk.
#[derive(Debug, PartialEq, Eq)]
struct Way {
    /// Where the link leads.
    base: String,
    /// What the person should know about it, loudest first.
    notes: Vec<String>,
}

/// Shows the way; with a place, lets other devices in there first.
pub fn open(
    place: Option<&str>,
    form: Form,
    insists: Insists,
    environment: &Environment,
) -> Result<Exit, Report> {
    block_on(async {
        let client = connect::person(environment, insists.as_person).await?;
        let mut told = status(&client).await?;
        let mut way = way_of(&told, &client.url()?, &lan::addresses());
        if let (Err(_), Some(place)) = (&way, place) {
            let_in(&client, &told, place, environment).await?;
            told = status(&client).await?;
            way = way_of(&told, &client.url()?, &lan::addresses());
        }
        let way = way.map_err(|why| no_way(&why, environment))?;
        let LoginLink { path, until, .. } = new_link(&client, environment).await?;
        if form.json {
            return done(
                &json!({"url": format!("{}{path}", way.base), "until": until, "notes": way.notes})
                    .to_string(),
            );
        }
        for note in &way.notes {
            connect::say(note);
        }
        connect::say(&super::open::good_once(&until, environment));
        let link = format!("{}{path}", way.base);
        done(&format!("{}\n{link}", drawn(&link)))
    })
}

async fn status(client: &Client) -> Result<Value, Report> {
    Ok(super::serve::asked(client).await?)
}

/// Starts the desk anew so that others reach it. Nobody who waits is cut off for that.
async fn let_in(client: &Client, told: &Value, place: &str, environment: &Environment) -> Result<(), Report> {
    let Whereabouts::Folder(home) = client.whereabouts() else {
        let hint = "start it there with `askuser serve --lan`";
        return Err(Report::failed(
            "the desk at ASKUSER_URL is not this machine's to start anew",
            Some(hint),
        ));
    };
    let open_asks = told.get("open_asks").and_then(Value::as_u64).unwrap_or_default();
    if open_asks > 0 {
        let asks = if open_asks == 1 { "1 ask is".to_owned() } else { format!("{open_asks} asks are") };
        let hint = "answer first; or `askuser stop`, which keeps them, and then this command again";
        let what = format!("the desk must start anew for other devices to come in, and {asks} open");
        return Err(Report::failed(what, Some(hint)));
    }
    connect::say("starting the desk anew, so that devices in this network reach it");
    client.plain(Method::POST, "/api/stop", KeyFor::Admin, None).await?;
    if !wait_until_gone(home).await? {
        return Err(Report::failed("the desk has not stopped yet", Some("try again in a moment")));
    }
    let language = super::output::language(environment);
    start_for_others(home, place, |told| connect::say(&connect::words(&told, language))).await?;
    Ok(())
}

/// Finds the way: a proxy or tunnel that was configured, else our own listener for other devices, else
/// the plain one where it is not on loopback.
fn way_of(status: &Value, url: &str, own: &[IpAddr]) -> Result<Way, String> {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    if let Some(base) = text(status, "public_url") {
        let plain = base.starts_with("http://");
        let notes = if plain { vec![plain_words(&base), NEEDS_TRUST.to_owned()] } else { Vec::new() };
        return Ok(Way { base, notes });
    }
    let network = status.get("network").unwrap_or(&Value::Null);
    if let Some(why) = text(network, "why_not") {
        return Err(why);
    }
    let first = network.get("urls").and_then(|urls| urls.get(0)?.as_str());
    if let Some(base) = first {
        let mut notes =
            vec![format!("DEVICES IN THIS NETWORK REACH THIS DESK at {base}, as it was asked to be")];
        if network.get("self_made") == Some(&Value::Bool(true)) {
            let fingerprint = text(network, "fingerprint").unwrap_or_default();
            notes.push(format!(
                "the phone will warn, as this desk made its certificate itself; go on if it shows this SHA-256:\n  \
                 {fingerprint}"
            ));
            notes.push(NEEDS_TRUST.to_owned());
        }
        return Ok(Way { base: base.to_owned(), notes });
    }
    plain_way(url, own)
}

fn plain_way(url: &str, own: &[IpAddr]) -> Result<Way, String> {
    let alone = || "this desk listens on this machine only, so no phone can reach it".to_owned();
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, port) = host.rsplit_once(':').unwrap_or((host, "80"));
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    let base = match address {
        Ok(address) if address.is_loopback() => return Err(alone()),
        Ok(address) if address.is_unspecified() => {
            let own = own.first().ok_or("this machine has no address in a network")?;
            format!("http://{}:{port}", written(*own))
        }
        Err(_) if host == "localhost" || host.ends_with(".localhost") => return Err(alone()),
        _ => url.to_owned(),
    };
    let notes = if base.starts_with("https://") {
        Vec::new()
    } else {
        vec![plain_words(&base), NEEDS_TRUST.to_owned()]
    };
    Ok(Way { base, notes })
}

fn plain_words(base: &str) -> String {
    format!("{base} IS NOT ENCRYPTED: whoever is on the way can read along and sign in as you")
}

fn no_way(why: &str, environment: &Environment) -> Report {
    let file = connect::home(None, environment).map(|home| home.config().display().to_string());
    let file = file.unwrap_or_else(|_| "config.yaml".to_owned());
    let hint = format!(
        "`askuser open --qr --lan` lets devices in your network in, over HTTPS, until the desk is stopped; \
         `server: {{tls_listen: lan}}` in {file} does so at every start. \
         Through a tunnel or a proxy: set server.public_url, see `askuser help phone`"
    );
    Report::failed(why, Some(&hint))
}

/// Draws the link with two rows of squares in a row of text. A link that is too long for a QR code
/// stays a link.
fn drawn(link: &str) -> String {
    let code = QrCode::new(link.as_bytes());
    code.map(|code| code.render::<Dense1x2>().quiet_zone(true).build()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: &str = "http://127.0.0.1:8275";

    fn own() -> Vec<IpAddr> {
        vec!["192.168.1.7".parse().unwrap()]
    }

    #[test]
    fn a_desk_on_this_machine_only_is_no_way_for_a_phone() {
        for url in [HERE, "http://[::1]:8275", "http://localhost:1", "http://askuser.localhost:8275"] {
            let why = way_of(&json!({"network": null, "public_url": null}), url, &own()).unwrap_err();
            assert!(why.contains("this machine only"), "{url}: {why}");
        }
        let failed = json!({"network": {"urls": [], "why_not": "the certificate ended"}});
        assert_eq!(way_of(&failed, HERE, &own()), Err("the certificate ended".to_owned()));
        assert!(way_of(&json!({}), "http://0.0.0.0:8275", &[]).is_err());
    }

    #[test]
    fn the_way_is_the_public_one_then_that_of_the_network_then_the_plain_one() {
        let network =
            json!({"urls": ["https://192.168.1.7:8276"], "self_made": true, "fingerprint": "AB:CD"});
        let both = json!({"public_url": "https://desk.example.com", "network": network});
        let way = way_of(&both, HERE, &own()).unwrap();
        assert_eq!(way, Way { base: "https://desk.example.com".into(), notes: Vec::new() });
        let way = way_of(&json!({"network": network}), HERE, &own()).unwrap();
        assert_eq!(way.base, "https://192.168.1.7:8276");
        assert!(
            way.notes[0].contains("DEVICES IN THIS NETWORK") && way.notes[1].contains("AB:CD"),
            "{way:?}"
        );
        assert!(way.notes[2].contains("web push") && way.notes[2].contains("askuser help phone"), "{way:?}");
        let given = json!({"network": {"urls": ["https://desk.lan:8276"], "self_made": false}});
        assert_eq!(way_of(&given, HERE, &own()).unwrap().notes.len(), 1);
        let way = way_of(&json!({}), "http://0.0.0.0:8275", &own()).unwrap();
        assert_eq!(way.base, "http://192.168.1.7:8275");
        assert!(way.notes[0].contains("IS NOT ENCRYPTED"), "{way:?}");
        assert_eq!(way_of(&json!({}), "https://desk.example.com", &[]).unwrap().notes, [""; 0]);
    }

    #[test]
    fn a_link_is_drawn_as_squares() {
        let lines: Vec<String> =
            drawn("http://192.168.1.7:8275/login/link_00").lines().map(str::to_owned).collect();
        let width = lines.first().unwrap().chars().count();
        assert!(width >= 25 && lines.iter().all(|line| line.chars().count() == width), "{lines:?}");
        assert!(
            (width / 2..=width / 2 + 1).contains(&lines.len()),
            "as high as it is wide: {} {width}",
            lines.len()
        );
    }
}
