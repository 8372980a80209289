//! Instants in requests.

use crate::names::cut;
use abide::Moment;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;

const EXAMPLE: &str = "an instant such as 2026-11-20T12:00:00Z";

/// An instant, as RFC 3339 writes it. Fractions of a second are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Instant(pub(crate) Moment);

impl<'de> Deserialize<'de> for Instant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Instant;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(EXAMPLE)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Instant, E> {
                let moment = Some(text).filter(|text| has_form(text.as_bytes()));
                let moment = moment.and_then(|text| text.parse().ok());
                moment.map(Instant).ok_or_else(|| {
                    E::custom(format_args!(
                        "expected {EXAMPLE}, but found {:?}",
                        cut(text)
                    ))
                })
            }
        }

        deserializer.deserialize_str(Text)
    }
}

impl Serialize for Instant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// A moment in an answer that may have none.
pub(crate) mod moment {
    use super::{Deserialize, Deserializer, Instant, Moment, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "the form that serde asks for")]
    pub(crate) fn serialize<S: Serializer>(
        moment: &Option<Moment>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        moment.map(Instant).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Moment>, D::Error> {
        let read = Option::<Instant>::deserialize(deserializer)?;
        Ok(read.map(|Instant(moment)| moment))
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
