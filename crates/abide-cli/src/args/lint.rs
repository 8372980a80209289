//! The arguments of `abide lint`.

use super::named::{Meanings, one_of};
use super::{NetworkArgs, NoConfigArgs, TagArgs};
use crate::file_arg::FileArg;
use abide::{Moment, Severity};
use abide_lint::finding::Safety;
use abide_lint::peers::Peer;
use clap::{Args, ValueEnum};

/// Find mistakes in robots.txt files and robots tags.
///
/// Without FILE, abide lints the robots.txt in the current folder and in folders such as public/
/// and static/. A folder means the robots.txt files below it, a URL without a path the robots.txt
/// of its site. Settings come from the nearest abide.toml above each file; flags win.
///
/// Every finding has a code, and every code a page: `abide lint --explain CODE`. To suppress a
/// finding, write `# abide: ignore CODE` at the end of the line, or on a line of its own before it.
/// `# abide: ignore-file CODE` suppresses it in the whole file. A Content-Type given with --header
/// also applies to the robots.txt.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide lint\n  \
        abide lint 'public/*.txt' sites/\n  \
        abide lint https://example.com\n  \
        abide lint robots.txt --fix --diff\n  \
        abide lint robots.txt --fix\n  \
        abide lint sites/ --statistics\n  \
        abide lint --explain pattern-no-slash\n  \
        abide lint robots.txt --ignore 'acap-*' --format sarif --output-file robots.sarif\n  \
        abide lint --header 'X-Robots-Tag: noindex' --html page.html\n  \
        abide lint tdmrep.json --header 'tdm-reservation: 0' --url https://example.com/news/\n  \
        abide lint license.xml --url https://example.com\n  \
        abide lint robots.txt --sitemap sitemap.xml\n  \
        abide lint https://example.com --sitemap robots\n  \
        abide lint https://example.com --page\n  \
        abide lint robots.txt --peers lighthouse,google\n\n\
        Exit status: 0 no findings (see --fail-on), 1 findings, or fixes with --diff, 2 invalid arguments or \
        an I/O error, 3 a site gave no robots.txt.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct LintArgs {
    /// robots.txt files: paths, patterns, folders, URLs, or "-" for stdin [default: the robots.txt
    /// in the usual places]
    #[arg(value_name = "FILE|DIR|URL|-")]
    pub(crate) files: Vec<FileArg>,

    /// Report only these codes, such as bom,pattern-*; also those that abide.toml ignores [default:
    /// all]
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) select: Vec<String>,

    /// Do not report these codes
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) ignore: Vec<String>,

    /// Print the page of a code, or a list of all codes for "all"
    #[arg(long, value_name = "CODE", conflicts_with_all = [
        "files", "select", "ignore", "show_files", "fix", "unsafe_fixes", "diff", "fail_on", "min_severity", "exit_zero",
        "statistics", "quiet", "format", "output_file", "headers", "head", "html", "rendered_html",
        "registries", "purposes", "peers", "now", "url", "sitemaps", "page", "config", "no_config", "NetworkArgs",
    ])]
    pub(crate) explain: Option<String>,

    /// List the files that would be linted; lint nothing
    #[arg(long, conflicts_with_all = [
        "select", "ignore", "fix", "unsafe_fixes", "diff", "fail_on", "min_severity", "exit_zero", "statistics", "quiet",
        "format", "output_file", "headers", "head", "html", "rendered_html", "registries", "purposes", "peers",
        "now", "url", "sitemaps", "page", "config", "no_config", "NetworkArgs",
    ])]
    pub(crate) show_files: bool,

    /// Apply fixes that change no answer. Files are rewritten; stdin is written to stdout
    #[arg(long)]
    pub(crate) fix: bool,

    /// Also apply fixes that change answers to what was probably meant
    #[arg(long)]
    pub(crate) unsafe_fixes: bool,

    /// Show the fixes as a diff; change nothing
    #[arg(long)]
    pub(crate) diff: bool,

    /// Exit with status 1 for findings of this severity or above [default: warning]
    #[arg(long, value_name = "SEVERITY", conflicts_with = "diff", value_parser = one_of::<Severity>(SEVERITIES))]
    pub(crate) fail_on: Option<Severity>,

    /// Leave out findings of less severity than this: they are neither shown nor counted [default:
    /// info]
    #[arg(long, value_name = "SEVERITY", conflicts_with_all = ["fix", "diff"], value_parser = one_of::<Severity>(SEVERITIES))]
    pub(crate) min_severity: Option<Severity>,

    /// Exit with status 0 even if there are findings
    #[arg(long, conflicts_with = "fail_on")]
    pub(crate) exit_zero: bool,

    /// Show how often each code was found, in how many files, and how many of these are fixable
    #[arg(long, conflicts_with_all = ["diff", "quiet"])]
    pub(crate) statistics: bool,

    /// Show only the number of findings, and errors
    #[arg(long, short = 'q', conflicts_with = "output_file")]
    pub(crate) quiet: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t = LintFormat::Human)]
    pub(crate) format: LintFormat,

    /// Show every note, where only the first three of each code in a file are shown and the rest
    /// is counted. As JSON, list all findings, even if they are more than 20 times as long as their
    /// file
    #[arg(long)]
    pub(crate) all: bool,

    /// Write the findings to this file, completely or not at all, and their number to stderr
    #[arg(long, value_name = "FILE")]
    pub(crate) output_file: Option<FileArg>,

    #[command(flatten)]
    pub(crate) tags: TagArgs,

    /// URL of the page or of the site, such as `https://example.com/news/`. Sitemaps and licences
    /// of other hosts are reported [default: no site is known, and a response is that of "/"]
    #[arg(long, value_name = "URL", value_parser = target_url)]
    pub(crate) url: Option<String>,

    /// Sitemap of the site, or list with one URL per line, each also in gzip: a file, "-" for
    /// stdin, a URL, or the word robots for those that the robots.txt names; the sitemaps of an
    /// index are fetched. Rules that disallow their URLs are reported as sitemap-url-disallowed.
    /// Can be given several times
    #[arg(long = "sitemap", value_name = "FILE|-|URL|robots")]
    pub(crate) sitemaps: Vec<FileArg>,

    /// Also fetch a page of the site, that of --url or else the home page, and report style sheets,
    /// scripts and images of the site that search robots may not load. With --html, that page is
    /// read, and nothing is fetched
    #[arg(long)]
    pub(crate) page: bool,

    #[command(flatten)]
    pub(crate) config: NoConfigArgs,

    /// Registry in TOML, JSON or CSV of applications and their directives, or of purposes. May be
    /// given several times
    #[arg(long = "registry", value_name = "FILE")]
    pub(crate) registries: Vec<FileArg>,

    /// Known purposes; others are reported as unknown-purpose [default: those of the registry, or
    /// else any well-formed purpose]
    #[arg(long = "purpose", value_name = "PURPOSE")]
    pub(crate) purposes: Vec<String>,

    /// Other tools whose complaints are predicted, such as lighthouse,google; each line that one
    /// of them complains about is reported as peer-complaint [default: none]
    #[arg(long, value_name = "TOOLS", value_delimiter = ',')]
    pub(crate) peers: Vec<Peer>,

    /// Instant of the check, such as 2026-11-20T12:00:00Z; control-token-stale depends on it
    /// [default: now]
    #[arg(long, value_name = "INSTANT")]
    pub(crate) now: Option<Moment>,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,
}

/// Checks that a URL can be decided about.
fn target_url(url: &str) -> Result<String, abide::TargetError> {
    abide::Target::new(url).map(|_| url.to_owned())
}

impl LintArgs {
    /// Which fixes to apply, if any.
    pub(crate) fn safety(&self) -> Option<Safety> {
        match (self.unsafe_fixes, self.fix || self.diff) {
            (true, _) => Some(Safety::Unsafe),
            (false, true) => Some(Safety::Safe),
            (false, false) => None,
        }
    }

    /// Whether a response is given.
    pub(crate) fn has_response(&self) -> bool {
        let files = [&self.tags.head, &self.tags.html, &self.tags.rendered_html];
        !self.tags.headers.is_empty() || files.into_iter().any(Option::is_some)
    }
}

/// How much a finding matters.
const SEVERITIES: Meanings = &[
    ("info", "Good to know"),
    ("warning", "Probably not what was meant"),
    ("error", "Certainly not what was meant"),
];

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LintFormat {
    /// Text for people, with the lines quoted
    Human,
    /// One array of findings
    Json,
    /// One finding per line
    Jsonl,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations for a GitHub workflow
    Github,
    /// A code quality report for GitLab
    Gitlab,
    #[value(help = "A JUnit report, for tools that show tests")]
    Junit,
}
