//! Reads registries from tables in CSV (RFC 4180), which have the columns of the IANA sections.

use super::form::{
    ApplicationForm, DirectiveForm, DirectiveRow, Entries, MAX_ENTRIES, PurposeForm, RegistryForm,
    RuleForm,
};
use super::place::Places;
use super::{RegistryFileError, instead};
use crate::names::Members;
use csv::{Position, Reader, ReaderBuilder, StringRecord};
use std::collections::BTreeMap;

/// A kind of table.
struct Kind {
    /// The member of a registry that has the entries.
    member: &'static str,
    /// The members of an entry, with the columns that they are in.
    columns: &'static [(&'static str, &'static str)],
    /// How many of the columns have to be there, from the first one.
    needed: usize,
}

const KINDS: [Kind; 4] = [
    // draft-nottingham-plan-b, 3.1.
    Kind {
        member: "application",
        columns: &[
            ("id", "Application Identifier"),
            ("product_tokens", "Product Token"),
            ("change_controller", "Change Controller"),
        ],
        needed: 1,
    },
    // Section 3.2. The last two are abide's own.
    Kind {
        member: "directive",
        columns: &[
            ("application", "Application Identifier"),
            ("name", "Directive Name"),
            ("type", "Directive Value Type"),
            ("description", "Directive Description"),
            ("documentation", "Documentation URL"),
            ("status", "Status"),
            ("overrides", "Overrides"),
            ("means", "Means"),
        ],
        needed: 3,
    },
    // draft-illyes-repext, 5.2.
    Kind {
        member: "rule",
        columns: &[
            ("name", "Rule Name"),
            ("description", "Description"),
            ("reference", "Reference"),
        ],
        needed: 1,
    },
    // draft-illyes-rep-purpose plans a registry, and names no columns.
    Kind {
        member: "purpose",
        columns: &[
            ("token", "Purpose Token"),
            ("description", "Description"),
            ("reference", "Reference"),
        ],
        needed: 1,
    },
];

/// Whether `text` is a table: no `=` and no bracket, as TOML has them, comes before the first comma
/// or in the name of its only column.
pub(super) fn is_table(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty()).unwrap_or_default();
    !first.is_empty() && !first.starts_with(['#', '[']) && {
        let is_key = |(key, _): (&str, &str)| !key.contains(',');
        !first.split_once('=').is_some_and(is_key)
    }
}

/// Reads a table.
pub(super) fn read(text: &str) -> Result<(RegistryForm, Places<'static>), RegistryFileError> {
    if let Some(line) = unclosed(text) {
        let reason =
            "a quotation mark begins a cell, and none ends it; write \"\" for one in a cell";
        return Err(RegistryFileError::new(Some(line), "", reason));
    }
    let mut reader = ReaderBuilder::new().from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| not_csv(&error))?.clone();
    let kind = kind_of(&header);
    let columns = columns(&header, kind)?;
    let mut form = RegistryForm::default();
    // A table without rows has an empty list, which is not no list.
    match kind.member {
        "application" => form.application = Some(Entries::default()),
        "rule" => form.rule = Some(Entries::default()),
        "purpose" => form.purpose = Some(Entries::default()),
        _ => {}
    }
    let mut lines = Vec::new();
    each_row(&mut reader, text, |line, row| {
        lines.push(line);
        form.add_row(kind, |member| {
            let at = columns.iter().position(|own| *own == member)?;
            let cell = row.get(at)?.trim();
            (!cell.is_empty()).then_some(cell)
        })
    })?;
    let places = Places::Table {
        member: kind.member,
        lines,
        columns: kind.columns,
    };
    Ok((form, places))
}

/// The line of the first cell that begins with a quotation mark and does not end with one: the
/// reader would take the rows behind it for its text.
fn unclosed(text: &str) -> Option<usize> {
    let mut bytes = text.bytes().peekable();
    let (mut line, mut is_start) = (1_usize, true);
    while let Some(byte) = bytes.next() {
        if byte != b'"' || !is_start {
            is_start = matches!(byte, b',' | b'\n' | b'\r');
            line = line.saturating_add((byte == b'\n').into());
            continue;
        }
        let begun = line;
        loop {
            match (bytes.next(), bytes.peek()) {
                (Some(b'"'), Some(b'"')) => drop(bytes.next()),
                (Some(b'"'), None | Some(b',' | b'\n' | b'\r')) => break,
                (Some(b'"'), Some(_)) | (None, _) => return Some(begun),
                (Some(byte), _) => line = line.saturating_add((byte == b'\n').into()),
            }
        }
        is_start = false;
    }
    None
}

/// The line of a row, which begins after the blank lines that its place includes.
fn line_of(place: &Position, text: &str) -> usize {
    let at = usize::try_from(place.byte()).unwrap_or(usize::MAX);
    let rest = text.get(at..).unwrap_or_default();
    let blank = rest.bytes().take_while(|byte| b"\r\n".contains(byte));
    let skipped = blank.filter(|byte| *byte == b'\n').count();
    usize::try_from(place.line())
        .unwrap_or_default()
        .saturating_add(skipped)
}

fn each_row(
    reader: &mut Reader<&[u8]>,
    text: &str,
    mut read: impl FnMut(usize, &StringRecord) -> Result<(), CellError>,
) -> Result<(), RegistryFileError> {
    for (number, row) in reader.records().enumerate() {
        let row = row.map_err(|error| not_csv(&error))?;
        let line = row.position().map(|place| line_of(place, text));
        let line = line.unwrap_or_default();
        if number >= MAX_ENTRIES {
            let reason = format!("expected at most {MAX_ENTRIES} rows");
            return Err(RegistryFileError::new(Some(line), "", reason));
        }
        let read = read(line, &row);
        read.map_err(|CellError(column, why)| RegistryFileError::new(Some(line), column, why))?;
    }
    Ok(())
}

/// The kind of table that has the most of these columns.
fn kind_of(header: &StringRecord) -> &'static Kind {
    let score = |kind: &Kind| {
        let known = header.iter().filter(|name| member_of(kind, name).is_some());
        known.count()
    };
    let mut best = &KINDS[0];
    for kind in &KINDS {
        if score(kind) > score(best) {
            best = kind;
        }
    }
    best
}

fn member_of(kind: &Kind, column: &str) -> Option<&'static str> {
    let mut columns = kind.columns.iter();
    let is_it = |(_, name): &&(&str, &str)| name.eq_ignore_ascii_case(column.trim());
    columns.find(is_it).map(|(member, _)| *member)
}

/// The member that each column of the table has.
fn columns(header: &StringRecord, kind: &Kind) -> Result<Vec<&'static str>, RegistryFileError> {
    let wrong = |reason: String| RegistryFileError::new(Some(1), "", reason);
    let mut members = Vec::new();
    for column in header {
        let Some(member) = member_of(kind, column) else {
            let names = kind.columns.iter().map(|(_, name)| *name);
            let hint = instead(column.trim(), names);
            return Err(wrong(format!(
                "unknown column {column:?}{hint} (the first line of a table in CSV names its columns)"
            )));
        };
        if members.contains(&member) {
            return Err(wrong(format!("the column {column:?} occurs twice")));
        }
        members.push(member);
    }
    let needed = kind.columns.iter().take(kind.needed);
    let mut missing = needed.filter(|(member, _)| !members.contains(member));
    match missing.next() {
        Some((_, name)) => Err(wrong(format!("the column {name:?} is missing"))),
        None => Ok(members),
    }
}

fn not_csv(error: &csv::Error) -> RegistryFileError {
    let line = error.position().map(csv::Position::line);
    let line = line.and_then(|line| usize::try_from(line).ok());
    let reason = match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => {
            format!("expected {expected_len} cells, as many as the first line has, but found {len}")
        }
        _ => format!("not valid CSV: {error}"),
    };
    RegistryFileError::new(line, "", reason)
}

/// The column of a cell, and what is wrong with it.
struct CellError(&'static str, String);

impl RegistryForm {
    /// Adds a row. `cell` is the text in the column of a member.
    fn add_row<'c>(
        &mut self,
        kind: &Kind,
        cell: impl Fn(&str) -> Option<&'c str>,
    ) -> Result<(), CellError> {
        let text = |member: &str| cell(member).map(str::to_owned);
        let wrong = |member: &str, why: &str| {
            let mut columns = kind.columns.iter();
            let column = columns.find(|(own, _)| *own == member);
            CellError(column.map_or("", |(_, column)| *column), why.to_owned())
        };
        let needed = |member: &str| text(member).ok_or(wrong(member, "the cell is empty"));
        let list = |member: &str| {
            let words = cell(member).unwrap_or_default();
            let words = words.split([' ', '\t', '\n', ',', ';']);
            words.filter(|word| !word.is_empty()).map(str::to_owned)
        };
        match kind.member {
            "application" => self
                .application
                .get_or_insert_default()
                .0
                .push(ApplicationForm {
                    id: needed("id")?,
                    product_tokens: list("product_tokens").zip(0..).collect(),
                    change_controller: text("change_controller"),
                    directive: Members::default(),
                }),
            "directive" => {
                let pairs = list("means").map(|pair| match pair.rsplit_once('=') {
                    Some((value, meaning)) => (value.to_owned(), meaning.to_owned()),
                    None => (pair, String::new()),
                });
                let mut means = BTreeMap::new();
                for (value, meaning) in pairs {
                    if means.insert(value, meaning).is_some() {
                        return Err(wrong("means", "a value occurs twice"));
                    }
                }
                self.rows.push(DirectiveRow {
                    application: needed("application")?,
                    name: needed("name")?,
                    form: DirectiveForm {
                        value_type: needed("type")?,
                        status: text("status"),
                        overrides: list("overrides").zip(0..).collect(),
                        means: means.into_iter().collect(),
                        description: text("description"),
                        documentation: text("documentation"),
                    },
                });
            }
            "rule" => self.rule.get_or_insert_default().0.push(RuleForm {
                name: needed("name")?,
                description: text("description"),
                reference: text("reference"),
            }),
            _ => self.purpose.get_or_insert_default().0.push(PurposeForm {
                token: needed("token")?,
                description: text("description"),
                reference: text("reference"),
            }),
        }
        Ok(())
    }
}
