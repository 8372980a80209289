//! Lists of structured fields (RFC 9651), member by member.
//!
//! The crate `sfv` rejects a whole field for one mistake. For robots tags, the members before the
//! limit and before a mistake count (TAG-16, AMB-TAG-6). So this module splits the list, and `sfv`
//! parses each member.

use crate::text::Part as _;
use sfv::{BareItem, FieldType, Item, List, ListEntry, Parser};

/// A member's place in the field value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemberSpan {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether the member ends before the limit. A member that does not is ignored (TAG-17,
    /// AMB-TAG-8).
    pub(crate) whole: bool,
}

/// The members of `value`, without blanks around them. Ends with the member that `limit` cuts, and
/// reads no further.
pub(crate) fn members(value: &[u8], limit: usize) -> impl Iterator<Item = MemberSpan> {
    let mut next = (!value.iter().all(|byte| is_blank(*byte))).then_some(0_usize);
    std::iter::from_fn(move || {
        let (member, comma) = member(value, next?, limit);
        next = comma
            .filter(|_| member.whole)
            .map(|comma| comma.saturating_add(1));
        Some(member)
    })
}

/// The member that begins at `from`, and the place of the comma after it.
fn member(value: &[u8], from: usize, limit: usize) -> (MemberSpan, Option<usize>) {
    let rest = value.part(from..);
    let lead = rest.iter().take_while(|byte| is_blank(**byte)).count();
    let start = from.saturating_add(lead);
    let (mut end, mut quoted, mut escaped) = (start, false, false);
    for (at, &byte) in value.iter().enumerate().skip(start) {
        if byte == b',' && !quoted {
            return (
                MemberSpan {
                    start,
                    end,
                    whole: true,
                },
                Some(at),
            );
        }
        if !is_blank(byte) {
            if at >= limit {
                return (
                    MemberSpan {
                        start,
                        end: limit,
                        whole: false,
                    },
                    None,
                );
            }
            end = at.saturating_add(1);
        }
        quoted ^= byte == b'"' && !escaped;
        escaped = quoted && byte == b'\\' && !escaped;
    }
    (
        MemberSpan {
            start,
            end,
            whole: true,
        },
        None,
    )
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// A member that was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Member {
    /// An Item: a bare item with parameters, in the order of their first use.
    Item(BareItem, Vec<(String, BareItem)>),
    /// An Inner List, which has no meaning in any of the specifications.
    InnerList,
}

/// Reads one member. `None` if it is not a valid structured field.
pub(crate) fn read(member: &[u8]) -> Option<Member> {
    let mut list: List = Parser::new(member).parse().ok()?;
    match (list.pop()?, list.is_empty()) {
        (ListEntry::Item(Item { bare_item, params }), true) => {
            let params = params.into_iter().map(|(key, value)| (key.into(), value));
            Some(Member::Item(bare_item, params.collect()))
        }
        (ListEntry::InnerList(_), true) => Some(Member::InnerList),
        _ => None,
    }
}

/// The member with its parameter keys in lower case, if that changes it. The names of robots tag
/// rules are case-insensitive, but structured fields only allow lower case (AMB-TAG-4).
pub(crate) fn with_folded_keys(member: &[u8]) -> Option<Vec<u8>> {
    let mut folded = member.to_vec();
    let (mut quoted, mut escaped, mut key) = (false, false, false);
    for byte in &mut folded {
        key = match *byte {
            b';' => !quoted,
            b' ' | b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b'*' => key,
            _ => false,
        };
        if key {
            byte.make_ascii_lowercase();
        }
        quoted ^= *byte == b'"' && !escaped;
        escaped = quoted && *byte == b'\\' && !escaped;
    }
    (folded != member).then_some(folded)
}

/// A bare item as text: Strings without quotes, Booleans as `?0` and `?1`, the rest as serialised.
pub(crate) fn shown(item: &BareItem) -> String {
    match item {
        BareItem::String(text) => text.to_string(),
        BareItem::Token(token) => token.to_string(),
        BareItem::DisplayString(text) => text.clone(),
        other => Item::new(other.clone()).serialize(),
    }
}
