//! What is stored about a site: one record for each authority, and its serialized form.
//!
//! - `origin`: whose robots.txt it is ([`Origin`]).
//! - `body`: the bytes that the site sent, with their hash ([`Body`], [`BodyHash`]).
//! - `envelope`: serializes records and protects them ([`Seal`]).

mod body;
mod envelope;
#[cfg(feature = "file")]
mod event;
mod origin;

pub(crate) use body::Cut;
pub use body::{Body, BodyHash};
pub use envelope::{RecordError, Seal};
pub use origin::Origin;
pub(crate) use origin::key;

use crate::machine::State;

#[cfg(feature = "file")]
pub(crate) use event::{BodyName, read_event, write_event};

/// Everything known about one authority's robots.txt: observations, never decisions. Readers
/// compute the current rules from it, for their own client and time.
#[derive(Clone, Debug, PartialEq, Eq)]
// Exhaustive: callers build it.
pub struct Record {
    /// The authority.
    pub origin: Origin,
    /// What was observed.
    pub state: State<Body>,
}
