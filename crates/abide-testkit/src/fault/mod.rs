//! Servers that fail on purpose: a server of raw bytes ([`ByteServer`]), a DNS server
//! ([`DnsServer`]), certificates ([`TlsLab`]), a server of the Redis protocol ([`RespServer`]), and
//! a proxy that degrades a connection ([`Toxic`]). All of them stay on loopback, or in a network
//! [`namespace`] that belongs to the test.
//!
//! Each of the servers that use tokio runs in its own thread with its own runtime, so that a test
//! may pause its clock and count the work of its own runtime. Each server ends when it is dropped.

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
pub use dns::{Data, DnsQuestion, DnsServer, Record, Reply};
pub use resp::{Act, ReceivedCommand, RespServer};
pub use tls::{Certified, TlsLab};
pub use toxic::{Toxic, Toxin};

use std::net::SocketAddr;
use tokio::sync::oneshot;

/// Stops a server's thread when it is dropped.
#[derive(Debug)]
struct Stop {
    _sender: oneshot::Sender<()>,
}

/// Runs `work` in its own thread until the result is dropped.
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

/// A listener that a runtime can take over, and its address.
fn listen(address: &str) -> (std::net::TcpListener, SocketAddr) {
    let listener = std::net::TcpListener::bind(address)
        .unwrap_or_else(|error| panic!("cannot listen at {address}: {error}"));
    listener
        .set_nonblocking(true)
        .expect("a listener without blocking");
    let address = listener.local_addr().expect("a listener's address");
    (listener, address)
}
