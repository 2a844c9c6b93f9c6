//! The certificate that a desk makes for itself: nobody vouches for it, so a phone warns at it once,
//! and the person compares its fingerprint.
//!
//! Key and certificate lie in one file, so that they are always those that were made together.

use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use askuser_core::time::Timestamp;
use askuser_words::Language;
use askuser_words::commands::{NoNetwork, NoStart};
use rcgen::{
    CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair, KeyUsagePurpose,
    SanType,
};
use time::OffsetDateTime;

use super::certificate::{Certificate, CertificateError, Claims};
use askuser_client::home::write_private;
use askuser_system::disk;

/// How long it is good: browsers take no more than 398 days.
const GOOD_FOR: Duration = Duration::from_hours(397 * 24);
/// How long before its end it is made anew.
const RENEWED_BEFORE: Duration = Duration::from_hours(30 * 24);
/// How far back it is good: the phone's clock may be a little behind.
const BACK: Duration = Duration::from_hours(1);
/// For whom a certificate is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hosts {
    /// Names of hosts.
    pub names: Vec<String>,
    pub addresses: Vec<IpAddr>,
}

/// Why none could be made.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.said(Language::English))]
pub enum MakingError {
    /// It cannot be kept.
    NotKept {
        /// The file or folder.
        path: PathBuf,
        source: io::Error,
    },
    /// It cannot be written as a certificate.
    NotMade(String),
    /// What was made cannot be read again.
    Odd(#[source] CertificateError),
}

impl MakingError {
    /// Says it in this language.
    pub fn said(&self, language: Language) -> String {
        match self {
            Self::NotKept { path, source } => NoStart(language).not_writable(path.display(), source),
            Self::NotMade(why) => NoNetwork(language).not_made(why),
            Self::Odd(error) => error.said(language),
        }
    }
}

impl From<CertificateError> for MakingError {
    fn from(error: CertificateError) -> Self {
        Self::Odd(error)
    }
}

impl From<rcgen::Error> for MakingError {
    fn from(error: rcgen::Error) -> Self {
        Self::NotMade(error.to_string())
    }
}

/// Returns the file of it in the folder: the key and the certificate.
pub fn file(folder: &Path) -> PathBuf {
    folder.join("self-made.pem")
}

/// Returns the file with the certificate alone, which may be handed on.
pub fn public_file(folder: &Path) -> PathBuf {
    folder.join("certificate.pem")
}

/// Whether it must be made anew: it is for somebody else, or about to end.
pub fn is_outdated(claims: &Claims, wanted: &Hosts, now: Timestamp) -> bool {
    let covers = wanted.names.iter().all(|name| claims.is_for(name))
        && wanted.addresses.iter().all(|address| claims.addresses.contains(address));
    !covers || now < claims.not_before || now.after(RENEWED_BEFORE) >= claims.not_after
}

/// Returns the one in the folder, made anew where there is none that will do; says whether it was.
pub fn load_or_make(
    folder: &Path,
    wanted: &Hosts,
    now: Timestamp,
) -> Result<(Certificate, bool), MakingError> {
    if let Ok(kept) = Certificate::read(&file(folder), None, now)
        && !is_outdated(&kept.claims, wanted, now)
    {
        return Ok((kept, false));
    }
    let not_kept = |path: PathBuf| move |source| MakingError::NotKept { path, source };
    let made = disk::make_folder(folder, 0o700);
    made.map_err(not_kept(folder.to_owned()))?;
    let (certificate, key) = make(wanted, now)?;
    let both = file(folder);
    write_private(&both, &format!("{certificate}{key}")).map_err(not_kept(both.clone()))?;
    let public = public_file(folder);
    write_private(&public, &certificate).map_err(not_kept(public))?;
    Ok((Certificate::read(&both, None, now)?, true))
}

/// Makes one: the certificate and its key, as PEM.
fn make(wanted: &Hosts, now: Timestamp) -> Result<(String, String), MakingError> {
    let mut params = CertificateParams::default();
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, "askuser");
    params.not_before = moment(now.before(BACK))?;
    params.not_after = moment(now.after(GOOD_FOR))?;
    params.is_ca = IsCa::ExplicitNoCa;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    for name in &wanted.names {
        params.subject_alt_names.push(SanType::DnsName(name.as_str().try_into()?));
    }
    params.subject_alt_names.extend(wanted.addresses.iter().copied().map(SanType::IpAddress));
    let key = KeyPair::generate()?;
    Ok((params.self_signed(&key)?.pem(), key.serialize_pem()))
}

fn moment(at: Timestamp) -> Result<OffsetDateTime, MakingError> {
    OffsetDateTime::from_unix_timestamp(at.0.div_euclid(1000))
        .map_err(|error| MakingError::NotMade(error.to_string()))
}
