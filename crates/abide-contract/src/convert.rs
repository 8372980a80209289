//! The result of a conversion as JSON. `schema/convert.json` describes it; the order of fields is
//! stable.

use abide_lint::convert::{Conversion, ConversionFinding};
use serde::Serialize;

/// Version of the format: the value of the `schema` member.
pub const SCHEMA: u32 = 1;

/// A conversion, with fields in the order of the schema.
#[derive(Debug, Serialize)]
pub struct ConvertedJson<'a> {
    schema: u32,
    converted: Option<&'a str>,
    findings: Vec<ConversionFindingJson<'a>>,
}

#[derive(Debug, Serialize)]
struct ConversionFindingJson<'a> {
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    refuses: bool,
    message: &'a str,
}

impl<'a> ConvertedJson<'a> {
    /// The JSON form of `converted`.
    #[must_use]
    pub fn new(converted: &'a Conversion) -> Self {
        let finding = |finding: &'a ConversionFinding| ConversionFindingJson {
            code: finding.loss.code(),
            line: finding.line,
            refuses: finding.refuses,
            message: &finding.message,
        };
        Self {
            schema: SCHEMA,
            converted: converted.text(),
            findings: converted.findings().iter().map(finding).collect(),
        }
    }
}
