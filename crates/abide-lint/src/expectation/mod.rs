//! What a site expects of its robots.txt, kept beside it and tested in CI.
//!
//! ```
//! use abide_lint::expectation::{Cases, run};
//! let cases = Cases::read(
//!     r#"
//!     [[case]]
//!     name = "press kit stays open"
//!     agent = "ExampleBot"
//!     url = "/private/press/kit.zip"
//!     crawl = "permitted"
//!     "#,
//! )?;
//! let checks = run(&cases, b"User-agent: *\nDisallow: /private/\nAllow: /private/press/\n");
//! assert!(checks.iter().all(|check| check.passed()));
//! # Ok::<(), abide_lint::expectation::CasesError>(())
//! ```
//!
//! - [`case`]: what is expected, and of whom.
//! - [`mistake`]: what is wrong with a file of cases, line by line.
//! - `read`: TOML to cases, strictly.
//! - [`check`]: cases against the bytes of a robots.txt.
//! - [`make`](make()): cases from today's answers.
//! - [`json`]: what came of it as JSON, as `schema/test.json` describes it.

pub mod case;
pub mod check;
pub mod json;
mod make;
pub mod mistake;
mod read;
mod sample;

pub use case::{Agent, Case, Cases, Expectation};
pub use check::{Check, Failure, run};
pub use make::make;
pub use mistake::{CasesError, Mistake, Problem};
