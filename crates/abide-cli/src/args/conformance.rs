//! The arguments of `abide conformance`.

use clap::{Args, ValueEnum};

/// Run the conformance vectors, and show how far abide does what a document says.
///
/// Writes the text that RFC 7942 asks for in an Internet-Draft: the implementation, its version and
/// licence, how many requirements of each strength pass, and where abide does not follow the letter
/// of the text. The vectors are part of the command, and run each time.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
        abide conformance\n  \
        abide conformance --document repext-03\n  \
        abide conformance --document rfc9309 --format json\n\n\
        Exit status: 0 all vectors pass, 1 some fail, 2 invalid arguments or an I/O error.")]
pub(crate) struct ConformanceArgs {
    /// Name of the document, such as rfc9309, repext-03, plan-b, purpose-00, acap-1.0 or aipref
    /// [default: all documents]
    #[arg(long, value_name = "NAME")]
    pub(crate) document: Option<String>,

    /// Output format
    #[arg(long, value_enum, default_value_t = ConformanceFormat::Text)]
    pub(crate) format: ConformanceFormat,
}

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConformanceFormat {
    /// Text of 72 columns, for an Internet-Draft
    Text,
    /// One array of objects, as schema/conformance.json describes them
    Json,
    /// Markdown, for an Internet-Draft that is written in it
    Markdown,
}
