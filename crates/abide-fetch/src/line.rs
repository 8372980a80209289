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

/// TLS with the certificate authorities of the web, and these `roots`.
pub(crate) fn tls(
    roots: &[CertificateDer<'static>],
) -> Result<rustls::ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut store: rustls::RootCertStore = webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect();
    for certificate in roots {
        store.add(certificate.clone())?;
    }
    Ok(rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(store)
        .with_no_client_auth())
}
