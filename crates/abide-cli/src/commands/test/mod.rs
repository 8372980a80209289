//! `abide test`

mod junit;

use crate::args::{ReportFormat, TestArgs};
use crate::exit::{Exit, warn, written};
use crate::fetch::Network;
use crate::file_arg::FileArg;
use crate::source::{Source, read_file};
use abide::Limits;
use abide::explain::{visible, visible_url};
use abide::{Client, ProductToken};
use abide_json::test::ChecksJson;
use abide_json::text;
use abide_lint::expectation::{Cases, Check, make, run as checked};
use anstyle::{AnsiColor, Style};
use anyhow::{Context, ensure};
use std::io::{self, Write};

/// The largest size of a file of cases, in bytes.
const LONGEST: usize = 4 << 20;

/// Tests a robots.txt, or writes cases for it.
pub(crate) fn run(args: &TestArgs) -> anyhow::Result<Exit> {
    match (&args.init, &args.cases, &args.robots) {
        (Some(robots), ..) => {
            let name = if robots.is_stdin() {
                "robots.txt"
            } else {
                robots.as_str()
            };
            let cases = make(&bytes(robots, args)?, name);
            let mut out = io::stdout().lock();
            written(out.write_all(cases.as_bytes()).and_then(|()| out.flush()))?;
            Ok(Exit::Done)
        }
        (None, Some(cases), Some(robots)) => tested(cases, robots, args),
        _ => anyhow::bail!("expected a file of cases and a robots.txt, or --init and a robots.txt"),
    }
}

/// Reads the robots.txt; each case parses it for its own client.
fn bytes(name: &FileArg, args: &TestArgs) -> anyhow::Result<Vec<u8>> {
    let client = Client::new(ProductToken::new("abide")?);
    let network = Network::new(&client, &args.network, None);
    let limit = Limits::GOOGLE.bytes();
    let bytes = Source::named(name).served(limit, &network)?.bytes;
    if bytes.len() > limit {
        warn(&format!(
            "{name} is longer than {limit} bytes; the rest is ignored"
        ));
    }
    Ok(bytes)
}

fn tested(name: &FileArg, robots: &FileArg, args: &TestArgs) -> anyhow::Result<Exit> {
    let text = read_file(
        name,
        LONGEST,
        "abide test takes a TOML file of cases; --init writes one",
    )?;
    ensure!(
        text.len() <= LONGEST,
        "{name} is longer than {LONGEST} bytes; split it"
    );
    let text = String::from_utf8(text.to_vec()).with_context(|| format!("cannot read {name}"))?;
    let cases = Cases::read(&text).with_context(|| format!("in {name}"))?;
    let checks = checked(&cases, &bytes(robots, args)?);
    written(match args.format {
        ReportFormat::Human => human(&checks, name, robots),
        ReportFormat::Json => plain(&text::pretty(&ChecksJson::new(&checks))),
        ReportFormat::Junit => plain(&junit::report(&checks, name.as_str())),
    })?;
    Ok(if checks.iter().all(Check::passed) {
        Exit::Done
    } else {
        Exit::Prohibited
    })
}

fn plain(report: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{report}")?;
    out.flush()
}

/// Writes each failure with its reason, and the number of failures.
fn human(checks: &[Check], cases: &FileArg, robots: &FileArg) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    let bad = AnsiColor::Red.on_default().bold();
    for check in checks.iter().filter(|check| !check.passed()) {
        writeln!(
            out,
            "{bad}FAILED{bad:#} {} ({cases}, line {})",
            visible(check.name.as_bytes()),
            check.line
        )?;
        writeln!(out, "  {}, {}", agent(check), visible_url(&check.url))?;
        for failure in &check.failures {
            let (about, expected, found) = (&failure.about, &failure.expected, &failure.found);
            writeln!(out, "  {about}: expected {expected}, but got {found}")?;
        }
        for text in &check.explanation {
            for line in crate::width::folded(text, 76) {
                writeln!(out, "    {line}")?;
            }
        }
        writeln!(out)?;
    }
    let passed = checks.iter().filter(|check| check.passed()).count();
    let failed = checks.len() - passed;
    let style = match failed {
        0 => AnsiColor::Green.on_default().bold(),
        _ => Style::new().bold(),
    };
    writeln!(
        out,
        "{style}{passed} passed, {failed} failed{style:#} ({robots})"
    )?;
    out.flush()
}

/// The agent, as reports name it.
fn agent(check: &Check) -> String {
    match check.agent.as_str() {
        "*" => "any other robot".to_owned(),
        name => abide::explain::visible(name.as_bytes()),
    }
}
