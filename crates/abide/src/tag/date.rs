//! Dates of `unavailable_after`: RFC 822 and its relatives, ISO 8601, and seconds (AMB-TAG-13).

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

/// The instant that `text` names; a date without a time is its end, and a time without a zone is
/// UTC. `None` for text that is no date.
pub(super) fn read(text: &str) -> Option<Moment> {
    let text = text.trim();
    if let Some(seconds) = text.strip_prefix('@') {
        return seconds.parse().ok().map(Moment::from_unix_seconds);
    }
    if let Ok(moment) = text.parse() {
        return Some(moment);
    }
    if let Some((year, month, day)) = iso_date(text) {
        return Moment::of(Civil {
            year,
            month,
            day,
            time: 86_400,
            ahead: 0,
        });
    }
    words(text)
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
        } else if let Some(&(_, hours)) = ZONES.iter().find(|(name, _)| *name == folded) {
            ahead = hours.saturating_mul(3_600);
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

/// `25-Aug-2007` as three words; anything else, a zone such as `-0800` among it, as it is.
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
