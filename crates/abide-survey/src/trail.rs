//! Captures whose rules are in another record: redirects, and revisit records.

use crate::capture::{self, Capture, Meaning};
use crate::input::{FoundCapture, Original};
use abide::rep::Cause;
use abide_fetch::machine::{Chain, Hop, RetrievalSettings};

/// The largest number of records on the way to a body: five redirects, a revisit record, and the
/// end.
pub const MAX_STEPS: usize = 7;

/// A capture on the way to its rules.
#[derive(Clone, Debug)]
pub struct RedirectTrail {
    /// The capture itself, without the body.
    own: Capture,
    is_revisit: bool,
    chain: Option<Chain>,
    state: TrailState,
    /// The number of records that were reached.
    steps: usize,
}

#[derive(Clone, Debug)]
enum TrailState {
    /// A record with this is looked for.
    Wants(Original),
    /// The redirect ends here, by a mistake of the site.
    Fails(Cause),
    /// Nothing in the input has it.
    Lost,
    /// The record with the rules was reached.
    Done,
}

/// How a way ends, if no further record can be found.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum TrailEnd {
    /// The rules were reached.
    Reached,
    /// The redirect leads nowhere, by a mistake of the site. This is the capture for its row.
    Failed(Capture),
    /// The target is not in the input. This is the capture for its row.
    NotFollowed(Capture),
    /// A revisit record whose original is not in the input.
    NoBody(Capture),
}

impl RedirectTrail {
    /// The way of a capture; `None` if it has its rules itself.
    #[must_use]
    pub fn of(found: &FoundCapture) -> Option<Self> {
        let is_redirect = matches!(found.capture.meaning(), Meaning::Redirect(_));
        let original = found.original.clone().filter(|_| !is_redirect);
        if !is_redirect && original.is_none() {
            return None;
        }
        let mut own = found.capture.clone();
        own.body.bytes.clear();
        Some(Self::new(own, original))
    }

    /// The way of a redirect, or of a revisit record with this original.
    pub(crate) fn new(own: Capture, original: Option<Original>) -> Self {
        let url = own.url.as_deref().unwrap_or_default();
        let mut trail = Self {
            chain: Chain::new(url).ok(),
            state: TrailState::Lost,
            is_revisit: original.is_some(),
            own,
            steps: 0,
        };
        trail.state = match original {
            Some(original) => TrailState::Wants(original),
            None => trail.next(&trail.own.locations.clone()),
        };
        trail
    }

    /// What the next record is found by, if one is looked for.
    #[must_use]
    pub const fn wants(&self) -> Option<&Original> {
        match &self.state {
            TrailState::Wants(what) => Some(what),
            _ => None,
        }
    }

    /// Gives up: the input has no such record.
    pub fn lose(&mut self) {
        self.state = TrailState::Lost;
    }

    /// The number of records that were reached.
    #[must_use]
    pub const fn steps(&self) -> usize {
        self.steps
    }

    /// The next step of a redirect.
    fn next(&mut self, locations: &[Vec<u8>]) -> TrailState {
        let locations: Vec<&[u8]> = locations.iter().map(Vec::as_slice).collect();
        let hop = self
            .chain
            .as_mut()
            .map(|chain| chain.follow(&locations, &RetrievalSettings::default()));
        match hop {
            Some(Hop::Follow(url)) => TrailState::Wants(Original::Url(url.as_str().to_owned())),
            Some(Hop::End(cause)) => TrailState::Fails(cause),
            None => TrailState::Lost,
        }
    }

    /// Goes on at a record, if it is the wanted one. Returns the capture for the row once the rules
    /// are reached.
    pub fn reach(&mut self, found: &FoundCapture) -> Option<Capture> {
        let capture = &found.capture;
        let is_wanted = match self.wants()? {
            Original::Digest(digest) => found.digest.as_ref() == Some(digest),
            Original::Url(url) => {
                let url = capture::requested(url);
                url.is_some() && url == capture.url.as_deref().and_then(capture::requested)
            }
        };
        if !is_wanted {
            return None;
        }
        self.steps += 1;
        self.state = match &found.original {
            Some(original) => TrailState::Wants(original.clone()),
            // Also one that leads nowhere, by a mistake of the site.
            None if capture.status.is_some_and(Chain::redirects) => self.next(&capture.locations),
            None => TrailState::Done,
        };
        matches!(self.state, TrailState::Done).then(|| self.ended(capture))
    }

    /// The capture, with the rules of the one where its way ends.
    fn ended(&self, end: &Capture) -> Capture {
        let mut own = self.own.clone();
        own.redirect = self.last_url().filter(|_| !self.is_revisit);
        own.first_status = own.status;
        own.status = match own.status {
            Some(status) if self.is_revisit && status != 304 => Some(status),
            _ => end.status,
        };
        own.failure = end.failure;
        own.body = end.body.clone();
        own.locations.clear();
        own
    }

    /// How it ends, if no further record can be found.
    #[must_use]
    pub fn end(&self) -> TrailEnd {
        let mut own = self.own.clone();
        own.redirect = self.last_url();
        match self.state {
            TrailState::Done => TrailEnd::Reached,
            TrailState::Fails(cause) => {
                own.failure = Some(cause);
                TrailEnd::Failed(own)
            }
            _ if self.is_revisit => TrailEnd::NoBody(own),
            _ => TrailEnd::NotFollowed(own),
        }
    }

    fn last_url(&self) -> Option<String> {
        let urls = self.chain.as_ref()?.urls();
        urls.last().map(|url| url.as_str().to_owned())
    }
}
