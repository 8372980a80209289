//! The arguments of `abide test`.

use super::{NetworkArgs, VocabularyArgs};
use crate::file_arg::FileArg;
use clap::{Args, ValueEnum};

/// Test a robots.txt against the expectations of its site.
///
/// The expectations are in a TOML file beside the robots.txt: which robot may do what with which
/// URL. docs/test.md describes it; --init writes a first one from the current answers. Failures are
/// grouped by the line that causes them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide test --init robots.txt > robots.test.toml\n  \
        abide test robots.test.toml robots.txt\n  \
        abide test\n  \
        abide test robots.test.toml https://example.com/robots.txt\n  \
        abide test robots.test.toml robots.txt --format junit > report.xml\n  \
        abide test robots.test.toml robots.txt --rsl https://example.com/license.xml=license.xml\n\n\
        Exit status: 0 all passed, 1 something failed, 2 invalid arguments or cases, or an I/O error.")]
pub(crate) struct TestArgs {
    /// TOML file with the expectations [default: robots.test.toml beside a robots.txt in the
    /// current folder, public, static and other usual places]
    #[arg(value_name = "CASES")]
    pub(crate) cases: Option<FileArg>,

    /// The robots.txt: a file, "-" for stdin, or a URL to fetch [default: robots.txt beside the
    /// cases]
    #[arg(value_name = "FILE|-|URL")]
    pub(crate) robots: Option<FileArg>,

    /// Write cases to stdout that pass for this robots.txt now
    #[arg(long, value_name = "FILE|-|URL", conflicts_with_all = ["cases", "robots", "format"])]
    pub(crate) init: Option<FileArg>,

    /// Ignore what operators document about their robots, as if every case said literal = true
    #[arg(long, conflicts_with = "init")]
    pub(crate) literal: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Human)]
    pub(crate) format: ReportFormat,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,

    #[command(flatten)]
    pub(crate) vocabulary: VocabularyArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Text for people
    Human,
    /// One object, as schema/test.json describes it
    Json,
    #[value(help = "A JUnit report, as CI systems read it")]
    Junit,
}
