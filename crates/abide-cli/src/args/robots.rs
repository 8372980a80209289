//! The arguments of `abide robots`.

use clap::{Args, ValueEnum};

/// List the known robots, or show who one of them is and what disallowing it does.
///
/// The list is part of abide: a dated table of names, operators, purposes and documented behaviour,
/// with the source of each row. `abide check`, `explain`, `diff`, `lint`, `matrix` and `test` use
/// it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide robots\n  \
        abide robots GPTBot\n  \
        abide robots 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'\n  \
        abide robots @ai-training\n  \
        abide robots --operator google --format csv\n\n\
        Exit status: 0 found, 1 no such robot, 2 invalid arguments or an I/O error.")]
pub(crate) struct RobotsArgs {
    /// A name, a whole User-Agent line, or a set such as @search or @control-token [default: all
    /// robots]
    #[arg(value_name = "ROBOT|@SET")]
    pub(crate) robot: Option<String>,

    /// Only robots of this operator; a part of the name is enough
    #[arg(long, value_name = "NAME")]
    pub(crate) operator: Option<String>,

    /// Output format
    #[arg(long, value_enum, default_value_t = RobotsFormat::Human)]
    pub(crate) format: RobotsFormat,
}

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RobotsFormat {
    /// Text for people
    Human,
    /// One array of objects, as schema/known-robots.json describes them
    Json,
    /// A table in CSV (RFC 4180)
    Csv,
    /// A table in Markdown
    Markdown,
}
