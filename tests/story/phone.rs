//! A phone comes in: over TLS, by a link for one person, and only where that was asked for. The network
//! is 127.0.0.2 here, another address than the one that the commands use.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use askuser::daemon::network::self_signed::{self, Hosts};
use askuser_core::time::Timestamp;
use askuser_system::clock;
use rustix::process::Signal;
use serde_json::Value;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::asks::told;
use crate::home::{TestHome, signal};

const PATIENCE: Duration = Duration::from_secs(20);

/// Writes the configuration of a home.
pub(crate) fn configure(home: &TestHome, text: &str) {
    fs::create_dir_all(home.home.folder()).unwrap();
    fs::write(home.home.config(), text).unwrap();
}

pub(crate) fn network(home: &TestHome) -> Value {
    home.json(&["status", "--json"])["network"].clone()
}

fn url(home: &TestHome) -> String {
    network(home)["urls"][0].as_str().unwrap().to_owned()
}

/// The certificate that the desk made for itself, as its owner would hand it on.
fn own_certificate(home: &TestHome) -> PathBuf {
    self_signed::public_file(&home.home.tls())
}

/// Another one, in files as an operator has them; returns them: the certificate and its key.
pub(crate) fn given(home: &TestHome, name: &str, hosts: &[&str], made_at: Timestamp) -> (String, String) {
    let names = hosts.iter().filter(|host| host.parse::<std::net::IpAddr>().is_err());
    let wanted = Hosts {
        names: names.map(|name| (*name).to_owned()).collect(),
        addresses: hosts.iter().filter_map(|host| host.parse().ok()).collect(),
    };
    let folder = home.home.folder().join(name);
    self_signed::load_or_make(&folder, &wanted, made_at).unwrap();
    let path = |path: PathBuf| path.to_str().unwrap().to_owned();
    (path(self_signed::public_file(&folder)), path(self_signed::file(&folder)))
}

/// A request over TLS by a client that trusts these certificates and nobody else.
fn request(url: &str, trusted: &[&Path], head: &str) -> std::io::Result<String> {
    let mut roots = RootCertStore::empty();
    for path in trusted {
        roots.add(CertificateDer::from_pem_file(path).unwrap()).unwrap();
    }
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let address = url.strip_prefix("https://").unwrap();
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let host = address.rsplit_once(':').unwrap().0.to_owned();
    let client = ClientConnection::new(Arc::new(config), ServerName::try_from(host).unwrap()).unwrap();
    let mut line = StreamOwned::new(client, stream);
    let head = head.replace("HOST", address).replace('\n', "\r\n");
    line.write_all(format!("{head}\r\nconnection: close\r\n\r\n").as_bytes())?;
    let mut answer = String::new();
    match line.read_to_string(&mut answer) {
        Err(error) if answer.is_empty() => Err(error),
        Ok(_) | Err(_) => Ok(answer),
    }
}

fn status_of(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

/// D1: TLS by a certificate of the desk's own. Whoever trusts it comes in, nobody else does, and the
/// commands of this machine go on as before.
#[test]
fn d1_a_phone_comes_in_over_tls_and_only_who_trusts_the_certificate() {
    let home = TestHome::new();
    let daemon = home.serve(&["--listen", "127.0.0.1:0", "--tls-listen", "127.0.0.2:0"]);
    let said = daemon.says("IS REACHABLE FROM OTHER MACHINES over HTTPS");
    let network = network(&home);
    let (url, fingerprint) = (url(&home), network["fingerprint"].as_str().unwrap().to_owned());
    assert!(
        url.starts_with("https://127.0.0.2:") && said.contains(&url) && said.contains(&fingerprint),
        "{said}"
    );
    let own = own_certificate(&home);
    let answer = request(&url, &[&own], "GET /healthz HTTP/1.1\nhost: HOST").unwrap();
    assert_eq!(status_of(&answer), "200", "{answer}");
    let refused = request(&url, &[], "GET /healthz HTTP/1.1\nhost: HOST").unwrap_err();
    assert!(refused.to_string().contains("UnknownIssuer"), "{refused}");
    let (other, _) = given(&home, "other", &["127.0.0.2"], clock::now());
    let refused = request(&url, &[Path::new(&other)], "GET /healthz HTTP/1.1\nhost: HOST").unwrap_err();
    assert!(refused.to_string().contains("certificate"), "{refused}");
    // Somebody else's name that was pointed here, and a page without TLS under ours.
    let answer = request(&url, &[&own], "GET /healthz HTTP/1.1\nhost: evil.example").unwrap();
    assert_eq!(status_of(&answer), "421", "{answer}");
    let plain = url.replace("https://", "http://");
    let forged = format!("POST /sign-in HTTP/1.1\nhost: HOST\norigin: {plain}\ncontent-length: 0");
    assert_eq!(status_of(&request(&url, &[&own], &forged).unwrap()), "403");
    // What is no TLS gets nothing.
    let mut line = TcpStream::connect(url.strip_prefix("https://").unwrap()).unwrap();
    line.set_read_timeout(Some(PATIENCE)).unwrap();
    line.write_all(b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.2\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    let _cut = line.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP"), "{answer:?}");
    // The same machine, as ever.
    assert!(home.daemon().url.starts_with("http://127.0.0.1:"));
    assert_eq!(home.prints(&["list"]), "No questions are waiting.");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&home.home.tls()), mode(&self_signed::file(&home.home.tls()))), (0o700, 0o600));
    // Started anew it is the same certificate: a phone that accepted it is not asked again.
    home.kill();
    let _daemon = home.serve(&["--listen", "127.0.0.1:0", "--tls-listen", "127.0.0.2:0"]);
    assert_eq!(self::network(&home)["fingerprint"].as_str(), Some(fingerprint.as_str()));
}

/// D1: the link of `open --qr` signs one person in, once, by a cookie that is for TLS only.
#[test]
fn d1_the_link_for_the_phone_is_good_once() {
    let home = TestHome::new();
    // A name as a phone would use: under one of loopback nobody signs in.
    fs::create_dir_all(home.data()).unwrap();
    let config = Path::new(&home.data()).join("config.yaml");
    fs::write(config, "server: {hosts: [phone.test]}\n").unwrap();
    let _daemon = home.serve(&["--listen", "127.0.0.1:0", "--tls-listen", "127.0.0.2:0"]);
    let output = home.run(&["open", "--qr"]);
    let (shown, said) = (
        String::from_utf8(output.stdout.clone()).unwrap(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let fingerprint = network(&home)["fingerprint"].as_str().unwrap().to_owned();
    for words in [
        "DEVICES IN THIS NETWORK CAN REACH ASKUSER",
        &fingerprint,
        "Web push",
        "askuser help phone",
        "signs you in once",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let (url, own) = (url(&home), own_certificate(&home));
    let link = shown.lines().last().unwrap();
    let path = link.strip_prefix(&url).unwrap();
    assert!(shown.contains('█') && path.starts_with("/login/"), "{shown}");
    let looked = request(&url, &[&own], &format!("GET {path} HTTP/1.1\nhost: HOST")).unwrap();
    assert_eq!(status_of(&looked), "421");
    let looked = request(&url, &[&own], &format!("GET {path} HTTP/1.1\nhost: phone.test")).unwrap();
    assert_eq!(status_of(&looked), "200");
    let press =
        format!("POST {path} HTTP/1.1\nhost: phone.test\norigin: https://phone.test\ncontent-length: 0");
    let first = request(&url, &[&own], &press).unwrap();
    let cookie =
        first.lines().find(|line| line.to_lowercase().starts_with("set-cookie:")).unwrap_or_default();
    assert!(status_of(&first) == "303" && cookie.contains("HttpOnly"), "{first}");
    assert!(cookie.contains("__Host-askuser=") && cookie.contains("Path=/"), "{cookie}");
    assert!(cookie.contains("SameSite=Strict") && cookie.trim().ends_with("; Secure"), "{cookie}");
    let second = request(&url, &[&own], &press).unwrap();
    assert!(status_of(&second) == "401" && !second.to_lowercase().contains("set-cookie"), "{second}");
    let cookie = cookie.split_once(':').unwrap().1.split(';').next().unwrap().trim();
    let inbox =
        request(&url, &[&own], &format!("GET /api/inbox HTTP/1.1\nhost: phone.test\ncookie: {cookie}"))
            .unwrap();
    assert_eq!(status_of(&inbox), "200", "{inbox}");
}

/// Without being asked nothing is opened; asked, the desk starts anew and lets devices in; while somebody
/// waits it does not.
#[test]
fn d1_other_devices_come_in_only_where_somebody_asked_for_it() {
    let home = TestHome::new();
    let output = home.run(&["open", "--qr"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{}", told(&output));
    assert!(said.contains("this machine only") && said.contains("`askuser open --qr --lan`"), "{said}");
    assert!(said.contains("server: {tls_listen: lan}") && said.contains("askuser help phone"), "{said}");
    assert!(network(&home).is_null() && !home.home.tls().exists());
    let (asking, id) = home.asks(&[r#"{"question_text":"Ship it?","type":"boolean"}"#]);
    let output = home.run(&["open", "--qr", "--tls-listen", "127.0.0.2:0"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && said.contains("and a question is waiting"), "{said}");
    home.prints(&["cancel", &id]);
    drop(asking);
    let before = home.daemon().pid;
    let output = home.run(&["open", "--qr", "--tls-listen", "127.0.0.2:0"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(home.daemon().pid != before, "it was started anew");
    assert!(String::from_utf8(output.stdout).unwrap().contains("https://127.0.0.2:"));
    assert!(home.log().contains("IS REACHABLE FROM OTHER MACHINES over HTTPS"), "{}", home.log());
    // Only for the phone: what is asked for without a code is no way in.
    assert_eq!(home.run(&["open", "--lan"]).status.code(), Some(2));
}

/// D16: `tls_listen`, `tls_certificate` and `tls_key`: what is wrong with them is told at start.
#[test]
fn d16_a_certificate_that_is_no_good_is_refused_at_start_with_words() {
    let home = TestHome::new();
    let now = clock::now();
    let day = 24 * 3_600_000;
    let (good, key) = given(&home, "good", &["127.0.0.2", "desk.example.com"], now);
    let (_, others_key) = given(&home, "other", &["127.0.0.2"], now);
    let (old, old_key) = given(&home, "old", &["127.0.0.2"], Timestamp(now.0 - 400 * day));
    let (early, early_key) = given(&home, "early", &["127.0.0.2"], Timestamp(now.0 + 2 * day));
    let listen = "tls_listen: 127.0.0.2:0";
    for (server, words, hint) in [
        (
            format!("{listen}, tls_certificate: {good}, tls_key: {others_key}"),
            "does not belong",
            "made together",
        ),
        (format!("{listen}, tls_certificate: {good}"), "no private key", "server.tls_key"),
        (format!("{listen}, tls_certificate: {old}, tls_key: {old_key}"), "expired at", "get a new one"),
        (
            format!("{listen}, tls_certificate: {early}, tls_key: {early_key}"),
            "is valid from",
            "set the clock",
        ),
        (format!("{listen}, tls_certificate: /nowhere.pem"), "cannot read /nowhere.pem", "tls_certificate"),
        (
            format!("{listen}, tls_certificate: {}", home.home.config().display()),
            "no certificate in",
            "makes a certificate",
        ),
        (format!("{listen}, tls_key: {key}"), "tls_certificate is not", "--tls-certificate"),
        (format!("tls_certificate: {good}, tls_key: {key}"), "no address to listen on", "--lan"),
        ("tls_listen: 203.0.113.1:0".to_owned(), "cannot listen on 203.0.113.1:0", "or lan"),
        ("tls_listen: lanes".to_owned(), "is `lanes`, not lan, lan:PORT or HOST:PORT", "--sample"),
        ("public_url: https://a.example/desk".to_owned(), "without a path", "--sample"),
        ("public_url: desk.example.com".to_owned(), "not an address like https://", "--sample"),
    ] {
        configure(&home, &format!("server: {{listen: 127.0.0.1:0, {server}}}\n"));
        let output = home.run(&["serve"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(output.status.code(), Some(1 | 2)), "{server}: {}", told(&output));
        assert!(said.contains(words) && said.contains("hint: "), "{server}: {said}");
        assert!(said.split_once("hint: ").unwrap().1.contains(hint), "{server}: {said}");
    }
    configure(
        &home,
        &format!("server: {{listen: 127.0.0.1:0, {listen}, tls_certificate: {good}, tls_key: {key}}}\n"),
    );
    let _daemon = home.serve(&[]);
    assert!(url(&home).starts_with("https://desk.example.com:"), "by the name that it is for");
}

/// One in the background goes on without the network, and says why nobody else can come in.
#[test]
fn d16_a_desk_in_the_background_goes_on_without_its_certificate() {
    let home = TestHome::new();
    configure(
        &home,
        "server: {listen: 127.0.0.1:0, tls_listen: 127.0.0.2:0, tls_certificate: /nowhere.pem}\n",
    );
    assert_eq!(home.prints(&["list"]), "No questions are waiting.");
    let output = home.run(&["open", "--qr"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && said.contains("cannot read /nowhere.pem"), "{said}");
    assert!(home.log().contains("ERROR No other device can connect"), "{}", home.log());
    let doctor = home.run(&["doctor"]);
    let found = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(
        doctor.status.code() == Some(1) && found.contains("fail  certificate  cannot read /nowhere.pem"),
        "{found}"
    );
    assert!(found.contains("fail  phone        no phone can connect: cannot read /nowhere.pem"), "{found}");
}

/// D16: a given certificate is read anew on SIGHUP; one that is no good changes nothing.
#[test]
fn d16_a_given_certificate_is_read_anew_on_sighup() {
    let home = TestHome::new();
    let now = clock::now();
    let (first, first_key) = given(&home, "first", &["127.0.0.2"], now);
    let (second, second_key) = given(&home, "second", &["127.0.0.2"], now);
    let (shown, key) = (home.home.folder().join("shown.pem"), home.home.folder().join("shown.key"));
    let put = |certificate: &str, secret: &str| {
        fs::copy(certificate, &shown).unwrap();
        fs::copy(secret, &key).unwrap();
    };
    put(&first, &first_key);
    let daemon = home.serve(&[
        "--listen",
        "127.0.0.1:0",
        "--tls-listen",
        "127.0.0.2:0",
        "--tls-certificate",
        shown.to_str().unwrap(),
        "--tls-key",
        key.to_str().unwrap(),
    ]);
    let url = url(&home);
    let healthy = |trusted: &str| {
        let answer = request(&url, &[Path::new(trusted)], "GET /healthz HTTP/1.1\nhost: HOST");
        answer.is_ok_and(|answer| status_of(&answer) == "200")
    };
    assert!(healthy(&first) && !healthy(&second));
    let before = network(&home)["fingerprint"].clone();
    put(&second, &second_key);
    signal(home.daemon().pid, Signal::HUP);
    daemon.says("The certificate was replaced");
    assert!(healthy(&second) && !healthy(&first));
    assert_ne!(network(&home)["fingerprint"], before);
    put(&first, &second_key);
    signal(home.daemon().pid, Signal::HUP);
    daemon.says("ERROR The certificate is unchanged: the private key in");
    assert!(healthy(&second));
}
