//! What was typed behind `abide fmt`.

use crate::file_arg::FileArg;
use clap::Args;

/// Lays robots.txt files out in one canonical way, with their meaning kept.
///
/// Keys get the case of their specifications, blanks and line ends are made the same, one empty line stands
/// before each group. No line is moved, merged, dropped or corrected, and every comment stays with its line. That the
/// file means the same is proved on every run; where it would not, nothing is written.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide fmt robots.txt\n  \
        abide fmt --check public/*.txt\n  \
        abide fmt --diff robots.txt\n  \
        curl -s https://example.com/robots.txt | abide fmt -\n\n\
        Exit status: 0 done, 1 something would change (--check, --diff), 2 a file that cannot be laid out, \
        a mistake in the call or an I/O error.")]
pub(crate) struct FmtArgs {
    /// Files to rewrite in place; "-" or nothing reads stdin and writes stdout
    #[arg(value_name = "FILE|-", default_value = "-", hide_default_value = true)]
    pub(crate) files: Vec<FileArg>,

    /// Write nothing; name the files that would change
    #[arg(long)]
    pub(crate) check: bool,

    /// Write nothing; show what would change, as a unified diff
    #[arg(long)]
    pub(crate) diff: bool,
}
