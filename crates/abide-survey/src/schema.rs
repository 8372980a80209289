//! The tables of a survey and their columns, version 1.
//!
//! This module is the one place that names them: the Arrow schemas, the headers of CSV files and
//! `docs/survey.md` follow it.

use arrow_schema::{DataType, Field, Schema, TimeUnit};

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

const fn column(name: &'static str, kind: Kind, meaning: &'static str) -> Column {
    Column {
        name,
        kind,
        is_nullable: false,
        meaning,
    }
}

const fn nullable(name: &'static str, kind: Kind, meaning: &'static str) -> Column {
    Column {
        name,
        kind,
        is_nullable: true,
        meaning,
    }
}

use Kind::{Flag, Instant, Number, Real, Text};

/// What identifies a capture: the first columns of every table but `errors`.
const CAPTURE: [Column; 4] = [
    column(
        "capture",
        Number,
        "The capture, counted from 0 in the order of the input",
    ),
    nullable(
        "url",
        Text,
        "The URL of the robots.txt, if the input gives one",
    ),
    column(
        "host",
        Text,
        "The host, with the port if it is not the default one",
    ),
    nullable("date", Instant, "When the file was captured"),
];

const FILES: &[Column] = &[
    CAPTURE[0],
    CAPTURE[1],
    CAPTURE[2],
    CAPTURE[3],
    nullable(
        "domain",
        Text,
        "The registrable domain of the host (public suffix list)",
    ),
    nullable("status", Number, "The status of the response"),
    column(
        "state",
        Text,
        "rules; empty; missing; unreachable; redirect-not-followed; not-modified; no-fields, html, json, image or compressed, which are not a robots.txt; or cut: what is beyond the parsing limit or the end of the capture was not read",
    ),
    nullable("redirect", Text, "Where a redirect leads"),
    column("bytes", Number, "The length of the body"),
    nullable("digest", Text, "The SHA-256 of the body, in hexadecimal"),
    nullable(
        "encoding",
        Text,
        "utf-8, utf-8-bom, utf-16le, utf-16be, or not-utf-8",
    ),
    column("lines", Number, "Lines"),
    column("groups", Number, "Groups"),
    column("allow_rules", Number, "Allow lines that are rules"),
    column("disallow_rules", Number, "Disallow lines that are rules"),
    column(
        "longest_rule",
        Number,
        "The length of the longest pattern, in bytes",
    ),
    column("wildcard_rules", Number, "Rules with * or $"),
    column("sitemaps", Number, "Sitemap lines"),
    column("crawl_delays", Number, "Crawl-delay lines"),
    nullable(
        "crawl_delay_max",
        Real,
        "The longest Crawl-delay, in seconds",
    ),
    column("acap_lines", Number, "Lines of ACAP fields"),
    column(
        "unknown_fields",
        Number,
        "Lines with a field that no specification defines",
    ),
    nullable(
        "errors",
        Number,
        "Findings of severity error; empty after --no-lint",
    ),
    nullable(
        "warnings",
        Number,
        "Findings of severity warning; empty after --no-lint",
    ),
    nullable(
        "infos",
        Number,
        "Findings of severity info; empty after --no-lint",
    ),
    column("content_usage", Number, "Content-Usage lines"),
    column("content_signal", Number, "Content-Signal lines"),
    column("licenses", Number, "License lines (RSL)"),
    column(
        "control_tokens",
        Number,
        "Control tokens that the file names, such as Google-Extended",
    ),
];

const ROBOTS: &[Column] = &[
    CAPTURE[0],
    CAPTURE[1],
    CAPTURE[2],
    CAPTURE[3],
    column("robot", Text, "The robot, as asked for"),
    nullable(
        "kind",
        Text,
        "What the robot is for, by the table of known robots",
    ),
    column("path", Text, "The path"),
    column(
        "outcome",
        Text,
        "permitted, prohibited or unknown, for crawling this path",
    ),
    nullable(
        "group",
        Text,
        "The name of the group that applies to the robot: its own, a fallback, or *",
    ),
    column("own_group", Flag, "Whether the file names the robot"),
    column(
        "class",
        Text,
        "open, partly or closed, for the whole site; or unknown",
    ),
    column("exact", Flag, "Whether the class is proven for every path"),
    nullable("line", Number, "The line that decides about the path"),
    nullable("rule", Text, "The rule in this line"),
    nullable(
        "delay",
        Real,
        "The Crawl-delay that counts for the robot, in seconds",
    ),
    column(
        "train",
        Text,
        "What robots.txt asks about training: permitted, prohibited, conditional, unknown or unspecified",
    ),
    column("ai_input", Text, "What robots.txt asks about AI input"),
    column("search", Text, "What robots.txt asks about search"),
];

const GROUPS: &[Column] = &[
    CAPTURE[0],
    CAPTURE[1],
    CAPTURE[2],
    CAPTURE[3],
    column("group", Number, "The group, counted from 0"),
    column("line", Number, "The line where it begins"),
    column("offset", Number, "The first byte of this line"),
    column(
        "names",
        Text,
        "The robots it names, separated by a space: known robots, or else the text of a line up to a space, tab or /; * is every other robot",
    ),
    column("rules", Number, "Its rules"),
    nullable("crawl_delay", Real, "Its Crawl-delay, in seconds"),
];

const RULES: &[Column] = &[
    CAPTURE[0],
    CAPTURE[1],
    CAPTURE[2],
    CAPTURE[3],
    column("group", Number, "The group, counted from 0"),
    column("line", Number, "The line"),
    column("offset", Number, "The first byte of the line"),
    column("field", Text, "allow or disallow"),
    column(
        "pattern",
        Text,
        "The pattern as written; bytes that are not UTF-8 are escaped",
    ),
];

const FINDINGS: &[Column] = &[
    CAPTURE[0],
    CAPTURE[1],
    CAPTURE[2],
    CAPTURE[3],
    column("code", Text, "The code, such as site-closed"),
    column("severity", Text, "error, warning or info"),
    nullable("line", Number, "The line"),
    nullable("column", Number, "The column, in characters"),
    nullable("offset", Number, "The first byte of the finding"),
    column("message", Text, "What is wrong"),
];

const SITEMAPS: &[Column] = &[
    CAPTURE[0],
    CAPTURE[1],
    CAPTURE[2],
    CAPTURE[3],
    column("line", Number, "The line"),
    column("offset", Number, "The first byte of the line"),
    column("sitemap", Text, "The URL as written"),
    column("valid", Flag, "Whether it is an absolute URL"),
];

const ERRORS: &[Column] = &[
    column("source", Text, "The input"),
    nullable(
        "place",
        Text,
        "Where in the input: a byte offset, a line, or a row",
    ),
    column("code", Text, "The code of the error"),
    column("message", Text, "What is wrong, and what to do"),
];

impl Table {
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
            Self::Errors => ERRORS,
        }
    }

    /// Its Arrow schema.
    #[must_use]
    pub fn schema(self) -> Schema {
        let fields: Vec<Field> = self.columns().iter().map(Column::field).collect();
        Schema::new(fields)
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
