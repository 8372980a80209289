//! Names of definitions (ACAP-11, ACAP-12).

use crate::named::slips;

/// Whether `bytes` are a name: a letter, then letters, digits, `-`, `_` and `.` (ACAP-12).
pub(crate) fn is_name(bytes: &[u8]) -> bool {
    let inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    bytes.first().is_some_and(u8::is_ascii_alphabetic) && bytes.iter().all(inner)
}

/// A name in the form in which names are compared: ASCII letters in lower case (ACAP-11).
pub(crate) fn folded(bytes: &[u8]) -> Box<[u8]> {
    bytes.to_ascii_lowercase().into_boxed_slice()
}

/// The name among `names` that was probably meant by `wrong`: one with at most two different
/// letters. Only a limited number of names is compared.
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
        .filter(|(slips, _)| *slips <= 2)
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, name)| name)
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

    #[test]
    fn the_name_that_was_meant() {
        let names = [&b"crawlable"[..], b"images"];
        assert_eq!(nearest(b"crawable", names.into_iter()), Some(names[0]));
        assert_eq!(nearest(b"imagse", names.into_iter()), Some(names[1]));
        assert_eq!(nearest(b"nothing", names.into_iter()), None);
    }
}
