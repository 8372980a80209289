//! What the code of a finding means.

use super::UNKNOWN_CODE;
use crate::SCHEMA;
use crate::request_error::RequestError;
use abide_lint::rules::{self, UnknownCodeError};
use serde::{Deserialize, Serialize};

/// The code of a finding.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct LintCodeRequest {
    /// The code, such as `pattern-no-slash`.
    pub code: String,
}

/// What a code of findings means.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LintCode {
    /// Version of this form.
    schema: u32,
    /// The code, such as `pattern-no-slash`.
    code: &'static str,
    /// How much such findings matter: info, warning or error.
    severity: &'static str,
    /// What is found, why it matters, what is wrong and what is right, in Markdown.
    markdown: &'static str,
}

impl LintCode {
    /// What `code` means, which a finding or a decision has.
    ///
    /// # Errors
    /// [`RequestError`] with [`UNKNOWN_CODE`].
    pub fn of(code: &str) -> Result<Self, RequestError> {
        // What decisions report can have another name here.
        let diagnostic = || code.parse().ok().and_then(rules::of_diagnostic);
        let rule = rules::of(code).or_else(diagnostic).ok_or_else(|| {
            let error = RequestError::new(UNKNOWN_CODE, "/code", UnknownCodeError::of(code));
            let error = error.naming("");
            error.with_remedy("write the code as a finding has it")
        })?;
        Ok(Self {
            schema: SCHEMA,
            code: rule.code(),
            severity: rule.severity().name(),
            markdown: rule.markdown(),
        })
    }
}
