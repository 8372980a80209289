//! Paces that a fleet shares: a day of eight members whose clocks drift and whose server fails, and
//! the rules of slots, which the server's scripts and the model here have to keep.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "small numbers of a simulation"
)]

use abide::Moment;
use abide_fetch::RequestUrl;
use abide_fetch::http::BoxFuture;
use abide_fetch::machine::Field;
use abide_fetch::pace::{
    AboveMax, Fleet, FleetMember, PaceReport, PaceSettings, Pacer, QueueEnd, Rest, SlotAnswer,
    SlotHolder, Slots, SlotsError, TurnError,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

const MEMBERS: u32 = 8;
const DAY: Duration = Duration::from_secs(86_400);
/// By how much the clocks of members differ at most, at the end of the day.
const DRIFT: Duration = Duration::from_millis(700);

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// The server, in memory: what its scripts do, on the clock of the test.
#[derive(Clone, Debug)]
pub(super) struct MemorySlots(Arc<Mutex<Memory>>);

#[derive(Debug)]
struct Memory {
    sites: HashMap<String, Slot>,
    /// Who waits at the front, and until when it may.
    first: HashMap<String, (SlotHolder, Instant)>,
    since: Instant,
    /// When it does not answer.
    silences: Vec<(Instant, Instant)>,
    asked: usize,
}

#[derive(Debug)]
struct Slot {
    free: Instant,
    ended: Instant,
    backoff: Duration,
    holder: Option<SlotHolder>,
}

impl MemorySlots {
    /// A server that has been there for long.
    fn new(silences: Vec<(Instant, Instant)>) -> Self {
        Self(Arc::new(Mutex::new(Memory {
            sites: HashMap::new(),
            first: HashMap::new(),
            since: Instant::now() - DAY,
            silences,
            asked: 0,
        })))
    }

    fn lose_everything(&self) {
        let mut memory = self.0.lock().unwrap();
        memory.sites.clear();
        memory.since = Instant::now();
    }

    async fn reached(&self) -> Result<(), SlotsError> {
        let is_silent = {
            let mut memory = self.0.lock().unwrap();
            memory.asked += 1;
            let now = Instant::now();
            let mut silences = memory.silences.iter();
            silences.any(|(from, to)| (*from..*to).contains(&now))
        };
        if is_silent {
            sleep(ms(20)).await;
            return Err(SlotsError::new("no reply"));
        }
        Ok(())
    }
}

impl Slots for MemorySlots {
    fn take<'a>(
        &'a self,
        site: &'a str,
        holder: &'a SlotHolder,
        delay: Duration,
        place: QueueEnd,
    ) -> BoxFuture<'a, Result<SlotAnswer, SlotsError>> {
        Box::pin(async move {
            self.reached().await?;
            let (mut memory, now) = (self.0.lock().unwrap(), Instant::now());
            let grace = (memory.since + SlotHolder::RENEWAL + delay).duration_since(now);
            let wait = match memory.sites.get(site) {
                None => grace,
                Some(slot) => match &slot.holder {
                    None => slot.free.max(slot.ended + delay).duration_since(now),
                    Some(other) if other == holder => Duration::ZERO,
                    Some(_) if slot.free > now => {
                        let until = (slot.free + delay).duration_since(now);
                        until.min(delay).max(ms(20))
                    }
                    Some(_) => (slot.free + delay.max(slot.backoff)).duration_since(now),
                },
            };
            let is_own =
                memory.sites.get(site).and_then(|slot| slot.holder.as_ref()) == Some(holder);
            let wait = if is_own { wait } else { wait.max(grace) };
            let is_front = place == QueueEnd::Front;
            if !wait.is_zero() {
                if is_front {
                    let until = now + wait + Duration::from_secs(2);
                    let first = (holder.clone(), until);
                    memory.first.insert(site.to_owned(), first);
                }
                return Ok(SlotAnswer::Wait(wait));
            }
            let first = memory.first.get(site).filter(|(_, until)| *until > now);
            let is_late = first.is_some_and(|(first, _)| first != holder);
            if is_late && !is_own && !is_front {
                return Ok(SlotAnswer::Wait(delay.max(ms(20)).min(ms(100))));
            }
            if !is_late {
                memory.first.remove(site);
            }
            let known = memory.sites.get(site);
            let (backoff, ended) = (known.map(|slot| slot.backoff), known.map(|slot| slot.ended));
            let slot = Slot {
                free: now + SlotHolder::LEASE,
                ended: ended.unwrap_or(now - DAY),
                backoff: backoff.unwrap_or_default(),
                holder: Some(holder.clone()),
            };
            memory.sites.insert(site.to_owned(), slot);
            Ok(SlotAnswer::Given { backoff })
        })
    }

    fn keep<'a>(
        &'a self,
        site: &'a str,
        holder: &'a SlotHolder,
        _: Duration,
    ) -> BoxFuture<'a, Result<bool, SlotsError>> {
        Box::pin(async move {
            self.reached().await?;
            let mut memory = self.0.lock().unwrap();
            let slot = memory.sites.entry(site.to_owned()).or_insert(Slot {
                free: Instant::now(),
                ended: Instant::now() - DAY,
                backoff: Duration::ZERO,
                holder: Some(holder.clone()),
            });
            let is_held = slot.holder.as_ref() == Some(holder);
            if is_held {
                slot.free = Instant::now() + SlotHolder::LEASE;
            }
            Ok(is_held)
        })
    }

    fn end<'a>(
        &'a self,
        site: &'a str,
        holder: &'a SlotHolder,
        rest: Option<Rest>,
    ) -> BoxFuture<'a, Result<(), SlotsError>> {
        Box::pin(async move {
            self.reached().await?;
            let (mut memory, now) = (self.0.lock().unwrap(), Instant::now());
            let known = memory.sites.get(site);
            if known.is_none() && rest.is_none() {
                return Ok(());
            }
            let mut free = now + rest.unwrap_or_default().wait;
            if let Some(slot) = known
                && slot.holder.as_ref() != Some(holder)
            {
                if slot.holder.is_some() {
                    return Ok(());
                }
                free = free.max(slot.free);
            }
            let before = known.map_or((now - DAY, Duration::ZERO), |slot| {
                (slot.ended, slot.backoff)
            });
            let (ended, backoff) = rest.map_or(before, |rest| (now, rest.backoff));
            let slot = Slot {
                free,
                ended,
                backoff,
                holder: None,
            };
            memory.sites.insert(site.to_owned(), slot);
            Ok(())
        })
    }
}

async fn wait(slots: &dyn Slots, site: &str, holder: &SlotHolder, delay: u64) -> Duration {
    let slot = slots.take(site, holder, ms(delay), QueueEnd::Back).await;
    match slot.unwrap() {
        SlotAnswer::Wait(wait) => wait,
        given @ SlotAnswer::Given { .. } => panic!("{given:?} of {site}"),
    }
}

async fn given(slots: &dyn Slots, site: &str, holder: &SlotHolder) -> Option<Duration> {
    let slot = slots.take(site, holder, ms(500), QueueEnd::Back).await;
    match slot.unwrap() {
        SlotAnswer::Given { backoff } => backoff,
        waits @ SlotAnswer::Wait(_) => panic!("{waits:?} for {site}"),
    }
}

/// What every server of slots has to keep, if it has been there for long.
pub(super) async fn keeps_the_rules_of_slots(slots: &dyn Slots) {
    let [one, other, third] = [(); 3].map(|()| SlotHolder::random().unwrap());
    // One has it, asks again because an answer was lost, and nobody else gets it meanwhile.
    assert_eq!(given(slots, "a", &one).await, None);
    assert_eq!(given(slots, "a", &one).await, Some(ms(0)));
    assert_eq!(wait(slots, "a", &other, 500).await, ms(500));
    // Without a delay, others look often, but not all the time.
    assert_eq!(wait(slots, "a", &other, 0).await, ms(20));
    assert_eq!(given(slots, "b", &other).await, None, "another site");
    // Whoever does not have it can neither keep nor end it.
    assert!(slots.keep("a", &one, ms(500)).await.unwrap());
    assert!(!slots.keep("a", &other, ms(500)).await.unwrap());
    slots.end("a", &other, None).await.unwrap();
    assert_eq!(wait(slots, "a", &third, 500).await, ms(500));
    // It rests after the end, and the delay after failures goes on.
    let (rest, backoff) = (ms(400), ms(60_000));
    let rests = |wait| Some(Rest { wait, backoff });
    slots.end("a", &one, rests(rest)).await.unwrap();
    // A server may count in milliseconds, and then the end is rounded up.
    let rest = rest + ms(1);
    let left = wait(slots, "a", &other, 1).await;
    assert!(left <= rest, "{left:?}");
    // Whoever ended it may not have known the delay of the site.
    let left = wait(slots, "a", &other, 90_000).await;
    assert!(left > ms(80_000), "{left:?}");
    // A late end of somebody else makes no rest shorter.
    slots.end("a", &third, rests(ms(1))).await.unwrap();
    let left = wait(slots, "a", &other, 1).await;
    assert!(left <= rest && left > ms(1), "{left:?}");
    sleep(ms(510)).await;
    assert_eq!(given(slots, "a", &other).await, Some(backoff));
    // Given back: the next one gets it at once.
    slots.end("a", &other, None).await.unwrap();
    assert_eq!(given(slots, "a", &third).await, Some(backoff));
    // A visit that began before the data was lost is known again.
    assert!(slots.keep("c", &one, ms(500)).await.unwrap());
    assert_eq!(wait(slots, "c", &other, 500).await, ms(500));
    // Whoever has no slot frees nothing.
    slots.end("e", &one, None).await.unwrap();
    slots.end("d", &one, rests(ms(400))).await.unwrap();
    assert!(wait(slots, "d", &other, 1).await <= rest);
    // Whoever asked at the front gets it before those who ask at the back.
    assert_eq!(given(slots, "f", &one).await, None);
    let front = async || slots.take("f", &other, ms(500), QueueEnd::Front).await;
    assert_eq!(front().await, Ok(SlotAnswer::Wait(ms(500))));
    slots.end("f", &one, None).await.unwrap();
    assert_eq!(wait(slots, "f", &third, 500).await, ms(100));
    let is_given = matches!(front().await, Ok(SlotAnswer::Given { .. }));
    assert!(is_given);
    slots.end("f", &other, None).await.unwrap();
    given(slots, "f", &third).await;
}

#[tokio::test(start_paused = true)]
async fn the_model_keeps_the_rules_of_slots() {
    let slots = MemorySlots::new(Vec::new());
    keeps_the_rules_of_slots(&slots).await;
    slots.lose_everything();
    let holder = SlotHolder::random().unwrap();
    let rests = wait(&slots, "a", &holder, 500).await;
    assert_eq!(rests, SlotHolder::RENEWAL + ms(500));
}

/// A visit: when it began and ended.
type Visits = Arc<Mutex<Vec<Vec<(Instant, Instant)>>>>;

/// Visits a site whenever it may until the day is over.
async fn visits(pacer: Pacer, (site, delay): (usize, Duration), seed: u64, visits: Visits) {
    let url = RequestUrl::new(&format!("https://site{site}.example/")).unwrap();
    pacer.set_delay(&url, Some(delay)).unwrap();
    let mut random = seed | 1;
    let over = Instant::now() + DAY;
    while Instant::now() < over {
        let mut visit = pacer.turn(&url).await.unwrap();
        // Xorshift: a visit takes up to a quarter of the delay.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let began = Instant::now();
        sleep(delay.mul_f64((random % 1_000) as f64 / 4_000.0)).await;
        visit.answered(200, &[]);
        visits.lock().unwrap()[site].push((began, Instant::now()));
        drop(visit);
    }
}

/// A pacer whose clock is early or late, and goes faster or slower.
fn member(number: u32, slots: &MemorySlots, reports: &Arc<Mutex<Vec<String>>>) -> Pacer {
    let began = Instant::now();
    let clock = move || {
        let passed = began.elapsed().as_millis() as i64;
        let drift = passed / 86_400 * i64::from(number) * 50 / 1_000 + i64::from(number) * 50;
        let millis = 1_700_000_000_000 + passed + drift;
        Moment::from_unix_seconds(millis / 1_000).with_milliseconds((millis % 1_000) as u16)
    };
    let member = FleetMember::new(number, MEMBERS).unwrap();
    let fleet = Fleet::new(slots.clone(), member).clock(clock);
    let reports = Arc::clone(reports);
    let note = move |report: &PaceReport| reports.lock().unwrap().push(report.to_string());
    Pacer::in_fleet(&PaceSettings::default(), fleet, note)
}

/// A member reads the delay of a site from its robots.txt after the visit of that file. Another one
/// that knows no delay keeps to it too.
#[tokio::test(start_paused = true)]
async fn a_delay_counts_from_the_robots_txt_that_asks_for_it() {
    let slots = MemorySlots::new(Vec::new());
    let reports = Arc::default();
    let [one, other] = [0, 1].map(|number| member(number, &slots, &reports));
    let url = RequestUrl::new("https://site.example/robots.txt").unwrap();
    let mut visit = one.first_turn(&url).await.unwrap();
    visit.answered(200, &[]);
    drop(visit);
    let ended = Instant::now();
    sleep(ms(1_500)).await;
    one.set_delay(&url, Some(Duration::from_secs(10))).unwrap();
    drop(other.first_turn(&url).await.unwrap());
    assert!(
        ended.elapsed() >= Duration::from_secs(10),
        "{:?}",
        ended.elapsed()
    );
}

/// A day of a fleet. All members have work for all sites at every moment. The server is silent for
/// half an hour, loses its data in the afternoon, and fails for moments.
#[tokio::test(start_paused = true)]
async fn no_member_visits_a_site_before_its_delay_has_passed() {
    let sites = std::env::var("ABIDE_SIMULATED_SITES").map_or(20, |sites| sites.parse().unwrap());
    let began = Instant::now();
    let hour = move |hours: u64| began + Duration::from_secs(hours * 3_600);
    let silence = (hour(6), hour(6) + Duration::from_secs(1_800));
    let mut silences = vec![silence];
    silences.extend((0..20).map(|at| (hour(at) + ms(500), hour(at) + ms(1_900))));
    let slots = MemorySlots::new(silences);
    let (log, reports): (Visits, _) = (Visits::default(), Arc::default());
    log.lock().unwrap().resize(sites, Vec::new());
    let delay_of = |site: usize| Duration::from_secs([20, 30, 60, 120, 300][site % 5]);
    let mut tasks = JoinSet::new();
    for number in 0..MEMBERS {
        let pacer = member(number, &slots, &reports);
        for site in 0..sites {
            let seed = (site as u64 * 8 + u64::from(number) + 1) * 0x9E37_79B9;
            tasks.spawn(visits(
                pacer.clone(),
                (site, delay_of(site)),
                seed,
                Arc::clone(&log),
            ));
        }
    }
    let fails = slots.clone();
    tasks.spawn(async move {
        sleep_until(hour(15)).await;
        fails.lose_everything();
    });
    tasks.join_all().await;
    let (mut most, mut total, mut early) = (0.0, 0, Duration::ZERO);
    for (site, visits) in log.lock().unwrap().iter_mut().enumerate() {
        visits.sort_unstable();
        let mut took = Duration::ZERO;
        for pair in visits.windows(2) {
            let ((_, ended), (began, end)) = (pair[0], pair[1]);
            took += end - began;
            let is_alone = began >= silence.0 && began < silence.1 + Duration::from_secs(60);
            let may = if is_alone { DRIFT } else { ms(1) };
            let missing = (ended + delay_of(site)).duration_since(began);
            early = early.max(missing);
            assert!(
                missing <= may,
                "site {site}: {missing:?} early, {:?}",
                began - hour(0)
            );
        }
        total += visits.len();
        let mean = took.as_secs_f64() / visits.len() as f64;
        most += DAY.as_secs_f64() / (delay_of(site).as_secs_f64() + mean);
    }
    let share = total as f64 / most;
    let asked = slots.0.lock().unwrap().asked;
    println!(
        "{sites} sites: {total} visits, {share:.3} of the most, at most {early:?} early, {asked} questions"
    );
    assert!(share > 0.9, "{share}");
    let reports = reports.lock().unwrap();
    let alone = reports
        .iter()
        .filter(|report| report.contains("no longer shared"));
    let back = reports
        .iter()
        .filter(|report| report.contains("answers again"));
    assert_eq!((alone.count(), back.count()), (8, 8), "{reports:?}");
}

/// A server that hears of the end of a visit a moment later than of other questions.
#[derive(Debug)]
struct LateEnds(MemorySlots);

impl Slots for LateEnds {
    fn take<'a>(
        &'a self,
        site: &'a str,
        holder: &'a SlotHolder,
        delay: Duration,
        place: QueueEnd,
    ) -> BoxFuture<'a, Result<SlotAnswer, SlotsError>> {
        self.0.take(site, holder, delay, place)
    }

    fn keep<'a>(
        &'a self,
        site: &'a str,
        holder: &'a SlotHolder,
        delay: Duration,
    ) -> BoxFuture<'a, Result<bool, SlotsError>> {
        self.0.keep(site, holder, delay)
    }

    fn end<'a>(
        &'a self,
        site: &'a str,
        holder: &'a SlotHolder,
        rest: Option<Rest>,
    ) -> BoxFuture<'a, Result<(), SlotsError>> {
        Box::pin(async move {
            sleep(ms(50)).await;
            self.0.end(site, holder, rest).await
        })
    }
}

/// The robots.txt of one member goes before the pages that all others always have for the site.
#[tokio::test(start_paused = true)]
async fn a_robots_txt_goes_before_the_pages_of_all_members() {
    let slots = MemorySlots::new(Vec::new());
    let url = RequestUrl::new("https://a.example/").unwrap();
    let delay = Duration::from_secs(60);
    let mut busy = JoinSet::new();
    for number in 1..MEMBERS {
        let (pacer, url) = (member(number, &slots, &Arc::default()), url.clone());
        pacer.set_delay(&url, Some(delay)).unwrap();
        busy.spawn(async move {
            loop {
                drop(pacer.turn(&url).await.unwrap());
            }
        });
    }
    let own = member(0, &slots, &Arc::default());
    own.set_delay(&url, Some(delay)).unwrap();
    for _ in 0..10 {
        let began = Instant::now();
        drop(own.first_turn(&url).await.unwrap());
        // It is told when the next visit may begin after the one that was in progress.
        let waited = began.elapsed();
        assert!(waited <= delay * 2 + ms(500), "{waited:?}");
        sleep(ms(7_100)).await;
    }
}

/// Whoever is next here asks for the slot when it was given back, not before, and so waits for no
/// delay.
#[tokio::test(start_paused = true)]
async fn a_visit_that_is_given_back_delays_nobody() {
    let slots = LateEnds(MemorySlots::new(Vec::new()));
    let fleet = Fleet::new(slots, FleetMember::new(0, MEMBERS).unwrap());
    let pacer = Pacer::in_fleet(&PaceSettings::default(), fleet, |_| {});
    let url = RequestUrl::new("https://a.example/").unwrap();
    let visit = pacer.turn(&url).await.unwrap();
    let (next, began) = (pacer.clone(), Instant::now());
    let next = tokio::spawn(async move { drop(next.turn(&url).await.unwrap()) });
    tokio::task::yield_now().await;
    visit.give_back();
    next.await.unwrap();
    assert!(began.elapsed() < ms(500), "{:?}", began.elapsed());
}

/// A page that waits for another member is not visited if its site asks for too long a delay by
/// then; its robots.txt is.
#[tokio::test(start_paused = true)]
async fn a_site_that_is_skipped_meanwhile_is_not_visited() {
    let slots = MemorySlots::new(Vec::new());
    let mut settings = PaceSettings::default();
    settings.above_max = AboveMax::Skip;
    let [one, other] = [0, 1].map(|number| {
        let fleet = Fleet::new(slots.clone(), FleetMember::new(number, MEMBERS).unwrap());
        Pacer::in_fleet(&settings, fleet, |_| {})
    });
    let url = RequestUrl::new("https://a.example/").unwrap();
    let visit = one.turn(&url).await.unwrap();
    let (waits, page) = (other.clone(), url.clone());
    let waits = tokio::spawn(async move { waits.turn(&page).await.map(drop) });
    sleep(ms(100)).await;
    other.set_delay(&url, Some(DAY)).unwrap();
    drop(visit);
    let max = settings.max_delay;
    assert_eq!(waits.await.unwrap(), Err(TurnError::TooSlow { max }));
    drop(other.first_turn(&url).await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn whoever_stops_waiting_keeps_no_slot() {
    let slots = MemorySlots::new(Vec::new());
    let [one, other] = [0, 1].map(|number| member(number, &slots, &Arc::default()));
    let url = RequestUrl::new("https://a.example/").unwrap();
    let began = Instant::now();
    let visit = one.turn(&url).await.unwrap();
    let waits = tokio::time::timeout(ms(400), other.turn(&url)).await;
    assert!(waits.is_err());
    visit.give_back();
    tokio::task::yield_now().await;
    drop(other.turn(&url).await.unwrap());
    assert!(began.elapsed() < ms(500), "{:?}", began.elapsed());
    // A delay of a second, whoever visited.
    drop(one.turn(&url).await.unwrap());
    assert!(began.elapsed() >= ms(1_400), "{:?}", began.elapsed());
}

/// A member knows from the server that a site rests for long, whoever was asked to wait.
#[tokio::test(start_paused = true)]
async fn no_member_waits_for_a_long_rest() {
    let slots = MemorySlots::new(Vec::new());
    let mut settings = PaceSettings::default();
    settings.max_rest = ms(300_000);
    let [one, other] = [0, 1].map(|number| {
        let member = FleetMember::new(number, MEMBERS).unwrap();
        Pacer::in_fleet(&settings, Fleet::new(slots.clone(), member), |_| {})
    });
    let url = RequestUrl::new("https://a.example/").unwrap();
    let mut visit = one.turn(&url).await.unwrap();
    let waiting = [0, 1].map(|_| {
        let (other, page) = (other.clone(), url.clone());
        tokio::spawn(async move { other.turn(&page).await.map(drop) })
    });
    sleep(ms(1_000)).await;
    visit.answered(429, &[Field::new("Retry-After", b"3600")]);
    drop(visit);
    for waits in waiting {
        let turn = waits.await.unwrap();
        assert!(
            matches!(turn, Err(TurnError::Rests { rest }) if rest > ms(3_500_000)),
            "{turn:?}"
        );
    }
    assert_eq!(other.waiting(), 0);
    // It is a visit again when it has rested.
    sleep(ms(3_600_000)).await;
    drop(other.turn(&url).await.unwrap());
}

#[test]
fn members_are_numbers_of_a_fleet() {
    for (text, number, of) in [("0/1", 0, 1), ("2/3", 2, 3)] {
        assert_eq!(text.parse(), FleetMember::new(number, of), "{text}");
    }
    for text in ["3/3", "0/0", "+0/3", "0", "/", "0/3/3", "0/4294967296"] {
        assert!(text.parse::<FleetMember>().is_err(), "{text}");
    }
}
