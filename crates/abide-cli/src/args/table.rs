//! Options for tables of answers.

use crate::file_arg::FileArg;
use clap::Args;
use std::ffi::OsStr;
use std::path::Path;

/// Answers as a table: one row per URL and robot.
#[derive(Debug, Args)]
#[command(next_help_heading = "Tables")]
pub(crate) struct TableArgs {
    /// Columns of the table, in this order, by the names that --list-fields shows, such as
    /// url,robot,usages.index.outcome
    /// [default: url,robot,outcome,line,rule,group,reason,error]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) fields: Vec<String>,

    /// List everything that --fields takes
    #[arg(long, exclusive = true)]
    pub(crate) list_fields: bool,

    /// File to write the table to; .csv, .jsonl or .parquet chooses the format if --format does not
    /// [default: stdout]
    #[arg(long, short = 'o', value_name = "FILE")]
    pub(crate) output: Option<FileArg>,

    /// Number of threads, up to 1024 [default: one per core]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

impl TableArgs {
    /// The extension of the output file.
    pub(crate) fn extension(&self) -> Option<&str> {
        let name: &Path = self.output.as_ref()?.as_ref();
        name.extension().and_then(OsStr::to_str)
    }
}
