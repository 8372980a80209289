//! The `abide` command, as a library for packages that embed it.
//!
//! - `args`: the arguments; `robot_args`: the client that they describe; `page_args`: the pages;
//!   `config`: the settings of files.
//!
//! - `commands`: one file for each subcommand.
//!
//! - `input`: `file_arg` has the names of files and URLs, `robots_files` the files that arguments
//!   name, `source` where a robots.txt comes from, `robots_source` files that are compared as a
//!   whole, `url_list` lists of URLs, `server_config` the fields that a server is told to send, and
//!   `lines` and `chunks` long input.
//!
//! - `fetch`: the network; `cache`: where files are kept.
//!
//! - `url_answers`: answers about URLs, one or many; `bulk`: runs threads over chunks of lines and
//!   writes their answers.
//!
//! - `output`: `table` has the answers as rows, `report` findings, each in several formats;
//!   `ordered` writes what threads answer in the order of the input, `width` wraps text for the
//!   terminal, and `csv`, `xml` and `markdown` escape text.
//!
//! - `replace` rewrites files, `unified_diff` shows a diff first; `progress` shows a bar; `exit`
//!   sets the exit status, and `interrupt` ends output on Ctrl-C.

mod args;
mod bulk;
mod cache;
mod colour;
mod commands;
mod config;
mod exit;
mod fetch;
mod input;
#[cfg(feature = "survey")]
mod interrupt;
mod output;
mod page_args;
mod progress;
mod replace;
mod robot_args;
mod unified_diff;
mod url_answers;

use args::Command;
use exit::Exit;
use input::{
    chunks, file_arg, lines, robots_files, robots_source, server_config, sitemaps, source, url_list,
};
use output::{csv, markdown, ordered, report, table, width, xml};
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
        Command::Init(args) => commands::init::run(&args),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Test(args) => commands::test::run(&args),
        Command::Matrix(args) => commands::matrix::run(&args),
        #[cfg(feature = "survey")]
        Command::Survey(args) => commands::survey::run(&args),
        Command::Diff(args) => commands::diff::run(&args),
        Command::Convert(args) => commands::convert::run(&args),
        Command::Registry(args) => commands::registry::run(&args),
        #[cfg(feature = "survey")]
        Command::Report(args) => commands::report::run(&args),
        #[cfg(not(feature = "survey"))]
        Command::Survey(_) | Command::Report(_) => Err(commands::without("surveys", "survey")),
        Command::Robots(args) => commands::robots::run(&args),
        Command::Conformance(args) => commands::conformance::run(&args),
        #[cfg(all(feature = "serve", unix))]
        Command::Serve(args) => commands::serve::run(&args),
        #[cfg(all(feature = "serve", not(unix)))]
        Command::Serve(_) => Err(anyhow::anyhow!(
            "`abide serve` needs Unix, such as Linux or macOS; on Windows, run it in WSL or a container"
        )),
        #[cfg(not(feature = "serve"))]
        Command::Serve(_) => Err(commands::without("the service", "serve")),
        Command::Completions(args) => commands::completions::run(&args),
        Command::Man(args) => commands::man::run(&args),
    };
    let exit = done.unwrap_or_else(|error| {
        exit::complain(&format!("{error:#}"));
        Exit::of(&error)
    });
    exit.status()
}
