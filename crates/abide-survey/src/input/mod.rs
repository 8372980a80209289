//! What a survey reads.

pub(crate) mod cache;
mod digest;
pub(crate) mod gzip;
pub(crate) mod json_lines;
pub(crate) mod line_numbers;
mod md5;
pub(crate) mod packed;
mod pages;
mod response;
pub(crate) mod sources;
pub(crate) mod table;
pub(crate) mod warc;
pub(crate) mod zstd;

use crate::capture::{Capture, RecordPlace};
use crate::schema::ErrorRow;

/// How an archive is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    None,
    /// In gzip members, one for each record or for several.
    Gzip,
    /// In zstd frames.
    Zstd,
}

/// What an input has.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Item {
    /// A robots.txt, or a response in its place.
    Capture(FoundCapture),
    /// A response to a request for another URL, to which a redirect may lead.
    Page {
        /// Its URL.
        url: String,
        /// Where it begins.
        place: u64,
        /// The response, if it was asked for and can be read.
        found: Option<Box<FoundCapture>>,
    },
    /// A record of another kind.
    Skipped(&'static str),
    /// A record that cannot be used, or a part of the input in which no record is found.
    Failed(InputProblem),
    /// Something is wrong with a record that is used.
    Noted(InputProblem),
    /// The digests of the next capture are right. Or they were not checked, because their algorithm
    /// is not known, or there are none.
    Verified(Result<(), String>),
    /// The input was read up to this byte.
    Reached(u64),
}

/// A capture and where it is from.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct FoundCapture {
    /// The capture.
    pub capture: Capture,
    /// Where the record begins.
    pub place: u64,
    /// The digest of its payload, as the archive writes it.
    pub digest: Option<String>,
    /// For a record without the body: where the body is.
    pub original: Option<Original>,
}

/// Which record has the body of a revisit record.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Original {
    /// One with this digest.
    Digest(String),
    /// One for this URL.
    Url(String),
}

/// A row of table `errors`, but for the name of the source.
#[derive(Clone, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct InputProblem {
    /// Where in the input.
    pub place: String,
    /// The code of the error.
    pub code: &'static str,
    /// What is wrong, and what to do.
    pub message: String,
    /// The URL of the record, if it is known.
    pub url: Option<String>,
    /// Where the record is, if it is known.
    pub record: RecordPlace,
}

impl InputProblem {
    /// All codes. docs/survey.md explains them.
    pub const CODES: &'static [&'static str] = &[
        "gzip-damaged",
        "gzip-cut",
        "zstd-damaged",
        "zstd-cut",
        "warc-header",
        "warc-type",
        "warc-url",
        "warc-length",
        "warc-cut",
        "warc-date",
        "date",
        "http-head",
        "http-status",
        "body-damaged",
        "content-encoding",
        "digest",
        "revisit",
        "json",
        "line-too-long",
        "no-url",
        "url",
        "no-body",
        "cache-record",
        "no-input",
        "read",
    ];

    /// The one of [`InputProblem::CODES`] that is `code`.
    #[must_use]
    pub fn known_code(code: &str) -> Option<&'static str> {
        Self::CODES.iter().copied().find(|known| *known == code)
    }

    /// A revisit record, whose original is not in the input.
    #[must_use]
    pub fn without_original(record: &Capture) -> Self {
        let place = record.record.offset.unwrap_or_default();
        let message = "the record has no body, and the record with it is not in the input; add the archive that has it";
        Self {
            url: record.url.clone(),
            record: record.record.clone(),
            ..Self::at_byte(place, "revisit", message)
        }
    }

    /// The row of table `errors`.
    pub(crate) fn row<'a>(&'a self, source: &'a str) -> ErrorRow<'a> {
        ErrorRow {
            source: source.into(),
            place: Some(self.place.as_str().into()),
            code: self.code.into(),
            message: self.message.as_str().into(),
            url: self.url.as_deref().map(Into::into),
            offset: self.record.offset.map(whole),
            length: self.record.length.map(whole),
            row: self.record.row.map(whole),
        }
    }

    pub(crate) fn at_byte(place: u64, code: &'static str, message: impl Into<String>) -> Self {
        debug_assert!(Self::CODES.contains(&code), "{code} is a code");
        Self {
            place: format!("byte {place}"),
            code,
            message: message.into(),
            record: RecordPlace::at_byte(place, None),
            ..Self::default()
        }
    }

    /// This problem, of a record for this URL, which need not be UTF-8.
    pub(crate) fn with_url(self, url: &[u8]) -> Self {
        let url = String::from_utf8_lossy(url);
        Self {
            url: Some(url.into_owned()).filter(|url| !url.is_empty()),
            ..self
        }
    }
}

/// A number for a cell.
pub(crate) fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Takes what a reader finds. Returns false if nothing more is wanted.
pub(crate) type Sink<'s> = dyn FnMut(Item) -> bool + 's;
