//! Fetches a robots.txt, a document beside one, or a page over HTTP, hop by hop. Every hop goes to
//! an address that the guard allows, one deadline covers all hops, and a body is only read up to
//! the limit.
//!
//! Any unexpected failure is an unreachable file, never a missing one. Only the failures that RFC
//! 9309 names are a missing file: a status from 400 to 499, and too many redirects.
//!
//! The client is in the feature `client`. Without it there is what a client of your own needs
//! ([`Retriever`](crate::Retriever)).

#[cfg(feature = "client")]
mod client;
mod retrieval;

pub use crate::future::BoxFuture;
pub use crate::machine::HopReport;
pub use crate::now::now;
#[cfg(feature = "client")]
pub use client::*;
pub use retrieval::{RedirectCheck, Retrieval};
