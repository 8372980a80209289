//! Whether a file does what its site expects.

use super::{Answer, Files, needed};
use abide_analysis::expectation::{Cases, CasesError, run};
use abide_contract::test::TestReport;
use abide_contract::{RequestError, read};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TestRequest {
    /// The text of a TOML file of cases.
    cases: String,
    #[serde(default)]
    literal: bool,
}

pub(super) fn test(request: &[u8], [file, _]: Files<'_>) -> Result<Answer, RequestError> {
    let request: TestRequest = read(request)?;
    let file = needed(file, "robots")?;
    let cases = Cases::read(&request.cases).map_err(|error| wrong(&error))?;
    let cases = if request.literal {
        cases.without_known_facts()
    } else {
        cases
    };
    let checks = run(&cases, file).map_err(|error| wrong(&error))?;
    Ok(Answer::of(&TestReport::new(&checks)))
}

/// The error of cases, with the code that the service has for it.
fn wrong(error: &CasesError) -> RequestError {
    let error = RequestError::new("invalid-cases", "/cases", error);
    error.with_remedy("correct these lines; docs/test.md describes cases")
}
