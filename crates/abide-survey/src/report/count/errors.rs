//! The table `errors`.

use crate::report::ReportError;
use crate::report::numbers::ErrorCount;
use crate::report::tables::{ReadCell, Stored, rows};
use crate::schema::ErrorRow;
use abide::explain::quoted;
use std::collections::BTreeMap;

/// The largest number of codes.
const MAX_CODES: usize = 10_000;

/// Counts errors by their code.
pub(super) fn counted(table: &Stored) -> Result<Vec<ErrorCount>, ReportError> {
    let mut codes: BTreeMap<String, u64> = BTreeMap::new();
    rows!(table, ErrorRow { code }, |row| {
        if let Some(count) = codes.get_mut(&*code) {
            *count += 1;
            return Ok(());
        }
        if codes.len() >= MAX_CODES {
            return Err(ReportError::TooMany {
                path: table.path.clone(),
                what: "codes of errors",
                most: MAX_CODES,
            });
        }
        codes.insert(code.into_owned(), 1);
        Ok(())
    })?;
    let mut counts: Vec<ErrorCount> = codes
        .into_iter()
        .map(|(code, errors)| ErrorCount {
            code: quoted(code.as_bytes()).into_owned(),
            errors,
        })
        .collect();
    counts.sort_by_key(|count| std::cmp::Reverse(count.errors));
    Ok(counts)
}
