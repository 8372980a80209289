//! Where a file came from: what was requested, and what answered.

use crate::request_url::RequestUrl;
use abide::rep::Cause;
use std::net::SocketAddr;
use std::time::Duration;

/// How many bytes of the requests of a retrieval are kept: their URLs and why they failed.
pub const MAX_HOP_BYTES: usize = 8 << 10;
/// How many bytes of the fields of a retrieval's last response are kept: their lines as they are
/// sent, `Name: value` and the end of the line.
pub const MAX_FIELD_BYTES: usize = 4 << 10;
/// What a field line has beside its name and its value.
const LINE: usize = ": \r\n".len();

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HopReport {
    /// The URL.
    pub url: RequestUrl,
    /// The address that responded; that of the proxy, if there is one.
    pub address: Option<SocketAddr>,
    /// The status of the response.
    pub status: Option<u16>,
    /// The cause, if there was no response, or none that can be read.
    pub cause: Option<Cause>,
    /// The cause in words, with details of the system.
    pub failure: Option<String>,
    /// How long it took.
    pub took: Duration,
}

impl HopReport {
    /// A request to `url` of which nothing else is known yet, for your own retrievers.
    #[must_use]
    pub const fn new(url: RequestUrl) -> Self {
        Self {
            url,
            address: None,
            status: None,
            cause: None,
            failure: None,
            took: Duration::ZERO,
        }
    }

    fn bytes(&self) -> usize {
        let failure = self.failure.as_ref().map_or(0, String::len);
        self.url.as_str().len().saturating_add(failure)
    }
}

/// What a retrieval requested and what answered, kept with what came of it: the proof of where a
/// file is from. Its size is bounded, whatever a site sends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trail {
    /// The requests, each redirect's target after it, as far as the last ones fit in
    /// [`MAX_HOP_BYTES`].
    pub hops: Vec<HopReport>,
    /// The field lines of the last response, in order, as far as they fit in [`MAX_FIELD_BYTES`].
    /// `Set-Cookie` is not kept: it says nothing about the file, and is for the client alone.
    pub fields: Vec<(String, Vec<u8>)>,
    /// Whether a request or a field is missing for its size.
    pub is_cut: bool,
}

impl Trail {
    /// Keeps what fits of these requests, and of the field lines of the last response. `None` if
    /// there is nothing to keep.
    #[must_use]
    pub fn new(hops: Vec<HopReport>, fields: Vec<(String, Vec<u8>)>) -> Option<Self> {
        let known = hops.len().saturating_add(fields.len());
        let mut left = MAX_HOP_BYTES;
        let mut kept: Vec<_> = hops.into_iter().rev().collect();
        // The last requests matter most. One that does not fit ends the list, so that no
        // redirect seems to lead past it.
        let fitting = kept.iter().take_while(|hop| fits(&mut left, hop.bytes()));
        let fitting = fitting.count();
        kept.truncate(fitting);
        kept.reverse();
        let mut left = MAX_FIELD_BYTES;
        let is_cookie = |name: &str| name.eq_ignore_ascii_case("set-cookie");
        let (cookies, mut fields): (Vec<_>, Vec<_>) =
            fields.into_iter().partition(|(name, _)| is_cookie(name));
        fields.retain(|(name, value)| {
            // A field without a text takes memory too.
            let line = name.len().saturating_add(value.len()).saturating_add(LINE);
            fits(&mut left, line)
        });
        let found = [kept.len(), fields.len(), cookies.len()];
        let is_cut = found.iter().sum::<usize>() < known;
        let has_something = is_cut || !kept.is_empty() || !fields.is_empty();
        has_something.then_some(Self {
            is_cut,
            hops: kept,
            fields,
        })
    }

    /// How many bytes it takes in memory, about.
    pub(crate) fn size(&self) -> usize {
        let hops = self.hops.iter().map(HopReport::bytes);
        let fields = self.fields.iter();
        let fields = fields.map(|(name, value)| name.len().saturating_add(value.len()));
        // Each has a place in a list, and text of its own.
        let places = self.hops.len().saturating_add(self.fields.len());
        hops.chain(fields)
            .fold(places.saturating_mul(128), usize::saturating_add)
    }
}

/// Takes `bytes` of what is `left`, if they fit.
fn fits(left: &mut usize, bytes: usize) -> bool {
    match left.checked_sub(bytes) {
        Some(rest) => {
            *left = rest;
            true
        }
        None => false,
    }
}
