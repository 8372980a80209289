//! Tests of a file by its cases.

use super::file::file;
use super::work::too_much;
use super::{INVALID_CASES, Work};
use crate::Versioned;
use crate::codes;
use crate::names::Object;
use crate::request::Body;
use crate::request_error::RequestError;
use crate::site_preferences::SitePreferences;
use crate::test::TestReport;
use abide_analysis::expectation::{Case, Cases, CasesError, run_while};
use serde::Deserialize;

/// The largest number of checks: robots times URLs of all cases.
const MAX_CHECKS: usize = 20_000;

/// A file, and what its site expects of it.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TestRequest {
    /// The robots.txt as text.
    pub robots: Option<Body>,
    /// The file in base64, for any bytes.
    pub robots_base64: Option<String>,
    /// The text of a TOML file of cases.
    pub cases: String,
    /// Whether to leave out what operators document about their robots.
    #[serde(default)]
    pub literal: bool,
    /// Vocabularies that count for every case, whatever it says, and documents beside robots.txt.
    pub preferences: Option<Object<SitePreferences>>,
}

impl TestRequest {
    /// Tests what the site expects.
    ///
    /// # Errors
    /// [`RequestError`] for members that cannot be read, for cases with [`INVALID_CASES`], and with
    /// [`TOO_MUCH_WORK`](super::TOO_MUCH_WORK).
    pub fn answer<T>(
        &self,
        work: &Work<'_>,
        write: impl FnOnce(&Versioned<TestReport<'_>>) -> T,
    ) -> Result<T, RequestError> {
        let bytes = file(self.robots.as_ref(), self.robots_base64.as_deref(), "")?;
        let cases = Cases::read(&self.cases).map_err(|error| invalid(&error))?;
        check_size(&cases)?;
        let cases = if self.literal {
            cases.without_known_facts()
        } else {
            cases
        };
        let cases = self.with_preferences(cases)?;
        let checks =
            run_while(&cases, &bytes, || work.goes_on()).map_err(|error| invalid(&error))?;
        Ok(write(&TestReport::new(&work.whole(checks)?)))
    }

    /// The cases with what the request says about preferences.
    fn with_preferences(&self, mut cases: Cases) -> Result<Cases, RequestError> {
        let Some(Object(preferences)) = &self.preferences else {
            return Ok(cases);
        };
        if !cases.ask_preferences() {
            let reason = "no case expects anything of train, ai-input or search";
            let error = RequestError::new(codes::INVALID_PREFERENCES, "/preferences", reason);
            return Err(
                error.with_remedy("leave the member out, or add such an expectation to a case")
            );
        }
        if let Some(vocabularies) = preferences.vocabularies()? {
            cases = cases.with_vocabularies(&vocabularies);
        }
        if let Some(revision) = preferences.revision()? {
            cases = cases.with_revision(revision);
        }
        if let Some(scope) = preferences.signal_scope()? {
            cases = cases.with_signal_scope(scope);
        }
        cases.documents = preferences.documents()?;
        Ok(cases)
    }
}

fn check_size(cases: &Cases) -> Result<(), RequestError> {
    let checks = |case: &Case| case.agents.len().saturating_mul(case.urls.len());
    let counts = cases.cases.iter().map(checks);
    let count = counts.fold(0, usize::saturating_add);
    if count <= MAX_CHECKS {
        return Ok(());
    }
    let reason = format!(
        "expected at most {MAX_CHECKS} checks, but found {count}: one for each robot and URL of a case"
    );
    Err(too_much("/cases", reason).with_remedy("divide the cases"))
}

fn invalid(error: &CasesError) -> RequestError {
    RequestError::new(INVALID_CASES, "/cases", error)
        .with_remedy("correct these lines; docs/test.md describes cases")
}
