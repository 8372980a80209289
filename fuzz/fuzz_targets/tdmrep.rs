//! Any bytes as a `tdmrep.json`: total, and each rule quotes the file and reads the same alone.
#![no_main]

use abide::preference::TdmrepState;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| {
    let TdmrepState::File(file) = abide_documents::tdmrep(body) else {
        return;
    };
    let text = std::str::from_utf8(body).expect("a file that was read");
    for rule in file.rules.iter().flatten() {
        assert!(text.contains(&rule.text));
        let alone = abide_documents::tdmrep(format!("[{}]", rule.text).as_bytes());
        let TdmrepState::File(alone) = alone else {
            panic!("{}", rule.text)
        };
        assert_eq!(alone.rules, [Some(rule.clone())]);
    }
});
