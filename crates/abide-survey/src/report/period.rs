//! Periods of time, in which each site counts once.

use super::ReportError;
use jiff::civil::{Date, date};
use jiff::{SpanRelativeTo, Timestamp, ToSpan as _, Unit, tz::TimeZone};

/// The largest number of periods.
const MAX_PERIODS: usize = 400;

/// When sites began to have a robots.txt. An earlier date is a mistake of the capture.
const FIRST_YEAR: i16 = 1994;

/// The last year that is believed.
const LAST_YEAR: i16 = 2100;

/// How long a period is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Period {
    /// A day, UTC.
    Day,
    /// A week from Monday.
    Week,
    /// A month.
    Month,
    /// Three months from January, April, July or October.
    Quarter,
    /// A year.
    Year,
}

abide::named!(
    Period,
    "period",
    [
        Day = "day",
        Week = "week",
        Month = "month",
        Quarter = "quarter",
        Year = "year"
    ]
);

impl Period {
    /// The period that shows captures between two days in up to 40 steps. Days and weeks are never
    /// chosen: within one crawl, each day has other sites.
    fn between(first: Date, last: Date) -> Self {
        let months = months(last) - months(first);
        match months {
            ..=36 => Self::Month,
            37..=120 => Self::Quarter,
            _ => Self::Year,
        }
    }

    /// The number of the period that a day is in.
    fn number(self, day: Date) -> i32 {
        match self {
            Self::Day => days(day),
            // 1970-01-05 was a Monday.
            Self::Week => (days(day) - 4).div_euclid(7),
            Self::Month => months(day),
            Self::Quarter => months(day).div_euclid(3),
            Self::Year => i32::from(day.year()),
        }
    }

    /// How the period that a day is in is called.
    fn label(self, day: Date) -> String {
        let (year, month) = (day.year(), day.month());
        match self {
            Self::Day => day.to_string(),
            Self::Week => {
                let week = day.iso_week_date();
                format!("{}-W{:02}", week.year(), week.week())
            }
            Self::Month => format!("{year}-{month:02}"),
            Self::Quarter => format!("{year}-Q{}", (month - 1) / 3 + 1),
            Self::Year => year.to_string(),
        }
    }

    /// The first day of the period after the one that `day` is in.
    fn next(self, day: Date) -> Date {
        let span = match self {
            Self::Day => 1.day(),
            Self::Week => 1.week(),
            Self::Month => 1.month(),
            Self::Quarter => 3.months(),
            Self::Year => 1.year(),
        };
        self.first_day(day).saturating_add(span)
    }

    /// The first day of the period that `day` is in.
    fn first_day(self, day: Date) -> Date {
        let (year, month) = (day.year(), day.month());
        match self {
            Self::Day => day,
            Self::Week => {
                day.saturating_sub(i64::from(day.weekday().to_monday_zero_offset()).days())
            }
            Self::Month => date(year, month, 1),
            Self::Quarter => date(year, (month - 1) / 3 * 3 + 1, 1),
            Self::Year => date(year, 1, 1),
        }
    }
}

fn days(day: Date) -> i32 {
    let span = day - date(1970, 1, 1);
    let days = span.total((Unit::Day, SpanRelativeTo::days_are_24_hours()));
    // A difference of days between years of four digits is a small whole number.
    #[expect(clippy::cast_possible_truncation, reason = "at most 3.7 million days")]
    days.map_or(0, |days| days as i32)
}

fn months(day: Date) -> i32 {
    i32::from(day.year()) * 12 + i32::from(day.month()) - 1
}

/// The day of an instant in milliseconds, if it can be the date of a capture.
pub(super) fn believed(instant: i64) -> Option<Date> {
    let instant = Timestamp::from_millisecond(instant).ok()?;
    let day = instant.to_zoned(TimeZone::UTC).date();
    (FIRST_YEAR..=LAST_YEAR)
        .contains(&day.year())
        .then_some(day)
}

/// The periods from the first to the last capture.
#[derive(Clone, Debug)]
pub(super) struct Periods {
    pub(super) period: Period,
    first: i32,
    /// The name of each period, in order.
    pub(super) labels: Vec<String>,
    /// The first day of each period.
    pub(super) starts: Vec<Date>,
}

impl Periods {
    /// The periods of `period`, or of one that fits, between two days.
    pub(super) fn new(
        period: Option<Period>,
        first: Date,
        last: Date,
    ) -> Result<Self, ReportError> {
        let period = period.unwrap_or_else(|| Period::between(first, last));
        let from = period.number(first);
        let count = usize::try_from(period.number(last) - from).unwrap_or_default() + 1;
        if count > MAX_PERIODS {
            return Err(ReportError::TooManyPeriods {
                period: period.name(),
                most: MAX_PERIODS,
            });
        }
        let mut starts = vec![period.first_day(first)];
        while starts.len() < count {
            let last = starts.last().copied().unwrap_or(first);
            starts.push(period.next(last));
        }
        Ok(Self {
            period,
            first: from,
            labels: starts.iter().map(|day| period.label(*day)).collect(),
            starts,
        })
    }

    /// Which of the periods a day is in.
    pub(super) fn index(&self, day: Date) -> u16 {
        u16::try_from(self.period.number(day) - self.first).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_in_their_periods() {
        let first = date(2025, 12, 29);
        let last = date(2026, 3, 1);
        for (period, labels) in [
            (Some(Period::Month), "2025-12 2026-01 2026-02 2026-03"),
            (None, "2025-12 2026-01 2026-02 2026-03"),
            (Some(Period::Quarter), "2025-Q4 2026-Q1"),
            (Some(Period::Year), "2025 2026"),
        ] {
            let periods = Periods::new(period, first, last).unwrap();
            assert_eq!(periods.labels.join(" "), labels);
            assert_eq!(usize::from(periods.index(last)) + 1, periods.labels.len());
            assert_eq!(periods.index(first), 0);
        }
        let weeks = Periods::new(Some(Period::Week), first, last).unwrap();
        assert_eq!(weeks.labels.first().unwrap(), "2026-W01");
        assert_eq!(weeks.labels.last().unwrap(), "2026-W09");
        assert_eq!(weeks.labels.len(), 9);
        assert_eq!(usize::from(weeks.index(last)), 8);
        let days = Periods::new(Some(Period::Day), first, last).unwrap();
        assert_eq!(days.labels.len(), 63);
        assert_eq!(days.labels[62], "2026-03-01");
        let long = Periods::new(Some(Period::Day), date(2000, 1, 1), last);
        assert!(long.unwrap_err().to_string().contains("400"));
    }

    #[test]
    fn a_long_time_has_long_periods() {
        let period = |first, last| Period::between(first, last);
        assert_eq!(period(date(2024, 1, 1), date(2026, 12, 1)), Period::Month);
        assert_eq!(period(date(2020, 1, 1), date(2026, 12, 1)), Period::Quarter);
        assert_eq!(period(date(2008, 1, 1), date(2026, 12, 1)), Period::Year);
    }

    #[test]
    fn impossible_dates_are_not_believed() {
        assert_eq!(believed(0), None);
        assert_eq!(believed(i64::MAX), None);
        assert_eq!(believed(1_790_000_000_000).unwrap().year(), 2026);
    }
}
