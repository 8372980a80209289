//! How long answers are fresh: RFC 9111, compared with http-cache-semantics.

use crate::at;
use abide_fetch::machine::{
    Event, Field, Freshness, NextFetch, ResponseTimes, RetrievalSettings, State,
};
use http_cache_semantics::{CacheOptions, CachePolicy};
use proptest::prelude::*;
use proptest::sample::select;
use std::time::{Duration, UNIX_EPOCH};

/// Friday, 25 June 2010, 15:00:00 UTC.
const NOW: i64 = 1_277_478_000;

fn fresh(fields: &[(&str, &str)]) -> Option<u64> {
    let fields: Vec<_> = fields
        .iter()
        .map(|(name, value)| Field::new(name, value.as_bytes()))
        .collect();
    Freshness::of(&fields, at(NOW), at(NOW)).seconds
}

/// T1: every odd form of `max-age`, with other directives beside it.
#[test]
fn t1_directives() {
    let control = |value: &str| fresh(&[("Cache-Control", value)]);
    for (value, seconds) in [
        ("max-age=0", 0),
        ("max-age=5", 5),
        ("MAX-AGE=5", 5),
        (" , max-age=5 ,, ", 5),
        ("max-age=604800", 604_800),
        ("max-age=2147483648", 1 << 31),
        ("max-age=18446744073709551616", 1 << 31),
        ("max-age=-1", 0),
        ("max-age=1.5", 0),
        ("max-age=", 0),
        ("max-age", 0),
        ("max-age=\"60\"", 60),
        ("max-age=60, max-age=30", 30),
        ("max-age=60, max-age=x", 0),
        ("s-maxage=7, max-age=60", 7),
        ("max-age=60, no-store", 0),
        ("no-cache, max-age=60", 0),
        ("private, max-age=60", 0),
        ("max-age=60, must-revalidate", 60),
        ("max-age=60, stale-while-revalidate=600", 60),
        ("max-age=60, stale-if-error=600", 60),
        ("x=\"max-age=5, no-store\", max-age=60", 60),
    ] {
        assert_eq!(control(value), Some(seconds), "{value}");
    }
    assert_eq!(control("public"), None);
    assert_eq!(control("stale-if-error=600"), None);
    let twice = [
        ("Cache-Control", "max-age=60"),
        ("cache-control", "max-age=20"),
    ];
    assert_eq!(fresh(&twice), Some(20));
}

/// T2: `Age`, `Date` and `Expires`.
#[test]
fn t2_ages_and_dates() {
    let with = |fields: &[(&'static str, &'static str)]| {
        fresh(&[&[("Cache-Control", "max-age=3600")], fields].concat())
    };
    assert_eq!(with(&[("Age", "600")]), Some(3_000));
    assert_eq!(with(&[("Age", "9999")]), Some(0));
    assert_eq!(with(&[("Age", "99999999999999999999")]), Some(0));
    assert_eq!(with(&[("Age", "-5")]), Some(3_600));
    assert_eq!(with(&[("Age", "x")]), Some(3_600));
    assert_eq!(with(&[("Age", "600, 5")]), Some(3_000));
    assert_eq!(
        with(&[("Date", "Fri, 25 Jun 2010 14:50:00 GMT")]),
        Some(3_000)
    );
    assert_eq!(
        with(&[("Date", "Fri, 25 Jun 2010 16:00:00 GMT")]),
        Some(3_600)
    );
    assert_eq!(with(&[("Date", "yesterday")]), Some(3_600));
    for (expires, seconds) in [
        ("Fri, 25 Jun 2010 16:00:00 GMT", 3_600),
        ("Friday, 25-Jun-10 16:00:00 GMT", 3_600),
        ("Fri Jun 25 16:00:00 2010", 3_600),
        ("Fri, 25 Jun 2010 14:00:00 GMT", 0),
        ("0", 0),
        ("-1", 0),
        ("soon", 0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 1 << 31),
    ] {
        assert_eq!(fresh(&[("Expires", expires)]), Some(seconds), "{expires}");
    }
    let twice = [
        ("Expires", "Fri, 25 Jun 2010 16:00:00 GMT"),
        ("Expires", "0"),
    ];
    assert_eq!(fresh(&twice), Some(0));
    // The delay between request and answer counts as age.
    let fields = [Field::new("Cache-Control", b"max-age=3600")];
    assert_eq!(
        Freshness::of(&fields, at(NOW - 100), at(NOW)).seconds,
        Some(3_500)
    );
}

/// S2: `Retry-After` is honoured up to a day, and never makes the wait shorter than the back-off.
#[test]
fn s2_retry_after() {
    let settings = RetrievalSettings::default();
    let wait = |value: &'static str, failures: usize| {
        let fields = [Field::new("Retry-After", value.as_bytes())];
        let mut state = State::<Vec<u8>>::default();
        for _ in 0..failures {
            let event = Event::response(
                503,
                &fields,
                Vec::new(),
                ResponseTimes::at(at(NOW)),
                &settings,
            );
            state = state.after(event, &settings);
        }
        match state.plan(at(NOW), &settings).next {
            NextFetch::Now => 0,
            NextFetch::At(moment) => moment.unix_seconds() - NOW,
        }
    };
    for (value, seconds) in [
        ("120", 120),
        ("Fri, 25 Jun 2010 15:10:00 GMT", 600),
        ("Fri, 25 Jun 2010 14:10:00 GMT", 1),
        ("1000000000000000000", 86_400),
        ("soon", 1),
        ("", 1),
        ("-5", 1),
    ] {
        assert_eq!(wait(value, 1), seconds, "{value}");
    }
    assert_eq!(
        (wait("", 3), wait("", 12), wait("", 13), wait("", 100)),
        (4, 2_048, 3_600, 3_600)
    );
    assert_eq!(wait("5", 100), 3_600);
}

fn directive() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (0..200_000_u32).prop_map(|seconds| format!("max-age={seconds}")),
        1 => (0..200_000_u32).prop_map(|seconds| format!("s-maxage={seconds}")),
        1 => select(&["no-store", "no-cache", "private", "public", "must-revalidate", "x=\"a, b\""][..])
            .prop_map(String::from),
    ]
}

fn date() -> impl Strategy<Value = String> {
    (-200_000..200_000_i64).prop_map(|offset| {
        let seconds = u64::try_from(NOW + offset).unwrap();
        httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(seconds))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whenever the oracle gives a freshness lifetime, the result agrees. Excluded is what the
    /// oracle reads differently: a date later than the answer (which increases the age), and
    /// heuristics, which are off here.
    #[test]
    fn t1_as_the_oracle_says(
        control in proptest::option::of(directive()),
        age in proptest::option::of(0..200_000_u32),
        expires in proptest::option::of(date()),
        dated in any::<bool>(),
    ) {
        let date = httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(u64::try_from(NOW).unwrap()));
        let mut fields: Vec<(&str, String)> = Vec::new();
        fields.extend(control.map(|value| ("cache-control", value)));
        fields.extend(age.map(|value| ("age", value.to_string())));
        fields.extend(expires.map(|value| ("expires", value)));
        fields.extend(dated.then_some(("date", date)));
        let own: Vec<_> = fields.iter().map(|(name, value)| Field::new(name, value.as_bytes())).collect();
        let own = Freshness::of(&own, at(NOW), at(NOW)).seconds;

        let request = http::Request::get("https://e.example/robots.txt").body(()).unwrap();
        let mut response = http::Response::builder().status(200);
        for (name, value) in &fields {
            response = response.header(*name, value);
        }
        let came = UNIX_EPOCH + Duration::from_secs(u64::try_from(NOW).unwrap());
        let options = CacheOptions { shared: true, cache_heuristic: 0.0, ..CacheOptions::default() };
        let policy = CachePolicy::new_options(&request, &response.body(()).unwrap(), came, options);
        let theirs = policy.time_to_live(came).as_secs();
        prop_assert_eq!(own.unwrap_or_default(), theirs, "{:?}", fields);
    }
}
