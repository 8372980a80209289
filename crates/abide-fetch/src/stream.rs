//! Connections with and without TLS, to a site or to a shared store.

use rustls::pki_types::CertificateDer;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;

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

impl Certificate {
    /// A certificate from its DER bytes. It is checked when the client is built.
    #[must_use]
    pub fn from_der(der: impl Into<Vec<u8>>) -> Self {
        Self(CertificateDer::from(der.into()))
    }
}

/// TLS with the certificate authorities of the web, and these `roots`.
///
/// # Errors
/// The reason, if a certificate is invalid.
pub(crate) fn tls(roots: &[Certificate]) -> Result<rustls::ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
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
