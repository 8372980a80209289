//! Path patterns: how URLs and patterns become comparable, and how one is matched with the other
//! (RFC 9309 §2.2.2 and §2.2.3).
//!
//! - [`target`]: the octets of a URL that take part: path and query.
//! - [`normal`]: the two canonical forms, C1 and C2, of targets and patterns (AMB-REP-1).
//! - [`path_pattern`]: the value of a rule as a pattern.
//! - `as_sent`: what web clients make of a path before they send it.
//! - `octet_set`: which octets a text is made of.
//! - `eight`: eight octets of a text at once.
//! - `matcher`: one pattern against one path.
//! - `sieve`: rules that cannot match a path, at a glance.
//! - `set`: all rules of a group, compiled for the question "which one has the most octets?".

pub mod normal;
pub mod path_pattern;
pub mod target;

mod as_sent;
mod eight;
pub(crate) mod matcher;
pub(crate) mod octet_set;
pub(crate) mod set;
pub(crate) mod sieve;

pub(crate) use as_sent::as_sent;
pub(crate) use matcher::matches;
pub(crate) use path_pattern::Written;
pub use path_pattern::{InvalidPattern, PathPattern};
pub use target::{InvalidTarget, Target, Version};
