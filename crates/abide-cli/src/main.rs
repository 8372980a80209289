//! The `abide` command: `args` is what was typed, `client` who asks, `commands` what is done about it, `source` where
//! robots.txt files come from, `fetch` how they come over the network, `cache` where they are kept, `head` where field lines come from, `lines` how long inputs are read, `exit` what the shell is told,
//! `report` findings in many forms, `replace` how files are rewritten, `unified` how that is shown before, `xml` what text is in XML.

mod args;
mod cache;
mod client;
mod commands;
mod exit;
mod fetch;
mod file_arg;
mod head;
mod lines;
mod replace;
mod report;
mod source;
mod unified;
mod xml;

use args::Command;
use exit::Exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = match args::typed().command {
        Command::Check(args) => commands::check::run(&args),
        Command::Fetch(args) => commands::fetch::run(&args),
        Command::Cache(args) => commands::cache::run(&args),
        Command::Batch(args) => commands::batch::run(&args),
        Command::Lint(args) => commands::lint::run(&args),
        Command::Fmt(args) => Ok(commands::fmt::run(&args)),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Test(args) => commands::test::run(&args),
        Command::Diff(args) => commands::diff::run(&args),
        Command::Convert(args) => commands::convert::run(&args),
        Command::Completions(args) => commands::completions::run(&args),
        Command::Man(args) => commands::man::run(&args),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(error) => {
            exit::complain(&format!("{error:#}"));
            Exit::Failed.into()
        }
    }
}
