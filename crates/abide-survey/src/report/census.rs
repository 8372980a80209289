//! Which captures count: of each site the last one, in each period and altogether.
//!
//! A survey can have more sites than fit in memory. Then the sites are divided by a hash of their
//! host, and the tables are read once for each part. The counts of all parts add up.

use super::ReportError;
use super::numbers::{CaptureState, Coverage, PanelCount};
use super::period::{Period, Periods, believed};
use super::sites::Sites;
use super::tables::{ReadCell, Row, Stored, rows};
use super::weights::Weights;
use crate::schema::{CaptureRow, FileRow, Instant};
use jiff::civil::Date;
use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::{Hash as _, Hasher as _};

/// The sites whose hash has this remainder.
#[derive(Clone, Copy, Debug)]
pub(super) struct SitePart {
    divisor: u64,
    remainder: u64,
}

impl SitePart {
    /// All sites.
    pub(super) const ALL: Self = Self {
        divisor: 1,
        remainder: 0,
    };

    fn has(self, site: u64) -> bool {
        site % self.divisor == self.remainder
    }

    /// Divides the part in two; `None` if it cannot be divided further.
    fn halves(self) -> Option<(Self, Self)> {
        let divisor = self.divisor.checked_mul(2)?;
        let half = |remainder| Self { divisor, remainder };
        Some((half(self.remainder), half(self.remainder + self.divisor)))
    }
}

/// A capture that counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    capture: i64,
    /// Its period, if it has a date.
    pub(super) period: Option<u16>,
    /// What it is.
    pub(super) state: CaptureState,
    /// Whether it is the last capture of its site.
    pub(super) is_last: bool,
    /// Its site, as it is counted.
    pub(super) site: Sites,
}

/// When the captures were made.
#[derive(Debug)]
pub(super) struct Dates {
    pub(super) captures: u64,
    undated: u64,
    misdated: u64,
    range: Option<(Date, Date)>,
}

impl Dates {
    /// Reads the dates of all captures.
    pub(super) fn read(files: &Stored) -> Result<Self, ReportError> {
        let mut dates = Self {
            captures: 0,
            undated: 0,
            misdated: 0,
            range: None,
        };
        rows!(files, CaptureRow { date }, |row| {
            let date = date.map(|Instant(date)| date);
            dates.captures += 1;
            match (date, date.and_then(believed)) {
                (None, _) => dates.undated += 1,
                (Some(_), None) => dates.misdated += 1,
                (_, Some(day)) => {
                    let (first, last) = dates.range.unwrap_or((day, day));
                    dates.range = Some((first.min(day), last.max(day)));
                }
            }
            Ok(())
        })?;
        Ok(dates)
    }

    /// The periods from the first to the last date.
    pub(super) fn periods(&self, period: Option<Period>) -> Result<Option<Periods>, ReportError> {
        let range = self.range;
        range
            .map(|(first, last)| Periods::new(period, first, last))
            .transpose()
    }

    /// What was captured. No site is counted yet.
    pub(super) fn coverage(&self, none: Sites) -> Coverage {
        Coverage {
            captures: self.captures,
            sites: none,
            answered: none,
            with_file: none,
            is_complete: false,
            first_day: self.range.map(|(first, _)| first.to_string()),
            last_day: self.range.map(|(_, last)| last.to_string()),
            undated: self.undated,
            misdated: self.misdated,
        }
    }
}

/// The last capture of a site in a period.
#[derive(Clone, Copy, Debug)]
struct Last {
    /// The instant in milliseconds; a capture without a date comes before all others.
    date: i64,
    capture: i64,
    state: CaptureState,
}

impl Last {
    /// The order in which captures of a site replace each other. One that was not modified says
    /// nothing of its own, so it counts only if there is no other.
    fn rank(self) -> (bool, i64, i64) {
        (
            self.state != CaptureState::NotModified,
            self.date,
            self.capture,
        )
    }
}

/// How to find the captures that count.
#[derive(Debug)]
pub(super) struct Rules<'s> {
    /// The periods, if a capture has a date.
    pub(super) periods: Option<&'s Periods>,
    /// The weights of sites, if they have any.
    pub(super) weights: Option<&'s Weights>,
    /// The number of periods in which a site has to answer, if it has to in all of them.
    pub(super) panel: Option<usize>,
    /// About how many captures are in memory.
    pub(super) most: usize,
}

/// The periods in which a capture says what robots may do.
pub(super) fn answered_periods(files: &Stored, periods: &Periods) -> Result<usize, ReportError> {
    let mut is_answered = vec![false; periods.labels.len()];
    rows!(files, CaptureRow { date } FileRow { state }, |row| {
        let state = state.parse().unwrap_or(CaptureState::Other);
        let day = date.and_then(|Instant(date)| believed(date));
        let period = day.map(|day| usize::from(periods.index(day)));
        if let Some(answered) = period.and_then(|period| is_answered.get_mut(period)) {
            *answered |= state.answers();
        }
        Ok(())
    })?;
    Ok(is_answered.iter().filter(|answered| **answered).count())
}

/// The captures of one part that count, in order.
#[derive(Debug)]
pub(super) struct Census {
    counted: Vec<Counted>,
    /// The sites that answer in every period, and those that answer in some, if it matters.
    pub(super) panel: Option<PanelCount>,
    /// How many sites have a weight.
    pub(super) matched: u64,
    /// The part that did not fit, if one did not.
    pub(super) rest: Vec<SitePart>,
}

impl Census {
    /// Finds the captures that count among the sites of `part`, or of a part of it that fits.
    pub(super) fn take(
        files: &Stored,
        rules: &Rules<'_>,
        mut part: SitePart,
    ) -> Result<Self, ReportError> {
        let periods = rules.periods;
        // All periods of one site have to fit, because a site is never divided.
        let most = rules
            .most
            .max(periods.map_or(1, |periods| periods.labels.len() + 1));
        let mut rest = Vec::new();
        let mut last: HashMap<(u64, Option<u16>), Last> = HashMap::new();
        rows!(files, CaptureRow { capture, host, date } FileRow { state }, |row| {
            let site = hash(&host);
            if !part.has(site) {
                return Ok(());
            }
            let date = date.map(|Instant(date)| date);
            let date = date.filter(|date| believed(*date).is_some());
            let day = date.and_then(believed);
            let period = periods.zip(day).map(|(periods, day)| periods.index(day));
            let new = Last {
                date: date.unwrap_or(i64::MIN),
                capture,
                state: state.parse().unwrap_or(CaptureState::Other),
            };
            match last.entry((site, period)) {
                Entry::Vacant(entry) => {
                    entry.insert(new);
                }
                Entry::Occupied(mut entry) if entry.get().rank() < new.rank() => {
                    entry.insert(new);
                }
                Entry::Occupied(_) => {}
            }
            while last.len() > most {
                let Some((half, other)) = part.halves() else {
                    break;
                };
                part = half;
                rest.push(other);
                last.retain(|(site, _), _| part.has(*site));
            }
            Ok(())
        })?;
        let mut census = Self {
            counted: Vec::with_capacity(last.len()),
            panel: None,
            matched: 0,
            rest,
        };
        census.count(last, rules);
        Ok(census)
    }

    /// Puts the captures in their order, and marks the last one of each site.
    fn count(&mut self, last: HashMap<(u64, Option<u16>), Last>, rules: &Rules<'_>) {
        let mut captures: Vec<((u64, Option<u16>), Last)> = last.into_iter().collect();
        captures.sort_unstable_by_key(|((site, _), last)| (*site, last.rank()));
        let none = Sites::none(rules.weights.is_some());
        let mut panel = PanelCount {
            kept: none,
            dropped: none,
        };
        for captures in captures.chunk_by(|((one, _), _), ((other, _), _)| one == other) {
            let Some(((hash, _), _)) = captures.first() else {
                continue;
            };
            let site = Sites::one(rules.weights.map(|weights| weights.of(*hash)));
            self.matched += u64::from(rules.weights.is_some_and(|weights| weights.has(*hash)));
            let is_kept = rules.panel.is_none_or(|wanted| {
                let dated = captures.iter().filter(|((_, period), _)| period.is_some());
                let answered = dated.filter(|(_, last)| last.state.answers()).count();
                match answered {
                    0 => {}
                    answered if answered == wanted => panel.kept += site,
                    _ => panel.dropped += site,
                }
                answered == wanted
            });
            let numbered = captures.iter().enumerate();
            self.counted
                .extend(numbered.map(|(at, ((_, period), one))| Counted {
                    capture: one.capture,
                    period: period.filter(|_| is_kept),
                    state: one.state,
                    is_last: at + 1 == captures.len(),
                    site,
                }));
        }
        self.counted.sort_unstable_by_key(|counted| counted.capture);
        self.panel = rules.panel.map(|_| panel);
    }

    /// The captures that count.
    pub(super) fn counted(&self) -> &[Counted] {
        &self.counted
    }

    /// Joins a table with the captures that count.
    pub(super) fn join(&self) -> Join<'_> {
        Join {
            counted: &self.counted,
            is_passed: vec![false; self.counted.len()],
            current: None,
        }
    }
}

/// The hash of a host. Two of ten million hosts share one with a probability of less than one in
/// 100,000.
pub(super) fn hash(host: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    host.hash(&mut hasher);
    hasher.finish()
}

/// Finds the captures that count while the rows of a table pass by. The captures come in any order:
/// redirects are written with or after their targets. The rows of one are together.
#[derive(Debug)]
pub(super) struct Join<'a> {
    counted: &'a [Counted],
    /// Which of them had rows.
    is_passed: Vec<bool>,
    /// The capture of the last row, and where it is if it counts.
    current: Option<(i64, Option<usize>)>,
}

impl Join<'_> {
    /// The capture of a row, if it counts.
    pub(super) fn find(
        &mut self,
        row: &Row<'_>,
        capture: i64,
    ) -> Result<Option<Counted>, ReportError> {
        let at = match self.current {
            Some((current, at)) if current == capture => at,
            before => self.begin(row, capture, before.and_then(|(_, at)| at))?,
        };
        self.current = Some((capture, at));
        Ok(at.and_then(|at| self.counted.get(at)).copied())
    }

    /// Where a capture is whose rows begin here. The one before it is at `before`.
    fn begin(
        &mut self,
        row: &Row<'_>,
        capture: i64,
        before: Option<usize>,
    ) -> Result<Option<usize>, ReportError> {
        // Most captures are in order, so the next one is tried first.
        let next = before.map_or(0, |before| before + 1);
        let is_next = self
            .counted
            .get(next)
            .is_some_and(|counted| counted.capture == capture);
        let at = if is_next {
            Some(next)
        } else {
            let by_capture = |counted: &Counted| counted.capture;
            self.counted.binary_search_by_key(&capture, by_capture).ok()
        };
        if let Some(is_passed) = at.and_then(|at| self.is_passed.get_mut(at))
            && std::mem::replace(is_passed, true)
        {
            return Err(row.apart());
        }
        Ok(at)
    }
}
