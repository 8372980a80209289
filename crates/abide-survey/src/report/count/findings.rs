//! The table `findings`.

use crate::report::ReportError;
use crate::report::census::Census;
use crate::report::numbers::FindingCount;
use crate::report::sites::Sites;
use crate::report::tables::{ReadCell, Stored, rows};
use crate::schema::{CaptureRow, FindingRow};
use abide::explain::quoted;
use std::collections::HashMap;

/// The largest number of codes.
const MAX_CODES: usize = 10_000;

/// Counts sites by the findings about their file.
#[derive(Debug)]
pub(super) struct Findings {
    none: Sites,
    codes: HashMap<String, OneCode>,
}

#[derive(Debug)]
struct OneCode {
    count: FindingCount,
    /// The last capture that was counted, so that a site counts once.
    last: Option<i64>,
}

impl Findings {
    pub(super) fn new(none: Sites) -> Self {
        Self {
            none,
            codes: HashMap::new(),
        }
    }

    /// Counts the sites of one part.
    pub(super) fn read(&mut self, table: &Stored, census: &Census) -> Result<(), ReportError> {
        let mut join = census.join();
        rows!(table, CaptureRow { capture } FindingRow { code, severity }, |row| {
            let counted = join.find(row, capture)?;
            let counted = counted.filter(|one| one.is_last && one.state.has_file());
            let Some(counted) = counted else {
                return Ok(());
            };
            if !self.codes.contains_key(&*code) {
                if self.codes.len() >= MAX_CODES {
                    return Err(ReportError::TooMany {
                        path: table.path.clone(),
                        what: "codes of findings",
                        most: MAX_CODES,
                    });
                }
                let one = OneCode::new(&code, &severity, self.none);
                self.codes.insert(code.clone().into_owned(), one);
            }
            if let Some(one) = self.codes.get_mut(&*code) {
                one.count.findings += 1;
                if one.last.replace(capture) != Some(capture) {
                    one.count.sites += counted.site;
                }
            }
            Ok(())
        })
    }

    pub(super) fn finish(self) -> Vec<FindingCount> {
        let mut codes: Vec<FindingCount> = self.codes.into_values().map(|one| one.count).collect();
        codes.sort_by(|one, other| {
            let key = |count: &FindingCount| (count.sites.size(), count.findings);
            key(other)
                .cmp(&key(one))
                .then_with(|| one.code.cmp(&other.code))
        });
        codes
    }
}

impl OneCode {
    fn new(code: &str, severity: &str, none: Sites) -> Self {
        Self {
            count: FindingCount {
                code: quoted(code.as_bytes()).into_owned(),
                severity: quoted(severity.as_bytes()).into_owned(),
                sites: none,
                findings: 0,
            },
            last: None,
        }
    }
}
