//! One request and its response on its own connection. Nothing is pooled, so that a response of one
//! authority cannot be taken for another's.

use super::connection::{Budget, MAX_HEAD_BYTES, OverBudget, Wire, earlier};
use super::network::is_local;
use super::proxy::Proxy;
use super::{ConnectionPermits, Failure, FetcherInner};
use crate::machine::Validators;
use crate::stream::{ByteStream, Driver};
use abide::rep::Cause;
use http_body_util::{BodyExt, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE,
    HeaderMap, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, PROXY_AUTHORIZATION,
    TRANSFER_ENCODING, USER_AGENT,
};
use hyper::{Request, Response, StatusCode};
use std::borrow::Cow;
use std::error::Error;
use std::io::Write;
use std::sync::Arc;
use tokio::time::Instant;
use url::Url;

/// The largest number of fields in a response; one with more is an error.
const MAX_FIELDS: usize = 100;

/// A response whose body has not been read yet.
pub(super) struct OpenResponse {
    response: Response<Incoming>,
    budget: Arc<Budget>,
    /// Dropping the response closes the connection and releases its permit.
    _driver: Driver,
    _held: ConnectionPermits,
    until: Instant,
}

impl OpenResponse {
    /// Requests `url` over `bytes`, and waits for the head of the response.
    pub(super) async fn to(
        url: &Url,
        own: Option<&Validators>,
        (bytes, held): (Box<dyn ByteStream>, ConnectionPermits),
        inner: &FetcherInner,
        until: Instant,
    ) -> Result<Self, Failure> {
        let budget = Budget::of_heads();
        let wire = Wire::new(bytes, Arc::clone(&budget));
        let mut protocol = hyper::client::conn::http1::Builder::new();
        protocol
            .max_headers(MAX_FIELDS)
            .max_header_size(MAX_HEAD_BYTES)
            .max_buf_size(MAX_HEAD_BYTES);
        let (mut sender, connection) = protocol
            .handshake(wire)
            .await
            .map_err(|error| failure(&error))?;
        let driver = Driver(tokio::spawn(async move { drop(connection.await) }));
        let mut request = request(url, own, inner)?;
        let counted = Arc::clone(&budget);
        hyper::ext::on_informational(&mut request, move |_| counted.count_interim());
        let within = earlier(until, inner.options.head_timeout);
        let response = tokio::time::timeout_at(within, sender.send_request(request)).await;
        let response = response
            .map_err(|_| Failure::new(Cause::Timeout, "no answer in time"))?
            .map_err(|error| failure(&error))?;
        if budget.has_too_many_interim() {
            return Err(Failure::new(Cause::Network, "too many interim responses"));
        }
        if !is_framed_once(&response) {
            let message = "the answer says in two ways, or in none that exists, where it ends";
            return Err(Failure::new(Cause::Network, message));
        }
        Ok(Self {
            response,
            budget,
            _driver: driver,
            _held: held,
            until,
        })
    }

    pub(super) fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    pub(super) fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// Whether only the end of the connection ends the body.
    pub(super) fn is_unframed(&self) -> bool {
        let fields = self.response.headers();
        !fields.contains_key(CONTENT_LENGTH) && !fields.contains_key(TRANSFER_ENCODING)
    }

    /// The decompressed body, up to `limit` bytes and one more if there is one. A body that cannot
    /// be decompressed is an error: its bytes would read as a file without rules.
    pub(super) async fn body(
        &mut self,
        limit: usize,
        inner: &FetcherInner,
    ) -> Result<Vec<u8>, Failure> {
        /// The largest number of bytes read of a body as sent.
        const MAX_SENT_BYTES: usize = 1 << 20;
        let mut sink = Sink::new(coding(self.response.headers())?, limit.saturating_add(1));
        self.budget
            .of_body(MAX_SENT_BYTES.max(limit.saturating_mul(2)));
        loop {
            let within = earlier(self.until, inner.options.idle_timeout);
            let frame = tokio::time::timeout_at(within, self.response.body_mut().frame()).await;
            match frame.map_err(|_| Failure::of(Cause::Timeout))? {
                Some(Ok(frame)) => {
                    // Trailers do not matter for a file.
                    let Ok(data) = frame.into_data() else {
                        continue;
                    };
                    sink.take(&data)?;
                    if sink.is_full() {
                        return sink.cut();
                    }
                }
                Some(Err(error)) if is_over_budget(&error) => return sink.cut(),
                Some(Err(error)) => {
                    return Err(Failure {
                        is_local: io_error(&error).is_some_and(is_local),
                        ..Failure::of(Cause::Truncated)
                    });
                }
                None => return sink.finish(),
            }
        }
    }
}

fn request(
    url: &Url,
    own: Option<&Validators>,
    inner: &FetcherInner,
) -> Result<Request<Empty<Bytes>>, Failure> {
    let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
    let proxy = inner.options.proxy.as_ref();
    let proxy = proxy.filter(|_| Proxy::is_asked(url));
    // A proxy is asked for the whole URL (RFC 9112, 3.2.2).
    let target = match proxy {
        Some(_) => Cow::Owned(format!("http://{host}{path}")),
        None => Cow::Borrowed(path),
    };
    let mut request = Request::get(&*target)
        .header(hyper::header::HOST, host)
        .header(USER_AGENT, &inner.options.user_agent)
        .header(ACCEPT, "text/plain, */*;q=0.5")
        .header(ACCEPT_ENCODING, "gzip")
        .header(CONNECTION, "close");
    if let Some(name) = proxy.and_then(Proxy::authorization) {
        request = request.header(PROXY_AUTHORIZATION, name);
    }
    if let Some(etag) = own.and_then(|own| own.etag.as_ref()) {
        request = request.header(IF_NONE_MATCH, etag);
    }
    if let Some(modified) = own.and_then(|own| own.last_modified.as_ref()) {
        request = request.header(IF_MODIFIED_SINCE, modified);
    }
    request
        .body(Empty::new())
        .map_err(|error| Failure::new(Cause::BadRedirect, &error.to_string()))
}

/// How a body is compressed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Coding {
    Identity,
    Gzip,
}

/// The members of a list field, in lower case.
fn words(headers: &HeaderMap, name: HeaderName) -> Vec<String> {
    let values = headers.get_all(name).iter();
    let text = values.map(|value| String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase());
    text.collect::<Vec<_>>()
        .join(",")
        .split(',')
        .map(|word| word.trim().to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}

/// Whether a response says in exactly one way where it ends, whatever its status. If two parties
/// can disagree about the end, one of them can be made to take a body for the next response (RFC
/// 9112, 6.1 and 6.3).
fn is_framed_once(response: &Response<Incoming>) -> bool {
    let headers = response.headers();
    let framing = words(headers, TRANSFER_ENCODING);
    let is_without_body = response.status() == StatusCode::NO_CONTENT;
    !headers.contains_key(TRANSFER_ENCODING)
        || (framing == ["chunked"] && !headers.contains_key(CONTENT_LENGTH) && !is_without_body)
}

/// How a response says that its body is compressed; anything except one layer of gzip is an error.
fn coding(headers: &HeaderMap) -> Result<Coding, Failure> {
    if headers.contains_key(CONTENT_RANGE) {
        let message = "the site sent a part of the file, which was not asked for";
        return Err(Failure::new(Cause::Network, message));
    }
    match words(headers, CONTENT_ENCODING).as_slice() {
        [] => Ok(Coding::Identity),
        [only] if only == "identity" => Ok(Coding::Identity),
        [only] if only == "gzip" || only == "x-gzip" => Ok(Coding::Gzip),
        others => {
            let message = format!(
                "the site sent {}, which was not asked for",
                others.join(", ")
            );
            Err(Failure::new(Cause::Network, &message))
        }
    }
}

/// Where the bytes of a body go: never more than the limit, however they are compressed.
enum Sink {
    Identity(BoundedBuffer),
    Gzip {
        unpacking: Box<flate2::write::MultiGzDecoder<BoundedBuffer>>,
        /// The first bytes as sent.
        start: Vec<u8>,
    },
}

/// How a gzip file begins.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Keeps the beginning of what is written to it; counts the rest as written, and drops it.
struct BoundedBuffer {
    bytes: Vec<u8>,
    limit: usize,
}

impl Write for BoundedBuffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let room = self.limit.saturating_sub(self.bytes.len());
        if room == 0 && !bytes.is_empty() {
            // The limit is reached, so decompression stops too.
            return Err(std::io::ErrorKind::WriteZero.into());
        }
        let (kept, _) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
        self.bytes.extend_from_slice(kept);
        Ok(kept.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Sink {
    fn new(coding: Coding, limit: usize) -> Self {
        let bytes = Vec::new();
        let bounded = BoundedBuffer { bytes, limit };
        match coding {
            Coding::Identity => Self::Identity(bounded),
            Coding::Gzip => Self::Gzip {
                unpacking: Box::new(flate2::write::MultiGzDecoder::new(bounded)),
                start: Vec::new(),
            },
        }
    }

    fn bounded(&self) -> &BoundedBuffer {
        match self {
            Self::Identity(bounded) => bounded,
            Self::Gzip { unpacking, .. } => unpacking.get_ref(),
        }
    }

    fn is_full(&self) -> bool {
        let bounded = self.bounded();
        bounded.bytes.len() >= bounded.limit
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = match self {
            Self::Identity(bounded) => bounded.write_all(bytes),
            Self::Gzip { unpacking, start } => {
                let missing = GZIP.len().saturating_sub(start.len());
                start.extend(bytes.iter().take(missing));
                unpacking.write_all(bytes)
            }
        };
        match written {
            Err(_) if !self.is_full() => Err(self.damage()),
            _ => Ok(()),
        }
    }

    /// Why the body ended too early, or cannot be unpacked.
    fn damage(&self) -> Failure {
        match self {
            Self::Gzip { start, .. } if !start.is_empty() && !GZIP.starts_with(start) => {
                let message = "the site says that the body is gzip, and it is not";
                Failure::new(Cause::Truncated, message)
            }
            _ => Failure::of(Cause::Truncated),
        }
    }

    /// The part that was read of a longer body. It is an error if a megabyte as sent is less than a
    /// file after decompression or removal of chunks: the rest is unknown.
    fn cut(self) -> Result<Vec<u8>, Failure> {
        if !self.is_full() {
            return Err(self.damage());
        }
        match self {
            Self::Identity(bounded) => Ok(bounded.bytes),
            Self::Gzip { mut unpacking, .. } => Ok(std::mem::take(&mut unpacking.get_mut().bytes)),
        }
    }

    /// The body after its end.
    fn finish(mut self) -> Result<Vec<u8>, Failure> {
        // An empty body is not a gzip file; it was cut at the beginning.
        if let Self::Gzip { unpacking, .. } = &mut self
            && unpacking.try_finish().is_err()
        {
            return Err(self.damage());
        }
        match self {
            Self::Identity(bounded) => Ok(bounded.bytes),
            Self::Gzip { mut unpacking, .. } => Ok(std::mem::take(&mut unpacking.get_mut().bytes)),
        }
    }
}

/// Whether the bytes of a response were more than its budget.
fn is_over_budget(error: &hyper::Error) -> bool {
    let inner = io_error(error).and_then(std::io::Error::get_ref);
    inner.is_some_and(<dyn Error + Send + Sync>::is::<OverBudget>)
}

fn io_error(error: &hyper::Error) -> Option<&std::io::Error> {
    error.source()?.downcast_ref()
}

/// Why there was no response.
fn failure(error: &hyper::Error) -> Failure {
    let within = error.source().map(ToString::to_string);
    let message = within.map_or_else(|| error.to_string(), |inner| format!("{error}: {inner}"));
    let cause = match io_error(error) {
        Some(io) if is_tls(io) => Cause::Tls,
        _ => Cause::Network,
    };
    Failure {
        is_local: io_error(error).is_some_and(is_local),
        ..Failure::new(cause, &message)
    }
}

/// Whether an I/O error wraps an error of TLS, at any depth.
fn is_tls(error: &std::io::Error) -> bool {
    error.get_ref().is_some_and(|inner| {
        inner.is::<rustls::Error>() || inner.downcast_ref::<std::io::Error>().is_some_and(is_tls)
    })
}

/// The fields of a response, in order.
pub(super) fn lines(headers: &HeaderMap) -> impl Iterator<Item = (&str, &[u8])> {
    let pairs = headers.iter();
    pairs.map(|(name, value): (&HeaderName, &HeaderValue)| (name.as_str(), value.as_bytes()))
}
