//! `array_windows` of slices, which is newer than the oldest compiler that builds this crate.

/// Each stretch of `LENGTH` items, from the first to the last.
#[inline]
pub(crate) fn array_windows<T, const LENGTH: usize>(
    items: &[T],
) -> impl Iterator<Item = &[T; LENGTH]> {
    // Each window has this length, so none ends the list early.
    let windows = items.windows(LENGTH);
    windows.map_while(|window| window.first_chunk())
}

#[cfg(test)]
mod tests {
    use super::array_windows;

    #[test]
    fn each_stretch_once() {
        let found: Vec<&[u8; 2]> = array_windows(b"abcd").collect();
        assert_eq!(found, [b"ab", b"bc", b"cd"]);
        assert_eq!(array_windows::<_, 3>(b"ab").next(), None);
    }
}
