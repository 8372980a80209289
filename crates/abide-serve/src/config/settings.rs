//! The list of settings. Flags, keys of the file, environment variables, what `--print-config`
//! prints and the table of docs/serve.md are made from it.

use super::value::{LogFormat, LogRequests, OnFailure, Ports, SettingKind, SettingValue};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::LazyLock;

/// A setting, described.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Setting {
    /// Its key in a file, which is also its flag.
    pub name: String,
    /// What it does, in one sentence that names other settings as flags.
    pub help: &'static str,
    /// What it takes.
    pub kind: SettingKind,
    /// The heading of its flag; empty under that of the command.
    pub heading: &'static str,
    /// What stands for its value in help; empty for a switch.
    pub value: &'static str,
    /// Its default, as in the environment; empty if there is none or it depends on other settings.
    pub default: &'static str,
    /// The default in words, if it is not a fixed value.
    pub default_in_words: &'static str,
    /// More for the documentation, in Markdown.
    pub note: &'static str,
    /// The numbers that it may be.
    pub range: Option<RangeInclusive<u64>>,
    /// The setting without which it has no effect.
    pub(super) needs: Option<Needed>,
}

/// What other settings need to have an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needed {
    /// A cache in a folder.
    Folder,
    /// Forward auth.
    Authz,
    /// Turns.
    Turns,
}

impl Setting {
    /// What it does, and its default.
    #[must_use]
    pub fn help_with_default(&self) -> String {
        match self.shown_default() {
            "" => self.help.to_owned(),
            default => format!("{} [default: {default}]", self.help),
        }
    }

    /// Its default, for people; empty if there is none.
    #[must_use]
    pub fn shown_default(&self) -> &'static str {
        if self.default_in_words.is_empty() {
            self.default
        } else {
            self.default_in_words
        }
    }

    /// What its number counts, such as `seconds`.
    #[must_use]
    pub fn unit(&self) -> Option<&'static str> {
        match self.value {
            "BYTES" => Some("bytes"),
            "SECONDS" => Some("seconds"),
            "MIB" => Some("MiB"),
            "DAYS" => Some("days"),
            _ => None,
        }
    }

    /// What a number has to be, such as `a whole number of seconds`.
    #[must_use]
    pub fn expected_number(&self) -> String {
        let unit = self.unit().map(|unit| format!(" of {unit}"));
        format!("a whole number{}", unit.unwrap_or_default())
    }

    /// Its default, as a file would set it; nothing is set if it is not a fixed value.
    ///
    /// # Panics
    /// Only on a bug: a test reads all defaults.
    pub(super) fn default_value(&self) -> Config {
        let text = match (self.kind, self.default) {
            (SettingKind::Switch, _) => "false",
            (_, "") => return Config::default(),
            (_, text) => text,
        };
        Config::from_pair(&self.name, text).expect("a default is a value")
    }

    /// The numbers that it may be, in words.
    pub(super) fn expected_range(&self) -> String {
        let Some(range) = &self.range else {
            return self.expected_number();
        };
        match self.unit() {
            Some(unit) => format!("{unit} from {} to {}", range.start(), range.end()),
            None => format!("a number from {}", range.start()),
        }
    }
}

/// Every setting, in the order of the documentation.
#[must_use]
pub fn settings() -> &'static [Setting] {
    &SETTINGS
}

/// Makes [`Config`] and what is said about its fields from one list.
macro_rules! config {
    ($(
        $(#[doc = $help:literal])+
        $field:ident: $type:ty { $($key:ident: $about:expr),* $(,)? }
    )+) => {
        /// What one source says: a file, the environment or flags. [`Config::or`] joins sources,
        /// [`Config::checked`] checks the result. [`settings()`] has the defaults.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
        #[expect(clippy::exhaustive_structs, reason = "faces build it from their flags")]
        pub struct Config {
            $($(#[doc = $help])+ pub $field: Option<$type>,)+
        }

        impl Config {
            /// These settings; those that are missing come from `other`.
            #[must_use]
            pub fn or(self, other: Self) -> Self {
                Self { $($field: self.$field.or(other.$field)),+ }
            }

            /// Which settings are given, in the order of [`settings()`].
            pub(super) fn given(&self) -> Vec<bool> {
                vec![$(self.$field.is_some()),+]
            }

            /// The settings that are numbers, in the order of [`settings()`].
            pub(super) fn numbers(&self) -> Vec<Option<u64>> {
                vec![$(self.$field.as_ref().and_then(SettingValue::number)),+]
            }
        }

        static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| vec![$(Setting {
            name: stringify!($field).replace('_', "-"),
            help: concat!($($help),+).trim_ascii_start(),
            kind: <$type as SettingValue>::KIND,
            $($key: $about,)*
            ..Setting::default()
        }),+]);
    };
}

const FETCHING: &str = "Fetching";
const ACCESS: &str = "Access";
const TURNS: &str = "Turns";
const FORWARD_AUTH: &str = "Forward auth";
const LIMITS: &str = "Limits";
const LOGS: &str = "Logs";

const FROM_ONE: Option<RangeInclusive<u64>> = Some(1..=0xffff_ffff);
const DAY_OR_NONE: Option<RangeInclusive<u64>> = Some(0..=86_400);
const DAY: Option<RangeInclusive<u64>> = Some(1..=86_400);
const BYTES: Option<RangeInclusive<u64>> = Some(1 << 10..=1 << 30);

config! {
    /// Address and port to listen on. An address that other machines can reach needs --tokens,
    /// --offline or --allow-anonymous
    listen: String { value: "ADDRESS:PORT", default: "127.0.0.1:8080" }

    /// How long requests in progress may go on after SIGTERM
    grace: u64 { value: "SECONDS", default: "30", range: DAY_OR_NONE }

    /// How long new connections are still accepted after SIGTERM; /readyz already fails then
    drain_delay: u64 { value: "SECONDS", default: "0", range: DAY_OR_NONE }

    /// User-Agent to send to sites, such as "ExampleBot/1.0"
    user_agent: String {
        heading: FETCHING, value: "TEXT", default_in_words: "that of abide",
        note: "Use a name of your own, with a page about your robot: `ExampleBot/1.0 (+https://bot.example/)`",
    }

    /// Fetch nothing: sites that the cache does not hold are unknown
    offline: bool { heading: FETCHING, note: "If `cache` is a folder, it must have a cache" }

    /// Also fetch from addresses that are not public, such as 127.0.0.1
    allow_private: bool { heading: FETCHING }

    /// Ports of sites to connect to, or any: all but those of other services
    ports: Ports {
        heading: FETCHING, value: "PORT,...|any", default_in_words: "80,443; any with --allow-private",
        note: "In a file `[80, 443]` or `\"any\"`",
    }

    /// Fetch from the public addresses of a name that also has addresses that are not public.
    /// Without it, such a name is refused
    allow_mixed_names: bool { heading: FETCHING }

    /// Folder, or Valkey or Redis server, that keeps robots.txt files
    cache: String {
        heading: FETCHING, value: "DIR|redis://...", default_in_words: "memory only",
        note: "A folder also keeps the history. [A fleet shares](fetching.md#shared-by-a-fleet) a server",
    }

    /// File with a secret that signs records on the server, and the key's ID from 1 to 255 [default
    /// ID: 1]. Given several times, the first key signs, and records signed with any of them are
    /// read
    cache_key: Vec<String> {
        heading: FETCHING, value: "[ID:]FILE",
        note: "In a file `[\"2:new.key\", \"1:old.key\"]`",
    }

    /// Largest size of a cache in a folder. What was not needed for the longest time is removed
    /// first
    cache_size: u64 {
        heading: FETCHING, value: "MIB", default: "1024", range: Some(16..=1 << 20),
        needs: Some(Needed::Folder),
    }

    /// How long a cache in a folder keeps what is not needed any more; 0 as long as there is room
    cache_age: u64 {
        heading: FETCHING, value: "DAYS", default: "0", range: Some(0..=36_500),
        needs: Some(Needed::Folder),
    }

    /// Memory for robots.txt files, rules, clients, bodies and answers
    memory: u64 {
        heading: FETCHING, value: "MIB", default: "256", range: Some(1..=1 << 20),
        note: "[Memory](#memory) says how it is divided",
    }

    /// TOML file with the hashes of accepted tokens; read again on SIGHUP
    tokens: PathBuf { heading: ACCESS, value: "FILE", default_in_words: "no token is needed" }

    /// Answer other machines without tokens, although the service fetches for them
    allow_anonymous: bool { heading: ACCESS }

    /// Requests and lines of batches per second of one token, or of one address without --tokens; 0
    /// is no limit
    rate: u32 { heading: ACCESS, value: "N", default: "0" }

    /// Requests of one token that may come at once after a pause
    burst: u32 { heading: ACCESS, value: "N", default_in_words: "that of --rate", range: FROM_ONE }

    /// Fetches from sites per second for one token, or for one address without --tokens; others
    /// wait; 0 is no limit
    fetch_rate: u32 { heading: ACCESS, value: "N", default: "0" }

    /// Requests of one token, or of one address without --tokens, that are answered at the
    /// same time
    concurrency: u32 { heading: ACCESS, value: "N", default: "256", range: FROM_ONE }

    /// Give crawlers turns at sites (POST /v1/turn), and fetch robots.txt files in the same turns:
    /// a site has one visit at a time, and the delay that it asks for
    turns: bool { heading: TURNS }

    /// Shortest delay from the end of a visit to the next one
    min_delay: u64 {
        heading: TURNS, value: "SECONDS", default: "1", range: DAY_OR_NONE,
        needs: Some(Needed::Turns),
    }

    /// Longest delay. A site whose Crawl-delay is longer is visited after this one
    max_delay: u64 {
        heading: TURNS, value: "SECONDS", default: "300", range: DAY, needs: Some(Needed::Turns),
    }

    /// Number of this instance among those with the server of --cache, from 0, and how many there
    /// are, such as 0/3: they share the pace of each site
    turn_member: String {
        heading: TURNS, value: "N/ALL", default_in_words: "the pace is not shared",
        needs: Some(Needed::Turns),
        note: "See [a fleet](crawlers.md#one-pace-for-a-fleet)",
    }

    /// Folder with the robots.txt files of the sites behind a proxy: HOST/robots.txt or HOST.txt,
    /// and default.txt for all other hosts. A proxy that asks /authz then refuses robots what these
    /// files disallow; see docs/proxies.md
    authz: PathBuf { heading: FORWARD_AUTH, value: "DIR", default_in_words: "off" }

    /// Refuse nothing; X-Robots-Explain, the log and /metrics show what would have been refused
    authz_report_only: bool { heading: FORWARD_AUTH, needs: Some(Needed::Authz) }

    /// What happens to robots if the folder has no robots.txt for a site and no default.txt, or one
    /// that is unreadable
    authz_fail: OnFailure {
        heading: FORWARD_AUTH, value: "HOW", default: "open", needs: Some(Needed::Authz),
    }

    /// Refuse requests without User-Agent: no browser sends them
    authz_require_user_agent: bool { heading: FORWARD_AUTH, needs: Some(Needed::Authz) }

    /// Largest head of a request
    max_head: usize {
        heading: LIMITS, value: "BYTES", default: "16384", range: Some(8 << 10..=1 << 30),
    }

    /// Largest body, except that of a batch
    max_body: usize { heading: LIMITS, value: "BYTES", default: "4194304", range: BYTES }

    /// Longest line of a batch
    max_line: usize { heading: LIMITS, value: "BYTES", default: "4194304", range: BYTES }

    /// Maximum number of lines in a batch
    max_lines: u64 { heading: LIMITS, value: "N", default: "1000000", range: FROM_ONE }

    /// Maximum number of open connections
    max_connections: usize {
        heading: LIMITS, value: "N", default: "16384", range: FROM_ONE,
        note: "More wait. The limit of open files has to be higher (`ulimit -n`)",
    }

    /// Maximum number of requests in progress
    max_requests: usize {
        heading: LIMITS, value: "N", default: "1024", range: FROM_ONE,
        note: "More get 503. One caller has [at most half](#shares)",
    }

    /// How long the head of a request may take, and a connection may be idle
    head_timeout: u64 { heading: LIMITS, value: "SECONDS", default: "30", range: DAY }

    /// How long a client may pause while it sends a body or takes an answer
    body_timeout: u64 { heading: LIMITS, value: "SECONDS", default: "10", range: DAY }

    /// How long a request other than a batch may take
    request_timeout: u64 { heading: LIMITS, value: "SECONDS", default: "60", range: DAY }

    /// How long a batch may take
    batch_timeout: u64 { heading: LIMITS, value: "SECONDS", default: "3600", range: DAY }

    /// What is logged: error, warn, info, debug, trace or off
    log: String { heading: LOGS, value: "LEVEL", default: "info" }

    /// The form of logs
    log_format: LogFormat { heading: LOGS, value: "FORMAT", default: "json" }

    /// Which requests are logged
    log_requests: LogRequests { heading: LOGS, value: "WHICH", default: "errors" }
}
