//! The lines of robots.txt that carry preferences (PREF-13, PREF-15, PREF-21, PREF-63).

use crate::text::{Part as _, is_blank};

/// What a line that carries preferences is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PreferenceLine {
    /// `Content-Usage`.
    ContentUsage,
    /// `Content-Signal`, or `Content-Signals` (AMB-PREF-13).
    ContentSignal,
    /// `License`.
    License,
}

impl PreferenceLine {
    /// The kind of a line with this key, in any case.
    pub(crate) fn of(key: &[u8]) -> Option<Self> {
        let is = |name: &str| key.eq_ignore_ascii_case(name.as_bytes());
        if is("content-usage") {
            Some(Self::ContentUsage)
        } else if is("content-signal") || is("content-signals") {
            Some(Self::ContentSignal)
        } else if is("license") {
            Some(Self::License)
        } else {
            None
        }
    }
}

/// Splits a value into its path, if it begins with one, and the statement after it. A path begins
/// with `/` and ends before the first space or tab.
pub(crate) fn split_path(value: &[u8]) -> (Option<&[u8]>, &[u8]) {
    if !value.starts_with(b"/") {
        return (None, value);
    }
    let end = value.iter().position(|&byte| is_blank(byte));
    let end = end.unwrap_or(value.len());
    let rest = value.part(end..);
    let blanks = rest.iter().take_while(|&&byte| is_blank(byte)).count();
    (Some(value.part(..end)), rest.part(blanks..))
}
