//! Slices of a text whose range is known to be valid.

use std::slice::SliceIndex;

/// Slicing for ranges that the caller has proved. An invalid range is a bug: debug builds panic,
/// and release builds return an empty part.
///
/// Use `get` for ranges that depend on foreign bytes.
pub(crate) trait Part {
    /// The part at `range`.
    fn part<R: SliceIndex<Self, Output = Self>>(&self, range: R) -> &Self;
}

impl<T> Part for [T] {
    #[inline]
    #[track_caller]
    fn part<R: SliceIndex<Self, Output = Self>>(&self, range: R) -> &Self {
        let part = self.get(range);
        debug_assert!(part.is_some(), "a part that is known to be there is not");
        part.unwrap_or_default()
    }
}

impl Part for str {
    #[inline]
    #[track_caller]
    fn part<R: SliceIndex<Self, Output = Self>>(&self, range: R) -> &Self {
        let part = self.get(range);
        debug_assert!(part.is_some(), "a part that is known to be there is not");
        part.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_what_get_gives() {
        assert_eq!([1, 2, 3].part(1..), [2, 3]);
        assert_eq!("abc".part(..0), "");
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "known to be there")]
    fn a_part_that_is_not_there_is_loud() {
        let _ = "é".part(1..);
    }
}
