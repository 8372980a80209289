//! Suggests a name for a misspelt one.

/// The name that is probably meant by `text`: at most two bytes differ.
pub(super) fn near(text: &str, names: impl Iterator<Item = &'static str>) -> Option<String> {
    if text.len() > 24 {
        return None;
    }
    let distance = |name: &'static str| (distance(text.as_bytes(), name.as_bytes()), name);
    let (distance, name) = names.map(distance).min()?;
    (distance <= 2 && distance < name.len()).then(|| name.to_owned())
}

/// The number of bytes to change, add or remove to turn one text into the other.
fn distance(one: &[u8], other: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, byte) in one.iter().enumerate() {
        let mut next = vec![at + 1];
        for ((diagonal, above), own) in row.iter().zip(row.iter().skip(1)).zip(other) {
            let left = next.last().copied().unwrap_or_default();
            let kept = diagonal + usize::from(!byte.eq_ignore_ascii_case(own));
            next.push(kept.min(above + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}
