//! The colours of answers.

use abide::Outcome;
use anstyle::AnsiColor;

/// Green for allowed, red for disallowed, yellow for anything between.
pub(crate) const fn of(outcome: Outcome) -> AnsiColor {
    match outcome {
        Outcome::Permitted => AnsiColor::Green,
        Outcome::Prohibited => AnsiColor::Red,
        _ => AnsiColor::Yellow,
    }
}
