//! `abide man`

use crate::args::{Cli, ManArgs};
use crate::exit::{Exit, put, written};
use anyhow::Context;
use clap::CommandFactory;

/// Writes a manual page to stdout.
pub(crate) fn run(args: &ManArgs) -> anyhow::Result<Exit> {
    let mut whole = Cli::command();
    whole.build();
    let page = match &args.command {
        None => clap_mangen::Man::new(whole),
        Some(name) => {
            let command = whole
                .find_subcommand(name)
                .context("no such subcommand")?
                .clone();
            clap_mangen::Man::new(command.display_name(format!("abide-{name}")))
        }
    };
    let mut roff = Vec::new();
    page.render(&mut roff)?;
    written(put(&roff))?;
    Ok(Exit::Done)
}
