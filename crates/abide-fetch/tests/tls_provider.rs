//! The cryptography of TLS is that which the process has installed. A program of its own, because
//! it is installed once in a process.

#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use abide_fetch::Certificate;
use abide_fetch::guard::Guard;
use abide_fetch::http::{Fetcher, Options};
use abide_fetch::machine::{RetrievalSettings, Validators};
use abide_testkit::fault::{ByteServer, Script, Step, TlsLab};
use rustls::crypto::{CryptoProvider, GetRandomFailed, SecureRandom, ring};
use std::sync::atomic::{AtomicUsize, Ordering};

static ASKED: AtomicUsize = AtomicUsize::new(0);

/// The randomness of another provider, which counts how often it is asked.
#[derive(Debug)]
struct Counting;

impl SecureRandom for Counting {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), GetRandomFailed> {
        ASKED.fetch_add(1, Ordering::SeqCst);
        ring::default_provider().secure_random.fill(bytes)
    }
}

/// Fetches over https; how often the other provider was asked meanwhile.
fn fetched(lab: &TlsLab) -> usize {
    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    let script = Script::always(&[Step::send(answer.to_vec()), Step::Fin]);
    let server = ByteServer::secure(lab.good(&["localhost"]).server(), script);
    let mut options = Options::new("ExampleBot/1.0 (+https://bot.example/)");
    options.roots = vec![Certificate::from_der(lab.root().to_vec())];
    let fetcher = Fetcher::new(Guard::open(), options, RetrievalSettings::default()).unwrap();
    let url = format!("https://localhost:{}/robots.txt", server.address().port());
    let before = ASKED.load(Ordering::SeqCst);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let none = Validators::default();
    let retrieval = runtime.unwrap().block_on(fetcher.retrieve(&url, &none));
    assert_eq!(retrieval.hops[0].status, Some(200), "{retrieval:?}");
    ASKED.load(Ordering::SeqCst) - before
}

#[test]
fn the_installed_provider_is_used() {
    let lab = TlsLab::new();
    assert_eq!(fetched(&lab), 0, "the provider of the feature `ring`");
    assert!(
        CryptoProvider::get_default().is_none(),
        "abide installs none"
    );
    let other = CryptoProvider {
        secure_random: &Counting,
        ..ring::default_provider()
    };
    other.install_default().unwrap();
    assert!(fetched(&lab) > 0);
}
