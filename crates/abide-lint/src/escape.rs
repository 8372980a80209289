//! Bytes of a pattern, written as escapes: `%20`.

/// The value, with an escape for each byte at which `is_meant` says so of what is left of it from
/// there on.
pub(crate) fn escaped(value: &[u8], is_meant: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut written = Vec::with_capacity(value.len());
    let mut rest = value;
    while let [byte, behind @ ..] = rest {
        if is_meant(rest) {
            push(&mut written, *byte);
        } else {
            written.push(*byte);
        }
        rest = behind;
    }
    written
}

/// Adds the escape of an byte.
pub(crate) fn push(written: &mut Vec<u8>, byte: u8) {
    written.extend_from_slice(format!("%{byte:02X}").as_bytes());
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn only_what_is_meant_is_escaped() {
        let blanks = escaped(b"/a b\x7F%20", |rest| matches!(rest, [b' ' | 0x7F, ..]));
        assert_eq!(blanks, b"/a%20b%7F%20");
    }
}
