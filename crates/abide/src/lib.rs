//! What a robot may do with a URL, and why.
//!
//! Site owners tell robots in robots.txt what they may do. This crate reads the file for one client
//! at a time, and gives one decision per usage of a resource, with the lines that decided.
//!
//! ```
//! use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
//!
//! let robots_txt = b"User-agent: *\nDisallow: /private/\nAllow: /private/press/\n";
//! let client = Client::new(ProductToken::new("ExampleBot")?);
//! let policy = Policy::compile(robots_txt, &client);
//!
//! // The hot path: yes or no.
//! assert!(policy.allows("https://example.com/private/press/kit.zip"));
//! assert!(!policy.allows("https://example.com/private/notes"));
//!
//! // The whole answer: the outcome, the line that decided, and the lines that lost.
//! let target = Target::new("https://example.com/private/press/kit.zip")?;
//! let decision = policy.decide(&target);
//! assert_eq!(decision.outcome(Usage::Crawl), Outcome::Permitted);
//! let crawl = decision.usage(Usage::Crawl).expect("every usage is there");
//! let decided = crawl.evidence.first().expect("a line decided");
//! assert_eq!(decided.statement, b"Allow: /private/press/");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # From a file to a decision
//!
//! ```text
//! bytes ─▶ lines ─▶ groups ─▶ compiled policy ─▶ decision ─▶ explanation
//!   text     rep, purpose       policy, pattern    decide       explain
//! ```
//!
//! The types that most callers need are here at the root. Beside them:
//!
//! - [`rep`]: what fetching a robots.txt means, and crawl delays (RFC 9309).
//! - [`app`]: what sites ask of named applications, `App-Directives`.
//! - [`tag`]: robots tags of response fields and of pages.
//! - [`acap`]: ACAP 1.0, what its records say about each usage.
//! - [`preference`]: AI preferences, what sites say about training, AI input and search.
//! - [`verdict`]: the parts of evidence: sources, roles, reasons, places.
//! - [`explain`]: evidence in words.
//! - [`write`](mod@write): what sites say, written.
//! - [`syntax`]: lines, fields and patterns, for tools. It may change in any release.
//!
//! # Features
//!
//! Both are on by default. A crawler that wants yes or no does without them.
//!
//! - `acap`: ACAP records count. Without it every usage that only they are about is unspecified.
//! - `findings`: what is wrong with a file ([`Robots::diagnostics`], [`Policy::diagnostics`]) and
//!   about a decision ([`Policy::diagnostics_of`]).
//!
//! [How a decision is made](crate::guide::decisions) explains how all sources become one answer.
//!
//! # What this crate does not do
//!
//! It fetches nothing, opens no file, and reads no clock and no environment variable. It enforces
//! nothing either: a robots.txt is a request to well-behaved clients, not a protection (REP-1).
//!
//! Identifiers such as REP-42 are requirements. `docs/spec/` in the repository defines each of
//! them, and `vectors/README.md` says how they are tested.

// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// Parts of the engine are there for findings and ACAP records alone.
#![cfg_attr(
    not(all(feature = "acap", feature = "findings")),
    allow(dead_code, unused_imports)
)]
// What users may match and build completely is said with its reason.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]
// Unit tests compare with naive versions, which may index and overflow.
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::disallowed_methods,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

pub mod acap;
pub mod app;
pub mod explain;
pub mod preference;
pub mod rep;
pub mod syntax;
pub mod tag;
pub mod verdict;
pub mod write;

mod access;
mod array_windows;
mod client;
mod decide;
mod diagnostic;
#[cfg(feature = "findings")]
mod findings;
mod growth;
mod moment;
mod named;
mod pattern;
mod policy;
mod profile;
mod purpose;
mod reading;
mod spelling;
mod structured;
mod target;
mod text;
mod visible;

/// The iterator of [`Usages`].
pub mod usages {
    pub use crate::decide::Iter;
}

pub use client::{Client, ClientError, ClientNames, IdentificationError};
pub use decide::{
    DecidingRule, Decision, DocumentState, LicenceDocument, LicenceSource, Preferences, Usages,
    VocabularyAnswer,
};
pub use diagnostic::{Code, Diagnostic, Severity};
pub use moment::{Day, Moment, MomentError};
pub use named::{Named, UnknownNameError};
pub use policy::{Policy, Robots, allows};
pub use profile::Profile;
pub use purpose::{PurposeRegistry, PurposeToken, PurposeTokenError};
pub use reading::{Reading, ReadingError};
pub use rep::token::{ProductToken, ProductTokenError};
pub use target::{History, Target, TargetError, Version};
pub use text::{LimitError, Limits, Span};
pub use verdict::condition::Condition;
pub use verdict::evidence::Evidence;
pub use verdict::outcome::Outcome;
pub use verdict::usage::Usage;
pub use verdict::usage_decision::UsageDecision;

/// What the macros of names need in other crates.
#[cfg(feature = "serde")]
#[doc(hidden)]
pub mod data {
    pub use crate::named::read;
    #[cfg(feature = "schema")]
    pub use schemars;
    pub use serde;
}

/// The guide to all sources.
#[cfg(any(doc, doctest))]
pub mod guide {
    #[doc = include_str!("../guides/decisions.md")]
    pub mod decisions {}
}

/// Runs the examples of both READMEs as tests. `guides/project.md` is a link, and a file in the
/// package.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../guides/project.md")]
struct Readme;
