//! `askuser serve --open`: the page opens by itself, for a person and for nobody else.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use askuser_client::home::ServerState;

use crate::asks::{ASKUSER, told};
use crate::home::{Program, TestHome, eventually};

const SERVE: [&str; 4] = ["serve", "--open", "--listen", "127.0.0.1:0"];

/// A browser that notes its process and what it was to open.
fn browser(home: &TestHome) -> (String, PathBuf) {
    let (program, noted) = (home.path().join("browser"), home.path().join("opened"));
    let script = format!("#!/bin/sh\necho \"$$ $*\" >'{0}.new'\nmv '{0}.new' '{0}'\n", noted.display());
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    (program.to_str().unwrap().to_owned(), noted)
}

fn opened(noted: &Path) -> (String, String) {
    let text = eventually("the browser", || fs::read_to_string(noted).ok());
    let (pid, link) = text.trim_end().split_once(' ').unwrap();
    (pid.to_owned(), link.to_owned())
}

/// What a browser is answered that comes to this address.
fn visited(link: &str) -> String {
    let (host, path) = link.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let (name, port) = host.split_once(':').unwrap();
    assert!(name.starts_with("askuser-") && name.ends_with(".localhost"), "{name}");
    let port = port.parse().unwrap();
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn serve_opens_the_page_with_a_link_that_is_good() {
    let home = TestHome::new();
    let (program, noted) = browser(&home);
    // What these say is of other desks.
    let elsewhere = [("ASKUSER_URL", "http://127.0.0.1:1"), ("ASKUSER_KEY", "askuser_person_0")];
    let mut serve = home.command(ASKUSER, &SERVE);
    let daemon = Program::start(serve.env("BROWSER", program).envs(elsewhere));
    let (pid, link) = opened(&noted);
    daemon.says("Opening it in the browser");
    daemon.prints("/login/");
    assert_eq!(daemon.stdout(), format!("askuser listening on {}\n{link}\n", home.daemon().url));
    let answer = visited(&link);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("<form"), "{answer}");
    eventually("the browser that ended to be gone", || {
        (!Path::new("/proc").join(&pid).exists()).then_some(())
    });
    // The page was opened by the one that runs; `open` opens it again.
    assert_ne!(home.prints(&["open"]), link);
}

#[test]
fn serve_prints_the_link_after_its_first_line_where_no_browser_can_be_started() {
    for vars in [&[][..], &[("BROWSER", "/nowhere/browser")][..]] {
        let home = TestHome::new();
        let daemon = Program::start(home.command(ASKUSER, &SERVE).envs(vars.iter().copied()));
        let link = daemon.prints("/login/");
        let page = fs::read_to_string(Path::new(&home.data()).join("askuser.page-host")).unwrap();
        let page = home.daemon().url.replace("127.0.0.1", page.trim());
        assert!(link.starts_with(&format!("{page}/login/")), "{link}");
        assert_eq!(daemon.stdout(), format!("askuser listening on {}\n{link}\n", home.daemon().url));
        assert!(!daemon.stderr().contains("opening it"), "{}", daemon.stderr());
    }
}

#[test]
fn serve_opens_no_page_for_an_agent() {
    let home = TestHome::new();
    let (program, noted) = browser(&home);
    let vars = [("CLAUDECODE", "1"), ("BROWSER", program.as_str())];
    let refused = home.run_with(&vars, &SERVE);
    assert_eq!((refused.status.code(), refused.stdout.as_slice()), (Some(2), &b""[..]), "{}", told(&refused));
    assert!(told(&refused).contains("CLAUDECODE is set"), "{}", told(&refused));
    assert!(
        home.home.look() == ServerState::Nobody && !home.home.folder().exists(),
        "before anything is made"
    );
    // A person who insists is let through, and that is noted.
    let mut serve = home.command(ASKUSER, &SERVE);
    let daemon = Program::start(serve.arg("--as-person").envs(vars));
    opened(&noted);
    daemon.says("A person's command ran where an agent's mark is set mark=\"CLAUDECODE\"");
}
