//! Certificates from an authority of the test's own: valid ones, and all kinds that a client must
//! reject.

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose,
    date_time_ymd,
};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An authority whose root certificate a client can be configured to trust.
#[derive(Debug)]
pub struct TlsLab {
    authority: CertifiedIssuer<'static, KeyPair>,
}

/// A chain of certificates, and the key of the first one.
#[derive(Debug)]
pub struct Certified {
    chain: Vec<CertificateDer<'static>>,
    key: KeyPair,
}

impl Default for TlsLab {
    fn default() -> Self {
        Self::new()
    }
}

impl TlsLab {
    /// Creates an authority.
    pub fn new() -> Self {
        // A client would confuse two authorities of the same name.
        static LABS: AtomicUsize = AtomicUsize::new(0);
        let name = format!("lab {}", LABS.fetch_add(1, Ordering::Relaxed));
        Self {
            authority: root(&name),
        }
    }

    /// The root certificate that a client must trust.
    pub fn root(&self) -> CertificateDer<'static> {
        self.authority.der().clone()
    }

    /// A valid certificate for these names or addresses.
    pub fn good(&self, names: &[&str]) -> Certified {
        self.signed(names, |_| {})
    }

    /// A certificate that has expired.
    pub fn expired(&self, names: &[&str]) -> Certified {
        self.signed(names, |parameters| {
            parameters.not_before = date_time_ymd(2001, 1, 1);
            parameters.not_after = date_time_ymd(2002, 1, 1);
        })
    }

    /// A certificate that is not valid yet.
    pub fn not_yet_valid(&self, names: &[&str]) -> Certified {
        self.signed(names, |parameters| {
            parameters.not_before = date_time_ymd(4_000, 1, 1);
            parameters.not_after = date_time_ymd(4_001, 1, 1);
        })
    }

    /// A certificate with the name only as its common name, which clients no longer check.
    pub fn without_names(&self, name: &str) -> Certified {
        self.signed(&[], |parameters| {
            parameters.distinguished_name.push(DnType::CommonName, name);
        })
    }

    /// A self-signed certificate.
    pub fn self_signed(names: &[&str]) -> Certified {
        let key = KeyPair::generate().expect("a key");
        let certificate = parameters(names).self_signed(&key).expect("a certificate");
        Certified {
            chain: vec![certificate.der().clone()],
            key,
        }
    }

    /// A certificate behind this many intermediate authorities, each signed by the one before it.
    pub fn behind(&self, authorities: usize, names: &[&str]) -> Certified {
        let mut line: Vec<CertifiedIssuer<'static, KeyPair>> = Vec::new();
        for at in 0..authorities {
            let above = line.last().unwrap_or(&self.authority);
            let parameters = authority(&format!("authority {at}"));
            let key = KeyPair::generate().expect("a key");
            let next = CertifiedIssuer::signed_by(parameters, key, above).expect("an authority");
            line.push(next);
        }
        let key = KeyPair::generate().expect("a key");
        let above = line.last().unwrap_or(&self.authority);
        let leaf = parameters(names).signed_by(&key, above);
        let mut chain = vec![leaf.expect("a certificate").der().clone()];
        chain.extend(line.iter().rev().map(|one| one.der().clone()));
        Certified { chain, key }
    }

    /// A certificate that declares a signature over SHA-1.
    pub fn over_sha1(&self, names: &[&str]) -> Certified {
        let mut certified = self.good(names);
        certified.chain = certified.chain.iter().map(weakened).collect();
        certified
    }

    fn signed(&self, names: &[&str], change: impl FnOnce(&mut CertificateParams)) -> Certified {
        let key = KeyPair::generate().expect("a key");
        let mut parameters = parameters(names);
        change(&mut parameters);
        let certificate = parameters.signed_by(&key, &self.authority);
        Certified {
            chain: vec![certificate.expect("a certificate").der().clone()],
            key,
        }
    }
}

impl Certified {
    /// A server configuration that uses this certificate.
    pub fn server(&self) -> Arc<ServerConfig> {
        self.server_offering(&[])
    }

    /// A server configuration that uses this certificate and offers these protocols.
    pub fn server_offering(&self, protocols: &[&str]) -> Arc<ServerConfig> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let key = PrivateKeyDer::try_from(self.key.serialize_der()).expect("a key");
        let mut server = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("protocol versions")
            .with_no_client_auth()
            .with_single_cert(self.chain.clone(), key)
            .expect("a key that fits its certificate");
        server.alpn_protocols = protocols
            .iter()
            .map(|name| name.as_bytes().to_vec())
            .collect();
        Arc::new(server)
    }
}

fn root(name: &str) -> CertifiedIssuer<'static, KeyPair> {
    let key = KeyPair::generate().expect("a key");
    CertifiedIssuer::self_signed(authority(name), key).expect("an authority")
}

fn authority(name: &str) -> CertificateParams {
    let mut parameters = parameters(&[]);
    parameters.distinguished_name.push(DnType::CommonName, name);
    parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    parameters
}

fn parameters(names: &[&str]) -> CertificateParams {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    CertificateParams::new(names).expect("names of a certificate")
}

/// Replaces the name of the signature algorithm, in both places: ECDSA over SHA-256 becomes ECDSA
/// over SHA-1. A client that supports the algorithm finds an invalid signature; a client that does
/// not reports an unsupported algorithm.
fn weakened(certificate: &CertificateDer<'static>) -> CertificateDer<'static> {
    const SHA256: [u8; 12] = [48, 10, 6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2];
    const SHA1: [u8; 11] = [48, 9, 6, 7, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 1];
    let replaced = |part: &[u8]| {
        if part == SHA256 {
            SHA1.to_vec()
        } else {
            part.to_vec()
        }
    };
    let whole = elements(content(certificate));
    let signed: Vec<u8> = elements(content(whole[0]))
        .into_iter()
        .flat_map(replaced)
        .collect();
    let mut parts = sequence(&signed);
    parts.extend(whole[1..].iter().flat_map(|part| replaced(part)));
    sequence(&parts).into()
}

/// Splits consecutive DER elements.
fn elements(mut der: &[u8]) -> Vec<&[u8]> {
    let mut all = Vec::new();
    while !der.is_empty() {
        let (head, length) = measured(der);
        let (element, rest) = der.split_at(head + length);
        all.push(element);
        der = rest;
    }
    all
}

fn content(element: &[u8]) -> &[u8] {
    let (head, length) = measured(element);
    &element[head..head + length]
}

/// The number of bytes in an element's head, and in its content.
fn measured(der: &[u8]) -> (usize, usize) {
    let first = usize::from(der[1]);
    if first < 0x80 {
        return (2, first);
    }
    let bytes = &der[2..2 + (first & 0x7F)];
    let length = bytes
        .iter()
        .fold(0, |length, byte| length << 8 | usize::from(*byte));
    (2 + bytes.len(), length)
}

fn sequence(content: &[u8]) -> Vec<u8> {
    let bytes = content.len().to_be_bytes();
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let mut der = vec![48];
    match u8::try_from(content.len()) {
        Ok(short) if short < 0x80 => der.push(short),
        _ => {
            let length = &bytes[zeros..];
            der.push(0x80 | u8::try_from(length.len()).expect("eight bytes at most"));
            der.extend_from_slice(length);
        }
    }
    der.extend_from_slice(content);
    der
}
