//! CSV (RFC 4180).

use std::io::{self, Write};

/// Writes one record.
pub(crate) fn line(out: &mut impl Write, cells: &[String]) -> io::Result<()> {
    let cells: Vec<String> = cells.iter().map(|cell| field(cell)).collect();
    write!(out, "{}\r\n", cells.join(","))
}

/// A field, quoted where RFC 4180 demands it. A field that a spreadsheet would take for a formula
/// begins with an apostrophe.
pub(crate) fn field(text: &str) -> String {
    let text = if text.starts_with(['=', '+', '-', '@']) {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn fields_are_quoted_and_formulas_are_not_run() {
        assert_eq!(field("Disallow: /"), "Disallow: /");
        assert_eq!(field("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(field("=cmd|x"), "'=cmd|x");
        assert_eq!(field("-1"), "'-1");
    }
}
