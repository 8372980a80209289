//! The arguments of `abide survey`.

use super::PurposeArgs;
use super::named::{Meanings, PROFILES, name_in, one_of};
use crate::file_arg::FileArg;
use abide::Profile;
use clap::Args;

/// Show what the robots.txt files of many sites say, in tables.
///
/// Inputs are folders with robots.txt files, archives (.warc, .warc.gz), JSON Lines (.jsonl,
/// .jsonl.gz) and Parquet files with the columns url, status, headers, body and date, and caches
/// that abide fetch --cache made, with their history. DIR gets a folder per table: files, robots,
/// groups, agents, rules, sitemaps, directives, acap, preferences and errors, and others on
/// request. A redirect is followed if its target is in the input. docs/survey.md describes every
/// column.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide survey robots/ -o tables\n  \
        abide survey CC-MAIN-*.warc.gz -o tables --agents Googlebot,GPTBot,CCBot,'*'\n  \
        abide survey robots.warc.gz -o tables --agents @ai-training --path /,/search --format csv\n  \
        abide survey robots.warc.gz -o tables --tables files,robots\n  \
        abide survey robots.warc.gz -o tables --what-if attach,plan-b\n  \
        abide survey pages.warc.gz -o tables --pages --agents Googlebot,GPTBot\n  \
        abide survey robots.warc.gz -o tables --resume\n  \
        curl https://example.org/robots.warc.gz | abide survey - -o tables\n\n\
        Exit status: 0 done, 2 invalid arguments or an I/O error, 130 interrupted.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct SurveyArgs {
    /// Files and folders; "-" for an archive, JSON Lines or Parquet on stdin
    #[arg(value_name = "INPUT", required_unless_present = "files_from")]
    pub(crate) inputs: Vec<FileArg>,

    /// Also read the files and folders that this file names, one per line; "-" for stdin
    #[arg(long, value_name = "FILE|-")]
    pub(crate) files_from: Option<FileArg>,

    /// Folder for the tables: a new or an empty one
    #[arg(long, short = 'o', value_name = "DIR")]
    pub(crate) output: FileArg,

    /// Robots of the table robots: names, User-Agent lines, "*" for every robot that the file does
    /// not name, and sets
    /// such as @search, @ai-training or @all
    #[arg(
        long = "agents",
        visible_alias = "agent",
        short = 'a',
        value_name = "LIST",
        default_value = "*"
    )]
    pub(crate) agents: Vec<String>,

    #[command(flatten)]
    pub(crate) purpose: PurposeArgs,

    /// Paths of the table robots, separated by commas
    #[arg(
        long = "path",
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "/"
    )]
    pub(crate) paths: Vec<String>,

    /// Tables to write, separated by commas [default: all but findings, changes and those of
    /// --pages]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = name_in(TABLES))]
    pub(crate) tables: Vec<&'static str>,

    /// Also read the pages of archives, and write tables of what their fields and robots meta
    /// elements say
    #[arg(long)]
    pub(crate) pages: bool,

    /// Also write the table changes: whose answer would change if crawlers adopted a document
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = name_in(CHANGES))]
    pub(crate) what_if: Vec<&'static str>,

    /// Also write the table findings, and the columns errors, warnings and infos of files: the
    /// linter takes longer than everything else together
    #[arg(long)]
    pub(crate) lint: bool,

    /// Output format
    #[arg(long, default_value = "parquet", value_parser = name_in(FORMATS))]
    pub(crate) format: &'static str,

    /// Number of threads, up to 1024 [default: one per core]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    /// Check the digests that captures in archives have, and list wrong ones in the table errors
    #[arg(long)]
    pub(crate) verify: bool,

    /// Continue an interrupted survey
    #[arg(long)]
    pub(crate) resume: bool,

    /// Ignore what operators document about their robots, such as that AdsBot-Google ignores groups
    /// for "*"
    #[arg(long)]
    pub(crate) literal: bool,

    /// Which interpretation to use where the specifications are ambiguous
    #[arg(long, default_value_t = Profile::Careful, value_parser = one_of::<Profile>(PROFILES))]
    pub(crate) profile: Profile,
}

/// The output formats.
const FORMATS: Meanings = &[
    ("parquet", "Apache Parquet, compressed with zstd"),
    ("csv", "Comma-separated values (RFC 4180)"),
    ("jsonl", "One JSON object per line"),
];

/// The changes whose effects are counted.
const CHANGES: Meanings = &[
    (
        "attach",
        "Content-Usage lines are rules of groups (draft-ietf-aipref-attach)",
    ),
    (
        "plan-b",
        "App-Directives lines are rules of groups (draft-nottingham-plan-b)",
    ),
    (
        "purpose",
        "User-Agent-Purpose lines start groups (draft-illyes-rep-purpose)",
    ),
    (
        "repext",
        "Robots-Tag fields of pages count (draft-illyes-repext)",
    ),
];

/// The tables.
const TABLES: Meanings = &[
    ("files", "One row per robots.txt"),
    ("robots", "One row per robots.txt, robot and path"),
    ("groups", "One row per group"),
    ("agents", "One row per User-agent line"),
    ("rules", "One row per rule"),
    (
        "findings",
        "One row per finding of the linter, as with --lint",
    ),
    ("sitemaps", "One row per Sitemap line"),
    (
        "directives",
        "One row per directive of an App-Directives line",
    ),
    (
        "acap",
        "One row per usage of an ACAP permission or prohibition",
    ),
    (
        "preferences",
        "One row per word of a statement about AI preferences",
    ),
    (
        "changes",
        "One row per robot and usage whose answer would change, with --what-if",
    ),
    ("pages", "One row per page, as with --pages"),
    ("tags", "One row per rule of a robots tag of a page"),
    (
        "page_answers",
        "One row per page, robot and usage that the page mentions",
    ),
    (
        "errors",
        "One row per part of the input that could not be read",
    ),
];

#[cfg(all(test, feature = "survey"))]
mod tests {
    use super::*;
    use abide::Named;
    use abide_survey::Format;
    use abide_survey::schema::Table;

    #[test]
    fn names_are_those_of_surveys() {
        let names = |meanings: Meanings| meanings.iter().map(|(name, _)| *name);
        assert!(names(FORMATS).eq(Format::names()));
        assert!(names(TABLES).eq(Table::names()));
    }
}
