//! From octets to a compiled [`Policy`]: the only place, beside [`decide`](crate::decide), that
//! knows all specifications.
//!
//! - `document`: the whole file, line by line, for tools ([`Robots`]).
//! - `inspect`: what of it counts for a client, for tools.
//! - `scan`: one pass that keeps what can matter to one client.
//! - `acap`, `acap_findings`: the ACAP stream, the files that it refers to, and what is odd about them.
//! - `compiled`: the immutable result ([`Policy`]), with its `annex`: groups and sitemaps beside the rules.
//! - `uncompiled`: the same for those who ask a few times only, with rules that are read for one target at a time.
//! - `cold`: one decision, with nothing kept ([`allows`]).

pub(crate) mod acap;
pub(crate) mod acap_findings;
mod annex;
mod cold;
mod compiled;
mod document;
mod inspect;
mod line_index;
mod scan;
mod uncompiled;

pub use cold::allows;
pub use compiled::Policy;
pub use document::{Group, Line, Robots};
pub use inspect::{Addressee, Rule};
