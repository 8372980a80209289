//! The charts of a report as files: SVG, and their numbers as CSV.

use super::ReportError;
use super::document::{Cell, Document, Figure, Meaning, ReportColumn};
use super::sites::Sites;
use abide_contract::csv::CsvRow;
use std::io;

/// A chart as a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChartFile {
    /// Its name, such as `robots.svg`.
    pub name: String,
    /// `SVG` or `CSV`.
    pub format: &'static str,
    /// Its media type.
    pub media_type: &'static str,
    /// What is in it.
    pub text: String,
}

impl Document {
    /// Each chart as an SVG file that needs nothing else, and its numbers as CSV.
    ///
    /// # Errors
    /// [`ReportError::Page`], which is a bug.
    pub fn files(&self) -> Result<Vec<ChartFile>, ReportError> {
        let figures = self.sections.iter().flat_map(|section| &section.figures);
        let files: Result<Vec<Vec<ChartFile>>, ReportError> =
            figures.map(|figure| self.files_of(figure)).collect();
        Ok(files?.concat())
    }

    /// The files of a figure; none if it has no chart.
    pub(super) fn files_of(&self, figure: &Figure) -> Result<Vec<ChartFile>, ReportError> {
        let Some(svg) = self.svg_file(figure) else {
            return Ok(Vec::new());
        };
        let error = |error: String| ReportError::Page(error);
        let mut csv = Vec::new();
        self.write_csv(figure, &mut csv)
            .map_err(|io| error(io.to_string()))?;
        Ok(vec![
            ChartFile {
                name: format!("{}.svg", figure.id),
                format: "SVG",
                media_type: "image/svg+xml",
                text: svg.map_err(|askama| error(askama.to_string()))? + "\n",
            },
            ChartFile {
                name: format!("{}.csv", figure.id),
                format: "CSV",
                media_type: "text/csv;charset=utf-8",
                text: String::from_utf8_lossy(&csv).into_owned(),
            },
        ])
    }

    /// The numbers of a figure, one row for each share.
    fn write_csv(&self, figure: &Figure, out: &mut Vec<u8>) -> io::Result<()> {
        let table = &figure.table;
        // `of_sites` has the wholes.
        let about_rows =
            |column: &ReportColumn| matches!(column.meaning, Meaning::Text | Meaning::Count);
        let mut header = CsvRow::new(out);
        for column in table.columns.iter().filter(|column| about_rows(column)) {
            header.text(&column.title.to_string())?;
        }
        for name in [
            "part",
            "sites",
            "of_sites",
            "share",
            "weight",
            "of_weight",
            "period",
        ] {
            header.text(name)?;
        }
        header.end()?;
        for cells in &table.rows {
            for (column, cell) in table.columns.iter().zip(cells) {
                let Cell::Share(part, whole) = cell else {
                    continue;
                };
                let mut row = CsvRow::new(out);
                let columns = table.columns.iter().zip(cells);
                for (_, about) in columns.filter(|(column, _)| about_rows(column)) {
                    match about {
                        Cell::Count(number) => row.plain(number)?,
                        _ => row.text(&about.plain())?,
                    }
                }
                let (name, period) = match column.meaning {
                    Meaning::Period(name) => (name.to_owned(), column.title.to_string()),
                    _ => (column.title.to_string(), self.captured.clone()),
                };
                row.text(&name)?;
                point(&mut row, *part, *whole)?;
                if period.is_empty() {
                    row.missing()?;
                } else {
                    row.text(&period)?;
                }
                row.end()?;
            }
        }
        Ok(())
    }
}

/// The numbers of a share. A share of nothing, and weights of sites without them, are empty cells.
fn point(row: &mut CsvRow<'_, Vec<u8>>, part: Sites, whole: Sites) -> io::Result<()> {
    row.plain(part.number())?;
    row.plain(whole.number())?;
    match part.share_of(whole) {
        Some(share) => row.plain(format_args!("{share:.6}"))?,
        None => row.missing()?,
    }
    for sites in [part, whole] {
        match sites.weight() {
            Some(weight) => row.plain(weight)?,
            None => row.missing()?,
        }
    }
    Ok(())
}
