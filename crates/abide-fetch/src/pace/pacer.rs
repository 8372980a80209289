//! Gives visits their turns, on tokio's clock.
//!
//! The first that waits for a site has a timer, in its own runtime, so that nobody depends on a
//! runtime that is not his. Whoever comes by gives all turns that are due.

use super::fleet::{Fleet, HeldSlot, Membership, SlotEnd};
use super::report::PaceReport;
use super::schedule::{NextVisit, QueueEnd, Schedule, ScheduledVisit, Ticket, TurnError};
use super::settings::{PaceKey, PaceSettings};
use super::site::{LongDelay, Rest, VisitResult};
use crate::machine::{DAY, Event, Field, retry_after};
use crate::now::now;
use crate::record::key;
use crate::request_url::RequestUrl;
use std::collections::HashMap;
use std::fmt::{self, Debug};
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, sleep_until};

/// How many visits begin before others get the lock.
const MAX_BATCH: usize = 256;
/// How much longer than the delay of its site a robots.txt waits for its turn. What takes longer,
/// such as a visit that nobody ends, would keep everybody from the site who needs the file.
const MAX_FIRST_WAIT: Duration = Duration::from_secs(5 * 60);

tokio::task_local! {
    /// The visit during which this task retrieves something.
    static OWN_VISIT: OwnVisit;
}

/// The visit of a retrieval, another one with each hop. What is sent to its site meanwhile, such as
/// through an adapter, is part of it and waits for no turn.
#[derive(Clone, Default)]
pub(crate) struct OwnVisit(Arc<Mutex<Option<Visit>>>);

impl OwnVisit {
    pub(crate) fn replace(&self, visit: Option<Visit>) -> Option<Visit> {
        std::mem::replace(&mut *locked(&self.0), visit)
    }

    pub(crate) async fn during<T>(&self, retrieval: impl Future<Output = T>) -> T {
        OWN_VISIT.scope(self.clone(), retrieval).await
    }
}

/// Gives each visit its turn. Cheap to clone; all clones are one pacer. One robot needs one pacer.
///
/// A cache that has it ([`Builder::pacer`](crate::Builder::pacer)) sets the delays that sites ask
/// for, and fetches robots.txt files in turns. The adapters of such a cache take turns for their
/// requests.
///
/// ```no_run
/// use abide_fetch::{RobotsCache, pace::Pacer};
///
/// # async fn fetch(url: &str) -> Result<u16, std::io::Error> { Ok(200) }
/// # async fn crawl() -> Result<(), Box<dyn std::error::Error>> {
/// let pacer = Pacer::default();
/// let robots = RobotsCache::builder("ExampleBot/1.0 (+https://bot.example/)")?
///     .pacer(pacer.clone())
///     .build()?;
/// if let Some(url) = robots.allows("https://news.example/archive/").await {
///     let mut visit = pacer.turn(&url).await?;
///     match fetch(url.as_str()).await {
///         Ok(status) => visit.answered(status, &[]),
///         Err(_) => visit.failed(),
///     }
/// } // The visit ends here, and the delay of the site begins.
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Pacer(Arc<PacerInner>);

struct PacerInner {
    key: PaceKey,
    max_rest: Duration,
    schedule: Mutex<Schedule<Arc<Waiter>>>,
    began: Instant,
    /// Sites are numbers that nobody outside can choose.
    hasher: RandomState,
    observer: Option<PaceObserver>,
    fleet: Option<Membership>,
    /// The sites whose robots.txt was fetched and is being read, for a fleet.
    reading: Mutex<HashMap<u64, oneshot::Sender<()>>>,
}

/// Hears what an operator should know.
type PaceObserver = Box<dyn Fn(&PaceReport) + Send + Sync>;

/// Who waits for a visit.
struct Waiter {
    site: u64,
    /// What it was given.
    turn: Mutex<Option<Result<Visit, TurnError>>>,
    /// Wakes it for its turn, or to look when its site is due.
    wake: Notify,
}

impl Pacer {
    /// A pacer with these settings.
    #[must_use]
    pub fn new(settings: &PaceSettings) -> Self {
        Self::build(settings, None, None)
    }

    /// A pacer that reports what an operator should know to `observer`, which should be quick.
    #[must_use]
    pub fn with_observer(
        settings: &PaceSettings,
        observer: impl Fn(&PaceReport) + Send + Sync + 'static,
    ) -> Self {
        Self::build(settings, Some(Box::new(observer)), None)
    }

    /// A pacer that shares the pace of each site with the other members of its fleet: a site has
    /// one visit at a time, and each delay begins with the end of the last visit, whoever made it.
    /// All members have the same settings.
    ///
    /// The server is asked when a visit is due. While it does not answer, each member visits a site
    /// in windows of its own, at most once in twice the delay times the number of members, and
    /// [`PaceReport::Alone`] says so. End the visits before the runtime ends: a site whose visit
    /// has no end is left alone for 15 seconds and its delay.
    #[must_use]
    pub fn in_fleet(
        settings: &PaceSettings,
        fleet: Fleet,
        observer: impl Fn(&PaceReport) + Send + Sync + 'static,
    ) -> Self {
        Self::build(settings, Some(Box::new(observer)), Some(fleet))
    }

    fn build(
        settings: &PaceSettings,
        observer: Option<PaceObserver>,
        fleet: Option<Fleet>,
    ) -> Self {
        Self(Arc::new(PacerInner {
            key: settings.key,
            max_rest: settings.max_rest,
            schedule: Mutex::new(Schedule::new(settings)),
            began: Instant::now(),
            hasher: RandomState::new(),
            observer,
            fleet: fleet.map(Membership::new),
            reading: Mutex::default(),
        }))
    }

    /// Waits until the site of `url` may be visited. The visit lasts until it is dropped, and then
    /// the delay of the site begins, so keep it until the whole answer has been read. Whoever stops
    /// waiting leaves no trace. Must be called within a tokio runtime.
    ///
    /// Do not wait for a second turn at a site while you keep a visit to it: a site has one visit
    /// at a time. For a redirect or a retry, drop the visit first.
    ///
    /// # Errors
    /// [`TurnError`] if the pacer is full, or the site is not visited.
    pub async fn turn(&self, url: &RequestUrl) -> Result<Visit, TurnError> {
        self.site_turn(url.as_str(), None, QueueEnd::Back).await
    }

    /// [`Pacer::turn`] for a crawler that knows to which address it will connect, for
    /// [`PaceKey::Address`].
    ///
    /// # Errors
    /// See [`Pacer::turn`].
    pub async fn turn_at(&self, url: &RequestUrl, address: IpAddr) -> Result<Visit, TurnError> {
        self.site_turn(url.as_str(), Some(address), QueueEnd::Back)
            .await
    }

    /// [`Pacer::turn`] before all that wait for the site, for a robots.txt or a document beside it,
    /// without which the others may not go on. A site that is skipped is visited too, as with
    /// [`AboveMax::Cap`](super::AboveMax::Cap). Waits at most five minutes longer than the delay of
    /// the site.
    ///
    /// # Errors
    /// [`TurnError`] if the pacer is full, or there is no turn in that time.
    pub async fn first_turn(&self, url: &RequestUrl) -> Result<Visit, TurnError> {
        self.site_turn(url.as_str(), None, QueueEnd::Front).await
    }

    /// Sets the delay that the site of `url` asks of the robot; `None` for none. A cache with this
    /// pacer does so for every URL that it is asked about.
    ///
    /// # Errors
    /// [`TurnError::ManySites`] if the pacer is full.
    pub fn set_delay(&self, url: &RequestUrl, delay: Option<Duration>) -> Result<(), TurnError> {
        let origin = key(url.as_str()).unwrap_or_default();
        self.honour(&origin, 0, delay)
    }

    /// Sets the delay that the file of `origin` asks of the client with this number.
    pub(crate) fn honour(
        &self,
        origin: &str,
        client: usize,
        delay: Option<Duration>,
    ) -> Result<(), TurnError> {
        let name = self.0.key.of(origin, None);
        let by = self.0.number_of(origin, client);
        let site = self.0.hasher.hash_one(&*name);
        let (mut schedule, now) = self.0.schedule_now();
        let long = schedule.set_delay(site, by, delay.unwrap_or_default(), now)?;
        // It may be due earlier than its timer says.
        wake(schedule.first(site));
        drop(schedule);
        if self.0.fleet.is_some() {
            locked(&self.0.reading).remove(&site);
        }
        if let Some(LongDelay { asked, applied }) = long {
            self.report(&PaceReport::AboveMax {
                site: name,
                asked,
                applied,
            });
        }
        Ok(())
    }

    /// How long a visit to the site of `url` would wait at least, as far as this pacer knows: the
    /// rest of the delay, and one delay for each visit that is in progress or waits.
    #[must_use]
    pub fn wait(&self, url: &RequestUrl) -> Duration {
        let name = self.0.key.of(&key(url.as_str()).unwrap_or_default(), None);
        let site = self.0.hasher.hash_one(&*name);
        let (mut schedule, now) = self.0.schedule_now();
        schedule.wait(site, now)
    }

    /// How many sites are known.
    #[must_use]
    pub fn sites(&self) -> usize {
        self.0.schedule().sites()
    }

    /// How many visits wait for their turn.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.0.schedule().waiting()
    }

    pub(crate) fn report(&self, report: &PaceReport) {
        self.0.report(report);
    }

    async fn site_turn(
        &self,
        url: &str,
        address: Option<IpAddr>,
        place: QueueEnd,
    ) -> Result<Visit, TurnError> {
        let origin = key(url).unwrap_or_default();
        let name: Arc<str> = self.0.key.of(&origin, address).into();
        let site = self.0.hasher.hash_one(&*name);
        if let Some(visit) = self.part_of_own(site) {
            return Ok(visit);
        }
        self.share_delay(&origin, site)?;
        let waiting = self.join(site, place)?;
        loop {
            self.give_turns();
            if let Some(turn) = waiting.turn() {
                let mut visit = turn?;
                let slot = self.shared_turn(site, (&name, place), waiting.patience);
                visit.slot = slot.await?;
                visit.brings_delay = place == QueueEnd::Front && url.ends_with("/robots.txt");
                // Another URL may have brought a longer delay while the slot was waited for.
                if place == QueueEnd::Back {
                    self.0.schedule().delay(site)?;
                }
                visit.begun = Some((name, Instant::now()));
                return Ok(visit);
            }
            let due = async {
                match waiting.look_at()? {
                    Some(at) => sleep_until(at).await,
                    None => std::future::pending().await,
                }
                Ok(())
            };
            tokio::select! {
                () = waiting.waiter.wake.notified() => {}
                looks = due => looks?,
            }
        }
    }

    /// Waits for the other members of the fleet, while nobody else in this process has the turn.
    async fn shared_turn(
        &self,
        site: u64,
        (name, place): (&Arc<str>, QueueEnd),
        patience: Patience,
    ) -> Result<Option<HeldSlot>, TurnError> {
        let Some(fleet) = &self.0.fleet else {
            return Ok(None);
        };
        let pacer = Arc::clone(&self.0);
        let delay = move || pacer.schedule().agreed_delay(site);
        let report = |report: &PaceReport| self.report(report);
        let turn = fleet.turn((name, place), delay, patience, report).await?;
        if let Some(backoff) = turn.backoff {
            self.0.schedule().learn_backoff(site, backoff);
        }
        Ok(Some(turn.slot))
    }

    /// Lets an address have the delay that one of its hosts asks for.
    fn share_delay(&self, origin: &str, site: u64) -> Result<(), TurnError> {
        let host = self.0.hasher.hash_one(&*self.0.key.of(origin, None));
        if host == site {
            return Ok(());
        }
        let by = self.0.number_of(origin, 0);
        let (mut schedule, now) = self.0.schedule_now();
        if let Some(delay) = schedule.delay(host)? {
            schedule.set_delay(site, by, delay, now)?;
        }
        Ok(())
    }

    fn join(&self, site: u64, place: QueueEnd) -> Result<Waiting<'_>, TurnError> {
        let waiter = Arc::new(Waiter {
            site,
            turn: Mutex::default(),
            wake: Notify::new(),
        });
        let (mut schedule, now) = self.0.schedule_now();
        let ticket = schedule.join(site, Arc::clone(&waiter), place, now)?;
        let patience = match place {
            QueueEnd::Back => Patience::Rest(self.0.max_rest),
            QueueEnd::Front => {
                let longest = schedule.pace(site).saturating_add(MAX_FIRST_WAIT);
                Patience::Until(Instant::now().checked_add(longest))
            }
        };
        Ok(Waiting {
            ticket,
            waiter,
            patience,
            pacer: self,
        })
    }

    /// What belongs to the visit during which this task retrieves something.
    fn part_of_own(&self, site: u64) -> Option<Visit> {
        let is_own = |own: &OwnVisit| locked(&own.0).as_ref().is_some_and(|own| own.site == site);
        let is_own = OWN_VISIT.try_with(is_own).unwrap_or_default();
        is_own.then(|| self.visit(site, None))
    }

    /// Gives all turns that are due, a batch at a time.
    fn give_turns(&self) {
        loop {
            let (mut schedule, now) = self.0.schedule_now();
            let mut turns = Vec::new();
            while turns.len() < MAX_BATCH {
                match schedule.next(now) {
                    NextVisit::Begin(waiter, visit) => {
                        let visit = self.visit(waiter.site, Some(visit));
                        turns.push((waiter, Ok(visit)));
                    }
                    NextVisit::Refuse(waiter, error) => turns.push((waiter, Err(error))),
                    NextVisit::At(_) | NextVisit::Nobody => break,
                }
            }
            drop(schedule);
            let is_all = turns.len() < MAX_BATCH;
            for (waiter, turn) in turns {
                *locked(&waiter.turn) = Some(turn);
                waiter.wake.notify_one();
            }
            if is_all {
                return;
            }
        }
    }

    fn visit(&self, site: u64, scheduled: Option<ScheduledVisit>) -> Visit {
        Visit {
            pacer: self.clone(),
            site,
            scheduled,
            slot: None,
            brings_delay: false,
            begun: None,
            result: VisitResult::default(),
        }
    }
}

impl Default for Pacer {
    fn default() -> Self {
        Self::new(&PaceSettings::default())
    }
}

impl Debug for Pacer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pacer")
            .field("sites", &self.sites())
            .field("waiting", &self.waiting())
            .finish_non_exhaustive()
    }
}

impl PacerInner {
    fn schedule(&self) -> MutexGuard<'_, Schedule<Arc<Waiter>>> {
        locked(&self.schedule)
    }

    /// The schedule and the time, which is read under the lock: a time from before it would be
    /// earlier than what another thread has shown, as if the clock had been set back.
    fn schedule_now(&self) -> (MutexGuard<'_, Schedule<Arc<Waiter>>>, Duration) {
        let schedule = self.schedule();
        let now = self.began.elapsed();
        (schedule, now)
    }

    /// Answers when the delay is known that the robots.txt of `site` asks for, or when it is
    /// fetched again.
    fn reads(&self, site: u64) -> oneshot::Receiver<()> {
        let (read, reading) = oneshot::channel();
        let mut sites = locked(&self.reading);
        if sites.len() >= MAX_BATCH {
            sites.retain(|_, read| !read.is_closed());
        }
        sites.insert(site, read);
        reading
    }

    /// Who asks for a delay, as a number that is not zero.
    fn number_of(&self, origin: &str, client: usize) -> u32 {
        let [.., a, b, c, d] = self.hasher.hash_one((origin, client)).to_be_bytes();
        u32::from_be_bytes([a, b, c, d]).max(1)
    }

    fn report(&self, report: &PaceReport) {
        if let Some(observer) = &self.observer {
            observer(report);
        }
    }
}

fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets the first that waits for a site look when it is due.
fn wake(first: Option<&Arc<Waiter>>) {
    if let Some(first) = first {
        first.wake.notify_one();
    }
}

/// A visit that waits, which leaves when it is dropped, and then gives back the turn that it has.
struct Waiting<'p> {
    ticket: Ticket,
    waiter: Arc<Waiter>,
    patience: Patience,
    pacer: &'p Pacer,
}

/// How long a visit waits.
#[derive(Clone, Copy, Debug)]
pub(super) enum Patience {
    /// However long the queue is, but not for a longer rest of its site.
    Rest(Duration),
    /// Until then, whatever it waits for.
    Until(Option<Instant>),
}

impl Patience {
    pub(super) const fn longer_by(self, time: Duration) -> Self {
        match self {
            Self::Rest(max) => Self::Rest(max.saturating_add(time)),
            Self::Until(until) => Self::Until(until),
        }
    }

    /// Fails if a site that is free at `due`, as far as anybody knows, is free too late.
    pub(super) fn suffices(self, due: Option<Instant>) -> Result<(), TurnError> {
        match (self, due) {
            (Self::Rest(max), Some(due)) => {
                let rest = due.saturating_duration_since(Instant::now());
                let rests = TurnError::Rests { rest };
                (rest <= max).then_some(()).ok_or(rests)
            }
            (Self::Until(Some(until)), Some(due)) if due > until => Err(TurnError::Late),
            _ => Ok(()),
        }
    }
}

impl Waiting<'_> {
    fn turn(&self) -> Option<Result<Visit, TurnError>> {
        locked(&self.waiter.turn).take()
    }

    /// When to look again, besides when it is woken. Only the first that waits for a site has to.
    fn look_at(&self) -> Result<Option<Instant>, TurnError> {
        let inner = &self.pacer.0;
        let due = inner.schedule().due(self.ticket);
        let due = due.and_then(|due| inner.began.checked_add(due));
        self.patience.suffices(due)?;
        let Patience::Until(Some(until)) = self.patience else {
            return Ok(due);
        };
        if Instant::now() >= until {
            return Err(TurnError::Late);
        }
        Ok(Some(due.map_or(until, |due| due.min(until))))
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut schedule = self.pacer.0.schedule();
        let left = schedule.leave(self.ticket);
        wake(schedule.first(self.waiter.site));
        drop(schedule);
        drop((left, self.turn()));
    }
}

/// A visit to a site: one request and its answer. Dropping it ends it, and the delay of the site
/// begins. Say before how it went; if nobody does, the site keeps its pace.
#[must_use = "the visit ends when this is dropped"]
pub struct Visit {
    pacer: Pacer,
    /// The number of the site.
    site: u64,
    /// `None` for what belongs to another visit.
    scheduled: Option<ScheduledVisit>,
    /// What other members of the fleet see of it.
    slot: Option<HeldSlot>,
    /// Whether it fetches the file that says which delay its site asks for.
    brings_delay: bool,
    /// The site and the beginning, once the caller has it.
    begun: Option<(Arc<str>, Instant)>,
    result: VisitResult,
}

impl Visit {
    /// Notes an answer with this status and these fields, of which only `Retry-After` counts, for
    /// status 429 and 503 (RFC 9110, 10.2.3; RFC 6585, 4). A status of 429, or from 500 on, is a
    /// failure. How long the answer took counts until the visit ends.
    pub fn answered(&mut self, status: u16, fields: &[Field<'_>]) {
        self.result.is_answered = Some(status != 429 && status < 500);
        if !matches!(status, 429 | 503) {
            return;
        }
        let seconds = retry_after(fields, now());
        let (asked, day) = (Duration::from_secs(seconds), Duration::from_secs(DAY));
        self.result.retry_after = (seconds > 0).then_some(asked);
        if let Some((site, _)) = self.begun.as_ref().filter(|_| asked > day) {
            self.pacer.report(&PaceReport::LongWait {
                site: site.to_string(),
                asked,
                applied: day,
            });
        }
    }

    /// Does not count `time`, in which this machine had other things to do, as time that the
    /// answer takes.
    #[cfg(feature = "client")]
    pub(crate) fn excuse(&mut self, time: Duration) {
        if let Some((_, began)) = &mut self.begun {
            *began = began.checked_add(time).unwrap_or(*began);
        }
    }

    /// Notes what came of a retrieval.
    pub(crate) fn came<B>(&mut self, event: &Event<B>) {
        let wait = event.failure_wait();
        self.result.is_answered = Some(wait.is_none());
        self.result.retry_after = wait.filter(|wait| *wait > 0).map(Duration::from_secs);
    }

    /// Ends the visit before anything was sent: the site keeps the delay that it had.
    pub fn give_back(mut self) {
        self.begun = None;
    }

    /// Ends the visit, as dropping it does, and returns how long its site then rests.
    pub fn end(mut self) -> Duration {
        self.ended().unwrap_or_default().wait
    }

    /// Notes that there was no answer, or none that can be read.
    pub fn failed(&mut self) {
        self.result.is_answered = Some(false);
    }
}

impl Visit {
    /// Ends it, once. `None` if its site has no rest after it.
    fn ended(&mut self) -> Option<Rest> {
        let visit = self.scheduled.take()?;
        let Some((_, began)) = &self.begun else {
            let unused = UnusedVisit {
                pacer: self.pacer.clone(),
                site: self.site,
                visit: Some(visit),
            };
            // Nobody here asks for the slot again before it was given back.
            if let Some(slot) = self.slot.take() {
                slot.end(SlotEnd {
                    kept: Some(Box::new(unused)),
                    ..SlotEnd::default()
                });
            }
            return None;
        };
        let is_answered = self.result.is_answered;
        self.result.took = is_answered.map(|_| began.elapsed());
        let (mut schedule, now) = self.pacer.0.schedule_now();
        schedule.end(visit, &self.result, now);
        let rest = schedule.rest(self.site);
        wake(schedule.first(self.site));
        drop(schedule);
        if let Some(slot) = self.slot.take() {
            let reading = self.brings_delay.then(|| self.pacer.0.reads(self.site));
            slot.end(SlotEnd {
                rest: Some(rest),
                reading,
                kept: None,
            });
        }
        Some(rest)
    }
}

/// A visit that did not take place. Its site is free again when this is dropped.
struct UnusedVisit {
    pacer: Pacer,
    site: u64,
    visit: Option<ScheduledVisit>,
}

impl Drop for UnusedVisit {
    fn drop(&mut self) {
        let mut schedule = self.pacer.0.schedule();
        if let Some(visit) = self.visit.take() {
            schedule.unused(visit);
        }
        wake(schedule.first(self.site));
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.ended();
    }
}

impl Debug for Visit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Visit")
            .field("site", &self.begun.as_ref().map(|(site, _)| site))
            .field("result", &self.result)
            .finish_non_exhaustive()
    }
}
