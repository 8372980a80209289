//! The URLs of a sitemap.

use crate::request_error::RequestError;
use crate::{SCHEMA, codes};
use abide_documents::{Sitemap, sitemap_or_list};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

/// The code of a sitemap that cannot be read.
pub const INVALID_SITEMAP: &str = "invalid-sitemap";

/// A sitemap: given, or that at a URL.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SitemapRequest {
    /// The sitemap as text: XML, or one URL on each line.
    pub sitemap: Option<String>,
    /// The sitemap in base64, for any bytes; it may be compressed with gzip.
    pub sitemap_base64: Option<String>,
    /// The URL of a sitemap, which is fetched if the robots.txt of its site allows that.
    pub url: Option<String>,
}

/// Where a sitemap is.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "those that fetch need every case")]
pub enum SitemapSource {
    /// In the member at this JSON Pointer.
    Given(Vec<u8>, &'static str),
    /// At this URL.
    Url(String),
}

/// What a sitemap lists.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SitemapUrls {
    /// Version of this form.
    schema: u32,
    /// Whether it is an index: its URLs are those of other sitemaps.
    index: bool,
    /// The URLs in their order, as they are written.
    urls: Vec<String>,
}

impl SitemapRequest {
    /// Where the sitemap is.
    ///
    /// # Errors
    /// [`RequestError`] unless there is one sitemap, and for what is no base64.
    pub fn source(self) -> Result<SitemapSource, RequestError> {
        match (self.sitemap, self.sitemap_base64, self.url) {
            (Some(text), None, None) => Ok(SitemapSource::Given(text.into_bytes(), "/sitemap")),
            (None, Some(encoded), None) => {
                let pointer = "/sitemap_base64";
                let bytes = STANDARD.decode(encoded).map_err(|error| {
                    let reason = format!("no base64: {error}");
                    let error = RequestError::new(INVALID_SITEMAP, pointer, reason).naming("");
                    error.with_remedy(
                        "send the bytes of the sitemap in base64, or its text in \"sitemap\"",
                    )
                })?;
                Ok(SitemapSource::Given(bytes, pointer))
            }
            (None, None, Some(url)) => Ok(SitemapSource::Url(url)),
            _ => {
                let reason = "expected one of \"sitemap\", \"sitemap_base64\" and \"url\"";
                let error = RequestError::new(codes::INVALID_REQUEST, "", reason);
                Err(error.with_remedy("send one of the three"))
            }
        }
    }
}

impl SitemapUrls {
    /// Reads a sitemap from the member at `pointer`; it is not compressed any more.
    ///
    /// # Errors
    /// [`RequestError`] with [`INVALID_SITEMAP`].
    pub fn read(sitemap: &[u8], pointer: &str) -> Result<Self, RequestError> {
        let read = sitemap_or_list(sitemap).map_err(|error| Self::unreadable(error, pointer))?;
        let (index, entries) = match read {
            Sitemap::Pages(pages) => (false, pages),
            Sitemap::Index(sitemaps) => (true, sitemaps),
            _ => return Err(Self::unreadable("it is of an unknown kind", pointer)),
        };
        Ok(Self {
            schema: SCHEMA,
            index,
            urls: entries.into_iter().map(|entry| entry.url).collect(),
        })
    }

    /// The error of the sitemap in the member at `pointer`.
    #[must_use]
    pub fn unreadable(why: impl std::fmt::Display, pointer: &str) -> RequestError {
        let reason = format!("this is no sitemap that can be read: {why}");
        let error = RequestError::new(INVALID_SITEMAP, pointer, reason).naming("");
        error.with_remedy(
            "send XML as sitemaps.org describes it, or one URL on each line; gzip in base64",
        )
    }
}
