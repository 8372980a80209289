//! Path patterns: how URLs and patterns are made comparable, and how a pattern is matched with a
//! path (RFC 9309 §2.2.2 and §2.2.3). `DESIGN.md` in this folder explains the data structures and
//! what each optimisation gains.
//!
//! - [`normal`]: the two canonical forms, C1 and C2, of paths and patterns (AMB-REP-1).
//! - [`path_pattern`]: the value of a rule as a pattern.
//! - `as_sent`: the path that web clients send for a given path.
//! - `byte_set`: which bytes a text contains, as a bit set.
//! - `eight`: comparisons of eight bytes at once.
//! - `matcher`: one pattern against one path.
//! - `sieve`: a quick test that rules out most rules for a path.
//! - `set`: all rules of a group, compiled to find the longest match.

pub mod normal;
pub(crate) mod path_pattern;

mod as_sent;
pub(crate) mod byte_set;
mod eight;
pub(crate) mod matcher;
pub(crate) mod set;
pub(crate) mod sieve;

pub(crate) use as_sent::{as_sent, without_trailing_spaces};
pub(crate) use matcher::matches;
pub(crate) use path_pattern::RuleValue;
pub use path_pattern::{PathPattern, PatternError};
