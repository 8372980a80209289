//! The arguments of `abide explain`.

use super::{AcapArgs, ClientArgs, NetworkArgs, TagArgs};
use crate::file_arg::FileArg;
use abide::Moment;
use clap::{Args, ValueEnum};

/// Show a robots.txt as one robot reads it, and which lines decide about pages.
///
/// Every line has its number and a mark: ">" decides, "+" matches and is overridden, "|" applies to
/// the robot, "-" is in a group that applies and has no effect; lines without a mark are for other
/// robots. An explanation in plain English follows. With page URLs only the lines around the
/// relevant ones are shown. With many URLs, the output lists how many each rule decided, and which
/// rules none of them matched.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide explain robots.txt --agent ExampleBot\n  \
        abide explain robots.txt /private/x --agent ExampleBot\n  \
        abide explain https://example.com/robots.txt https://example.com/x --agent ExampleBot\n  \
        abide explain robots.txt /x --agent ExampleBot --header 'Robots-Tag: *;noindex'\n  \
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

    /// File with one URL per line, or "-" for stdin; counts the URLs that each rule decides
    #[arg(long = "urls", value_name = "FILE|-", conflicts_with = "urls")]
    pub(crate) list: Option<FileArg>,

    #[command(flatten)]
    pub(crate) client: ClientArgs,

    #[command(flatten)]
    pub(crate) tags: TagArgs,

    /// Show every line of the file, even with page URLs
    #[arg(long)]
    pub(crate) all: bool,

    /// Instant of the decision, such as 2026-11-20T12:00:00Z [default: now]
    #[arg(long, value_name = "INSTANT")]
    pub(crate) now: Option<Moment>,

    /// Output format
    #[arg(long, value_enum, default_value_t = ViewFormat::Human)]
    pub(crate) format: ViewFormat,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,

    #[command(flatten)]
    pub(crate) acap: AcapArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ViewFormat {
    /// Text for people
    Human,
    /// One object, as schema/explain.json describes it
    Json,
}
