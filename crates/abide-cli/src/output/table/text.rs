//! Rows as text: CSV and JSON Lines.

use super::{Cell, Layout, Row, RowFormat, human};
use abide::explain::visible;
use abide_contract::csv::CsvRow;
use abide_contract::text;
use std::borrow::Cow;

impl Layout {
    /// The header: the names of the columns in CSV, and nothing in other formats.
    pub(crate) fn header(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if self.format == RowFormat::Csv {
            let names = self.columns.iter().map(|column| Cell::from(column.name()));
            csv_row(&mut out, names);
        }
        out
    }

    /// Adds a row.
    pub(crate) fn write(&self, out: &mut Vec<u8>, row: &Row<'_>) {
        match self.format {
            RowFormat::Csv => csv_row(out, self.columns.iter().map(|column| column.value(row))),
            RowFormat::Jsonl => {
                for (at, column) in self.columns.iter().enumerate() {
                    out.push(if at == 0 { b'{' } else { b',' });
                    json_string(out, column.name());
                    out.push(b':');
                    json_cell(out, &column.value(row));
                }
                out.extend_from_slice(b"}\n");
            }
            RowFormat::Human if self.is_chosen => {
                for (at, column) in self.columns.iter().enumerate() {
                    if at > 0 {
                        out.push(b'\t');
                    }
                    let text = plain(&column.value(row)).into_owned();
                    out.extend_from_slice(visible(text.as_bytes()).as_bytes());
                }
                out.push(b'\n');
            }
            RowFormat::Human => human::write(out, row, self),
            RowFormat::Parquet => {}
        }
    }

    /// What follows the URL in a row, if all of that depends only on the robot and the deciding
    /// line. Then the answers to most URLs are a copy of it (millions of rows a second; replaces
    /// writing each cell).
    pub(crate) fn tail(&self, row: &Row<'_>) -> Option<Vec<u8>> {
        let is_text = matches!(self.format, RowFormat::Csv | RowFormat::Jsonl);
        let (first, others) = self.columns.split_first()?;
        if !is_text
            || *first != super::Column::Url
            || !others.iter().all(super::Column::is_of_the_answer)
        {
            return None;
        }
        let (mut whole, mut head) = (Vec::new(), Vec::new());
        self.write(&mut whole, &Row { url: "", ..*row });
        self.head(&mut head, "");
        Some(whole.split_off(head.len()))
    }

    /// Adds the URL, the first column of a row whose [`Layout::tail`] follows.
    pub(crate) fn head(&self, out: &mut Vec<u8>, url: &str) {
        if self.format == RowFormat::Jsonl {
            out.extend_from_slice(b"{\"url\":");
            json_string(out, url);
        } else {
            csv_text(&mut CsvRow::new(out), url);
        }
    }
}

/// A cell as text without quotes.
pub(super) fn plain<'c>(cell: &'c Cell<'_>) -> Cow<'c, str> {
    match cell {
        Cell::Empty => Cow::Borrowed(""),
        Cell::Text(text) => Cow::Borrowed(text),
        Cell::Number(number) => Cow::Owned(number.to_string()),
        Cell::Json(value) => Cow::Owned(text::line(value)),
    }
}

/// Adds a row. Writing to a `Vec` cannot fail.
fn csv_row<'c>(out: &mut Vec<u8>, cells: impl Iterator<Item = Cell<'c>>) {
    let mut row = CsvRow::new(out);
    for cell in cells {
        match cell {
            Cell::Empty => drop(row.missing()),
            Cell::Number(number) => drop(row.plain(number)),
            cell => csv_text(&mut row, &plain(&cell)),
        }
    }
    let _ = row.end();
}

/// Adds a text: most are visible, which one pass over the bytes shows.
fn csv_text(row: &mut CsvRow<'_, Vec<u8>>, text: &str) {
    let is_odd = |byte: u8| !(b' '..0x7F).contains(&byte);
    let has_odd = text.bytes().fold(false, |odd, byte| odd | is_odd(byte));
    let _ = if has_odd {
        row.text(&visible(text.as_bytes()))
    } else {
        row.text(text)
    };
}

fn json_cell(out: &mut Vec<u8>, cell: &Cell<'_>) {
    match cell {
        Cell::Empty => out.extend_from_slice(b"null"),
        Cell::Text(text) => json_string(out, text),
        other => out.extend_from_slice(plain(other).as_bytes()),
    }
}

/// Adds a string: most need no escapes, which one pass over the bytes shows.
fn json_string(out: &mut Vec<u8>, string: &str) {
    let is_odd = |byte: u8| !(b' '..0x7F).contains(&byte) || byte == b'"' || byte == b'\\';
    if string.bytes().fold(false, |odd, byte| odd | is_odd(byte)) {
        out.extend_from_slice(text::line(&string).as_bytes());
    } else {
        out.push(b'"');
        out.extend_from_slice(string.as_bytes());
        out.push(b'"');
    }
}
