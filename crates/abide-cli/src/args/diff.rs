//! The arguments of `abide diff`.

use super::NetworkArgs;
use crate::file_arg::FileArg;
use clap::{Args, ValueEnum};

/// Show what changes between two robots.txt files, and for which robots.
///
/// The comparison covers every URL, not a sample. For each set of URLs with a new answer it shows
/// the deciding lines of both files and a shortest URL as an example. It also compares ACAP
/// records, App-Directives, crawl delays and sitemaps.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide diff robots.txt robots.new.txt\n  \
        abide diff https://example.com/robots.txt robots.txt --agent ExampleBot\n  \
        git show HEAD:robots.txt | abide diff - robots.txt\n  \
        abide diff old.txt new.txt --urls urls.txt --format json\n\n\
        Exit status: 0 no changes for any URL, 1 changes, or not everything could be compared, \
        2 invalid arguments or an I/O error.")]
pub(crate) struct DiffArgs {
    /// The old file: a file, "-" for stdin, or a URL to fetch
    #[arg(value_name = "OLD")]
    pub(crate) old: FileArg,

    /// The new file: a file, "-" for stdin, or a URL to fetch
    #[arg(value_name = "NEW")]
    pub(crate) new: FileArg,

    /// Robots to compare for, such as ExampleBot,OtherBot [default: every robot that either file
    /// names, and one that neither names]
    #[arg(
        long = "agents",
        alias = "agent",
        short = 'a',
        value_name = "LIST",
        value_delimiter = ','
    )]
    pub(crate) agents: Vec<String>,

    /// File with one URL per line, or "-" for stdin; shows which of them change
    #[arg(long, value_name = "FILE|-")]
    pub(crate) urls: Option<FileArg>,

    /// Output format
    #[arg(long, value_enum, default_value_t = DiffFormat::Human)]
    pub(crate) format: DiffFormat,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,
}

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// Text for people
    Human,
    /// One object, as schema/diff.json describes it
    Json,
}
