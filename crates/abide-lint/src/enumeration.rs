//! Names in a sentence: the first ones, and how many more.

use std::fmt::Display;

/// `A`, `A and B`, `A, B and C`, or, if there are many more than `most`, `A, B and 3 more`. "And 1
/// more" is no shorter than a name, so one more than `most` is still named. Empty without names.
pub(crate) fn enumerated<N: Display>(names: &[N], most: usize) -> String {
    let first = names.iter().take(most + 1).map(N::to_string);
    enumerated_of(&first.collect::<Vec<_>>(), names.len(), most)
}

/// Like [`enumerated`] for so many names; `first` has one more than `most` of them.
pub(crate) fn enumerated_of(first: &[String], count: usize, most: usize) -> String {
    match first {
        [] => String::new(),
        [only] if count == 1 => only.clone(),
        [first @ .., last] if count <= most + 1 => format!("{} and {last}", first.join(", ")),
        first => {
            let shown = first.get(..most).unwrap_or_default().join(", ");
            format!("{shown} and {} more", count - most)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::enumerated;

    #[test]
    fn the_first_names_and_how_many_more() {
        let names = ["A", "B", "C", "D", "E"];
        assert_eq!(enumerated::<&str>(&[], 2), "");
        assert_eq!(enumerated(&[4], 2), "4");
        assert_eq!(enumerated(&names[..2], 2), "A and B");
        assert_eq!(enumerated(&names[..3], 2), "A, B and C");
        assert_eq!(enumerated(&names[..4], 2), "A, B and 2 more");
        assert_eq!(enumerated(&names[..3], 1), "A and 2 more");
    }
}
