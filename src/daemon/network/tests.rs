//! Certificates: what is refused, what is kept, what is made anew, and where people are sent.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use askuser_core::time::Timestamp;

use super::certificate::{Certificate, CertificateError, Claims};
use super::self_signed::{self, Hosts};
use super::urls;

const NOW: Timestamp = Timestamp(1_800_000_000_000);
const DAY: Duration = Duration::from_hours(24);

fn wanted() -> Hosts {
    Hosts {
        names: vec!["desk.example.com".into(), "*.example.org".into()],
        addresses: vec!["192.168.1.7".parse().unwrap(), "fd00::7".parse().unwrap()],
    }
}

/// A certificate with its key in one file.
fn file(folder: &Path, name: &str, now: Timestamp) -> PathBuf {
    let inner = folder.join(name);
    self_signed::load_or_make(&inner, &wanted(), now).unwrap();
    self_signed::file(&inner)
}

#[test]
fn a_certificate_says_for_whom_it_is_and_when() {
    let folder = tempfile::tempdir().unwrap();
    let Certificate { claims, .. } = Certificate::read(&file(folder.path(), "a", NOW), None, NOW).unwrap();
    for host in ["desk.example.com", "DESK.example.com", "any.example.org", "192.168.1.7", "[fd00::7]"] {
        assert!(claims.is_for(host), "{host}");
    }
    for host in ["example.com", "x.desk.example.com", "example.org", "a.b.example.org", "192.168.1.8"] {
        assert!(!claims.is_for(host), "{host}");
    }
    assert_eq!(claims.hosts(), ["desk.example.com", "192.168.1.7", "[fd00::7]"]);
    assert!(claims.not_before < NOW && claims.not_after == NOW.after(397 * DAY));
}

#[test]
fn what_is_no_good_certificate_is_refused_with_words() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (file(folder.path(), "one", NOW), file(folder.path(), "other", NOW));
    let odd = folder.path().join("odd.pem");
    fs::write(&odd, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n").unwrap();
    let empty = folder.path().join("empty.pem");
    fs::write(&empty, "nothing of the kind\n").unwrap();
    let public = self_signed::public_file(&folder.path().join("one"));
    let refused = |certificate: &Path, key: Option<&Path>, now| {
        let error = Certificate::read(certificate, key, now).unwrap_err();
        assert!(!error.hint().english.is_empty());
        error.to_string()
    };
    let [path, empty_path] = [&folder.path().join("gone.pem"), &empty].map(|path| path.display().to_string());
    let gone = folder.path().join("gone.pem");
    assert!(refused(&gone, None, NOW).contains(&format!("cannot read {path}: No such file")));
    assert!(refused(&empty, None, NOW).contains(&format!("no certificate in {empty_path}")));
    assert!(refused(&odd, None, NOW).starts_with("cannot parse "));
    assert!(refused(&public, None, NOW).contains("certificate.pem that works without a password"));
    assert!(refused(&one, Some(&other), NOW).contains("does not belong to the certificate in"));
    assert!(refused(&one, None, NOW.after(397 * DAY)).contains("expired at 2028-02-16T08:00:00"));
    let early = Timestamp(NOW.0 - 2 * 3_600_000);
    assert!(refused(&one, None, early).contains("is valid from 2027-01-15T07:00:00"));
    assert!(Certificate::read(&public, Some(&one), NOW).is_ok());
}

#[test]
fn a_certificate_of_a_name_only_in_its_subject_is_for_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("none");
    let error = self_signed::load_or_make(&inner, &Hosts::default(), NOW).unwrap_err();
    assert!(error.to_string().contains("names no host"), "{error}");
    let read = Certificate::read(&self_signed::file(&inner), None, NOW);
    assert!(matches!(read, Err(CertificateError::NoNames(_))), "{read:?}");
}

#[test]
fn our_own_is_kept_until_it_is_for_somebody_else_or_about_to_end() {
    let folder = tempfile::tempdir().unwrap();
    let keep = |wanted: &Hosts, now| {
        let (certificate, is_new) = self_signed::load_or_make(folder.path(), wanted, now).unwrap();
        (certificate.claims.fingerprint, is_new)
    };
    let (first, is_new) = keep(&wanted(), NOW);
    assert!(is_new);
    assert_eq!(keep(&wanted(), NOW.after(366 * DAY)), (first.clone(), false));
    // Fewer than before are covered as well: a machine that left a network shows the same.
    let fewer = Hosts { names: Vec::new(), ..wanted() };
    assert_eq!(keep(&fewer, NOW), (first.clone(), false));
    let (second, is_new) = keep(&wanted(), NOW.after(368 * DAY));
    assert!(is_new && second != first, "less than thirty days are left");
    let mut moved = wanted();
    moved.addresses.push("10.0.0.7".parse().unwrap());
    let (third, is_new) = keep(&moved, NOW.after(368 * DAY));
    assert!(is_new && third != second, "it has another address");
    fs::write(self_signed::file(folder.path()), "half").unwrap();
    assert!(keep(&moved, NOW).1, "what cannot be read is made anew");
    for path in [self_signed::file(folder.path()), self_signed::public_file(folder.path())] {
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "{}", path.display());
    }
    let public = fs::read_to_string(self_signed::public_file(folder.path())).unwrap();
    assert!(public.contains("BEGIN CERTIFICATE") && !public.contains("PRIVATE"), "{public}");
}

#[test]
fn people_are_sent_to_an_address_or_to_a_name_that_somebody_vouches_for() {
    let claims = Claims {
        names: vec!["localhost".into(), "laptop.local".into(), "*.example.org".into()],
        addresses: vec!["192.168.1.7".parse().unwrap()],
        not_before: NOW,
        not_after: NOW,
        fingerprint: String::new(),
    };
    let listener = "192.168.1.7:8276".parse().unwrap();
    let configured = ["desk.example.org".to_owned(), "other.example.com".to_owned()];
    assert_eq!(
        urls(listener, &claims, true, &[]),
        ["https://192.168.1.7:8276", "https://laptop.local:8276"],
        "our own: the address first"
    );
    assert_eq!(
        urls(listener, &claims, false, &configured),
        ["https://desk.example.org:8276", "https://laptop.local:8276", "https://192.168.1.7:8276"]
    );
    let elsewhere = "192.168.1.8:1".parse().unwrap();
    let nobody = Claims { names: Vec::new(), ..claims };
    assert_eq!(urls(elsewhere, &nobody, false, &[]), ["https://192.168.1.8:1"], "better than nothing");
}
