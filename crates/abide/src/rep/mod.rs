//! RFC 9309, the Robots Exclusion Protocol.
//!
//! ```text
//! robotstxt = *(group / emptyline)
//! group = startgroupline                ; We start with a user-agent
//!        *(startgroupline / emptyline)  ; ... and possibly more
//!        *(rule / emptyline)            ; followed by rules relevant
//! startgroupline = *WS "user-agent" *WS ":" *WS product-token EOL
//! rule = *WS ("allow" / "disallow") *WS ":" *WS (path-pattern / empty-pattern) EOL
//! ```
//!
//! `field` reads which keys are fields, `token` has product tokens, `user_agent` finds the names in
//! a `User-Agent` line (`software` has those of browsers, libraries and crawling software), and
//! `group` decides where groups begin and end. What a fetch result means for access is [`Access`].
//! Path patterns are in a module of their own, because ACAP and App-Directives use them too.

pub(crate) mod crawl_delay;
pub(crate) mod field;
pub(crate) mod group;
pub(crate) mod location;
mod software;
pub(crate) mod token;
mod user_agent;

pub use crate::access::{Access, Cause, RetrievalState};
pub use crawl_delay::CrawlDelay;
pub use token::NamedRobots;
pub use user_agent::{NameKind, UserAgentLine};
