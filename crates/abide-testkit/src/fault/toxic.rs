//! A proxy that degrades the connection between a client and a server.

use super::{Stop, listen, serve};
use socket2::SockRef;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A fault on the way from the server to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toxin {
    /// Delays everything by this long.
    Latency(Duration),
    /// Passes at most this many bytes per second.
    Bandwidth(u32),
    /// Passes pieces of at most this many bytes, with a pause before each.
    Slicer(usize, Duration),
    /// Resets the connection after this many bytes.
    Reset(usize),
    /// Passes nothing more after this many bytes, and keeps the connection open.
    Timeout(usize),
}

/// A proxy with a toxin.
#[derive(Debug)]
pub struct Toxic {
    address: SocketAddr,
    _stop: Stop,
}

impl Toxic {
    /// Starts a proxy in front of `server`.
    pub fn before(server: SocketAddr, toxin: Toxin) -> Self {
        let (listener, address) = listen("127.0.0.1:0");
        let stop = serve(move || async move {
            let listener = TcpListener::from_std(listener).expect("a listener of the runtime");
            loop {
                if let Ok((client, _)) = listener.accept().await {
                    tokio::spawn(async move { drop(join(client, server, toxin).await) });
                }
            }
        });
        Self {
            address,
            _stop: stop,
        }
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A URL of the server through this proxy.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

async fn join(client: TcpStream, server: SocketAddr, toxin: Toxin) -> std::io::Result<()> {
    let server = TcpStream::connect(server).await?;
    client.set_nodelay(true)?;
    let (mut from_client, to_client) = client.into_split();
    let (from_server, mut to_server) = server.into_split();
    tokio::spawn(async move {
        let _ = tokio::io::copy(&mut from_client, &mut to_server).await;
    });
    carry(from_server, to_client, toxin).await
}

async fn carry(
    mut from: tokio::net::tcp::OwnedReadHalf,
    mut to: tokio::net::tcp::OwnedWriteHalf,
    toxin: Toxin,
) -> std::io::Result<()> {
    let mut sent = 0;
    let mut bytes = [0; 4_096];
    loop {
        let room = match toxin {
            Toxin::Slicer(size, _) => size.clamp(1, bytes.len()),
            Toxin::Reset(most) | Toxin::Timeout(most) => (most - sent).clamp(1, bytes.len()),
            Toxin::Bandwidth(rate) => usize::try_from(rate / 10)
                .unwrap_or(1)
                .clamp(1, bytes.len()),
            Toxin::Latency(_) => bytes.len(),
        };
        match toxin {
            Toxin::Latency(wait) | Toxin::Slicer(_, wait) => tokio::time::sleep(wait).await,
            Toxin::Bandwidth(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            Toxin::Reset(most) if sent >= most => {
                return SockRef::from(to.as_ref()).set_linger(Some(Duration::ZERO));
            }
            Toxin::Timeout(most) if sent >= most => std::future::pending().await,
            Toxin::Reset(_) | Toxin::Timeout(_) => {}
        }
        let read = from.read(&mut bytes[..room]).await?;
        if read == 0 {
            return to.shutdown().await;
        }
        to.write_all(&bytes[..read]).await?;
        sent += read;
    }
}
