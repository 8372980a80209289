//! The arguments of `abide fmt`.

use crate::file_arg::FileArg;
use clap::Args;

/// Format robots.txt files without changing their meaning.
///
/// Keys get the case of their specifications, spaces and line ends become uniform, and one empty
/// line precedes each group. No line is moved, merged, dropped or corrected, and every comment
/// stays with its line. Each run proves that the meaning is unchanged; if it would change, nothing
/// is written.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide fmt\n  \
        abide fmt --check 'public/*.txt'\n  \
        abide fmt --diff robots.txt\n  \
        curl -s https://example.com/robots.txt | abide fmt -\n\n\
        Exit status: 0 done, 1 something would change (--check, --diff), 2 a file that cannot be formatted, \
        invalid arguments or an I/O error.")]
pub(crate) struct FmtArgs {
    /// Files to rewrite in place: paths, patterns and folders; or "-" to read stdin and write
    /// stdout [default: the robots.txt in the usual places, as for abide lint]
    #[arg(value_name = "FILE|DIR|-")]
    pub(crate) files: Vec<FileArg>,

    /// List the files that would change; write nothing
    #[arg(long)]
    pub(crate) check: bool,

    /// Show the changes as a unified diff; write nothing
    #[arg(long, conflicts_with = "check")]
    pub(crate) diff: bool,
}
