//! Any bytes as fields and as directives: total, and cutting a field off never adds a rule.
#![no_main]

use abide::app::field::Directives;
use abide::tag::{Binding, FieldLine, header};
use abide::{Client, ProductToken};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeSet;

fuzz_target!(|value: &[u8]| {
    let client = Client::new(ProductToken::new("f").expect("a token"));
    let _ = Directives::read(value);
    let rules = |name: &str, value: &[u8]| -> BTreeSet<String> {
        let (statements, _) = header::read(&[FieldLine::new(name, value)]);
        Binding::new(&statements, &client)
            .rules
            .into_keys()
            .collect()
    };
    let _ = rules("X-Robots-Tag", value);
    let whole = rules("Robots-Tag", value);
    // Up to the last comma that no string holds there are whole members.
    if !value.contains(&b'"') {
        let end = value.iter().rposition(|&byte| byte == b',').unwrap_or(0);
        assert!(rules("Robots-Tag", &value[..end]).is_subset(&whole));
    }
});
