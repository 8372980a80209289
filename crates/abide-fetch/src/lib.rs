//! Fetches and caches robots.txt as RFC 9309 requires: what a response means, how long it is fresh,
//! which rules apply when a site is unreachable, and when to fetch again.
//!
//! - [`RobotsCache`]: the files of many sites, each fetched once. Start here. For AI preferences,
//!   [`RobotsCache::documents`] gets the documents beside them.
//! - [`store`]: keeps files beyond the process, with everything a site ever served (feature
//!   `file`), or shares them in a fleet (feature `valkey`).
//! - `guide`, on docs.rs: [running a crawler](crate::guide::crawlers), and [getting
//!   robots.txt](crate::guide::fetching).
//! - [`abide`]: the engine that decides, whose types are in the answers.
//! - `html` (feature `html`): the robots meta elements of pages.
//! - `adapters` (features `tower` and `reqwest-middleware`): a layer for `tower` and a middleware
//!   for `reqwest`.
//! - `telemetry` (features `metrics` and `tracing`): what a cache reports, under stable names.
//! - [`pace`]: when a crawler may come: each visit to a site has its turn ([`pace::Pacer`]).
//! - [`guard`]: which addresses may be connected to. [default: public addresses]
//! - [`http`]: the client, which fetches hop by hop within one deadline (feature `client`).
//! - [`machine`]: the rules of a site as a pure function of events and time, without sockets and
//!   clock, for programs that fetch themselves. On WebAssembly there are only this, [`guard`] and
//!   records.
//!
//! A crawler asks about every link, and fetches the URL that it gets back:
//!
//! ```no_run
//! use abide_fetch::RobotsCache;
//!
//! # async fn crawl() -> Result<(), Box<dyn std::error::Error>> {
//! let robots = RobotsCache::for_robot("ExampleBot/1.0 (+https://bot.example/)")?;
//! if let Some(url) = robots.allows("https://news.example/a/../private/").await {
//!     println!("fetch {url}");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A program that fetches itself asks the state machine:
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

// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// What users may match and build completely is said with its reason.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]
#![cfg_attr(
    target_family = "wasm",
    allow(dead_code, unused_imports, reason = "the cache and the stores need it")
)]
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
#[cfg(not(target_family = "wasm"))]
pub mod http;
pub mod machine;
#[cfg(not(target_family = "wasm"))]
pub mod pace;

#[cfg(not(target_family = "wasm"))]
pub mod store;
#[cfg(any(feature = "metrics", feature = "tracing"))]
pub mod telemetry;

#[cfg(not(target_family = "wasm"))]
mod future;
#[cfg(not(target_family = "wasm"))]
mod now;
mod record;
mod request_url;
#[cfg(not(target_family = "wasm"))]
mod robots;
#[cfg(any(feature = "client", feature = "valkey"))]
mod stream;

/// The engine, so that a crawler needs one dependency. For its features, depend on it too.
pub use abide;
/// What the head of a page says to robots.
#[cfg(feature = "html")]
pub use abide_html as html;
pub use record::{Body, BodyHash, BodyHashError, Origin, Record, RecordError, Resource, Seal};
pub use request_url::{RequestUrl, RequestUrlError, as_sent};
#[cfg(not(target_family = "wasm"))]
pub use robots::{
    Builder, CacheTier, Clock, Observer, RequestRules, Retriever, RobotsCache, SiteRules,
    SiteState, SystemClock, Turn, Turns, Warning,
};
#[cfg(feature = "client")]
pub use robots::{DefaultFetcher, SetupError};
#[cfg(any(feature = "client", feature = "valkey"))]
pub use stream::{Certificate, PemError};

/// The guides, whose examples are tests.
#[cfg(any(doc, doctest))]
pub mod guide {
    #[doc = include_str!("../guides/fetching.md")]
    pub mod fetching {}

    #[cfg(any(not(doctest), all(feature = "file", feature = "valkey")))]
    #[doc = include_str!("../guides/crawlers.md")]
    pub mod crawlers {}
}

/// Compiles the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
