//! The certificate that a desk makes for itself: nobody vouches for it, so a phone warns at it once,
//! and the person compares its fingerprint.
//!
//! Key and certificate lie in one file, so that they are always those that were made together.

use std::fmt;
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use askuser_core::time::Timestamp;
use askuser_words::Language;
use askuser_words::commands::{NoNetwork, NoStart};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use x509_cert::der::asn1::{BitString, Ia5String, OctetString, UtcTime};
use x509_cert::der::oid::ObjectIdentifier;
use x509_cert::der::{self, Encode};
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{BasicConstraints, ExtendedKeyUsage, KeyUsage, KeyUsages, SubjectAltName};
use x509_cert::ext::{AsExtension, Extension};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};
use x509_cert::time::{Time, Validity};
use x509_cert::{TbsCertificate, Version};

use super::certificate::{Certificate, CertificateError, Facts};
use askuser_client::home::write_private;
use askuser_system::disk;

/// How long it is good: browsers take no more than 398 days.
const GOOD_FOR: Duration = Duration::from_hours(397 * 24);
/// How long before its end it is made anew.
const RENEWED_BEFORE: Duration = Duration::from_hours(30 * 24);
/// How far back it is good: the phone's clock may be a little behind.
const BACK: Duration = Duration::from_hours(1);
const ECDSA_WITH_SHA256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.4.3.2");
const SERVER_AUTH: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.1");

/// For whom a certificate is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Names of hosts.
    pub names: Vec<String>,
    /// Addresses.
    pub addresses: Vec<IpAddr>,
}

/// Why none could be made.
#[derive(Debug)]
pub enum MakingError {
    /// It cannot be kept.
    NotKept {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It cannot be written as a certificate.
    NotMade(String),
    /// What was made cannot be read again.
    Odd(CertificateError),
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

impl fmt::Display for MakingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said(Language::English))
    }
}

impl From<CertificateError> for MakingError {
    fn from(error: CertificateError) -> Self {
        Self::Odd(error)
    }
}

impl From<der::Error> for MakingError {
    fn from(error: der::Error) -> Self {
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
pub fn is_outdated(facts: &Facts, wanted: &Wanted, now: Timestamp) -> bool {
    let covers = wanted.names.iter().all(|name| facts.is_for(name))
        && wanted.addresses.iter().all(|address| facts.addresses.contains(address));
    !covers || now < facts.not_before || now.after(RENEWED_BEFORE) >= facts.not_after
}

/// Returns the one in the folder, made anew where there is none that will do; says whether it was.
pub fn keep(folder: &Path, wanted: &Wanted, now: Timestamp) -> Result<(Certificate, bool), MakingError> {
    if let Ok(kept) = Certificate::read(&file(folder), None, now)
        && !is_outdated(&kept.facts, wanted, now)
    {
        return Ok((kept, false));
    }
    let not_kept = |path: PathBuf| move |source| MakingError::NotKept { path, source };
    let made = disk::make_folder(folder, 0o700);
    made.map_err(not_kept(folder.to_owned()))?;
    let (certificate, key) = make(wanted, now)?;
    let (certificate, key) = (pem("CERTIFICATE", &certificate), pem("PRIVATE KEY", &key));
    let both = file(folder);
    write_private(&both, &format!("{certificate}{key}")).map_err(not_kept(both.clone()))?;
    let public = public_file(folder);
    write_private(&public, &certificate).map_err(not_kept(public))?;
    Ok((Certificate::read(&both, None, now)?, true))
}

/// Makes one: the certificate and its key, as DER.
pub fn make(wanted: &Wanted, now: Timestamp) -> Result<(Vec<u8>, Vec<u8>), MakingError> {
    let failed = |what: &str| MakingError::NotMade(what.to_owned());
    let random = SystemRandom::new();
    let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random)
        .map_err(|_| failed("the system gives no random numbers"))?;
    let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, key.as_ref(), &random)
        .map_err(|error| MakingError::NotMade(error.to_string()))?;
    let mut serial = [0; 16];
    getrandom::fill(&mut serial).map_err(|error| MakingError::NotMade(error.to_string()))?;
    // A number above nought.
    serial[0] = serial[0] & 0x7f | 0x40;
    let name = Name::from_str("CN=askuser")?;
    let algorithm = AlgorithmIdentifierOwned { oid: ECDSA_WITH_SHA256, parameters: None };
    let tbs = TbsCertificate {
        version: Version::V3,
        serial_number: SerialNumber::new(&serial)?,
        signature: algorithm.clone(),
        issuer: name.clone(),
        validity: Validity {
            not_before: moment(Timestamp(now.0 - i64::try_from(BACK.as_millis()).unwrap_or(0)))?,
            not_after: moment(now.after(GOOD_FOR))?,
        },
        subject: name.clone(),
        subject_public_key_info: SubjectPublicKeyInfoOwned {
            algorithm: AlgorithmIdentifierOwned {
                oid: ObjectIdentifier::new_unwrap("1.2.840.10045.2.1"),
                parameters: Some(der::Any::encode_from(&ObjectIdentifier::new_unwrap(
                    "1.2.840.10045.3.1.7",
                ))?),
            },
            subject_public_key: BitString::from_bytes(pair.public_key().as_ref())?,
        },
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions: Some(extensions(&name, wanted)?),
    };
    let signature = pair.sign(&random, &tbs.to_der()?).map_err(|_| failed("it cannot be signed"))?;
    let certificate = x509_cert::Certificate {
        tbs_certificate: tbs,
        signature_algorithm: algorithm,
        signature: BitString::from_bytes(signature.as_ref())?,
    };
    Ok((certificate.to_der()?, key.as_ref().to_vec()))
}

fn extensions(subject: &Name, wanted: &Wanted) -> Result<Vec<Extension>, MakingError> {
    let mut names = Vec::new();
    for name in &wanted.names {
        names.push(GeneralName::DnsName(Ia5String::new(name)?));
    }
    for address in &wanted.addresses {
        let bytes = match address {
            IpAddr::V4(v4) => v4.octets().to_vec(),
            IpAddr::V6(v6) => v6.octets().to_vec(),
        };
        names.push(GeneralName::IpAddress(OctetString::new(bytes)?));
    }
    Ok(vec![
        BasicConstraints { ca: false, path_len_constraint: None }.to_extension(subject, &[])?,
        KeyUsage(KeyUsages::DigitalSignature.into()).to_extension(subject, &[])?,
        ExtendedKeyUsage(vec![SERVER_AUTH]).to_extension(subject, &[])?,
        SubjectAltName(names).to_extension(subject, &[])?,
    ])
}

fn moment(at: Timestamp) -> Result<Time, MakingError> {
    let since = Duration::from_secs(u64::try_from(at.0 / 1000).unwrap_or(0));
    Ok(Time::UtcTime(UtcTime::from_unix_duration(since)?))
}

fn pem(what: &str, der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let lines: Vec<String> =
        text.as_bytes().chunks(64).map(|line| String::from_utf8_lossy(line).into_owned()).collect();
    format!("-----BEGIN {what}-----\n{}\n-----END {what}-----\n", lines.join("\n"))
}
