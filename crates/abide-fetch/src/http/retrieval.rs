//! What fetching a file comes to, by abide's client or by another one.

use crate::future::BoxFuture;
use crate::machine::{Event, HopReport};
use crate::request_url::RequestUrl;
use abide::Moment;
use abide::rep::Cause;
use std::time::Duration;

/// The result of fetching a robots.txt or a document, with its hops.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Retrieval {
    /// Every request that was sent, or that the guard or a robots.txt refused.
    pub hops: Vec<HopReport>,
    /// The field lines of the final response, if there was one.
    pub fields: Vec<(String, Vec<u8>)>,
    /// The event, for a [`State`](crate::machine::State).
    pub event: Event<Vec<u8>>,
    /// Whether the body was longer than the limit.
    pub is_cut: bool,
    /// Whether only the end of the connection ended the body. Without TLS, it may then be
    /// incomplete.
    pub is_unframed: bool,
    /// The media type of the final response, as sent (REP-69).
    pub media_type: Option<String>,
    /// Whether a redirect led from https to http.
    pub is_downgraded: bool,
    /// Whether it failed for a reason of this machine, which says nothing about the site and must
    /// not be kept: no file descriptor, memory or port was left, the guard does not allow the port
    /// of the URL, or the proxy does not answer or refuses the request.
    pub is_local: bool,
    /// How long everything took, without waiting for permits.
    pub took: Duration,
}

impl Retrieval {
    /// A retrieval with nothing but its event, for your own retrievers.
    #[must_use]
    pub const fn new(event: Event<Vec<u8>>) -> Self {
        Self {
            hops: Vec::new(),
            fields: Vec::new(),
            event,
            is_cut: false,
            is_unframed: false,
            media_type: None,
            is_downgraded: false,
            is_local: false,
            took: Duration::ZERO,
        }
    }

    /// What there is of a retrieval for which the pacer has no turn: a failure of this machine.
    pub(crate) fn without_turn(at: Moment) -> Self {
        Self {
            is_local: true,
            ..Self::new(Event::failure(Cause::Network, at))
        }
    }

    /// Whether it failed because this machine has no file descriptor, memory, port or proxy left. A
    /// port that the guard does not allow is none of these.
    #[must_use]
    pub fn is_shortage(&self) -> bool {
        let cause = self.hops.last().and_then(|hop| hop.cause);
        self.is_local && cause != Some(Cause::Refused)
    }
}

/// Says whether a redirect may be followed. A [`RobotsCache`](crate::RobotsCache) does: it asks the
/// robots.txt of the site that the redirect leads to.
pub trait RedirectCheck: Send + Sync {
    /// Whether the URL that a redirect leads to may be requested.
    fn may_follow<'a>(&'a self, to: &'a RequestUrl) -> BoxFuture<'a, bool>;
}
