//! `askuser open` and `askuser serve --open`: the web page in the browser, signed in by a one-time link.
//! The link is always printed: there is not always a browser here.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread;

use hyper::Method;

use super::args::Insists;
use super::connect::{self, block_on, done};
use super::exit::Exit;
use super::report::Report;
use super::table::field;
use crate::client::Client;
use crate::client::home::Home;
use crate::client::keys::KeyFor;
use crate::environment::Environment;

/// Opens the page, or prints the way to it.
pub fn open(print: bool, insists: Insists, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let client = connect::person(environment, insists.as_person).await?;
        lead_in(&client, print, environment).await?;
        Ok(Exit::Answered)
    })
}

/// Opens the page of the daemon that this process is, beside it; it serves on, whatever comes of that.
pub fn beside(home: &Home, mark: Option<&'static str>, environment: &Environment) {
    // By its own folder: what the environment says of desks and keys is about another one.
    let client = Client::new(&Environment::default(), home.clone()).as_person(mark);
    let environment = environment.clone();
    let opening = move || match block_on(lead_in(&client, false, &environment)) {
        // It is ours as long as it runs, and would stay behind as a dead one. How it ended is its own.
        Ok(browser) => drop(browser.map(|mut browser| browser.wait())),
        Err(report) => {
            connect::say("the page is not opened, and the daemon serves on");
            report.print();
        }
    };
    if let Err(error) = thread::Builder::new().name("opening".to_owned()).spawn(opening) {
        connect::say(&format!("the page is not opened: {error}"));
    }
}

/// Makes a link, prints it and starts the browser with it, unless it is to be printed only.
async fn lead_in(client: &Client, print: bool, environment: &Environment) -> Result<Option<Child>, Report> {
    let (link, until) = new_page(client).await?;
    connect::say(&format!("good once, until {until}"));
    let browser = if print { None } else { start_browser(&link, environment) };
    if browser.is_some() {
        connect::say("opening it in the browser");
    }
    done(&link)?;
    Ok(browser)
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

/// Starts the person's browser where there is a screen to show it on; returns it where it was started.
fn start_browser(link: &str, environment: &Environment) -> Option<Child> {
    let by_name = environment.get("BROWSER");
    let has_screen = environment.has("DISPLAY") || environment.has("WAYLAND_DISPLAY");
    let opener = match (by_name, std::env::consts::OS) {
        (Some(browser), _) => browser,
        (None, "macos") if !environment.has("SSH_CONNECTION") => "open",
        (None, "linux") if has_screen => "xdg-open",
        _ => return None,
    };
    let quiet = Command::new(opener)
        .arg(link)
        // A key that ends us in the terminal does not end the browser.
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    quiet.ok()
}
