//! Any octets: parsing is total, lossless, and the same in one pass as in two.
#![no_main]

use abide::text::Limits;
use abide::{Client, Policy, ProductToken, Profile, Robots};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|octets: &[u8]| {
    let client = Client::new(ProductToken::new("f").expect("a token"));
    for profile in [Profile::Careful, Profile::Google] {
        let client = client.clone().profile(profile);
        let robots = Robots::parse_as(octets, profile, Limits::default());
        assert_eq!(robots.to_octets(), robots.text().octets());
        let compiled = Policy::compile(octets, &client);
        assert_eq!(compiled.diagnostics(), robots.policy(&client).diagnostics());
        assert_eq!(compiled.allows("/a"), robots.policy(&client).allows("/a"));
    }
});
