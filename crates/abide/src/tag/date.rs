//! Dates of `unavailable_after`: RFC 822 and its relatives, ISO 8601 and RFC 3339, and seconds
//! (AMB-TAG-13).

use crate::moment::{Civil, Moment, digits, iso_date, time_of_day, zone_ahead};

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// Names of zones, in hours ahead of UTC (RFC 822 §5.1).
const ZONES: [(&str, i64); 12] = [
    ("utc", 0),
    ("gmt", 0),
    ("ut", 0),
    ("z", 0),
    ("est", -5),
    ("edt", -4),
    ("cst", -6),
    ("cdt", -5),
    ("mst", -7),
    ("mdt", -6),
    ("pst", -8),
    ("pdt", -7),
];

/// Reads an instant. A date without a time is the end of the day, and a time without a zone is UTC.
/// `None` if the text is not a date.
pub(super) fn read(text: &str) -> Option<Moment> {
    let text = text.trim();
    if let Some(seconds) = text.strip_prefix('@') {
        return seconds.parse().ok().map(Moment::from_unix_seconds);
    }
    if let Ok(moment) = text.parse() {
        return Some(moment);
    }
    iso(text).or_else(|| words(text))
}

/// `2030-06-25`, alone or with a time behind `T` or a blank (RFC 3339, section 5.6), and with a
/// zone behind that.
fn iso(text: &str) -> Option<Moment> {
    let (date, rest) = text.split_once(['T', 't', ' ']).unwrap_or((text, ""));
    let (year, month, day) = iso_date(date)?;
    let (time, zone) = rest.split_once(' ').unwrap_or((rest, ""));
    let time = time.split_once('.').map_or(time, |(whole, _)| whole);
    Moment::of(Civil {
        year,
        month,
        day,
        time: match time {
            "" => 86_400,
            time => time_of_day(time)?,
        },
        ahead: match zone.trim() {
            "" => 0,
            zone => zone_named(zone).or_else(|| zone_ahead(zone))?,
        },
    })
}

/// Seconds ahead of UTC of a zone with a name.
fn zone_named(word: &str) -> Option<i64> {
    let mut zones = ZONES.iter();
    let (_, hours) = zones.find(|(name, _)| name.eq_ignore_ascii_case(word))?;
    Some(hours.saturating_mul(3_600))
}

/// `[weekday[,]] day month year [time] [zone]`, the date's parts apart or joined by hyphens, the
/// month by its name; also with the month first.
fn words(text: &str) -> Option<Moment> {
    let (mut numbers, mut month, mut time, mut ahead) = (Vec::new(), None, None, 0);
    for word in text
        .split([' ', ',', '\t'])
        .flat_map(date_parts)
        .filter(|word| !word.is_empty())
    {
        let folded = word.to_ascii_lowercase();
        if let Some(number) = digits(word) {
            numbers.push(number);
        } else if let Some(seconds) = time_of_day(word) {
            time = Some(seconds);
        } else if let Some(at) = MONTHS.iter().position(|name| folded.starts_with(name)) {
            month = i64::try_from(at).ok().map(|at| at.saturating_add(1));
        } else if let Some(seconds) = zone_named(word) {
            ahead = seconds;
        } else if let Some(seconds) = zone_ahead(word) {
            ahead = seconds;
        } else if !is_weekday(&folded) {
            return None;
        }
    }
    let (day, year) = match *numbers.as_slice() {
        [day, year] if year >= 1_000 => (day, year),
        [day, year] if year < 70 => (day, year.saturating_add(2_000)),
        [day, year] if year < 100 => (day, year.saturating_add(1_900)),
        _ => return None,
    };
    Moment::of(Civil {
        year,
        month: month?,
        day,
        time: time.unwrap_or(86_400),
        ahead,
    })
}

/// Splits `25-Aug-2007` into three words, and keeps anything else, such as the zone `-0800`.
fn date_parts(word: &str) -> Vec<&str> {
    if word.chars().any(|c| c.is_ascii_alphabetic()) {
        word.split('-').collect()
    } else {
        vec![word]
    }
}

fn is_weekday(word: &str) -> bool {
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        .iter()
        .any(|day| word.starts_with(day))
}
