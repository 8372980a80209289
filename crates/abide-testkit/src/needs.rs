//! What a test needs of the machine besides a compiler. Where that is missing, the test says so and passes, unless
//! `ABIDE_EVERYTHING` is set, as `.ci/run` does: then nothing goes untested.

use std::io::Write;

/// Tells that `test` cannot run for want of `what`.
///
/// # Panics
/// Where `ABIDE_EVERYTHING` is set.
pub fn missing(test: &str, what: &str) {
    assert!(
        std::env::var_os("ABIDE_EVERYTHING").is_none(),
        "{test} needs {what}; see CONTRIBUTING.md"
    );
    // A person has to see it, also where the output of tests that pass is captured.
    let _ = writeln!(std::io::stderr(), "{test} DID NOT RUN: it needs {what}");
}
