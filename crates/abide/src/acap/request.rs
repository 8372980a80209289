//! Action requests (ACAP-117 to ACAP-122). abide lists them and never carries them out.

use super::reference;
use crate::verdict::Place;

/// A request to do something with one resource as soon as possible. ACAP 1.0 calls the feature not
/// ready for use, and some operators only accept it as confirmation of a request by other means
/// (ACAP-119). So it needs to be confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ActionRequest {
    /// What is asked.
    pub action: Action,
    /// The resource, a path from the root of the site.
    pub path: String,
    /// The place of the request.
    pub place: Place,
}

/// What an action request asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Action {
    /// To erase all copies and index entries (ACAP-120).
    TakeDown,
    /// To crawl again (ACAP-121).
    ReCrawl,
}

crate::named!(
    Action,
    "action",
    [TakeDown = "take-down", ReCrawl = "re-crawl"]
);

impl Action {
    pub(super) fn named(name: &[u8]) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|action| name.eq_ignore_ascii_case(action.name().as_bytes()))
    }
}

/// The path of a request: one resource, without `*` and `$` (ACAP-118).
pub(super) fn path(value: &[u8]) -> Option<String> {
    let text = reference::single(value)?;
    Some(if text.starts_with('/') {
        text.to_owned()
    } else {
        format!("/{text}")
    })
}
