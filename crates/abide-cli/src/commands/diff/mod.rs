//! `abide diff`

mod human;
mod urls;

use crate::args::{DiffArgs, DiffFormat};
use crate::exit::{Exit, warn, written};
use crate::fetch::Network;
use crate::file_arg::FileArg;
use crate::source::Source;
use abide::Limits;
use abide::{Client, ProductToken, Robots};
use abide_json::diff::DiffJson;
use abide_json::text;
use abide_lint::compare::{self, Bound, ChangedUrls, Differences, NamedClient};
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
    let client = Client::new(ProductToken::new("abide")?);
    let network = Network::new(&client, &args.network, None);
    let old = read(&args.old, &network)?;
    let new = read(&args.new, &network)?;
    let clients = clients(args, &old, &new)?;
    let differences = compare::files(&old, &new, &clients, Bound::default());
    let mut urls = ChangedUrls::new(&old, &new, &differences);
    if let Some(name) = &args.urls {
        urls::add_all(name, &mut urls)?;
    }
    let report = Report {
        args,
        differences: &differences,
        urls: args.urls.is_some().then_some(urls),
    };
    written(match args.format {
        DiffFormat::Human => human::write(&report),
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
struct Report<'a> {
    args: &'a DiffArgs,
    differences: &'a Differences,
    urls: Option<ChangedUrls<'a>>,
}

fn json(report: &Report<'_>) -> io::Result<()> {
    let (old, new) = (report.args.old.as_str(), report.args.new.as_str());
    let json = DiffJson::new(old, new, report.differences, report.urls.as_ref());
    let mut out = io::stdout().lock();
    writeln!(out, "{}", text::pretty(&json))?;
    out.flush()
}

fn read(name: &FileArg, network: &Network<'_>) -> anyhow::Result<Robots> {
    let source = Source::named(name);
    let limit = Limits::default().bytes();
    let bytes = source.served(limit, network)?.bytes;
    if bytes.len() > limit {
        warn(&format!(
            "{source} is longer than {limit} bytes; the rest is ignored (RFC 9309, 2.5)"
        ));
    }
    Ok(Robots::parse(&bytes))
}

fn clients(args: &DiffArgs, old: &Robots, new: &Robots) -> anyhow::Result<Vec<NamedClient>> {
    if args.agents.is_empty() {
        return Ok(compare::clients(old, new));
    }
    let client = |name: &String| {
        let token = ProductToken::new(name).or_else(|_| ProductToken::nonstandard(name));
        let token = token
            .context("--agents takes the bare names that robots.txt uses, such as Googlebot")?;
        Ok(NamedClient::named(&token, old, new))
    };
    args.agents.iter().map(client).collect()
}

/// The names that an answer is about: the first ones, and how many more.
fn names(clients: &[NamedClient], most: usize) -> String {
    let name = |client: &NamedClient| match (&client.agent, &client.purpose) {
        (Some(agent), _) => abide::explain::visible(agent.as_bytes()),
        (None, Some(purpose)) => format!("others with the purpose {purpose}"),
        (None, None) => "all others".to_owned(),
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
