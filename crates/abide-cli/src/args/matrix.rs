//! The arguments of `abide matrix`.

use super::named::{PROFILES, one_of};
use super::{NetworkArgs, PurposeArgs, VocabularyArgs};
use crate::file_arg::FileArg;
use abide::Profile;
use clap::{Args, ValueEnum};

/// Show which robots may crawl a site: all known robots, by what they are for.
///
/// For each kind of robot the output has one sentence, and for each robot whether the site is
/// allowed, partly allowed or closed, with the deciding line. The answers cover every URL, not a
/// sample. What operators document counts: Googlebot-News follows the group for Googlebot, and
/// AdsBot-Google ignores groups for "*". If the file states preferences about training, AI input
/// and search, or names a control token such as Google-Extended, a table has these answers too.
/// They come from the file, and from the documents that --tdmrep and --rsl give; --vocabulary makes
/// other vocabularies count.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide matrix robots.txt\n  \
        abide matrix https://example.com/ --agent @ai-training\n  \
        abide matrix robots.txt --all --format csv > robots.csv\n  \
        abide matrix robots.txt --preferences --agent @search,@ai-training\n  \
        abide matrix robots.txt --rsl https://example.com/license.xml=license.xml\n\n\
        Exit status: 0 shown, 2 invalid arguments or an I/O error, 3 the site gave no robots.txt.")]
pub(crate) struct MatrixArgs {
    /// The robots.txt: a file, "-" for stdin, or a URL to fetch. A URL without a path means the
    /// robots.txt of the site
    #[arg(value_name = "FILE|-|URL")]
    pub(crate) robots: FileArg,

    /// Robots to show: names, User-Agent lines, "*" for every other robot, and sets such as
    /// @search, @ai-training or @all [default: all known robots, those that the file names, and
    /// every other robot]
    #[arg(long = "agent", alias = "agents", short = 'a', value_name = "LIST")]
    pub(crate) agents: Vec<String>,

    #[command(flatten)]
    pub(crate) purpose: PurposeArgs,

    /// Show one row per robot, instead of robots with the same answer together
    #[arg(long)]
    pub(crate) all: bool,

    /// Ignore what operators document about their robots: only the names count
    #[arg(long)]
    pub(crate) literal: bool,

    /// Which interpretation to use where the specifications are ambiguous
    #[arg(long, default_value_t = Profile::Careful, value_parser = one_of::<Profile>(PROFILES))]
    pub(crate) profile: Profile,

    /// Output format
    #[arg(long, value_enum, default_value_t = MatrixFormat::Human)]
    pub(crate) format: MatrixFormat,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,

    /// Show what the site asks about training, AI input and search, even if its robots.txt states
    /// no preference and names no control token
    #[arg(long, help_heading = "AI preferences")]
    pub(crate) preferences: bool,

    #[command(flatten)]
    pub(crate) vocabulary: VocabularyArgs,
}

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MatrixFormat {
    /// Text for people
    Human,
    /// Tables for a wiki or a pull request
    Markdown,
    /// One object, as schema/matrix.json describes it
    Json,
    /// One row per robot (RFC 4180)
    Csv,
}
