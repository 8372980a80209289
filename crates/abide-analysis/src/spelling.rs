//! How alike two names are.

/// The name that is most like `text`, whatever the case, if few letters differ: at most one for
/// texts of up to five bytes, two for longer ones. An equal name is like itself.
pub fn nearest<'n>(text: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let most = if text.len() <= 5 { 1 } else { 2 };
    names
        .into_iter()
        .filter_map(|name| Some((distance(text, name, most)?, name)))
        .min()
        .map(|(_, name)| name)
}

/// How many letters have to be added, removed, replaced, or swapped with their neighbour, to make
/// `b` of `a`, whatever their case; `None` for more than `most`.
pub fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    // A text can be as long as a robots.txt, so most names are refused at a glance. Each change
    // adds one letter and removes one, at most.
    let differing = (letters(a) ^ letters(b)).count_ones() as usize;
    if a.len().abs_diff(b.len()) > most.saturating_mul(4) || differing > most.saturating_mul(2) {
        return None;
    }
    let found = strsim::osa_distance(&a.to_ascii_lowercase(), &b.to_ascii_lowercase());
    (found <= most).then_some(found)
}

/// One bit for each letter that occurs, whatever its case.
fn letters(name: &str) -> u32 {
    name.bytes().fold(0, |all, byte| all | 1 << (byte & 31))
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn slips_of_the_hand() {
        assert_eq!(distance("Googelbot", "googlebot", 2), Some(1));
        assert_eq!(distance("Bing bot", "bingbot", 2), Some(1));
        assert_eq!(distance("abc", "xyz", 2), None);
        assert_eq!(distance(&"a".repeat(500_000), "a", 2), None);
        assert_eq!(
            nearest("gogolebot", ["bingbot", "googlebot"]),
            Some("googlebot")
        );
        assert_eq!(nearest("bot", ["cat"]), None);
        assert_eq!(nearest("ulr", ["url", "urls"]), Some("url"));
    }
}
