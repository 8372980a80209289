//! Any bytes as `Content-Signal`, in robots.txt and as a response field: total, and only the usages
//! of preferences can differ from a site without it.
#![no_main]

use abide::preference::{PreferenceProfile, Vocabulary};
use abide::tag::{FieldLine, Response};
use abide::{Client, Policy, ProductToken, Target, Usage};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|value: &[u8]| {
    let profile = PreferenceProfile {
        vocabularies: Some(vec![Vocabulary::ContentSignal]),
        ..PreferenceProfile::default()
    };
    let client = Client::new(ProductToken::new("f").expect("a token")).with_preferences(profile);
    let line: Vec<u8> = value
        .iter()
        .map(|&byte| {
            if matches!(byte, b'\r' | b'\n') {
                b' '
            } else {
                byte
            }
        })
        .collect();
    let robots = [
        b"User-agent: *\nDisallow: /p\nContent-Signal: ",
        &line[..],
        b"\n",
    ]
    .concat();
    let policy = Policy::compile(&robots, &client);
    let response = Response::new(&[FieldLine::new("Content-Signal", value)]);
    for (path, outcome) in [("/x", "permitted"), ("/p", "prohibited")] {
        let target = Target::new(path).expect("a path").with_response(&response);
        let decision = policy.decide(&target);
        assert_eq!(decision.outcome(Usage::Crawl).name(), outcome);
        for &usage in Usage::PREFERENCES {
            assert!(decision.usage(usage).is_some());
        }
    }
});
