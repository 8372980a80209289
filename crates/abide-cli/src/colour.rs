//! The colours of answers.

use abide::Outcome;
use anstyle::{AnsiColor, Style};

/// Green for allowed, red for disallowed, yellow for anything between.
pub(crate) const fn of(outcome: Outcome) -> Style {
    let colour = match outcome {
        Outcome::Permitted => AnsiColor::Green,
        Outcome::Prohibited => AnsiColor::Red,
        _ => AnsiColor::Yellow,
    };
    colour.on_default()
}
