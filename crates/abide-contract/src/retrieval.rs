//! How the robots.txt of a decision was fetched.

use abide::Moment;
use abide::rep::RetrievalState;
#[cfg(feature = "fetch")]
use abide_fetch::{
    Body,
    machine::{Plan, State},
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A hash in hexadecimal digits.
#[cfg(feature = "schema")]
pub(crate) const SHA256: &str = "^[0-9a-f]{64}$";

/// How a robots.txt was fetched, and how long it is valid.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Retrieval"))]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct RetrievalJson {
    /// Why these rules apply.
    pub state: RetrievalState,
    /// SHA-256 of the file's bytes as sent. Missing if no file applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = SHA256)))]
    pub sha256: Option<String>,
    /// Whether the file continues after the bytes that were kept. Then `sha256` covers these only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// When the site's last response arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fetched_at: Option<Moment>,
    /// When it was last confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked_at: Option<Moment>,
    /// Until when it is fresh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fresh_until: Option<Moment>,
    /// Since when every attempt has failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreachable_since: Option<Moment>,
}

#[cfg(feature = "fetch")]
impl RetrievalJson {
    /// How the file of a site was fetched, by its state and the plan that was made of it.
    #[must_use]
    pub fn of(state: &State<Body>, plan: &Plan<'_, Body>) -> Self {
        let copy = state.copy();
        let file = plan.file();
        Self {
            state: plan.why,
            sha256: file.map(|body| body.hash().to_string()),
            cut: file.is_some_and(Body::is_cut),
            fetched_at: copy.map(|copy| copy.fetched_at),
            checked_at: copy.map(|copy| copy.checked_at),
            fresh_until: copy.map(|copy| copy.fresh_until),
            unreachable_since: state.outage().map(|outage| outage.since),
        }
    }
}

#[cfg(all(feature = "fetch", not(target_family = "wasm")))]
impl From<&abide_fetch::SiteRules> for RetrievalJson {
    fn from(rules: &abide_fetch::SiteRules) -> Self {
        Self {
            state: rules.why.unwrap_or_default(),
            sha256: rules.sha256.map(|hash| hash.to_string()),
            cut: rules.is_cut,
            fetched_at: rules.fetched_at,
            checked_at: rules.checked_at,
            fresh_until: rules.fresh_until,
            unreachable_since: rules.outage.as_ref().map(|outage| outage.since),
        }
    }
}

/// Shows it to people: `2026-11-20T12:00:00Z, fresh until 2026-11-21T12:00:00Z, sha256 e3b0…`.
impl fmt::Display for RetrievalJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.fetched_at, self.checked_at) {
            (Some(fetched), Some(checked)) if fetched == checked => write!(f, "{fetched}")?,
            (Some(fetched), Some(checked)) => write!(f, "{fetched}, confirmed {checked}")?,
            (Some(fetched), None) => write!(f, "{fetched}")?,
            (None, _) => f.write_str("never")?,
        }
        if let Some(until) = self.fresh_until {
            write!(f, ", fresh until {until}")?;
        }
        if let Some(since) = self.unreachable_since {
            write!(f, ", unreachable since {since}")?;
        }
        if let Some(sha256) = &self.sha256 {
            write!(f, ", sha256 {sha256}")?;
        }
        if self.cut {
            f.write_str(", cut")?;
        }
        Ok(())
    }
}
