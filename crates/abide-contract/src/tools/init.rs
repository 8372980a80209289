//! Files that are written from wishes.

use super::agents::NAME_ROBOTS;
use super::lists::few;
use super::{Agents, INVALID_WISH, WISH_NOT_KEPT};
use crate::SCHEMA;
use crate::request_error::RequestError;
use abide_analysis::wishes::{Draft, WishError, Wishes};
use serde::{Deserialize, Serialize};

/// What a site wishes of its robots.txt.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a wish")]
#[non_exhaustive]
pub struct InitRequest {
    /// Closes the site to robots that fetch for the training of AI models.
    #[serde(default)]
    pub no_training: bool,
    /// Closes the site to robots that fetch for AI answers.
    #[serde(default)]
    pub no_ai_input: bool,
    /// Lets in every robot that mainly searches, and refuses wishes that close the site to one.
    #[serde(default)]
    pub keep_search: bool,
    /// Closes the site to every robot.
    #[serde(default)]
    pub staging: bool,
    /// Closes the site to these robots too.
    #[serde(default)]
    pub block: Agents,
    /// How many seconds robots wait between visits.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "int32")))]
    pub delay: Option<u32>,
    /// The absolute URLs of sitemaps.
    #[serde(default, deserialize_with = "few")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub sitemaps: Vec<String>,
}

/// A robots.txt that was proved to keep the wishes.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WrittenFile {
    /// Version of this form.
    schema: u32,
    /// The file.
    robots: String,
    /// What was proved, in a sentence.
    summary: String,
    /// What the file does besides, and what no robots.txt can do, in sentences.
    notes: Vec<String>,
}

impl InitRequest {
    /// Writes a robots.txt, reads it back, and checks for every known robot that it gets the answer
    /// that was wished.
    ///
    /// # Errors
    /// [`RequestError`] with [`INVALID_WISH`] or [`WISH_NOT_KEPT`].
    pub fn answer(&self) -> Result<WrittenFile, RequestError> {
        let wishes = Wishes {
            no_training: self.no_training,
            no_ai_input: self.no_ai_input,
            keep_search: self.keep_search,
            staging: self.staging,
            block: self.block.lists().to_vec(),
            delay: self.delay,
            sitemaps: self.sitemaps.clone(),
        };
        let Draft {
            text,
            summary,
            notes,
            ..
        } = wishes.draft().map_err(|error| refused(&error))?;
        Ok(WrittenFile {
            schema: SCHEMA,
            robots: text,
            summary,
            notes,
        })
    }
}

fn refused(error: &WishError) -> RequestError {
    let (code, pointer, remedy) = match error {
        WishError::NotKept(_) => (WISH_NOT_KEPT, "", "leave out one of the wishes"),
        WishError::Sitemap { .. } => (
            INVALID_WISH,
            "/sitemaps",
            "write the whole URL of the sitemap",
        ),
        WishError::Delay { .. } => (INVALID_WISH, "/delay", "write fewer seconds"),
        WishError::Nothing | WishError::Contradiction { .. } => {
            (INVALID_WISH, "", "change the wishes")
        }
        _ => (INVALID_WISH, "/block", NAME_ROBOTS),
    };
    let made = RequestError::new(code, pointer, error);
    made.naming("").with_remedy(remedy)
}
