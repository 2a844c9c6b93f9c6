//! `askuser open`: the web page in the browser, signed in by a one-time link. The link is always printed:
//! there is not always a browser here.

use std::process::{Command, Stdio};

use hyper::Method;

use super::args::Insists;
use super::connect::{self, block_on, done};
use super::exit::Exit;
use super::report::Report;
use super::table::field;
use crate::client::Client;
use crate::client::keys::KeyFor;
use crate::environment::Environment;

/// Opens the page, or prints the way to it.
pub fn open(print: bool, insists: Insists, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let client = connect::person(environment, insists.as_person).await?;
        let (link, until) = new_page(&client).await?;
        connect::say(&format!("good once, until {until}"));
        if !print && start_browser(&link, environment) {
            connect::say("opening it in the browser");
        }
        done(&link)
    })
}

/// Makes a login link to the page on this machine; returns it and until when it is good.
pub async fn new_page(client: &Client) -> Result<(String, String), Report> {
    let (path, until) = new_link(client).await?;
    Ok((format!("{}{path}", page(&client.url()?)), until))
}

/// Makes a login link; returns its path and until when it is good.
pub async fn new_link(client: &Client) -> Result<(String, String), Report> {
    let told = client.plain(Method::POST, "/api/login-links", KeyFor::Person, None).await?;
    Ok((field(&told, "url_path"), field(&told, "expires_at")))
}

/// The page has a host of its own: cookies do not know ports.
fn page(url: &str) -> String {
    url.replacen("//127.0.0.1:", "//askuser.localhost:", 1)
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
