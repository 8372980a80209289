//! Bytes of a pattern, written as escapes: `%20`.

/// Returns `value` with some bytes as escapes. `needs_escape` gets the rest of the value from each
/// byte on, and returns whether the first byte of that rest has to be escaped.
pub(crate) fn escaped(value: &[u8], needs_escape: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut written = Vec::with_capacity(value.len());
    let mut rest = value;
    while let [byte, behind @ ..] = rest {
        if needs_escape(rest) {
            push(&mut written, *byte);
        } else {
            written.push(*byte);
        }
        rest = behind;
    }
    written
}

/// Adds the escape of a byte.
pub(crate) fn push(written: &mut Vec<u8>, byte: u8) {
    written.extend_from_slice(format!("%{byte:02X}").as_bytes());
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn only_bytes_that_need_it_are_escaped() {
        let blanks = escaped(b"/a b\x7F%20", |rest| matches!(rest, [b' ' | 0x7F, ..]));
        assert_eq!(blanks, b"/a%20b%7F%20");
    }
}
