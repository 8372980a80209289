//! `abide man`

use crate::args::{Cli, ManArgs};
use crate::exit::{Exit, written};
use anyhow::Context;
use clap::CommandFactory;
use std::io::{self, Write};

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
    written(io::stdout().lock().write_all(&roff))?;
    Ok(Exit::Done)
}
