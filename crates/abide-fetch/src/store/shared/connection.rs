//! One connection with one operation at a time and a limit on the reply. After any error the
//! connection is closed, because a late reply must not be taken for the reply to the next command.

use super::address::{Address, Endpoint};
use crate::store::StoreError;
use crate::stream::{ByteStream, Driver};
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Cmd, RedisError, ServerError, Value, cmd};
use rustls::pki_types::ServerName;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::Instant;

/// The largest record, in bytes.
pub(super) const MAX_RECORD_BYTES: usize = 768 << 10;
/// The largest reply to one operation, in bytes: a record and the framing around it.
const MAX_REPLY_BYTES: usize = MAX_RECORD_BYTES.saturating_add(4 << 10);
/// The largest number of characters of a server's message that are shown.
const MAX_MESSAGE_CHARS: usize = 160;

/// A connection. Dropping it closes it at once.
pub(super) struct Connection {
    redis: MultiplexedConnection,
    driver: Driver,
    allowance: Arc<Allowance>,
    pub(super) since: Instant,
    /// Which run of the server answers, once somebody has asked.
    run: Option<String>,
}

/// Why there is no usable reply.
pub(super) enum Trouble {
    /// The server replied with an error.
    Refused(String),
    /// There was no usable reply.
    Broken(String),
}

impl Connection {
    /// Connects to `address` and logs in.
    pub(super) async fn new(
        address: &Address,
        tls: Option<&Arc<rustls::ClientConfig>>,
    ) -> Result<Self, Trouble> {
        let broken =
            |error: io::Error| Trouble::Broken(server_message(&error.to_string(), address));
        let allowance = Arc::new(Allowance::default());
        let stream = open(address, tls).await.map_err(broken)?;
        let stream = BoundedStream {
            stream,
            allowance: Arc::clone(&allowance),
        };
        // Only the deadline of the operation counts.
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
            run: None,
        })
    }

    /// Whether the connection still seems open.
    pub(super) fn is_open(&self) -> bool {
        !self.driver.0.is_finished()
    }

    /// Which run of the server answers: another one after a restart, and after another server took
    /// over. No connection outlives that, so it is asked once.
    pub(super) async fn run(&mut self, address: &Address) -> Result<&str, Trouble> {
        if self.run.is_none() {
            let mut command = cmd("INFO");
            command.arg("server");
            let reply = self.ask(&command, address).await?;
            let run = run_id(&reply);
            let unknown = || Trouble::Broken("it does not say which run it is".to_owned());
            self.run = Some(run.ok_or_else(unknown)?);
        }
        Ok(self.run.as_deref().unwrap_or_default())
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

/// The run that the reply to `INFO server` names.
fn run_id(reply: &Value) -> Option<String> {
    let text = match reply {
        Value::BulkString(bytes) => str::from_utf8(bytes).ok()?,
        Value::VerbatimString { text, .. } => text,
        _ => return None,
    };
    let run = text.lines().find_map(|line| line.strip_prefix("run_id:"))?;
    let is_hex = !run.is_empty() && run.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| run.to_owned())
}

fn refused(error: &ServerError, address: &Address) -> String {
    let details = error.details().unwrap_or_default();
    server_message(&format!("{} {details}", error.code()), address)
}

fn trouble(error: &RedisError, address: &Address) -> Trouble {
    let message = server_message(&error.to_string(), address);
    if error.code().is_some() || error.kind() == redis::ErrorKind::AuthenticationFailed {
        Trouble::Refused(message)
    } else {
        Trouble::Broken(message)
    }
}

/// Foreign text, shortened and made safe to print.
fn server_message(text: &str, address: &Address) -> String {
    let text = address.redacted(text);
    let text = abide::explain::visible(text.trim().as_bytes());
    match text.char_indices().nth(MAX_MESSAGE_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

impl From<Trouble> for StoreError {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Refused(message) => Self::Refused(message),
            Trouble::Broken(message) => Self::Down(message),
        }
    }
}

async fn open(
    address: &Address,
    tls: Option<&Arc<rustls::ClientConfig>>,
) -> io::Result<Box<dyn ByteStream>> {
    let (host, port) = match &address.place {
        Endpoint::Unix(path) => return Ok(Box::new(UnixStream::connect(path).await?)),
        Endpoint::Tcp(host, port) => (host, *port),
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

/// How many bytes may be read: a fixed number per operation, and none between operations.
#[derive(Default)]
struct Allowance {
    bytes: AtomicUsize,
    is_first: AtomicBool,
}

impl Allowance {
    fn grant(&self) {
        self.bytes.store(MAX_REPLY_BYTES, Ordering::Release);
        self.is_first.store(true, Ordering::Release);
    }

    fn end(&self) {
        self.bytes.store(0, Ordering::Release);
    }

    fn take(&self, bytes: &[u8]) -> io::Result<()> {
        let Some(first) = bytes.first() else {
            return Ok(());
        };
        // One atomic step, because the operation may end meanwhile.
        let less = |left: usize| left.checked_sub(bytes.len());
        let order = (Ordering::AcqRel, Ordering::Acquire);
        if self.bytes.fetch_update(order.0, order.1, less).is_err() {
            return Err(io::Error::other("it said more than it was asked"));
        }
        // No command used here returns lists, maps or pushes.
        if self.is_first.swap(false, Ordering::AcqRel) && !b"+-:$".contains(first) {
            return Err(io::Error::other(
                "its reply is of no kind that was asked for",
            ));
        }
        Ok(())
    }
}

/// Reads at most the allowed bytes.
struct BoundedStream {
    stream: Box<dyn ByteStream>,
    allowance: Arc<Allowance>,
}

impl AsyncRead for BoundedStream {
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

impl AsyncWrite for BoundedStream {
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
