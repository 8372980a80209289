//! One connection, with one operation at a time, and so many bytes for its reply. Whatever goes
//! wrong, the connection goes too: what is still on its way must not be taken for the answer to the
//! next question.

use super::address::{Address, Place};
use crate::line::{ByteStream, Driver};
use crate::store::StoreError;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Cmd, RedisError, ServerError, Value};
use rustls::pki_types::ServerName;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::Instant;

/// Bytes that a record may have.
pub(super) const MOST_RECORD: usize = 768 << 10;
/// Bytes that the reply to one operation may have: a record, and what stands around it.
const MOST_REPLY: usize = MOST_RECORD.saturating_add(4 << 10);
/// Characters of what a server says that are passed on.
const MOST_SAID: usize = 160;

/// A connection. Dropped, it is closed at once.
pub(super) struct Connection {
    redis: MultiplexedConnection,
    driver: Driver,
    allowance: Arc<Allowance>,
    pub(super) since: Instant,
}

/// Why there is no reply.
pub(super) enum Trouble {
    /// A reply, and one that says no.
    Refused(String),
    /// None that can be used.
    Broken(String),
}

impl Connection {
    /// Connects to `address`, and says who is there.
    pub(super) async fn new(
        address: &Address,
        tls: Option<&Arc<rustls::ClientConfig>>,
    ) -> Result<Self, Trouble> {
        let broken = |error: io::Error| Trouble::Broken(said(&error.to_string(), address));
        let allowance = Arc::new(Allowance::default());
        let stream = open(address, tls).await.map_err(broken)?;
        let stream = Bounded {
            stream,
            allowance: Arc::clone(&allowance),
        };
        // The deadline of the operation is the only one.
        let config = AsyncConnectionConfig::new()
            .set_response_timeout(None)
            .set_connection_timeout(None);
        allowance.grant();
        let greeting = &address.greeting;
        let greeted = MultiplexedConnection::new_with_config(greeting, stream, config).await;
        allowance.end();
        let (redis, driver) = greeted.map_err(|error| trouble(&error, address))?;
        Ok(Self {
            redis,
            driver: Driver(tokio::spawn(driver)),
            allowance,
            since: Instant::now(),
        })
    }

    /// Whether the other side is still there, as far as this side knows.
    pub(super) fn is_open(&self) -> bool {
        !self.driver.0.is_finished()
    }

    /// The reply to `command`.
    pub(super) async fn ask(&mut self, command: &Cmd, address: &Address) -> Result<Value, Trouble> {
        self.allowance.grant();
        let reply = self.redis.send_packed_command(command).await;
        self.allowance.end();
        match reply {
            Ok(Value::ServerError(error)) => Err(Trouble::Refused(refused(&error, address))),
            Ok(value) => Ok(value),
            Err(error) => Err(trouble(&error, address)),
        }
    }
}

fn refused(error: &ServerError, address: &Address) -> String {
    let details = error.details().unwrap_or_default();
    said(&format!("{} {details}", error.code()), address)
}

fn trouble(error: &RedisError, address: &Address) -> Trouble {
    let said = said(&error.to_string(), address);
    if error.code().is_some() || error.kind() == redis::ErrorKind::AuthenticationFailed {
        Trouble::Refused(said)
    } else {
        Trouble::Broken(said)
    }
}

/// Foreign text, so much of it that it can be read, and nothing of it that acts on a terminal.
fn said(text: &str, address: &Address) -> String {
    let text = address.redacted(text);
    let text = abide::explain::visible(text.trim().as_bytes());
    match text.char_indices().nth(MOST_SAID) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

impl From<Trouble> for StoreError {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Refused(said) => Self::Refused(said),
            Trouble::Broken(said) => Self::Down(said),
        }
    }
}

async fn open(
    address: &Address,
    tls: Option<&Arc<rustls::ClientConfig>>,
) -> io::Result<Box<dyn ByteStream>> {
    let (host, port) = match &address.place {
        Place::Unix(path) => return Ok(Box::new(UnixStream::connect(path).await?)),
        Place::Tcp(host, port) => (host, *port),
    };
    let stream = TcpStream::connect((host.as_str(), port)).await?;
    stream.set_nodelay(true)?;
    let Some(tls) = tls else {
        return Ok(Box::new(stream));
    };
    let name = ServerName::try_from(host.clone()).map_err(io::Error::other)?;
    let connector = tokio_rustls::TlsConnector::from(Arc::clone(tls));
    Ok(Box::new(connector.connect(name, stream).await?))
}

/// How much may be read: so much for an operation, and nothing between operations.
#[derive(Default)]
struct Allowance {
    bytes: AtomicUsize,
    is_first: AtomicBool,
}

impl Allowance {
    fn grant(&self) {
        self.bytes.store(MOST_REPLY, Ordering::Release);
        self.is_first.store(true, Ordering::Release);
    }

    fn end(&self) {
        self.bytes.store(0, Ordering::Release);
    }

    fn take(&self, bytes: &[u8]) -> io::Result<()> {
        let Some(first) = bytes.first() else {
            return Ok(());
        };
        // One step, as the operation may end meanwhile.
        let less = |left: usize| left.checked_sub(bytes.len());
        let order = (Ordering::AcqRel, Ordering::Acquire);
        if self.bytes.fetch_update(order.0, order.1, less).is_err() {
            return Err(io::Error::other("it said more than it was asked"));
        }
        // No command that is used here has a reply of any other kind: no lists, maps or pushes.
        if self.is_first.swap(false, Ordering::AcqRel) && !b"+-:$".contains(first) {
            return Err(io::Error::other(
                "its reply is of no kind that was asked for",
            ));
        }
        Ok(())
    }
}

/// Reads no more than is allowed.
struct Bounded {
    stream: Box<dyn ByteStream>,
    allowance: Arc<Allowance>,
}

impl AsyncRead for Bounded {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        ready!(Pin::new(&mut this.stream).poll_read(context, buffer))?;
        let read = buffer.filled().get(before..).unwrap_or_default();
        let allowed = this.allowance.take(read);
        if allowed.is_err() {
            buffer.set_filled(before);
        }
        Poll::Ready(allowed)
    }
}

impl AsyncWrite for Bounded {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}
