//! `abide explain`: what was typed.

use super::{AcapArgs, ClientArgs, NetworkArgs, TagArgs};
use crate::file_arg::FileArg;
use abide::Moment;
use clap::{Args, ValueEnum};

/// Shows a robots.txt as one client reads it, and what of it decides about pages.
///
/// Every line stands there with its number and a mark: ">" decides, "+" matches and loses, "|" counts for the
/// client, "-" stands where it would count and has no effect, and lines without a mark are somebody else's. Below stands
/// the same in plain English. With page URLs only the lines round those that matter are shown. Given
/// many URLs, it tells which rule decided how many, and which rules none of them hit.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide explain robots.txt --agent ExampleBot\n  \
        abide explain robots.txt /private/x --agent ExampleBot\n  \
        abide explain https://example.com/robots.txt https://example.com/x --agent ExampleBot\n  \
        abide explain robots.txt /x --agent ExampleBot --header 'Robots-Tag: *;noindex'\n  \
        cut -d' ' -f7 access.log | abide explain robots.txt --urls - --agent ExampleBot\n\n\
        Exit status: 0 explained, whatever was decided, 2 a mistake in the call, a URL that cannot be read, or an \
        I/O error.")]
pub(crate) struct ExplainArgs {
    /// The robots.txt: a file, "-" for stdin, or a URL to fetch
    #[arg(value_name = "FILE|-|URL")]
    pub(crate) robots: FileArg,

    /// Absolute URLs of pages, or paths that begin with "/". More than eight are counted, as those of --urls are
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<String>,

    /// A file of URLs, one a line; "-" for stdin. They are counted, rule by rule, and not kept
    #[arg(long = "urls", value_name = "FILE|-", conflicts_with = "urls")]
    pub(crate) list: Option<FileArg>,

    #[command(flatten)]
    pub(crate) client: ClientArgs,

    #[command(flatten)]
    pub(crate) tags: TagArgs,

    /// Show every line of the file, also where page URLs are given
    #[arg(long)]
    pub(crate) all: bool,

    /// The instant of the decision, such as 2026-11-20T12:00:00Z; the clock's where left out
    #[arg(long, value_name = "INSTANT")]
    pub(crate) now: Option<Moment>,

    /// What to write on stdout
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
