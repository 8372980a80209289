//! What was typed.

mod called;
mod convert;
mod diff;
mod explain;
mod fmt;
mod lint;
mod test;

use crate::cache::CacheKey;
use crate::file_arg::FileArg;
use abide::acap::Qualifier;
use abide::{Moment, Usage};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(crate) use called::typed;
pub(crate) use convert::{ConvertArgs, ConvertTo};
pub(crate) use diff::{DiffArgs, DiffFormat};
pub(crate) use explain::{ExplainArgs, ViewFormat};
pub(crate) use fmt::FmtArgs;
pub(crate) use lint::{LintArgs, LintFormat, SeverityArg};
pub(crate) use test::{ReportFormat, TestArgs};

/// Tells what a robot may do with a URL, and why.
///
/// abide reads what a site says to robots in its robots.txt (RFC 9309, with User-Agent-Purpose
/// groups, App-Directives and ACAP records) and in its robots tags, and answers with the line that decides. It asks on the robot's behalf and protects
/// nothing: a robots.txt is a request.
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
        Exit status: 0 permitted, 1 prohibited, 2 a mistake in the call or an I/O error."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
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
    Diff(DiffArgs),
    Test(TestArgs),
    Convert(ConvertArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Says what a robot may do with a URL, by which line, and what lost.
///
/// Without --robots the file is fetched from the URL's own site: a missing file permits
/// everything, a failing one prohibits everything (RFC 9309, 2.3.1). ACAP records in it, and robots tags
/// given with --header, --headers, --html or --rendered-html, also say what may be done with the page
/// afterwards: every usage that somebody spoke about is told of, with its conditions.
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
        Exit status: 0 all permitted, 1 something prohibited or unknown, 2 a mistake in the call or an I/O error.")]
pub(crate) struct CheckArgs {
    /// Absolute URLs; with --robots also paths that begin with "/"
    #[arg(value_name = "URL", required = true)]
    pub(crate) urls: Vec<String>,

    #[command(flatten)]
    pub(crate) client: ClientArgs,

    /// Where to read robots.txt: a file, "-" for stdin, or a URL to fetch
    #[arg(long, short = 'r', value_name = "FILE|-|URL")]
    pub(crate) robots: Option<FileArg>,

    /// Fetch the page too, where that is permitted, and read what its response fields and its source say
    #[arg(long, conflicts_with_all = ["headers", "head", "html", "rendered_html"])]
    pub(crate) page: bool,

    #[command(flatten)]
    pub(crate) tags: TagArgs,

    /// Usages to tell of, and to take the exit status from, such as index,present-snippet; crawl and
    /// every usage that somebody spoke about where left out
    #[arg(long = "usage", short = 'u', value_name = "LIST", value_delimiter = ',', value_parser = usage)]
    pub(crate) usages: Vec<Usage>,

    /// The instant of the decision, such as 2026-11-20T12:00:00Z; the clock's where left out
    #[arg(long, value_name = "INSTANT")]
    pub(crate) now: Option<Moment>,

    /// Decide by what was in force at an instant of the past, as the cache's history has it; nothing is fetched
    #[arg(long, value_name = "INSTANT", requires = "cache", conflicts_with_all = ["now", "page", "robots"])]
    pub(crate) at: Option<Moment>,

    /// What to write on stdout
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,

    #[command(flatten)]
    pub(crate) acap: AcapArgs,
}

/// What the response said that brought the page.
#[derive(Debug, Args)]
pub(crate) struct TagArgs {
    /// A field line of the response that brought the page, such as "Robots-Tag: *;noindex"
    #[arg(long = "header", short = 'H', value_name = "NAME: VALUE")]
    pub(crate) headers: Vec<String>,

    /// A file with the head of that response, as `curl -i` writes it; "-" for stdin
    #[arg(long = "headers", value_name = "FILE|-")]
    pub(crate) head: Option<FileArg>,

    /// A file with the page's source as it came, for its robots meta elements; "-" for stdin
    #[arg(long, value_name = "FILE|-")]
    pub(crate) html: Option<FileArg>,

    /// A file with the page's final DOM, after its scripts have run; "-" for stdin
    #[arg(long, value_name = "FILE|-")]
    pub(crate) rendered_html: Option<FileArg>,
}

/// Who the robot is, and how it reads.
#[derive(Debug, Args)]
pub(crate) struct ClientArgs {
    /// Product token of the robot, as it stands in user-agent lines. Given several times, the first
    /// one that has a group decides
    #[arg(long = "agent", short = 'a', value_name = "TOKEN", required = true)]
    pub(crate) agents: Vec<String>,

    /// Purpose that the robot claims, as it stands in user-agent-purpose lines
    #[arg(long = "purpose", short = 'p', value_name = "PURPOSE")]
    pub(crate) purposes: Vec<String>,

    /// Application whose App-Directives are asked for; its product tokens are those of the registry,
    /// else the robot's
    #[arg(long = "application", value_name = "ID")]
    pub(crate) applications: Vec<String>,

    /// A TOML file of what is known of applications and their directives
    #[arg(long, value_name = "FILE")]
    pub(crate) registry: Option<FileArg>,

    /// How open points of the specifications are read
    #[arg(long, value_enum, default_value_t = ProfileArg::Careful)]
    pub(crate) profile: ProfileArg,

    /// Admit product tokens with digits, dots and the like, such as `MJ12bot`
    #[arg(long)]
    pub(crate) nonstandard_token: bool,
}

/// How files are fetched, and where they are kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fetching")]
pub(crate) struct NetworkArgs {
    /// Fetch from addresses that are not public too, such as 127.0.0.1 and those of a local network
    #[arg(long)]
    pub(crate) allow_private: bool,

    /// Where to keep robots.txt files between calls: a folder, or a Valkey or Redis server
    #[arg(long, value_name = "DIR|redis://...")]
    pub(crate) cache: Option<FileArg>,

    /// A file with a secret that signs what a fleet keeps on its server, and the key's ID from 1 to 255
    /// [default ID: 1]. Given several times, the first one signs, and records signed with any are read
    #[arg(long = "cache-key", value_name = "[ID:]FILE", requires = "cache")]
    pub(crate) cache_keys: Vec<CacheKey>,

    /// Ask no site: what the cache does not hold is unknown
    #[arg(long, requires = "cache")]
    pub(crate) offline: bool,
}

/// What the robot is to ACAP, and what it remembers of the page.
#[derive(Debug, Args)]
#[command(next_help_heading = "ACAP 1.0")]
pub(crate) struct AcapArgs {
    /// How far ACAP records count
    #[arg(long = "acap", value_enum, default_value_t = AcapModeArg::Full)]
    pub(crate) mode: AcapModeArg,

    /// Name of the robot in ACAP-crawler fields; its product tokens where left out
    #[arg(long = "acap-name", value_name = "NAME")]
    pub(crate) acap_names: Vec<String>,

    /// Usage purpose that the robot serves, as it stands in ACAP-usage-purpose fields
    #[arg(long = "acap-purpose", value_name = "PURPOSE")]
    pub(crate) acap_purposes: Vec<String>,

    /// Site and robot have agreed on the features of ACAP that ask for it
    #[arg(long)]
    pub(crate) prior_arrangement: bool,

    /// Qualifier that the robot cannot honour, such as max-length: what carries it is prohibited
    #[arg(long = "cannot", value_name = "QUALIFIER", value_parser = qualifier)]
    pub(crate) unsupported: Vec<Qualifier>,

    /// A file with the permissions that robots.txt refers to, by the locator that it writes
    #[arg(long = "reference", value_name = "LOCATOR=FILE", value_parser = reference)]
    pub(crate) references: Vec<(String, FileArg)>,

    /// When the page was first indexed, for limits of so many days
    #[arg(long, value_name = "INSTANT")]
    pub(crate) first_indexed: Option<Moment>,

    /// When the page was first copied, for limits of so many days
    #[arg(long, value_name = "INSTANT")]
    pub(crate) first_copied: Option<Moment>,

    /// The question is about a version of the page that was crawled before the latest one
    #[arg(long)]
    pub(crate) old_version: bool,
}

/// How far ACAP records count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AcapModeArg {
    /// As ACAP says: they may also permit what conventional rules on the same pattern disallow
    Full,
    /// For crawling they only tighten what conventional rules say
    Restrict,
    /// Not at all
    Off,
}

fn usage(name: &str) -> Result<Usage, String> {
    Usage::named(name.trim()).ok_or_else(|| {
        let names = Usage::ALL.map(Usage::name).join(", ");
        format!("expected one of {names}")
    })
}

fn qualifier(name: &str) -> Result<Qualifier, String> {
    Qualifier::named(name).ok_or_else(|| {
        let names = Qualifier::ALL.map(Qualifier::name).join(", ");
        format!("expected one of {names}")
    })
}

fn reference(text: &str) -> Result<(String, FileArg), String> {
    // A locator may hold a "=", and a file's name seldom does.
    let (locator, file) = text
        .rsplit_once('=')
        .ok_or("expected LOCATOR=FILE, such as /searchbot.txt=searchbot.txt")?;
    Ok((locator.to_owned(), FileArg::from(file)))
}

/// How open points of the specifications are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProfileArg {
    /// The literal requirements, and the cautious side where they are silent
    Careful,
    /// As google/robotstxt answers, its deviations included
    Google,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people
    Human,
    /// The decision object, indented; an array where several URLs are given
    Json,
    /// One decision object a line
    Jsonl,
}

/// Fetches the robots.txt of a site, and tells how that went.
///
/// Every request is told of, with its status and address, what is in force since and why, how long that
/// holds, and when to ask again. With --cache a site is only asked where nothing is kept that holds.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide fetch https://example.com/\n  \
        abide fetch https://example.com/page https://www.example.com/ --agent ExampleBot\n  \
        abide fetch https://example.com/ --cache ~/.cache/abide\n\n\
        Exit status: 0 all known, 1 something unreachable or unknown, 2 a mistake in the call or an I/O error.")]
pub(crate) struct FetchArgs {
    /// Absolute URLs of the sites, or of pages on them
    #[arg(value_name = "URL", required = true)]
    pub(crate) urls: Vec<String>,

    /// Product token of the robot, for the User-Agent that is sent
    #[arg(long, short = 'a', value_name = "TOKEN", default_value = "abide")]
    pub(crate) agent: String,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,
}

/// Shows and tidies a cache of robots.txt files.
///
/// A cache in a folder holds what is in force for each site, and every file that the site ever served since,
/// with the instants at which it did.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide cache ls ~/.cache/abide\n  \
        abide cache show ~/.cache/abide https://example.com/\n  \
        abide cache prune ~/.cache/abide --older-than 90\n\n\
        Exit status: 0 done, 2 a mistake in the call or an I/O error.")]
pub(crate) struct CacheArgs {
    #[command(subcommand)]
    pub(crate) command: CacheCommand,
}

/// What to do with a cache.
#[derive(Debug, Subcommand)]
pub(crate) enum CacheCommand {
    /// Lists the sites, and what is in force for each
    #[command(after_help = "Example:\n  abide cache ls ~/.cache/abide")]
    Ls {
        /// The cache's folder
        #[arg(value_name = "DIR")]
        cache: FileArg,
    },
    /// Tells what is known of a site, with every file that it served; or writes out one of these files
    #[command(after_help = "Examples:\n  \
        abide cache show ~/.cache/abide https://example.com/\n  \
        abide cache show ~/.cache/abide \\\n    \
        e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 > robots.txt")]
    Show {
        /// The cache's folder, or a Valkey or Redis server
        #[arg(value_name = "DIR|redis://...")]
        cache: FileArg,
        /// A URL of the site; or the SHA-256 of a file, which is written to stdout as it came
        #[arg(value_name = "URL|SHA256")]
        what: String,
        /// A file with a secret that signs what a fleet keeps on its server, and the key's ID from 1 to
        /// 255 [default ID: 1]. Records signed with any of several are read
        #[arg(long = "cache-key", value_name = "[ID:]FILE")]
        cache_keys: Vec<CacheKey>,
    },
    /// Forgets what happened before an instant, but for what was in force then; the file shrinks
    #[command(group = clap::ArgGroup::new("since").required(true), after_help = "Examples:\n  \
        abide cache prune ~/.cache/abide --older-than 90\n  \
        abide cache prune ~/.cache/abide --before 2026-01-01T00:00:00Z")]
    Prune {
        /// The cache's folder
        #[arg(value_name = "DIR")]
        cache: FileArg,
        /// Keep so many days
        #[arg(long, value_name = "DAYS", group = "since")]
        older_than: Option<u32>,
        /// Keep what happened since
        #[arg(long, value_name = "INSTANT", group = "since")]
        before: Option<Moment>,
    },
}

/// Answers requests as JSON Lines: one in, one out, in order.
///
/// Each line is an object with at least "url" and "agent", and the robots.txt in "robots". A line
/// that cannot be read is answered with an "error" object, and the run goes on.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide batch requests.jsonl > decisions.jsonl\n  \
        echo '{\"url\":\"https://e.example/x\",\"agent\":\"ExampleBot\",\"robots\":\"User-agent: *\"}' |\n    \
        abide batch\n\n\
        Exit status: 0 all answered, 2 some lines could not be read, or an I/O error.")]
pub(crate) struct BatchArgs {
    /// File of requests; "-" or nothing for stdin
    #[arg(value_name = "FILE|-", default_value = "-")]
    pub(crate) file: FileArg,

    /// How many requests to work on at a time, up to 1024 [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

/// Writes a completion script for a shell.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide completions bash > ~/.local/share/bash-completion/completions/abide\n  \
        abide completions fish > ~/.config/fish/completions/abide.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// Writes a manual page, in roff.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide man | man -l -\n  \
        abide man check > abide-check.1")]
pub(crate) struct ManArgs {
    /// The subcommand to describe; the whole command where left out
    #[arg(value_name = "COMMAND", value_parser = ["check", "fetch", "cache", "batch", "lint", "fmt", "explain", "diff", "test", "convert", "completions", "man"])]
    pub(crate) command: Option<String>,
}
