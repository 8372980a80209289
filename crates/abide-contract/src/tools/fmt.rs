//! The formatter.

use super::file::file;
use super::{CANNOT_FORMAT, Work, text_or_base64};
use crate::SCHEMA;
use crate::request::Body;
use crate::request_error::RequestError;
use abide_lint::format::{self, FormatError};
use serde::{Deserialize, Serialize};

/// A file to format.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct FmtRequest {
    /// The robots.txt as text.
    pub robots: Option<Body>,
    /// The file in base64, for any bytes.
    pub robots_base64: Option<String>,
}

/// The formatted file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FormattedFile<'a> {
    /// Version of this form.
    schema: u32,
    /// Whether the formatted file differs from the file.
    changed: bool,
    /// Whether the file has any robots.txt field. If not, it stays as it is.
    robots_txt: bool,
    /// The formatted file, if it is UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    formatted: Option<&'a str>,
    /// The formatted file otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    formatted_base64: Option<String>,
    #[serde(skip)]
    bytes: &'a [u8],
}

impl FormattedFile<'_> {
    /// The formatted file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.bytes
    }
}

impl FmtRequest {
    /// Formats the file without changing its meaning.
    ///
    /// # Errors
    /// [`RequestError`] without a file, and with [`CANNOT_FORMAT`] for one that cannot be
    /// formatted.
    pub fn answer<T>(
        &self,
        work: &Work<'_>,
        write: impl FnOnce(&FormattedFile<'_>) -> T,
    ) -> Result<T, RequestError> {
        let bytes = file(self.robots.as_ref(), self.robots_base64.as_deref(), "")?;
        let formatted = work.whole(format::format_while(&bytes, &|| work.goes_on()))?;
        let formatted = formatted.map_err(|error| refused(&error))?;
        let (text, encoded) = text_or_base64(formatted.as_bytes());
        Ok(write(&FormattedFile {
            schema: SCHEMA,
            changed: *formatted.as_bytes() != *bytes,
            robots_txt: formatted.is_robots_txt(),
            formatted: text,
            formatted_base64: encoded,
            bytes: formatted.as_bytes(),
        }))
    }
}

fn refused(error: &FormatError) -> RequestError {
    let remedy = match error {
        FormatError::TooLong { .. } => "shorten the file",
        FormatError::Utf16 => "convert the file to UTF-8, as with iconv",
        _ => "please report this file as a bug; nothing was changed",
    };
    let made = RequestError::new(CANNOT_FORMAT, "/robots", error);
    made.naming("").with_remedy(remedy)
}
