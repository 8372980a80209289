//! abide timed beside other parsers of robots.txt, on the same bytes and the same URLs.
//!
//! ```text
//! corpus, generated ─▶ cases (bytes + URLs) ─▶ agreement ─▶ contests in rounds ─▶ medians, ratios
//! ```
//!
//! - [`corpus`]: real files, or generated ones where there are none; [`generated`]: large files by
//!   recipe.
//! - [`urls`]: URL lists made from a file's own patterns and from words; [`random`]: the numbers
//!   behind.
//! - [`peer`]: who is compared. [`contest`]: how. [`clock`]: what is counted.
//! - [`workload`]: W1 to W10, shared by the report and the criterion benches.
//! - [`agreement`]: who answers what, and which rule of RFC 9309 decides where answers differ.
//! - [`growth`]: the time of a decision against the number of rules.
//! - [`allocator`]: heap in use, for the workloads that ask for it.
//!
//! `docs/speed.md` tells how to run it, and holds the tables.

pub mod agreement;
pub mod allocator;
pub mod clock;
pub mod contest;
pub mod corpus;
pub mod generated;
pub mod growth;
pub mod peer;
pub mod random;
pub mod urls;
pub mod workload;
