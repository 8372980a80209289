//! The table `findings`.

use crate::report::ReportError;
use crate::report::census::Census;
use crate::report::numbers::FindingCount;
use crate::report::tables::{ReadCell, Stored, rows};
use crate::schema::{CaptureRow, FindingRow};
use abide::explain::quoted;
use std::collections::HashMap;

/// The largest number of codes.
const MAX_CODES: usize = 10_000;

/// Counts sites by the findings about their file.
#[derive(Debug, Default)]
pub(super) struct Findings {
    codes: HashMap<String, OneCode>,
}

#[derive(Debug)]
struct OneCode {
    count: FindingCount,
    /// The last capture that was counted, so that a site counts once.
    last: Option<i64>,
}

impl Findings {
    /// Counts the sites of one part.
    pub(super) fn read(&mut self, table: &Stored, census: &Census) -> Result<(), ReportError> {
        let mut join = census.join();
        rows!(table, CaptureRow { capture } FindingRow { code, severity }, |row| {
            let counted = join.find(row, capture)?;
            if !counted.is_some_and(|counted| counted.is_last && counted.state.has_file()) {
                return Ok(());
            }
            if !self.codes.contains_key(&*code) {
                if self.codes.len() >= MAX_CODES {
                    return Err(ReportError::TooMany {
                        path: table.path.clone(),
                        what: "codes of findings",
                        most: MAX_CODES,
                    });
                }
                let one = OneCode::new(&code, &severity);
                self.codes.insert(code.clone().into_owned(), one);
            }
            if let Some(one) = self.codes.get_mut(&*code) {
                one.count.findings += 1;
                one.count.sites += u64::from(one.last != Some(capture));
                one.last = Some(capture);
            }
            Ok(())
        })
    }

    pub(super) fn finish(self) -> Vec<FindingCount> {
        let mut codes: Vec<FindingCount> = self.codes.into_values().map(|one| one.count).collect();
        codes.sort_by(|one, other| {
            let key = |count: &FindingCount| (count.sites, count.findings);
            key(other)
                .cmp(&key(one))
                .then_with(|| one.code.cmp(&other.code))
        });
        codes
    }
}

impl OneCode {
    fn new(code: &str, severity: &str) -> Self {
        Self {
            count: FindingCount {
                code: quoted(code.as_bytes()).into_owned(),
                severity: quoted(severity.as_bytes()).into_owned(),
                sites: 0,
                findings: 0,
            },
            last: None,
        }
    }
}
