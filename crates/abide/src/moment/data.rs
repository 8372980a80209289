//! Instants as data.

use super::{Moment, MomentError};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Reads an instant in UTC, as RFC 3339 writes it. What is less than a millisecond is dropped.
impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Moment;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an instant such as 2026-11-20T12:00:00Z")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Moment, E> {
                let moment = Some(text).filter(|text| has_form(text.as_bytes()));
                let moment = moment.and_then(|text| text.parse().ok());
                moment.ok_or_else(|| E::custom(MomentError { text: begin(text) }))
            }
        }

        deserializer.deserialize_str(Text)
    }
}

/// The beginning of a long text.
fn begin(text: &str) -> Box<str> {
    match text.char_indices().nth(100) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()).into(),
        None => text.into(),
    }
}

/// Whether `text` has the form of RFC 3339, section 5.6. [`Moment`] checks the numbers, and reads
/// other forms besides.
fn has_form(text: &[u8]) -> bool {
    let follows = |text: &[u8], form: &[u8]| {
        let fits = |(byte, form): (&u8, &u8)| match form {
            b'0' => byte.is_ascii_digit(),
            other => byte.eq_ignore_ascii_case(other),
        };
        text.len() == form.len() && text.iter().zip(form).all(fits)
    };
    let Some((whole, rest)) = text.split_at_checked("0000-00-00T00:00:00".len()) else {
        return false;
    };
    let zone = match rest.strip_prefix(b".") {
        None => rest,
        Some(fraction) => {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit());
            match fraction.split_at_checked(digits.count()) {
                Some((digits, zone)) if !digits.is_empty() => zone,
                _ => return false,
            }
        }
    };
    let is_zone = [&b"Z"[..], b"+00:00", b"-00:00"]
        .iter()
        .any(|form| follows(zone, form));
    follows(whole, b"0000-00-00T00:00:00") && is_zone
}
