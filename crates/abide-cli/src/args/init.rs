//! The arguments of `abide init`.

use crate::file_arg::FileArg;
use clap::{ArgGroup, Args};

/// Write a robots.txt from wishes.
///
/// The names of robots come from the table of known robots, whose date is in the file. Names that
/// block nothing any more are left out, and so are lines that no robot is documented to read. Each
/// run reads the file back as `abide matrix` does and checks every robot: if a wish is not kept for
/// one, abide says which, and writes nothing.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("wishes").required(true).multiple(true),
    after_help = "Examples:\n  \
        abide init --no-training --keep-search\n  \
        abide init --no-training --no-ai-input --keep-search \\\n    \
        --sitemap https://example.com/sitemap.xml --output robots.txt\n  \
        abide init --block '@seo - AhrefsBot' --delay 10\n  \
        abide init --staging --output staging/robots.txt\n\n\
        Exit status: 0 written, 1 a wish cannot be kept, 2 wishes that contradict each other, invalid \
        arguments or an I/O error."
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct InitArgs {
    /// Close the site to robots that fetch for the training of AI models, and ask with control
    /// tokens such as Google-Extended. Robots that mainly search stay in
    #[arg(long, group = "wishes")]
    pub(crate) no_training: bool,

    /// Close the site to robots that fetch for AI answers, and ask with control tokens. Robots that
    /// mainly search stay in
    #[arg(long, group = "wishes")]
    pub(crate) no_ai_input: bool,

    /// Let in every robot that mainly searches, also those that need a group of their own, and
    /// refuse wishes that close the site to one
    #[arg(long, group = "wishes")]
    pub(crate) keep_search: bool,

    /// Close the site to every robot, also to those that ignore groups for "*"
    #[arg(long, group = "wishes")]
    pub(crate) staging: bool,

    /// Close the site to these robots too: names and sets, as --agent of abide check takes them,
    /// such as @seo or '@ai-training - @search'. May be given several times
    #[arg(long, group = "wishes", value_name = "LIST")]
    pub(crate) block: Vec<String>,

    /// Ask robots to wait this long between visits. The file says which robots are documented to
    /// do so
    #[arg(long, group = "wishes", value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) delay: Option<u32>,

    /// Name a sitemap by its absolute URL. May be given several times
    #[arg(long = "sitemap", group = "wishes", value_name = "URL")]
    pub(crate) sitemaps: Vec<String>,

    /// File to write [default: stdout]. A file that exists stays as it is
    #[arg(long, short = 'o', value_name = "FILE")]
    pub(crate) output: Option<FileArg>,

    /// Replace the file of --output if it exists
    #[arg(long, requires = "output")]
    pub(crate) force: bool,

    /// Say nothing on stderr about what was proved, and what no robots.txt can do
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
