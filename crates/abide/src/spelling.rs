//! Which name was probably meant by a wrong one.

/// The name among `names` that was probably meant by `wrong`: one with at most two different
/// letters, and no more than a third, whatever their case. Only a limited number of names is
/// compared.
pub(crate) fn nearest<'n>(wrong: &[u8], names: impl Iterator<Item = &'n [u8]>) -> Option<&'n [u8]> {
    const MAX_NAMES: usize = 1_000;
    const MAX_NAME_BYTES: usize = 64;
    // Names whose lengths differ by more have more slips, so they are not compared.
    let near = |name: &&[u8]| name.len() <= MAX_NAME_BYTES && name.len().abs_diff(wrong.len()) <= 2;
    if wrong.len() > MAX_NAME_BYTES {
        return None;
    }
    names
        // A file can define a hundred thousand names, and use a wrong one on each line.
        .take(MAX_NAMES)
        .filter(near)
        .map(|name| (slips(wrong, name), name))
        // Two other letters make any short word of any other.
        .filter(|(slips, _)| *slips <= 2 && slips.saturating_mul(3) <= wrong.len())
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, name)| name)
}

/// How many bytes have to be inserted, removed or changed to get from `a` to `b`, whatever their
/// case.
pub(crate) fn slips(a: &[u8], b: &[u8]) -> usize {
    // One row of the table of distances at a time. `diagonal` keeps what the row above had one cell
    // before.
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (at, from) in a.iter().enumerate() {
        let mut diagonal = at;
        let mut left = at.saturating_add(1);
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (cell, to) in row.iter_mut().skip(1).zip(b) {
            let changed = diagonal.saturating_add(usize::from(!from.eq_ignore_ascii_case(to)));
            diagonal = *cell;
            left = changed.min(left.min(diagonal).saturating_add(1));
            *cell = left;
        }
    }
    row.last().copied().unwrap_or_default()
}

/// The name among `names` that was probably meant by `wrong`: one with at most two different
/// letters, and no more than a third, whatever their case.
pub fn nearest_text<'n>(wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let names = names.into_iter().map(str::as_bytes);
    nearest(wrong.as_bytes(), names).and_then(|near| std::str::from_utf8(near).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_that_was_meant() {
        let names = [&b"crawlable"[..], b"images"];
        assert_eq!(nearest(b"crawable", names.into_iter()), Some(names[0]));
        assert_eq!(nearest(b"imagse", names.into_iter()), Some(names[1]));
        assert_eq!(nearest(b"nothing", names.into_iter()), None);
        assert_eq!(nearest_text("exampel-1", ["EXAMPLE-1"]), Some("EXAMPLE-1"));
        assert_eq!(nearest_text("bot", ["now"]), None);
        assert_eq!(slips(b"kitten", b"sitting"), 3);
    }
}
