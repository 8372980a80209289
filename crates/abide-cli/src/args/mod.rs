//! The command line.

mod config;
mod conformance;
mod convert;
mod diff;
mod explain;
mod fmt;
mod init;
mod lint;
mod matrix;
mod named;
mod preference;
mod registry;
mod report;
mod robots;
mod serve;
mod survey;
mod table;
mod test;

use crate::file_arg::FileArg;
use crate::table::RowFormat;
use abide::acap::{AcapMode, Qualifier};
use abide::explain::visible;
use abide::{Moment, Profile, Reading, Usage};
use abide_fetch::http::Proxy;
use abide_fetch::store::SealKey;
use clap::builder::TypedValueParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use named::{Meanings, PROFILES, by_name, one_of};
use std::ffi::{OsStr, OsString};
use std::{slice, thread};

pub(crate) use config::{ConfigArgs, ConfigFormat, NoConfigArgs};
pub(crate) use conformance::{ConformanceArgs, ConformanceFormat};
pub(crate) use convert::ConvertArgs;
pub(crate) use diff::{DiffArgs, DiffFormat};
pub(crate) use explain::{ExplainArgs, ViewFormat};
pub(crate) use fmt::FmtArgs;
pub(crate) use init::InitArgs;
pub(crate) use lint::{LintArgs, LintFormat};
pub(crate) use matrix::{MatrixArgs, MatrixFormat};
pub(crate) use preference::{PreferenceArgs, VocabularyArgs};
pub(crate) use registry::{RegistryArgs, RegistryCommand};
#[cfg(feature = "survey")]
pub(crate) use report::PageFormat;
pub(crate) use report::ReportArgs;
pub(crate) use robots::{RobotsArgs, RobotsFormat};
pub(crate) use serve::ServeArgs;
pub(crate) use survey::SurveyArgs;
pub(crate) use table::TableArgs;
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
        Exit status: 0 fine, 1 something is disallowed, found or changed, 2 invalid arguments or an \
        I/O error, 3 it could not be found out."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colors. With auto, on a terminal, unless `NO_COLOR` is set
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColorArg::Auto)]
    pub(crate) color: ColorArg,
}

/// When to use colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorArg {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ColorArg {
    /// Applies the choice to everything that the command prints.
    pub(crate) fn apply(self) {
        let choice = match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// Reads the command line. Exits on a mistake or a request for help.
pub(crate) fn typed(words: &[OsString]) -> Cli {
    Cli::try_parse_from(words).unwrap_or_else(|error| shown(words, error).exit())
}

/// The error about `words`, made safe to print, because it repeats them.
fn shown(words: &[OsString], error: clap::Error) -> clap::Error {
    if !error.use_stderr() {
        return error;
    }
    let words = words.iter().map(|word| visible(word.as_encoded_bytes()));
    let mut error = Cli::try_parse_from(words).err().unwrap_or(error);
    if lacks_robot(&error) {
        let tip = "name a robot, such as --agent Googlebot, or --agent '*' for every robot that the \
                   file does not name";
        let tip = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tip);
    }
    error
}

/// Whether the words do not say whose rules are asked about.
fn lacks_robot(error: &clap::Error) -> bool {
    let missing = error.get(ContextKind::InvalidArg);
    let names_agent = |value: &ContextValue| match value {
        ContextValue::Strings(names) => names.iter().any(|name| name.starts_with("--agent")),
        _ => false,
    };
    error.kind() == ErrorKind::MissingRequiredArgument && missing.is_some_and(names_agent)
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Box<CheckArgs>),
    Fetch(FetchArgs),
    Cache(CacheArgs),
    Batch(BatchArgs),
    Lint(Box<LintArgs>),
    Config(ConfigArgs),
    Fmt(FmtArgs),
    Init(InitArgs),
    Explain(Box<ExplainArgs>),
    Matrix(MatrixArgs),
    Survey(Box<SurveyArgs>),
    Diff(DiffArgs),
    Test(TestArgs),
    Convert(ConvertArgs),
    Registry(RegistryArgs),
    Report(ReportArgs),
    Robots(RobotsArgs),
    Conformance(ConformanceArgs),
    Serve(Box<ServeArgs>),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Show what a robot may do with a URL, which line decides, and what it overrides.
///
/// Without --robots the file is fetched from the URL's own site: if the site has no robots.txt,
/// everything is allowed; if it cannot be fetched, everything is disallowed (RFC 9309, 2.3.1). ACAP
/// records in it, and robots tags given with --header, --response-head, --html or --rendered-html,
/// also say what may be done with the page afterwards. The output lists every usage that the site
/// mentions: with its conditions for one robot, and as a grid of robots and usages for several.
#[derive(Debug, Args)]
#[command(mut_arg("agents", |agents| agents.required_unless_present("user_agent")), override_usage = "abide check [OPTIONS] --agent <ROBOTS> [URL]...", after_help = "Examples:\n  \
        abide check https://example.com/page --agent ExampleBot\n  \
        abide check /page /private/page --agent ExampleBot --robots robots.txt\n  \
        abide check https://example.com/page --agent Googlebot,GPTBot,@ai-training\n  \
        abide check https://example.com/page --agent 'ExampleBot-News>ExampleBot'\n  \
        abide check https://example.com/page --agent ExampleBot --purpose EXAMPLE-PURPOSE-1\n  \
        abide check /page --agent ExampleBot --robots robots.txt --header 'Robots-Tag: *;noindex'\n  \
        abide check /page --agent ExampleBot --robots robots.txt --usage index,preserve\n  \
        abide check https://example.com/page --agent Googlebot --for train\n  \
        abide check https://example.com/page --agent Googlebot --for train,ai-input,search\n  \
        abide check https://example.com/page --agent ExampleBot --preferences\n  \
        abide check https://example.com/page --agent ExampleBot --cache ~/.cache/abide\n  \
        abide check https://example.com/page --agent ExampleBot \\\n    \
        --cache ~/.cache/abide --at 2026-05-01T12:00:00Z\n  \
        abide check --robots robots.txt --urls urls.txt --agent GPTBot,CCBot --format csv\n  \
        abide check --urls urls.txt --agent ExampleBot --format csv -o answers.csv\n  \
        abide check --robots robots.txt --urls sitemap.xml --agent Googlebot,bingbot\n  \
        abide check --robots https://example.com --sitemap robots --agent Googlebot,bingbot\n\n\
        Exit status: 0 all allowed, 1 something disallowed, 2 invalid arguments, a line of --urls \
        that cannot be read, or an I/O error, 3 it could not be found out, because the site or the \
        page could not be fetched.")]
pub(crate) struct CheckArgs {
    /// Absolute URLs; with --robots also paths that begin with "/"
    #[arg(value_name = "URL", required_unless_present_any = ["list", "sitemaps"])]
    pub(crate) urls: Vec<String>,

    /// File with any number of URLs, one per line, or a sitemap in XML, each also in gzip; "-" for
    /// stdin. Shows one row per URL and robot. Blank lines are skipped
    #[arg(
        long = "urls",
        id = "list",
        value_name = "FILE|-",
        conflicts_with = "urls"
    )]
    pub(crate) list: Option<FileArg>,

    /// Sitemap whose URLs are checked: a file, "-" for stdin, a URL, or the word robots for those
    /// that the robots.txt of --robots names; the sitemaps of an index are fetched. Shows how many
    /// URLs are disallowed for each robot, and which. May be given several times
    #[arg(long = "sitemap", id = "sitemaps", value_name = "FILE|-|URL|robots", conflicts_with_all = ["urls", "list", "page"])]
    pub(crate) sitemaps: Vec<FileArg>,

    /// Which URLs of --urls or --sitemap have a row [default: disallowed for --sitemap, otherwise
    /// all]
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) only: Option<Only>,

    #[command(flatten)]
    pub(crate) client: ClientArgs,

    /// robots.txt to use: a file, "-" for stdin, or a URL to fetch [default: that of the URL's
    /// site]
    #[arg(long, short = 'r', value_name = "FILE|-|URL")]
    pub(crate) robots: Option<FileArg>,

    /// Also fetch the page, if allowed, and read the robots tags of its response and its source.
    /// Several pages are fetched at the pace that each site asks for (Crawl-delay), and no sooner
    /// than a second after its last answer
    #[arg(long, conflicts_with_all = ["headers", "head", "html", "rendered_html"])]
    pub(crate) page: bool,

    #[command(flatten)]
    pub(crate) tags: TagArgs,

    /// Usages to show, such as index,present-snippet; the exit status depends only on these
    /// [default: crawl and every usage that the site mentions]
    #[arg(long = "usage", short = 'u', value_name = "LIST", value_delimiter = ',', value_parser = by_name::<Usage>)]
    pub(crate) usages: Vec<Usage>,

    /// Answer in one sentence each whether the site asks not to use the page for these: train,
    /// ai-input, search. Then show what each vocabulary says, and whether the page may be crawled
    #[arg(long = "for", value_name = "LIST", value_delimiter = ',', value_parser = preference::preference, conflicts_with = "usages")]
    pub(crate) for_usages: Vec<Usage>,

    /// Instant of the decision, such as 2026-11-20T12:00:00Z [default: now]
    #[arg(long, value_name = "INSTANT")]
    pub(crate) now: Option<Moment>,

    /// Decide by the rules that applied at an instant of the past, from the cache's history;
    /// fetches nothing
    #[arg(long, value_name = "INSTANT", requires = "cache", conflicts_with_all = ["now", "page", "robots"])]
    pub(crate) at: Option<Moment>,

    /// Output format [default: by the extension of --output, otherwise human]
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// Report no findings about the file, and no summary of --urls
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Report all findings about the file, not only those on lines that count for the robots
    #[arg(long, short, conflicts_with = "quiet")]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) table: TableArgs,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,

    #[command(flatten)]
    pub(crate) preference: PreferenceArgs,

    #[command(flatten)]
    pub(crate) acap: AcapArgs,
}

/// Which URLs have a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Only {
    /// Those that a robot may not crawl, in the rows of this robot
    Disallowed,
    /// All
    All,
}

/// The page's response.
#[derive(Debug, Args)]
pub(crate) struct TagArgs {
    /// Field line of the page's response, such as "Robots-Tag: *;noindex"
    #[arg(long = "header", short = 'H', value_name = "NAME: VALUE")]
    pub(crate) headers: Vec<String>,

    /// File with the head of the page's response, as `curl -i` writes it, or with the lines of
    /// nginx or Apache that set its fields; "-" for stdin
    #[arg(long = "response-head", alias = "headers", value_name = "FILE|-")]
    pub(crate) head: Option<FileArg>,

    /// File with the page's source, for its robots meta elements; "-" for stdin
    #[arg(long, value_name = "FILE|-")]
    pub(crate) html: Option<FileArg>,

    /// File with the page's final DOM, after its scripts ran; "-" for stdin
    #[arg(long, value_name = "FILE|-")]
    pub(crate) rendered_html: Option<FileArg>,
}

impl TagArgs {
    /// Whether anything of a response is given.
    pub(crate) fn are_given(&self) -> bool {
        !self.headers.is_empty()
            || [&self.head, &self.html, &self.rendered_html]
                .into_iter()
                .any(Option::is_some)
    }
}

/// What robots crawl for.
#[derive(Debug, Args)]
pub(crate) struct PurposeArgs {
    /// Purposes that the robots claim, as User-Agent-Purpose lines name them
    #[arg(
        long = "purpose",
        short = 'p',
        value_name = "PURPOSES",
        value_delimiter = ','
    )]
    pub(crate) purposes: Vec<String>,
}

/// The robot that asks.
#[derive(Debug, Args)]
pub(crate) struct ClientArgs {
    /// Robots to decide for, each separately: names as robots.txt files use them
    /// (GPTBot,CCBot), sets of known robots (@search, @all, "@ai-training - @search"; see abide
    /// robots), "*" for every robot that the file does not name, or a whole User-Agent line.
    /// "NewsBot>Bot" is one robot with two names: the first one that has a group decides
    #[arg(
        long = "agent",
        visible_alias = "agents",
        short = 'a',
        value_name = "ROBOTS"
    )]
    pub(crate) agents: Vec<String>,

    /// Ignore what operators document about their robots, such as that AdsBot-Google ignores groups
    /// for "*"
    #[arg(long)]
    pub(crate) literal: bool,

    #[command(flatten)]
    pub(crate) purpose: PurposeArgs,

    /// Show the App-Directives for this application. Its product tokens come from the registry
    /// [default: those of the robot]
    #[arg(long = "application", value_name = "ID")]
    pub(crate) applications: Vec<String>,

    /// Registry in TOML, JSON or CSV: applications and their directives, the purposes that exist,
    /// or the robots tag rules that count. May be given several times
    #[arg(long = "registry", value_name = "FILE")]
    pub(crate) registries: Vec<FileArg>,

    /// Which interpretation to use where the specifications are ambiguous
    #[arg(long, default_value_t = Profile::Careful, value_parser = one_of::<Profile>(PROFILES))]
    pub(crate) profile: Profile,

    /// How to read one ambiguous point, in place of abide's reading, such as AMB-PREF-1=attach.
    /// docs/decisions.md lists the points and their readings
    #[arg(long = "reading", value_name = "ID=NAME")]
    pub(crate) readings: Vec<Reading>,

    /// Accept names with digits or dots, even if no known robot and no line of the file has them
    #[arg(long)]
    pub(crate) nonstandard_token: bool,
}

impl ClientArgs {
    /// Whether anything is said about a robot.
    pub(crate) fn are_given(&self) -> bool {
        let lists = [&self.agents, &self.purpose.purposes, &self.applications];
        lists.into_iter().any(|list| !list.is_empty())
            || self.literal
            || !self.registries.is_empty()
            || self.profile != Profile::Careful
            || !self.readings.is_empty()
            || self.nonstandard_token
    }
}

/// How to fetch files, and where to keep them.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Fetching")]
pub(crate) struct NetworkArgs {
    /// Also fetch from addresses that are not public, such as 127.0.0.1
    #[arg(long)]
    pub(crate) allow_private: bool,

    /// Whole User-Agent line to send, as your crawler sends it: some sites answer others. For check
    /// and explain without --agent, it also names the robot [default: one that names abide and the
    /// robots]
    #[arg(
        long,
        alias = "user-agent-line",
        value_name = "LINE",
        conflicts_with = "offline"
    )]
    pub(crate) user_agent: Option<String>,

    /// How many seconds fetching one file may take, with all redirects [default: 30, of which 10
    /// for the first byte of an answer]
    #[arg(long, value_name = "SECONDS", conflicts_with = "offline", value_parser = clap::value_parser!(u16).range(1..=3600))]
    pub(crate) timeout: Option<u16>,

    /// HTTP proxy for all requests. It looks up names, so abide cannot refuse names that lead to
    /// private addresses. abide reads no proxy from the environment
    #[arg(
        long,
        value_name = "http://[USER:PASSWORD@]HOST[:PORT]",
        value_parser = ProxyParser,
        conflicts_with = "offline"
    )]
    pub(crate) proxy: Option<Proxy>,

    /// File with certificates in PEM to trust, besides the authorities of the web
    #[arg(long, value_name = "FILE", conflicts_with = "offline")]
    pub(crate) ca_file: Option<FileArg>,

    /// Folder, or Valkey or Redis server, that keeps robots.txt files between calls
    #[arg(long, value_name = "DIR|redis://...")]
    pub(crate) cache: Option<FileArg>,

    /// File with a secret that signs records on the server, and the key's ID from 1 to 255 [default
    /// ID: 1]. Given several times, the first key signs, and records signed with any of them are
    /// read
    #[arg(long = "cache-key", value_name = "[ID:]FILE", requires = "cache")]
    pub(crate) cache_keys: Vec<SealKey>,

    /// Fetch nothing: sites that the cache does not hold are unknown
    #[arg(long, requires = "cache")]
    pub(crate) offline: bool,
}

/// Reads `--proxy`. Its value can have a password, which the error of clap would repeat.
#[derive(Clone)]
struct ProxyParser;

impl TypedValueParser for ProxyParser {
    type Value = Proxy;

    fn parse_ref(
        &self,
        command: &clap::Command,
        _: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Proxy, clap::Error> {
        value.to_string_lossy().parse().map_err(|error| {
            let message = format!("in --proxy: {error}\n");
            clap::Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
        })
    }
}

impl NetworkArgs {
    /// The first of the flags that are given, if any is.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let flags = [
            (self.allow_private, "--allow-private"),
            (self.timeout.is_some(), "--timeout"),
            (self.proxy.is_some(), "--proxy"),
            (self.ca_file.is_some(), "--ca-file"),
            (self.cache.is_some(), "--cache"),
            (self.offline, "--offline"),
            // The last, because it can also name the robot.
            (self.user_agent.is_some(), "--user-agent"),
        ];
        let mut given = flags.into_iter().filter(|(is_given, _)| *is_given);
        given.next().map(|(_, flag)| flag)
    }

    /// The robots that are asked about: those of `--agent`, or else the one whose line is sent.
    pub(crate) fn agents<'a>(&'a self, client: &'a ClientArgs) -> &'a [String] {
        match &self.user_agent {
            Some(line) if client.agents.is_empty() => slice::from_ref(line),
            _ => &client.agents,
        }
    }

    /// These arguments with another line to send, if one is given, and without a cache: it would
    /// answer instead of the site.
    pub(crate) fn sending(&self, line: Option<&String>) -> Self {
        Self {
            user_agent: line.or(self.user_agent.as_ref()).cloned(),
            cache: None,
            cache_keys: Vec::new(),
            offline: false,
            ..self.clone()
        }
    }
}

/// The robot as ACAP sees it, and its history with the page.
#[derive(Debug, Args)]
#[command(next_help_heading = "ACAP 1.0")]
pub(crate) struct AcapArgs {
    /// Which ACAP records apply
    #[arg(long = "acap", default_value = AcapMode::Full.name(), value_parser = one_of::<AcapMode>(ACAP_MODES))]
    pub(crate) mode: AcapMode,

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
    #[arg(long = "unsupported-qualifier", alias = "cannot", value_name = "QUALIFIER", value_parser = by_name::<Qualifier>)]
    pub(crate) unsupported: Vec<Qualifier>,

    /// Content of a permissions reference: LOCATOR as robots.txt writes it, and the FILE with
    /// the document
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
const ACAP_MODES: Meanings = &[
    (
        "full",
        "All: they may also allow what a Disallow on the same pattern disallows",
    ),
    (
        "restrict",
        "For crawling, records can only restrict what the rules allow",
    ),
    ("off", "None"),
];

/// The number of threads that `--jobs` asks for: one per core by default.
pub(crate) fn threads(jobs: Option<u16>) -> usize {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    jobs.map_or_else(cores, usize::from)
}

fn reference(text: &str) -> Result<(String, FileArg), String> {
    // Splits at the last "=": a locator may contain one, a file name rarely does.
    let (locator, file) = text
        .rsplit_once('=')
        .ok_or("expected LOCATOR=FILE, such as /searchbot.txt=searchbot.txt")?;
    Ok((locator.to_owned(), FileArg::from(file)))
}

impl CheckArgs {
    /// The format that is asked for, or that the name of the output file suggests.
    pub(crate) fn format(&self) -> Format {
        self.format.unwrap_or(match self.table.extension() {
            Some("csv") => Format::Csv,
            Some("jsonl" | "ndjson") => Format::Jsonl,
            Some("parquet") => Format::Parquet,
            _ => Format::Human,
        })
    }

    /// Whether only disallowed URLs have a row.
    pub(crate) fn shows_only_disallowed(&self) -> bool {
        let only = self.only;
        only.map_or(!self.sitemaps.is_empty(), |only| only == Only::Disallowed)
    }

    /// Whether many URLs are asked about: those of a list, or of sitemaps.
    pub(crate) fn has_list(&self) -> bool {
        self.list.is_some() || !self.sitemaps.is_empty()
    }

    /// Whether the question is about AI preferences too.
    pub(crate) fn asks_preferences(&self) -> bool {
        !self.for_usages.is_empty() || self.preference.are_asked(&self.usages)
    }

    /// The usages that decide about the exit status.
    pub(crate) fn exit_usages(&self) -> Vec<Usage> {
        match self.for_usages.as_slice() {
            [] if !self.usages.is_empty() => self.usages.clone(),
            purposes => [&[Usage::Crawl], purposes].concat(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people
    Human,
    /// The decision object, indented; an array for several URLs
    Json,
    /// One object per line: the decision; with --urls or --fields the row
    Jsonl,
    /// A table in CSV (RFC 4180)
    Csv,
    /// A table in Apache Parquet
    Parquet,
}

/// Fetch the robots.txt of a site and show the result.
///
/// Shows the User-Agent line that is sent, every request with its status and address, the rules
/// that apply now and why, how long they apply, and when to ask again. With --cache, a site is only
/// asked if the cache has no fresh copy.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide fetch https://example.com/\n  \
        abide fetch https://example.com/page https://www.example.com/ --agent ExampleBot\n  \
        abide fetch https://example.com/ --cache ~/.cache/abide\n  \
        abide fetch https://example.com/ --user-agent 'ExampleBot/2.1 (+https://bot.example)'\n  \
        abide fetch --urls urls.txt --cache ~/.cache/abide --format jsonl > fetched.jsonl\n\n\
        Exit status: 0 all known, 2 invalid arguments, a line of --urls that cannot be read, or an I/O \
        error, 3 something unreachable or unknown.")]
pub(crate) struct FetchArgs {
    /// Absolute URLs of the sites, or of pages on them
    #[arg(value_name = "URL", required_unless_present = "list")]
    pub(crate) urls: Vec<String>,

    /// File with any number of URLs, one per line, or a sitemap in XML, each also in gzip; "-" for
    /// stdin. Fetches the robots.txt of each site once. Blank lines are skipped
    #[arg(
        long = "urls",
        id = "list",
        value_name = "FILE|-",
        conflicts_with = "urls"
    )]
    pub(crate) list: Option<FileArg>,

    /// Product token of the robot, for the User-Agent field
    #[arg(long, short = 'a', value_name = "TOKEN", default_value = "abide")]
    pub(crate) agent: String,

    /// Output format
    #[arg(long, value_enum, default_value_t = FetchFormat::Human)]
    pub(crate) format: FetchFormat,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,
}

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FetchFormat {
    /// Text for people
    Human,
    /// One array of objects, as schema/fetch.json describes them
    Json,
    /// One such object per line
    Jsonl,
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
        cache_keys: Vec<SealKey>,
    },
    /// Remove the history before an instant and shrink the file. The rules that applied at that
    /// instant stay
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

/// Answer many requests: one line in, one answer out, in order.
///
/// Each line is a JSON object with at least "url" and "agent", and the robots.txt in "robots". With
/// --robots and --agent, each line is a bare URL, or a path that begins with "/", and gets one
/// answer for each robot. abide writes each answer before it waits for the next line, so that
/// another program can keep abide running and ask it line by line. An invalid line gets an answer
/// with "error", and abide continues. Blank lines are skipped.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide batch requests.jsonl > decisions.jsonl\n  \
        abide batch --robots robots.txt --agent GPTBot,CCBot urls.txt --slim\n  \
        abide batch --robots robots.txt --agent GPTBot urls.txt --format csv\n  \
        echo '{\"url\":\"https://e.example/x\",\"agent\":\"ExampleBot\",\"robots\":\"User-agent: *\"}' |\n    \
        abide batch\n\n\
        Exit status: 0 all answered, 2 some lines are invalid, or an I/O error.")]
pub(crate) struct BatchArgs {
    /// File of requests, or "-" for stdin
    #[arg(value_name = "FILE|-", default_value = "-")]
    pub(crate) file: FileArg,

    /// robots.txt for all lines, which are bare URLs then: a file, or "-" for stdin
    #[arg(long, short = 'r', value_name = "FILE|-", requires = "agents")]
    pub(crate) robots: Option<FileArg>,

    #[command(flatten)]
    pub(crate) client: ClientArgs,

    /// Leave out usages that no source mentions
    #[arg(long)]
    pub(crate) slim: bool,

    /// Output format [default: by the extension of --output, otherwise jsonl]
    #[arg(long, value_enum)]
    format: Option<RowFormat>,

    /// Report neither invalid lines nor a summary on stderr
    #[arg(long, short)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) table: TableArgs,

    #[command(flatten)]
    pub(crate) preference: PreferenceArgs,
}

impl BatchArgs {
    /// The format that is asked for, or that the name of the output file suggests.
    pub(crate) fn format(&self) -> RowFormat {
        self.format.unwrap_or(match self.table.extension() {
            Some("csv") => RowFormat::Csv,
            Some("parquet") => RowFormat::Parquet,
            _ => RowFormat::Jsonl,
        })
    }
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
    #[arg(value_name = "COMMAND", value_parser = ["check", "fetch", "cache", "batch", "lint", "config", "fmt", "init", "explain", "matrix", "survey", "diff", "test", "convert", "registry", "report", "robots", "conformance", "serve", "completions", "man"])]
    pub(crate) command: Option<String>,
}
