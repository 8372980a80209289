//! Getting robots.txt as RFC 9309 asks: what an answer means, how long it holds, what is in force when
//! there is none, and when to ask again.
//!
//! - [`machine`]: pure functions of what happened and of the instant, without a socket and without a
//!   clock. Whoever fetches tells it what came of that, and asks it what is in force.
//! - [`http`]: a client that fetches hop by hop, within a deadline, and no more of a body than is read.
//! - [`guard`]: which addresses it may connect to; none that is not public, where nothing else is said.
//! - [`RobotsCache`]: the files of many sites, one retrieval at a time for each.
//! - [`store`]: where they outlive the process, with every file that a site ever served, or are shared by a fleet.
//! - `adapters`, behind features: the same for other clients, a layer for `tower` and a middleware for `reqwest`.
//!
//! ```
//! use abide::{Client, Moment, ProductToken, rep::Cause};
//! use abide_fetch::machine::{Event, Field, InForce, Settings, State};
//!
//! let settings = Settings::default();
//! let hour = |hours: i64| Moment::from_unix_seconds(hours * 3_600);
//!
//! // A file with an hour to live, then a server that fails.
//! let fields = [Field::new("Cache-Control", b"max-age=3600")];
//! let state = State::<Vec<u8>>::default()
//!     .after(Event::file("User-agent: *\nDisallow: /x\n", &fields, hour(0)), &settings)
//!     .after(Event::failure(Cause::Status(503), hour(2)), &settings);
//!
//! // The file is past its time and the site unreachable: nothing may be accessed (RFC 9309, 2.3.1.4).
//! let plan = state.plan(hour(2), &settings);
//! assert_eq!(plan.in_force, InForce::DisallowAll(Cause::Status(503)));
//! # Ok::<(), abide::ProductTokenError>(())
//! ```
//!
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

pub mod store;

mod line;
mod record;
mod request_url;
mod robots;

pub use record::{Body, BodyHash, Origin, Record, RecordError, Seal};
pub use request_url::{RequestUrl, RequestUrlError};
pub use robots::{
    Builder, Clock, InEffect, Observer, Retriever, RobotsCache, Setup, SetupError, SystemClock,
    Warning,
};

/// The guide's examples run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/fetching.md")]
struct Guide;

/// The README's example is compiled as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Those of the operators' guide too.
#[cfg(all(doctest, feature = "file", feature = "valkey"))]
#[doc = include_str!("../../../docs/crawlers.md")]
struct OperatorsGuide;
