//! What is known of the pace of one site: numbers, in few bytes.

use super::schedule::NONE;
use super::settings::{AboveMax, Limits, bounded_ms};
use std::time::Duration;

/// The least delay after a failure, in milliseconds.
const MIN_BACKOFF: u32 = 1_000;

/// How a visit went, for [`Schedule::end`](super::Schedule::end). The default says nothing: the
/// visit ended, and its site keeps its pace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct VisitResult {
    /// Whether there was an answer that is no failure; `None` if nobody knows.
    pub is_answered: Option<bool>,
    /// How long the answer took, if there was one.
    pub took: Option<Duration>,
    /// How long the site asks not to come back; more than a day counts as a day.
    pub retry_after: Option<Duration>,
}

/// A delay above [`PaceSettings::max_delay`](super::PaceSettings::max_delay) that a site asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LongDelay {
    /// The delay that the site asks for.
    pub asked: Duration,
    /// The delay that applies; `None` if the site is not visited.
    pub applied: Option<Duration>,
}

/// How a site rests after a visit, for [`Slots::end`](super::Slots::end). The default is no
/// rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Rest {
    /// How long nobody visits it.
    pub wait: Duration,
    /// The delay after failures that the next one goes on from; zero for none.
    pub backoff: Duration,
}

impl Rest {
    /// With a wait of at least `delay`.
    pub(super) fn at_least(self, delay: Duration) -> Self {
        Self {
            wait: self.wait.max(delay),
            ..self
        }
    }

    /// What is left of it after `time`.
    pub(super) const fn after(self, time: Duration) -> Self {
        Self {
            wait: self.wait.saturating_sub(time),
            ..self
        }
    }
}

/// The pace of a site. Times are milliseconds of the schedule. In this order it has no gaps.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Site {
    pub(super) key: u64,
    /// When the last answer ended; before the first visit, when the site was first heard of.
    ended: u64,
    /// Until when the site asks not to come back.
    not_before: u64,
    /// The time of its entry in the queue of sites, if it has one.
    pub(super) queued: u64,
    /// The delay that applies because the site asks for one.
    asked: u32,
    /// Who asked for it: a hash of the origin and the client; 0 for nobody.
    asked_by: u32,
    /// A running average of how long answers take.
    load: u32,
    /// The delay after failures.
    backoff: u32,
    /// Its first and last waiting visit, and how many there are.
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) waiting: u32,
    pub(super) is_queued: bool,
    /// Whether it is being visited.
    pub(super) is_open: bool,
    was_visited: bool,
    /// Whether several ask for a delay under this key.
    is_shared: bool,
    /// Whether it asks for a longer delay than the longest one, and is not visited for that.
    is_above: bool,
    pub(super) is_skipped: bool,
}

impl Site {
    pub(super) fn new(key: u64, time: u64) -> Self {
        Self {
            key,
            ended: time,
            not_before: 0,
            queued: 0,
            asked: 0,
            asked_by: 0,
            load: 0,
            backoff: 0,
            first: NONE,
            last: NONE,
            waiting: 0,
            is_queued: false,
            is_open: false,
            was_visited: false,
            is_shared: false,
            is_above: false,
            is_skipped: false,
        }
    }

    pub(super) fn delay(&self, limits: &Limits) -> u32 {
        let own = self.load.max(self.backoff).min(limits.max);
        self.asked.max(own).max(limits.min)
    }

    /// When the next visit may begin.
    pub(super) fn due(&self, limits: &Limits) -> u64 {
        let paced = if self.was_visited {
            self.ended.saturating_add(self.delay(limits).into())
        } else {
            0
        };
        paced.max(self.not_before)
    }

    /// Whether nothing that is known of it can matter any more.
    pub(super) fn can_go(&self, time: u64, limits: &Limits) -> bool {
        // A site that was heard of may be visited at any moment, so its delay is kept for as long.
        let until = self.ended.saturating_add(self.delay(limits).into());
        !self.is_open && self.first == NONE && until.max(self.not_before) <= time
    }

    /// Sets the delay that `by` asks for.
    ///
    /// If several ask under one key, the longest delay counts. A shorter one counts again when
    /// nobody waits and the longest has passed: until then a visit of whoever asked for it may be
    /// waiting.
    pub(super) fn set_delay(
        &mut self,
        by: u32,
        delay: Duration,
        time: u64,
        limits: &Limits,
    ) -> Option<LongDelay> {
        let asked = bounded_ms(delay);
        let is_above = asked > limits.max;
        let applied = match limits.above_max {
            AboveMax::Obey => asked,
            AboveMax::Cap | AboveMax::Skip => asked.min(limits.max),
        };
        let is_skipped = is_above && limits.above_max == AboveMax::Skip;
        let is_known = self.asked_by != 0 && (self.asked != 0 || self.is_skipped);
        if self.can_go(time, limits) {
            self.is_shared = false;
        } else if is_known && self.asked_by != by {
            self.is_shared = true;
        }
        // Whoever shares the pace does not report again what the other has asked for.
        let is_known_as_above =
            self.is_above && (self.asked == applied || (self.is_shared && self.asked > applied));
        if !self.is_shared || (applied, is_skipped) >= (self.asked, self.is_skipped) {
            (self.asked, self.asked_by, self.is_skipped) = (applied, by, is_skipped);
            self.is_above = is_above;
        }
        if !self.was_visited {
            self.ended = self.ended.max(time);
        }
        (is_above && !is_known_as_above).then(|| LongDelay {
            asked: delay,
            applied: (!is_skipped).then_some(Duration::from_millis(applied.into())),
        })
    }

    /// The delay that applies because the site asks for one.
    pub(super) fn asked(&self) -> Duration {
        Duration::from_millis(self.asked.into())
    }

    /// How it rests from `time` on.
    pub(super) fn rest(&self, time: u64, limits: &Limits) -> Rest {
        Rest {
            wait: Duration::from_millis(self.due(limits).saturating_sub(time)),
            backoff: Duration::from_millis(self.backoff.into()),
        }
    }

    /// Goes on from the delay after failures that another member left.
    pub(super) fn learn_backoff(&mut self, backoff: Duration, limits: &Limits) {
        self.backoff = bounded_ms(backoff).min(limits.max);
    }

    /// Sets the longest delay, until somebody says which one the site asks for.
    pub(super) fn begin_slowly(&mut self, limits: &Limits) {
        self.asked = limits.max;
    }

    /// Learns how the visit that ended at `time` went.
    pub(super) fn end(&mut self, result: &VisitResult, time: u64, limits: &Limits) {
        (self.ended, self.was_visited, self.is_open) = (time, true, false);
        if let Some(took) = result.took {
            // At once as slow as the last answer, and half as far away from a faster one.
            let took = bounded_ms(took);
            let half = self.load.midpoint(took);
            self.load = took.max(half);
        }
        match result.is_answered {
            Some(false) => {
                let last = self.delay(limits).max(MIN_BACKOFF / 2);
                self.backoff = last.saturating_mul(2).min(limits.max);
            }
            Some(true) if self.backoff <= MIN_BACKOFF => self.backoff = 0,
            Some(true) => self.backoff /= 2,
            None => {}
        }
        if let Some(wait) = result.retry_after {
            let until = time.saturating_add(bounded_ms(wait).into());
            self.not_before = self.not_before.max(until);
        }
    }
}
