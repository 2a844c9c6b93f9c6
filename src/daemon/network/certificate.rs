//! A certificate with its key: read from files, looked over before anybody is shown it.

use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use askuser_core::hex::fingerprint;
use askuser_core::time::Timestamp;
use askuser_words::commands::BadCertificate;
use askuser_words::{Both, Language, both};
use sha2::{Digest, Sha256};
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::sign::CertifiedKey;
use x509_cert::der::Decode;
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;

use askuser_wire::time;

/// Why a certificate cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.said(Language::English))]
pub enum CertificateError {
    /// A file cannot be read.
    Unreadable { path: PathBuf, why: String },
    /// There is none in the file.
    NoCertificate(PathBuf),
    /// There is no key in the file.
    NoKey(PathBuf),
    /// It is something else.
    Odd { path: PathBuf, why: String },
    /// The key is another's.
    OtherKey {
        /// The file of the certificate.
        certificate: PathBuf,
        /// The file of the key.
        key: PathBuf,
    },
    /// It names nobody.
    NoNames(PathBuf),
    /// Its time is over.
    Expired { path: PathBuf, until: String },
    /// Its time has not come.
    NotYet { path: PathBuf, from: String },
}

impl CertificateError {
    /// Says it in this language.
    pub fn said(&self, language: Language) -> String {
        let said = BadCertificate(language);
        match self {
            Self::Unreadable { path, why } => said.unreadable(path.display(), why),
            Self::NoCertificate(path) => said.none(path.display()),
            Self::NoKey(path) => said.no_key(path.display()),
            Self::Odd { path, why } => said.odd(path.display(), why),
            Self::OtherKey { certificate, key } => said.other_key(key.display(), certificate.display()),
            Self::NoNames(path) => said.no_names(path.display()),
            Self::Expired { path, until } => said.expired(path.display(), until),
            Self::NotYet { path, from } => said.not_yet(path.display(), from),
        }
    }

    /// Returns what to do about it.
    pub fn hint(&self) -> Both {
        both(match self {
            Self::Unreadable { .. } | Self::NoCertificate(_) | Self::Odd { .. } => BadCertificate::given_hint,
            Self::NoKey(_) => BadCertificate::no_key_hint,
            Self::OtherKey { .. } => BadCertificate::other_key_hint,
            Self::NoNames(_) | Self::Expired { .. } => BadCertificate::renew_hint,
            Self::NotYet { .. } => BadCertificate::not_yet_hint,
        })
    }
}

/// What a certificate says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    /// Hosts that it is for, as they stand there.
    pub names: Vec<String>,
    /// Addresses that it is for.
    pub addresses: Vec<IpAddr>,
    /// From when.
    pub not_before: Timestamp,
    /// Until when.
    pub not_after: Timestamp,
    /// SHA-256 of it, as browsers show it.
    pub fingerprint: String,
}

/// A certificate with those above it and its key.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// What it says of itself.
    pub claims: Claims,
    /// What rustls shows and signs with.
    pub certified: Arc<CertifiedKey>,
}

impl Claims {
    /// Reads a certificate (DER).
    pub fn read(der: &[u8]) -> Result<Self, String> {
        let certificate = x509_cert::Certificate::from_der(der).map_err(|error| error.to_string())?;
        let tbs = &certificate.tbs_certificate;
        let alternatives = tbs.get::<SubjectAltName>().map_err(|error| error.to_string())?;
        let (mut names, mut addresses) = (Vec::new(), Vec::new());
        for name in alternatives.map(|(_, all)| all.0).unwrap_or_default() {
            match name {
                GeneralName::DnsName(name) => names.push(name.as_str().to_ascii_lowercase()),
                GeneralName::IpAddress(bytes) => addresses.extend(address(bytes.as_bytes())),
                _ => {}
            }
        }
        let moment = |time: &x509_cert::time::Time| {
            Timestamp(i64::try_from(time.to_unix_duration().as_millis()).unwrap_or(i64::MAX))
        };
        Ok(Self {
            names,
            addresses,
            not_before: moment(&tbs.validity.not_before),
            not_after: moment(&tbs.validity.not_after),
            fingerprint: fingerprint(&Sha256::digest(der)),
        })
    }

    /// Whether it is for this host: a name, perhaps by a star in the first place, or an address.
    pub fn is_for(&self, host: &str) -> bool {
        let host = host.trim_matches(['[', ']']);
        if let Ok(address) = host.parse::<IpAddr>() {
            return self.addresses.contains(&address);
        }
        let host = host.to_ascii_lowercase();
        self.names.iter().any(|name| match name.strip_prefix("*.") {
            Some(parent) => {
                host.split_once('.').is_some_and(|(first, rest)| !first.is_empty() && rest == parent)
            }
            None => *name == host,
        })
    }

    /// Returns the hosts by which one can come, those that are one host.
    pub fn hosts(&self) -> Vec<String> {
        let names = self.names.iter().filter(|name| !name.starts_with('*')).cloned();
        names.chain(self.addresses.iter().map(|address| written(*address))).collect()
    }
}

impl Certificate {
    /// Reads a certificate and its key, and looks them over. Without a file for the key, it stands in
    /// the same.
    pub fn read(certificate: &Path, key: Option<&Path>, now: Timestamp) -> Result<Self, CertificateError> {
        let read = Self::read_whatever_the_date(certificate, key)?;
        let path = certificate.to_owned();
        if now < read.claims.not_before {
            return Err(CertificateError::NotYet { path, from: time::write(read.claims.not_before) });
        }
        if now >= read.claims.not_after {
            return Err(CertificateError::Expired { path, until: time::write(read.claims.not_after) });
        }
        Ok(read)
    }

    /// The same, also one whose time is over.
    pub fn read_whatever_the_date(certificate: &Path, key: Option<&Path>) -> Result<Self, CertificateError> {
        let odd = |path: &Path, why: String| CertificateError::Odd { path: path.to_owned(), why };
        let text = bytes(certificate)?;
        let chain: Result<Vec<CertificateDer<'static>>, _> = CertificateDer::pem_slice_iter(&text).collect();
        let chain = chain.map_err(|error| odd(certificate, error.to_string()))?;
        let Some(own) = chain.first() else {
            return Err(CertificateError::NoCertificate(certificate.to_owned()));
        };
        let claims = Claims::read(own).map_err(|why| odd(certificate, why))?;
        if claims.names.is_empty() && claims.addresses.is_empty() {
            return Err(CertificateError::NoNames(certificate.to_owned()));
        }
        let key = key.unwrap_or(certificate);
        let secret = PrivateKeyDer::from_pem_slice(&bytes(key)?)
            .map_err(|_| CertificateError::NoKey(key.to_owned()))?;
        let signing = default_provider().key_provider.load_private_key(secret);
        let signing = signing.map_err(|error| odd(key, error.to_string()))?;
        let certified = CertifiedKey::new(chain, signing);
        certified.keys_match().map_err(|_| CertificateError::OtherKey {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
        })?;
        Ok(Self { claims, certified: Arc::new(certified) })
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>, CertificateError> {
    fs::read(path)
        .map_err(|error| CertificateError::Unreadable { path: path.to_owned(), why: error.to_string() })
}

fn address(bytes: &[u8]) -> Option<IpAddr> {
    match bytes.len() {
        4 => <[u8; 4]>::try_from(bytes).ok().map(IpAddr::from),
        _ => <[u8; 16]>::try_from(bytes).ok().map(IpAddr::from),
    }
}

/// Writes an address as it stands in a URL.
pub fn written(address: IpAddr) -> String {
    match address {
        IpAddr::V4(v4) => v4.to_string(),
        IpAddr::V6(v6) => format!("[{v6}]"),
    }
}
