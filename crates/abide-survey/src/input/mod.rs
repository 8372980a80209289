//! What a survey reads.

pub(crate) mod cache;
pub(crate) mod gzip;
pub(crate) mod json_lines;
mod pages;
mod response;
pub(crate) mod sources;
pub(crate) mod table;
pub(crate) mod warc;

use crate::capture::Capture;

/// What an input has.
#[derive(Debug)]
pub(crate) enum Item {
    /// A robots.txt, or a response in its place.
    Capture(Found),
    /// A response to a request for another URL, to which a redirect may lead.
    Page {
        /// Its URL.
        url: String,
        /// Where it begins.
        place: u64,
    },
    /// A record of another kind.
    Skipped(&'static str),
    /// A record that cannot be used, or a part of the input in which no record is found.
    Failed(Trouble),
    /// Something is wrong with a record that is used.
    Noted(Trouble),
    /// The input was read up to this byte.
    Reached(u64),
}

/// A capture and where it is from.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) capture: Capture,
    /// Where the record begins.
    pub(crate) place: u64,
    /// The digest of its payload, as the archive writes it.
    pub(crate) digest: Option<String>,
    /// For a record without the body: where the body is.
    pub(crate) original: Option<Original>,
}

/// Which record has the body of a revisit record.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Original {
    /// One with this digest.
    Digest(String),
    /// One for this URL.
    Url(String),
}

/// A row of table `errors`.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) place: String,
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl Trouble {
    pub(crate) fn at_byte(place: u64, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            place: format!("byte {place}"),
            code,
            message: message.into(),
        }
    }
}

/// Takes what a reader finds. Returns false if nothing more is wanted.
pub(crate) type Sink<'s> = dyn FnMut(Item) -> bool + 's;
