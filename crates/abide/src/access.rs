//! Whether a site has a robots.txt, and what that means for access (REP-70 to REP-75,
//! AMB-REP-16, AMB-REP-18, AMB-REP-19). No fetching happens here.

use std::fmt;

/// The state of a site's robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Access {
    /// It was fetched: its rules count (REP-70).
    Rules,
    /// It is unavailable: everything is allowed (REP-74).
    Unavailable(Cause),
    /// It is unreachable: everything except `/robots.txt` itself is disallowed (REP-75).
    Unreachable(Cause),
    /// It was not fetched yet: access is unknown.
    Unknown,
}

/// Why the rules of a site apply, when they were fetched before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RetrievalState {
    /// The copy is fresh.
    Fresh,
    /// The copy is fresh, and an attempt to renew it failed.
    RefreshFailed,
    /// There is no fresh copy, and the site is unreachable.
    Unreachable,
    /// The site was unreachable for longer than the grace period.
    GraceIsOver,
    /// The copy expired, and there was no attempt since.
    Due,
    /// There was no attempt yet.
    #[default]
    NeverAsked,
}

/// Why a robots.txt is unavailable or unreachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// The HTTP status of the response.
    Status(u16),
    /// The name did not resolve.
    Dns,
    /// No connection.
    Connect,
    /// No secure connection.
    Tls,
    /// No response in time.
    Timeout,
    /// The body ended early.
    Truncated,
    /// Too many redirects (REP-73).
    RedirectLimit,
    /// A redirect without a usable target (AMB-REP-16).
    BadRedirect,
    /// The guard refused the address, such as a private one.
    Refused,
    /// The response is not HTTP, or the network failed in another way.
    Network,
}

impl Access {
    /// Returns what the HTTP status at the end of the redirects means. 204 and 205 are an empty
    /// file, so they are [`Access::Rules`] (AMB-REP-19).
    ///
    /// ```
    /// use abide::rep::Access;
    /// assert_eq!(Access::from_status(200), Access::Rules);
    /// assert!(matches!(Access::from_status(404), Access::Unavailable(_)));
    /// assert!(matches!(Access::from_status(429), Access::Unreachable(_)));
    /// ```
    #[must_use]
    pub const fn from_status(status: u16) -> Self {
        match status {
            200 | 203 | 204 | 205 | 226 => Self::Rules,
            429 => Self::Unreachable(Cause::Status(status)),
            400..=499 => Self::Unavailable(Cause::Status(status)),
            _ => Self::Unreachable(Cause::Status(status)),
        }
    }

    /// Returns what a failure without a status means: too many redirects count as a missing file
    /// (REP-73), everything else is unreachable (REP-75).
    #[must_use]
    pub const fn from_failure(cause: Cause) -> Self {
        match cause {
            Cause::RedirectLimit => Self::Unavailable(cause),
            Cause::Status(status) => Self::from_status(status),
            _ => Self::Unreachable(cause),
        }
    }
}

crate::named!(
    Access,
    [Rules = "rules", Unknown = "unknown"],
    with parts [Unavailable = "unavailable", Unreachable = "unreachable"]
);

crate::named!(
    RetrievalState,
    "retrieval state",
    [
        Fresh = "fresh",
        RefreshFailed = "refresh-failed",
        Unreachable = "unreachable",
        GraceIsOver = "grace-is-over",
        Due = "due",
        NeverAsked = "never-asked"
    ]
);

// The names are the words of `robots_error`.
crate::named!(
    Cause,
    "cause",
    [
        Dns = "dns",
        Connect = "connect",
        Tls = "tls",
        Timeout = "timeout",
        Truncated = "truncated",
        RedirectLimit = "redirect-limit",
        BadRedirect = "bad-redirect",
        Refused = "refused",
        Network = "network"
    ],
    with parts [Status = "status"]
);

/// In words: `HTTP status 503`, `the name did not resolve`.
impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write!(f, "HTTP status {status}"),
            Self::Dns => f.write_str("the name did not resolve"),
            Self::Connect => f.write_str("no connection"),
            Self::Tls => f.write_str("no secure connection"),
            Self::Timeout => f.write_str("no answer in time"),
            Self::Truncated => f.write_str("the body ended early"),
            Self::RedirectLimit => f.write_str("too many redirects"),
            Self::BadRedirect => f.write_str("bad redirect"),
            Self::Refused => f.write_str("the address is refused"),
            Self::Network => f.write_str("unreadable answer"),
        }
    }
}
