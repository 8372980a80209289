//! Writes the failures for people, by cause.

use super::files::Files;
use crate::width;
use abide_analysis::expectation::{Check, FailedCase, FailureCause, causes};
use abide_analysis::words::listed;
use abide_analysis::words::shown_url;
use anstyle::{AnsiColor, Style};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// The largest number of cases named for one cause.
const MAX_CASES: usize = 12;
/// The largest number of robots, and of URLs, named for one case.
const MAX_NAMES: usize = 8;
/// The largest number of different explanations for one cause.
const MAX_EXPLANATIONS: usize = 3;

/// Writes each cause with what fails because of it, and the number of failures.
pub(super) fn report(checks: &[Check], files: &Files) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    let width = width::columns(None);
    for cause in causes(checks) {
        block(&mut out, &cause, files, width)?;
    }
    let warnings: BTreeSet<(u32, &String)> = checks
        .iter()
        .flat_map(|check| check.findings.iter().map(|finding| (check.line, finding)))
        .collect();
    let note = AnsiColor::Yellow.on_default().bold();
    for (line, finding) in warnings {
        writeln!(
            out,
            "{note}warning{note:#} {finding} ({}, line {line})",
            files.cases
        )?;
    }
    let passed = checks.iter().filter(|check| check.passed).count();
    let failed = checks.len() - passed;
    let style = match failed {
        0 => AnsiColor::Green.on_default().bold(),
        _ => Style::new().bold(),
    };
    writeln!(
        out,
        "{style}{passed} passed, {failed} failed{style:#} ({})",
        files.robots
    )?;
    out.flush()
}

/// Writes a cause, the cases with their robots and URLs, and the reasons.
fn block(
    out: &mut impl Write,
    cause: &FailureCause<'_>,
    files: &Files,
    width: usize,
) -> io::Result<()> {
    let bad = AnsiColor::Red.on_default().bold();
    let cases = cause.cases();
    let failure = cause.failure;
    match (cause.checks.as_slice(), cases.as_slice()) {
        ([only], _) => {
            let (robot, url) = (only.robot(), shown_url(&only.url));
            writeln!(out, "{bad}FAILED{bad:#} {robot}, {url}: {failure}")?;
        }
        (several, _) => {
            writeln!(
                out,
                "{bad}FAILED{bad:#} {} checks: {failure}",
                several.len()
            )?;
        }
    }
    for case in cases.iter().take(MAX_CASES) {
        let text = of_case(case, files, cause.checks.len() > 1);
        width::paragraph(out, &text, 2, width)?;
    }
    if let Some(more @ 1..) = cases.len().checked_sub(MAX_CASES) {
        writeln!(out, "  and {more} more cases (--format json lists them)")?;
    }
    // The same mistake has the same few reasons for most robots.
    let mut seen = BTreeSet::new();
    for check in &cause.checks {
        let Some(groups) = check.explanation.first() else {
            continue;
        };
        let own = groups.replace(&check.robot(), "");
        if seen.len() < MAX_EXPLANATIONS && seen.insert(own) {
            let text = match cause.checks.as_slice() {
                [_] => check.explanation.join(" "),
                _ => groups.clone(),
            };
            width::paragraph(out, &text, 4, width)?;
        }
    }
    writeln!(out)
}

/// ``"drafts are closed" (cases.toml, line 4): Googlebot, GPTBot; /drafts/``
fn of_case(case: &FailedCase<'_>, files: &Files, with_checks: bool) -> String {
    let place = format!("\"{}\" ({}, line {})", case.name, files.cases, case.line);
    if !with_checks {
        return place;
    }
    let urls: Vec<_> = case.urls.iter().map(|url| shown_url(url)).collect();
    format!(
        "{place}: {}; {}",
        listed(&case.robots, MAX_NAMES),
        listed(&urls, MAX_NAMES)
    )
}
