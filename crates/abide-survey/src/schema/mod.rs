//! The tables of a survey and their columns, version 1.
//!
//! This module is the one place that names them: the Arrow schemas, the rows, the headers of CSV
//! files and `docs/survey.md` follow it.

mod cells;
mod value;

pub(crate) use cells::{Cells, Instant, Text};
pub(crate) use value::CellValue;

use arrow_array::builder::ArrayBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use cells::{Cell, columns};
use std::sync::Arc;

/// The version of the schema, kept in the metadata of each Parquet file as `abide.survey.schema`.
/// A column that changes its meaning or goes away raises it; a new column does not.
pub const VERSION: u32 = 1;

/// The key of the version in the metadata of Parquet files.
pub const METADATA_KEY: &str = "abide.survey.schema";

/// A table of a survey.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Table {
    /// One row per capture: a robots.txt as one site served it once.
    Files,
    /// One row per capture, robot and path.
    Robots,
    /// One row per group of a file.
    Groups,
    /// One row per rule of a group.
    Rules,
    /// One row per finding of the linter.
    Findings,
    /// One row per `Sitemap` line.
    Sitemaps,
    /// One row per directive of an `App-Directives` line.
    Directives,
    /// One row per usage of an ACAP permission or prohibition.
    Acap,
    /// One row per robot and usage whose answer would change.
    Changes,
    /// One row per part of the input that could not be read.
    Errors,
}

abide::named!(
    Table,
    [
        Files = "files",
        Robots = "robots",
        Groups = "groups",
        Rules = "rules",
        Findings = "findings",
        Sitemaps = "sitemaps",
        Directives = "directives",
        Acap = "acap",
        Changes = "changes",
        Errors = "errors"
    ]
);

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "writers handle every case")]
pub enum Kind {
    /// UTF-8 text.
    Text,
    /// A count or position.
    Number,
    /// A number with a fraction.
    Real,
    /// Yes or no.
    Flag,
    /// An instant: milliseconds since 1970, UTC.
    Instant,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What its cells hold.
    pub kind: Kind,
    /// Whether a cell may be empty.
    pub is_nullable: bool,
    /// What it means, in one sentence.
    pub meaning: &'static str,
}

// What identifies a capture: the first columns of every table but `errors`.
columns! {
    CAPTURE, CaptureRow, CaptureCells:
    capture: i64 = "The capture, counted from 0 in the order of the input",
    url: Option<Text<'a>> = "The URL of the robots.txt, if the input gives one",
    host: Text<'a> = "The host, with the port if it is not the default one",
    date: Option<Instant> = "When the file was captured",
}

columns! {
    FILES, FileRow, FileCells after CAPTURE:
    domain: Option<Text<'a>> = "The registrable domain of the host (public suffix list)",
    status: Option<i64> = "The status of the response",
    state: Text<'a> =
        "rules; empty; missing; unreachable; redirect-not-followed; not-modified; no-fields, html, json, image or compressed, which are not a robots.txt; damaged: the body cannot be decoded; or cut: what is beyond the parsing limit or the end of the capture was not read",
    redirect: Option<Text<'a>> = "Where a redirect leads",
    bytes: i64 = "The length of the body, before it is decoded if it cannot be",
    digest: Option<Text<'a>> = "The SHA-256 of the body, in hexadecimal",
    encoding: Option<Text<'a>> = "utf-8, utf-8-bom, utf-16le, utf-16be, or not-utf-8",
    lines: i64 = "Lines",
    groups: i64 = "Groups",
    allow_rules: i64 = "Allow lines that are rules",
    disallow_rules: i64 = "Disallow lines that are rules",
    longest_rule: i64 = "The length of the longest pattern, in bytes",
    wildcard_rules: i64 = "Rules with * or $",
    sitemaps: i64 = "Sitemap lines",
    crawl_delays: i64 = "Crawl-delay lines",
    crawl_delay_max: Option<f64> = "The longest Crawl-delay, in seconds",
    acap_lines: i64 = "Lines of ACAP fields",
    unknown_fields: i64 = "Lines with a field that no specification defines",
    errors: Option<i64> = "Findings of severity error; empty without --lint",
    warnings: Option<i64> = "Findings of severity warning; empty without --lint",
    infos: Option<i64> = "Findings of severity info; empty without --lint",
    content_usage: i64 = "Content-Usage lines",
    content_signal: i64 = "Content-Signal lines",
    licenses: i64 = "License lines (RSL)",
    control_tokens: i64 = "Control tokens that the file names, such as Google-Extended",
    purpose_lines: i64 = "User-Agent-Purpose lines",
    app_directive_lines: i64 = "App-Directives lines, readable or not",
    source: Option<Text<'a>> = "The input that has the record",
    offset: Option<i64> =
        "Where the record begins in the source, in bytes; empty if the source has rows, or is the record",
    length: Option<i64> =
        "Its length there, in bytes; also empty in an archive that is not compressed record by record",
    row: Option<i64> = "The row of the source, counted from 0, if it is a table",
}

columns! {
    ROBOTS, RobotRow, RobotCells after CAPTURE:
    state: Text<'a> =
        "The state of the capture, as in table files: where it is unreachable, closed is no rule of the site",
    robot: Text<'a> = "The robot, as asked for",
    kind: Option<Text<'a>> = "What the robot is for, by the table of known robots",
    path: Text<'a> = "The path",
    outcome: Text<'a> = "permitted, prohibited or unknown, for crawling this path",
    group: Option<Text<'a>> =
        "The name of the group that applies to the robot: its own, a fallback, or *",
    own_group: bool = "Whether the file names the robot",
    class: Text<'a> = "open, partly or closed, for the whole site; or unknown",
    exact: bool = "Whether the class is proven for every path",
    line: Option<i64> = "The line that decides about the path",
    rule: Option<Text<'a>> = "The rule in this line",
    delay: Option<f64> = "The Crawl-delay that counts for the robot, in seconds",
    train: Text<'a> =
        "What robots.txt asks about training: permitted, prohibited, conditional, unknown or unspecified",
    ai_input: Text<'a> = "What robots.txt asks about AI input",
    search: Text<'a> = "What robots.txt asks about search",
}

columns! {
    GROUPS, GroupRow, GroupCells after CAPTURE:
    group: i64 = "The group, counted from 0",
    line: i64 = "The line where it begins",
    offset: i64 = "The first byte of this line",
    names: Text<'a> =
        "The robots it names, separated by a space: known robots, or else the text of a line up to a space, tab or /; * is every other robot",
    rules: i64 = "Its rules",
    crawl_delay: Option<f64> = "Its Crawl-delay, in seconds",
}

columns! {
    RULES, RuleRow, RuleCells after CAPTURE:
    group: i64 = "The group, counted from 0",
    line: i64 = "The line",
    offset: i64 = "The first byte of the line",
    field: Text<'a> = "allow or disallow",
    pattern: Text<'a> = "The pattern as written; bytes that are not UTF-8 are escaped",
}

columns! {
    FINDINGS, FindingRow, FindingCells after CAPTURE:
    code: Text<'a> = "The code, such as site-closed",
    severity: Text<'a> = "error, warning or info",
    line: Option<i64> = "The line",
    column: Option<i64> = "The column, in characters",
    offset: Option<i64> = "The first byte of the finding",
    message: Text<'a> = "What is wrong",
}

columns! {
    SITEMAPS, SitemapRow, SitemapCells after CAPTURE:
    line: i64 = "The line",
    offset: i64 = "The first byte of the line",
    sitemap: Text<'a> = "The URL as written",
    valid: bool = "Whether it is an absolute URL",
}

columns! {
    DIRECTIVES, DirectiveRow, DirectiveCells after CAPTURE:
    group: Option<i64> = "The group, counted from 0; empty for a line before the first group",
    line: i64 = "The line",
    offset: i64 = "The first byte of the line",
    path: Option<Text<'a>> = "The path pattern as written, cut after 100 bytes; empty if the line is about every path",
    application: Text<'a> = "The identifier of the application, cut after 100 bytes",
    name: Option<Text<'a>> = "The directive; empty if the line states none for the application",
    value_type: Option<Text<'a>> =
        "integer, decimal, string, token, byte-sequence, boolean, date or display-string",
    value: Option<Text<'a>> = "The value as structured fields write it: ?1 if it is left out",
}

columns! {
    ACAP, AcapRow, AcapCells after CAPTURE:
    line: i64 = "The line",
    offset: i64 = "The first byte of the field",
    record: i64 = "The line of the first crawler field of its record",
    usage: Text<'a> = "The usage; a field with a local name has a row for each usage of it",
    effect: Text<'a> =
        "permission; prohibition; or void, a permission with a mistake, which permits nothing",
    qualifiers: Option<Text<'a>> =
        "The conditions of a permission, as decisions have them: kind and value, separated by a comma and a space; cut after 100 bytes",
    resource: Text<'a> = "The path pattern or set as written",
}

columns! {
    CHANGES, ChangeRow, ChangeCells after CAPTURE:
    what_if: Text<'a> = "The change: attach, plan-b or purpose",
    robot: Text<'a> = "The robot: one that is asked about, or that a group near the line names",
    usage: Text<'a> = "crawl, train, ai-input or search",
    path: Text<'a> = "The first path where the answer would change, the witness",
    before: Text<'a> = "The outcome without the change",
    after: Text<'a> = "The outcome with it",
    line: Option<i64> = "The line that decides after the change, or else the one that decided before",
    group: Option<i64> = "The group of this line, counted from 0",
}

columns! {
    ERRORS, ErrorRow, ErrorCells:
    source: Text<'a> = "The input",
    place: Option<Text<'a>> = "Where in the input: a byte offset, a line, or a row",
    code: Text<'a> = "The code of the error",
    message: Text<'a> = "What is wrong, and what to do",
    url: Option<Text<'a>> = "The URL of the record, if it is known",
    offset: Option<i64> = "Where the record begins in the source, in bytes",
    length: Option<i64> = "Its length there, in bytes, if it is known",
    row: Option<i64> = "The row of the source, counted from 0, if it is a table",
}

impl Table {
    /// The tables of a survey that does not name any: all but `findings` and `changes`, which
    /// somebody has to ask for.
    pub fn standard() -> impl Iterator<Item = Self> {
        let all = Self::ALL.iter().copied();
        all.filter(|table| !matches!(table, Self::Findings | Self::Changes))
    }

    /// Its columns, in order.
    #[must_use]
    pub const fn columns(self) -> &'static [Column] {
        match self {
            Self::Files => FILES,
            Self::Robots => ROBOTS,
            Self::Groups => GROUPS,
            Self::Rules => RULES,
            Self::Findings => FINDINGS,
            Self::Sitemaps => SITEMAPS,
            Self::Directives => DIRECTIVES,
            Self::Acap => ACAP,
            Self::Changes => CHANGES,
            Self::Errors => ERRORS,
        }
    }

    /// Its Arrow schema.
    #[must_use]
    pub fn schema(self) -> Schema {
        let fields: Vec<Field> = self.columns().iter().map(Column::field).collect();
        Schema::new(fields)
    }

    pub(crate) fn batch(self, columns: Vec<ArrayRef>) -> RecordBatch {
        RecordBatch::try_new(Arc::new(self.schema()), columns)
            .expect("one list makes the schema and the columns")
    }
}

impl Column {
    fn field(&self) -> Field {
        let kind = match self.kind {
            Kind::Text => DataType::Utf8,
            Kind::Number => DataType::Int64,
            Kind::Real => DataType::Float64,
            Kind::Flag => DataType::Boolean,
            Kind::Instant => DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())),
        };
        Field::new(self.name, kind, self.is_nullable)
    }
}
