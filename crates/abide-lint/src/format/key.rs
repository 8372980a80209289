//! Keys as the specifications write them (REP-7, REP-63, PUR-1, APP-1, ACAP-10).

use crate::acap::{FIELDS, SENSES};
use abide::Usage;
use abide::syntax::{Field, FieldKind, Spelling};
use std::borrow::Cow;

/// How the key of `field`, written as `key`, is written. Keys that are misspelt, or that nobody
/// here knows, stay as they are: to robots that keep to the letter a corrected key would be a new
/// line.
pub(super) fn canonical<'k>(field: &Field, key: &'k [u8]) -> Cow<'k, [u8]> {
    if field.kind == FieldKind::Acap {
        return acap(key);
    }
    let is_exact = field.spelling == Spelling::Exact;
    let name = field.kind.name().filter(|_| is_exact);
    Cow::Borrowed(name.map_or(key, str::as_bytes))
}

/// A key of ACAP; a local name in it stays as it is.
fn acap(key: &[u8]) -> Cow<'_, [u8]> {
    let known = FIELDS
        .iter()
        .find(|name| key.eq_ignore_ascii_case(name.as_bytes()));
    if let Some(name) = known {
        return Cow::Borrowed(name.as_bytes());
    }
    for sense in SENSES {
        let Some((head, usage)) = key.split_at_checked(sense.len()) else {
            continue;
        };
        if !head.eq_ignore_ascii_case(sense.as_bytes()) {
            continue;
        }
        let named = std::str::from_utf8(usage)
            .ok()
            .and_then(|name| name.parse::<Usage>().ok());
        return match named {
            Some(usage) => Cow::Owned([sense.as_bytes(), usage.name().as_bytes()].concat()),
            None if usage.starts_with(b"(") => Cow::Owned([sense.as_bytes(), usage].concat()),
            None => Cow::Borrowed(key),
        };
    }
    Cow::Borrowed(key)
}
