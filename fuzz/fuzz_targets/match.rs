//! A pattern and a path, divided by the first NUL: the matcher equals the slow one, and normal
//! forms are idempotent.
#![no_main]

use abide::syntax::{PathPattern, normal};
use abide_testkit::model;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.splitn(2, |&byte| byte == 0);
    let (pattern, path) = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    let once = normal::target(path);
    assert_eq!(*normal::target(&once.c1).c1, *once.c1);
    assert_eq!(*once.c1, *model::c1(path, false));
    if pattern.len() * path.len() > 100_000 {
        return;
    }
    let Ok(compiled) = PathPattern::read(pattern) else {
        return;
    };
    let body = pattern.strip_suffix(b"$").unwrap_or(pattern);
    let anchored = body.len() < pattern.len();
    let expected = model::matches_in_a_form(body, anchored, &model::c1(path, false));
    assert_eq!(compiled.matches(path), expected);
});
