//! `askuser open`: the web page in the browser, signed in by a one-time link; or the link as a QR code
//! for the phone. The link is always printed: there is not always a browser here.

use std::process::{Command, Stdio};

use hyper::Method;
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;

use super::args::Insists;
use super::connect::{self, block_on, done};
use super::exit::Exit;
use super::report::Report;
use super::table::field;
use crate::client::Client;
use crate::client::keys::KeyFor;
use crate::environment::Environment;

/// Opens the page, or prints the way to it.
pub fn open(qr: bool, print: bool, insists: Insists, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let client = connect::person(environment, insists.as_person).await?;
        let (link, until) = new_link(&client).await?;
        connect::say(&format!("good once, until {until}"));
        if qr {
            if let Some(advice) = not_for_phones(&link) {
                connect::say(advice);
            }
            return done(&format!("{}\n{link}", drawn(&link)));
        }
        if !print && start_browser(&link, environment) {
            connect::say("opening it in the browser");
        }
        done(&link)
    })
}

/// Makes a login link; returns it and until when it is good.
pub async fn new_link(client: &Client) -> Result<(String, String), Report> {
    let told = client.plain(Method::POST, "/api/login-links", KeyFor::Person, None).await?;
    Ok((format!("{}{}", page(&client.url()?), field(&told, "url_path")), field(&told, "expires_at")))
}

/// The page has a host of its own: cookies do not know ports.
fn page(url: &str) -> String {
    url.replacen("//127.0.0.1:", "//askuser.localhost:", 1)
}

/// Why a phone cannot use this link, and what to do about it.
fn not_for_phones(link: &str) -> Option<&'static str> {
    let host = link.split("//").nth(1)?.split(['/', ':']).next()?;
    match host {
        "askuser.localhost" | "localhost" | "127" => Some(
            "this desk listens on this machine only, so a phone cannot reach it: start it with \
             `askuser serve --listen ADDRESS:8275`, ADDRESS being this machine's own on your network, or use a tunnel",
        ),
        "0.0.0.0" => Some(
            "this desk listens on every address and this link names none of them: start it with \
             `askuser serve --listen ADDRESS:8275`, ADDRESS being this machine's own on your network",
        ),
        _ => None,
    }
}

/// Draws the link with two rows of squares in a row of text. A link that is too long for a QR code
/// stays a link.
fn drawn(link: &str) -> String {
    let code = QrCode::new(link.as_bytes());
    code.map(|code| code.render::<Dense1x2>().quiet_zone(true).build()).unwrap_or_default()
}

/// Starts the person's browser where there is a screen to show it on; says whether it was started.
fn start_browser(link: &str, environment: &Environment) -> bool {
    let by_name = environment.get("BROWSER");
    let has_screen = environment.has("DISPLAY") || environment.has("WAYLAND_DISPLAY");
    let opener = match (by_name, std::env::consts::OS) {
        (Some(browser), _) => browser,
        (None, "macos") if !environment.has("SSH_CONNECTION") => "open",
        (None, "linux") if has_screen => "xdg-open",
        _ => return false,
    };
    let quiet = Command::new(opener)
        .arg(link)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    quiet.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_that_no_phone_can_use_is_said_to_be_one() {
        assert!(not_for_phones("http://askuser.localhost:8275/login/x").is_some());
        assert!(not_for_phones("http://0.0.0.0:8275/login/x").is_some());
        assert_eq!(not_for_phones("http://192.168.1.7:8275/login/x"), None);
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
