//! What a test needs from the machine besides a compiler. If something is missing, the test prints
//! a message and passes, unless `ABIDE_EVERYTHING` is set, as in `.ci/run`: there no test may be
//! skipped.

use std::io::Write;

/// Reports that `test` cannot run because the machine lacks `what`.
///
/// # Panics
/// Panics if `ABIDE_EVERYTHING` is set.
pub fn missing(test: &str, what: &str) {
    assert!(
        std::env::var_os("ABIDE_EVERYTHING").is_none(),
        "{test} needs {what}; see CONTRIBUTING.md"
    );
    // Written directly, so that it shows even when the output of passing tests is captured.
    let _ = writeln!(std::io::stderr(), "{test} DID NOT RUN: it needs {what}");
}
