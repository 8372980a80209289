//! The arguments of `abide explain`.

use super::{AcapArgs, ClientArgs, NetworkArgs, PreferenceArgs, TagArgs};
use crate::file_arg::FileArg;
use crate::width::MIN_COLUMNS;
use abide::Moment;
use clap::{Args, ValueEnum};

/// Show a robots.txt as robots read it, and which lines decide about pages.
///
/// The first sentence is the answer. The file follows: every line has its number and a mark: ">"
/// decides, "+" matches and is overridden, "|" applies to the robot, "-" is in a group that applies
/// and has no effect; lines without a mark are for other robots. An explanation in plain English
/// ends the output. For several robots, a table has the answer for each, and the reasons follow
/// without the file. With page URLs only the lines around the relevant ones are shown. With many
/// URLs, the output lists how many each rule decided, and which rules matched none of them.
#[derive(Debug, Args)]
#[command(mut_arg("agents", |agents| agents.required_unless_present("user_agent")), override_usage = "abide explain [OPTIONS] --agent <ROBOTS> <FILE|-|URL> [URL]...", after_help = "Examples:\n  \
        abide explain robots.txt --agent ExampleBot\n  \
        abide explain robots.txt /private/x --agent ExampleBot\n  \
        abide explain robots.txt --agent Googlebot,GPTBot,'*'\n  \
        abide explain robots.txt /private/x --agent @ai-training\n  \
        abide explain https://example.com/robots.txt https://example.com/x --agent ExampleBot\n  \
        abide explain robots.txt /x --agent ExampleBot --header 'Robots-Tag: *;noindex'\n  \
        abide explain https://example.com --sitemap robots --agent Googlebot\n  \
        cut -d' ' -f7 access.log | abide explain robots.txt --urls - --agent ExampleBot\n\n\
        Exit status: 0 explained, whatever the outcome, 2 invalid arguments, an invalid URL, or an I/O error.")]
pub(crate) struct ExplainArgs {
    /// The robots.txt: a file, "-" for stdin, or a URL to fetch
    #[arg(value_name = "FILE|-|URL")]
    pub(crate) robots: FileArg,

    /// Absolute URLs of pages, or paths that begin with "/". More than eight are counted, as with
    /// --urls
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<String>,

    /// File with one URL per line, or a sitemap, or "-" for stdin; counts the URLs that each rule
    /// decides
    #[arg(long = "urls", value_name = "FILE|-", conflicts_with = "urls")]
    pub(crate) list: Option<FileArg>,

    /// Sitemap whose URLs are counted, as with --urls: a file, "-" for stdin, a URL, or the word
    /// robots for those that the robots.txt names; the sitemaps of an index are fetched. May be
    /// given several times
    #[arg(long = "sitemap", id = "sitemaps", value_name = "FILE|-|URL|robots", conflicts_with_all = ["urls", "list"])]
    pub(crate) sitemaps: Vec<FileArg>,

    #[command(flatten)]
    pub(crate) client: ClientArgs,

    #[command(flatten)]
    pub(crate) tags: TagArgs,

    /// Show every line of the file, even with page URLs; with several robots, the file of each
    #[arg(long)]
    pub(crate) all: bool,

    /// Width of the text in columns [default: that of the terminal, else 80]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(i64::from(MIN_COLUMNS)..))]
    pub(crate) width: Option<u16>,

    /// Instant of the decision, such as 2026-11-20T12:00:00Z [default: now]
    #[arg(long, value_name = "INSTANT")]
    pub(crate) now: Option<Moment>,

    /// Output format
    #[arg(long, value_enum, default_value_t = ViewFormat::Human)]
    pub(crate) format: ViewFormat,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,

    #[command(flatten)]
    pub(crate) preference: PreferenceArgs,

    #[command(flatten)]
    pub(crate) acap: AcapArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ViewFormat {
    /// Text for people
    Human,
    /// One object, as schema/explain.json describes it; for several robots, an array
    Json,
}
