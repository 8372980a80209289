//! What `abide lint` was told.

use super::{NetworkArgs, TagArgs};
use crate::file_arg::FileArg;
use abide_lint::finding::Safety;
use clap::{Args, ValueEnum};

/// Finds what is wrong or odd in robots.txt files, and in robots tags.
///
/// Every kind of finding has a code with a page: `abide lint --explain CODE`. A comment behind a line leaves a
/// finding about it out: `# abide: ignore CODE`; on a line of its own it is about the next line with a field;
/// `# abide: ignore-file CODE` is about the whole file. A Content-Type that --header gives is taken as that of the robots.txt too.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide lint robots.txt\n  \
        abide lint https://example.com/robots.txt\n  \
        abide lint robots.txt --fix --diff\n  \
        abide lint robots.txt --fix\n  \
        abide lint --explain pattern-no-slash\n  \
        abide lint robots.txt --ignore 'acap-*' --format sarif > robots.sarif\n  \
        abide lint --header 'X-Robots-Tag: noindex' --html page.html\n\n\
        Exit status: 0 nothing found that matters (see --fail-on), 1 something found, or, with --diff, to be mended, 2 a mistake in the call or an I/O error.")]
pub(crate) struct LintArgs {
    /// robots.txt files: paths, URLs, or "-" for stdin, which is read where nothing is named
    #[arg(value_name = "FILE|URL|-")]
    pub(crate) files: Vec<FileArg>,

    /// Only these codes, such as bom,pattern-*; all where left out
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) select: Vec<String>,

    /// Without these codes
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) ignore: Vec<String>,

    /// Print the page of a code, or, for "all", a list of all codes
    #[arg(long, value_name = "CODE", conflicts_with_all = ["files", "fix", "unsafe_fixes"])]
    pub(crate) explain: Option<String>,

    /// Mend what can be mended without changing any answer; files are rewritten, stdin goes to stdout
    #[arg(long)]
    pub(crate) fix: bool,

    /// Mend also what changes answers to what was probably meant
    #[arg(long)]
    pub(crate) unsafe_fixes: bool,

    /// Show what would be mended as a diff, and change nothing
    #[arg(long)]
    pub(crate) diff: bool,

    /// The least severity that makes the exit status 1
    #[arg(long, value_enum, default_value_t = SeverityArg::Warning)]
    pub(crate) fail_on: SeverityArg,

    /// What to write on stdout
    #[arg(long, value_enum, default_value_t = LintFormat::Human)]
    pub(crate) format: LintFormat,

    #[command(flatten)]
    pub(crate) tags: TagArgs,

    /// A TOML file of what is known of applications and their directives
    #[arg(long, value_name = "FILE")]
    pub(crate) registry: Option<FileArg>,

    /// Purposes that exist; where none is given, every well-formed one does
    #[arg(long = "purpose", value_name = "PURPOSE")]
    pub(crate) purposes: Vec<String>,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,
}

impl LintArgs {
    /// What is to be mended, if anything is.
    pub(crate) fn safety(&self) -> Option<Safety> {
        match (self.unsafe_fixes, self.fix || self.diff) {
            (true, _) => Some(Safety::Unsafe),
            (false, true) => Some(Safety::Safe),
            (false, false) => None,
        }
    }

    /// Whether tags are given.
    pub(crate) fn has_response(&self) -> bool {
        let files = [&self.tags.head, &self.tags.html, &self.tags.rendered_html];
        !self.tags.headers.is_empty() || files.into_iter().any(Option::is_some)
    }
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SeverityArg {
    /// Good to know
    Info,
    /// Probably not what was meant
    Warning,
    /// Certainly not what was meant
    Error,
}

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LintFormat {
    /// Text for people, with the lines that it is about
    Human,
    /// One array of findings
    Json,
    /// One finding a line
    Jsonl,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of a GitHub workflow
    Github,
    /// A code quality report of GitLab
    Gitlab,
    /// A `JUnit` report, for whatever shows tests
    Junit,
}
