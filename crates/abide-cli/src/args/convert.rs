//! The arguments of `abide convert`.

use super::NetworkArgs;
use crate::file_arg::FileArg;
use abide::preference::Revision;
use abide_analysis::convert::Form;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Convert a robots.txt or robots tags to another specification.
///
/// Writes robots.txt rules as ACAP 1.0 records, ACAP records about crawling as robots.txt rules, AI
/// preferences in another vocabulary, and robots tags in any of their three forms; ACAP records
/// about other usages also as robots tags by path. The result goes to stdout. Findings on stderr
/// list, with code and line, what it cannot express. If the result would give another answer than
/// the source, nothing is written. There is one exception: ACAP ignores letter case, and a
/// difference of case alone is only a warning.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide convert --to acap robots.txt > acap.txt\n  \
        abide convert --to robots acap.txt\n  \
        abide convert --to content-usage robots.txt > robots.new.txt\n  \
        abide convert --to content-usage --as-header robots.txt\n  \
        abide convert --to tdmrep robots.txt > tdmrep.json\n  \
        abide convert --to robots-tag --header 'X-Robots-Tag: noindex, nofollow'\n  \
        curl -sI https://example.com/page | abide convert --to meta\n  \
        abide convert --to robots-tag acap.txt\n  \
        abide convert --to robots-tag /etc/nginx/snippets/robots.conf\n  \
        abide convert --to robots-tag < page.html\n\n\
        Exit status: 0 done, 1 the result would not mean the same, 2 invalid arguments or an I/O error.")]
pub(crate) struct ConvertArgs {
    /// Target format
    #[arg(long, value_name = "FORMAT", value_parser = form())]
    pub(crate) to: Form,

    /// A robots.txt; for tags a page, field lines, lines of nginx or Apache that set them, or ACAP
    /// records; "-" for stdin [default: -]
    #[arg(
        value_name = "FILE|-|URL",
        default_value = "-",
        hide_default_value = true
    )]
    pub(crate) source: FileArg,

    /// Field line with robots tags, such as "X-Robots-Tag: noindex", instead of a file
    #[arg(
        long = "header",
        short = 'H',
        value_name = "NAME: VALUE",
        conflicts_with = "source"
    )]
    pub(crate) headers: Vec<String>,

    /// With --to content-usage: print the field Content-Usage of every response, in place of the
    /// file with such lines
    #[arg(long)]
    pub(crate) as_header: bool,

    /// Revision of Content-Usage whose words count, from or to it: 08 or 07
    #[arg(long, value_name = "08|07", default_value = "08", value_parser = Revision::named)]
    pub(crate) revision: &'static Revision,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,
}

/// The targets by name, with what each is made from.
fn form() -> impl TypedValueParser<Value = Form> {
    let forms = Form::ALL
        .iter()
        .map(|form| PossibleValue::new(form.name()).help(form.description()));
    PossibleValuesParser::new(forms).try_map(|name| name.parse::<Form>())
}
