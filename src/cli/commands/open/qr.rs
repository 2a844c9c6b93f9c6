//! `askuser open --qr`: the way to this desk for the phone, as a QR code with a sign-in link for one
//! person, good once and for a while.
//!
//! Other devices come in only where somebody asked for it: here with `--lan`, at `askuser serve`, or in
//! the configuration. Where nobody did, the command says how, and makes no link.

use std::net::IpAddr;

use askuser_words::commands::reach::Opening;
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use serde_json::{Value, json};

use super::{LoginLink, new_link};
use crate::cli::args::Form;
use crate::daemon::network::{certificate::written, lan};
use askuser_api::operating::Stop;
use askuser_ask::connect::{self, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::Report;
use askuser_client::find_or_start::{start_on_network, wait_until_gone};
use askuser_client::{Client, Location};
use askuser_core::command::KeyRole;
use askuser_net::url::{Url, UrlError};
use askuser_system::environment::Environment;

/// How a phone comes to this desk.
#[derive(Debug, PartialEq, Eq)]
struct Way {
    /// Where the link leads.
    base: String,
    /// What the person should know about it, loudest first.
    notes: Vec<String>,
}

/// Shows the way; with a place, lets other devices in there first.
pub async fn show(
    client: &Client,
    place: Option<&str>,
    form: Form,
    environment: &Environment,
) -> Result<Exit, Report> {
    let words = Opening(language(environment));
    let mut told = status(client).await?;
    let mut way = way_of(&told, &client.url()?, &lan::addresses(), words);
    if let (Err(_), Some(place)) = (&way, place) {
        let_in(client, &told, place, words).await?;
        told = status(client).await?;
        way = way_of(&told, &client.url()?, &lan::addresses(), words);
    }
    let way = way.map_err(|why| no_way(&why, words, environment))?;
    let LoginLink { path, until, .. } = new_link(client, environment).await?;
    let link = format!("{}{path}", way.base);
    if form.json {
        return done(&json!({"url": link, "until": until, "notes": way.notes}).to_string());
    }
    for note in &way.notes {
        connect::say(note);
    }
    connect::say(&super::good_once(&until, environment));
    done(&format!("{}\n{link}", drawn(&link)))
}

async fn status(client: &Client) -> Result<Value, Report> {
    Ok(crate::cli::commands::status::fetch(client).await?)
}

/// Starts the desk anew so that others reach it. Nobody who waits is cut off for that.
async fn let_in(client: &Client, told: &Value, place: &str, words: Opening) -> Result<(), Report> {
    let Location::Folder(home) = client.location() else {
        return Err(Report::failed(words.not_here(), Some(words.not_here_hint())));
    };
    let open_asks = told.get("open_asks").and_then(Value::as_u64).unwrap_or_default();
    if open_asks > 0 {
        return Err(Report::failed(words.waiting_first(open_asks), Some(words.waiting_hint())));
    }
    connect::say(words.restarting());
    client.call::<Stop>(KeyRole::Admin).send().await?;
    if !wait_until_gone(home).await? {
        return Err(Report::failed(words.not_stopped(), Some(words.try_again())));
    }
    start_on_network(home, place, |told| connect::say(&connect::words(&told, words.0))).await?;
    Ok(())
}

/// Finds the way: a proxy or tunnel that was configured, else our own listener for other devices, else
/// the plain one where it is not on loopback.
fn way_of(status: &Value, url: &str, own: &[IpAddr], words: Opening) -> Result<Way, String> {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    if let Some(base) = text(status, "public_url") {
        let plain = base.starts_with("http://");
        let notes =
            if plain { vec![words.not_encrypted(&base), words.needs_trust().to_owned()] } else { Vec::new() };
        return Ok(Way { base, notes });
    }
    let network = status.get("network").unwrap_or(&Value::Null);
    if let Some(why) = text(network, "why_not") {
        return Err(why);
    }
    let first = network.get("urls").and_then(|urls| urls.get(0)?.as_str());
    if let Some(base) = first {
        let mut notes = vec![words.reachable(base)];
        if network.get("self_made") == Some(&Value::Bool(true)) {
            let fingerprint = text(network, "fingerprint").unwrap_or_default();
            notes.push(words.warns(fingerprint));
            notes.push(words.needs_trust().to_owned());
        }
        return Ok(Way { base: base.to_owned(), notes });
    }
    plain_way(url, own, words)
}

fn plain_way(url: &str, own: &[IpAddr], words: Opening) -> Result<Way, String> {
    let alone = || words.this_machine_only().to_owned();
    let parsed: Url = url.parse().map_err(|error: UrlError| error.to_string())?;
    let (host, port) = (parsed.host(), parsed.port());
    let base = match host.parse::<IpAddr>() {
        Ok(address) if address.is_loopback() => return Err(alone()),
        Ok(address) if address.is_unspecified() => {
            let own = own.first().ok_or(words.no_network())?;
            format!("http://{}:{port}", written(*own))
        }
        Err(_) if host == "localhost" || host.ends_with(".localhost") => return Err(alone()),
        _ => url.to_owned(),
    };
    let notes = if base.starts_with("https://") {
        Vec::new()
    } else {
        vec![words.not_encrypted(&base), words.needs_trust().to_owned()]
    };
    Ok(Way { base, notes })
}

fn no_way(why: &str, words: Opening, environment: &Environment) -> Report {
    let file = connect::home(None, environment).map(|home| environment.told(&home.config()));
    let file = file.unwrap_or_else(|_| "config.yaml".to_owned());
    Report::failed(why, Some(&words.no_way(file)))
}

/// Draws the link with two rows of squares in a row of text. A link that is too long for a QR code
/// stays a link.
fn drawn(link: &str) -> String {
    let code = QrCode::new(link.as_bytes());
    code.map(|code| code.render::<Dense1x2>().quiet_zone(true).build()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use askuser_words::Language;

    use super::*;

    const WORDS: Opening = Opening(Language::English);
    const HERE: &str = "http://127.0.0.1:8275";

    fn own() -> Vec<IpAddr> {
        vec!["192.168.1.7".parse().unwrap()]
    }

    #[test]
    fn a_desk_on_this_machine_only_is_no_way_for_a_phone() {
        for url in [HERE, "http://[::1]:8275", "http://localhost:1", "http://askuser.localhost:8275"] {
            let why = way_of(&json!({"network": null, "public_url": null}), url, &own(), WORDS).unwrap_err();
            assert!(why.contains("this machine only"), "{url}: {why}");
        }
        let failed = json!({"network": {"urls": [], "why_not": "the certificate ended"}});
        assert_eq!(way_of(&failed, HERE, &own(), WORDS), Err("the certificate ended".to_owned()));
        assert!(way_of(&json!({}), "http://0.0.0.0:8275", &[], WORDS).is_err());
    }

    #[test]
    fn the_way_is_the_public_one_then_that_of_the_network_then_the_plain_one() {
        let network =
            json!({"urls": ["https://192.168.1.7:8276"], "self_made": true, "fingerprint": "AB:CD"});
        let both = json!({"public_url": "https://desk.example.com", "network": network});
        let way = way_of(&both, HERE, &own(), WORDS).unwrap();
        assert_eq!(way, Way { base: "https://desk.example.com".into(), notes: Vec::new() });
        let way = way_of(&json!({"network": network}), HERE, &own(), WORDS).unwrap();
        assert_eq!(way.base, "https://192.168.1.7:8276");
        assert!(
            way.notes[0].contains("DEVICES IN THIS NETWORK") && way.notes[1].contains("AB:CD"),
            "{way:?}"
        );
        assert!(way.notes[2].contains("Web push") && way.notes[2].contains("askuser help phone"), "{way:?}");
        let given = json!({"network": {"urls": ["https://desk.lan:8276"], "self_made": false}});
        assert_eq!(way_of(&given, HERE, &own(), WORDS).unwrap().notes.len(), 1);
        let way = way_of(&json!({}), "http://0.0.0.0:8275", &own(), WORDS).unwrap();
        assert_eq!(way.base, "http://192.168.1.7:8275");
        assert!(way.notes[0].contains("IS NOT ENCRYPTED"), "{way:?}");
        assert_eq!(way_of(&json!({}), "https://desk.example.com", &[], WORDS).unwrap().notes, [""; 0]);
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
