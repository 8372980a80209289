//! The arguments of `abide registry`.

use crate::file_arg::FileArg;
use clap::{Args, Subcommand};

/// Check registries of applications, purposes and robots control rules.
///
/// A registry is a file in TOML, in JSON or in CSV, whose columns are those of the IANA sections of
/// the drafts. `abide check --registry` and the other commands read it; docs/registries.md
/// describes it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide registry check applications.toml\n  \
        abide registry check applications.csv directives.csv\n  \
        abide check /page -r robots.txt -a ExampleBot --registry rules.csv\n\n\
        Exit status: 0 valid, 1 an entry is refused, 2 invalid arguments or an I/O error.")]
pub(crate) struct RegistryArgs {
    #[command(subcommand)]
    pub(crate) command: RegistryCommand,
}

/// The commands of `abide registry`.
#[derive(Debug, Subcommand)]
pub(crate) enum RegistryCommand {
    /// Check files as one registry, and list what it has
    #[command(after_help = "Example:\n  abide registry check applications.toml")]
    Check {
        /// Files in TOML, JSON or CSV
        #[arg(value_name = "FILE", required = true)]
        files: Vec<FileArg>,
    },
}
