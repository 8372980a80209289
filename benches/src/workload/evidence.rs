//! W7: the whole decision with evidence, where one rule matches, beside yes or no.

use super::{Goal, Row, Setting, time, warm};
use crate::clock::timed;
use crate::contest::{Entry, Pass, Sample, Thinned, run};
use crate::corpus::Case;
use crate::peer::client;
use abide::verdict::Reason;
use abide::{Policy, Target, Usage};
use std::hint::black_box;

/// Policies, each with those of its URLs that exactly one rule matches.
#[must_use]
pub fn only_matches(cases: &[Case]) -> Vec<(Policy, Vec<&str>)> {
    let one = |case: &'_ Case| Policy::compile(&case.bytes, client());
    let all = cases.iter().map(|case| {
        let policy = one(case);
        let urls = case.urls.iter().map(String::as_str);
        let urls = urls.filter(|url| is_only_match(&policy, url)).collect();
        (policy, urls)
    });
    all.collect()
}

fn is_only_match(policy: &Policy, url: &str) -> bool {
    let Ok(target) = Target::new(url) else {
        return false;
    };
    let decision = policy.decide(&target);
    let crawl = decision.usage(Usage::Crawl);
    crawl.is_some_and(|crawl| {
        crawl.evidence.len() == 1 && crawl.evidence[0].reason == Reason::OnlyMatch
    })
}

type Work = fn(&[(Policy, Vec<&str>)]) -> u64;

/// Decides each with evidence.
pub fn decide(policies: &[(Policy, Vec<&str>)]) -> u64 {
    each(policies, |policy, url| {
        if let Ok(target) = Target::new(url) {
            black_box(policy.decide(&target));
        }
    })
}

/// Asks yes or no about each.
pub fn allows(policies: &[(Policy, Vec<&str>)]) -> u64 {
    each(policies, |policy, url| {
        black_box(policy.allows(url));
    })
}

fn each(policies: &[(Policy, Vec<&str>)], ask: impl Fn(&Policy, &str)) -> u64 {
    let mut items = 0;
    for (policy, urls) in policies {
        for url in urls {
            ask(policy, url);
            items += 1;
        }
    }
    items
}

/// The rows of W7.
#[must_use]
pub fn rows(setting: &Setting) -> Vec<Row> {
    let cases = warm::cases(setting);
    let policies = &*only_matches(&cases);
    let entry = |name, work: Work| Entry {
        name,
        pass: Box::new(move |_: &Sample| {
            let (nanoseconds, items) = timed(|| work(policies));
            Pass { items, nanoseconds }
        }),
    };
    let mut entries = [
        entry("abide, `allows`", allows),
        entry("abide, `decide`", decide),
    ];
    let timings = run(&mut entries, Thinned::Cases, 1, setting.effort);
    let what = "URLs that one rule matches";
    let urls: usize = policies.iter().map(|(_, urls)| urls.len()).sum();
    let row = |at: usize| Row::new("W7", what, timings[at].name, time(timings[at].nanoseconds));
    let ratio = timings[1].ratio();
    vec![
        row(0).note(format!("{urls} URLs")),
        row(1).ratio(ratio).goal(ratio, Goal::AtMost(4.0), " ×"),
    ]
}
