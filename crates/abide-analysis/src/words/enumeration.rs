//! Names in a sentence: the first ones, and how many more.

use super::Phrase;
use std::fmt::Display;

/// `A`, `A and B`, `A, B and C`, or, if there are many more than `most`, `A, B and 3 more`. "And 1
/// more" is no shorter than a name, so one more than `most` is still named. Empty without names.
///
/// ```
/// use abide_analysis::words::enumerated;
/// let names = ["GPTBot", "CCBot", "ClaudeBot", "Bytespider"];
/// assert_eq!(enumerated(&names, 2), "GPTBot, CCBot and 2 more");
/// assert_eq!(enumerated(&names[..3], 2), "GPTBot, CCBot and ClaudeBot");
/// ```
#[must_use]
pub fn enumerated<N: Display>(names: &[N], most: usize) -> String {
    let first = names.iter().take(most.saturating_add(1)).map(N::to_string);
    enumerated_of(&first.collect::<Vec<_>>(), names.len(), most)
}

/// `A`, `A and B`, `A, B and C`: all names.
#[must_use]
pub fn enumerated_all<N: Display>(names: &[N]) -> String {
    enumerated(names, names.len())
}

/// `line 4`, `lines 4 and 10`, `lines 4, 10 and 12 more`, by [`enumerated`].
#[must_use]
pub fn enumerated_lines<N: Display>(numbers: &[N], most: usize) -> String {
    match numbers {
        [] => "no line".to_owned(),
        [only] => format!("line {only}"),
        several => format!("lines {}", enumerated(several, most)),
    }
}

/// `A, B, C`, or the first ones `and 3 more`: names after a colon or in a cell.
#[must_use]
pub fn listed<N: Display>(names: &[N], most: usize) -> String {
    let first: Vec<_> = names.iter().take(most).map(N::to_string).collect();
    let first = first.join(", ");
    match names.len().saturating_sub(most) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// Like [`enumerated`] for so many names; `first` has one more than `most` of them.
#[must_use]
pub fn enumerated_of(first: &[String], count: usize, most: usize) -> String {
    let first = first.iter().map(Phrase::of).collect();
    let names = Phrase::default().list_of(first, count, most, " and ", "");
    names.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_names_and_how_many_more() {
        let names = ["A", "B", "C", "D", "E"];
        assert_eq!(enumerated::<&str>(&[], 2), "");
        assert_eq!(enumerated(&[4], 2), "4");
        assert_eq!(enumerated(&names[..2], 2), "A and B");
        assert_eq!(enumerated(&names[..3], 2), "A, B and C");
        assert_eq!(enumerated(&names[..4], 2), "A, B and 2 more");
        assert_eq!(enumerated(&names[..3], 1), "A and 2 more");
        assert_eq!(enumerated_all(&names), "A, B, C, D and E");
        assert_eq!(enumerated_lines(&[4, 10, 12], 2), "lines 4, 10 and 12");
        assert_eq!(enumerated_lines(&[4], 2), "line 4");
        assert_eq!(listed(&names, 4), "A, B, C, D and 1 more");
        assert_eq!(listed(&names, 5), "A, B, C, D, E");
    }
}
