//! Paces visits: when a crawler may come, beside whether it may (REP-63).
//!
//! - [`Pacer`]: gives each visit to a site its turn. Start here.
//! - [`Schedule`]: who comes when, as a pure function of events and time, without clock and tasks,
//!   for programs that have their own.
//! - [`PaceSettings`]: the choices of an operator.
//! - [`Fleet`]: one pace for many processes.
//!
//! A delay counts from the **end** of the last answer, and a site has one visit at a time. Visits
//! are requests of any kind: pages, robots.txt, the documents beside it, each hop of a redirect,
//! and each retry. The delay before a visit is the longest of these:
//!
//! - the `Crawl-delay` that the site asks of the client;
//! - how long its answers take, so that a slow site has as much rest as work;
//! - after failures and after status 429, twice the last delay, and half of it after each answer;
//! - what `Retry-After` of status 429 or 503 asks for, at most a day;
//! - [`PaceSettings::min_delay`].
//!
//! `Request-rate` and `Visit-time` are reported ([`PaceReport::NotPaced`]), and change no delay.

mod fleet;
mod pacer;
mod report;
mod schedule;
mod settings;
mod site;

pub use fleet::{Fleet, FleetMember, NoMember, SlotAnswer, SlotHolder, Slots, SlotsError};
pub(crate) use pacer::OwnVisit;
pub use pacer::{Pacer, Visit};
pub use report::PaceReport;
pub(crate) use report::unpaced_fields;
pub use schedule::{NextVisit, QueueEnd, Schedule, ScheduledVisit, Ticket, TurnError};
#[cfg(feature = "valkey")]
pub(crate) use settings::ceil_ms;
pub use settings::{AboveMax, PaceKey, PaceSettings};
pub use site::{LongDelay, Rest, VisitResult};
