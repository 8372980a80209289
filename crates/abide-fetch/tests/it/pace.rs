//! When visits begin (REP-63): random schedules with a simulated clock, odd input, and tokio's
//! paused time.

use crate::http::{Server, ok, options};
use crate::{at, client, ended};
use abide::Policy;
use abide::rep::{Cause, CrawlDelay};
use abide_fetch::guard::Guard;
use abide_fetch::http::{BoxFuture, Fetcher, PageError, RedirectCheck, Retrieval};
use abide_fetch::machine::{Event, Field, RetrievalSettings, Validators};
use abide_fetch::pace::{
    AboveMax, LongDelay, NextVisit, PaceKey, PaceReport, PaceSettings, Pacer, QueueEnd, Schedule,
    ScheduledVisit, TurnError, VisitResult,
};
use abide_fetch::{Observer, RequestUrl, Resource, Retriever, RobotsCache};
use proptest::prelude::*;
use std::collections::{BTreeMap, VecDeque};
use std::io::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn settings() -> PaceSettings {
    let mut settings = PaceSettings::default();
    settings.min_delay = Duration::ZERO;
    settings
}

/// The visit that begins at `now`.
fn begun<T: std::fmt::Debug>(schedule: &mut Schedule<T>, now: Duration) -> (T, ScheduledVisit) {
    match schedule.next(now) {
        NextVisit::Begin(name, visit) => (name, visit),
        other => panic!("{other:?}"),
    }
}

fn answered(took: Duration) -> VisitResult {
    VisitResult {
        is_answered: Some(true),
        took: Some(took),
        retry_after: None,
    }
}

fn failed() -> VisitResult {
    VisitResult {
        is_answered: Some(false),
        ..VisitResult::default()
    }
}

/// When the next visit to site 1 may begin, after visits that end at once with these results, the
/// last one at the instant that is returned first.
fn after(
    settings: &PaceSettings,
    delay: Duration,
    results: &[VisitResult],
) -> (Duration, Duration) {
    let mut schedule = Schedule::new(settings);
    schedule.set_delay(1, 1, delay, Duration::ZERO).unwrap();
    let mut now = Duration::ZERO;
    for result in results {
        schedule.join(1, (), QueueEnd::Back, now).unwrap();
        now = schedule.next_at().unwrap();
        let ((), visit) = begun(&mut schedule, now);
        schedule.end(visit, result, now);
    }
    schedule.join(1, (), QueueEnd::Back, now).unwrap();
    (now, schedule.next_at().unwrap())
}

/// The delay after these results.
fn delay_after(settings: &PaceSettings, delay: Duration, results: &[VisitResult]) -> Duration {
    let (ended, next) = after(settings, delay, results);
    next.checked_sub(ended).unwrap()
}

#[test]
fn rep_63_the_delay_is_the_longest_of_what_is_asked_for() {
    let quick = answered(ms(10));
    let default = PaceSettings::default();
    for (what, settings, delay, results, is) in [
        ("nothing", &default, s(0), vec![quick], s(1)),
        ("a Crawl-delay", &default, s(7), vec![quick], s(7)),
        (
            "one above the longest",
            &default,
            s(900),
            vec![quick],
            s(300),
        ),
        ("a slow answer", &default, s(0), vec![answered(s(9))], s(9)),
        (
            "one after a slow one",
            &default,
            s(0),
            vec![answered(s(9)), answered(s(1))],
            s(5),
        ),
        (
            "an endless answer",
            &default,
            s(0),
            vec![answered(Duration::MAX)],
            s(300),
        ),
        ("a failure", &default, s(0), vec![failed()], s(2)),
        ("two failures", &default, s(3), vec![failed(); 2], s(12)),
        ("many failures", &default, s(0), vec![failed(); 90], s(300)),
        (
            "an answer afterwards",
            &default,
            s(0),
            vec![failed(), failed(), quick],
            s(2),
        ),
        (
            "answers afterwards",
            &default,
            s(0),
            vec![failed(), failed(), quick, quick, quick],
            s(1),
        ),
        (
            "a failure without a least delay",
            &settings(),
            s(0),
            vec![failed()],
            s(1),
        ),
        (
            "nothing without a least delay",
            &settings(),
            s(0),
            vec![answered(s(0))],
            s(0),
        ),
        (
            "nobody knows",
            &default,
            s(4),
            vec![VisitResult::default()],
            s(4),
        ),
    ] {
        assert_eq!(delay_after(settings, delay, &results), is, "{what}");
    }
}

/// P4: `Retry-After` of a year is a day, and absurd settings can be honoured.
#[test]
fn p4_waits_and_delays_are_bounded() {
    let wait = |wait| VisitResult {
        retry_after: Some(wait),
        ..failed()
    };
    let day = s(86_400);
    let default = PaceSettings::default();
    assert_eq!(delay_after(&default, s(0), &[wait(s(60))]), s(60));
    assert_eq!(delay_after(&default, s(0), &[wait(s(365 * 86_400))]), day);
    assert_eq!(delay_after(&default, s(0), &[wait(Duration::MAX)]), day);
    let mut absurd = PaceSettings::default();
    (absurd.min_delay, absurd.max_delay) = (Duration::MAX, Duration::ZERO);
    assert_eq!(delay_after(&absurd, s(9), &[failed()]), day);
    absurd.above_max = AboveMax::Obey;
    absurd.min_delay = Duration::ZERO;
    assert_eq!(delay_after(&absurd, s(9), &[VisitResult::default()]), s(9));
    assert_eq!(
        delay_after(&absurd, Duration::MAX, &[VisitResult::default()]),
        day
    );
    // Values that are no delay: negative, not a number, endless.
    for text in ["-1", "NaN", "inf", "1e9", ""] {
        assert_eq!(CrawlDelay::read(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn a_long_delay_is_capped_skipped_or_obeyed_and_reported_once() {
    for (above_max, applied) in [
        (AboveMax::Cap, Some(s(300))),
        (AboveMax::Skip, None),
        (AboveMax::Obey, Some(s(900))),
    ] {
        let mut settings = settings();
        settings.above_max = above_max;
        let mut schedule = Schedule::new(&settings);
        let mut set = |delay| schedule.set_delay(1, 1, delay, s(0)).unwrap();
        let asked = s(900);
        assert_eq!(set(s(300)), None);
        let LongDelay {
            asked: told,
            applied: applies,
            ..
        } = set(asked).unwrap();
        assert_eq!((told, applies), (asked, applied));
        assert_eq!(set(asked), None, "the second time");
        let joined = schedule.join(1, "page", QueueEnd::Back, s(0));
        if above_max == AboveMax::Skip {
            assert_eq!(joined, Err(TurnError::TooSlow { max: s(300) }));
            // The robots.txt is visited, or nobody would learn of a shorter delay.
            schedule
                .join(1, "robots.txt", QueueEnd::Front, s(0))
                .unwrap();
            let (_, visit) = begun(&mut schedule, s(0));
            schedule.end(visit, &VisitResult::default(), s(0));
            schedule.set_delay(1, 1, s(5), s(1)).unwrap();
            schedule.join(1, "page", QueueEnd::Back, s(1)).unwrap();
            // Who waits when the site begins to ask for too much is refused, and blocks nobody.
            schedule.set_delay(1, 1, asked, s(2)).unwrap();
            schedule
                .join(1, "robots.txt", QueueEnd::Front, s(2))
                .unwrap();
            let (name, visit) = begun(&mut schedule, s(300));
            assert_eq!(name, "robots.txt");
            schedule.end(visit, &VisitResult::default(), s(300));
            let refused = NextVisit::Refuse("page", TurnError::TooSlow { max: s(300) });
            assert_eq!(schedule.next(s(600)), refused);
        } else {
            assert!(joined.is_ok());
        }
    }
}

/// Two protocols of one host, each with its robots.txt, are one site, which is reported once.
#[test]
fn whoever_shares_a_pace_repeats_no_report() {
    for above_max in [AboveMax::Cap, AboveMax::Skip, AboveMax::Obey] {
        let mut settings = settings();
        settings.above_max = above_max;
        let mut schedule: Schedule<()> = Schedule::new(&settings);
        let mut reports = 0;
        for second in 0..10 {
            for (by, delay) in [(1, s(900)), (2, s(600))] {
                let report = schedule.set_delay(1, by, delay, s(second)).unwrap();
                reports += usize::from(report.is_some());
            }
        }
        assert_eq!(reports, 1, "{above_max:?}");
    }
}

/// A site that says that it asks for no delay has none, also if others were forgotten.
#[test]
fn no_delay_is_remembered_in_a_full_pacer() {
    let mut settings = settings();
    settings.max_sites = 1;
    let mut schedule = Schedule::new(&settings);
    for site in [1, 2] {
        schedule.set_delay(site, 1, s(0), s(0)).unwrap();
        for _ in 0..2 {
            schedule.join(site, site, QueueEnd::Back, s(0)).unwrap();
            let (begun, visit) = begun(&mut schedule, s(0));
            assert_eq!(begun, site);
            schedule.end(visit, &VisitResult::default(), s(0));
        }
    }
}

/// Several origins under one key: none of them is visited sooner than it asks.
#[test]
fn the_longest_delay_under_a_key_counts_until_nobody_waits() {
    let mut schedule = Schedule::new(&settings());
    schedule.set_delay(1, 1, s(10), s(0)).unwrap();
    schedule.set_delay(1, 2, s(2), s(0)).unwrap();
    for name in ["a", "b"] {
        schedule.join(1, name, QueueEnd::Back, s(0)).unwrap();
    }
    let (_, visit) = begun(&mut schedule, s(0));
    schedule.end(visit, &VisitResult::default(), s(0));
    schedule.set_delay(1, 1, s(1), s(1)).unwrap();
    assert_eq!(
        schedule.next_at(),
        Some(s(10)),
        "the second may still be of the first origin"
    );
    let (_, visit) = begun(&mut schedule, s(10));
    schedule.end(visit, &VisitResult::default(), s(10));
    schedule.set_delay(1, 2, s(2), s(25)).unwrap();
    schedule.join(1, "c", QueueEnd::Back, s(25)).unwrap();
    let (_, visit) = begun(&mut schedule, s(25));
    schedule.end(visit, &VisitResult::default(), s(25));
    schedule.join(1, "d", QueueEnd::Back, s(25)).unwrap();
    assert_eq!(schedule.next_at(), Some(s(27)));
    // A site that is alone under its key may ask for less at once.
    schedule.set_delay(2, 1, s(100), s(30)).unwrap();
    schedule.join(2, "e", QueueEnd::Back, s(30)).unwrap();
    schedule.set_delay(2, 1, s(1), s(30)).unwrap();
    let (name, visit) = begun(&mut schedule, s(30));
    schedule.end(visit, &VisitResult::default(), s(30));
    assert_eq!(name, "e");
    schedule.join(2, "f", QueueEnd::Back, s(30)).unwrap();
    assert_eq!(begun(&mut schedule, s(30)).0, "d");
    assert_eq!(schedule.next_at(), Some(s(31)));
}

/// Clocks that jump: nobody stalls, and nobody comes twice.
#[test]
fn a_clock_that_is_set_stalls_nobody_and_causes_no_burst() {
    for jump in [s(0), s(1_000_000), Duration::MAX] {
        let mut schedule = Schedule::new(&settings());
        let began = s(500_000);
        for site in 0..100 {
            schedule.set_delay(site, 1, s(10), began).unwrap();
            for _ in 0..3 {
                schedule.join(site, site, QueueEnd::Back, began).unwrap();
            }
        }
        let mut counts = BTreeMap::new();
        let mut drain = |schedule: &mut Schedule<u64>, now| {
            counts.clear();
            while let NextVisit::Begin(site, visit) = schedule.next(now) {
                schedule.end(visit, &VisitResult::default(), now);
                *counts.entry(site).or_insert(0) += 1;
            }
            assert!(counts.values().all(|count| *count == 1));
            counts.len()
        };
        assert_eq!(drain(&mut schedule, began), 100);
        let forward = jump > began;
        assert_eq!(drain(&mut schedule, jump), if forward { 100 } else { 0 });
        if jump < Duration::MAX {
            // Ten seconds later, whatever the clock shows.
            assert_eq!(schedule.next_at(), Some(jump + s(10)));
            assert_eq!(drain(&mut schedule, jump + ms(9_999)), 0);
            assert_eq!(drain(&mut schedule, jump + s(10)), 100);
        }
    }
}

/// A full schedule says so, forgets only sites whose delay has passed, and stalls nobody.
#[test]
fn a_full_schedule() {
    let mut settings = settings();
    (
        settings.max_sites,
        settings.max_waiting,
        settings.max_waiting_per_site,
    ) = (3, 5, 2);
    let mut schedule = Schedule::new(&settings);
    for site in 0..3 {
        schedule
            .set_delay(site, 1, s(10 * (site + 1)), s(0))
            .unwrap();
        schedule.join(site, site, QueueEnd::Back, s(0)).unwrap();
    }
    let full = Err(TurnError::ManySites { max: 3 });
    assert_eq!(schedule.join(9, 9, QueueEnd::Back, s(0)), full);
    schedule.join(0, 0, QueueEnd::Back, s(0)).unwrap();
    let many = TurnError::ManyWaitingForSite { max: 2 };
    assert_eq!(schedule.join(0, 0, QueueEnd::Back, s(0)), Err(many));
    schedule.join(1, 1, QueueEnd::Back, s(0)).unwrap();
    assert_eq!(
        schedule.join(2, 2, QueueEnd::Back, s(0)),
        Err(TurnError::ManyWaiting { max: 5 })
    );
    while let NextVisit::Begin(_, visit) = schedule.next(s(0)) {
        schedule.end(visit, &VisitResult::default(), s(0));
    }
    for _ in 0..2 {
        let NextVisit::Begin(_, visit) = schedule.next(s(20)) else {
            panic!("none")
        };
        schedule.end(visit, &VisitResult::default(), s(20));
    }
    assert_eq!((schedule.waiting(), schedule.sites()), (0, 3));
    // Site 0 has its delay until 30, site 1 until 40, site 2 until 30.
    assert_eq!(schedule.join(9, 9, QueueEnd::Back, s(29)), full);
    schedule.join(9, 9, QueueEnd::Back, s(30)).unwrap();
    assert_eq!(schedule.sites(), 3);
    // A site that may have been forgotten has the longest delay until somebody says what it asks.
    let (_, visit) = begun(&mut schedule, s(30));
    schedule.end(visit, &VisitResult::default(), s(30));
    schedule.join(9, 9, QueueEnd::Back, s(30)).unwrap();
    assert_eq!(schedule.next_at(), Some(s(330)));
    schedule.set_delay(9, 1, s(0), s(31)).unwrap();
    assert_eq!(schedule.next_at(), Some(s(31)));
    assert_eq!(begun(&mut schedule, s(31)).0, 9);
}

#[test]
fn who_leaves_makes_room_and_order_is_kept() {
    let mut schedule = Schedule::new(&settings());
    let tickets: Vec<_> = (0..5)
        .map(|number| schedule.join(1, number, QueueEnd::Back, s(0)).unwrap())
        .collect();
    assert_eq!(schedule.leave(tickets[2]), Some(2));
    assert_eq!(schedule.leave(tickets[2]), None);
    schedule.join(1, 9, QueueEnd::Front, s(0)).unwrap();
    assert_eq!(schedule.leave(tickets[4]), Some(4));
    schedule.join(1, 5, QueueEnd::Back, s(0)).unwrap();
    assert_eq!(schedule.leave(tickets[2]), None, "another has its place");
    let mut order = Vec::new();
    while let NextVisit::Begin(number, visit) = schedule.next(s(0)) {
        order.push(number);
        schedule.end(visit, &VisitResult::default(), s(0));
    }
    assert_eq!(order, [9, 0, 1, 3, 5]);
    assert_eq!(schedule.waiting(), 0);
    // A visit that did not take place costs no delay.
    schedule.set_delay(1, 1, s(100), s(1)).unwrap();
    schedule.join(1, 6, QueueEnd::Back, s(1)).unwrap();
    schedule.join(1, 7, QueueEnd::Back, s(1)).unwrap();
    let NextVisit::At(due) = schedule.next(s(1)) else {
        panic!("too soon")
    };
    let (_, visit) = begun(&mut schedule, due);
    schedule.unused(visit);
    assert_eq!(begun(&mut schedule, due).0, 7);
}

/// One site of a random schedule: its delay, and how long each visit takes.
#[derive(Clone, Debug)]
struct RandomSite {
    delay: u64,
    visits: Vec<u64>,
}

fn random_sites() -> impl Strategy<Value = Vec<RandomSite>> {
    let site = (0..5_000_u64, prop::collection::vec(0..3_000_u64, 1..12));
    let site = site.prop_map(|(delay, visits)| RandomSite { delay, visits });
    prop::collection::vec(site, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    /// No site is visited sooner than its delay after the end of the last answer, or twice at once.
    /// Each is visited in order, and as soon as its delay allows: no site waits for another.
    #[test]
    fn random_schedules_keep_every_delay_and_lose_no_time(sites in random_sites()) {
        let mut schedule = Schedule::new(&settings());
        for (number, site) in (0_u64..).zip(&sites) {
            schedule.set_delay(number, 1, ms(site.delay), s(0)).unwrap();
            for visit in 0..site.visits.len() {
                schedule.join(number, (number, visit), QueueEnd::Back, s(0)).unwrap();
            }
        }
        let mut now = 0;
        let mut open: Vec<(u64, u64, ScheduledVisit)> = Vec::new();
        let mut expected: Vec<(usize, u64)> = vec![(0, 0); sites.len()];
        loop {
            let next = loop {
                match schedule.next(ms(now)) {
                    NextVisit::Begin((site, visit), begun) => {
                        let index = usize::try_from(site).unwrap();
                        let (order, due) = expected[index];
                        prop_assert_eq!((visit, now), (order, due));
                        prop_assert!(open.iter().all(|(_, other, _)| *other != site));
                        let ends = now + sites[index].visits[visit];
                        expected[index] = (order + 1, u64::MAX);
                        open.push((ends, site, begun));
                    }
                    NextVisit::At(next) => break Some(u64::try_from(next.as_millis()).unwrap()),
                    NextVisit::Nobody => break None,
                    NextVisit::Refuse(..) => panic!("nobody is refused"),
                }
            };
            let ends = open.iter().map(|(ends, ..)| *ends).min();
            let Some(then) = next.into_iter().chain(ends).min() else { break };
            now = then;
            let (ended, left): (Vec<_>, Vec<_>) =
                open.into_iter().partition(|(ends, ..)| *ends <= now);
            open = left;
            for (_, site, visit) in ended {
                // What an answer took would slow down the next one.
                schedule.end(visit, &VisitResult::default(), ms(now));
                let index = usize::try_from(site).unwrap();
                expected[index].1 = now + sites[index].delay;
            }
        }
        for (site, (visits, _)) in sites.iter().zip(&expected) {
            prop_assert_eq!(site.visits.len(), *visits);
        }
        prop_assert_eq!(schedule.waiting(), 0);
    }

    /// Whatever is asked in whatever order, by whatever clock: a site has one visit at a time, none
    /// begins before its delay by a clock that is not set, and nothing is lost.
    #[test]
    fn random_calls_lose_nobody(calls in prop::collection::vec((0..6_u8, 0..8_u64, 0..2_000_u64), 1..200)) {
        let mut settings = settings();
        settings.max_sites = 6;
        let mut schedule = Schedule::new(&settings);
        let (mut now, mut joined, mut done, mut tickets) = (0, 0, 0, Vec::new());
        let mut open: VecDeque<(u64, ScheduledVisit)> = VecDeque::new();
        let mut delays: BTreeMap<u64, u64> = BTreeMap::new();
        // When each visit ended, and until when its site has a delay.
        let mut until: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
        for (call, site, number) in calls {
            now += number / 4;
            match call {
                0 => {
                    if schedule.set_delay(site, 1, ms(number), ms(now)).is_ok() {
                        delays.insert(site, number);
                        // A delay that has passed may have been forgotten.
                        until.entry(site).and_modify(|(ended, until)| {
                            if now < *until {
                                *until = *ended + number;
                            }
                        });
                    }
                }
                1 | 2 => {
                    let place = if call == 1 { QueueEnd::Back } else { QueueEnd::Front };
                    if let Ok(ticket) = schedule.join(site, site, place, ms(now)) {
                        joined += 1;
                        tickets.push(ticket);
                    }
                }
                3 => {
                    let left = tickets.pop().and_then(|ticket| schedule.leave(ticket));
                    done += usize::from(left.is_some());
                }
                4 => {
                    if let Some((site, visit)) = open.pop_front() {
                        schedule.end(visit, &VisitResult::default(), ms(now));
                        until.insert(site, (now, now + delays.get(&site).copied().unwrap_or(0)));
                    }
                }
                _ => {
                    while let NextVisit::Begin(site, visit) = schedule.next(ms(now)) {
                        prop_assert!(open.iter().all(|(other, _)| *other != site));
                        if let Some((ended, until)) = until.get(&site) {
                            prop_assert!(now >= *until, "{now} {ended} {until}");
                        }
                        done += 1;
                        open.push_back((site, visit));
                    }
                }
            }
            prop_assert_eq!(schedule.waiting(), joined - done);
            prop_assert!(schedule.sites() <= 6);
        }
    }
}

// The pacer.

fn url(text: &str) -> RequestUrl {
    RequestUrl::new(text).unwrap()
}

fn paced() -> Pacer {
    Pacer::new(&settings())
}

#[tokio::test(start_paused = true)]
async fn turns_begin_after_the_end_of_the_last_visit_in_order() {
    let (pacer, began) = (paced(), Instant::now());
    let page = url("https://a.example/x");
    pacer.set_delay(&page, Some(s(5))).unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..4_u64 {
        let (pacer, page) = (pacer.clone(), page.clone());
        tasks.spawn(async move {
            let visit = pacer.turn(&page).await.unwrap();
            let turn = began.elapsed();
            tokio::time::sleep(s(2)).await;
            drop(visit);
            (number, turn)
        });
        tokio::task::yield_now().await;
    }
    // Another site does not wait, nor does another key of the same kind.
    drop(pacer.turn(&url("https://b.example/")).await.unwrap());
    assert_eq!(began.elapsed(), s(0));
    let mut turns = tasks.join_all().await;
    turns.sort_unstable();
    // The visits say nothing of how they went, so their two seconds slow nobody down.
    assert_eq!(turns, [(0, s(0)), (1, s(7)), (2, s(14)), (3, s(21))]);
    assert_eq!((pacer.waiting(), pacer.sites()), (0, 2));
}

#[tokio::test(start_paused = true)]
async fn how_long_a_visit_would_wait() {
    let (pacer, page) = (paced(), url("https://a.example/"));
    assert_eq!(pacer.wait(&page), s(0));
    pacer.set_delay(&page, Some(s(5))).unwrap();
    assert_eq!(pacer.wait(&page), s(0));
    let visit = pacer.turn(&page).await.unwrap();
    assert_eq!(pacer.wait(&page), s(5));
    assert!(pacer.turn(&page).now_or_never().is_none());
    assert_eq!(visit.end(), s(5));
    tokio::time::sleep(s(2)).await;
    assert_eq!(pacer.wait(&page), s(3));
    let visit = pacer.turn(&page).await.unwrap();
    visit.give_back();
    assert_eq!(pacer.wait(&page), s(0));
}

#[tokio::test(start_paused = true)]
async fn whoever_stops_waiting_leaves_no_trace() {
    let pacer = paced();
    let page = url("https://a.example/");
    let visit = pacer.turn(&page).await.unwrap();
    for _ in 0..100 {
        let turn = tokio::time::timeout(ms(10), pacer.turn(&page)).await;
        assert!(turn.is_err());
    }
    assert_eq!(pacer.waiting(), 0);
    drop(visit);
    // The next one comes when the first one would have.
    pacer.set_delay(&page, Some(s(60))).unwrap();
    let began = Instant::now();
    let given = {
        let (pacer, page) = (pacer.clone(), page.clone());
        tokio::spawn(async move { pacer.turn(&page).await.map(drop) })
    };
    tokio::time::sleep(s(59)).await;
    given.abort();
    drop(pacer.turn(&page).await.unwrap());
    assert_eq!(began.elapsed(), s(60));
    // A visit that is given back costs no delay either.
    let visit = pacer.turn(&page).await.unwrap();
    assert_eq!(began.elapsed(), s(120));
    visit.give_back();
    drop(pacer.turn(&page).await.unwrap());
    assert_eq!(began.elapsed(), s(120));
}

/// RFC 9110, 10.2.3: seconds or a date, of status 429 and 503.
#[tokio::test(start_paused = true)]
async fn retry_after_is_honoured_and_a_long_one_is_reported() {
    let reports: Arc<Mutex<Vec<String>>> = Arc::default();
    let noted = Arc::clone(&reports);
    let note = move |report: &PaceReport| noted.lock().unwrap().push(report.to_string());
    let pacer = Pacer::with_observer(&settings(), note);
    let page = url("https://a.example/");
    for (status, value, least, most) in [
        (429, "90", 90, 90),
        (503, "Fri, 01 Jan 2100 00:00:00 GMT", 86_400, 86_400),
        (503, "99999999999999999999", 86_400, 86_400),
        (503, "-5", 1, 300),
        (503, "Sun, 06 Nov 1994 08:49:37 GMT", 1, 300),
        (200, "90", 0, 300),
    ] {
        let mut visit = pacer.turn(&page).await.unwrap();
        visit.answered(status, &[Field::new("Retry-After", value.as_bytes())]);
        drop(visit);
        let began = Instant::now();
        pacer.turn(&page).await.unwrap().give_back();
        let waited = began.elapsed().as_secs();
        assert!(
            waited >= least && waited <= most,
            "{status} {value}: {waited:?}"
        );
    }
    let reports = reports.lock().unwrap();
    assert_eq!(reports.len(), 2, "{reports:?}");
    assert!(
        reports[1].starts_with("a.example asks not to come back for "),
        "{reports:?}"
    );
    assert!(reports[1].ends_with(" s (Retry-After). It is visited again after 86400 s"));
}

#[tokio::test(start_paused = true)]
async fn keys_share_a_pace() {
    for (key, first, second, waits) in [
        (
            PaceKey::Origin,
            "http://www.a.example/",
            "https://www.a.example/",
            false,
        ),
        (
            PaceKey::Origin,
            "http://a.example/x",
            "http://A.example:80/y",
            true,
        ),
        (
            PaceKey::Host,
            "http://www.a.example/",
            "https://www.a.example:8443/",
            true,
        ),
        (
            PaceKey::Host,
            "http://www.a.example/",
            "http://a.example/",
            false,
        ),
        (
            PaceKey::Domain,
            "http://www.a.example/",
            "http://a.example/",
            true,
        ),
        (PaceKey::Domain, "http://a.co.uk/", "http://b.co.uk/", false),
        (
            PaceKey::Address,
            "http://a.example/",
            "http://b.example/",
            true,
        ),
    ] {
        let mut settings = settings();
        settings.key = key;
        let pacer = Pacer::new(&settings);
        let (first, second) = (url(first), url(second));
        pacer.set_delay(&first, Some(s(5))).unwrap();
        let began = Instant::now();
        let address = std::net::IpAddr::from([192, 0, 2, 1]);
        drop(pacer.turn_at(&first, address).await.unwrap());
        drop(pacer.turn_at(&second, address).await.unwrap());
        let is = if waits { s(5) } else { s(0) };
        assert_eq!(began.elapsed(), is, "{key:?} {first} {second}");
    }
}

/// A pacer outlives every runtime.
#[test]
fn a_runtime_may_end() {
    let runtime = || {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_time().build().unwrap()
    };
    let (pacer, page) = (paced(), url("https://a.example/"));
    pacer.set_delay(&page, Some(ms(50))).unwrap();
    let first = runtime();
    first.block_on(async {
        drop(pacer.turn(&page).await.unwrap());
        let turn = tokio::time::timeout(ms(1), pacer.turn(&page)).await;
        assert!(turn.is_err());
        // Its task still waits for another visit.
        let (pacer, page) = (pacer.clone(), page.clone());
        tokio::spawn(async move { drop(pacer.turn(&page).await) });
        tokio::task::yield_now().await;
    });
    let visit = runtime().block_on(async {
        let ends = async {
            tokio::task::yield_now().await;
            first.shutdown_background();
        };
        tokio::join!(pacer.turn(&page), ends).0.unwrap()
    });
    // Outside every runtime.
    drop(visit);
    runtime().block_on(async { drop(pacer.turn(&page).await.unwrap()) });
}

/// A runtime that does nothing, although visits wait in it, keeps nobody else from other sites.
#[test]
fn an_idle_runtime_stops_no_other_one() {
    let runtime = || {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_time().build().unwrap()
    };
    let (pacer, idle) = (paced(), runtime());
    let (first, second) = (url("https://a.example/"), url("https://b.example/"));
    for page in [&first, &second] {
        pacer.set_delay(page, Some(ms(20))).unwrap();
        idle.block_on(async { drop(pacer.turn(page).await.unwrap()) });
    }
    idle.block_on(async {
        let (pacer, page) = (pacer.clone(), first.clone());
        tokio::spawn(async move { drop(pacer.turn(&page).await) });
        tokio::task::yield_now().await;
    });
    assert_eq!(pacer.waiting(), 1);
    runtime().block_on(async {
        let turns = async {
            for _ in 0..3 {
                drop(pacer.turn(&second).await.unwrap());
            }
        };
        tokio::time::timeout(s(60), turns).await.unwrap();
    });
    // When the other one ends, its visits leave.
    idle.shutdown_background();
    runtime().block_on(async { drop(pacer.turn(&first).await.unwrap()) });
}

/// The first of a queue may leave it, and a delay may become shorter or longer while it waits.
#[tokio::test(start_paused = true)]
async fn who_waits_hears_of_every_change() {
    let (pacer, began, page) = (paced(), Instant::now(), url("https://a.example/"));
    pacer.set_delay(&page, Some(s(100))).unwrap();
    drop(pacer.turn(&page).await.unwrap());
    let queue = |name| {
        let (pacer, page) = (pacer.clone(), page.clone());
        tokio::spawn(async move {
            drop(pacer.turn(&page).await.unwrap());
            (name, began.elapsed())
        })
    };
    let (leaves, second, third) = (queue("first"), queue("second"), queue("third"));
    tokio::time::sleep(s(1)).await;
    leaves.abort();
    tokio::time::sleep(s(1)).await;
    pacer.set_delay(&page, Some(s(10))).unwrap();
    tokio::time::sleep(s(1)).await;
    pacer.set_delay(&page, Some(s(20))).unwrap();
    assert_eq!(second.await.unwrap(), ("second", s(20)));
    pacer.set_delay(&page, Some(s(5))).unwrap();
    assert_eq!(third.await.unwrap(), ("third", s(25)));
}

/// A robots.txt waits for its turn, but not for a visit that nobody ends, nor for a `Retry-After`
/// of hours: whoever needs it hears that there was none.
#[tokio::test(start_paused = true)]
async fn a_robots_txt_does_not_wait_for_ever() {
    let (pacer, page) = (paced(), url("https://a.example/"));
    let robots = RobotsCache::with_retriever(client(), Site::new("User-agent: *\nDisallow: /x\n"))
        .clock(|| at(0))
        .pacer(pacer.clone())
        .build();
    let mut visit = pacer.turn(&page).await.unwrap();
    let began = Instant::now();
    // The caller keeps its visit, and asks for the file of the same site.
    assert_eq!(robots.allows("https://a.example/").await, None);
    assert_eq!(began.elapsed(), s(300));
    visit.answered(503, &[Field::new("Retry-After", b"7200")]);
    drop(visit);
    let began = Instant::now();
    assert_eq!(pacer.first_turn(&page).await.unwrap_err(), TurnError::Late);
    assert_eq!(
        robots.turn("https://a.example/").await.unwrap_err(),
        TurnError::NoRobotsTxt
    );
    assert_eq!(began.elapsed(), s(0));
    assert_eq!(pacer.waiting(), 0);
    tokio::time::sleep(s(7200)).await;
    assert!(robots.allows("https://a.example/").await.is_some());
}

/// A visit waits for its place in a queue, but not for a rest that is longer than the operator
/// lets it wait, whether that begins before or after it comes.
#[tokio::test(start_paused = true)]
async fn nobody_waits_for_a_long_rest() {
    let mut settings = PaceSettings::default();
    settings.max_rest = s(60);
    let (pacer, page) = (Pacer::new(&settings), url("https://a.example/"));
    pacer.set_delay(&page, Some(s(50))).unwrap();
    let took = async |pacer: &Pacer| {
        let began = Instant::now();
        drop(pacer.turn(&page).await?);
        Ok::<_, TurnError>(began.elapsed())
    };
    let turns = tokio::join!(took(&pacer), took(&pacer), took(&pacer));
    assert_eq!(turns, (Ok(s(0)), Ok(s(50)), Ok(s(100))));
    let mut visit = pacer.turn(&page).await.unwrap();
    let (waits, other) = (took(&pacer), took(&pacer));
    let answer = async {
        tokio::time::sleep(s(1)).await;
        visit.answered(503, &[Field::new("Retry-After", b"7200")]);
        visit.end()
    };
    let rests = Err(TurnError::Rests { rest: s(7_200) });
    assert_eq!(tokio::join!(waits, other, answer), (rests, rests, s(7_200)));
    assert_eq!(took(&pacer).await, rests);
    // A robots.txt has its own limit, and other sites do not rest.
    assert_eq!(pacer.first_turn(&page).await.unwrap_err(), TurnError::Late);
    drop(pacer.turn(&url("https://b.example/")).await.unwrap());
    assert_eq!(pacer.waiting(), 0);
    tokio::time::sleep(s(7_150)).await;
    assert_eq!(took(&pacer).await, Ok(s(50)));
}

/// A retriever that sends through what takes turns itself.
struct TakesTurns(Pacer, Mutex<Vec<Duration>>, Instant);

impl Retriever for TakesTurns {
    fn retrieve<'a>(&'a self, text: &'a str, _: &'a Validators) -> BoxFuture<'a, Retrieval> {
        Box::pin(async move {
            drop(self.0.turn(&url(text)).await.unwrap());
            self.1.lock().unwrap().push(self.2.elapsed());
            Retrieval::new(Event::file("", &[], at(0)))
        })
    }

    fn retrieve_document<'a>(
        &'a self,
        text: &'a str,
        validators: &'a Validators,
        check: &'a dyn RedirectCheck,
    ) -> BoxFuture<'a, Retrieval> {
        Box::pin(async move {
            self.retrieve(text, validators).await;
            let next = url("http://a.example/next");
            assert!(check.may_follow(&next).await);
            self.retrieve(next.as_str(), validators).await
        })
    }
}

/// Asks for a turn at the site itself, as a check does that has to fetch a robots.txt.
struct Asks<'p>(&'p Pacer);

impl RedirectCheck for Asks<'_> {
    fn may_follow<'a>(&'a self, to: &'a RequestUrl) -> BoxFuture<'a, bool> {
        Box::pin(async move {
            drop(self.0.first_turn(to).await.unwrap());
            true
        })
    }
}

/// What a retrieval sends through an adapter is part of its visit, and a redirect is another visit.
#[tokio::test(start_paused = true)]
async fn a_retrieval_does_not_wait_for_itself() {
    let pacer = paced();
    pacer
        .set_delay(&url("https://a.example/"), Some(s(7)))
        .unwrap();
    let retriever = TakesTurns(pacer.clone(), Mutex::default(), Instant::now());
    let (validators, check) = (Validators::default(), Asks(&pacer));
    let document = "https://a.example/document";
    let robots_txt = "https://a.example/robots.txt";
    for (url, check) in [(document, Some(&check as _)), (robots_txt, None)] {
        let outcome = retriever.retrieve_paced(url, &validators, check, &pacer);
        assert!(!outcome.await.is_local);
    }
    let visits = retriever.1.lock().unwrap();
    assert_eq!(*visits, [s(0), s(14), s(21)]);
}

/// A visit may end on a thread without a runtime while others wait.
#[test]
fn a_visit_may_end_outside_a_runtime() {
    let (pacer, page) = (paced(), url("https://a.example/"));
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_time().build().unwrap();
    runtime.block_on(async {
        let visit = pacer.turn(&page).await.unwrap();
        let ends = async {
            tokio::task::yield_now().await;
            std::thread::spawn(move || drop(visit)).join().unwrap();
        };
        drop(tokio::join!(pacer.turn(&page), ends).0.unwrap());
    });
}

/// However many threads ask, time does not pass faster than the clock.
#[test]
fn threads_do_not_hurry_the_clock() {
    let (pacer, page) = (paced(), url("https://a.example/"));
    pacer.set_delay(&page, Some(ms(300))).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_time().build().unwrap();
    let begun = runtime.block_on(async {
        drop(pacer.turn(&page).await.unwrap());
        let begun = std::time::Instant::now();
        let asks = (0..4).map(|thread| {
            let pacer = pacer.clone();
            std::thread::spawn(move || {
                let other = url(&format!("https://s{thread}.example/"));
                while begun.elapsed() < ms(250) {
                    pacer.set_delay(&other, Some(ms(10))).unwrap();
                }
            })
        });
        let asks: Vec<_> = asks.collect();
        drop(pacer.turn(&page).await.unwrap());
        for ask in asks {
            ask.join().unwrap();
        }
        begun
    });
    assert!(begun.elapsed() >= ms(300));
}

// The cache.

/// A site whose robots.txt is this file; it notes when it is asked for what.
#[derive(Clone)]
struct Site(&'static str, Arc<Mutex<Vec<Duration>>>, Instant);

impl Site {
    fn new(file: &'static str) -> Self {
        Self(file, Arc::default(), Instant::now())
    }

    fn asked(&self) -> Vec<Duration> {
        self.1.lock().unwrap().clone()
    }
}

impl Retriever for Site {
    fn retrieve<'a>(&'a self, _: &'a str, _: &'a Validators) -> BoxFuture<'a, Retrieval> {
        self.1.lock().unwrap().push(self.2.elapsed());
        let event = match self.0 {
            "" => Event::failure(Cause::Status(503), at(0)),
            file => Event::file(file, &[], at(0)),
        };
        Box::pin(async { Retrieval::new(event) })
    }
}

/// REP-63: the robots.txt is a visit, and the delay that it asks for applies from then on.
#[tokio::test(start_paused = true)]
async fn the_cache_takes_turns_and_sets_delays() {
    let reports: Arc<Mutex<Vec<String>>> = Arc::default();
    let noted = Arc::clone(&reports);
    let note = move |report: &PaceReport| noted.lock().unwrap().push(report.to_string());
    let pacer = Pacer::with_observer(&PaceSettings::default(), note);
    let site = Site::new("User-agent: *\nDisallow: /x\nCrawl-delay: 4\nRequest-rate: 1/9\n");
    let robots = RobotsCache::with_retriever(client(), site.clone())
        .clock(|| at(0))
        .pacer(pacer.clone())
        .build();
    let began = Instant::now();
    for (link, waited) in [("/a", 4), ("/b", 8), ("/x", 8), ("/c", 12)] {
        let turn = robots
            .turn(&format!("https://a.example{link}"))
            .await
            .unwrap();
        assert_eq!(turn.is_some(), link != "/x");
        assert_eq!(began.elapsed(), s(waited), "{link}");
    }
    assert_eq!(site.asked(), [s(0)]);
    let rate = "https://a.example has Request-rate in line 4 of its robots.txt. The pacer does not honour it";
    assert_eq!(*reports.lock().unwrap(), [rate]);
    // The same host by another scheme: its robots.txt waits, before the pages that wait.
    let visit = robots.turn("https://a.example/d").await.unwrap();
    assert!(robots.turn("http://a.example/x").now_or_never().is_none());
    drop(visit);
    assert_eq!(
        robots.turn("no URL").await.unwrap().map(|(url, _)| url),
        None
    );
    let without = RobotsCache::with_retriever(client(), site).build();
    assert_eq!(
        without.turn("https://a.example/").await.unwrap_err(),
        TurnError::NoPacer
    );
}

trait NowOrNever: Future + Sized {
    fn now_or_never(self) -> Option<Self::Output> {
        let mut work = std::pin::pin!(self);
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match work.as_mut().poll(&mut context) {
            std::task::Poll::Ready(result) => Some(result),
            std::task::Poll::Pending => None,
        }
    }
}

impl<F: Future> NowOrNever for F {}

/// Notes which URLs were refused.
struct Refused(Arc<Mutex<Vec<String>>>);

impl Observer for Refused {
    fn refused(&self, url: &str, _: &Policy) {
        self.0.lock().unwrap().push(url.to_owned());
    }
}

/// A failing robots.txt slows its site down, and a full pacer is no failure of the site.
#[tokio::test(start_paused = true)]
async fn failures_of_a_robots_txt_count_and_a_full_pacer_is_local() {
    let mut settings = PaceSettings::default();
    settings.max_sites = 1;
    let pacer = Pacer::new(&settings);
    let site = Site::new("");
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let robots = RobotsCache::with_retriever(client(), site.clone())
        .pacer(pacer.clone())
        .observer(Refused(Arc::clone(&heard)))
        .build();
    let rules = robots.site_rules("https://a.example/").await;
    assert!(!rules.policy.allows("https://a.example/") && !rules.is_local);
    let began = Instant::now();
    let rules = robots.site_rules("https://b.example/").await;
    assert!(!rules.policy.allows("https://b.example/") && rules.is_local);
    // Only the site that failed is said to refuse anything.
    for link in ["https://a.example/1", "https://b.example/2"] {
        assert_eq!(robots.allows(link).await, None);
    }
    assert_eq!(
        robots.turn("https://a.example/3").await.unwrap().map(drop),
        None
    );
    let turn = robots.turn("https://b.example/4").await;
    assert_eq!(turn.unwrap_err(), TurnError::NoRobotsTxt);
    let refused = ["https://a.example/1", "https://a.example/3"];
    assert_eq!(*heard.lock().unwrap(), refused);
    assert_eq!((site.asked().len(), began.elapsed()), (1, s(0)));
    drop(pacer.turn(&url("https://a.example/")).await.unwrap());
    assert_eq!(began.elapsed(), s(2), "twice the delay of a second");
}

/// The rules that expire while a visit waits are fetched again before it.
#[tokio::test(start_paused = true)]
async fn rules_that_expire_in_the_queue_are_asked_for_again() {
    let site = Site::new("User-agent: *\nCrawl-delay: 300\n");
    let began = Instant::now();
    let clock = move || at(i64::try_from(began.elapsed().as_secs()).unwrap());
    let mut settings = abide_fetch::machine::RetrievalSettings::default();
    settings.max_lifetime = s(400);
    let robots = RobotsCache::with_retriever(client(), site.clone())
        .settings(settings)
        .clock(clock)
        .pacer(Pacer::default())
        .build();
    for _ in 0..4 {
        let turn = robots.turn("https://a.example/").await.unwrap();
        assert!(turn.is_some());
    }
    let asked = site.asked();
    assert!(asked.len() >= 3, "{asked:?}");
}

#[derive(Default)]
struct Unpaced(Arc<Mutex<Vec<String>>>);

impl Observer for Unpaced {
    fn unpaced(&self, resource: &Resource, delay: CrawlDelay) {
        self.0.lock().unwrap().push(format!("{resource} {delay}"));
    }
}

/// A delay that nothing honours is reported once per site.
#[tokio::test(start_paused = true)]
async fn a_cache_without_a_pacer_says_so_once_per_site() {
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let robots =
        RobotsCache::with_retriever(client(), Site::new("User-agent: *\nCrawl-delay: 2.5\n"))
            .clock(|| at(0))
            .observer(Unpaced(Arc::clone(&heard)))
            .build();
    for _ in 0..3 {
        for client in [robots.clone(), robots.for_client(client())] {
            drop(client.for_url("https://a.example/").await);
        }
    }
    drop(robots.for_url("https://b.example/").await);
    assert_eq!(
        *heard.lock().unwrap(),
        ["https://a.example 2.5", "https://b.example 2.5"]
    );
}

/// A page and the targets of its redirects are visits, each after the delay of the site.
#[test]
fn a_page_and_its_redirects_are_visits() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&asked);
    let server = Server::new(move |stream, head| {
        noted.lock().unwrap().push(std::time::Instant::now());
        let answer = if head.starts_with("GET /a ") {
            "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n".to_owned()
        } else {
            ok("page")
        };
        drop(stream.write_all(answer.as_bytes()));
    });
    let mut settings = PaceSettings::default();
    settings.min_delay = Duration::from_millis(300);
    settings.above_max = AboveMax::Skip;
    let pacer = Pacer::new(&settings);
    let fetcher = Fetcher::new(Guard::open(), options(), RetrievalSettings::default()).unwrap();
    let url = RequestUrl::new(&server.url("/a")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        for _ in 0..2 {
            let page = fetcher.paced_page(&url, 1_024, |_| true, &pacer);
            assert_eq!(ended(page).await.unwrap().body, b"page");
        }
        pacer
            .set_delay(&url, Some(Duration::from_secs(301)))
            .unwrap();
        let page = fetcher.paced_page(&url, 1_024, |_| true, &pacer);
        let error = ended(page).await.unwrap_err();
        assert!(
            matches!(error, PageError::NoTurn(TurnError::TooSlow { .. })),
            "{error:?}"
        );
    });
    let asked = asked.lock().unwrap();
    assert_eq!(asked.len(), 4);
    assert!(
        asked
            .windows(2)
            .all(|pair| pair[1] - pair[0] >= settings.min_delay)
    );
}
