//! The command line.

mod convert;
mod diff;
mod explain;
mod fmt;
mod lint;
mod matrix;
mod test;

use crate::cache::CacheKey;
use crate::file_arg::FileArg;
use abide::acap::Qualifier;
use abide::explain::visible;
use abide::{Moment, Usage};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::env;
use std::ffi::OsString;

pub(crate) use convert::{ConvertArgs, ConvertTo};
pub(crate) use diff::{DiffArgs, DiffFormat};
pub(crate) use explain::{ExplainArgs, ViewFormat};
pub(crate) use fmt::FmtArgs;
pub(crate) use lint::{LintArgs, LintFormat, SeverityArg};
pub(crate) use matrix::{MatrixArgs, MatrixFormat};
pub(crate) use test::{ReportFormat, TestArgs};

/// Show what a robot may do with a URL, and why.
///
/// abide reads a site's robots.txt (RFC 9309, with User-Agent-Purpose groups, App-Directives and
/// ACAP records) and robots tags, and answers with the line that decides. A robots.txt is a
/// request: abide protects nothing.
#[derive(Debug, Parser)]
#[command(
    name = "abide",
    version,
    after_help = "Examples:\n  \
        abide check https://example.com/page --agent ExampleBot\n  \
        abide check https://example.com/page --agent ExampleBot --robots robots.txt\n  \
        abide batch requests.jsonl > decisions.jsonl\n  \
        abide explain robots.txt /page --agent ExampleBot\n  \
        abide test --init robots.txt\n\n\
        Exit status: 0 allowed, 1 disallowed, 2 invalid arguments or an I/O error."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Reads the command line. Exits on a mistake or a request for help.
pub(crate) fn typed() -> Cli {
    let words: Vec<OsString> = env::args_os().collect();
    Cli::try_parse_from(&words).unwrap_or_else(|error| shown(&words, error).exit())
}

/// The error about `words`, made safe to print, because it repeats them.
fn shown(words: &[OsString], error: clap::Error) -> clap::Error {
    if !error.use_stderr() {
        return error;
    }
    let words = words.iter().map(|word| visible(word.as_encoded_bytes()));
    Cli::try_parse_from(words).err().unwrap_or(error)
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Box<CheckArgs>),
    Fetch(FetchArgs),
    Cache(CacheArgs),
    Batch(BatchArgs),
    Lint(Box<LintArgs>),
    Fmt(FmtArgs),
    Explain(Box<ExplainArgs>),
    Matrix(MatrixArgs),
    Diff(DiffArgs),
    Test(TestArgs),
    Convert(ConvertArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Show what a robot may do with a URL, which line decides, and what it overrides.
///
/// Without --robots the file is fetched from the URL's own site: a missing file allows everything,
/// a failing one disallows everything (RFC 9309, 2.3.1). ACAP records in it, and robots tags given
/// with --header, --response-head, --html or --rendered-html, also say what may be done with the
/// page afterwards. The output lists every usage that the site mentions, with its conditions.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide check https://example.com/page --agent ExampleBot\n  \
        abide check /page /private/page --agent ExampleBot --robots robots.txt\n  \
        abide check https://example.com/page --agent ExampleBot-News --agent ExampleBot\n  \
        abide check https://example.com/page --agent ExampleBot --purpose EXAMPLE-PURPOSE-1\n  \
        abide check /page --agent ExampleBot --robots robots.txt --header 'Robots-Tag: *;noindex'\n  \
        abide check /page --agent ExampleBot --robots robots.txt --usage index,preserve\n  \
        abide check https://example.com/page --agent ExampleBot --cache ~/.cache/abide\n  \
        abide check https://example.com/page --agent ExampleBot \\\n    \
        --cache ~/.cache/abide --at 2026-05-01T12:00:00Z\n\n\
        Exit status: 0 all allowed, 1 something disallowed or unknown, 2 invalid arguments or an I/O error.")]
pub(crate) struct CheckArgs {
    /// Absolute URLs; with --robots also paths that begin with "/"
    #[arg(value_name = "URL", required = true)]
    pub(crate) urls: Vec<String>,

    #[command(flatten)]
    pub(crate) client: ClientArgs,

    /// robots.txt to use: a file, "-" for stdin, or a URL to fetch [default: that of the URL's
    /// site]
    #[arg(long, short = 'r', value_name = "FILE|-|URL")]
    pub(crate) robots: Option<FileArg>,

    /// Also fetch the page, if allowed, and read the robots tags of its response and its source
    #[arg(long, conflicts_with_all = ["headers", "head", "html", "rendered_html"])]
    pub(crate) page: bool,

    #[command(flatten)]
    pub(crate) tags: TagArgs,

    /// Usages to show and to take the exit status from, such as index,present-snippet [default:
    /// crawl and every usage that the site mentions]
    #[arg(long = "usage", short = 'u', value_name = "LIST", value_delimiter = ',', value_parser = usage)]
    pub(crate) usages: Vec<Usage>,

    /// Instant of the decision, such as 2026-11-20T12:00:00Z [default: now]
    #[arg(long, value_name = "INSTANT")]
    pub(crate) now: Option<Moment>,

    /// Decide by the rules that applied at an instant of the past, from the cache's history;
    /// fetches nothing
    #[arg(long, value_name = "INSTANT", requires = "cache", conflicts_with_all = ["now", "page", "robots"])]
    pub(crate) at: Option<Moment>,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,

    #[command(flatten)]
    pub(crate) acap: AcapArgs,
}

/// The page's response.
#[derive(Debug, Args)]
pub(crate) struct TagArgs {
    /// Field line of the page's response, such as "Robots-Tag: *;noindex"
    #[arg(long = "header", short = 'H', value_name = "NAME: VALUE")]
    pub(crate) headers: Vec<String>,

    /// File with the head of the page's response, as `curl -i` writes it; "-" for stdin
    #[arg(long = "response-head", alias = "headers", value_name = "FILE|-")]
    pub(crate) head: Option<FileArg>,

    /// File with the page's source, for its robots meta elements; "-" for stdin
    #[arg(long, value_name = "FILE|-")]
    pub(crate) html: Option<FileArg>,

    /// File with the page's final DOM, after its scripts ran; "-" for stdin
    #[arg(long, value_name = "FILE|-")]
    pub(crate) rendered_html: Option<FileArg>,
}

/// The robot that asks.
#[derive(Debug, Args)]
pub(crate) struct ClientArgs {
    /// Product token of the robot, as User-agent lines name it. Given several times, the first one
    /// that has a group decides
    #[arg(long = "agent", short = 'a', value_name = "TOKEN", required = true)]
    pub(crate) agents: Vec<String>,

    /// Purpose that the robot claims, as User-Agent-Purpose lines name it
    #[arg(long = "purpose", short = 'p', value_name = "PURPOSE")]
    pub(crate) purposes: Vec<String>,

    /// Application whose App-Directives to show [default product tokens: those of the registry,
    /// else the robot's]
    #[arg(long = "application", value_name = "ID")]
    pub(crate) applications: Vec<String>,

    /// TOML file with a registry of applications and their directives
    #[arg(long, value_name = "FILE")]
    pub(crate) registry: Option<FileArg>,

    /// Which interpretation to use where the specifications are ambiguous
    #[arg(long, value_enum, default_value_t = ProfileArg::Careful)]
    pub(crate) profile: ProfileArg,

    /// Accept product tokens with digits or dots, such as `MJ12bot`
    #[arg(long)]
    pub(crate) nonstandard_token: bool,
}

/// How to fetch files, and where to keep them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fetching")]
pub(crate) struct NetworkArgs {
    /// Also fetch from addresses that are not public, such as 127.0.0.1
    #[arg(long)]
    pub(crate) allow_private: bool,

    /// Folder, or Valkey or Redis server, that keeps robots.txt files between calls
    #[arg(long, value_name = "DIR|redis://...")]
    pub(crate) cache: Option<FileArg>,

    /// File with a secret that signs records on the server, and the key's ID from 1 to 255 [default
    /// ID: 1]. Given several times, the first key signs, and records signed with any of them are
    /// read
    #[arg(long = "cache-key", value_name = "[ID:]FILE", requires = "cache")]
    pub(crate) cache_keys: Vec<CacheKey>,

    /// Fetch nothing: sites that the cache does not hold are unknown
    #[arg(long, requires = "cache")]
    pub(crate) offline: bool,
}

/// The robot as ACAP sees it, and its history with the page.
#[derive(Debug, Args)]
#[command(next_help_heading = "ACAP 1.0")]
pub(crate) struct AcapArgs {
    /// Which ACAP records apply
    #[arg(long = "acap", value_enum, default_value_t = AcapModeArg::Full)]
    pub(crate) mode: AcapModeArg,

    /// Name of the robot in ACAP-crawler fields [default: its product tokens]
    #[arg(long = "acap-name", value_name = "NAME")]
    pub(crate) acap_names: Vec<String>,

    /// Usage purpose of the robot, as ACAP-usage-purpose fields name it
    #[arg(long = "acap-purpose", value_name = "PURPOSE")]
    pub(crate) acap_purposes: Vec<String>,

    /// Site and robot have a prior arrangement, which some features of ACAP require
    #[arg(long)]
    pub(crate) prior_arrangement: bool,

    /// ACAP qualifier that the robot cannot honour, such as max-length; a permission that has it
    /// counts as a prohibition
    #[arg(long = "unsupported-qualifier", alias = "cannot", value_name = "QUALIFIER", value_parser = qualifier)]
    pub(crate) unsupported: Vec<Qualifier>,

    /// File with the permissions behind a locator that robots.txt refers to
    #[arg(long = "reference", value_name = "LOCATOR=FILE", value_parser = reference)]
    pub(crate) references: Vec<(String, FileArg)>,

    /// When the page was first indexed, for limits in days
    #[arg(long, value_name = "INSTANT")]
    pub(crate) first_indexed: Option<Moment>,

    /// When the page was first copied, for limits in days
    #[arg(long, value_name = "INSTANT")]
    pub(crate) first_copied: Option<Moment>,

    /// Ask about a version of the page that is older than the latest crawl
    #[arg(long)]
    pub(crate) old_version: bool,
}

/// Which ACAP records apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AcapModeArg {
    /// All: they may also allow what a Disallow on the same pattern disallows
    Full,
    /// For crawling, only those that disallow more than the rules do
    Restrict,
    /// None
    Off,
}

fn usage(name: &str) -> Result<Usage, String> {
    name.trim().parse().map_err(|_| {
        let names = Usage::ALL.map(Usage::name).join(", ");
        format!("expected one of {names}")
    })
}

fn qualifier(name: &str) -> Result<Qualifier, String> {
    name.parse().map_err(|_| {
        let names = Qualifier::ALL.map(Qualifier::name).join(", ");
        format!("expected one of {names}")
    })
}

fn reference(text: &str) -> Result<(String, FileArg), String> {
    // Splits at the last "=": a locator may contain one, a file name rarely does.
    let (locator, file) = text
        .rsplit_once('=')
        .ok_or("expected LOCATOR=FILE, such as /searchbot.txt=searchbot.txt")?;
    Ok((locator.to_owned(), FileArg::from(file)))
}

/// Which interpretation to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProfileArg {
    /// The literal requirements, and the cautious reading where they are silent
    Careful,
    /// The answers of google/robotstxt, with its deviations
    Google,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people
    Human,
    /// The decision object, indented; an array for several URLs
    Json,
    /// One decision object per line
    Jsonl,
}

/// Fetch the robots.txt of a site and show the result.
///
/// Shows every request with its status and address, the rules that apply now and why, how long they
/// apply, and when to ask again. With --cache, a site is only asked if the cache has no fresh copy.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide fetch https://example.com/\n  \
        abide fetch https://example.com/page https://www.example.com/ --agent ExampleBot\n  \
        abide fetch https://example.com/ --cache ~/.cache/abide\n\n\
        Exit status: 0 all known, 1 something unreachable or unknown, 2 invalid arguments or an I/O error.")]
pub(crate) struct FetchArgs {
    /// Absolute URLs of the sites, or of pages on them
    #[arg(value_name = "URL", required = true)]
    pub(crate) urls: Vec<String>,

    /// Product token of the robot, for the User-Agent field
    #[arg(long, short = 'a', value_name = "TOKEN", default_value = "abide")]
    pub(crate) agent: String,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,
}

/// Show and clean up a cache of robots.txt files.
///
/// A cache in a folder holds the current rules of each site, and every file that the site ever
/// served, with the instants at which it did.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide cache ls ~/.cache/abide\n  \
        abide cache show ~/.cache/abide https://example.com/\n  \
        abide cache prune ~/.cache/abide --older-than 90\n\n\
        Exit status: 0 done, 2 invalid arguments, a damaged record, or an I/O error.")]
pub(crate) struct CacheArgs {
    #[command(subcommand)]
    pub(crate) command: CacheCommand,
}

/// The commands of `abide cache`.
#[derive(Debug, Subcommand)]
pub(crate) enum CacheCommand {
    /// List the sites and the current rules of each
    #[command(after_help = "Example:\n  abide cache ls ~/.cache/abide")]
    Ls {
        /// The cache's folder
        #[arg(value_name = "DIR")]
        cache: FileArg,
    },
    /// Show what is known of a site and every file that it served, or print one of these files
    #[command(after_help = "Examples:\n  \
        abide cache show ~/.cache/abide https://example.com/\n  \
        abide cache show ~/.cache/abide \\\n    \
        e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 > robots.txt")]
    Show {
        /// The cache's folder, or a Valkey or Redis server
        #[arg(value_name = "DIR|redis://...")]
        cache: FileArg,
        /// A URL of the site, or the SHA-256 of a file to print
        #[arg(value_name = "URL|SHA256")]
        what: String,
        /// File with a secret that signs records on the server, and the key's ID from 1 to 255
        /// [default ID: 1]. May be given several times
        #[arg(long = "cache-key", value_name = "[ID:]FILE")]
        cache_keys: Vec<CacheKey>,
    },
    /// Remove history before an instant, except the rules that applied then; the file shrinks
    #[command(group = clap::ArgGroup::new("since").required(true), after_help = "Examples:\n  \
        abide cache prune ~/.cache/abide --older-than 90\n  \
        abide cache prune ~/.cache/abide --before 2026-01-01T00:00:00Z")]
    Prune {
        /// The cache's folder
        #[arg(value_name = "DIR")]
        cache: FileArg,
        /// Keep this many days
        #[arg(long, value_name = "DAYS", group = "since")]
        older_than: Option<u32>,
        /// Keep history since this instant
        #[arg(long, value_name = "INSTANT", group = "since")]
        before: Option<Moment>,
    },
}

/// Answer many requests: JSON Lines in, JSON Lines out, in order.
///
/// Each line is an object with at least "url" and "agent", and the robots.txt in "robots". An
/// invalid line is answered with an "error" object, and the run goes on.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide batch requests.jsonl > decisions.jsonl\n  \
        echo '{\"url\":\"https://e.example/x\",\"agent\":\"ExampleBot\",\"robots\":\"User-agent: *\"}' |\n    \
        abide batch\n\n\
        Exit status: 0 all answered, 2 some lines are invalid, or an I/O error.")]
pub(crate) struct BatchArgs {
    /// File of requests, or "-" for stdin
    #[arg(value_name = "FILE|-", default_value = "-")]
    pub(crate) file: FileArg,

    /// Number of threads, up to 1024 [default: one per core]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

/// Print a completion script for a shell.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide completions bash > ~/.local/share/bash-completion/completions/abide\n  \
        abide completions fish > ~/.config/fish/completions/abide.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// Print a manual page, in roff.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide man | man -l -\n  \
        abide man check > abide-check.1")]
pub(crate) struct ManArgs {
    /// The subcommand to describe [default: all of abide]
    #[arg(value_name = "COMMAND", value_parser = ["check", "fetch", "cache", "batch", "lint", "fmt", "explain", "matrix", "diff", "test", "convert", "completions", "man"])]
    pub(crate) command: Option<String>,
}
