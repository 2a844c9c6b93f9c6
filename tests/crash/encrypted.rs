//! The way to a database that is encrypted: with the certificate that we trust it works, and with any
//! other nobody is told anything.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::daemon::Daemon;
use crate::postgres::Server;

/// Makes an authority and a certificate for `localhost` that it signed, in a folder.
fn authority(folder: &Path, name: &str) -> (PathBuf, PathBuf, PathBuf) {
    let path = |end: &str| folder.join(format!("{name}{end}"));
    let openssl = |args: &[&str]| {
        let done =
            Command::new("openssl").args(args).current_dir(folder).stdin(Stdio::null()).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    let [root, root_key, own, own_key, request, more] =
        ["-ca.pem", "-ca.key", ".pem", ".key", ".csr", ".ext"].map(|end| path(end).display().to_string());
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    let own_root =
        ["req", "-x509", "-days", "2", "-subj", &format!("/CN={name}"), "-keyout", &root_key, "-out", &root];
    openssl(&[&own_root[..], &key[..]].concat());
    openssl(
        &[&["req", "-subj", "/CN=localhost", "-keyout", &own_key, "-out", &request][..], &key[..]].concat(),
    );
    fs::write(
        &more,
        "subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n",
    )
    .unwrap();
    openssl(&[
        "x509",
        "-req",
        "-days",
        "2",
        "-in",
        &request,
        "-CA",
        &root,
        "-CAkey",
        &root_key,
        "-CAcreateserial",
        "-extfile",
        &more,
        "-out",
        &own,
    ]);
    (path("-ca.pem"), path(".pem"), path(".key"))
}

fn serve(trusted: &Path, database: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_askuser"));
    command.env("SSL_CERT_FILE", trusted).env_remove("SSL_CERT_DIR").env("ASKUSER_DATABASE", database);
    command
}

/// What a daemon says that does not start.
fn refused(trusted: &Path, database: &str) -> String {
    let home = TempDir::new().unwrap();
    let mut command = serve(trusted, database);
    command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(home.path());
    command.env("ASKUSER_HOME", home.path()).env_remove("ASKUSER_CONFIG").stdin(Stdio::null());
    let tried = command.output().unwrap();
    assert!(!tried.status.success());
    assert_eq!(String::from_utf8_lossy(&tried.stdout), "", "standard output is for those that started");
    String::from_utf8_lossy(&tried.stderr).into_owned()
}

#[test]
fn a_database_is_spoken_to_encrypted_and_only_where_its_certificate_is_trusted() {
    let folder = TempDir::new().unwrap();
    let (trusted, certificate, key) = authority(folder.path(), "ours");
    let (stranger, ..) = authority(folder.path(), "stranger");
    let files = [(&*certificate, "server.crt"), (&*key, "server.key")];
    let (server, port) = Server::start_on_loopback(&files, &["ssl=on"]);
    server.database();
    for mode in ["require", "verify-full"] {
        let home = TempDir::new().unwrap();
        let database = format!("postgres://postgres@localhost:{port}/desk0?sslmode={mode}");
        let daemon = Daemon::start_as(serve(&trusted, &database), home.path());
        let ways =
            "SELECT count(*) || ' ' || bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
            WHERE application_name = 'askuser'";
        let ways = server.run("postgres", ways).unwrap();
        assert!(ways.ends_with(" true") && !ways.starts_with("0 "), "{ways}");
        daemon.kill();
        server.run("postgres", "DROP DATABASE desk0 WITH (FORCE)").unwrap();
        server.run("postgres", "CREATE DATABASE desk0").unwrap();
    }
    let database = format!("postgres://postgres:secret@localhost:{port}/desk0?sslmode=require");
    let words = refused(&stranger, &database);
    let place = format!("postgres://postgres@localhost:{port}/desk0");
    assert!(words.contains(&format!("{place} shows a certificate that cannot be trusted")), "{words}");
    assert!(words.contains("SSL_CERT_FILE") && !words.contains("secret"), "{words}");
    // A right certificate under a wrong name is no better.
    let words = refused(&trusted, &database.replace("localhost", "127.0.0.1"));
    assert!(words.contains("shows a certificate that cannot be trusted"), "{words}");
    let tables =
        server.run("desk0", "SELECT count(*) FROM information_schema.tables WHERE table_name = 'head'");
    assert_eq!(tables.unwrap(), "0", "nothing was done there");
}

#[test]
fn a_database_that_does_not_encrypt_is_refused_where_its_address_asks_for_it() {
    let folder = TempDir::new().unwrap();
    let (trusted, ..) = authority(folder.path(), "ours");
    let (_server, port) = Server::start_on_loopback(&[], &[]);
    let words = refused(&trusted, &format!("postgres://postgres@localhost:{port}/postgres?sslmode=require"));
    assert!(words.contains("does not speak TLS"), "{words}");
}
