//! What `abide diff` was asked.

use super::NetworkArgs;
use crate::file_arg::FileArg;
use clap::{Args, ValueEnum};

/// Tells what changes for whom from one robots.txt to another.
///
/// Every URL is taken into account, not a sample: for each group of URLs for which another answer follows, the lines
/// that decide in both files are shown, and a shortest URL for which they do. ACAP records and App-Directives are
/// compared too, and crawl delays and sitemaps.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide diff robots.txt robots.new.txt\n  \
        abide diff https://example.com/robots.txt robots.txt --agent ExampleBot\n  \
        git show HEAD:robots.txt | abide diff - robots.txt\n  \
        abide diff old.txt new.txt --urls urls.txt --format json\n\n\
        Exit status: 0 both ask the same for every URL, 1 something changes, or not everything could be compared, \
        2 a mistake in the call or an I/O error.")]
pub(crate) struct DiffArgs {
    /// The old file: a file, "-" for stdin, or a URL to fetch
    #[arg(value_name = "OLD")]
    pub(crate) old: FileArg,

    /// The new file, likewise
    #[arg(value_name = "NEW")]
    pub(crate) new: FileArg,

    /// Product tokens of robots to compare for, such as ExampleBot,OtherBot; all that either file names,
    /// and a robot that none does, where left out
    #[arg(
        long = "agents",
        alias = "agent",
        short = 'a',
        value_name = "LIST",
        value_delimiter = ','
    )]
    pub(crate) agents: Vec<String>,

    /// A file of URLs, one a line, to tell which of them change; "-" for stdin
    #[arg(long, value_name = "FILE|-")]
    pub(crate) urls: Option<FileArg>,

    /// What to write on stdout
    #[arg(long, value_enum, default_value_t = DiffFormat::Human)]
    pub(crate) format: DiffFormat,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,
}

/// How differences are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// Text for people
    Human,
    /// One object, as schema/diff.json describes it
    Json,
}
