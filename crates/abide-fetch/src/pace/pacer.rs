//! Gives visits their turns, on tokio's clock. One task with one timer wakes whoever is due.

use super::report::PaceReport;
use super::schedule::{NextVisit, QueueEnd, Schedule, ScheduledVisit, Ticket, TurnError};
use super::settings::{PaceKey, PaceSettings};
use super::site::{LongDelay, VisitResult};
use crate::machine::{DAY, Event, Field, retry_after};
use crate::now::now;
use crate::record::key;
use crate::request_url::RequestUrl;
use std::fmt::{self, Debug};
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

/// How many visits begin before others get the lock.
const MAX_BATCH: usize = 256;

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
    state: Mutex<PacerState>,
    /// Wakes the task that wakes the others.
    wake: Notify,
    began: Instant,
    /// Sites are numbers that nobody outside can choose.
    hasher: RandomState,
    observer: Option<PaceObserver>,
}

/// Hears what an operator should know.
type PaceObserver = Box<dyn Fn(&PaceReport) + Send + Sync>;

/// What a visit that waits is sent.
type TurnResult = Result<Visit, TurnError>;

struct PacerState {
    schedule: Schedule<oneshot::Sender<TurnResult>>,
    /// Until when the task sleeps, if it runs.
    sleeps_until: Option<Duration>,
    /// The runtime of whoever came last to wait.
    runtime: Option<tokio::runtime::Handle>,
}

impl Pacer {
    /// A pacer with these settings.
    #[must_use]
    pub fn new(settings: &PaceSettings) -> Self {
        Self::build(settings, None)
    }

    /// A pacer that reports what an operator should know to `observer`, which should be quick.
    #[must_use]
    pub fn with_observer(
        settings: &PaceSettings,
        observer: impl Fn(&PaceReport) + Send + Sync + 'static,
    ) -> Self {
        Self::build(settings, Some(Box::new(observer)))
    }

    fn build(settings: &PaceSettings, observer: Option<PaceObserver>) -> Self {
        Self(Arc::new(PacerInner {
            key: settings.key,
            state: Mutex::new(PacerState {
                schedule: Schedule::new(settings),
                sleeps_until: None,
                runtime: None,
            }),
            wake: Notify::new(),
            began: Instant::now(),
            hasher: RandomState::new(),
            observer,
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
    /// [`AboveMax::Cap`](super::AboveMax::Cap).
    ///
    /// # Errors
    /// [`TurnError`] if the pacer is full.
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
        let (mut state, now) = self.0.state_now();
        let delay = delay.unwrap_or_default();
        let long = state.schedule.set_delay(site, by, delay, now)?;
        drop(state);
        if let Some(LongDelay { asked, applied }) = long {
            self.report(&PaceReport::AboveMax {
                site: name,
                asked,
                applied,
            });
        }
        Ok(())
    }

    /// How many sites are known.
    #[must_use]
    pub fn sites(&self) -> usize {
        self.0.state().schedule.sites()
    }

    /// How many visits wait for their turn.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.0.state().schedule.waiting()
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
        self.share_delay(&origin, site)?;
        loop {
            let (sender, receiver) = oneshot::channel();
            let waiting = Waiting {
                ticket: self.join(site, sender, place)?,
                pacer: self,
            };
            if let Ok(turn) = receiver.await {
                drop(waiting);
                let mut visit = turn?;
                visit.begun = Some((name, Instant::now()));
                return Ok(visit);
            }
            // The runtime whose task wakes others has ended. This one has its own.
        }
    }

    /// Lets an address have the delay that one of its hosts asks for.
    fn share_delay(&self, origin: &str, site: u64) -> Result<(), TurnError> {
        let host = self.0.hasher.hash_one(&*self.0.key.of(origin, None));
        if host == site {
            return Ok(());
        }
        let by = self.0.number_of(origin, 0);
        let (mut state, now) = self.0.state_now();
        if let Some(delay) = state.schedule.delay(host)? {
            state.schedule.set_delay(site, by, delay, now)?;
        }
        Ok(())
    }

    fn join(
        &self,
        site: u64,
        sender: oneshot::Sender<TurnResult>,
        place: QueueEnd,
    ) -> Result<Ticket, TurnError> {
        let (mut state, now) = self.0.state_now();
        let ticket = state.schedule.join(site, sender, place, now)?;
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            state.runtime = Some(runtime);
        }
        self.go_on(state);
        Ok(ticket)
    }

    /// Begins the visits that are due, and sees to it that somebody does so later.
    fn go_on(&self, mut state: MutexGuard<'_, PacerState>) {
        let (turns, next) = self.due(&mut state);
        let mut runtime = None;
        match (next, state.sleeps_until) {
            (Some(next), None) => {
                // A visit may end outside every runtime, while others wait inside one.
                let own = tokio::runtime::Handle::try_current().ok();
                runtime = own.or_else(|| state.runtime.clone());
                state.sleeps_until = runtime.is_some().then_some(next);
            }
            (Some(next), Some(until)) if next < until => self.0.wake.notify_one(),
            _ => {}
        }
        // A runtime that ends drops the task at once, and that takes the lock.
        drop(state);
        if let Some(runtime) = runtime {
            runtime.spawn(Waker::new(self).run());
        }
        send(turns);
    }

    /// The visits that begin now, a batch of them, and when to look again.
    fn due(&self, state: &mut PacerState) -> (Vec<Turn>, Option<Duration>) {
        let now = self.0.time();
        let mut turns = Vec::new();
        while turns.len() < MAX_BATCH {
            match state.schedule.next(now) {
                NextVisit::Begin(sender, visit) => {
                    let visit = Visit {
                        pacer: self.clone(),
                        scheduled: Some(visit),
                        begun: None,
                        result: VisitResult::default(),
                    };
                    turns.push((sender, Ok(visit)));
                }
                NextVisit::Refuse(sender, error) => turns.push((sender, Err(error))),
                NextVisit::At(at) => return (turns, Some(at)),
                NextVisit::Nobody => return (turns, None),
            }
        }
        (turns, Some(now))
    }
}

/// A turn on its way to who waits for it.
type Turn = (oneshot::Sender<TurnResult>, TurnResult);

/// Gives turns, without the lock: a turn that nobody wants any more is given back.
fn send(turns: Vec<Turn>) {
    for (sender, turn) in turns {
        drop(sender.send(turn));
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
    fn state(&self) -> MutexGuard<'_, PacerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state and the time, which is read under the lock: a time from before it would be
    /// earlier than what another thread has shown, as if the clock had been set back.
    fn state_now(&self) -> (MutexGuard<'_, PacerState>, Duration) {
        let state = self.state();
        let now = self.time();
        (state, now)
    }

    /// The time since the pacer began: a clock that nobody can set.
    fn time(&self) -> Duration {
        self.began.elapsed()
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

/// A visit that waits, which leaves when it is dropped.
struct Waiting<'p> {
    ticket: Ticket,
    pacer: &'p Pacer,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let left = self.pacer.0.state().schedule.leave(self.ticket);
        drop(left);
    }
}

/// The task that wakes who waits. It ends when nobody waits for a time.
struct Waker {
    pacer: Pacer,
    has_ended: bool,
}

impl Waker {
    fn new(pacer: &Pacer) -> Self {
        Self {
            pacer: pacer.clone(),
            has_ended: false,
        }
    }

    async fn run(mut self) {
        let pacer = self.pacer.clone();
        while let Some(next) = self.wake() {
            tokio::select! {
                () = tokio::time::sleep_until(next) => {}
                () = pacer.0.wake.notified() => {}
            }
        }
    }

    /// Gives the turns that are due. Returns when to look again; `None` if nobody waits for a time.
    fn wake(&mut self) -> Option<Instant> {
        let pacer = &self.pacer;
        let mut state = pacer.0.state();
        let (turns, next) = pacer.due(&mut state);
        state.sleeps_until = next;
        // From here on, the next who waits begins another task.
        self.has_ended = next.is_none();
        drop(state);
        send(turns);
        let next = next?;
        Some(pacer.0.began.checked_add(next).unwrap_or_else(Instant::now))
    }
}

/// If the runtime ends while others wait, each of them joins again, in its own runtime.
impl Drop for Waker {
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        let mut state = self.pacer.0.state();
        state.sleeps_until = None;
        let left = state.schedule.drain();
        drop(state);
        drop(left);
    }
}

/// A visit to a site: one request and its answer. Dropping it ends it, and the delay of the site
/// begins. Say before how it went; if nobody does, the site keeps its pace.
#[must_use = "the visit ends when this is dropped"]
pub struct Visit {
    pacer: Pacer,
    scheduled: Option<ScheduledVisit>,
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

    /// Notes that there was no answer, or none that can be read.
    pub fn failed(&mut self) {
        self.result.is_answered = Some(false);
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let Some(visit) = self.scheduled.take() else {
            return;
        };
        let mut state = self.pacer.0.state();
        match &self.begun {
            Some((_, began)) => {
                let is_answered = self.result.is_answered;
                self.result.took = is_answered.map(|_| began.elapsed());
                let now = self.pacer.0.time();
                state.schedule.end(visit, &self.result, now);
            }
            None => state.schedule.unused(visit),
        }
        self.pacer.go_on(state);
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
