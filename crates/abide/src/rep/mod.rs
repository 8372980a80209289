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
//! What lives here: which keys are fields ([`field`]), product tokens ([`token`]), where groups
//! begin and end ([`group`]), what a fetch result means for access ([`Access`]), and the other
//! records that people rely on ([`crawl_delay`], `Sitemap` as a [`FieldKind`]).
//! Path patterns have a module of their own, [`pattern`](crate::pattern), for ACAP and
//! App-Directives use them too.

pub(crate) mod crawl_delay;
pub(crate) mod field;
pub(crate) mod group;
pub(crate) mod location;
pub(crate) mod token;

pub use crate::access::{Access, Cause};
pub use crawl_delay::CrawlDelay;
