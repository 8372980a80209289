//! The arguments of `abide config`, and those of commands that use its settings.

use crate::file_arg::FileArg;
use clap::{Args, ValueEnum};

/// Show the settings for a robots.txt, and where each comes from.
///
/// The settings are in the nearest abide.toml: in the folder of the robots.txt or above it.
/// docs/lint.md describes it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide config\n  \
        abide config public/robots.txt\n  \
        abide config staging/robots.txt --format json\n  \
        abide config --schema > abide.schema.json\n\n\
        Exit status: 0 done, 2 a mistake in the arguments or in the abide.toml, or an I/O error.")]
pub(crate) struct ConfigArgs {
    /// The robots.txt, which need not exist [default: robots.txt]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<FileArg>,

    #[command(flatten)]
    pub(crate) config: NoConfigArgs,

    /// Output format
    #[arg(long, value_enum, default_value_t = ConfigFormat::Human)]
    pub(crate) format: ConfigFormat,

    /// Print the JSON Schema of abide.toml
    #[arg(long, conflicts_with_all = ["file", "config", "no_config", "format"])]
    pub(crate) schema: bool,
}

/// Which settings to use.
#[derive(Debug, Args)]
pub(crate) struct NoConfigArgs {
    /// Use the settings in this file [default: the nearest abide.toml above each robots.txt]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub(crate) config: Option<FileArg>,

    /// Use no abide.toml
    #[arg(long)]
    pub(crate) no_config: bool,
}

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConfigFormat {
    /// Text for people
    Human,
    /// One object, as schema/settings.json describes it
    Json,
}
