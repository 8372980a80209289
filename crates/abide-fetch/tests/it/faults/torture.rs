//! Torture (G-6): repeats one retrieval, each time with another operation of the network failing,
//! in every way that it can. Whatever fails, nothing is allowed that should not be, and nothing
//! hangs.

use super::network::Near;
use super::{FILE, OVERRUN, file, paused, redirect};
use crate::http::{options, state};
use abide_fetch::guard::Guard;
use abide_fetch::http::{
    BoxFuture, Connector, Fetcher, LookupPermit, Resolver, Retrieval, Stream, now,
};
use abide_fetch::machine::{CurrentRules, RetrievalSettings, Validators};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, ReadBuf};

/// The way in which an operation fails.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Error(io::ErrorKind),
    /// It succeeds without effect: no byte, no address.
    Nothing,
    /// It never returns.
    Never,
}

const FAULTS: [Fault; 20] = {
    use io::ErrorKind as Kind;
    [
        Fault::Error(Kind::AddrNotAvailable),
        Fault::Error(Kind::BrokenPipe),
        Fault::Error(Kind::ConnectionAborted),
        Fault::Error(Kind::ConnectionRefused),
        Fault::Error(Kind::ConnectionReset),
        Fault::Error(Kind::FileTooLarge),
        Fault::Error(Kind::HostUnreachable),
        Fault::Error(Kind::Interrupted),
        Fault::Error(Kind::InvalidData),
        Fault::Error(Kind::InvalidInput),
        Fault::Error(Kind::NotConnected),
        Fault::Error(Kind::NotFound),
        Fault::Error(Kind::Other),
        Fault::Error(Kind::OutOfMemory),
        Fault::Error(Kind::PermissionDenied),
        Fault::Error(Kind::TimedOut),
        Fault::Error(Kind::UnexpectedEof),
        Fault::Error(Kind::WouldBlock),
        Fault::Nothing,
        Fault::Never,
    ]
};

/// Counts operations, and makes one of them fail.
#[derive(Clone, Debug)]
struct Trouble {
    done: Arc<AtomicUsize>,
    at: usize,
    fault: Fault,
}

impl Trouble {
    fn strike(&self) -> Option<Fault> {
        let nth = self.done.fetch_add(1, Ordering::SeqCst);
        (nth == self.at).then_some(self.fault)
    }
}

impl Resolver for Trouble {
    fn resolve<'a>(
        &'a self,
        _: &'a str,
        _: LookupPermit,
    ) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async {
            match self.strike() {
                None => Ok(super::network::ips(&["93.184.216.34", "93.184.216.35"])),
                Some(Fault::Error(kind)) => Err(kind.into()),
                Some(Fault::Nothing) => Ok(Vec::new()),
                Some(Fault::Never) => std::future::pending().await,
            }
        })
    }
}

impl Connector for Trouble {
    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<Box<dyn Stream>>> {
        Box::pin(async move {
            match self.strike() {
                None => {}
                Some(Fault::Error(kind)) => return Err(kind.into()),
                // A connection without a server.
                Some(Fault::Nothing) => {
                    let bytes = tokio::io::duplex(64).0;
                    return Ok(Box::new(Near::at(bytes, address)) as Box<dyn Stream>);
                }
                Some(Fault::Never) => std::future::pending().await,
            }
            let (near, far) = tokio::io::duplex(256);
            tokio::spawn(serve(far));
            let trouble = self.clone();
            let near = Near::at(near, address);
            Ok(Box::new(Troubled { near, trouble }) as Box<dyn Stream>)
        })
    }
}

/// Two redirects, and a file.
async fn serve(mut far: DuplexStream) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match far.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let answer = match head.split(|byte| *byte == b' ').nth(1) {
        Some(b"/robots.txt") => redirect("http://b.example/1"),
        Some(b"/1") => redirect("http://c.example/2"),
        _ => file("", FILE.repeat(20).as_bytes()),
    };
    let _ = far.write_all(&answer).await;
}

struct Troubled {
    near: Near<DuplexStream>,
    trouble: Trouble,
}

impl Stream for Troubled {
    fn peer(&self) -> io::Result<SocketAddr> {
        match self.trouble.strike() {
            None => self.near.peer(),
            Some(Fault::Error(kind)) => Err(kind.into()),
            Some(Fault::Nothing | Fault::Never) => Ok("127.0.0.1:80".parse().unwrap()),
        }
    }
}

impl AsyncRead for Troubled {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.trouble.strike() {
            None => Pin::new(&mut self.near).poll_read(context, buffer),
            Some(Fault::Error(kind)) => Poll::Ready(Err(kind.into())),
            Some(Fault::Nothing) => Poll::Ready(Ok(())),
            Some(Fault::Never) => Poll::Pending,
        }
    }
}

impl AsyncWrite for Troubled {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.trouble.strike() {
            None => Pin::new(&mut self.near).poll_write(context, bytes),
            Some(Fault::Error(kind)) => Poll::Ready(Err(kind.into())),
            Some(Fault::Nothing) => Poll::Ready(Ok(0)),
            Some(Fault::Never) => Poll::Pending,
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.trouble.strike() {
            Some(Fault::Error(kind)) => Poll::Ready(Err(kind.into())),
            Some(Fault::Never) => Poll::Pending,
            _ => Pin::new(&mut self.near).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.trouble.strike() {
            Some(Fault::Error(kind)) => Poll::Ready(Err(kind.into())),
            Some(Fault::Never) => Poll::Pending,
            _ => Pin::new(&mut self.near).poll_shutdown(context),
        }
    }
}

/// Runs one retrieval with this fault, and counts its operations.
fn tortured(at: usize, fault: Fault) -> (Retrieval, usize) {
    let done = Arc::new(AtomicUsize::new(0));
    let trouble = Trouble {
        done: Arc::clone(&done),
        at,
        fault,
    };
    let fetcher = Fetcher::with_network(
        Guard::new(),
        options(),
        RetrievalSettings::default(),
        trouble.clone(),
        trouble,
    );
    let fetcher = fetcher.unwrap();
    let retrieval = paused(async {
        let began = tokio::time::Instant::now();
        let url = "http://a.example/robots.txt";
        let retrieval = fetcher.retrieve(url, &Validators::default()).await;
        let took = began.elapsed();
        assert!(
            took <= options().deadline + OVERRUN,
            "{at} {fault:?}: {took:?}"
        );
        retrieval
    });
    (retrieval, done.load(Ordering::SeqCst))
}

#[test]
fn g_6_every_operation_fails_in_every_way() {
    let whole = FILE.repeat(20);
    let (untroubled, operations) = tortured(usize::MAX, Fault::Never);
    super::succeeds(&untroubled, whole.as_bytes(), "without trouble");
    assert!(operations >= 20, "{operations} operations");
    let (mut files, mut failures) = (0, 0);
    for at in 0..operations {
        for fault in FAULTS {
            let (retrieval, _) = tortured(at, fault);
            let known = state(&retrieval);
            match known.plan(now(), &RetrievalSettings::default()).current {
                // The failed operation was no longer needed, or another address replaced it.
                CurrentRules::File(body) => {
                    assert_eq!(body.as_bytes(), whole.as_bytes(), "{at} {fault:?}");
                    files += 1;
                }
                CurrentRules::DisallowAll(_) => failures += 1,
                other => panic!("{at} {fault:?}: {other:?}: {:?}", retrieval.hops),
            }
        }
    }
    super::told(&format!(
        "G-6: {operations} operations, {} ways: {failures} unreachable, {files} whole files, 0 allowed",
        FAULTS.len()
    ));
    assert!(failures > files, "most operations are needed");
}
