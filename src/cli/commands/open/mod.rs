//! `askuser open` and `askuser serve --open`: the web page in the browser, signed in by a one-time link.
//! The link is always printed: there is not always a browser here.

pub mod qr;

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread;

use askuser_words::commands::reach::Opening;
use askuser_words::time::Times;
use serde_json::json;

use crate::cli::args::{Form, Insists};
use askuser_ask::connect::{self, block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output;
use askuser_ask::report::Report;
use askuser_client::home::Home;
use askuser_client::{Client, Via};
use askuser_system::clock;
use askuser_system::environment::Environment;
use askuser_terminal as terminal;
use askuser_wire::time;

/// Open the inbox in the browser, or on your phone (--qr)
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser open
askuser open --qr --lan")]
pub struct OpenArgs {
    /// Show the link as a QR code for your phone
    #[arg(long)]
    pub qr: bool,
    /// Let devices on your network in over HTTPS until askuser stops
    #[arg(long, requires = "qr", conflicts_with = "tls_listen")]
    pub lan: bool,
    /// Like --lan, at another address: HOST:PORT or lan:PORT
    #[arg(long, value_name = "ADDRESS", requires = "qr")]
    pub tls_listen: Option<String>,
    /// Print the link instead of opening a browser
    #[arg(long)]
    pub print: bool,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// Opens the page, or prints the way to it, or shows it to a phone.
pub fn run(args: &OpenArgs, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let client = connect::person(environment, args.insists).await?;
        if args.qr {
            let place = args.tls_listen.as_deref().or(args.lan.then_some("lan"));
            return qr::show(&client, place, args.form, environment).await;
        }
        lead_in(&client, args.print, args.form, environment).await?;
        Ok(Exit::Answered)
    })
}

/// Opens the page of the daemon that this process is, beside it; it serves on, whatever comes of that.
pub fn beside(home: &Home, mark: Option<&'static str>, environment: &Environment) {
    // By its own folder: what the environment says of desks and keys is about another one.
    let client = Client::new(&Environment::default(), home.clone()).as_person(mark);
    let (environment, words) = (environment.clone(), Opening(output::language(environment)));
    let opening = move || match block_on(lead_in(&client, false, Form { json: false }, &environment)) {
        // It is ours as long as it runs, and would stay behind as a dead one. How it ended is its own.
        Ok(browser) => drop(browser.map(|mut browser| browser.wait())),
        Err(report) => {
            connect::say(Opening(output::language(&environment)).server_goes_on());
            report.print(&environment);
        }
    };
    if let Err(error) = thread::Builder::new().name("opening".to_owned()).spawn(opening) {
        connect::say(&words.not_opened(error));
    }
}

/// Makes a link, prints it and starts the browser with it, unless it is to be printed only.
pub(super) async fn lead_in(
    client: &Client,
    print: bool,
    form: Form,
    environment: &Environment,
) -> Result<Option<Child>, Report> {
    let (link, until) = new_page(client, environment).await?;
    if form.json {
        // Whoever reads this opens it themselves.
        done(&json!({"url": link, "until": until}).to_string())?;
        return Ok(None);
    }
    connect::say(&good_once(&until, environment));
    let browser = if print { None } else { start_browser(&link, environment) };
    if browser.is_some() {
        connect::say(Opening(output::language(environment)).opening());
    }
    done(&link)?;
    Ok(browser)
}

/// Says how long a login link is good.
pub fn good_once(until: &str, environment: &Environment) -> String {
    let language = output::language(environment);
    let times = Times::local(clock::now(), language);
    let left = time::read(until).map(|until| language.left(until.since(clock::now())));
    Opening(language).good_once(left.unwrap_or_default(), times.clock_of(until))
}

/// Makes a login link to the page on this machine; returns it and until when it is good.
pub async fn new_page(client: &Client, environment: &Environment) -> Result<(String, String), Report> {
    let link = new_link(client, environment).await?;
    let page = page(&client.url()?, link.page_host.as_deref());
    Ok((format!("{page}{}", link.path), link.until))
}

/// A login link.
pub struct LoginLink {
    /// Its path.
    pub path: String,
    /// Until when it is good.
    pub until: String,
    /// The page's own name on the machine of the desk.
    page_host: Option<String>,
}

/// Makes a login link. What it becomes proves no more than this command does.
pub async fn new_link(client: &Client, environment: &Environment) -> Result<LoginLink, Report> {
    let is_terminal = terminal::there_is_a_terminal(environment.agent_mark()).is_some();
    let told = client.login_link(if is_terminal { Via::Terminal } else { Via::Program }).await?;
    Ok(LoginLink { path: told.url_path, until: told.expires_at, page_host: told.page_host })
}

/// On its own machine the page has a name of its own, because cookies do not know ports; a desk elsewhere
/// has the name by which it is called.
fn page(url: &str, page_host: Option<&str>) -> String {
    let on_this_machine = ["127.0.0.1", "[::1]", "localhost", "0.0.0.0", "[::]"];
    let named = page_host.and_then(|page_host| {
        let rest = url.strip_prefix("http://")?;
        let rest = on_this_machine.into_iter().find_map(|name| rest.strip_prefix(name))?;
        (rest.is_empty() || rest.starts_with(':')).then(|| format!("http://{page_host}{rest}"))
    });
    named.unwrap_or_else(|| url.to_owned())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_this_machine_has_its_own_name_and_one_elsewhere_keeps_its() {
        let own = Some("askuser-0f.localhost");
        for (url, expected) in [
            ("http://127.0.0.1:8275", "http://askuser-0f.localhost:8275"),
            ("http://[::1]:8275", "http://askuser-0f.localhost:8275"),
            ("http://localhost", "http://askuser-0f.localhost"),
            ("http://localhost.example.com:1", "http://localhost.example.com:1"),
            ("https://desk.example.com", "https://desk.example.com"),
            ("http://192.168.1.7:8275", "http://192.168.1.7:8275"),
        ] {
            assert_eq!(page(url, own), expected);
        }
        // An older desk has none.
        assert_eq!(page("http://127.0.0.1:1", None), "http://127.0.0.1:1");
    }
}
