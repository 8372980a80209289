//! The arguments of `abide serve`.

use crate::file_arg::FileArg;
use clap::{Args, ValueEnum};
use std::str::FromStr;

/// Reads a whole number; `unit` says what it counts.
fn whole<T: FromStr>(unit: &'static str) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse();
        number.map_err(|_| format!("expected a whole number{unit}"))
    }
}

/// Answer over HTTP what a robot may do with a URL, and why.
///
/// Crawlers in any language ask it before they fetch a page. abide fetches the robots.txt of each
/// site once, keeps it while it is fresh, and decides as abide check does. Browsers get a web page
/// at the same address.
///
/// Each option can also be a line of the file that --config names (max-body = 1048576), or an
/// environment variable (`ABIDE_SERVE_MAX_BODY=1048576`). Flags override the environment, and the
/// environment overrides the file. docs/serve.md describes every endpoint.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide serve\n  \
        curl 'http://127.0.0.1:8080/v1/decide?url=https://example.com/page&agent=ExampleBot'\n  \
        abide serve --cache ~/.cache/abide --user-agent 'ExampleBot/1.0 (+https://bot.example/)'\n  \
        abide serve --new-token crawler >> tokens.toml\n  \
        abide serve --listen 0.0.0.0:8080 --tokens tokens.toml\n  \
        abide serve --config abide-serve.toml --print-config\n\n\
        Exit status: 0 ended by SIGTERM or Ctrl-C, 2 a setting cannot be used, or an I/O error.")]
pub(crate) struct ServeArgs {
    /// TOML file with settings
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<FileArg>,

    /// Print all settings, also defaults, as a file for --config, and exit
    #[arg(long)]
    pub(crate) print_config: bool,

    /// Make a token, and exit. Its entry for the file of --tokens goes to stdout, and the token
    /// itself to stderr
    #[arg(long, value_name = "NAME")]
    pub(crate) new_token: Option<String>,

    /// Address and port to listen on. An address that other machines can reach needs --tokens,
    /// --offline or --allow-anonymous [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) listen: Option<String>,

    /// How long requests in progress may go on after SIGTERM [default: 30]
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(" of seconds"))]
    pub(crate) grace: Option<u64>,

    /// How long new connections are still accepted after SIGTERM; /readyz already fails then
    /// [default: 0]
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(" of seconds"))]
    pub(crate) drain_delay: Option<u64>,

    #[command(flatten)]
    pub(crate) sites: ServeSitesArgs,

    #[command(flatten)]
    pub(crate) access: ServeAccessArgs,

    #[command(flatten)]
    pub(crate) authz: ServeAuthzArgs,

    #[command(flatten)]
    pub(crate) limits: ServeLimitArgs,

    #[command(flatten)]
    pub(crate) log: ServeLogArgs,
}

/// How the files of sites are fetched and kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fetching")]
pub(crate) struct ServeSitesArgs {
    /// User-Agent to send to sites, such as "ExampleBot/1.0" [default: that of abide]
    #[arg(long, value_name = "TEXT")]
    pub(crate) user_agent: Option<String>,

    /// Fetch nothing: sites that the cache does not hold are unknown
    #[arg(long)]
    pub(crate) offline: bool,

    /// Also fetch from addresses that are not public, such as 127.0.0.1
    #[arg(long)]
    pub(crate) allow_private: bool,

    /// Ports of sites to connect to, or any: all but those of other services [default: 80,443; any
    /// with --allow-private]
    #[arg(long, value_name = "PORT,...|any")]
    pub(crate) ports: Option<String>,

    /// Fetch from the public addresses of a name that also has addresses that are not public.
    /// Without it, such a name is refused
    #[arg(long)]
    pub(crate) allow_mixed_names: bool,

    /// Folder, or Valkey or Redis server, that keeps robots.txt files [default: memory only]
    #[arg(long, value_name = "DIR|redis://...")]
    pub(crate) cache: Option<FileArg>,

    /// File with a secret that signs records on the server, and the key's ID from 1 to 255 [default
    /// ID: 1]. Given several times, the first key signs, and records signed with any of them are
    /// read
    #[arg(long = "cache-key", value_name = "[ID:]FILE")]
    pub(crate) cache_keys: Vec<String>,

    /// Largest size of a cache in a folder. What was not needed for the longest time is removed
    /// first [default: 1024]
    #[arg(long, value_name = "MIB", value_parser = whole::<u64>(" of MiB"))]
    pub(crate) cache_size: Option<u64>,

    /// How long a cache in a folder keeps what is not needed any more; 0 as long as there is room
    /// [default: 0]
    #[arg(long, value_name = "DAYS", value_parser = whole::<u64>(" of days"))]
    pub(crate) cache_age: Option<u64>,

    /// Memory for robots.txt files, rules, clients, bodies and answers [default: 256]
    #[arg(long, value_name = "MIB", value_parser = whole::<u64>(" of MiB"))]
    pub(crate) memory: Option<u64>,
}

/// Who may ask, and how much.
#[derive(Debug, Args)]
#[command(next_help_heading = "Access")]
pub(crate) struct ServeAccessArgs {
    /// TOML file with the hashes of accepted tokens; read again on SIGHUP [default: no token is
    /// needed]
    #[arg(long, value_name = "FILE")]
    pub(crate) tokens: Option<FileArg>,

    /// Answer other machines without tokens, although the service fetches for them
    #[arg(long)]
    pub(crate) allow_anonymous: bool,

    /// Requests and lines of batches per second of one token, or of one address without --tokens; 0
    /// is no limit [default: 0]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(""))]
    pub(crate) rate: Option<u32>,

    /// Requests of one token that may come at once after a pause [default: that of --rate]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(""))]
    pub(crate) burst: Option<u32>,

    /// Fetches from sites per second for one token, or for one address without --tokens; others
    /// wait; 0 is no limit [default: 0]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(""))]
    pub(crate) fetch_rate: Option<u32>,

    /// Requests of one token, or of one address without --tokens, that are answered at the
    /// same time [default: 256]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(""))]
    pub(crate) concurrency: Option<u32>,
}

/// Forward auth: what /authz says to proxies.
#[derive(Debug, Args)]
#[command(next_help_heading = "Forward auth")]
pub(crate) struct ServeAuthzArgs {
    /// Folder with the robots.txt files of the sites behind a proxy: HOST/robots.txt or HOST.txt,
    /// and default.txt for all other hosts. A proxy that asks /authz then refuses robots what these
    /// files disallow; see docs/proxies.md [default: off]
    #[arg(long, value_name = "DIR")]
    pub(crate) authz: Option<FileArg>,

    /// Refuse nothing; X-Robots-Explain, the log and /metrics show what would have been refused
    #[arg(long)]
    pub(crate) authz_report_only: bool,

    /// What happens to robots if the folder has no robots.txt for a site and no default.txt, or one
    /// that is unreadable [default: open]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) authz_fail: Option<OnFailureArg>,

    /// Refuse requests without User-Agent: no browser sends them
    #[arg(long)]
    pub(crate) authz_require_user_agent: bool,
}

/// What happens to robots if a site has no robots.txt that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnFailureArg {
    /// They pass
    Open,
    /// They are refused
    Closed,
}

/// Limits of connections and requests.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct ServeLimitArgs {
    /// Largest head of a request [default: 16384]
    #[arg(long, value_name = "BYTES", value_parser = whole::<usize>(" of bytes"))]
    pub(crate) max_head: Option<usize>,

    /// Largest body, except that of a batch [default: 4194304]
    #[arg(long, value_name = "BYTES", value_parser = whole::<usize>(" of bytes"))]
    pub(crate) max_body: Option<usize>,

    /// Longest line of a batch [default: 4194304]
    #[arg(long, value_name = "BYTES", value_parser = whole::<usize>(" of bytes"))]
    pub(crate) max_line: Option<usize>,

    /// Maximum number of lines in a batch [default: 1000000]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(""))]
    pub(crate) max_lines: Option<u64>,

    /// Maximum number of open connections [default: 16384]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(""))]
    pub(crate) max_connections: Option<usize>,

    /// Maximum number of requests in progress [default: 1024]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(""))]
    pub(crate) max_requests: Option<usize>,

    /// How long the head of a request may take, and a connection may be idle [default: 30]
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(" of seconds"))]
    pub(crate) head_timeout: Option<u64>,

    /// How long a client may pause while it sends a body or takes an answer [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(" of seconds"))]
    pub(crate) body_timeout: Option<u64>,

    /// How long a request other than a batch may take [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(" of seconds"))]
    pub(crate) request_timeout: Option<u64>,

    /// How long a batch may take [default: 3600]
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(" of seconds"))]
    pub(crate) batch_timeout: Option<u64>,
}

/// What is logged, on stderr.
#[derive(Debug, Args)]
#[command(next_help_heading = "Logs")]
pub(crate) struct ServeLogArgs {
    /// What is logged: error, warn, info, debug, trace or off [default: info]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) log: Option<String>,

    /// The form of logs [default: json]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) log_format: Option<LogFormatArg>,

    /// Which requests are logged [default: errors]
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) log_requests: Option<LogRequestsArg>,
}

/// The form of logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormatArg {
    /// One line of text per event
    Text,
    /// One JSON object per event
    Json,
}

/// Which requests are logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogRequestsArg {
    /// None
    None,
    /// Those that got a status from 400
    Errors,
    /// All
    All,
}
