//! `abide diff`

mod human;
mod lines;
mod markdown;
mod urls;

use crate::args::{DiffArgs, DiffFormat};
use crate::exit::{Exit, warn, written};
use crate::fetch::Network;
use crate::robot_args;
use crate::robots_source;
use abide::{Client, ProductToken, Profile};
use abide_json::diff::DiffJson;
use abide_json::{Room, text};
use abide_lint::compare::{self, Bound, ChangedUrls, Differences, NamedClient, Review};
use anyhow::{Context, ensure};
use std::io::{self, Write};

/// Compares two files; the exit status says whether anything changes.
pub(crate) fn run(args: &DiffArgs) -> anyhow::Result<Exit> {
    let stdins = [Some(&args.old), Some(&args.new), args.urls.as_ref()];
    let stdins = stdins.into_iter().flatten().filter(|name| name.is_stdin());
    ensure!(
        stdins.count() < 2,
        "only one of OLD, NEW and --urls can be stdin"
    );
    let asked = robot_args::listed(&args.agents, args.literal, false)?;
    let client = Client::new(ProductToken::new("abide")?);
    let network = Network::new(&client, &args.network, None);
    let mut files = Vec::new();
    for name in [&args.old, &args.new] {
        let robots = robots_source::read(name, Profile::Careful, &network);
        files.push(robots.map_err(|error| match Exit::of(&error) {
            Exit::Unknown => error.context("nothing was compared"),
            _ => error,
        })?);
    }
    let [old, new] = files.as_slice() else {
        anyhow::bail!("expected two files");
    };
    let clients = compare::asked_clients(&asked, args.literal, old, new).context("in --agent")?;
    let differences = compare::files(old, new, &clients, Bound::default());
    let review = Review::new(old, new, &differences, asked.is_empty(), Bound::default());
    let mut urls = ChangedUrls::new(old, new, &differences);
    if let Some(name) = &args.urls {
        urls::add_all(name, &mut urls)?;
    }
    let report = DiffReport {
        args,
        differences: &differences,
        review: &review,
        urls: args.urls.is_some().then_some(urls),
        bytes: old.text().as_bytes().len() + new.text().as_bytes().len(),
    };
    written(match args.format {
        DiffFormat::Human => human::write(&report),
        DiffFormat::Markdown => markdown::write(&report),
        DiffFormat::Json => json(&report),
    })?;
    if !differences.is_complete() {
        warn(
            "the comparison stopped at its limit: the changes shown are correct, but the list may be incomplete",
        );
    }
    Ok(if differences.is_equivalent() {
        Exit::Done
    } else {
        Exit::Prohibited
    })
}

/// The report.
struct DiffReport<'a> {
    args: &'a DiffArgs,
    differences: &'a Differences,
    review: &'a Review,
    urls: Option<ChangedUrls<'a>>,
    /// The bytes of both files.
    bytes: usize,
}

fn json(report: &DiffReport<'_>) -> io::Result<()> {
    let (old, new) = (report.args.old.as_str(), report.args.new.as_str());
    let urls = report.urls.as_ref();
    let json = DiffJson::new(old, new, report.differences, report.review, urls);
    let json = if report.args.all {
        json
    } else {
        json.within(Room::for_bytes(report.bytes))
    };
    let mut out = io::stdout().lock();
    writeln!(out, "{}", text::pretty(&json))?;
    out.flush()
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
    let shown = all.iter().take(most).map(String::as_str);
    let shown = shown.collect::<Vec<_>>().join(", ");
    match all.len().checked_sub(most) {
        None | Some(0) => shown,
        Some(more) => format!("{shown} and {more} more"),
    }
}
