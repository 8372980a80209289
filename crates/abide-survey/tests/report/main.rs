//! The report: what it counts, what it refuses, and the page in a real browser.

#![cfg(feature = "report")]
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

mod bad_input;
mod browser;
mod counting;
mod numbers;
mod page;
mod survey;
