//! What is in force of a site's robots.txt, as a pure function of what happened (Part 3.2 of the
//! requirements, REP-70 to REP-80, AMB-REP-16 to AMB-REP-19, AMB-REP-28, AMB-REP-29).
//!
//! - [`status`](outcome_of): what a final status means.
//! - `redirect`: the next hop, or why there is none ([`Chain`]).
//! - `freshness`: how long an answer says that it holds, by RFC 9111 ([`Freshness`]).
//! - `state`: what is known, what happened, what is in force ([`State`]).
//! - `settings`: what a client may choose ([`Settings`]).

mod freshness;
mod redirect;
mod settings;
mod state;
mod status;

pub use freshness::{Field, Freshness};
pub use redirect::{Chain, Hop};
pub use settings::{AfterGrace, Settings, TooManyRequests};
pub(crate) use settings::{DAY, SLACK};
#[cfg(feature = "file")]
pub(crate) use state::What;
pub use state::{
    Answer, Basis, CachedAnswer, Event, InForce, NextFetch, Outage, Plan, RobotsTxt, State,
    Validators,
};
pub use status::{Outcome, outcome_of};
