//! Servers that fail as they are told: of octets ([`ByteServer`]), of names ([`DnsServer`]), of certificates
//! ([`TlsLab`]), of records ([`RespServer`]), and a line between two that is worse than it should be ([`Toxic`]).
//! All of them stay on loopback, or in a network [`namespace`] of the test's own.
//!
//! Each runs in a thread of its own, with a runtime of its own, so that the clock of a test may stand still
//! and its runtime may be counted; and each ends when it is dropped.

#![allow(
    clippy::missing_panics_doc,
    reason = "a test bed that cannot be set up is a test that failed"
)]

mod bytes;
mod dns;
pub mod namespace;
mod resp;
mod tls;
mod toxic;

pub use bytes::{ByteServer, Hit, Script, Step};
pub use dns::{Data, DnsServer, Question, Record, Reply};
pub use resp::{Act, Asked, RespServer};
pub use tls::{Certified, TlsLab};
pub use toxic::{Toxic, Toxin};

use std::net::SocketAddr;
use tokio::sync::oneshot;

/// Ends a server's thread when it is dropped.
#[derive(Debug)]
struct Stop {
    _sender: oneshot::Sender<()>,
}

/// Runs `work` in a thread of its own until the result is dropped.
fn serve<W: Future<Output = ()>>(work: impl FnOnce() -> W + Send + 'static) -> Stop {
    let (sender, dropped) = oneshot::channel::<()>();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime for a server");
        runtime.block_on(async {
            tokio::select! {
                () = work() => {}
                _ = dropped => {}
            }
        });
    });
    Stop { _sender: sender }
}

/// A listener that a runtime can take over, and where it listens.
fn listen(address: &str) -> (std::net::TcpListener, SocketAddr) {
    let listener = std::net::TcpListener::bind(address)
        .unwrap_or_else(|error| panic!("cannot listen at {address}: {error}"));
    listener
        .set_nonblocking(true)
        .expect("a listener without blocking");
    let address = listener.local_addr().expect("a listener's address");
    (listener, address)
}
