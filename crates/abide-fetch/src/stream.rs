//! Connections with and without TLS, to a site or to a shared store.

use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;

/// What to do without cryptography.
const NO_PROVIDER: &str = "no cryptography is installed for it: call \
    `rustls::crypto::CryptoProvider::install_default` first, or use the feature `ring` of abide-fetch";

/// A stream of bytes: a connection, or TLS on it.
pub(crate) trait ByteStream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> ByteStream for T {}

/// The task that drives a connection. Dropping this ends the task.
pub(crate) struct Driver(pub(crate) JoinHandle<()>);

impl Drop for Driver {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The X.509 certificate of a certificate authority to trust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate(CertificateDer<'static>);

/// Why certificates cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PemError {
    /// There is none.
    #[error("no certificate in it; expected PEM, with -----BEGIN CERTIFICATE-----")]
    NoCertificate,
    /// A section of the file is not valid PEM.
    #[error("a section of it is not valid PEM")]
    Damaged,
}

impl Certificate {
    /// A certificate from its DER bytes. It is checked when the client is built.
    #[must_use]
    pub fn from_der(der: impl Into<Vec<u8>>) -> Self {
        Self(CertificateDer::from(der.into()))
    }

    /// The certificates of a PEM file. Other parts of the file are skipped.
    ///
    /// # Errors
    /// [`PemError`] if the text has no certificate, or one that is cut.
    pub fn from_pem(text: &[u8]) -> Result<Vec<Self>, PemError> {
        let read = CertificateDer::pem_slice_iter(text);
        let read = read.map(|one| one.map(Self).map_err(|_| PemError::Damaged));
        let found: Vec<_> = read.collect::<Result<_, _>>()?;
        if found.is_empty() {
            return Err(PemError::NoCertificate);
        }
        Ok(found)
    }
}

/// TLS with the certificate authorities of the web, and these `roots`, by the cryptography that the
/// process has installed. It is never chosen by the features of rustls: if several crates switch on
/// one each, rustls panics.
///
/// # Errors
/// The reason, if a certificate is invalid, or no cryptography is there.
pub(crate) fn tls(roots: &[Certificate]) -> Result<rustls::ClientConfig, String> {
    let provider = CryptoProvider::get_default().cloned();
    #[cfg(feature = "ring")]
    let provider =
        provider.or_else(|| Some(std::sync::Arc::new(rustls::crypto::ring::default_provider())));
    let provider = provider.ok_or_else(|| NO_PROVIDER.to_owned())?;
    let mut store: rustls::RootCertStore = webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect();
    for certificate in roots {
        store
            .add(certificate.0.clone())
            .map_err(|error| error.to_string())?;
    }
    Ok(rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(store)
        .with_no_client_auth())
}
