//! How the robots.txt of a decision was fetched.

use abide::Moment;
use serde::{Serialize, Serializer};
use std::fmt;

/// How a robots.txt was fetched, and how long it is valid.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct RetrievalJson {
    /// Why these rules apply: `fresh`, `refresh-failed`, `unreachable`, `grace-is-over`, `due` or
    /// `never-asked`.
    pub state: &'static str,
    /// SHA-256 of the file's bytes as sent; 64 hexadecimal digits. `None` if no file applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Whether the file continues after the bytes that were kept. Then `sha256` covers these only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// When the site's last response arrived.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "instant")]
    pub fetched_at: Option<Moment>,
    /// When it was last confirmed.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "instant")]
    pub checked_at: Option<Moment>,
    /// Until when it is fresh.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "instant")]
    pub fresh_until: Option<Moment>,
    /// Since when every attempt has failed.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "instant")]
    pub unreachable_since: Option<Moment>,
}

#[expect(clippy::ref_option, reason = "the form that serde asks for")]
fn instant<S: Serializer>(moment: &Option<Moment>, serializer: S) -> Result<S::Ok, S::Error> {
    match moment {
        Some(moment) => serializer.collect_str(moment),
        None => serializer.serialize_none(),
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
