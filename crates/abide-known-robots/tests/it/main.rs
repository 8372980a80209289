//! The table of known robots: what it says, how it is read, and whom a line names.

#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

mod control_tokens;
mod robots_toml;
mod senders;
