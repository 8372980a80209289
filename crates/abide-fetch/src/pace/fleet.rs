//! Paces that a fleet shares: a site has one visit at a time, whichever member makes it.
//!
//! A member whose own schedule says that a site is due asks for the *slot* of the site. All members
//! ask one server, by its clock, so that none depends on the clock of another.
//!
//! Without the server, members cannot know when others visit. Each of them then has a window of
//! time for each site, by its own clock: the windows of the members follow each other, so that two
//! members come too close only if the difference of their clocks and the time of a visit are
//! together more than half a delay.

use super::pacer::Patience;
use super::report::PaceReport;
use super::schedule::{QueueEnd, TurnError};
use super::settings::bounded_ms;
use super::site::Rest;
use crate::future::BoxFuture;
use crate::now::now;
use abide::Moment;
use ring::rand::{SecureRandom, SystemRandom};
use std::fmt::{self, Debug, Display};
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use thiserror::Error;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep, timeout};

/// How long a slot is held without a word of its holder. Whoever dies in a visit keeps its site
/// from others for this long, and for the delay of the site.
const LEASE: Duration = Duration::from_secs(15);
/// How often a holder says that its visit still lasts. A server that has lost its data gives no
/// slot before all holders have said so.
const RENEWAL: Duration = Duration::from_secs(5);
/// How long the server has to be silent until a member goes on without it.
const SILENCE: Duration = Duration::from_secs(3);
/// When a slot is asked for again after a failure.
const RETRY: Duration = Duration::from_secs(1);
/// How long after the end of a silence members still keep to their windows: until each of them has
/// asked the server again. A store is left alone for at most 36 seconds.
const RETURN: Duration = Duration::from_secs(45);

/// How long after the visit of a robots.txt the server hears of its end at the latest: before, the
/// cache reads which delay the file asks for, and other members may not know it.
const READING: Duration = Duration::from_secs(2);

/// How long a member sleeps at most before it asks again.
const MAX_SLEEP: Duration = Duration::from_secs(60);
const DAY_MILLIS: u64 = 86_400_000;

/// Where the members of a fleet get the slots of sites, such as a
/// [`SharedStore`](crate::store::SharedStore).
///
/// A slot is held from [`take`](Slots::take) to [`end`](Slots::end), as long as its holder
/// [keeps](Slots::keep) it, and then the site rests. All times are by the clock of the one who
/// answers. Whoever has lost its data gives no slot until every holder may have said that it has
/// one, and the delay of the site has passed.
pub trait Slots: Debug + Send + Sync {
    /// Asks for the slot of `site`, whose delay is `delay`, as far as the caller knows. Whoever
    /// asks for it at the [front](QueueEnd::Front), and again when it was told to, gets it before
    /// those who ask at the back.
    fn take<'a>(
        &'a self,
        site: &'a str,
        holder: &'a SlotHolder,
        delay: Duration,
        place: QueueEnd,
    ) -> BoxFuture<'a, Result<SlotAnswer, SlotsError>>;

    /// Says that the visit of `holder` lasts. `false` if another one has the slot.
    fn keep<'a>(
        &'a self,
        site: &'a str,
        holder: &'a SlotHolder,
        delay: Duration,
    ) -> BoxFuture<'a, Result<bool, SlotsError>>;

    /// Ends the visit of `holder`: the site rests. `None` if there was no visit. The end counts for
    /// whoever asks with a longer delay later, too.
    fn end<'a>(
        &'a self,
        site: &'a str,
        holder: &'a SlotHolder,
        rest: Option<Rest>,
    ) -> BoxFuture<'a, Result<(), SlotsError>>;
}

/// Who holds a slot: a random number, written as 32 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SlotHolder(u128);

impl SlotHolder {
    /// How long a slot is held without [`Slots::keep`].
    pub const LEASE: Duration = LEASE;
    /// How often a holder calls [`Slots::keep`].
    pub const RENEWAL: Duration = RENEWAL;

    /// A new holder.
    ///
    /// # Errors
    /// [`SlotsError`] if the system has no randomness.
    pub fn random() -> Result<Self, SlotsError> {
        let mut bytes = [0; 16];
        let filled = SystemRandom::new().fill(&mut bytes);
        filled.map_err(|_| SlotsError::new("there is no randomness for a slot"))?;
        Ok(Self(u128::from_be_bytes(bytes)))
    }
}

impl Display for SlotHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// The answer to a question for a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum SlotAnswer {
    /// The caller has it.
    Given {
        /// The delay after failures that the last holder left, if that is known.
        backoff: Option<Duration>,
    },
    /// Nobody gets it before this time is over. Ask again then.
    Wait(Duration),
}

/// Why there was no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct SlotsError(String);

impl SlotsError {
    /// An error with this message.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

/// A member of a fleet, for [`Pacer::in_fleet`](super::Pacer::in_fleet).
#[derive(Clone)]
pub struct Fleet {
    slots: Arc<dyn Slots>,
    member: FleetMember,
    clock: Arc<dyn Fn() -> Moment + Send + Sync>,
}

/// Which member of a fleet a process is: a number from 0, and how many there are. In text `0/3`,
/// the first of three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FleetMember {
    number: u32,
    of: u32,
}

impl FleetMember {
    /// Member number `number`, of which the first is 0, of a fleet of `of`.
    ///
    /// # Errors
    /// [`NoMember`] if there is no such number.
    pub const fn new(number: u32, of: u32) -> Result<Self, NoMember> {
        if number < of {
            Ok(Self { number, of })
        } else {
            Err(NoMember)
        }
    }
}

impl FromStr for FleetMember {
    type Err = NoMember;

    fn from_str(text: &str) -> Result<Self, NoMember> {
        let (number, of) = text.split_once('/').ok_or(NoMember)?;
        // `+1` is no number here.
        let parsed = |text: &str| {
            let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
            is_number
                .then(|| text.parse().ok())
                .flatten()
                .ok_or(NoMember)
        };
        Self::new(parsed(number)?, parsed(of)?)
    }
}

/// A fleet has no such member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "expected a number and how many there are, such as 0/3, where numbers begin with 0 and end \
     before 3"
)]
#[non_exhaustive]
pub struct NoMember;

impl Fleet {
    /// This member of the fleet that shares `slots`. Numbers and size count when `slots` cannot
    /// answer: each member has a number of its own.
    #[must_use]
    pub fn new(slots: impl Slots + 'static, member: FleetMember) -> Self {
        Self {
            slots: Arc::new(slots),
            member,
            clock: Arc::new(now),
        }
    }

    /// With another clock than the system's. It counts when the slots cannot answer.
    #[must_use]
    pub fn clock(mut self, clock: impl Fn() -> Moment + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// How long this member waits for its window of `site`; `None` within it. A window is twice as
    /// long as the delay, and a visit begins in its first quarter, so that it can take half a delay
    /// and the next member still comes a delay after its end.
    fn window(&self, site: &str, delay: Duration) -> Option<Duration> {
        let quarter = u64::from(bounded_ms(delay)).div_ceil(2);
        let length = quarter.saturating_mul(4);
        let period = length.saturating_mul(self.member.of.into());
        let now = (self.clock)();
        let seconds = u64::try_from(now.unix_seconds()).unwrap_or_default();
        let now = seconds
            .saturating_mul(1_000)
            .saturating_add(now.milliseconds().into());
        // Not all sites at the same time.
        let shift = site.bytes().fold(0_u64, |sum, byte| {
            sum.wrapping_mul(31).wrapping_add(byte.into())
        });
        // Without a delay, there are no windows.
        let phase = now.wrapping_add(shift % DAY_MILLIS).checked_rem(period)?;
        let begin = length.saturating_mul(self.member.number.into());
        let since = phase.checked_sub(begin);
        if self.member.of == 1 || since.is_some_and(|since| since < quarter) {
            return None;
        }
        let wait = match since {
            None => begin.saturating_sub(phase),
            Some(since) => period.saturating_sub(since),
        };
        Some(Duration::from_millis(wait))
    }
}

/// What a member knows of the server, and the slots that it holds.
pub(super) struct Membership {
    fleet: Fleet,
    link: Mutex<Link>,
}

/// Since when the server is silent, since when nobody knows when others visit, and since when it
/// answers again.
#[derive(Clone, Copy, Debug, Default)]
struct Link {
    silent: Option<Instant>,
    failed: Option<Instant>,
    down: Option<Instant>,
    back: Option<Instant>,
}

/// How the server answers, for one site.
enum LinkState {
    Up,
    /// Nobody knows when others visit.
    Down {
        since: Instant,
    },
    /// It answers again. Others may not know, or have visited the site without it.
    Back,
}

/// What a question for a slot came to.
enum Asked {
    Turn { backoff: Option<Duration> },
    Wait(Duration),
}

/// A visit that the server hears of, until this is dropped or [ended](HeldSlot::end).
pub(super) struct HeldSlot(oneshot::Sender<SlotEnd>);

/// How a slot ends.
#[derive(Default)]
pub(super) struct SlotEnd {
    /// How the site rests; `None` if there was no visit.
    pub(super) rest: Option<Rest>,
    /// Answers when the delay is known that a file asks for which was fetched in the visit.
    pub(super) reading: Option<oneshot::Receiver<()>>,
    /// Dropped when the server was told.
    pub(super) kept: Option<Box<dyn Send>>,
}

impl HeldSlot {
    /// Ends it.
    pub(super) fn end(self, end: SlotEnd) {
        // Its task ends with the runtime, and then the slot ends by itself.
        let _ = self.0.send(end);
    }
}

/// A question for a slot. If it is dropped before it was answered and used, the slot is given back.
struct Question<'q> {
    slots: &'q Arc<dyn Slots>,
    site: &'q Arc<str>,
    holder: &'q SlotHolder,
    place: QueueEnd,
    /// Whether the server may have given it, and nobody holds it.
    may_be_given: bool,
}

impl Drop for Question<'_> {
    fn drop(&mut self) {
        if !self.may_be_given {
            return;
        }
        let (slots, site) = (Arc::clone(self.slots), Arc::clone(self.site));
        let holder = self.holder.clone();
        // Without a runtime, the slot ends by itself.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { slots.end(&site, &holder, None).await });
        }
    }
}

/// A turn at a site among all members.
pub(super) struct SharedTurn {
    pub(super) slot: HeldSlot,
    pub(super) backoff: Option<Duration>,
}

impl Membership {
    pub(super) fn new(fleet: Fleet) -> Self {
        let link = Mutex::default();
        Self { fleet, link }
    }

    /// Waits until no other member visits `site` or has to leave it in peace. `delay` says what the
    /// site asks for, and may change meanwhile.
    pub(super) async fn turn(
        &self,
        (site, place): (&Arc<str>, QueueEnd),
        delay: impl Fn() -> Duration + Send + Sync + 'static,
        patience: Patience,
        report: impl Fn(&PaceReport),
    ) -> Result<SharedTurn, TurnError> {
        let Ok(holder) = SlotHolder::random() else {
            return Err(TurnError::Late);
        };
        let mut question = Question {
            slots: &self.fleet.slots,
            site,
            holder: &holder,
            place,
            may_be_given: false,
        };
        loop {
            let wait = match self.ask(&mut question, delay(), &report).await {
                Asked::Turn { backoff } => {
                    question.may_be_given = false;
                    let slot = self.hold(&question, delay);
                    return Ok(SharedTurn { slot, backoff });
                }
                Asked::Wait(wait) => wait,
            };
            // What a member that died, or a server that is back, lets a site wait is no rest of it.
            let patience = patience.longer_by(RETURN.saturating_add(delay()));
            patience.suffices(Instant::now().checked_add(wait))?;
            // The answer can change before: a holder may have died, or given the slot back.
            sleep(wait.min(MAX_SLEEP)).await;
        }
    }

    /// Asks for the slot of `site` once, if this is the time for it.
    async fn ask(
        &self,
        question: &mut Question<'_>,
        delay: Duration,
        report: &impl Fn(&PaceReport),
    ) -> Asked {
        let (site, holder) = (question.site, question.holder);
        let window = || self.fleet.window(site, delay);
        if let LinkState::Back = self.link_for(delay)
            && let Some(wait) = window()
        {
            return Asked::Wait(wait.min(RETURN));
        }
        question.may_be_given = true;
        let place = question.place;
        match self.fleet.slots.take(site, holder, delay, place).await {
            Ok(answer) => {
                self.answered(report);
                match (answer, self.link_for(delay)) {
                    (SlotAnswer::Wait(wait), _) => {
                        question.may_be_given = false;
                        Asked::Wait(wait.max(Duration::from_millis(1)))
                    }
                    (SlotAnswer::Given { backoff }, LinkState::Back) => match window() {
                        None => Asked::Turn { backoff },
                        Some(wait) => {
                            // It was asked for only to hear whether the server answers.
                            let slots = Arc::clone(&self.fleet.slots);
                            let _ = slots.end(site, holder, None).await;
                            Asked::Wait(wait.min(RETURN))
                        }
                    },
                    (SlotAnswer::Given { backoff }, _) => Asked::Turn { backoff },
                }
            }
            Err(error) => {
                self.failed(&error, report);
                let quiet = LEASE.saturating_add(delay.saturating_mul(2));
                match self.link_for(delay) {
                    // Visits that others began before the silence have ended, if they take half a
                    // delay like those in windows, and their sites have rested.
                    LinkState::Down { since } if since.elapsed() >= quiet => {
                        match window() {
                            // If the server answers before the end, it hears of the visit.
                            None => Asked::Turn { backoff: None },
                            // The server may answer before.
                            Some(wait) => Asked::Wait(wait.min(RETRY)),
                        }
                    }
                    _ => Asked::Wait(RETRY),
                }
            }
        }
    }

    /// Holds a slot until its visit ends.
    fn hold(
        &self,
        question: &Question<'_>,
        delay: impl Fn() -> Duration + Send + Sync + 'static,
    ) -> HeldSlot {
        let slots = Arc::clone(&self.fleet.slots);
        let (site, holder) = (Arc::clone(question.site), question.holder.clone());
        let (ended, mut end) = oneshot::channel();
        tokio::spawn(async move {
            let mut pause = RENEWAL;
            let SlotEnd {
                rest,
                reading,
                kept: _kept,
            } = loop {
                match timeout(pause, &mut end).await {
                    Ok(ended) => break ended.unwrap_or_default(),
                    Err(_) => match slots.keep(&site, &holder, delay()).await {
                        Ok(_) => pause = RENEWAL,
                        Err(_) => pause = RETRY,
                    },
                }
            };
            let ended = Instant::now();
            if let Some(reading) = reading {
                let _ = timeout(READING, reading).await;
            }
            let left = || rest.map(|rest| rest.at_least(delay()).after(ended.elapsed()));
            // Until the site has rested: without an end it would rest for its delay only.
            while slots.end(&site, &holder, left()).await.is_err() {
                if left().is_none_or(|left| left.wait.is_zero()) {
                    return;
                }
                sleep(RETRY).await;
            }
        });
        HeldSlot(ended)
    }

    fn link(&self) -> MutexGuard<'_, Link> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn link_for(&self, delay: Duration) -> LinkState {
        let link = *self.link();
        // Until all members have asked it again, and the site has rested after the visits that they
        // began before.
        let returns = delay.saturating_mul(2).saturating_add(RETURN);
        match link {
            Link {
                down: Some(since), ..
            } => LinkState::Down { since },
            Link {
                back: Some(since), ..
            } if since.elapsed() < returns => LinkState::Back,
            _ => LinkState::Up,
        }
    }

    fn answered(&self, report: &impl Fn(&PaceReport)) {
        let mut link = self.link();
        link.silent = None;
        if link.down.take().is_some() {
            link.back = Some(Instant::now());
            drop(link);
            report(&PaceReport::FleetIsBack);
        }
    }

    fn failed(&self, error: &SlotsError, report: &impl Fn(&PaceReport)) {
        let (mut link, now) = (self.link(), Instant::now());
        // Two failures with nothing between them for long are no silence.
        let last = link.failed.replace(now);
        if last.is_none_or(|last| last.elapsed() > SILENCE) {
            link.silent = None;
        }
        let since = *link.silent.get_or_insert(now);
        if link.down.is_none() && since.elapsed() >= SILENCE {
            link.down = Some(now);
            drop(link);
            report(&PaceReport::Alone {
                error: error.to_string(),
                members: self.fleet.member.of,
            });
        }
    }
}

impl Debug for Fleet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fleet")
            .field("slots", &self.slots)
            .field("member", &self.member)
            .finish_non_exhaustive()
    }
}
