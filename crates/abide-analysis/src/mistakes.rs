//! How mistakes in the TOML files of users are worded: `abide.toml` and files of cases.

use abide::explain::visible;
use std::fmt;

/// What a file has, in quotation marks, made safe to show and cut if it is long.
pub fn quoted(text: &str) -> String {
    const MAX_SHOWN: usize = 60;
    let shown: String = visible(text.as_bytes()).chars().take(MAX_SHOWN).collect();
    format!("\"{shown}\"")
}

/// What to write instead of an unknown key.
pub fn instead(nearest: Option<&str>, known: &str) -> String {
    match nearest {
        Some(nearest) => format!("; did you mean {nearest}?"),
        None => format!("; expected one of {known}"),
    }
}

/// One line per mistake; if there are very many, only the first ones.
pub fn lines(mistakes: &[impl fmt::Display], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    const MAX_SHOWN: usize = 20;
    for (at, mistake) in mistakes.iter().take(MAX_SHOWN).enumerate() {
        let end = if at == 0 { "" } else { "\n" };
        write!(f, "{end}{mistake}")?;
    }
    match mistakes.len().checked_sub(MAX_SHOWN) {
        Some(more @ 1..) => write!(f, "\nand {more} more mistakes"),
        _ => Ok(()),
    }
}
