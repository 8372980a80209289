//! What patterns match, as sets of paths: whether two overlap, whether one is within another, and
//! whether rules close a pattern completely.
//!
//! Patterns are regular languages. A [`PathSearch`] goes through all paths in form C1, byte by
//! byte, with all patterns at once, so that it finds a shortest path or proves that there is none;
//! it counts its work, and ends at a bound. [`may_overlap`] and [`Language`] look at two patterns
//! only: they are quick, and not sure of every answer. Whether two files are the same is the
//! question of [`crate::meaning`], which asks [`crate::compare`].
//!
//! `glob` has patterns as automata, `alphabet` the bytes that form C1 has, `patterns` numbers
//! patterns, `search` is the search, and `rank` says which of the rules that match decides. `dual`
//! has patterns as both RFC 9309 and ACAP read them.

pub(crate) mod alphabet;
pub(crate) mod dual;
mod form;
pub(crate) mod glob;
pub(crate) mod patterns;
pub(crate) mod rank;
pub(crate) mod search;
mod witness;

pub use form::Language;
pub use rank::strength;
pub(crate) use witness::beginnings_agree;
pub use witness::{PathSearch, Wanted, Witness, may_overlap};
