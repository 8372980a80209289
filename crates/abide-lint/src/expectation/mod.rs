//! Cases: what a site expects of its robots.txt, tested in CI.
//!
//! ```
//! use abide_lint::expectation::{Cases, run};
//! let cases = Cases::read(
//!     r#"
//!     [[case]]
//!     name = "press kit stays open"
//!     agent = "ExampleBot"
//!     url = "/private/press/kit.zip"
//!     crawl = "allowed"
//!     "#,
//! )?;
//! let checks = run(&cases, b"User-agent: *\nDisallow: /private/\nAllow: /private/press/\n")?;
//! assert!(checks.iter().all(|check| check.passed()));
//! # Ok::<(), abide_lint::expectation::CasesError>(())
//! ```
//!
//! - [`case`]: what is expected, and of which robots.
//! - [`mistake`]: mistakes in a file of cases, line by line.
//! - `read`: reads cases from TOML, strictly.
//! - [`check`]: checks a robots.txt against cases.
//! - [`cause`]: failures by their causes.
//! - [`make`](make()): writes cases from the current answers.

pub mod case;
pub mod cause;
pub mod check;
mod make;
pub mod mistake;
mod read;

pub use case::{Agent, Case, Cases, Expectation};
pub use cause::{Cause, FailedCase, causes};
pub use check::{Answer, Check, Failure, run};
pub use make::make;
pub use mistake::{CasesError, Mistake, Problem};
