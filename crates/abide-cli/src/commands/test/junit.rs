//! Writes `JUnit` XML for CI systems: one suite, with a case for each check.

use crate::xml::escaped;
use abide_lint::expectation::Check;
use std::fmt::Write;

/// The report about the checks of the file `name`, without a final line end.
pub(super) fn report(checks: &[Check], name: &str) -> String {
    let failed = checks.iter().filter(|check| !check.passed).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{failed}\" errors=\"0\"",
        checks.len()
    );
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a String cannot fail.
    let _ = writeln!(xml, "<testsuites name=\"abide test\" {counts}>");
    let _ = writeln!(xml, "  <testsuite name=\"{}\" {counts}>", escaped(name));
    for check in checks {
        case(&mut xml, check, name);
    }
    xml.push_str("  </testsuite>\n</testsuites>");
    xml
}

fn case(xml: &mut String, check: &Check, file: &str) {
    let title = format!("{} [{}]", check.name, check.url);
    let _ = write!(
        xml,
        "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\"",
        escaped(&check.agent),
        escaped(&title),
        escaped(file),
        check.line
    );
    if check.passed {
        xml.push_str("/>\n");
        return;
    }
    let failures = check.failures.iter();
    let message: Vec<_> = failures.map(ToString::to_string).collect();
    let text: Vec<_> = check.explanation.iter().map(|text| escaped(text)).collect();
    let _ = writeln!(
        xml,
        ">\n      <failure message=\"{}\">{}</failure>\n    </testcase>",
        escaped(&message.join("; ")),
        text.join("\n")
    );
}
