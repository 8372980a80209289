//! `abide survey`: runs a survey, with progress on stderr.

use crate::args::{self, SurveyArgs};
use crate::exit::{Exit, note};
use crate::file_arg::FileArg;
use crate::interrupt;
use crate::progress;
use crate::robot_args::{purposes, robots};
use abide::explain::{counted, visible};
use abide::{Named, Profile, Target};
use abide_survey::schema::Table;
use abide_survey::{Options, Progress, Summary, Survey, WhatIf};
use anyhow::{Context, ensure};
use indicatif::ProgressBar;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The largest size of a list of files, in bytes.
const MAX_LIST_BYTES: u64 = 64 << 20;

/// Makes the tables.
pub(crate) fn run(args: &SurveyArgs) -> anyhow::Result<Exit> {
    let survey = survey(args)?;
    let stop = Arc::new(AtomicBool::new(false));
    stop_on_ctrl_c(&stop)?;
    let start = Instant::now();
    let bar = hidden_or_bar();
    let summary = survey.run(&stop, &mut |progress| show(&bar, progress));
    bar.finish_and_clear();
    let summary = summary?;
    for line in report(&summary, start.elapsed().as_secs_f64()) {
        note(&line);
    }
    if summary.is_complete {
        return Ok(Exit::Done);
    }
    let how = if survey.inputs.iter().any(|input| input.as_os_str() == "-") {
        "A survey of stdin cannot be resumed"
    } else {
        "To go on, run the same command with --resume"
    };
    note(&format!(
        "interrupted: the tables in {} have what was read so far. {how}",
        args.output
    ));
    Ok(Exit::Interrupted)
}

fn survey(args: &SurveyArgs) -> anyhow::Result<Survey> {
    for path in &args.paths {
        ensure!(
            path.starts_with('/') && Target::new(path).is_ok(),
            "--path takes paths that begin with \"/\", not {}",
            visible(path.as_bytes())
        );
    }
    let mut tables: BTreeSet<Table> = match args.tables.as_slice() {
        [] => Table::standard().collect(),
        some => some
            .iter()
            .filter_map(|name| Named::by_name(name))
            .collect(),
    };
    if args.lint {
        tables.insert(Table::Findings);
    }
    if args.pages {
        tables.extend(Table::OF_PAGES);
    }
    ensure!(
        !tables.contains(&Table::Changes) || !args.what_if.is_empty(),
        "the table changes needs --what-if, such as --what-if attach"
    );
    let what_if = args.what_if.iter();
    let what_if: BTreeSet<WhatIf> = what_if.filter_map(|name| Named::by_name(name)).collect();
    if !what_if.is_empty() {
        ensure!(
            args.profile == Profile::Careful,
            "--what-if compares readings of the profile careful; leave out --profile google"
        );
        tables.insert(Table::Changes);
    }
    Ok(Survey {
        inputs: inputs(args)?,
        folder: PathBuf::from(args.output.as_str()),
        options: Options {
            robots: robots(&args.agents, args.literal, true)?,
            asked: args.agents.clone(),
            purposes: purposes(&args.purpose, None)?,
            paths: args.paths.clone(),
            tables,
            profile: args.profile,
            literal: args.literal,
            verify: args.verify,
            what_if,
        },
        format: Named::by_name(args.format).unwrap_or_default(),
        threads: args::threads(args.jobs),
        is_resumed: args.resume,
    })
}

fn inputs(args: &SurveyArgs) -> anyhow::Result<Vec<PathBuf>> {
    let mut inputs: Vec<PathBuf> = args
        .inputs
        .iter()
        .map(|input| input.as_str().into())
        .collect();
    if let Some(list) = &args.files_from {
        ensure!(
            !(list.is_stdin() && args.inputs.iter().any(FileArg::is_stdin)),
            "the list of files and an input cannot both come from stdin; name a file for one of them"
        );
        inputs.extend(listed_files(list)?);
    }
    ensure!(!inputs.is_empty(), "no input; name files or folders");
    Ok(inputs)
}

/// The files that a list names.
fn listed_files(list: &FileArg) -> anyhow::Result<Vec<PathBuf>> {
    let hint = || {
        format!(
            "cannot read {}; --files-from takes a list of files",
            list.shown()
        )
    };
    let from: Box<dyn Read> = if list.is_stdin() {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(list).with_context(hint)?)
    };
    let mut text = String::new();
    let read = from.take(MAX_LIST_BYTES + 1).read_to_string(&mut text);
    let read = read.with_context(hint)?;
    ensure!(
        read as u64 <= MAX_LIST_BYTES,
        "{} has more than {} MiB; survey parts of the list",
        list.shown(),
        MAX_LIST_BYTES >> 20
    );
    let names = text.lines().filter(|line| !line.is_empty());
    let names: Vec<PathBuf> = names.map(PathBuf::from).collect();
    ensure!(
        !names.iter().any(|name| name.as_os_str() == "-"),
        "{} names stdin; name it as an argument: -",
        list.shown()
    );
    Ok(names)
}

/// The first Ctrl-C ends the survey after the current piece of work, the second one at once.
fn stop_on_ctrl_c(stop: &Arc<AtomicBool>) -> anyhow::Result<()> {
    let stop = Arc::clone(stop);
    interrupt::on_ctrl_c(move || {
        if stop.swap(true, Ordering::Relaxed) {
            // What is complete is on the disk.
            interrupt::end();
        }
    })
}

fn hidden_or_bar() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = "{bar:40} {bytes}/{total_bytes}, {bytes_per_sec}, {msg}, {eta} left";
    progress::bar(Some(0), template)
}

fn show(bar: &ProgressBar, progress: &Progress) {
    bar.set_length(progress.total);
    bar.set_position(progress.read);
    bar.set_message(match progress.total {
        0 => "reading stdin".to_owned(),
        _ => format!("{} files", progress.captures),
    });
}

/// The summary, in lines.
fn report(summary: &Summary, seconds: f64) -> Vec<String> {
    #[expect(clippy::cast_precision_loss, reason = "a rate is not exact")]
    let rate = summary.records as f64 / seconds.max(0.001);
    let skipped: u64 = summary.skipped.values().sum();
    let failed: u64 = summary.failed.values().sum();
    let pages = match summary.pages {
        0 => String::new(),
        pages => format!("{}, ", counted(pages, "page")),
    };
    let mut lines = vec![format!(
        "{} read in {seconds:.1} s ({rate:.0} per second): {} robots.txt, {pages}{skipped} skipped, {failed} failed",
        counted(summary.records, "record"),
        summary.captures
    )];
    let redirects = summary.followed + summary.not_followed;
    if redirects > 0 {
        lines.push(format!(
            "redirects: {} followed, {} not, because their target is not in the input",
            summary.followed, summary.not_followed
        ));
    }
    for (what, counts) in [
        ("skipped", &summary.skipped),
        ("failed", &summary.failed),
        ("used in spite of errors", &summary.noted),
    ] {
        if !counts.is_empty() {
            lines.push(format!("{what}: {}", listed(counts)));
        }
    }
    if summary.verified > 0 || !summary.not_verified.is_empty() {
        let verified = counted(summary.verified, "capture");
        let others = listed(&summary.not_verified);
        lines.push(match others.as_str() {
            "" => format!("digests: those of {verified} are right"),
            _ => format!("digests: those of {verified} are right; not checked: {others}"),
        });
    }
    for (what_if, count) in &summary.changes {
        let robots = counted(count.robots, "robot");
        let is_about_pages = WhatIf::by_name(what_if) == Some(WhatIf::Repext);
        let whereabouts = if is_about_pages {
            counted(count.sites, "page")
        } else {
            let (sites, groups) = (counted(count.sites, "site"), counted(count.groups, "group"));
            format!("{sites}, by {groups}")
        };
        lines.push(format!(
            "{what_if} would change answers on {whereabouts}, for {robots}"
        ));
    }
    if failed > 0 || !summary.noted.is_empty() {
        lines.push("the table errors has the place of each error".to_owned());
    }
    lines
}

fn listed(counts: &BTreeMap<String, u64>) -> String {
    let counts = counts.iter();
    let counts = counts.map(|(name, count)| format!("{count} {}", visible(name.as_bytes())));
    counts.collect::<Vec<_>>().join(", ")
}
