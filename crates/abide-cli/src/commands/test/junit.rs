//! `JUnit` XML of the checks: one suite, with a case for each check.

use crate::report::{JunitCase, JunitSuite, write_junit};
use crate::xml::escaped;
use abide_analysis::expectation::Check;
use std::io::{self, Write};

/// The report about the checks of the file `name`.
pub(super) fn report(checks: &[Check], name: &str) -> io::Result<()> {
    let cases = checks.iter().map(|check| case(check, name)).collect();
    let mut out = io::stdout().lock();
    write_junit(&mut out, "abide test", &[JunitSuite { name, cases }])?;
    out.flush()
}

fn case(check: &Check, file: &str) -> JunitCase {
    let title = format!("{} [{}]", check.name, check.url);
    let mut case = JunitCase::passed(&check.agent, &title);
    let place = format!("file=\"{}\" line=\"{}\"", escaped(file), check.line);
    case.attributes = format!("{} {place}", case.attributes);
    if !check.passed {
        let message: Vec<_> = check.failures.iter().map(ToString::to_string).collect();
        let text: Vec<_> = check.explanation.iter().map(|text| escaped(text)).collect();
        let (message, text) = (escaped(&message.join("; ")), text.join("\n"));
        case.content = format!("<failure message=\"{message}\">{text}</failure>");
        case.is_failed = true;
    }
    case
}
