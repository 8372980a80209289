//! Fetches and caches robots.txt as RFC 9309 requires: what a response means, how long it is fresh,
//! which rules apply when a site is unreachable, and when to fetch again.
//!
//! - [`RobotsCache`]: the files of many sites, each fetched once. Start here. For AI preferences,
//!   [`RobotsCache::documents`] gets the documents beside them.
//! - [`store`]: keeps files beyond the process, with everything a site ever served, or shares them
//!   in a fleet.
//! - `adapters`, behind features: a layer for `tower` and a middleware for `reqwest`.
//! - [`pace`]: when a crawler may come: each visit to a site has its turn ([`pace::Pacer`]).
//! - [`guard`]: which addresses may be connected to. [default: public addresses]
//! - [`http`]: the client, which fetches hop by hop within one deadline.
//! - [`machine`]: the rules of a site as a pure function of events and time, without sockets and
//!   clock, for programs that fetch themselves.
//!
//! ```
//! use abide::{Client, Moment, ProductToken, rep::Cause};
//! use abide_fetch::machine::{Event, Field, CurrentRules, RetrievalSettings, State};
//!
//! let settings = RetrievalSettings::default();
//! let hour = |hours: i64| Moment::from_unix_seconds(hours * 3_600);
//!
//! // A file with an hour to live, then a server that fails.
//! let fields = [Field::new("Cache-Control", b"max-age=3600")];
//! let state = State::<Vec<u8>>::default()
//!     .after(Event::file("User-agent: *\nDisallow: /x\n", &fields, hour(0)), &settings)
//!     .after(Event::failure(Cause::Status(503), hour(2)), &settings);
//!
//! // The file expired and the site is unreachable: nothing is allowed (RFC 9309, 2.3.1.4).
//! let plan = state.plan(hour(2), &settings);
//! assert_eq!(plan.current, CurrentRules::DisallowAll(Cause::Status(503)));
//! # Ok::<(), abide::ProductTokenError>(())
//! ```
//!

// What users may match and build completely is said with its reason.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]
#![deny(
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

#[cfg(any(feature = "reqwest-middleware", feature = "tower"))]
pub mod adapters;
pub mod guard;
pub mod http;
pub mod machine;
pub mod pace;

pub mod store;

mod now;
mod record;
mod request_url;
mod robots;
mod stream;

pub use record::{Body, BodyHash, Origin, Record, RecordError, Resource, Seal};
pub use request_url::{RequestUrl, RequestUrlError, as_sent};
pub use robots::{
    Builder, CacheTier, Clock, DefaultFetcher, Observer, RequestRules, Retriever, RobotsCache,
    SetupError, SiteRules, SystemClock, Turn, Turns, Warning,
};
pub use stream::Certificate;

/// Runs the examples of the guide as tests. Files in `guides` are links, and files in the
/// package.
#[cfg(doctest)]
#[doc = include_str!("../guides/fetching.md")]
struct Guide;

/// Compiles the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Runs the examples of the operators' guide as tests.
#[cfg(all(doctest, feature = "file", feature = "valkey"))]
#[doc = include_str!("../guides/crawlers.md")]
struct OperatorsGuide;
