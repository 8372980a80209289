//! How long a response is fresh: RFC 9111, section 4.2, for a shared cache, without heuristics
//! (REP-79, AMB-REP-29).

use abide::Moment;
use std::time::UNIX_EPOCH;

/// A field line of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Field<'a> {
    /// The field's name, in any case.
    pub name: &'a str,
    /// Its value.
    pub value: &'a [u8],
}

impl<'a> Field<'a> {
    /// A field line.
    #[must_use]
    pub const fn new(name: &'a str, value: &'a [u8]) -> Self {
        Self { name, value }
    }
}

/// How long a response is fresh, by its fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Freshness {
    /// For how many seconds it is fresh after its reception; `None` if no field says so.
    pub seconds: Option<u64>,
    /// The instant in `Expires`, if that set the lifetime. A 304 without freshness fields keeps it.
    pub expires: Option<Moment>,
}

/// The greatest number of seconds that is age apart: RFC 9111, section 1.2.2.
const MAX_SECONDS: u64 = 1 << 31;

impl Freshness {
    /// Reads the fields of a response to a request that was sent at `requested_at`, and that came
    /// at `came`.
    ///
    /// ```
    /// use abide::Moment;
    /// use abide_fetch::machine::{Field, Freshness};
    /// let at = Moment::from_unix_seconds(0);
    /// let fields = [Field::new("Cache-Control", b"max-age=3600"), Field::new("Age", b"600")];
    /// assert_eq!(Freshness::of(&fields, at, at).seconds, Some(3_000));
    /// assert_eq!(Freshness::of(&[], at, at).seconds, None);
    /// ```
    #[must_use]
    pub fn of(fields: &[Field<'_>], requested_at: Moment, came: Moment) -> Self {
        let directives = Directives::of(fields);
        let date = values(fields, "date").next().and_then(instant);
        let (lifetime, expires) = if directives.forbids {
            (Some(0), None)
        } else if directives.seconds.is_some() {
            (directives.seconds, None)
        } else {
            let ends = expires(fields);
            let date = date.unwrap_or(came);
            (ends.map(|ends| apart(date, ends).min(MAX_SECONDS)), ends)
        };
        let age = age(fields, date, requested_at, came);
        Self {
            seconds: lifetime.map(|lifetime| lifetime.saturating_sub(age)),
            expires,
        }
    }

    /// What is left of it at `came`, when the response was confirmed without a word about
    /// freshness.
    pub(super) fn confirmed(self, came: Moment) -> Self {
        let left = self.expires.map(|ends| apart(came, ends).min(MAX_SECONDS));
        Self {
            seconds: left.or(self.seconds),
            ..self
        }
    }
}

/// What `Cache-Control` says.
#[derive(Default)]
struct Directives {
    /// `no-store`, `no-cache`, or `private`, which is not for a cache that clients share.
    forbids: bool,
    /// `s-maxage`, else `max-age`; the smallest of several, and nothing where one cannot be read.
    seconds: Option<u64>,
}

impl Directives {
    fn of(fields: &[Field<'_>]) -> Self {
        let mut found = Self::default();
        let (mut shared, mut own): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
        for value in values(fields, "cache-control") {
            for (name, argument) in cache_directives(value) {
                let seconds = || argument.as_deref().and_then(delta).unwrap_or_default();
                match name.to_ascii_lowercase().as_str() {
                    "no-store" | "no-cache" | "private" => found.forbids = true,
                    "s-maxage" => shared.push(seconds()),
                    "max-age" => own.push(seconds()),
                    _ => {}
                }
            }
        }
        found.seconds = shared.into_iter().min().or(own.into_iter().min());
        found
    }
}

/// Names and arguments of the directives of a `Cache-Control`. Commas inside of quotes divide
/// nothing.
fn cache_directives(value: &[u8]) -> Vec<(String, Option<String>)> {
    let text = String::from_utf8_lossy(value);
    let (mut parts, mut part, mut quoted, mut escaped) = (Vec::new(), String::new(), false, false);
    for character in text.chars() {
        match character {
            '\\' if quoted && !escaped => {
                escaped = true;
                continue;
            }
            '"' if !escaped => quoted = !quoted,
            ',' if !quoted => parts.push(std::mem::take(&mut part)),
            _ => part.push(character),
        }
        escaped = false;
    }
    parts.push(part);
    let split = |part: &String| match part.split_once('=') {
        Some((name, argument)) => (name.trim().to_owned(), Some(argument.trim().to_owned())),
        None => (part.trim().to_owned(), None),
    };
    parts.iter().map(split).collect()
}

/// `Expires`. Not a date is the past; of several the earliest counts.
fn expires(fields: &[Field<'_>]) -> Option<Moment> {
    let past = Moment::from_unix_seconds(i64::MIN);
    let ends = values(fields, "expires").map(|value| instant(value).unwrap_or(past));
    ends.min_by_key(|end| end.unix_seconds())
}

/// Seconds from one instant to a later one.
fn apart(from: Moment, to: Moment) -> u64 {
    let seconds = to.unix_seconds().saturating_sub(from.unix_seconds());
    u64::try_from(seconds).unwrap_or_default()
}

/// How old the response was when it came (RFC 9111, section 4.2.3).
fn age(fields: &[Field<'_>], date: Option<Moment>, requested_at: Moment, came: Moment) -> u64 {
    let apparent = date.map_or(0, |date| apart(date, came));
    let age = values(fields, "age").next().map(|value| {
        let first = String::from_utf8_lossy(value);
        let first = first
            .split(',')
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned();
        delta(&first).unwrap_or_default()
    });
    let corrected = age
        .unwrap_or_default()
        .saturating_add(apart(requested_at, came));
    apparent.max(corrected)
}

fn values<'f>(fields: &'f [Field<'_>], name: &'static str) -> impl Iterator<Item = &'f [u8]> {
    let named = move |field: &&Field<'_>| field.name.eq_ignore_ascii_case(name);
    fields.iter().filter(named).map(|field| field.value)
}

/// Seconds as digits; a number past all counting is as good as the greatest.
fn delta(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(MAX_SECONDS).min(MAX_SECONDS))
}

/// An HTTP date in any of its three forms.
pub(super) fn instant(value: &[u8]) -> Option<Moment> {
    let text = std::str::from_utf8(value).ok()?.trim();
    let time = httpdate::parse_http_date(text).ok()?;
    let seconds = match time.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_secs()).ok()?,
        Err(before) => i64::try_from(before.duration().as_secs())
            .ok()?
            .checked_neg()?,
    };
    Some(Moment::from_unix_seconds(seconds))
}

/// Seconds that a `Retry-After` asks to wait from `now` on. Text that is neither seconds nor a date
/// asks for nothing; of several the longest counts.
pub(crate) fn retry_after(fields: &[Field<'_>], now: Moment) -> u64 {
    let wait = |value: &[u8]| {
        let text = String::from_utf8_lossy(value);
        delta(text.trim()).or_else(|| {
            let until = instant(value)?.unix_seconds();
            u64::try_from(until.saturating_sub(now.unix_seconds())).ok()
        })
    };
    let longest = values(fields, "retry-after").filter_map(wait).max();
    longest.unwrap_or_default()
}
