//! Tables in CSV whose cells are texts.

use abide_contract::csv::CsvRow;
use std::io::{self, Write};

/// Writes one row. A cell without a text is a missing value.
pub(crate) fn line(out: &mut impl Write, cells: &[String]) -> io::Result<()> {
    let mut row = CsvRow::new(out);
    for cell in cells {
        if cell.is_empty() {
            row.missing()?;
        } else {
            row.text(cell)?;
        }
    }
    row.end()
}
