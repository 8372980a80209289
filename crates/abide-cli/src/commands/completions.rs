//! `abide completions`

use crate::args::{Cli, CompletionsArgs};
use crate::exit::{Exit, put, written};
use clap::CommandFactory;

/// Writes the completion script of a shell to stdout.
pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    // Into memory first, because the generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "abide", &mut script);
    written(put(&script))?;
    Ok(Exit::Done)
}
