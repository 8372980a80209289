//! `abide test`: what was typed.

use super::NetworkArgs;
use crate::file_arg::FileArg;
use clap::{Args, ValueEnum};

/// Tests a robots.txt against what a site expects of it.
///
/// The expectations stand in a TOML file that the site keeps beside its robots.txt: which agent may do what with
/// which URL. docs/test.md describes it; --init writes a first one from today's answers.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide test --init robots.txt > robots.test.toml\n  \
        abide test robots.test.toml robots.txt\n  \
        abide test robots.test.toml https://example.com/robots.txt\n  \
        abide test robots.test.toml robots.txt --format junit > report.xml\n\n\
        Exit status: 0 all passed, 1 something failed, 2 a mistake in the call or in the cases, or an I/O error.")]
pub(crate) struct TestArgs {
    /// The expectations, a TOML file
    #[arg(value_name = "CASES", required_unless_present = "init")]
    pub(crate) cases: Option<FileArg>,

    /// The robots.txt: a file, "-" for stdin, or a URL to fetch
    #[arg(value_name = "FILE|-|URL", required_unless_present = "init")]
    pub(crate) robots: Option<FileArg>,

    /// Write cases on stdout that hold for this robots.txt today
    #[arg(long, value_name = "FILE|-|URL", conflicts_with_all = ["cases", "robots", "format"])]
    pub(crate) init: Option<FileArg>,

    /// What to write on stdout
    #[arg(long, value_enum, default_value_t = ReportFormat::Human)]
    pub(crate) format: ReportFormat,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Text for people
    Human,
    /// One object, as schema/test.json describes it
    Json,
    /// XML in the manner of `JUnit`, as CI systems read it
    Junit,
}
