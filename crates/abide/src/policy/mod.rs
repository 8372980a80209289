//! Compiles a robots.txt to a [`Policy`]. Only this module and [`decide`](crate::decide) know all
//! specifications.
//!
//! - `document`: the whole file, line by line, for tools ([`Robots`]).
//! - `inspect`, `acap_inspect`: which lines count for a client, for tools.
//! - `scan`: one pass that keeps what can matter to one client. `starters`: which lines of a whole
//!   file that pass has to read.
//! - `preference`: the lines that carry AI preferences, compiled. `preference_lines`: these lines,
//!   for tools.
//! - `reading`: fields as the chosen readings of a client take them.
//! - `compiled`: the immutable result ([`Policy`]).
//! - `annex`: the groups and sitemaps that a policy keeps beside its rules.
//! - `site`: the site that a policy is bound to.
//! - `cold`: one decision without a compiled policy ([`allows`]).

#[cfg(feature = "acap")]
mod acap_inspect;
mod annex;
mod cold;
mod compiled;
mod document;
mod inspect;
mod line_index;
pub(crate) mod preference;
mod preference_lines;
pub(crate) mod reading;
mod scan;
mod site;
mod starters;

#[cfg(feature = "acap")]
pub use acap_inspect::AcapStatement;
pub use cold::allows;
pub use compiled::Policy;
pub use document::{Group, Line, Robots};
pub use inspect::{Addressee, Inspect, Rule};
pub use preference_lines::{
    LineStatement, PreferenceStatement, StatedValues, preference_vocabulary, statement_words,
};
