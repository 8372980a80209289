//! How far abide does what a document says, as its vectors show when they run.

use serde::Serialize;

/// How far abide does what a document says (RFC 7942).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "the command fills it in")]
pub struct DocumentStatus {
    /// Name of the document, such as `repext-03`.
    pub document: String,
    /// Its title and revision.
    pub title: String,
    /// The implementation.
    pub implementation: &'static str,
    /// Version of the implementation.
    pub version: &'static str,
    /// Licence of the implementation, as an SPDX expression.
    pub licence: &'static str,
    /// How many vectors about the document ran.
    pub vectors: usize,
    /// How many of them got the expected answer.
    pub passed: usize,
    /// The requirements of the document, by the strength of its words.
    pub levels: Vec<LevelStatus>,
    /// Readings that are not the letter of the text, on purpose.
    pub deviations: Vec<Deviation>,
    /// Vectors that got another answer.
    pub failures: Vec<FailedVector>,
}

/// The requirements of one level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "the command fills it in")]
pub struct LevelStatus {
    /// `must`, `should`, `may`, `descriptive`, or `resolution`: what the document leaves open.
    pub level: String,
    /// How many requirements there are.
    pub requirements: usize,
    /// For how many of them all vectors ran and passed.
    pub passed: usize,
    /// The requirements with a vector that failed.
    pub failed: Vec<String>,
    /// The requirements that no vector shows, only tests of the source. They did not run.
    pub by_tests: Vec<String>,
}

/// A reading that is not the letter of the text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "the command fills it in")]
pub struct Deviation {
    /// ID of the resolution.
    pub id: String,
    /// Section of the document.
    pub section: String,
}

/// A vector that got another answer than expected.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "the command fills it in")]
pub struct FailedVector {
    /// The requirement that the vector is about.
    pub id: String,
    /// Name of the vector.
    pub name: String,
    /// What differs.
    pub difference: String,
}
