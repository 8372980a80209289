//! Computes the current rules of a site as a pure function of events and time (docs/spec/rep.md:
//! REP-70 to REP-80, AMB-REP-16 to AMB-REP-19, AMB-REP-28, AMB-REP-29). No sockets, no clock.
//!
//! - [`status`](outcome_of): what a final status means.
//! - `redirect`: the next hop, or why there is none ([`Chain`]).
//! - `freshness`: how long a response is fresh, by RFC 9111 ([`Freshness`]).
//! - `state`: the state of a site, events, and the current rules ([`State`]).
//! - `trail`: what was requested and what answered ([`Trail`]).
//! - `walk`: a retrieval whose requests somebody else sends ([`Walk`]).
//! - `settings`: the choices of a client ([`RetrievalSettings`]).

mod freshness;
mod redirect;
mod settings;
mod state;
mod status;
mod trail;
mod walk;

pub(crate) use freshness::retry_after;
pub use freshness::{Field, Freshness};
pub use redirect::{Chain, Hop};
pub use settings::{AfterGrace, RetrievalSettings, TooManyRequests};
pub(crate) use settings::{DAY, SLACK};
#[cfg(feature = "file")]
pub(crate) use state::EventKind;
pub(crate) use state::LAST_KNOWN;
pub use state::{
    Answer, CachedAnswer, CurrentRules, Event, NextFetch, Outage, Plan, ResponseTimes, RobotsTxt,
    State, Validators,
};
pub use status::{StatusClass, outcome_of};
pub use trail::{HopReport, MAX_FIELD_BYTES, MAX_HOP_BYTES, Trail};
pub use walk::{FAILURES, Response, Walk};
