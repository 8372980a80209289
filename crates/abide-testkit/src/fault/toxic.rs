//! A line between a client and a server that is worse than it should be.

use super::{Stop, listen, serve};
use socket2::SockRef;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What is wrong with the way from the server to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toxin {
    /// Everything comes so much later.
    Latency(Duration),
    /// So many octets in a second.
    Bandwidth(u32),
    /// In pieces of so many octets, each so long after the other.
    Slicer(usize, Duration),
    /// A reset after so many octets.
    Reset(usize),
    /// Silence after so many octets.
    Timeout(usize),
}

/// A proxy with a toxin.
#[derive(Debug)]
pub struct Toxic {
    address: SocketAddr,
    _stop: Stop,
}

impl Toxic {
    /// A line to `server`.
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

    /// Where it begins.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A URL of the server, over this line.
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
    let mut octets = [0; 4_096];
    loop {
        let room = match toxin {
            Toxin::Slicer(size, _) => size.clamp(1, octets.len()),
            Toxin::Reset(most) | Toxin::Timeout(most) => (most - sent).clamp(1, octets.len()),
            Toxin::Bandwidth(rate) => usize::try_from(rate / 10)
                .unwrap_or(1)
                .clamp(1, octets.len()),
            Toxin::Latency(_) => octets.len(),
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
        let read = from.read(&mut octets[..room]).await?;
        if read == 0 {
            return to.shutdown().await;
        }
        to.write_all(&octets[..read]).await?;
        sent += read;
    }
}
