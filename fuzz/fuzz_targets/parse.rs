//! Any bytes: parsing is total, lossless, and the same in one pass as in two.
#![no_main]

use abide::Limits;
use abide::{Client, Policy, ProductToken, Profile, Robots};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let client = Client::new(ProductToken::new("f").expect("a token"));
    for profile in [Profile::Careful, Profile::Google] {
        let client = client.clone().with_profile(profile);
        let robots = Robots::parse_as(bytes, profile, Limits::default());
        assert_eq!(robots.to_bytes(), robots.text().as_bytes());
        let compiled = Policy::compile(bytes, &client);
        assert_eq!(compiled.diagnostics(), robots.policy(&client).diagnostics());
        assert_eq!(compiled.allows("/a"), robots.policy(&client).allows("/a"));
    }
});
