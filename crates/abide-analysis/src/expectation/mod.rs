//! Cases: what a site expects of its robots.txt, tested in CI.
//!
//! ```
//! use abide_analysis::expectation::{Cases, run};
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
//! assert!(checks.iter().all(|check| check.passed));
//! # Ok::<(), abide_analysis::expectation::CasesError>(())
//! ```
//!
//! - [`Cases`]: what is expected, and of which robots; read strictly from TOML.
//! - [`CaseMistake`]: a mistake in a file of cases, with its line.
//! - [`run`]: checks a robots.txt against cases. [`causes`]: failures by their causes.
//! - [`make`](make()): writes cases from the current answers.

mod case;
mod cause;
mod check;
mod make;
mod mistake;
mod read;

pub use case::{Agent, Case, CaseSettings, Cases, Expectation};
pub use cause::{FailedCase, FailureCause, causes};
pub use check::{CaseAnswer, Check, Failure, run, run_while};
pub use make::make;
pub use mistake::{CaseMistake, CaseProblem, CasesError};
