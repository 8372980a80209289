//! What came of fetching the robots.txt of a site.

use crate::RetrievalJson;
use abide::Moment;
use serde::Serialize;

/// The robots.txt of a site, and how it was fetched.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "the command fills it in")]
pub struct FetchedSite {
    /// URL of the robots.txt.
    pub url: String,
    /// Which rules apply now: those of a file; none, because the site has no file
    /// (`unavailable`, everything is allowed) or because it cannot be fetched (`unreachable`,
    /// only robots.txt itself is allowed); or `unknown`, because nothing is stored and nothing
    /// was requested.
    pub rules: FetchedSiteRules,
    /// Why there is no file, in words: `HTTP status 404`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// How many bytes of the file are kept, if one applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<usize>,
    /// How the file was fetched, and how long it is valid.
    pub retrieval: RetrievalJson,
    /// The earliest instant at which to ask again. Missing: now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_fetch: Option<Moment>,
    /// The `User-Agent` that was sent. Missing if nothing was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// The requests that were sent or refused now: the first one, and one for each redirect.
    pub requests: Vec<SentRequest>,
    /// How the file was fetched that applies, or the response that says that there is none, also
    /// if that was earlier. Missing if nothing is stored, or an older version stored it without
    /// this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trail: Option<FetchTrail>,
    /// Media type of the last response, as sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// Whether a redirect led from https to http.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub downgraded: bool,
}

/// Which rules of a site apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the command fills it in")]
pub enum FetchedSiteRules {
    /// The rules of a file.
    File,
    /// None: the site has no file, and everything is allowed.
    Unavailable,
    /// None: the file cannot be fetched, and only robots.txt itself is allowed.
    Unreachable,
    /// Not known: nothing is stored, and nothing was requested.
    Unknown,
}

abide::named!(
    FetchedSiteRules,
    [
        File = "file",
        Unavailable = "unavailable",
        Unreachable = "unreachable",
        Unknown = "unknown",
    ]
);

/// What was requested when a file was fetched, and what answered: kept with the file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "the command fills it in")]
pub struct FetchTrail {
    /// The requests: the first one, and one for each redirect.
    pub requests: Vec<SentRequest>,
    /// The field lines of the last response, in order, without `Set-Cookie`.
    pub fields: Vec<SentField>,
    /// Whether a request or a field is missing because there was too much to keep.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// A field line of a response.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "the command fills it in")]
pub struct SentField {
    /// Its name.
    pub name: String,
    /// Its value. A byte that is not UTF-8 is U+FFFD.
    pub value: String,
}

/// A request, and what came of it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "the command fills it in")]
pub struct SentRequest {
    /// Its URL.
    pub url: String,
    /// Address and port that responded: those of the proxy, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Status of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Why there is no response, or none that can be read, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// How long it took.
    pub milliseconds: u64,
}
