//! `vectors/fetch.toml`.

use crate::{at, client};
use abide::rep::access::Cause;
use abide::{Outcome, Target, Usage};
use abide_fetch::machine::{
    AfterGrace, Chain, Event, Field, Hop, Next, Settings, State, While429, Why,
};
use abide_testkit::vectors::{self, Attempt, RetrievalVector};

fn settings(vector: &RetrievalVector) -> Settings {
    let mut settings = Settings::default();
    let chosen = &vector.settings;
    if let Some(seconds) = chosen.min_lifetime {
        settings.min_lifetime = seconds;
    }
    if let Some(seconds) = chosen.grace {
        settings.grace = seconds;
    }
    settings.after_grace = match chosen.after_grace.as_deref() {
        None | Some("copy-else-allow") => AfterGrace::CopyElseAllow,
        Some("copy-else-disallow") => AfterGrace::CopyElseDisallow,
        Some("disallow") => AfterGrace::Disallow,
        Some(other) => panic!("{other}"),
    };
    settings.while_429 = match chosen.while_429.as_deref() {
        None | Some("unreachable") => While429::Unreachable,
        Some("unavailable") => While429::Unavailable,
        Some(other) => panic!("{other}"),
    };
    settings
}

/// What an attempt comes to: its redirects are walked, as far as they may be.
fn event(attempt: &Attempt, settings: &Settings) -> Event<Vec<u8>> {
    let came = at(attempt.at);
    if let Some(error) = &attempt.error {
        return Event::failure(Cause::named(error).unwrap(), came);
    }
    let mut chain = Chain::new("https://e.example/robots.txt").unwrap();
    for hop in 0..attempt.redirects {
        let location = format!("https://hop{hop}.example/robots.txt");
        if let Hop::End(cause) = chain.follow(&[location.as_bytes()], settings) {
            return Event::failure(cause, came);
        }
    }
    let fields: Vec<_> = attempt
        .headers
        .iter()
        .map(|(name, value)| Field::new(name, value.as_bytes()))
        .collect();
    let body = attempt.body.clone().into_bytes();
    Event::response(
        attempt.status.unwrap(),
        &fields,
        body,
        (came, came),
        settings,
    )
}

fn name(why: Why) -> &'static str {
    match why {
        Why::Fresh => "fresh",
        Why::RefreshFailed => "refresh-failed",
        Why::Unreachable => "unreachable",
        Why::GraceIsOver => "grace-is-over",
        Why::Due => "due",
        Why::NeverAsked => "never-asked",
        _ => panic!("{why:?}"),
    }
}

/// The vectors of Part 3.2, (a) to (h), among them.
#[test]
fn retrievals() {
    let mut seen = 0;
    for (file, vectors) in vectors::load() {
        for vector in &vectors.retrieval {
            let label = format!("{file}: {} {}", vector.id, vector.name);
            let settings = settings(vector);
            for asked in &vector.ask {
                let happened = vector.events.iter().filter(|one| one.at <= asked.at);
                let state = happened.fold(State::default(), |state: State<Vec<u8>>, attempt| {
                    state.after(event(attempt, &settings), &settings)
                });
                let plan = state.plan(at(asked.at), &settings);
                let policy = plan.in_force.policy(&client());
                let outcome = |path: &str| {
                    policy
                        .decide(&Target::new(path).unwrap())
                        .outcome(Usage::Crawl)
                };
                let label = format!("{label}, at {}", asked.at);
                assert_eq!(outcome("/x").name(), asked.x, "{label}: /x");
                assert_eq!(outcome("/y").name(), asked.y, "{label}: /y");
                // (h): whatever is in force, the file itself may be fetched.
                assert_eq!(outcome("/robots.txt"), Outcome::Permitted, "{label}");
                assert!(policy.allows("/robots.txt"), "{label}");
                if let Some(why) = &asked.why {
                    assert_eq!(name(plan.why), why, "{label}: why");
                }
                if let Some(wait) = asked.next {
                    let next = match plan.next {
                        Next::Now => 0,
                        Next::At(moment) => moment.unix_seconds() - asked.at,
                    };
                    assert_eq!(next, wait, "{label}: next");
                }
                seen += 1;
            }
        }
    }
    assert!(seen >= 80, "{seen} questions");
}
