//! The arguments of `abide diff`.

use super::{NetworkArgs, PurposeArgs};
use crate::file_arg::FileArg;
use clap::{Args, ValueEnum};

/// Show what changes between two robots.txt files, and for which robots.
///
/// The first line shows the worst effect and the robots that it affects. The causes follow, such as
/// a rule that was added, with a shortest URL of each set of URLs that gets a new answer. The
/// comparison covers every URL, not a sample, and also ACAP records, AI preferences,
/// App-Directives, crawl delays and sitemaps.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide diff robots.txt robots.new.txt\n  \
        abide diff https://example.com/ robots.txt --agent Googlebot,@ai-training\n  \
        git show HEAD:robots.txt | abide diff - robots.txt --format markdown\n  \
        abide diff old.txt new.txt --urls urls.txt --format json\n  \
        abide diff https://example.com/ --old-user-agent 'Mozilla/5.0 (X11)' \\\n    \
        --new-user-agent 'ExampleBot/2.1 (+https://bot.example)'\n\n\
        Exit status: 0 no changes for any URL, 1 changes, or not everything could be compared, \
        2 invalid arguments or an I/O error, 3 a site gave no robots.txt to compare.")]
pub(crate) struct DiffArgs {
    /// The old file: a file, "-" for stdin, or a URL to fetch. A URL without a path means the
    /// robots.txt of the site
    #[arg(value_name = "OLD")]
    pub(crate) old: FileArg,

    /// The new file, named in the same ways [default with --old-user-agent or
    /// --new-user-agent: OLD]
    #[arg(
        value_name = "NEW",
        required_unless_present_any = ["old_user_agent", "new_user_agent"]
    )]
    new: Option<FileArg>,

    /// Robots to compare for: names, User-Agent lines, "*" for robots that neither file names, and
    /// sets such as @search [default: every robot that either file names, one that neither names,
    /// and known robots that follow other groups]
    #[arg(long = "agent", alias = "agents", short = 'a', value_name = "LIST")]
    pub(crate) agents: Vec<String>,

    #[command(flatten)]
    pub(crate) purpose: PurposeArgs,

    /// Ignore what operators document about their robots: only the names count
    #[arg(long)]
    pub(crate) literal: bool,

    /// File with one URL per line, or a sitemap, or "-" for stdin; shows which of them change
    #[arg(long, value_name = "FILE|-")]
    pub(crate) urls: Option<FileArg>,

    /// Output format
    #[arg(long, value_enum, default_value_t = DiffFormat::Human)]
    pub(crate) format: DiffFormat,

    /// List everything as JSON, even if that is more than 20 times as long as the files
    #[arg(long)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,

    /// Whole User-Agent line to fetch OLD with: compares what a site sends to two robots, and shows
    /// its answer to each [default: that of --user-agent]
    #[arg(
        long,
        alias = "old-user-agent-line",
        value_name = "LINE",
        conflicts_with_all = ["cache", "offline"],
        help_heading = "Fetching"
    )]
    pub(crate) old_user_agent: Option<String>,

    /// Whole User-Agent line to fetch NEW with [default: that of --user-agent]
    #[arg(
        long,
        alias = "new-user-agent-line",
        value_name = "LINE",
        conflicts_with_all = ["cache", "offline"],
        help_heading = "Fetching"
    )]
    pub(crate) new_user_agent: Option<String>,
}

impl DiffArgs {
    /// The new file. With two `User-Agent` lines, one URL is enough.
    pub(crate) fn new_file(&self) -> &FileArg {
        self.new.as_ref().unwrap_or(&self.old)
    }
}

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// Text for people
    Human,
    /// A comment for a pull request, of at most 200 lines
    Markdown,
    /// One object, as schema/diff.json describes it
    Json,
}
