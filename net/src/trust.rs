//! Whose certificates are trusted.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use askuser_core::hex::fingerprint;
use sha2::{Digest, Sha256};
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::crypto::{
    WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};

use super::http::Cause;

/// Whose certificates are trusted: those that the system's vouch for, or those in `SSL_CERT_FILE`, unless it says
/// otherwise. Cloning it is cheap; what it trusts is read when it is first needed.
#[derive(Debug, Clone, Default)]
pub struct Trust {
    kind: Kind,
    config: Arc<OnceLock<Arc<ClientConfig>>>,
}

#[derive(Debug, Clone, Default)]
enum Kind {
    #[default]
    System,
    /// Besides the system's, those that the certificates in this file (PEM) vouch for.
    SystemAnd(Arc<Path>),
    /// The one with this SHA-256, and no other.
    Only(Arc<str>),
}

impl Trust {
    /// Trusts the certificates in a file (PEM) besides the system's.
    pub fn with(file: Option<&Path>) -> Self {
        Self::of(file.map_or(Kind::System, |file| Kind::SystemAnd(file.into())))
    }

    /// Trusts one certificate, by its fingerprint, and no other.
    pub fn only(fingerprint: &str) -> Self {
        Self::of(Kind::Only(fingerprint.into()))
    }

    fn of(kind: Kind) -> Self {
        Self { kind, config: Arc::default() }
    }

    /// Returns the settings of a connection; says why where what is to be trusted cannot be read.
    pub(crate) fn config(&self) -> Result<Arc<ClientConfig>, Cause> {
        if let Some(config) = self.config.get() {
            return Ok(Arc::clone(config));
        }
        let config = Arc::new(self.read()?);
        Ok(Arc::clone(self.config.get_or_init(|| config)))
    }

    fn read(&self) -> Result<ClientConfig, Cause> {
        let provider = Arc::new(default_provider());
        let algorithms = provider.signature_verification_algorithms;
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        if let Kind::Only(fingerprint) = &self.kind {
            let only = Arc::new(Only { fingerprint: Arc::clone(fingerprint), algorithms });
            return Ok(config.dangerous().with_custom_certificate_verifier(only).with_no_client_auth());
        }
        let mut roots = RootCertStore::empty();
        // One of the system's that makes no sense is the system's to mend.
        let _added = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if let Kind::SystemAnd(file) = &self.kind {
            let failed = |source: Cause| NotTrusted { file: file.to_path_buf(), source };
            for certificate in CertificateDer::pem_file_iter(file).map_err(|error| failed(error.into()))? {
                let certificate = certificate.map_err(|error| failed(error.into()))?;
                roots.add(certificate).map_err(|error| failed(error.into()))?;
            }
        }
        Ok(config.with_root_certificates(roots).with_no_client_auth())
    }
}

/// What is to be trusted cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("the certificates in {}: {source}", file.display())]
struct NotTrusted {
    file: PathBuf,
    source: Cause,
}

/// Trusts one certificate, by its fingerprint.
#[derive(Debug)]
struct Only {
    fingerprint: Arc<str>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for Only {
    fn verify_server_cert(
        &self,
        own: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if fingerprint(&Sha256::digest(own)) == *self.fingerprint {
            return Ok(ServerCertVerified::assertion());
        }
        Err(CertificateError::ApplicationVerificationFailure.into())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
