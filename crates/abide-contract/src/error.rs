//! What is answered in place of a decision, as JSON.

use crate::agent::AgentJson;
use crate::text;
use abide::Profile;
use abide_known_robots::Robot;
use serde::Serialize;
use serde_json::value::RawValue;

/// The answer to a request that cannot be read, with fields in the order of the contract.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(
        rename = "ErrorAnswer",
        deny_unknown_fields,
        description = "The answer to a request that cannot be read."
    )
)]
pub struct ErrorJson<'a> {
    /// The `id` of the request, as written.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Value"))]
    id: Option<&'a RawValue>,
    /// For a bare URL: the text of the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    error: ReportedError<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<AgentJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Profile>,
}

/// What is wrong.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
struct ReportedError<'a> {
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::codes::ALL)))]
    code: &'a str,
    /// Number of the line of input, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    input_line: Option<u64>,
    #[serde(skip_serializing_if = "str::is_empty")]
    pointer: &'a str,
    message: &'a str,
}

impl<'a> ErrorJson<'a> {
    /// An error with one of the codes of the contract, and what is wrong and how to fix it.
    #[must_use]
    pub const fn new(code: &'a str, message: &'a str) -> Self {
        Self {
            id: None,
            url: None,
            error: ReportedError {
                code,
                input_line: None,
                pointer: "",
                message,
            },
            agent: None,
            profile: None,
        }
    }

    /// Adds the JSON Pointer (RFC 6901) to the member that is wrong, unless it is empty.
    #[must_use]
    pub const fn with_pointer(mut self, pointer: &'a str) -> Self {
        self.error.pointer = pointer;
        self
    }

    /// Adds the `id` of the request.
    pub(crate) const fn with_id(mut self, id: Option<&'a RawValue>) -> Self {
        self.id = id;
        self
    }

    /// Adds the number of the line of input, from 1.
    #[must_use]
    pub const fn with_input_line(mut self, line: Option<u64>) -> Self {
        self.error.input_line = line;
        self
    }

    /// Adds the text that was taken for a URL, the robot and the profile.
    #[must_use]
    pub fn with_request(mut self, url: &'a str, robot: &'a Robot, profile: Profile) -> Self {
        self.url = Some(url);
        self.agent = Some(AgentJson::new(robot.names()));
        self.profile = Some(profile);
        self
    }

    /// Appends the answer to `lines` as one line without a line end.
    ///
    /// # Panics
    /// Only on a bug: the answer always serialises.
    pub fn write_line(&self, lines: &mut Vec<u8>) {
        text::append(lines, self);
    }
}
