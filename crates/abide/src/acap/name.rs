//! Names of definitions (ACAP-11, ACAP-12).

/// Whether `bytes` are a name: a letter, then letters, digits, `-`, `_` and `.` (ACAP-12).
pub(crate) fn is_name(bytes: &[u8]) -> bool {
    let inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    bytes.first().is_some_and(u8::is_ascii_alphabetic) && bytes.iter().all(inner)
}

/// A name in the form in which names are compared: ASCII letters in lower case (ACAP-11).
pub(crate) fn folded(bytes: &[u8]) -> Box<[u8]> {
    bytes.to_ascii_lowercase().into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acap_12_names_begin_with_a_letter() {
        assert!(is_name(b"a.b_c-1"));
        for wrong in [&b"3-day"[..], b"", b"-a", b"a b", b"a(b)", b"\xC3\xA4"] {
            assert!(!is_name(wrong), "{wrong:?}");
        }
    }
}
