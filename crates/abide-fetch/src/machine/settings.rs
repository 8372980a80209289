//! The choices of a client. The defaults follow the requirements.

use std::time::Duration;

/// Seconds in a day: no copy is used for longer while its site can be reached (REP-80).
pub(crate) const DAY: u64 = 86_400;
/// By how many seconds correct clocks may differ. A record from further in the future has a wrong
/// time.
pub(crate) const SLACK: u64 = 300;

/// How responses and failures are handled. The defaults follow RFC 9309 carefully.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetrievalSettings {
    /// The least lifetime of a response, at most a day, so that a file with "do not cache" is not
    /// fetched for every URL (AMB-REP-29). Whole seconds count. [default: 5 minutes]
    pub min_lifetime: Duration,
    /// The greatest lifetime of a response, at most a day (REP-80). [default: a day]
    pub max_lifetime: Duration,
    /// How long an outage lasts before [`RetrievalSettings::after_grace`] applies (REP-76).
    /// [default: 30 days]
    pub grace: Duration,
    /// What applies after that time (AMB-REP-17). [default: the last copy]
    pub after_grace: AfterGrace,
    /// What status 429 means (AMB-REP-18). [default: unreachable]
    pub while_429: TooManyRequests,
    /// Whether a file counts if redirects led from https to http (AMB-REP-16). [default: true]
    pub follows_downgrade: bool,
}

/// What applies when a site was unreachable for longer than the grace period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AfterGrace {
    /// The last copy. Without one, everything is allowed.
    #[default]
    CopyElseAllow,
    /// The last copy. Without one, nothing is allowed.
    CopyElseDisallow,
    /// Nothing is allowed, however long the outage lasts.
    Disallow,
}

/// What status 429 means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TooManyRequests {
    /// Unreachable, like a server error: nothing is allowed while the site asks to slow down.
    #[default]
    Unreachable,
    /// Unavailable, like any other status from 400 to 499: everything is allowed. The site is not
    /// asked again before its `Retry-After`, as far as [`RetrievalSettings::max_lifetime`] allows.
    Unavailable,
}

impl Default for RetrievalSettings {
    fn default() -> Self {
        Self {
            min_lifetime: Duration::from_secs(5 * 60),
            max_lifetime: Duration::from_secs(DAY),
            grace: Duration::from_secs(30_u64.saturating_mul(DAY)),
            after_grace: AfterGrace::default(),
            while_429: TooManyRequests::default(),
            follows_downgrade: true,
        }
    }
}

impl RetrievalSettings {
    /// The lifetime of a response that says it is fresh for this many seconds; `None` if it does
    /// not say.
    pub(super) fn lifetime(&self, fresh_for: Option<u64>) -> u64 {
        let most = self.max_lifetime.as_secs().min(DAY);
        // A lifetime of zero would expire before the response is used.
        let least = self.min_lifetime.as_secs().clamp(1, most.max(1));
        fresh_for.unwrap_or(DAY).clamp(least, most.max(1))
    }
}
