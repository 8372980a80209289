//! Writes tables as CSV (RFC 4180). `docs/bulk.md` has the rules.

use std::fmt::Display;
use std::io::{self, Write};

/// What makes a spreadsheet run a text that begins with it.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Writes one row, cell by cell.
///
/// ```
/// use abide_contract::csv::CsvRow;
/// # fn main() -> std::io::Result<()> {
/// let mut out = Vec::new();
/// let mut row = CsvRow::new(&mut out);
/// row.text("=1+1")?;
/// row.text("")?;
/// row.missing()?;
/// row.plain(-1)?;
/// row.end()?;
/// assert_eq!(out, b"'=1+1,\"\",,-1\r\n");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct CsvRow<'o, W: ?Sized> {
    out: &'o mut W,
    is_begun: bool,
}

impl<'o, W: Write + ?Sized> CsvRow<'o, W> {
    /// Begins a row.
    pub fn new(out: &'o mut W) -> Self {
        Self {
            out,
            is_begun: false,
        }
    }

    fn next(&mut self) -> io::Result<&mut W> {
        if self.is_begun {
            self.out.write_all(b",")?;
        }
        self.is_begun = true;
        Ok(self.out)
    }

    /// Writes a text. It is quoted if it has to be, or is empty: an empty cell is no text. One that
    /// a spreadsheet would run gets an apostrophe, which [`read_text`] removes.
    ///
    /// # Errors
    /// I/O errors of the output.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        let guard = if is_formula(text) { "'" } else { "" };
        let is_special = |byte: u8| matches!(byte, b',' | b'"' | b'\r' | b'\n');
        // The whole text, because this looks at many bytes at once.
        let has_special = text.bytes().fold(false, |has, byte| has | is_special(byte));
        let out = self.next()?;
        if has_special || text.is_empty() {
            write!(out, "\"{guard}{}\"", text.replace('"', "\"\""))
        } else {
            out.write_all(guard.as_bytes())?;
            out.write_all(text.as_bytes())
        }
    }

    /// Writes an empty cell, which is no value.
    ///
    /// # Errors
    /// I/O errors of the output.
    pub fn missing(&mut self) -> io::Result<()> {
        self.next().map(|_| ())
    }

    /// Writes a number, a flag or an instant as it is.
    ///
    /// # Errors
    /// I/O errors of the output.
    pub fn plain(&mut self, value: impl Display) -> io::Result<()> {
        write!(self.next()?, "{value}")
    }

    /// Ends the row.
    ///
    /// # Errors
    /// I/O errors of the output.
    pub fn end(self) -> io::Result<()> {
        self.out.write_all(b"\r\n")
    }
}

/// The text that a cell with `cell` in it was made from.
///
/// ```
/// use abide_contract::csv::read_text;
/// assert_eq!(read_text("'=1+1"), "=1+1");
/// assert_eq!(read_text("'tis"), "'tis");
/// ```
#[must_use]
pub fn read_text(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if is_formula(text) => text,
        _ => cell,
    }
}

/// Whether a text gets an apostrophe. One that looks as if it had got one gets another, so that
/// each cell is made from one text.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(FORMULA)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cell(text: &str) -> String {
        let mut out = Vec::new();
        CsvRow::new(&mut out).text(text).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn texts_are_quoted_and_formulas_are_not_run() {
        for (text, expected) in [
            ("Disallow: /", "Disallow: /"),
            ("a,\"b\"", "\"a,\"\"b\"\"\""),
            ("a\nb", "\"a\nb\""),
            ("=cmd|x", "'=cmd|x"),
            ("-1", "'-1"),
            ("+1", "'+1"),
            ("@x", "'@x"),
            ("\tx", "'\tx"),
            ("\rx", "\"'\rx\""),
            ("=\"\"", "\"'=\"\"\"\"\""),
            ("'=x", "''=x"),
            ("'x", "'x"),
            ("a=b", "a=b"),
            ("", "\"\""),
        ] {
            assert_eq!(cell(text), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn each_cell_is_made_from_one_text(text in "['=\t\r\n,\"a-]{0,6}") {
            let written = cell(&text);
            let unquoted = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            let content = unquoted.map_or(written.clone(), |inner| inner.replace("\"\"", "\""));
            prop_assert!(!content.starts_with(FORMULA));
            prop_assert_eq!(read_text(&content), text);
        }
    }
}
