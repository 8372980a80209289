//! Any bytes as a request: one line of JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|request: &[u8]| {
    let answer = abide_contract::answer(request);
    assert!(
        answer.line.starts_with('{') && answer.line.ends_with('}') && !answer.line.contains('\n')
    );
});
