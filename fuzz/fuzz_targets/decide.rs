//! A robots.txt and a path, divided by the last NUL: the engine equals the slow model, quotes the
//! line that it names, and `allows` equals `decide`.
#![no_main]

use abide::acap::{AcapMode, AcapProfile};
use abide::{Client, Outcome, Policy, ProductToken, PurposeToken, Target, Usage};
use abide_testkit::model;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let end = bytes
        .iter()
        .rposition(|&byte| byte == 0)
        .unwrap_or(bytes.len());
    let (robots, path) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
    let path = format!("/{}", String::from_utf8_lossy(path).replace('#', ""));
    if robots.len() * path.len() > 200_000 {
        return;
    }
    let client = Client::new(ProductToken::new("f").expect("a token"))
        .with_product_token(ProductToken::new("foobot").expect("a token"))
        .with_purpose(PurposeToken::new("P1").expect("a purpose"))
        .with_acap(AcapProfile {
            mode: AcapMode::Off,
            ..AcapProfile::default()
        });
    let policy = Policy::compile(robots, &client);
    let answer = model::decide(&model::Question {
        robots,
        agents: &["f", "foobot"],
        purposes: &["P1"],
        nonstandard_token: false,
        path: path.as_bytes(),
    });
    let decision = policy.decide(&Target::new(&path).expect("a path"));
    let crawl = decision.usage(Usage::Crawl).expect("crawl is decided");
    let decided = &crawl.evidence[0];
    assert_eq!(crawl.outcome == Outcome::Permitted, answer.allowed);
    assert_eq!(policy.allows(&path), answer.allowed);
    assert_eq!(
        decided.bytes.and(decided.place).map(|place| place.line),
        answer.line
    );
});
