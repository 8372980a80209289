//! The table `files`: states, statuses, sizes, vocabularies.

use crate::report::ReportError;
use crate::report::census::Census;
use crate::report::numbers::{
    Bucket, CaptureState, Numbers, Sizes, StateCount, StatusCount, VocabularyCount,
};
use crate::report::sites::Sites;
use crate::report::tables::{ReadCell, Stored, rows};
use crate::schema::{CaptureRow, FileRow};
use std::collections::BTreeMap;

/// The vocabularies.
const VOCABULARIES: [&str; 5] = [
    "content-usage",
    "content-signal",
    "rsl",
    "control-token",
    "acap",
];

/// The largest size of each bucket, in bytes; 512,000 is the limit up to which robots are required
/// to parse.
const BUCKETS: [u64; 8] = [0, 99, 999, 9_999, 49_999, 99_999, 512_000, u64::MAX];

/// The largest size that is counted exactly.
const MAX_EXACT_BYTES: u64 = 64 << 10;

/// Counts sites by their file.
#[derive(Debug)]
pub(super) struct Files {
    none: Sites,
    states: BTreeMap<CaptureState, Sites>,
    statuses: BTreeMap<Option<u16>, Sites>,
    sizes: BTreeMap<u64, u64>,
    largest: u64,
    buckets: [Sites; BUCKETS.len()],
    vocabularies: [(Sites, u64); VOCABULARIES.len()],
    /// The sites of each period, and those of them that answer.
    pub(super) periods: Vec<(Sites, Sites)>,
}

impl Files {
    pub(super) fn new(periods: usize, none: Sites) -> Self {
        Self {
            none,
            states: BTreeMap::new(),
            statuses: BTreeMap::new(),
            sizes: BTreeMap::new(),
            largest: 0,
            buckets: [none; BUCKETS.len()],
            vocabularies: [(none, 0); VOCABULARIES.len()],
            periods: vec![(none, none); periods],
        }
    }

    /// Counts the sites of one part.
    pub(super) fn read(&mut self, table: &Stored, census: &Census) -> Result<(), ReportError> {
        for counted in census.counted() {
            let period = counted.period.map(usize::from);
            if let Some(period) = period.and_then(|period| self.periods.get_mut(period)) {
                period.0 += counted.site;
                if counted.state.answers() {
                    period.1 += counted.site;
                }
            }
        }
        let mut join = census.join();
        rows!(
            table,
            CaptureRow { capture }
            FileRow {
                status, bytes, content_usage, content_signal, licenses, control_tokens, acap_lines
            },
            |row| {
                let counted = join.find(row, capture)?;
                let Some(counted) = counted.filter(|counted| counted.is_last) else {
                    return Ok(());
                };
                *self.states.entry(counted.state).or_insert(self.none) += counted.site;
                let status = status.and_then(|status| u16::try_from(status).ok());
                let status = status.filter(|status| (100..=999).contains(status));
                *self.statuses.entry(status).or_insert(self.none) += counted.site;
                if counted.state.has_file() {
                    self.size(u64::try_from(bytes).unwrap_or_default(), counted.site);
                    // In the order of `VOCABULARIES`.
                    let counts =
                        [content_usage, content_signal, licenses, control_tokens, acap_lines];
                    for ((sites, lines), count) in self.vocabularies.iter_mut().zip(counts) {
                        let count = u64::try_from(count).unwrap_or_default();
                        if count > 0 {
                            *sites += counted.site;
                        }
                        *lines = lines.saturating_add(count);
                    }
                }
                Ok(())
            }
        )
    }

    fn size(&mut self, bytes: u64, site: Sites) {
        self.largest = self.largest.max(bytes);
        *self.sizes.entry(rounded(bytes)).or_default() += 1;
        let mut buckets = BUCKETS.iter().zip(&mut self.buckets);
        if let Some((_, count)) = buckets.find(|(to, _)| bytes <= **to) {
            *count += site;
        }
    }

    pub(super) fn finish(&self, numbers: &mut Numbers) {
        let sum = |is_wanted: fn(CaptureState) -> bool| {
            let wanted = self.states.iter().filter(|(state, _)| is_wanted(**state));
            let counts = wanted.map(|(_, sites)| *sites);
            [self.none].into_iter().chain(counts).sum::<Sites>()
        };
        numbers.coverage.sites = sum(|_| true);
        numbers.coverage.answered = sum(CaptureState::answers);
        numbers.coverage.with_file = sum(CaptureState::has_file);
        let states = CaptureState::ALL.iter().copied().map(|state| StateCount {
            state,
            answers: state.answers(),
            sites: self.states.get(&state).copied().unwrap_or(self.none),
        });
        numbers.states = states.filter(|state| !state.sites.is_none()).collect();
        let statuses = self.statuses.iter();
        numbers.statuses = statuses
            .map(|(status, sites)| StatusCount {
                status: *status,
                sites: *sites,
            })
            .collect();
        numbers.sizes = self.finish_sizes();
        let vocabularies = VOCABULARIES.iter().zip(self.vocabularies);
        numbers.vocabularies = vocabularies
            .map(|(vocabulary, (sites, lines))| VocabularyCount {
                vocabulary,
                sites,
                lines,
            })
            .collect();
    }

    fn finish_sizes(&self) -> Sizes {
        let files = self.sizes.values().sum();
        let counts = self.buckets.iter().copied();
        let mut from = 0;
        let mut buckets = Vec::new();
        for (to, sites) in BUCKETS.into_iter().zip(self.buckets) {
            buckets.push(Bucket {
                from,
                to: (to < u64::MAX).then_some(to),
                sites,
            });
            from = to.saturating_add(1);
        }
        Sizes {
            sites: [self.none].into_iter().chain(counts).sum(),
            median: self.percentile(files, 50),
            p90: self.percentile(files, 90),
            p99: self.percentile(files, 99),
            largest: self.largest,
            buckets,
        }
    }

    /// The smallest size that so many percent of the files do not exceed.
    fn percentile(&self, sites: u64, percent: u64) -> u64 {
        let wanted = (u128::from(sites) * u128::from(percent)).div_ceil(100);
        let mut seen = 0;
        for (size, count) in &self.sizes {
            seen += u128::from(*count);
            if seen >= wanted {
                return *size;
            }
        }
        0
    }
}

/// A size, rounded to 1% above [`MAX_EXACT_BYTES`], so that the sizes of any number of files fit in
/// memory.
fn rounded(bytes: u64) -> u64 {
    if bytes <= MAX_EXACT_BYTES {
        return bytes;
    }
    // Seven bits stay: the first one and six more, which are at most 1.6% apart.
    let dropped = bytes.ilog2().saturating_sub(6);
    let half = 1_u64 << (dropped - 1);
    ((bytes >> dropped) << dropped).saturating_add(half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_sizes_are_exact_to_one_percent() {
        assert_eq!(rounded(MAX_EXACT_BYTES), MAX_EXACT_BYTES);
        for bytes in [65_537, 100_000, 512_000, 1 << 40, u64::MAX - 1, u64::MAX] {
            let difference = rounded(bytes).abs_diff(bytes);
            assert!(difference <= bytes / 100, "{bytes}: {}", rounded(bytes));
        }
    }

    #[test]
    fn percentiles_are_sizes_of_files() {
        let mut files = Files::new(0, Sites::none(false));
        for bytes in 1..=100 {
            files.size(bytes, Sites::one(None));
        }
        let sizes = files.finish_sizes();
        assert_eq!((sizes.median, sizes.p90, sizes.p99), (50, 90, 99));
        assert_eq!((sizes.sites.number(), sizes.largest), (100, 100));
        assert_eq!(Files::new(0, Sites::none(false)).finish_sizes().median, 0);
    }
}
