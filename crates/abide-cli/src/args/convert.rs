//! What was typed behind `abide convert`.

use super::NetworkArgs;
use crate::file_arg::FileArg;
use abide_lint::convert::TagForm;
use clap::{Args, ValueEnum};

/// Says in another specification's words what a file or robots tags say.
///
/// Conventional records become records of ACAP 1.0, and what ACAP records say about crawling becomes conventional records;
/// robots tags are written in any of their three forms. The result goes to stdout, to be put where it belongs, and what it loses to
/// stderr, with code and line. If the result would decide otherwise than the source, nothing is written; ACAP ignores
/// letter case, which is only a warning.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide convert --to acap robots.txt > acap.txt\n  \
        abide convert --to robots acap.txt\n  \
        abide convert --to robots-tag --header 'X-Robots-Tag: noindex, nofollow'\n  \
        curl -sI https://example.com/page | abide convert --to meta\n  \
        abide convert --to robots-tag < page.html\n\n\
        Exit status: 0 done, 1 the result would not mean the same, 2 a mistake in the call or an I/O error.")]
pub(crate) struct ConvertArgs {
    /// What to write
    #[arg(long, value_enum)]
    pub(crate) to: ConvertTo,

    /// A robots.txt; for tags a page, or field lines; "-" or nothing for stdin
    #[arg(
        value_name = "FILE|-|URL",
        default_value = "-",
        hide_default_value = true
    )]
    pub(crate) source: FileArg,

    /// A field line with robots tags, such as "X-Robots-Tag: noindex", in place of a file
    #[arg(
        long = "header",
        short = 'H',
        value_name = "NAME: VALUE",
        conflicts_with = "source"
    )]
    pub(crate) headers: Vec<String>,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,
}

/// What a conversion makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConvertTo {
    /// Records of ACAP 1.0, of conventional ones
    Acap,
    /// Conventional records, of what ACAP records say about crawling
    Robots,
    /// A Robots-Tag field, of robots tags in any form
    RobotsTag,
    /// X-Robots-Tag fields, of robots tags in any form
    XRobotsTag,
    /// Robots meta elements, of robots tags in any form
    Meta,
}

impl ConvertTo {
    /// The form of robots tags; `None` where records are made.
    pub(crate) fn tags(self) -> Option<TagForm> {
        match self {
            Self::Acap | Self::Robots => None,
            Self::RobotsTag => Some(TagForm::RobotsTag),
            Self::XRobotsTag => Some(TagForm::XRobotsTag),
            Self::Meta => Some(TagForm::Meta),
        }
    }
}
