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
    /// One row per `User-agent` line.
    Agents,
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
    /// One row per word of a statement about AI preferences.
    Preferences,
    /// One row per robot and usage whose answer would change.
    Changes,
    /// One row per page: a response to a request for another URL than that of a robots.txt.
    Pages,
    /// One row per rule of a robots tag of a page.
    Tags,
    /// One row per page, robot and usage about which the page says something.
    PageAnswers,
    /// One row per part of the input that could not be read.
    Errors,
}

abide::named!(
    Table,
    [
        Files = "files",
        Robots = "robots",
        Groups = "groups",
        Agents = "agents",
        Rules = "rules",
        Findings = "findings",
        Sitemaps = "sitemaps",
        Directives = "directives",
        Acap = "acap",
        Preferences = "preferences",
        Changes = "changes",
        Pages = "pages",
        Tags = "tags",
        PageAnswers = "page_answers",
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
    url: Option<Text<'a>> = "The URL of the robots.txt or page, if the input gives one",
    host: Text<'a> = "The host, with the port if it is not the default one",
    date: Option<Instant> = "When it was captured",
    domain: Option<Text<'a>> =
        "The registrable domain of the host, by the public suffix list: user.github.io of user.github.io",
    registered_domain: Option<Text<'a>> =
        "What is registered at a registry, by the list without its private suffixes: github.io of user.github.io",
}

columns! {
    FILES, FileRow, FileCells after CAPTURE:
    status: Option<i64> = "The status of the response; of a redirect that was followed, that of its target",
    first_status: Option<i64> = "The status of the record itself, such as 301",
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
    rest: Text<'a> =
        "permitted, prohibited or unknown, for pages that the file does not mention: the answer for the path /x7f3q9kd",
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
    class: Option<Text<'a>> =
        "What the first of these robots may crawl by this name alone: open, partly or closed; empty for nobody, and beyond the first names of a long file",
    rest: Option<Text<'a>> = "permitted or prohibited, for pages that the file does not mention, as in table robots",
    rules: i64 = "Its rules",
    crawl_delay: Option<f64> = "Its Crawl-delay, in seconds",
}

columns! {
    AGENTS, AgentRow, AgentCells after CAPTURE:
    group: Option<i64> = "The group, counted from 0; empty for a line that is in none",
    line: i64 = "The line",
    offset: i64 = "The first byte of the line",
    text: Text<'a> = "The value as written; bytes that are not UTF-8 are escaped",
    token: Option<Text<'a>> =
        "The product token that robots read in it: of a known robot, or else the text up to a space, tab or /; * is every other robot; empty if no robot can have this name",
    known: bool = "Whether the table of known robots has the token",
    kind: Option<Text<'a>> = "What the robot is for, by the table of known robots",
    class: Option<Text<'a>> =
        "What a robot with this token may crawl by this name alone, with all of its groups: open, partly or closed; empty for nobody, and beyond the first names of a long file",
    rest: Option<Text<'a>> = "permitted or prohibited, for pages that the file does not mention, as in table robots",
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
    PREFERENCES, PreferenceRow, PreferenceCells after CAPTURE:
    found_in: Text<'a> =
        "robots.txt; or of a page: field, meta, or what names a licence, which is link, html or inline",
    vocabulary: Text<'a> = "content-usage, content-signal, tdmrep or rsl; robots tags are in table tags, and control tokens in table agents",
    key: Text<'a> = "The word as written, such as train-ai; license for a licence; cut after 100 bytes",
    value: Option<Text<'a>> = "Its value as written, or the URL of a licence; cut after 100 bytes",
    usage: Option<Text<'a>> = "What the word is about: train, ai-input or search",
    path: Option<Text<'a>> = "The path pattern as written, cut after 100 bytes; empty if the line is about every path",
    readable: bool = "Whether the statement has the right form, so that it counts",
    group: Option<i64> = "The group, counted from 0; empty for a line before the first group, and of a page",
    names: Option<Text<'a>> = "The robots that the group names, as in table groups; cut after 100 bytes",
    line: Option<i64> = "The line of the robots.txt; of a field, which of the lines of that name, from 1",
    offset: Option<i64> = "The first byte of the line, or of the element",
}

columns! {
    CHANGES, ChangeRow, ChangeCells after CAPTURE:
    what_if: Text<'a> = "The change: attach, plan-b, purpose or repext",
    robot: Text<'a> = "The robot: one that is asked about, or that a group near the line or a Robots-Tag names",
    usage: Text<'a> = "crawl, train, ai-input or search; for repext any usage",
    path: Text<'a> = "The first path where the answer would change, the witness; for repext that of the page",
    before: Text<'a> = "The outcome without the change",
    after: Text<'a> = "The outcome with it",
    line: Option<i64> = "The line that decides after the change, or else the one that decided before",
    group: Option<i64> = "The group of this line, counted from 0",
}

columns! {
    PAGES, PageRow, PageCells after CAPTURE:
    status: Option<i64> = "The status of the response",
    media_type: Option<Text<'a>> = "The media type that the Content-Type says, in lower case and without parameters; cut after 100 bytes",
    state: Text<'a> =
        "html: fields and page were read; fields: only the fields, because it is no HTML or its status is not from 200 to 299; damaged: only the fields, because the body cannot be decoded; or cut: what is beyond 512 KiB or the end of the capture was not read",
    bytes: i64 = "The length of the body, before it is decoded if it cannot be",
    digest: Option<Text<'a>> = "The SHA-256 of the body, in hexadecimal",
    robots_tag: i64 = "Robots-Tag lines",
    x_robots_tag: i64 = "X-Robots-Tag lines",
    robots_meta: i64 = "Robots meta elements in the head: for all robots, a known one, or one that is asked about",
    noai: bool = "Whether a robots tag has the rule noai, noimageai or noml, for any robot",
    content_usage: i64 = "Content-Usage lines",
    content_signal: i64 = "Content-Signal lines",
    tdm: i64 = "Fields and meta elements tdm-reservation and tdm-policy",
    licenses: i64 = "Licences (RSL) that a Link field or the head of the page names or contains",
    source: Option<Text<'a>> = "The input that has the record",
    offset: Option<i64> = "Where the record begins in the source, in bytes",
    length: Option<i64> =
        "Its length there, in bytes; empty in an archive that is not compressed record by record",
}

columns! {
    TAGS, TagRow, TagCells after CAPTURE:
    found_in: Text<'a> = "robots-tag, x-robots-tag or meta",
    line: Option<i64> = "Which of the field lines of that name, from 1",
    offset: Option<i64> = "The byte of the page at which the element begins",
    robot: Text<'a> = "The robot that it names, in lower case if an X-Robots-Tag does; * is every robot; cut after 100 bytes",
    rule: Option<Text<'a>> = "The rule, in lower case; cut after 100 bytes; empty if there is none",
    value: Option<Text<'a>> = "Its value; cut after 100 bytes",
    kind: Option<Text<'a>> = "registered, by the draft; vendor, by search engines; ai, by vendors about AI; positive, which restricts nothing; or unknown",
    text: Text<'a> = "The whole statement as written; cut after 100 bytes",
}

columns! {
    PAGE_ANSWERS, PageAnswerRow, PageAnswerCells after CAPTURE:
    robot: Text<'a> = "The robot, as asked for",
    kind: Option<Text<'a>> = "What the robot is for, by the table of known robots",
    usage: Text<'a> = "A usage that the page says something about, such as index, follow, present-snippet or train",
    outcome: Text<'a> = "permitted, conditional, prohibited or unknown, by the page alone",
    conditions: Option<Text<'a>> = "What a conditional outcome demands, separated by a comma and a space; cut after 100 bytes",
    decided_by: Option<Text<'a>> = "The kind of source that decides, such as robots-tag, meta or tdm-field",
    statement: Option<Text<'a>> = "The statement that decides; cut after 100 bytes",
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
    /// The tables of a survey that does not name any: all but `findings`, `changes` and those of
    /// pages, which somebody has to ask for.
    pub fn standard() -> impl Iterator<Item = Self> {
        let all = Self::ALL.iter().copied();
        all.filter(|table| {
            !matches!(table, Self::Findings | Self::Changes) && !Self::OF_PAGES.contains(table)
        })
    }

    /// The tables that only pages have rows in.
    pub const OF_PAGES: &'static [Self] = &[Self::Pages, Self::Tags, Self::PageAnswers];

    /// Its columns, in order.
    #[must_use]
    pub const fn columns(self) -> &'static [Column] {
        match self {
            Self::Files => FILES,
            Self::Robots => ROBOTS,
            Self::Groups => GROUPS,
            Self::Agents => AGENTS,
            Self::Rules => RULES,
            Self::Findings => FINDINGS,
            Self::Sitemaps => SITEMAPS,
            Self::Directives => DIRECTIVES,
            Self::Acap => ACAP,
            Self::Preferences => PREFERENCES,
            Self::Changes => CHANGES,
            Self::Pages => PAGES,
            Self::Tags => TAGS,
            Self::PageAnswers => PAGE_ANSWERS,
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
