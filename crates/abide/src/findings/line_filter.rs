//! Skips the lines of a file on which there can be no finding: most rules of most files.

use crate::array_windows::array_windows;
use crate::pattern::byte_set::ByteSet;
use crate::rep::field::KeyedLine;

/// Decides which lines have to be checked, and follows whether a group has begun.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineFilter {
    is_in_group: bool,
}

impl LineFilter {
    /// Returns whether the next line with a known key has to be checked.
    pub(super) fn needs_check(&mut self, line: &KeyedLine<'_>) -> bool {
        self.is_in_group |= line.kind.starts_group();
        let is_rule_of_group = line.kind.sense().is_some() && self.is_in_group;
        !(is_rule_of_group && line.is_exact() && is_fine(line.value()))
    }

    /// Whether the line that was passed last is in a group.
    pub(super) fn is_in_group(self) -> bool {
        self.is_in_group
    }
}

/// Whether there is nothing to report about the value of a rule: it is a pattern in form C1 without
/// dot segments.
pub(super) fn is_fine(value: &[u8]) -> bool {
    let set = ByteSet::of(value.strip_suffix(b"$").unwrap_or(value));
    matches!(value, [] | [b'/' | b'*', ..])
        && !set.may_change()
        && !(set.has_point() && may_have_dot_segment(value))
}

/// Whether a segment may begin with a dot, as patterns in form C1 write it.
fn may_have_dot_segment(value: &[u8]) -> bool {
    array_windows(value).any(|bytes| bytes == b"/.")
}
