//! `tdmrep.json`: JSON to rules.

use abide::preference::TdmrepState;
use abide::preference::tdmrep::{MAX_BYTES, MAX_DEPTH, TdmrepFile, TdmrepRule};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;
use std::sync::Arc;

/// Reads a `tdmrep.json` (PREF-70, PREF-81, PREF-85, CLA-PREF-10). A BOM is skipped.
///
/// - What does not begin with `[`, is not UTF-8, or is not a JSON array, is
///   [`Absent`](TdmrepState::Absent): the site does not use the protocol. A page of any length that
///   a server sends for every address is no exception.
/// - What begins with `[`, and is longer than [`MAX_BYTES`] or nests deeper than [`MAX_DEPTH`], is
///   [`TooLarge`](TdmrepState::TooLarge), whatever the rest of it is: it was not read as JSON, so
///   nobody knows that it is none.
/// - The array has depth 1. Brackets in strings do not count.
///
/// Numbers are compared by value, without rounding: `1.0` and `10e-1` are 1, and `1e-400` is not 0.
/// Of a repeated member the last counts, also if it is not valid.
///
/// ```
/// use abide::preference::TdmrepState;
/// let file = abide_documents::tdmrep(br#"[{"location":"/","tdm-reservation":"1"}, 7]"#);
/// let TdmrepState::File(file) = file else { return Err("no file") };
/// assert_eq!(file.rules[0].as_ref().unwrap().reservation, Some(true));
/// assert_eq!(file.rules[1], None);
/// assert_eq!(abide_documents::tdmrep(b"<!DOCTYPE html>"), TdmrepState::Absent);
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn tdmrep(body: &[u8]) -> TdmrepState {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    let is_long = body.len() > MAX_BYTES;
    match body.iter().take(MAX_BYTES).find(|byte| !is_blank(**byte)) {
        Some(b'[') => {}
        None if is_long => return TdmrepState::TooLarge,
        _ => return TdmrepState::Absent,
    }
    if is_long {
        return TdmrepState::TooLarge;
    }
    let Ok(text) = std::str::from_utf8(body) else {
        return TdmrepState::Absent;
    };
    if nests_too_deep(body) {
        return TdmrepState::TooLarge;
    }
    match serde_json::from_str::<Rules>(text) {
        Ok(Rules(rules)) => TdmrepState::File(Arc::new(TdmrepFile::new(rules))),
        Err(_) => TdmrepState::Absent,
    }
}

/// White space of JSON.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether arrays and objects nest deeper than [`MAX_DEPTH`]. Counts brackets, so that depth costs
/// neither stack nor memory.
pub(crate) fn nests_too_deep(text: &[u8]) -> bool {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => in_string = !in_string,
            b'\\' if in_string => {
                bytes.next();
            }
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return true;
        }
    }
    false
}

/// The array. Its members are read one by one, and no tree is built.
struct Rules(Vec<Option<TdmrepRule>>);

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RulesVisitor;

        impl<'de> Visitor<'de> for RulesVisitor {
            type Value = Rules;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an array of rules")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut members: A) -> Result<Rules, A::Error> {
                let mut rules = Vec::new();
                while let Some(member) = members.next_element::<&RawValue>()? {
                    rules.push(rule(member));
                }
                Ok(Rules(rules))
            }
        }

        deserializer.deserialize_seq(RulesVisitor)
    }
}

/// A member of the array; `None` if it is not an object.
fn rule(member: &RawValue) -> Option<TdmrepRule> {
    let object: Object<'_> = serde_json::from_str(member.get()).ok()?;
    let policy = object.policy.and_then(string);
    let policy = policy.map(|policy| policy.trim_ascii().to_owned());
    let mut rule = TdmrepRule::default();
    rule.location = object.location.and_then(string);
    rule.reservation = object.reservation.and_then(reservation);
    rule.policy = policy.filter(|policy| !policy.is_empty());
    member.get().clone_into(&mut rule.text);
    Some(rule)
}

/// The members of a rule that mean something.
#[derive(Default)]
pub(crate) struct Object<'a> {
    pub(crate) location: Option<&'a RawValue>,
    pub(crate) reservation: Option<&'a RawValue>,
    pub(crate) policy: Option<&'a RawValue>,
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor;

        impl<'de> Visitor<'de> for ObjectVisitor {
            type Value = Object<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a rule")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
                let mut object = Object::default();
                // Keys too are read as raw text: one that is no Unicode (`"\ud800"`) is legal JSON,
                // and must not take the rule with it.
                while let Some(key) = members.next_key::<&RawValue>()? {
                    let member = match string(key).as_deref() {
                        Some("location") => &mut object.location,
                        Some("tdm-reservation") => &mut object.reservation,
                        Some("tdm-policy") => &mut object.policy,
                        _ => {
                            members.next_value::<IgnoredAny>()?;
                            continue;
                        }
                    };
                    *member = Some(members.next_value()?);
                }
                Ok(object)
            }
        }

        deserializer.deserialize_map(ObjectVisitor)
    }
}

fn string(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

/// Whether rights are reserved: 1 or 0, as a number by value or as a string (PREF-68).
fn reservation(value: &RawValue) -> Option<bool> {
    let is_number = value
        .get()
        .starts_with(|c: char| c == '-' || c.is_ascii_digit());
    if is_number {
        return one_or_zero(value.get());
    }
    match string(value)?.as_str() {
        "1" => Some(true),
        "0" => Some(false),
        _ => None,
    }
}

/// Whether a JSON number is 1 (`true`) or 0 (`false`). A floating-point number would round some
/// other values to them.
fn one_or_zero(number: &str) -> Option<bool> {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let (sign, whole) = whole
        .strip_prefix('-')
        .map_or((1, whole), |digits| (-1, digits));
    let digits = || whole.bytes().chain(fraction.bytes());
    let mut others = digits().enumerate().filter(|(_, digit)| *digit != b'0');
    let Some((at, digit)) = others.next() else {
        return Some(false);
    };
    // A power of ten is 1 if the exponent moves its only digit to the last place before the point.
    let places = i64::try_from(whole.len()).ok()? - 1 - i64::try_from(at).ok()?;
    let is_power = sign == 1 && digit == b'1' && others.next().is_none();
    (is_power && exponent.parse::<i64>().ok()? == -places).then_some(true)
}
