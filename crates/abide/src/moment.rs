//! Instants and days. The crate reads no clock, so callers pass the time.

#[cfg(feature = "serde")]
mod data;

use std::fmt;
use std::time::{Duration, SystemTime};
use thiserror::Error;

/// An instant, in milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// ```
/// use abide::Moment;
/// let moment: Moment = "2010-06-25T23:00:00Z".parse()?;
/// assert_eq!(moment.unix_seconds(), 1_277_506_800);
/// assert_eq!(moment.to_string(), "2010-06-25T23:00:00Z");
/// let later = moment.with_milliseconds(250);
/// assert!(moment < later);
/// assert_eq!(later.to_string(), "2010-06-25T23:00:00.250Z");
/// # Ok::<(), abide::MomentError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "String", inline))]
pub struct Moment {
    /// Whole seconds since the beginning of 1970, rounded down.
    seconds: i64,
    /// Milliseconds behind them, less than 1,000. The order of the fields is that of time.
    milliseconds: u16,
}

/// What is less than a millisecond is dropped.
impl From<SystemTime> for Moment {
    fn from(time: SystemTime) -> Self {
        let seconds = |duration: Duration| i64::try_from(duration.as_secs()).unwrap_or(i64::MAX);
        let rest = |duration: Duration| u16::try_from(duration.subsec_millis()).unwrap_or_default();
        match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => Self::from_unix_seconds(seconds(since)).with_milliseconds(rest(since)),
            Err(error) => {
                let before = error.duration();
                let whole = seconds(before).saturating_neg();
                match rest(before) {
                    0 => Self::from_unix_seconds(whole),
                    rest => Self::from_unix_seconds(whole.saturating_sub(1))
                        .with_milliseconds(1_000_u16.saturating_sub(rest)),
                }
            }
        }
    }
}

/// A date, a time of day, and its offset from UTC.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Civil {
    pub(crate) year: i64,
    pub(crate) month: i64,
    pub(crate) day: i64,
    /// Seconds since midnight.
    pub(crate) time: i64,
    /// Seconds ahead of UTC.
    pub(crate) ahead: i64,
}

const DAY: i64 = 86_400;

impl Moment {
    /// The instant this many seconds after the beginning of 1970.
    #[must_use]
    pub const fn from_unix_seconds(seconds: i64) -> Self {
        Self {
            seconds,
            milliseconds: 0,
        }
    }

    /// Seconds since the beginning of 1970, rounded down.
    #[must_use]
    pub const fn unix_seconds(self) -> i64 {
        self.seconds
    }

    /// This instant with so many milliseconds behind its whole second; 999 for more.
    #[must_use]
    pub const fn with_milliseconds(self, milliseconds: u16) -> Self {
        Self {
            milliseconds: if milliseconds < 1_000 {
                milliseconds
            } else {
                999
            },
            ..self
        }
    }

    /// The milliseconds behind the whole second.
    #[must_use]
    pub const fn milliseconds(self) -> u16 {
        self.milliseconds
    }

    /// The instant this many seconds later, earlier if negative, or the latest or earliest one if
    /// that is out of range.
    #[must_use]
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        Self {
            seconds: self.seconds.saturating_add(seconds),
            ..self
        }
    }

    /// The instant this many days later, or the latest instant if that is out of range.
    pub(crate) fn after_days(self, days: u64) -> Self {
        let days = i64::try_from(days).unwrap_or(i64::MAX);
        self.plus_seconds(days.saturating_mul(DAY))
    }

    /// The instant of a date and time; `None` if these do not exist.
    pub(crate) fn of(civil: Civil) -> Option<Self> {
        let Civil {
            year,
            month,
            day,
            time,
            ahead,
        } = civil;
        let exists = (0..=9_999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_of(year, month)).contains(&day)
            && (0..=DAY).contains(&time)
            && (-DAY..=DAY).contains(&ahead);
        if !exists {
            return None;
        }
        let seconds = days_since_1970(year, month, day).checked_mul(DAY)?;
        let seconds = seconds.checked_add(time)?.checked_sub(ahead)?;
        Some(Self::from_unix_seconds(seconds))
    }
}

/// A day of the calendar, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i64);

impl Day {
    /// The day's last second, 23:59:59.
    #[must_use]
    pub const fn last_second(self) -> Moment {
        Moment::from_unix_seconds(self.0.saturating_mul(DAY).saturating_add(DAY - 1))
    }
}

/// Reads a day such as `2007-12-31` (ACAP-85).
///
/// ```
/// use abide::Day;
/// assert_eq!("2007-12-31".parse::<Day>()?.to_string(), "2007-12-31");
/// assert!("2007-02-30".parse::<Day>().is_err());
/// assert!("2007-2-3".parse::<Day>().is_err());
/// # Ok::<(), abide::MomentError>(())
/// ```
impl std::str::FromStr for Day {
    type Err = MomentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let midnight = iso_date(text).and_then(|(year, month, day)| {
            Moment::of(Civil {
                year,
                month,
                day,
                time: 0,
                ahead: 0,
            })
        });
        let error = || MomentError { text: text.into() };
        Ok(Self(midnight.ok_or_else(error)?.seconds.div_euclid(DAY)))
    }
}

/// `2007-12-31`
impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = date_of(self.0);
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

fn days_of(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a date, in years that begin with March, so that leap days come last.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "years have at most four digits"
)]
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let from_march = (month + 9) % 12;
    let day_of_year = (153 * from_march + 2) / 5 + day - 1;
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leap_days + day_of_year - 719_468
}

/// Year, month and day of a number of days since 1970-01-01.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "seconds in an i64 are far fewer days"
)]
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

/// RFC 3339, in UTC, with milliseconds if there are any.
impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = date_of(self.seconds.div_euclid(DAY));
        let time = self.seconds.rem_euclid(DAY);
        let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60);
        if !(0..=9_999).contains(&year) {
            write!(
                f,
                "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"
            )?;
            return self.write_zone(f);
        }
        // Every answer about a site has some, and formatting each number takes ten times as long.
        let mut text = *b"0000-00-00T00:00:00";
        let pairs = [year / 100, year % 100, month, day, hour, minute, second];
        let digits = pairs.into_iter().flat_map(|pair| [pair / 10, pair % 10]);
        let places = text.iter_mut().filter(|place| **place == b'0');
        for (place, digit) in places.zip(digits) {
            *place = place.saturating_add(u8::try_from(digit).unwrap_or_default());
        }
        f.write_str(str::from_utf8(&text).unwrap_or_default())?;
        self.write_zone(f)
    }
}

impl Moment {
    /// Writes what follows the whole second.
    fn write_zone(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.milliseconds {
            0 => f.write_str("Z"),
            milliseconds => write!(f, ".{milliseconds:03}Z"),
        }
    }
}

impl std::str::FromStr for Moment {
    type Err = MomentError;

    /// Reads RFC 3339: `2010-06-25T15:00:00.250-08:00`. What is less than a millisecond is dropped.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        rfc3339(text).ok_or_else(|| MomentError { text: text.into() })
    }
}

fn rfc3339(text: &str) -> Option<Moment> {
    let (date, time) = text.split_once(['T', 't', ' '])?;
    let (year, month, day) = iso_date(date)?;
    let zone = time.find(['Z', 'z', '+', '-'])?;
    let (time, zone) = time.split_at_checked(zone)?;
    let (time, fraction) = time.split_once('.').unwrap_or((time, ""));
    let ahead = zone_ahead(zone)?;
    let moment = Moment::of(Civil {
        year,
        month,
        day,
        time: time_of_day(time)?,
        ahead,
    })?;
    Some(moment.with_milliseconds(milliseconds(fraction)))
}

/// The first three digits of a fraction of a second; `5` is 500 milliseconds.
fn milliseconds(fraction: &str) -> u16 {
    let digits = fraction.bytes().take_while(u8::is_ascii_digit);
    let digits = digits.chain(std::iter::repeat(b'0')).take(3);
    digits.fold(0, |sum: u16, digit| {
        sum.saturating_mul(10)
            .saturating_add(u16::from(digit.saturating_sub(b'0')))
    })
}

/// `2010-06-25`
pub(crate) fn iso_date(text: &str) -> Option<(i64, i64, i64)> {
    let mut parts = text.splitn(3, '-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let widths = (year.len(), month.len(), day.len()) == (4, 2, 2);
    widths.then_some((digits(year)?, digits(month)?, digits(day)?))
}

/// `15:00:00`, or `15:00`, as seconds since midnight.
pub(crate) fn time_of_day(text: &str) -> Option<i64> {
    let parts: Vec<i64> = text.split(':').map(digits).collect::<Option<_>>()?;
    let (hour, minute, second) = match *parts.as_slice() {
        [hour, minute] => (hour, minute, 0),
        [hour, minute, second] => (hour, minute, second),
        _ => return None,
    };
    let valid = hour < 24 && minute < 60 && second <= 60;
    valid.then(|| {
        hour.saturating_mul(3_600)
            .saturating_add(minute.saturating_mul(60))
            .saturating_add(second)
    })
}

/// `Z`, `+01:00` or `-0800`, as seconds ahead of UTC.
pub(crate) fn zone_ahead(text: &str) -> Option<i64> {
    let (sign, rest) = match text.split_at_checked(1)? {
        ("Z" | "z", "") => return Some(0),
        ("+", rest) => (1_i64, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = rest.split_once(':').or_else(|| rest.split_at_checked(2))?;
    let (hours, minutes) = (digits(hours)?, digits(minutes)?);
    let valid = hours < 24 && minutes < 60;
    valid.then(|| {
        let seconds = hours
            .saturating_mul(3_600)
            .saturating_add(minutes.saturating_mul(60));
        sign.saturating_mul(seconds)
    })
}

/// One to nine ASCII digits.
pub(crate) fn digits(text: &str) -> Option<i64> {
    let valid = (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if valid { text.parse().ok() } else { None }
}

/// A text that is not an instant.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected an instant such as 2026-11-20T12:00:00Z, but found {text:?}")]
pub struct MomentError {
    text: Box<str>,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn moments_are_written_in_rfc_3339() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (1_792_345_678, "2026-10-18T17:47:58Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
            (253_402_300_800, "10000-01-01T00:00:00Z"),
            (-62_167_219_201, "-001-12-31T23:59:59Z"),
        ] {
            assert_eq!(Moment::from_unix_seconds(seconds).to_string(), text);
        }
    }

    #[test]
    fn milliseconds_are_read_written_and_ordered() {
        for (text, milliseconds) in [
            ("2026-11-20T12:00:00.5Z", 500),
            ("2026-11-20T12:00:00.0419999Z", 41),
            ("2026-11-20T13:00:00.999+01:00", 999),
            ("2026-11-20T12:00:00.000Z", 0),
        ] {
            let moment: Moment = text.parse().unwrap();
            assert_eq!(moment.milliseconds(), milliseconds, "{text}");
            assert_eq!(moment.to_string().parse(), Ok(moment), "{text}");
        }
        let second = Moment::from_unix_seconds(10);
        let within = second.with_milliseconds(1);
        assert!(second < within && within < second.with_milliseconds(5_000));
        assert!(second.with_milliseconds(5_000) < second.plus_seconds(1));
        assert_eq!(
            within.plus_seconds(-11).to_string(),
            "1969-12-31T23:59:59.001Z"
        );
        let before = SystemTime::UNIX_EPOCH.checked_sub(Duration::from_millis(1));
        let before = Moment::from(before.unwrap());
        assert_eq!(before.to_string(), "1969-12-31T23:59:59.999Z");
    }
}
