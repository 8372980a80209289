//! How alike two names are.

/// The name that is most like `text`, whatever the case, where few letters are amiss: one in names
/// of up to five, two in longer ones. An equal name is like itself.
pub(crate) fn nearest<'n>(text: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let most = if text.len() <= 5 { 1 } else { 2 };
    names
        .into_iter()
        .filter_map(|name| Some((distance(text.as_bytes(), name.as_bytes(), most)?, name)))
        .min()
        .map(|(_, name)| name)
}

/// How many bytes have to be put in, left out, replaced, or swapped with their neighbour, to make
/// `b` of `a`, whatever their case; `None` for more than `most`.
pub(crate) fn distance(a: &[u8], b: &[u8], most: usize) -> Option<usize> {
    // Each change brings in one letter and takes out one, at most.
    let differing = (letters(a) ^ letters(b)).count_ones() as usize;
    if a.len().abs_diff(b.len()) > most || differing > 2 * most {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let same = x.eq_ignore_ascii_case(y);
            let at = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX - 1);
            let mut least = (at(&above, j) + usize::from(!same))
                .min(at(&above, j + 1) + 1)
                .min(at(&row, j) + 1);
            let swapped = i > 0
                && j > 0
                && a.get(i - 1).is_some_and(|x| x.eq_ignore_ascii_case(y))
                && b.get(j - 1).is_some_and(|y| x.eq_ignore_ascii_case(y));
            if swapped {
                least = least.min(at(&before, j - 1) + 1);
            }
            row.push(least);
        }
        if row.iter().all(|&least| least > most) {
            return None;
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().filter(|&found| found <= most)
}

/// One bit for each letter that occurs, whatever its case.
fn letters(name: &[u8]) -> u32 {
    name.iter().fold(0, |all, byte| all | 1 << (byte & 31))
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn slips_of_the_hand() {
        assert_eq!(distance(b"Googelbot", b"googlebot", 2), Some(1));
        assert_eq!(distance(b"Bing bot", b"bingbot", 2), Some(1));
        assert_eq!(distance(b"abc", b"xyz", 2), None);
        assert_eq!(
            nearest("gogolebot", ["bingbot", "googlebot"]),
            Some("googlebot")
        );
        assert_eq!(nearest("bot", ["cat"]), None);
    }
}
