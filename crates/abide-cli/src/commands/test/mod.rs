//! `abide test`

mod files;
mod human;
mod junit;

use crate::args::{ReportFormat, TestArgs};
use crate::exit::{Exit, put, warn, written};
use crate::fetch::Network;
use crate::file_arg::FileArg;
use crate::page_args::{documents, warn_of_whole_urls};
use crate::source::Source;
use abide::Client;
use abide::Limits;
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
    let cases = with_preferences(cases, args)?;
    let checks = checked(&cases, &bytes(&files.robots, args)?);
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
