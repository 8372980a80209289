//! Conversions to other specifications.

use super::Work;
use super::file::file;
use super::lists::few;
use crate::Versioned;
use crate::circumstances::page_response;
use crate::codes;
use crate::request::Body;
use crate::request_error::RequestError;
use abide::UnknownNameError;
use abide::preference::Revision;
use abide_analysis::convert::{self, Conversion, Form, TagForm};
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use std::borrow::Cow;

/// What to convert, and to what.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ConvertRequest {
    /// A robots.txt as text.
    pub robots: Option<Body>,
    /// The file in base64, for any bytes.
    pub robots_base64: Option<String>,
    /// Header fields with robots tags, in place of a robots.txt.
    #[serde(default, deserialize_with = "few")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Vec<String>>"))]
    pub headers: Vec<(String, String)>,
    /// A page with robots meta elements, in place of a robots.txt.
    pub html: Option<Body>,
    /// Its final DOM, serialised.
    pub rendered_html: Option<String>,
    /// The target format.
    #[serde(deserialize_with = "form")]
    #[cfg_attr(feature = "schema", schemars(with = "super::schema::To"))]
    pub to: Form,
    /// Revision of `Content-Usage` whose words count, from or to it: 08 or 07 [default: 08]
    pub revision: Option<String>,
}

/// A target format, by name.
fn form<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Form, D::Error> {
    let name = Cow::<'de, str>::deserialize(deserializer)?;
    name.parse().map_err(|error: UnknownNameError| {
        let names = Form::names().collect::<Vec<_>>().join(", ");
        D::Error::custom(format_args!("{error}; expected one of {names}"))
    })
}

impl ConvertRequest {
    /// Converts a robots.txt or robots tags.
    ///
    /// # Errors
    /// [`RequestError`] for members that cannot be read or do not belong together, and with
    /// [`TOO_MUCH_WORK`](super::TOO_MUCH_WORK).
    pub fn answer<T>(
        &self,
        work: &Work<'_>,
        write: impl FnOnce(&Versioned<Conversion>) -> T,
    ) -> Result<T, RequestError> {
        let revision = Revision::named(self.revision.as_deref().unwrap_or("08"));
        let revision = revision.map_err(|error| {
            let error = RequestError::new(codes::INVALID_REQUEST, "/revision", error);
            error.with_remedy("write 08 or 07")
        })?;
        let has_tags =
            !self.headers.is_empty() || self.html.is_some() || self.rendered_html.is_some();
        let has_file = self.robots.is_some() || self.robots_base64.is_some();
        let converted = match self.to {
            Form::File(_) if has_tags => {
                return Err(misplaced(
                    "\"headers\" and \"html\" have robots tags, and this form is of a robots.txt",
                    "convert them to robots-tag, x-robots-tag or meta",
                ));
            }
            Form::Tags(_) if has_tags && has_file => {
                return Err(misplaced(
                    "this form is made either from robots tags or from the ACAP records of a robots.txt",
                    "send \"headers\" and \"html\", or a robots.txt",
                ));
            }
            Form::Tags(form) if !has_file => self.tags(form)?,
            form => {
                let bytes = file(self.robots.as_ref(), self.robots_base64.as_deref(), "")?;
                let goes_on = || work.goes_on();
                work.whole(convert::robots_txt_while(&bytes, form, revision, goes_on))?
            }
        };
        Ok(write(&Versioned::new(converted)))
    }

    fn tags(&self, form: TagForm) -> Result<Conversion, RequestError> {
        let (html, dom) = (
            self.html.as_ref().map(Body::as_bytes),
            self.rendered_html.as_deref(),
        );
        let response = page_response(&self.headers, html, dom);
        let statements = response.statements();
        if statements.is_empty() {
            let reason = "there are no robots tags to convert";
            let error = RequestError::new(codes::INVALID_REQUEST, "/headers", reason);
            return Err(error.naming("").with_remedy(
                "send \"headers\" such as [[\"X-Robots-Tag\", \"noindex\"]], a page with robots meta elements in \"html\", or ACAP records in \"robots\"",
            ));
        }
        Ok(convert::tags(statements, form))
    }
}

fn misplaced(reason: &'static str, remedy: &'static str) -> RequestError {
    RequestError::new(codes::INVALID_REQUEST, "/to", reason).with_remedy(remedy)
}
