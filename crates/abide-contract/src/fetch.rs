//! The robots.txt of a site: what applies now, what the site served before, and how it was fetched.

use crate::RetrievalJson;
use abide::Moment;
#[cfg(feature = "fetch")]
use abide_fetch::{
    Body,
    machine::{CurrentRules, HopReport, NextFetch, Plan, State, Trail},
};
use serde::Serialize;

/// The robots.txt of a site, and how it was fetched.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
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
    /// The file, if one applies. The command leaves its text out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<ServedFile>,
    /// How the file was fetched, and how long it is valid.
    pub retrieval: RetrievalJson,
    /// How many seconds ago it was last confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub age: Option<u64>,
    /// For how many seconds the site says that it is fresh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lifetime: Option<u64>,
    /// The earliest instant at which to ask again. Missing: now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_fetch: Option<Moment>,
    /// Until when the site asked to be left alone (`Retry-After`), if it was not asked again for
    /// that reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asks_to_wait: Option<Moment>,
    /// The `User-Agent` that was sent. Missing if nothing was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// The requests that this process sent or refused last: the first one, and one for each
    /// redirect. Empty if it had no need to.
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

#[cfg(feature = "fetch")]
impl FetchedSite {
    /// What is known `now` of a robots.txt, by the state of its site and the plan that was made of
    /// it. `request` describes each request.
    #[must_use]
    pub fn of(
        url: String,
        state: &State<Body>,
        plan: &Plan<'_, Body>,
        now: Moment,
        request: fn(&HopReport) -> SentRequest,
    ) -> Self {
        let copy = state.copy();
        let (rules, cause) = match plan.current {
            CurrentRules::File(_) => (FetchedSiteRules::File, None),
            CurrentRules::AllowAll(cause) => (FetchedSiteRules::Unavailable, Some(cause)),
            CurrentRules::DisallowAll(cause) => (FetchedSiteRules::Unreachable, Some(cause)),
            CurrentRules::Unknown => (FetchedSiteRules::Unknown, None),
        };
        // A clock that was set back makes no file younger than new.
        let age = |at: Moment| now.unix_seconds().saturating_sub(at.unix_seconds());
        let trail = copy.and_then(|copy| copy.trail.as_deref());
        Self {
            url,
            rules,
            cause: cause.map(|cause| cause.to_string()),
            file: plan.file().map(ServedFile::of),
            retrieval: RetrievalJson::of(state, plan),
            age: copy.map(|copy| u64::try_from(age(copy.checked_at)).unwrap_or_default()),
            lifetime: copy.and_then(|copy| copy.freshness.seconds),
            next_fetch: match plan.next {
                NextFetch::At(moment) => Some(moment),
                NextFetch::Now => None,
            },
            asks_to_wait: None,
            user_agent: None,
            requests: Vec::new(),
            trail: trail.map(|trail| FetchTrail::of(trail, request)),
            media_type: None,
            downgraded: false,
        }
    }
}

/// Which rules of a site apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers build it")]
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

/// A file as a site served it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct ServedFile {
    /// SHA-256 of the bytes that were kept.
    pub sha256: String,
    /// How many bytes were kept.
    pub bytes: usize,
    /// Whether the file goes on behind them.
    pub cut: bool,
    /// Whether the bytes that were kept end within a line. That line does not count.
    pub cut_line: bool,
    /// The text, if it is UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The bytes otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_base64: Option<String>,
}

#[cfg(feature = "fetch")]
impl ServedFile {
    /// What is said of a file, without its text.
    #[must_use]
    pub fn of(body: &Body) -> Self {
        Self {
            sha256: body.hash().to_string(),
            bytes: body.as_bytes().len(),
            cut: body.is_cut(),
            cut_line: body.is_cut_in_line(),
            body: None,
            body_base64: None,
        }
    }

    /// A file with its text.
    #[must_use]
    pub fn with_text(body: &Body) -> Self {
        let (text, encoded) = crate::tools::text_or_base64(body.as_bytes());
        Self {
            body: text.map(str::to_owned),
            body_base64: encoded,
            ..Self::of(body)
        }
    }
}

/// Every file that a site served.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct SiteHistory {
    /// URL of the robots.txt.
    pub url: String,
    /// The files, the first one first.
    pub observations: Vec<Observation>,
    /// The file that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<ServedFile>,
}

/// A file that a site served, and when.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Observation {
    /// SHA-256 of the bytes that were kept.
    pub sha256: String,
    /// How many bytes were kept.
    pub bytes: u64,
    /// The first time that it was served.
    pub first: Moment,
    /// The last time that it was served.
    pub last: Moment,
    /// How it was fetched the first time. Missing if an older version stored it without this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trail: Option<FetchTrail>,
}

/// What was requested when a file was fetched, and what answered: kept with the file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct FetchTrail {
    /// The requests: the first one, and one for each redirect.
    pub requests: Vec<SentRequest>,
    /// The field lines of the last response, in order, without `Set-Cookie`.
    pub fields: Vec<SentField>,
    /// Whether a request or a field is missing because there was too much to keep.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

#[cfg(feature = "fetch")]
impl FetchTrail {
    /// What was kept. `request` describes each request.
    #[must_use]
    pub fn of(kept: &Trail, request: fn(&HopReport) -> SentRequest) -> Self {
        let fields = kept.fields.iter().map(|(name, value)| SentField {
            name: name.clone(),
            value: String::from_utf8_lossy(value).into_owned(),
        });
        Self {
            requests: kept.hops.iter().map(request).collect(),
            fields: fields.collect(),
            cut: kept.is_cut,
        }
    }
}

/// A field line of a response.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct SentField {
    /// Its name.
    pub name: String,
    /// Its value. A byte that is not UTF-8 is U+FFFD.
    pub value: String,
}

/// A request, and what came of it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
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

#[cfg(feature = "fetch")]
impl SentRequest {
    /// Everything that is known of a request.
    #[must_use]
    pub fn of(hop: &HopReport) -> Self {
        Self {
            url: hop.url.as_str().to_owned(),
            address: hop.address.map(|address| address.to_string()),
            status: hop.status,
            failure: hop.failure.clone(),
            milliseconds: u64::try_from(hop.took.as_millis()).unwrap_or(u64::MAX),
        }
    }
}
