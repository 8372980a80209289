//! What a robot may do with a URL, and why.
//!
//! Site owners speak to robots in robots.txt. This crate reads it, for one client at a time, and
//! gives one decision per usage of a resource, with the lines that made it.
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
//! // The whole answer: what was decided, by which line, and what lost.
//! let target = Target::new("https://example.com/private/press/kit.zip")?;
//! let decision = policy.decide(&target);
//! assert_eq!(decision.outcome(Usage::Crawl), Outcome::Permitted);
//! let crawl = decision.usage(Usage::Crawl).expect("every usage is there");
//! assert_eq!(&*crawl.evidence[0].statement, b"Allow: /private/press/");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The way through
//!
//! ```text
//! octets ─▶ lines ─▶ groups ─▶ compiled policy ─▶ decision ─▶ explanation
//!   text     rep, purpose       policy, pattern    decide       explain
//! ```
//!
//! - [`text`]: octets to lines.
//! - [`pattern`]: URLs and path patterns.
//! - [`rep`]: RFC 9309, the Robots Exclusion Protocol.
//! - [`purpose`]: `User-Agent-Purpose` groups.
//! - [`app`]: what sites ask of named applications, `App-Directives`.
//! - [`tag`]: robots tags, of response fields and of pages.
//! - [`acap`]: ACAP 1.0, what its records say about each usage.
//! - [`verdict`]: usages, outcomes, evidence.
//! - [`policy`]: [`Robots`], the whole file; [`Policy`], what of it concerns one client.
//! - [`decide`]: what all sources say together, a [`Decision`].
//! - [`explain`]: evidence in words.
//! - [`diagnostic`]: what is wrong with a file.
//!
//! # What this crate does not do
//!
//! It fetches nothing, opens no file, reads no clock and no environment variable. It enforces
//! nothing either: a robots.txt is a request to well-behaved clients and no protection (REP-1).
//!
//! Identifiers such as REP-42 name the project's requirements; `vectors/README.md` in the
//! repository tells where they come from and how they are tested.

#![deny(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

pub mod text;

pub mod pattern;

pub mod rep;

pub mod purpose;

pub mod acap;

pub mod tag;

pub mod app;

pub mod verdict;

pub mod policy;

pub mod decide;

pub mod explain;

pub mod diagnostic;

mod client;
mod moment;
mod profile;
mod structured;

pub use app::{Application, Registry};
pub use client::{Client, IdentificationFinding};
pub use decide::{Decision, EachUsage, UsageDecision, Usages};
pub use diagnostic::{Code, Diagnostic, Severity};
pub use moment::{Day, InvalidMoment, Moment};
pub use pattern::{InvalidTarget, Target, Version};
pub use policy::{Policy, Robots, allows};
pub use profile::Profile;
pub use purpose::{InvalidPurposeToken, PurposeRegistry, PurposeToken};
pub use rep::{InvalidProductToken, ProductToken};
pub use verdict::{Condition, Evidence, Outcome, Usage};

/// The examples of the pages that a reader meets first run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../../../README.md")]
struct Readme;
