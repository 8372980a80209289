//! `abide completions`

use crate::args::{Cli, CompletionsArgs};
use crate::exit::{Exit, written};
use clap::CommandFactory;
use std::io::{self, Write};

/// Writes the completion script of a shell to stdout.
pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    // Into memory first, because the generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "abide", &mut script);
    written(io::stdout().lock().write_all(&script))?;
    Ok(Exit::Done)
}
