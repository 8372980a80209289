//! Who comes when: a pure function of events and time. It has no clock and no tasks.

use super::settings::{Limits, PaceSettings, ceil_ms};
use super::site::{LongDelay, Rest, Site, VisitResult};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::time::Duration;
use thiserror::Error;

/// No place in a list.
pub(super) const NONE: u32 = u32::MAX;
/// How many places are looked at for a site that can be forgotten, when there is no other place: a
/// full schedule costs microseconds, not a look at every site.
const MAX_LOOKS: usize = 1_024;
/// By how much time goes on at once.
const MAX_STEP: Duration = Duration::from_secs(48 * 3_600);

/// The visits that wait for their turn, with a `T` for each, and the pace of every site.
///
/// A site is a number, such as a hash of its host. `now` is the time since any beginning, by a
/// clock that should be monotonic. If it is set back, time goes on from where it was; if it is set
/// forward, each site may be visited once too early, and then keeps its delay again.
///
/// ```
/// use abide_fetch::pace::{NextVisit, PaceSettings, QueueEnd, Schedule, VisitResult};
/// use std::time::Duration;
///
/// let second = Duration::from_secs;
/// let mut schedule = Schedule::new(&PaceSettings::default());
/// schedule.set_delay(7, 1, second(5), second(0))?;
/// for page in ["/a", "/b"] {
///     schedule.join(7, page, QueueEnd::Back, second(0))?;
/// }
/// let NextVisit::Begin("/a", visit) = schedule.next(second(0)) else { panic!("not due") };
/// // One visit at a time.
/// assert_eq!(schedule.next(second(9)), NextVisit::Nobody);
/// schedule.end(visit, &VisitResult::default(), second(9));
/// // Five seconds after the end of the last answer.
/// assert_eq!(schedule.next(second(10)), NextVisit::At(second(14)));
/// assert!(matches!(schedule.next(second(14)), NextVisit::Begin("/b", _)));
/// # Ok::<(), abide_fetch::pace::TurnError>(())
/// ```
#[derive(Debug)]
pub struct Schedule<T> {
    settings: PaceSettings,
    limits: Limits,
    sites: Vec<Site>,
    places: HashMap<u64, u32>,
    /// The sites that somebody waits for, by when they are due. An entry counts if the site knows
    /// it; the others are left over.
    due: BinaryHeap<Reverse<(u64, u32)>>,
    waiters: Waiters<T>,
    /// Where to look next for a site that can be forgotten.
    hand: usize,
    /// Whether anybody ever said which delay a site asks for, and whether that of some site may
    /// have been forgotten.
    is_told: bool,
    has_forgotten: bool,
    /// What the clock showed last, and how much time has passed.
    shown: Duration,
    passed: Duration,
}

/// Where a visit joins the visits that wait for its site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a queue has two ends")]
pub enum QueueEnd {
    /// Behind them.
    Back,
    /// Before them: a robots.txt, without which none of them may go on. It is also visited if the
    /// site asks for a longer delay than the operator accepts.
    Front,
}

/// What happens next.
#[derive(Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum NextVisit<T> {
    /// This visit begins. Give it back to [`Schedule::end`], or nobody visits the site again.
    Begin(T, ScheduledVisit),
    /// This one does not take place: its site now asks for a longer delay than the operator
    /// accepts.
    Refuse(T, TurnError),
    /// Nothing before this time of the clock.
    At(Duration),
    /// Nobody waits, except for the end of other visits.
    Nobody,
}

/// A visit that has begun.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "nobody else visits the site before its end"]
pub struct ScheduledVisit(u32);

/// The place of a visit that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    place: u32,
    serial: u32,
}

/// Why a visit does not get a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TurnError {
    /// The site asks for a longer delay than the operator accepts.
    #[error(
        "the site asks for a Crawl-delay above {} s, and is skipped (`AboveMax::Skip`)",
        .max.as_secs_f64()
    )]
    TooSlow {
        /// The longest delay.
        max: Duration,
    },
    /// Every site that is known still has its delay.
    #[error(
        "{max} sites have their delays: raise `PaceSettings::max_sites`, or visit fewer at once"
    )]
    ManySites {
        /// How many there may be.
        max: usize,
    },
    /// Too many visits wait.
    #[error("{max} visits wait: raise `PaceSettings::max_waiting`, or begin fewer at once")]
    ManyWaiting {
        /// How many may wait.
        max: usize,
    },
    /// Too many visits wait for this site.
    #[error(
        "{max} visits wait for this site: raise `PaceSettings::max_waiting_per_site`, or begin fewer of them at once"
    )]
    ManyWaitingForSite {
        /// How many may wait.
        max: usize,
    },
    /// The site rests for longer than the operator lets a visit wait.
    #[error(
        "the site rests for another {} s, longer than visits wait (`PaceSettings::max_rest`): try again then",
        .rest.as_secs_f64().ceil()
    )]
    Rests {
        /// How long it rests.
        rest: Duration,
    },
    /// A robots.txt does not wait that long: for as long as `Retry-After` asks, or for the end of a
    /// visit that somebody keeps.
    #[error(
        "there was no turn for robots.txt in time: end each visit before you ask for another URL of its site, and come back later if it sent Retry-After"
    )]
    Late,
    /// The rules of the site expired while the visit waited, three times in a row.
    #[error("the rules of the site expire while its visits wait: begin fewer of them at once")]
    Expired,
    /// The robots.txt could not be fetched for a reason of this machine, such as a turn that did
    /// not come in time ([`TurnError::Late`]).
    #[error("this machine could not ask for the robots.txt of the site: try again later")]
    NoRobotsTxt,
    /// The cache has no pacer.
    #[error("the cache has no pacer: build it with `Builder::pacer`")]
    NoPacer,
}

impl<T> Schedule<T> {
    /// A schedule without sites.
    #[must_use]
    pub fn new(settings: &PaceSettings) -> Self {
        Self {
            limits: Limits::of(settings),
            settings: settings.clone(),
            sites: Vec::new(),
            places: HashMap::new(),
            due: BinaryHeap::new(),
            waiters: Waiters::default(),
            hand: 0,
            is_told: false,
            has_forgotten: false,
            shown: Duration::ZERO,
            passed: Duration::ZERO,
        }
    }

    /// How many sites are known.
    #[must_use]
    pub fn sites(&self) -> usize {
        self.places.len()
    }

    /// How many visits wait.
    #[must_use]
    pub const fn waiting(&self) -> usize {
        self.waiters.count
    }

    /// Sets the delay that `site` asks for (zero: none). `by` says who asks, such as a hash of the
    /// origin, and is not zero: if several under one key ask for different delays, the longest one
    /// counts. Returns what applies if that is above the longest delay and was not known.
    ///
    /// Once a site was forgotten, a new one has the longest delay until its own is set.
    ///
    /// # Errors
    /// [`TurnError::ManySites`].
    pub fn set_delay(
        &mut self,
        site: u64,
        by: u32,
        delay: Duration,
        now: Duration,
    ) -> Result<Option<LongDelay>, TurnError> {
        let time = self.time(now);
        let limits = self.limits;
        self.is_told = true;
        // What a site begins with, as long as none has to be forgotten for it.
        let has_room = self.sites.len() < self.max_sites();
        if delay.is_zero() && has_room && !self.places.contains_key(&site) {
            return Ok(None);
        }
        let place = self.place(site, time)?;
        let Some(site) = self.sites.get_mut(place as usize) else {
            return Err(self.many_sites());
        };
        let long = site.set_delay(by, delay, time, &limits);
        self.queue(place);
        Ok(long)
    }

    /// The delay that applies because `site` asks for one, if it is known.
    ///
    /// # Errors
    /// [`TurnError::TooSlow`] if the site is not visited.
    pub fn delay(&self, site: u64) -> Result<Option<Duration>, TurnError> {
        let Some(site) = self.known(site) else {
            return Ok(None);
        };
        if site.is_skipped {
            return Err(self.too_slow());
        }
        Ok(Some(site.asked()))
    }

    /// Lets a visit to `site` wait for its turn.
    ///
    /// # Errors
    /// [`TurnError`] if there is no place, or the site is not visited.
    pub fn join(
        &mut self,
        site: u64,
        visit: T,
        at: QueueEnd,
        now: Duration,
    ) -> Result<Ticket, TurnError> {
        let time = self.time(now);
        if self.waiters.count >= self.settings.max_waiting.min(NONE as usize) {
            let max = self.settings.max_waiting;
            return Err(TurnError::ManyWaiting { max });
        }
        let is_new = !self.places.contains_key(&site);
        let place = self.place(site, time)?;
        let max = self.settings.max_waiting_per_site;
        let (limits, may_be_slow) = (self.limits, is_new && self.is_told && self.has_forgotten);
        let Some(site) = self.sites.get_mut(place as usize) else {
            return Err(self.many_sites());
        };
        if may_be_slow {
            site.begin_slowly(&limits);
        }
        if site.is_skipped && at == QueueEnd::Back {
            return Err(self.too_slow());
        }
        // A robots.txt finds a place: those who wait need it.
        if site.waiting as usize >= max && at == QueueEnd::Back {
            return Err(TurnError::ManyWaitingForSite { max });
        }
        let ticket = self.waiters.join(place, site, visit, at);
        self.queue(place);
        Ok(ticket)
    }

    /// Takes a visit out that no longer wants its turn; `None` if it has had it.
    pub fn leave(&mut self, ticket: Ticket) -> Option<T> {
        let site = self.waiters.site(ticket)?;
        self.waiters
            .leave(ticket.place, self.sites.get_mut(site as usize)?)
    }

    /// The first that waits for `site`.
    pub(super) fn first(&self, site: u64) -> Option<&T> {
        let first = self.known(site)?.first;
        self.waiters.list.get(first as usize)?.visit.as_ref()
    }

    /// When this visit may begin, by the clock, if it is the first that waits for its site and
    /// nobody visits that.
    pub(super) fn due(&self, ticket: Ticket) -> Option<Duration> {
        let site = self.waiters.site(ticket)?;
        let site = self.sites.get(site as usize)?;
        let is_next = site.first == ticket.place && !site.is_open;
        is_next.then(|| self.shown_at(site.due(&self.limits)))
    }

    /// The delay of a site, whatever the reason; none for a site that is not known.
    pub(super) fn pace(&self, site: u64) -> Duration {
        let delay = self.known(site).map_or(0, |site| site.delay(&self.limits));
        Duration::from_millis(delay.into())
    }

    /// The delay of `site` without what only this schedule knows: how its visits went.
    pub(super) fn agreed_delay(&self, site: u64) -> Duration {
        let asked = self.known(site).map_or(Duration::ZERO, Site::asked);
        asked.max(Duration::from_millis(self.limits.min.into()))
    }

    /// How long a visit to `site` that comes now waits at least.
    pub(super) fn wait(&mut self, site: u64, now: Duration) -> Duration {
        self.time(now);
        let before = |site: &Site| site.waiting.saturating_add(site.is_open.into());
        let before = self.known(site).map_or(0, before);
        let rest = self.rest(site).wait;
        rest.saturating_add(self.pace(site).saturating_mul(before))
    }

    /// How `site` rests now.
    pub(super) fn rest(&self, site: u64) -> Rest {
        let time = ceil_ms(self.passed);
        let rest = |site: &Site| site.rest(time, &self.limits);
        self.known(site).map(rest).unwrap_or_default()
    }

    /// Lets `site` go on from the delay after failures that another member of the fleet left.
    pub(super) fn learn_backoff(&mut self, site: u64, backoff: Duration) {
        let place = self.places.get(&site);
        if let Some(site) = place.and_then(|place| self.sites.get_mut(*place as usize)) {
            site.learn_backoff(backoff, &self.limits);
        }
    }

    fn known(&self, site: u64) -> Option<&Site> {
        self.sites.get(*self.places.get(&site)? as usize)
    }

    /// What happens next at `now`. Of the sites that are due, the one that was due first.
    pub fn next(&mut self, now: Duration) -> NextVisit<T> {
        let time = self.time(now);
        while let Some(&Reverse((due, place))) = self.due.peek() {
            let site = self.sites.get_mut(place as usize);
            let Some(site) = site.filter(|site| site.is_queued && site.queued == due) else {
                self.due.pop();
                continue;
            };
            if due > time {
                return NextVisit::At(self.shown_at(due));
            }
            self.due.pop();
            site.is_queued = false;
            if site.is_open || site.due(&self.limits) > time {
                self.queue(place);
                continue;
            }
            let (first, is_skipped) = (site.first, site.is_skipped);
            let at = self.waiters.at(first);
            let Some(visit) = self.waiters.leave(first, site) else {
                continue;
            };
            if is_skipped && at == Some(QueueEnd::Back) {
                self.queue(place);
                return NextVisit::Refuse(visit, self.too_slow());
            }
            site.is_open = true;
            return NextVisit::Begin(visit, ScheduledVisit(place));
        }
        NextVisit::Nobody
    }

    /// Ends a visit: the delay of its site begins at `now`.
    #[expect(clippy::needless_pass_by_value, reason = "a visit ends once")]
    pub fn end(&mut self, visit: ScheduledVisit, result: &VisitResult, now: Duration) {
        self.time(now);
        let time = ceil_ms(self.passed);
        if let Some(site) = self.sites.get_mut(visit.0 as usize) {
            site.end(result, time, &self.limits);
        }
        self.queue(visit.0);
    }

    /// Ends a visit that did not take place: its site keeps the delay that it had.
    #[expect(clippy::needless_pass_by_value, reason = "a visit ends once")]
    pub fn unused(&mut self, visit: ScheduledVisit) {
        if let Some(site) = self.sites.get_mut(visit.0 as usize) {
            site.is_open = false;
        }
        self.queue(visit.0);
    }

    /// The time of the clock at which [`Schedule::next`] can have something new, if nothing happens
    /// before.
    #[must_use]
    pub fn next_at(&self) -> Option<Duration> {
        let Reverse((due, _)) = self.due.peek()?;
        Some(self.shown_at(*due))
    }

    /// What the clock shows when the schedule's time is `due`.
    fn shown_at(&self, due: u64) -> Duration {
        let wait = Duration::from_millis(due).saturating_sub(self.passed);
        self.shown.saturating_add(wait)
    }

    /// The whole milliseconds that have passed. A clock that was set back does not show how many
    /// more, so none.
    fn time(&mut self, now: Duration) -> u64 {
        // No delay is longer than a day, so a longer step ends all of them too.
        let more = now.saturating_sub(self.shown).min(MAX_STEP);
        self.passed = self.passed.saturating_add(more);
        self.shown = now;
        u64::try_from(self.passed.as_millis()).unwrap_or(u64::MAX)
    }

    fn max_sites(&self) -> usize {
        self.settings.max_sites.clamp(1, NONE as usize)
    }

    fn many_sites(&self) -> TurnError {
        let max = self.settings.max_sites;
        TurnError::ManySites { max }
    }

    fn too_slow(&self) -> TurnError {
        let max = Duration::from_millis(self.limits.max.into());
        TurnError::TooSlow { max }
    }

    /// Puts a site into the queue of sites, if somebody waits for it and it is not being visited.
    fn queue(&mut self, place: u32) {
        let Some(site) = self.sites.get_mut(place as usize) else {
            return;
        };
        if site.is_open || site.first == NONE {
            return;
        }
        let due = site.due(&self.limits);
        // An entry that is too early is looked at again when it is due.
        if site.is_queued && site.queued <= due {
            return;
        }
        (site.is_queued, site.queued) = (true, due);
        self.due.push(Reverse((due, place)));
        if self.due.len() > self.sites.len().saturating_mul(2).saturating_add(64) {
            let sites = &self.sites;
            self.due.retain(|Reverse((due, place))| {
                let site = sites.get(*place as usize);
                site.is_some_and(|site| site.is_queued && site.queued == *due)
            });
        }
    }

    /// The place of the site with this key: a new one, or that of a site that can be forgotten.
    fn place(&mut self, key: u64, time: u64) -> Result<u32, TurnError> {
        if let Some(place) = self.places.get(&key) {
            return Ok(*place);
        }
        if self.sites.len() >= self.max_sites() {
            self.has_forgotten = true;
            return self.freed(key, time).ok_or_else(|| self.many_sites());
        }
        let place = u32::try_from(self.sites.len()).map_err(|_| self.many_sites())?;
        if self.sites.len() == self.sites.capacity() {
            // A list that doubles can have as much room as sites.
            self.sites.reserve_exact((self.sites.len() / 8).max(16));
        }
        self.sites.push(Site::new(key, time));
        self.places.insert(key, place);
        Ok(place)
    }

    /// The place of a site that can be forgotten, for the site with this key.
    fn freed(&mut self, key: u64, time: u64) -> Option<u32> {
        for _ in 0..self.sites.len().min(MAX_LOOKS) {
            let place = self.hand;
            let next = place.saturating_add(1);
            self.hand = if next < self.sites.len() { next } else { 0 };
            let site = self.sites.get_mut(place)?;
            if site.can_go(time, &self.limits) {
                self.places.remove(&site.key);
                *site = Site::new(key, time);
                let place = u32::try_from(place).ok()?;
                self.places.insert(key, place);
                return Some(place);
            }
        }
        None
    }
}

/// The visits that wait: a list for each site, in which any of them can leave at once.
#[derive(Debug)]
struct Waiters<T> {
    list: Vec<Waiter<T>>,
    /// The first free place; each knows the next one.
    free: u32,
    count: usize,
}

#[derive(Debug)]
struct Waiter<T> {
    visit: Option<T>,
    site: u32,
    before: u32,
    after: u32,
    /// How often the place was taken.
    serial: u32,
    at: QueueEnd,
}

impl<T> Default for Waiters<T> {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            free: NONE,
            count: 0,
        }
    }
}

impl<T> Waiters<T> {
    /// The site of a visit that still waits.
    fn site(&self, ticket: Ticket) -> Option<u32> {
        let waiter = self.list.get(ticket.place as usize)?;
        (waiter.serial == ticket.serial && waiter.visit.is_some()).then_some(waiter.site)
    }

    fn at(&self, place: u32) -> Option<QueueEnd> {
        Some(self.list.get(place as usize)?.at)
    }

    fn join(&mut self, place: u32, site: &mut Site, visit: T, at: QueueEnd) -> Ticket {
        let (before, after) = match at {
            QueueEnd::Back => (site.last, NONE),
            QueueEnd::Front => (NONE, site.first),
        };
        let free = self.free;
        let mut waiter = Waiter {
            visit: Some(visit),
            site: place,
            before,
            after,
            serial: 0,
            at,
        };
        let taken = if let Some(free_place) = self.list.get_mut(free as usize) {
            self.free = free_place.after;
            waiter.serial = free_place.serial.wrapping_add(1);
            let serial = waiter.serial;
            *free_place = waiter;
            Ticket {
                place: free,
                serial,
            }
        } else {
            let new = u32::try_from(self.list.len()).unwrap_or(NONE);
            self.list.push(waiter);
            Ticket {
                place: new,
                serial: 0,
            }
        };
        self.link(before, after, site, (taken.place, taken.place));
        site.waiting = site.waiting.saturating_add(1);
        self.count = self.count.saturating_add(1);
        taken
    }

    fn leave(&mut self, place: u32, site: &mut Site) -> Option<T> {
        let waiter = self.list.get_mut(place as usize)?;
        let visit = waiter.visit.take()?;
        let (before, after) = (waiter.before, waiter.after);
        waiter.after = self.free;
        self.free = place;
        self.link(before, after, site, (after, before));
        site.waiting = site.waiting.saturating_sub(1);
        self.count = self.count.saturating_sub(1);
        Some(visit)
    }

    /// Between `before` and `after`: what follows the one, and what the other follows.
    fn link(&mut self, before: u32, after: u32, site: &mut Site, (next, previous): (u32, u32)) {
        match self.list.get_mut(before as usize) {
            Some(waiter) => waiter.after = next,
            None => site.first = next,
        }
        match self.list.get_mut(after as usize) {
            Some(waiter) => waiter.before = previous,
            None => site.last = previous,
        }
    }
}
