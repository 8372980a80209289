//! The `abide` command, as a library for the faces that bring it along.
//!
//! - `args`: the arguments; `robot_args`: the client that they describe; `file_arg`: names of files
//!   and URLs.
//!
//! - `commands`: one file for each subcommand; `report`: findings in several formats.
//!
//! - `source`: where robots.txt files come from; `robots_source`: files that are compared as a
//!   whole; `fetch`: the network; `cache`: where files are kept; `page_response`: the page's
//!   response; `lines`: long input.
//!
//! - `url_answers`: answers about URLs, one or many; `table`: these answers as rows in several formats;
//!   `bulk`: runs threads over `chunks` of lines and writes their answers in order (`ordered`).
//!
//! - `robots_files`: the files that arguments name; `config`: their settings.
//!
//! - `replace` rewrites files, `unified_diff` shows a diff first; `width` wraps text for the
//!   terminal; `xml` and `markdown` escape text; `progress` shows a bar; `exit` sets the exit
//!   status, and `interrupt` ends output on Ctrl-C.

mod args;
mod bulk;
mod cache;
mod chunks;
mod colour;
mod commands;
mod config;
mod csv;
mod documents;
mod exit;
mod fetch;
mod file_arg;
#[cfg(feature = "survey")]
mod interrupt;
mod lines;
mod markdown;
mod ordered;
mod page_response;
mod progress;
mod replace;
mod report;
mod robot_args;
mod robots_files;
mod robots_source;
mod source;
mod table;
mod unified_diff;
mod url_answers;
mod url_list;
mod width;
mod xml;

use args::Command;
use exit::Exit;
use std::ffi::OsString;

/// Runs the command with these words, the first of which is its name. Returns the exit status. On a
/// mistake in the words, and after `--help`, it exits.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = words.into_iter().collect();
    let typed = args::typed(&words);
    typed.color.apply();
    let done = match typed.command {
        Command::Check(args) => commands::check::run(&args),
        Command::Fetch(args) => commands::fetch::run(&args),
        Command::Cache(args) => commands::cache::run(&args),
        Command::Batch(args) => commands::batch::run(&args),
        Command::Lint(args) => commands::lint::run(&args),
        Command::Config(args) => commands::config::run(&args),
        Command::Fmt(args) => Ok(commands::fmt::run(&args)),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Test(args) => commands::test::run(&args),
        Command::Matrix(args) => commands::matrix::run(&args),
        Command::Survey(args) => commands::survey::run(&args),
        Command::Diff(args) => commands::diff::run(&args),
        Command::Convert(args) => commands::convert::run(&args),
        Command::Report(args) => commands::report::run(&args),
        Command::Robots(args) => commands::robots::run(&args),
        Command::Serve(args) => commands::serve::run(&args),
        Command::Completions(args) => commands::completions::run(&args),
        Command::Man(args) => commands::man::run(&args),
    };
    let exit = done.unwrap_or_else(|error| {
        exit::complain(&format!("{error:#}"));
        Exit::of(&error)
    });
    exit.status()
}
