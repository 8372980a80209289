//! A glance at the lines of a file, in a pass that goes over them anyway: on most there can be no finding, and those need
//! not be looked at closer.

use crate::pattern::octet_set::OctetSet;
use crate::rep::field::Keyed;
use crate::text::RawLine;

/// Tells the lines on which there can be findings, or which those below them depend on, from plain rules in groups.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Glance {
    is_in_group: bool,
}

impl Glance {
    /// Takes the next line of a known key; whether it has to be looked at closer.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "once for every line of a file")]
    pub(crate) fn notices(&mut self, line: &Keyed<'_>, raw: &RawLine, text: &[u8]) -> bool {
        self.is_in_group |= line.kind.starts_group();
        let is_plain = line.kind.sense().is_some() && self.is_in_group && line.is_exact();
        !(is_plain && (is_seen_to_be_fine(line, raw, text) || is_fine(line.value())))
    }

    /// Whether the line that was taken last stands in a group.
    pub(super) fn is_in_group(self) -> bool {
        self.is_in_group
    }
}

/// Whether there is nothing to say about the value of a rule, as far as can be told from its octets.
#[inline(never)]
pub(super) fn is_fine(value: &[u8]) -> bool {
    let set = OctetSet::of(value.strip_suffix(b"$").unwrap_or(value));
    matches!(value, [] | [b'/' | b'*', ..])
        && !set.may_change()
        && !(set.has_point() && may_have_dot_segment(value))
}

/// Whether a segment may begin with a dot.
fn may_have_dot_segment(value: &[u8]) -> bool {
    value.array_windows().any(|octets| octets == b"/.")
}

/// Octets of a value that are looked at together; those of longer ones are looked at one by one.
const LOOK: usize = 32;

/// Whether one look at the value tells that there is nothing to say about it. Few rules are fine and not seen to be.
#[inline]
fn is_seen_to_be_fine(line: &Keyed<'_>, raw: &RawLine, text: &[u8]) -> bool {
    let value = line.begins_with();
    let body = value.strip_suffix(b"$").unwrap_or(value);
    let end = (raw.hash as usize).saturating_sub(value.len().saturating_sub(body.len()));
    // With what stands before it, for its length to cost no branch.
    let ends = text.get(..end).and_then(<[u8]>::last_chunk);
    matches!(value, [b'/' | b'*', ..])
        && ends.is_some_and(|octets| body.len() <= LOOK && are_verbatim(octets, body.len()))
}

/// Whether the last octets, so many of them, mean themselves in a pattern, and no segment begins with a dot. Written so that
/// the compiler compares sixteen octets at once.
#[inline]
#[expect(
    clippy::needless_bitwise_bool,
    reason = "a branch is what sixteen octets at once cannot have"
)]
fn are_verbatim(octets: &[u8; LOOK + 1], count: usize) -> bool {
    const PLACES: [u8; LOOK] = {
        let mut places = [0; LOOK];
        let mut rest: &mut [u8] = &mut places;
        let mut place = 0_u8;
        while let [first, others @ ..] = rest {
            *first = place;
            place = place.wrapping_add(1);
            rest = others;
        }
        places
    };
    let Some((own, before)) = octets
        .last_chunk::<LOOK>()
        .zip(octets.first_chunk::<LOOK>())
    else {
        return false;
    };
    let first = u8::try_from(LOOK.saturating_sub(count)).unwrap_or_default();
    let looked_at = PLACES.iter().zip(own).zip(before);
    looked_at.fold(true, |fine, ((&place, &own), &before)| {
        let begins_dot_segment = (own == b'.') & (before == b'/');
        fine & ((place < first) | (is_verbatim(own) & !begins_dot_segment))
    })
}

/// Whether an octet means itself in a pattern. Not so, to spend few comparisons, of some that are rare and do: `!`, `~`, `|`
/// and braces, to which it is the same to be looked at closer.
#[inline]
#[expect(
    clippy::needless_bitwise_bool,
    reason = "a branch is what sixteen octets at once cannot have"
)]
const fn is_verbatim(octet: u8) -> bool {
    let is_among = octet.wrapping_sub(b'&') <= b'z' - b'&';
    // `<`, `>`, `\` and `^`.
    let is_bracket = octet & 0x9D == 0x1C;
    is_among & !(is_bracket | (octet == b'`'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any octet at any place of values of any length, at the beginning of a text and further on.
    #[test]
    fn what_is_seen_to_be_fine_is_fine() {
        let mut seen = 0;
        for (before, length) in [("", 6), ("", 40), ("# 234567890123456789\n", 6)]
            .into_iter()
            .flat_map(|(before, longest)| (1..longest).map(move |length| (before, length)))
        {
            for (at, octet) in (0..length).flat_map(|at| (0..=255_u8).map(move |octet| (at, octet)))
            {
                let mut value = b"/a/b.c/d".repeat(5);
                value.truncate(length);
                value.splice(at..=at, [octet]);
                let text = [before.as_bytes(), b"Disallow: ", &value].concat();
                for raw in crate::text::Lines::new(&text, 0) {
                    let profile = crate::profile::Profile::Careful;
                    let Some(line) = Keyed::new(&text, &raw, profile) else {
                        continue;
                    };
                    if is_seen_to_be_fine(&line, &raw, &text) {
                        seen += 1;
                        assert!(is_fine(line.value()), "{}", value.escape_ascii());
                    }
                }
            }
        }
        assert!(seen > 10_000, "{seen}");
    }
}
