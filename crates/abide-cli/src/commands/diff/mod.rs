//! `abide diff`

mod compared_file;
mod human;
mod lines;
mod markdown;

use crate::args::{DiffArgs, DiffFormat};
use crate::exit::{Exit, UnknownError, put, warn, written};
use crate::fetch::Network;
use crate::robot_args::{purposes, robots};
use crate::url_list::read_all;
use abide::Robots;
use abide::explain::visible;
use abide_analysis::Bound;
use abide_analysis::compare::{self, ChangedUrls, Differences, NamedClient, Review};
use abide_analysis::words::listed;
use abide_contract::diff::Diff;
use abide_contract::{Room, text};
use anyhow::{Context, ensure};
use compared_file::ComparedFile;
use std::io::{self, Write};

/// The largest size of a list of URLs, in bytes: those that change are kept.
const MAX_LIST_BYTES: usize = 64 << 20;

/// Compares two files; the exit status says whether anything changes.
pub(crate) fn run(args: &DiffArgs) -> anyhow::Result<Exit> {
    let stdins = [Some(&args.old), Some(args.new_file()), args.urls.as_ref()];
    let stdins = stdins.into_iter().flatten().filter(|name| name.is_stdin());
    ensure!(
        stdins.count() < 2,
        "only one of OLD, NEW and --urls can be stdin"
    );
    let agents = robots(&args.agents, args.literal, false)?;
    let purposes = purposes(&args.purpose, None)?;
    let files = compared_files(args)?;
    written(show_answers(args, &files))?;
    let Some((old, new)) = both(&files)? else {
        return Ok(Exit::Prohibited);
    };
    let clients = compare::clients_named(&agents, args.literal, old, new).context("in --agent")?;
    let clients = compare::claiming(clients, &purposes);
    let is_everyone = agents.is_empty() && purposes.is_empty();
    let differences = compare::files(old, new, &clients, Bound::default());
    let review = Review::new(old, new, &differences, is_everyone, Bound::default());
    let mut urls = ChangedUrls::new(old, new, &differences);
    if let Some(name) = &args.urls {
        let hint = "--urls takes a file of URLs, one a line, or a sitemap";
        let is_too_long = format!("is longer than {MAX_LIST_BYTES} bytes");
        let most = (usize::MAX, MAX_LIST_BYTES);
        read_all(name, hint, most, &is_too_long, |target| urls.add(&target))?;
    }
    let report = DiffReport {
        args,
        differences,
        review,
        urls: args.urls.is_some().then_some(urls),
        bytes: old.text().as_bytes().len() + new.text().as_bytes().len(),
    };
    let (is_complete, is_equivalent) = (
        report.review.is_complete(&report.differences),
        report.review.is_equivalent(&report.differences),
    );
    written(match args.format {
        DiffFormat::Human => human::write(&report),
        DiffFormat::Markdown => markdown::write(&report),
        DiffFormat::Json => json(report),
    })?;
    if !is_complete {
        warn(
            "the comparison stopped at its limit: the changes shown are correct, but the list may be incomplete",
        );
    }
    Ok(if is_equivalent {
        Exit::Done
    } else {
        Exit::Prohibited
    })
}

/// The two files, from the places that the arguments name.
fn compared_files(args: &DiffArgs) -> anyhow::Result<[ComparedFile; 2]> {
    let lines = [&args.old_user_agent, &args.new_user_agent].map(Option::as_ref);
    let names = [&args.old, args.new_file()];
    if lines == [None, None] {
        let network = Network::of_abide(&args.network);
        let read = |at: usize| ComparedFile::read(names[at], &network);
        return Ok([read(0)?, read(1)?]);
    }
    let read = |at: usize| {
        let network = args.network.sending(lines[at]);
        let network = Network::of_abide(&network);
        ComparedFile::to_line(names[at], lines[at].is_some(), &network)
    };
    Ok([read(0)?, read(1)?])
}

/// The rules of both files. `None` if the site is unreachable with one of two `User-Agent` lines.
fn both(files: &[ComparedFile; 2]) -> anyhow::Result<Option<(&Robots, &Robots)>> {
    match files.each_ref().map(|file| file.robots.as_ref()) {
        [Some(old), Some(new)] => Ok(Some((old, new))),
        [None, None] => {
            let why = "nothing was compared: the site is unreachable with both User-Agent lines";
            Err(UnknownError(why.to_owned()).into())
        }
        _ => {
            warn(
                "nothing was compared: with one of the User-Agent lines the site is unreachable, so \
                 robots may crawl nothing",
            );
            Ok(None)
        }
    }
}

/// Shows what a site answered, if that is part of the question. Formats for programs have no place
/// for it.
fn show_answers(args: &DiffArgs, files: &[ComparedFile; 2]) -> io::Result<()> {
    let sides = ["old", "new"].iter().zip(files);
    let lines: Vec<_> = sides
        .filter_map(|(side, file)| {
            let words = file.words.as_ref()?;
            Some(format!("{side}  {}", visible(words.as_bytes())))
        })
        .collect();
    let text = lines.join("\n");
    match args.format {
        _ if lines.is_empty() => Ok(()),
        DiffFormat::Human => writeln!(anstream::stdout().lock(), "{text}\n"),
        DiffFormat::Markdown | DiffFormat::Json => writeln!(anstream::stderr().lock(), "{text}"),
    }
}

/// The report.
struct DiffReport<'a> {
    args: &'a DiffArgs,
    differences: Differences,
    review: Review,
    urls: Option<ChangedUrls>,
    /// The bytes of both files.
    bytes: usize,
}

fn json(report: DiffReport<'_>) -> io::Result<()> {
    let (old, new) = (report.args.old.as_str(), report.args.new_file().as_str());
    let diff = Diff::new(old, new, report.differences, report.review, report.urls);
    let diff = if report.args.all {
        diff
    } else {
        diff.within(Room::for_bytes(report.bytes))
    };
    put(text::pretty(&diff) + "\n")
}

/// The names that an answer is about: the first ones, and how many more.
fn names(clients: &[NamedClient], most: usize) -> String {
    let name = |client: &NamedClient| match (&client.agent, &client.purpose) {
        (Some(agent), _) => abide::explain::visible(agent.as_bytes()),
        (None, Some(purpose)) => format!("others with the purpose {purpose}"),
        (None, None) => "robots that neither file names".to_owned(),
    };
    // Named clients come first.
    let (named, others): (Vec<_>, Vec<_>) = clients.iter().partition(|one| one.agent.is_some());
    let all: Vec<String> = named.into_iter().chain(others).map(name).collect();
    listed(&all, most)
}
