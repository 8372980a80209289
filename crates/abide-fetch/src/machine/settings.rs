//! What a client may choose, with the requirements' own choices as defaults.

/// Seconds in a day: no copy is used for longer while its site can be reached (REP-80).
pub(crate) const DAY: u64 = 86_400;
/// Seconds by which clocks may differ that are right. What lies further ahead was stored by a clock that was wrong.
pub(crate) const SLACK: u64 = 300;

/// How answers and failures are treated. The defaults are the careful reading.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Seconds that every answer holds at least, so that a file which says "do not cache" is not asked
    /// for with every URL (AMB-REP-29). Five minutes; a day at most.
    pub min_lifetime: u64,
    /// Seconds that an answer holds at most. A day, and never more (REP-80).
    pub max_lifetime: u64,
    /// Seconds of being unreachable after which [`Settings::after_grace`] counts: 30 days (REP-76).
    pub grace: u64,
    /// What is in force when a site was unreachable for that long (AMB-REP-17).
    pub after_grace: AfterGrace,
    /// What status 429 means (AMB-REP-18).
    pub while_429: TooManyRequests,
    /// Whether a file may be used although the redirects that led to it went from https to http
    /// (AMB-REP-16). It may.
    pub follows_downgrade: bool,
}

/// What is in force when a site was unreachable for longer than the grace period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AfterGrace {
    /// The last copy; everything is allowed where there is none.
    #[default]
    CopyElseAllow,
    /// The last copy; nothing is allowed where there is none.
    CopyElseDisallow,
    /// Nothing is allowed, however long it takes.
    Disallow,
}

/// What status 429 means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TooManyRequests {
    /// As a server error: nothing is allowed while the site asks to slow down.
    #[default]
    Unreachable,
    /// As any other status from 400 to 499: everything is allowed.
    Unavailable,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            min_lifetime: 300,
            max_lifetime: DAY,
            grace: 30_u64.saturating_mul(DAY),
            after_grace: AfterGrace::default(),
            while_429: TooManyRequests::default(),
            follows_downgrade: true,
        }
    }
}

impl Settings {
    /// How long an answer holds that says it is fresh for so many seconds; `None` where it does not say.
    pub(super) fn lifetime(&self, fresh_for: Option<u64>) -> u64 {
        let most = self.max_lifetime.min(DAY);
        // An answer that holds for no time at all would be asked for again before it was used.
        let least = self.min_lifetime.clamp(1, most.max(1));
        fresh_for.unwrap_or(DAY).clamp(least, most.max(1))
    }
}
