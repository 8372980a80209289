//! The rules that apply after any history, compared with an oracle that replays the whole history
//! for every question and shares no code with the machine.

use crate::{at, client};
use abide::Moment;
use abide::rep::{Cause, RetrievalState};
use abide_fetch::Body;
use abide_fetch::machine::{
    CurrentRules, Event, Field, NextFetch, ResponseTimes, RetrievalSettings, State, StatusClass,
    outcome_of,
};
use proptest::prelude::*;

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// An event at a site.
#[derive(Clone, Debug)]
enum Happened {
    /// A file that is fresh for this many seconds.
    File(u8, Option<u64>),
    /// A 304 without fields.
    NotModified,
    Missing,
    Failed,
}

/// Times, each with the event that happened then.
type History = Vec<(i64, Happened)>;

fn event(happened: &Happened, came: i64, settings: &RetrievalSettings) -> Event<Body> {
    let response = |status: u16, fresh: Option<u64>, body: Vec<u8>| {
        let value = fresh.map(|seconds| format!("max-age={seconds}"));
        let fields: Vec<_> = value
            .iter()
            .map(|value| Field::new("Cache-Control", value.as_bytes()))
            .collect();
        Event::response(status, &fields, body, ResponseTimes::at(at(came)), settings)
            .with_body(Body::new)
    };
    match happened {
        Happened::File(number, fresh) => response(200, *fresh, vec![*number]),
        Happened::NotModified => response(304, None, Vec::new()),
        Happened::Missing => response(404, None, Vec::new()),
        Happened::Failed => Event::failure(Cause::Timeout, at(came)),
    }
}

fn state(history: &[(i64, Happened)], settings: &RetrievalSettings) -> State<Body> {
    history
        .iter()
        .fold(State::default(), |state: State<Body>, (came, happened)| {
            state.after(event(happened, *came, settings), settings)
        })
}

/// The result that RFC 9309, 2.3 and 2.4, and the table of the requirements demand.
#[derive(Debug, PartialEq, Eq)]
enum Oracle {
    File(u8),
    AllowAll,
    DisallowAll,
    Unknown,
}

/// Replays `history` up to `now`, with lists instead of states.
fn oracle(history: &[(i64, Happened)], now: i64) -> Oracle {
    let mut answers: Vec<(i64, Option<u8>, i64)> = Vec::new();
    // The first and the last failure of an outage without a gap of more than a day.
    let mut failing: Option<(i64, i64)> = None;
    let is_near = |last: i64, next: i64| next <= last + DAY + 300;
    for (came, happened) in history.iter().filter(|(came, _)| *came <= now) {
        let lifetime = |fresh: Option<u64>| {
            let seconds = i64::try_from(fresh.unwrap_or(86_400)).unwrap();
            seconds.clamp(300, DAY)
        };
        match (happened, answers.last().copied()) {
            (Happened::File(number, fresh), _) => {
                answers.push((*came, Some(*number), lifetime(*fresh)));
                failing = None;
            }
            (Happened::Missing, _) => {
                answers.push((*came, None, DAY));
                failing = None;
            }
            (Happened::NotModified, Some((_, Some(number), lifetime))) => {
                answers.push((*came, Some(number), lifetime));
                failing = None;
            }
            (Happened::NotModified | Happened::Failed, _) => {
                let watched = failing.filter(|(_, last)| is_near(*last, *came));
                failing = Some((watched.map_or(*came, |(since, _)| since), *came));
            }
        }
    }
    let rules = |answer: Option<u8>| answer.map_or(Oracle::AllowAll, Oracle::File);
    match (answers.last(), failing) {
        (Some((came, answer, lifetime)), _) if now < came + lifetime => rules(*answer),
        (_, None) => Oracle::Unknown,
        (_, Some((since, _))) if now < since + 30 * DAY => Oracle::DisallowAll,
        (_, Some((_, last))) if !is_near(last, now) => Oracle::Unknown,
        (Some((_, answer, _)), Some(_)) => rules(*answer),
        (None, Some(_)) => Oracle::AllowAll,
    }
}

fn found(current: &CurrentRules<'_, Body>) -> Oracle {
    match current {
        CurrentRules::File(body) => Oracle::File(body.as_bytes()[0]),
        CurrentRules::AllowAll(_) => Oracle::AllowAll,
        CurrentRules::DisallowAll(_) => Oracle::DisallowAll,
        CurrentRules::Unknown => Oracle::Unknown,
    }
}

fn happened() -> impl Strategy<Value = Happened> {
    prop_oneof![
        3 => (any::<u8>(), proptest::option::of(0..200_000_u64))
            .prop_map(|(number, fresh)| Happened::File(number, fresh)),
        2 => Just(Happened::NotModified),
        2 => Just(Happened::Missing),
        5 => Just(Happened::Failed),
    ]
}

fn history() -> impl Strategy<Value = History> {
    let pause = prop_oneof![0..HOUR, 0..2 * DAY, 0..40 * DAY];
    prop::collection::vec((pause, happened()), 0..12).prop_map(|events| {
        let mut now = 0;
        events
            .into_iter()
            .map(|(pause, happened)| {
                now += pause;
                (now, happened)
            })
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// G-1, G-3 and G-4: after any history, the replayed history justifies the current rules; an
    /// expired copy is never used while the site can be reached; and the file itself is always
    /// allowed.
    #[test]
    fn g_1_the_machine_equals_the_oracle(history in history(), later in 0..40 * DAY) {
        let settings = RetrievalSettings::default();
        let state = state(&history, &settings);
        let now = history.last().map_or(0, |(came, _)| *came) + later;
        let plan = state.plan(at(now), &settings);
        prop_assert_eq!(found(&plan.current), oracle(&history, now));
        prop_assert!(plan.current.policy(&client()).allows("/robots.txt"));
        let next = match plan.next { NextFetch::Now => at(now), NextFetch::At(moment) => moment };
        prop_assert!(next <= at(now + DAY), "nobody waits for more than a day");
        prop_assert_eq!(plan.current == CurrentRules::Unknown, matches!(plan.why, RetrievalState::Due | RetrievalState::NeverAsked));
        prop_assert!(plan.current != CurrentRules::Unknown || plan.next == NextFetch::Now);
    }

    /// A failure never opens a closed site, at once or later: the rules before and after it are
    /// equal, or nothing is allowed, or nothing is known. Only the end of the grace period changes
    /// that.
    #[test]
    fn g_1_a_failure_opens_nothing(history in history(), later in 0..29 * DAY) {
        let settings = RetrievalSettings::default();
        let now = history.last().map_or(0, |(came, _)| *came) + later;
        let before = state(&history, &settings);
        let open = |state: &State<Body>| matches!(state.plan(at(now), &settings).current, CurrentRules::AllowAll(_));
        let after = before.clone().after(Event::failure(Cause::Dns, at(now)), &settings);
        prop_assert!(open(&before) || !open(&after));
    }

    /// Events out of order, and arbitrary instants, never cause a panic.
    #[test]
    fn t4_clocks_that_jump(events in prop::collection::vec((any::<i64>(), happened()), 0..6), now in any::<i64>()) {
        let settings = RetrievalSettings::default();
        let _ = state(&events, &settings).plan(Moment::from_unix_seconds(now), &settings);
    }
}

/// Exhaustive, not a sample: every history of up to four events that are seconds, hours, a day or a
/// month apart, at every instant at which something changes and on both sides of it.
#[test]
fn g_1_every_short_history() {
    let settings = RetrievalSettings::default();
    let kinds = [
        Happened::File(1, None),
        Happened::File(2, Some(600)),
        Happened::NotModified,
        Happened::Missing,
        Happened::Failed,
    ];
    let pauses = [1, 2 * HOUR, 25 * HOUR, 31 * DAY];
    let questions = [
        0,
        299,
        300,
        599,
        600,
        DAY - 1,
        DAY,
        30 * DAY - 1,
        30 * DAY,
        61 * DAY,
    ];
    let steps = kinds.len() * pauses.len();
    let mut seen = 0;
    for length in 0..=4_u32 {
        for number in 0..steps.pow(length) {
            let (mut rest, mut now, mut history) = (number, 0, Vec::new());
            for _ in 0..length {
                let step = rest % steps;
                rest /= steps;
                now += pauses[step / kinds.len()];
                history.push((now, kinds[step % kinds.len()].clone()));
            }
            let state = state(&history, &settings);
            for question in questions {
                let plan = state.plan(at(now + question), &settings);
                let expected = oracle(&history, now + question);
                assert_eq!(
                    found(&plan.current),
                    expected,
                    "{history:?} and {question} s"
                );
                seen += 1;
            }
        }
    }
    assert_eq!(seen, (1 + 20 + 400 + 8_000 + 160_000) * questions.len());
}

/// S1: every status, compared with the table of AMB-REP-19.
#[test]
fn s1_every_status() {
    let settings = RetrievalSettings::default();
    for status in 0..=u16::MAX {
        let expected = match status {
            200 | 203 | 226 => StatusClass::File,
            204 | 205 => StatusClass::EmptyFile,
            304 => StatusClass::NotModified,
            429 => StatusClass::Unreachable(Cause::Status(429)),
            400..=499 => StatusClass::Unavailable(Cause::Status(status)),
            _ => StatusClass::Unreachable(Cause::Status(status)),
        };
        assert_eq!(outcome_of(status, &settings), expected, "{status}");
    }
}

/// S4 and T7: a site that flaps keeps its copy for the copy's lifetime; the first success replaces
/// the copy at once and ends the waiting.
#[test]
fn s4_flapping() {
    let settings = RetrievalSettings::default();
    let history = [
        (0, Happened::File(1, None)),
        (HOUR, Happened::Failed),
        (2 * HOUR, Happened::Failed),
        (3 * HOUR, Happened::File(2, None)),
        (4 * HOUR, Happened::Failed),
    ];
    for (events, number) in [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2)] {
        let state = state(&history[..events], &settings);
        let plan = state.plan(at(5 * HOUR), &settings);
        assert_eq!(found(&plan.current), Oracle::File(number));
    }
    assert_eq!(state(&history, &settings).outage().unwrap().attempts, 1);
}

/// S5: the grace period ends at the exact second.
#[test]
fn s5_thirty_days() {
    let settings = RetrievalSettings::default();
    let mut history = vec![(0, Happened::File(1, None))];
    history.extend((2..32).map(|day| (day * DAY, Happened::Failed)));
    let state = state(&history, &settings);
    let rules = |now: i64| found(&state.plan(at(now), &settings).current);
    assert_eq!(rules(32 * DAY - 1), Oracle::DisallowAll);
    assert_eq!(rules(32 * DAY), Oracle::File(1));
    // There was no attempt since, so it is not known whether the site still fails.
    assert_eq!(rules(32 * DAY + 301), Oracle::Unknown);
}

/// REP-76: an outage is as long as attempts observed it, however old the first failure is.
#[test]
fn rep_76_an_outage_with_a_gap_begins_anew() {
    let settings = RetrievalSettings::default();
    let watched = |days: &[i64]| {
        let history: Vec<_> = days
            .iter()
            .map(|day| (day * DAY, Happened::Failed))
            .collect();
        state(&history, &settings)
    };
    // A record of 31 days of failures, restored three days after it was replaced.
    let replayed = watched(&(0..=31).collect::<Vec<_>>());
    let then = replayed.plan(at(31 * DAY), &settings);
    assert_eq!(found(&then.current), Oracle::AllowAll);
    let now = 34 * DAY;
    let plan = replayed.plan(at(now), &settings);
    assert_eq!(
        (found(&plan.current), plan.next),
        (Oracle::Unknown, NextFetch::Now)
    );
    let failed = replayed.after(Event::failure(Cause::Timeout, at(now)), &settings);
    assert_eq!(failed.outage().unwrap().since, at(now));
    assert_eq!(
        found(&failed.plan(at(now), &settings).current),
        Oracle::DisallowAll
    );
    // Two failures a month apart are not an outage of a month.
    let apart = watched(&[0, 31]);
    assert_eq!(
        found(&apart.plan(at(31 * DAY), &settings).current),
        Oracle::DisallowAll
    );
}

/// R8: a refused address stays closed, however long, and is not retried at once.
#[test]
fn r8_refused_is_never_missing() {
    let settings = RetrievalSettings::default();
    let refused = |came: i64| Event::<Body>::failure(Cause::Refused, at(came));
    let state = State::default()
        .after(refused(0), &settings)
        .after(refused(DAY), &settings);
    for now in [DAY, 31 * DAY, 400 * DAY] {
        assert_eq!(
            found(&state.plan(at(now), &settings).current),
            Oracle::DisallowAll,
            "{now}"
        );
    }
    // That holds even if the last failure had another cause: this outage is only beginning.
    let dns = |day: i64| Event::failure(Cause::Dns, at(day * DAY));
    let other = (31..=60).fold(state.clone(), |state, day| state.after(dns(day), &settings));
    for (now, expected) in [
        (60 * DAY, Oracle::DisallowAll),
        (61 * DAY - 1, Oracle::DisallowAll),
        (61 * DAY, Oracle::AllowAll),
    ] {
        assert_eq!(found(&other.plan(at(now), &settings).current), expected);
    }
    let once = State::<Body>::default().after(refused(0), &settings);
    assert_eq!(once.plan(at(0), &settings).next, NextFetch::At(at(60)));
}

/// T1: even for a client without a minimum lifetime, an answer is fresh long enough to be used.
#[test]
fn t1_no_floor_at_all() {
    let mut settings = RetrievalSettings::default();
    settings.min_lifetime = std::time::Duration::ZERO;
    let state = state(&[(0, Happened::File(1, Some(0)))], &settings);
    assert_eq!(
        found(&state.plan(at(0), &settings).current),
        Oracle::File(1)
    );
    assert_eq!(
        found(&state.plan(at(1), &settings).current),
        Oracle::Unknown
    );
}

/// T3: how validators are kept, and the effect of a 304.
#[test]
fn t3_validators() {
    let settings = RetrievalSettings::default();
    let long = format!("\"{}\"", "a".repeat(1 << 20));
    let kept = |fields: &[Field<'_>]| {
        let event = Event::response(200, fields, vec![1], ResponseTimes::at(at(0)), &settings);
        let state = State::<Vec<u8>>::default().after(event, &settings);
        state.copy().unwrap().validators.clone()
    };
    let both = [
        Field::new("ETag", b"W/\"a\""),
        Field::new("Last-Modified", b"Fri, 25 Jun 2010 15:00:00 GMT"),
    ];
    assert_eq!(kept(&both).etag.as_deref(), Some("W/\"a\""));
    assert_eq!(
        kept(&both).last_modified.as_deref(),
        Some("Fri, 25 Jun 2010 15:00:00 GMT")
    );
    for fields in [
        &[Field::new("ETag", long.as_bytes())][..],
        &[Field::new("ETag", b"\"a\r\nX: y\"")],
        &[Field::new("ETag", b"\"a\""), Field::new("ETag", b"\"b\"")],
        &[Field::new("ETag", b"")],
    ] {
        assert!(kept(fields).is_empty());
    }
    // Weak and strong tags with the same content identify the same file; different contents do not.
    for (etag, fits) in [("\"a\"", true), ("W/\"a\"", true), ("\"b\"", false)] {
        let event = Event::response(
            200,
            &[Field::new("ETag", b"\"a\"")],
            vec![1],
            ResponseTimes::at(at(0)),
            &settings,
        );
        let fields = [Field::new("ETag", etag.as_bytes())];
        let check = Event::response(
            304,
            &fields,
            Vec::new(),
            ResponseTimes::at(at(DAY)),
            &settings,
        );
        let state = State::<Vec<u8>>::default()
            .after(event, &settings)
            .after(check, &settings);
        let plan = state.plan(at(DAY), &settings);
        assert_eq!(
            matches!(plan.current, CurrentRules::File(_)),
            fits,
            "{etag}"
        );
        assert_eq!(state.copy().unwrap().validators.is_empty(), !fits, "{etag}");
    }
}

/// T4: a record dated in the future by a wrong clock is not fresh for ever: it is not trusted.
#[test]
fn t4_records_of_the_future() {
    let settings = RetrievalSettings::default();
    let state = state(&[(DAY, Happened::File(1, None))], &settings);
    assert_eq!(
        found(&state.plan(at(DAY - 300), &settings).current),
        Oracle::File(1)
    );
    let plan = state.plan(at(DAY - 301), &settings);
    assert_eq!(
        (plan.current, plan.next),
        (CurrentRules::Unknown, NextFetch::Now)
    );
}

/// T5: a day, to the exact second, and T6: a refresh ahead of it.
#[test]
fn t5_and_t6_the_end_of_a_lifetime() {
    let settings = RetrievalSettings::default();
    let state = state(&[(0, Happened::File(1, None))], &settings);
    assert_eq!(
        found(&state.plan(at(DAY - 1), &settings).current),
        Oracle::File(1)
    );
    assert_eq!(
        found(&state.plan(at(DAY), &settings).current),
        Oracle::Unknown
    );
    assert_eq!(
        state.plan(at(0), &settings).next,
        NextFetch::At(at(DAY * 4 / 5))
    );
}

/// A year of one site, with attempts as planned and outages of every length: the rules are
/// justified at every hour, and no hour has more than twelve attempts.
#[test]
fn g_30_a_year_of_a_site() {
    let settings = RetrievalSettings::default();
    let mut seed = 7_u64;
    let mut random = |below: i64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        i64::try_from(seed >> 33).unwrap() % below
    };
    let mut history: History = Vec::new();
    let mut state = State::<Body>::default();
    let (mut now, mut broken_until, mut attempts) = (0, 0, Vec::new());
    while now < 365 * DAY {
        if random(2_000) == 0 {
            broken_until = now + random(45 * DAY);
        }
        let what = match random(3) {
            _ if now < broken_until => Happened::Failed,
            0 => Happened::NotModified,
            1 if random(20) == 0 => Happened::Missing,
            _ => Happened::File(u8::try_from(random(200)).unwrap(), None),
        };
        state = state.after(event(&what, now, &settings), &settings);
        history.push((now, what));
        attempts.push(now);
        let recent = attempts
            .iter()
            .rev()
            .take_while(|at| **at > now - HOUR)
            .count();
        assert!(recent <= 13, "{recent} attempts in an hour");
        let ends = match state.plan(at(now), &settings).next {
            NextFetch::Now => now + 1,
            NextFetch::At(moment) => moment.unix_seconds(),
        };
        let recently = &history[history.len().saturating_sub(2_000)..];
        for question in [now, now + (ends - now) / 2, ends - 1] {
            let plan = state.plan(at(question), &settings);
            assert_eq!(
                found(&plan.current),
                oracle(recently, question),
                "at {question}"
            );
        }
        now = ends;
    }
    assert!(attempts.len() > 365, "{} attempts", attempts.len());
}
