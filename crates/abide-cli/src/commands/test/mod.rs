//! `abide test`

mod files;
mod human;
mod junit;

use crate::args::{ReportFormat, TestArgs};
use crate::exit::{Exit, put, warn, written};
use crate::fetch::Network;
use crate::file_arg::FileArg;
use crate::page_args::{documents, warn_of_whole_urls};
use crate::sitemaps::{self, NamedSitemaps, SitemapPages};
use crate::source::Source;
use abide::explain::visible_url;
use abide::{Client, Limits, Robots, Target};
use abide_analysis::expectation::{Cases, make, run as checked};
use abide_contract::test::TestReport;
use abide_contract::text;
use anyhow::{Context, ensure};
use files::Files;

/// Tests a robots.txt, or writes cases for it.
pub(crate) fn run(args: &TestArgs) -> anyhow::Result<Exit> {
    let Some(robots) = &args.init else {
        return tested(&Files::named(args)?, args);
    };
    ensure!(
        !args.vocabulary.are_given(),
        "--vocabulary, --revision, --signal-scope, --tdmrep and --rsl have no effect with --init, \
         which asks what the robots.txt says by itself"
    );
    let name = if robots.is_stdin() {
        "robots.txt"
    } else {
        robots.as_str()
    };
    let cases = make(&bytes(robots, args)?, name);
    written(put(cases))?;
    Ok(Exit::Done)
}

/// Reads the robots.txt; each case parses it for its own client.
fn bytes(name: &FileArg, args: &TestArgs) -> anyhow::Result<Vec<u8>> {
    let network = Network::new(Client::unnamed(), &args.network, None);
    let limit = Limits::GOOGLE.bytes();
    let bytes = Source::named(name).served(limit, &network)?.bytes;
    if bytes.len() > limit {
        warn(&format!(
            "{name} is longer than {limit} bytes; the rest is ignored"
        ));
    }
    Ok(bytes)
}

fn tested(files: &Files, args: &TestArgs) -> anyhow::Result<Exit> {
    let cases = files.read_cases()?;
    let cases = if args.literal {
        cases.without_known_facts()
    } else {
        cases
    };
    let mut cases = with_preferences(cases, args)?;
    let bytes = bytes(&files.robots, args)?;
    add_sitemaps(&mut cases, files, &bytes, args)?;
    let checks = checked(&cases, &bytes);
    let checks = checks.with_context(|| format!("in {}", files.cases))?;
    written(match args.format {
        ReportFormat::Human => human::report(&checks, files),
        ReportFormat::Json => put(text::pretty(&TestReport::new(&checks)) + "\n"),
        ReportFormat::Junit => junit::report(&checks, files.cases.as_str()),
    })?;
    Ok(if checks.iter().all(|check| check.passed) {
        Exit::Done
    } else {
        Exit::Prohibited
    })
}

/// Adds the URLs of the sitemaps that cases name. Files are beside that of the cases.
fn add_sitemaps(
    cases: &mut Cases,
    files: &Files,
    robots: &[u8],
    args: &TestArgs,
) -> anyhow::Result<()> {
    let network = Network::new(Client::unnamed(), &args.network, None);
    let robots = Robots::parse(robots);
    let source = Source::named(&files.robots);
    let named = NamedSitemaps::new(&source, robots.sitemaps().map(|(_, value)| value));
    for case in &mut cases.cases {
        let Some(name) = case.sitemap.take() else {
            continue;
        };
        let place = || format!("in {}, line {}", files.cases, case.line);
        let name = sitemaps::beside(&files.cases, &FileArg::from(name));
        let read = SitemapPages::read(std::slice::from_ref(&name), Some(&named), &network);
        let mut pages = read.with_context(place)?;
        if !pages.trouble.is_empty() {
            return Err(pages.trouble.swap_remove(0)).with_context(place);
        }
        pages.tell_notes();
        let before = case.urls.len();
        let unread = pages.for_each(|url| {
            Target::new(url).with_context(|| visible_url(url))?;
            case.urls.push(url.to_owned());
            Ok(())
        });
        ensure!(
            unread == 0 && case.urls.len() > before,
            "in {}, line {}: every entry of {name} has to be a URL, and there has to be one",
            files.cases,
            case.line
        );
    }
    Ok(())
}

/// The cases with what the arguments say about preferences.
fn with_preferences(mut cases: Cases, args: &TestArgs) -> anyhow::Result<Cases> {
    let given = &args.vocabulary;
    ensure!(
        !given.are_given() || cases.ask_preferences(),
        "--vocabulary, --revision, --signal-scope, --tdmrep and --rsl have no effect, because no \
         case expects anything of train, ai-input or search"
    );
    if !given.vocabularies.is_empty() {
        cases = cases.with_vocabularies(&given.vocabularies);
    }
    if let Some(revision) = given.revision {
        cases = cases.with_revision(revision);
    }
    if let Some(scope) = given.signal_scope {
        cases = cases.with_signal_scope(scope);
    }
    cases.documents = documents(given)?;
    let pages = cases.cases.iter().flat_map(|case| &case.urls);
    let remedy = "name the pages of the cases by whole URLs";
    warn_of_whole_urls(&cases.documents, pages, remedy);
    Ok(cases)
}
