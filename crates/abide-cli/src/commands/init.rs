//! `abide init`

use crate::args::InitArgs;
use crate::exit::{Exit, complain, note, put, warn, written};
use crate::file_arg::FileArg;
use crate::replace::create_or_replace;
use abide_analysis::wishes::{WishError, Wishes};
use anyhow::{Context as _, ensure};
use std::fs;

/// Writes a robots.txt that was proved to keep the wishes.
pub(crate) fn run(args: &InitArgs) -> anyhow::Result<Exit> {
    let wishes = Wishes {
        no_training: args.no_training,
        no_ai_input: args.no_ai_input,
        keep_search: args.keep_search,
        staging: args.staging,
        block: args.block.clone(),
        delay: args.delay,
        sitemaps: args.sitemaps.clone(),
    };
    let draft = match wishes.draft() {
        Err(error @ WishError::NotKept(_)) => {
            complain(&error.to_string());
            return Ok(Exit::Prohibited);
        }
        draft => draft?,
    };
    match args.output.as_ref().filter(|file| !file.is_stdin()) {
        Some(file) => write(file, args.force, &draft.text)?,
        None => written(put(&draft.text))?,
    }
    if !args.quiet {
        for line in &draft.notes {
            warn(line);
        }
        note(&draft.summary);
    }
    Ok(Exit::Done)
}

fn write(file: &FileArg, may_replace: bool, text: &str) -> anyhow::Result<()> {
    ensure!(
        !file.as_str().is_empty(),
        "--output has no name; name the file to write, or - for stdout"
    );
    // What is no file, such as a named pipe, is written to and loses nothing.
    let has_file = fs::metadata(file).is_ok_and(|about| about.is_file());
    ensure!(
        may_replace || !has_file,
        "{file} exists; --force replaces it"
    );
    create_or_replace(file, text.as_bytes()).with_context(|| format!("cannot write {file}"))
}
