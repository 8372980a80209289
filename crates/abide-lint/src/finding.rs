//! The parts of a finding: what it is about, related places, and fixes.

use abide::Span;
use abide::explain::visible;
use abide_analysis::data;
use serde::Serialize;
use std::borrow::Cow;

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Input {
    /// The robots.txt.
    RobotsTxt,
    /// A response or its page: header fields and meta elements.
    Response,
    /// A `tdmrep.json`.
    Tdmrep,
    /// An RSL licence document.
    Rsl,
}

abide::named!(
    Input,
    [
        RobotsTxt = "robots.txt",
        Response = "response",
        Tdmrep = "tdmrep.json",
        Rsl = "rsl"
    ]
);

/// Another place that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RelatedPlace {
    /// Its line.
    pub line: u32,
    /// Its first byte, and the byte after the last.
    pub span: Span,
    /// How it is related, in a few words.
    pub message: Cow<'static, str>,
}

/// A change that fixes a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Fix {
    /// Whether it may be applied without asking: `safe` changes no answer.
    pub safety: Safety,
    /// What it does, such as "remove the line".
    pub title: Cow<'static, str>,
    /// Replacements of bytes of the decoded text. They do not overlap. None if the text only has to
    /// be written as it was read.
    pub edits: Vec<Edit>,
}

/// Whether a fix may be applied without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Safety {
    /// The file means the same: in both profiles every robot, known robots included, gets the same
    /// answer for every URL. This is proved for each fix; what is not proved is not safe.
    Safe,
    /// Answers may change, to what was probably meant.
    Unsafe,
}

abide::named!(Safety, [Safe = "safe", Unsafe = "unsafe"]);

/// A replacement of bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Edit {
    /// What is replaced: its first byte, and the byte after the last. Empty to insert.
    pub span: Span,
    /// The new bytes.
    #[serde(serialize_with = "data::text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub replacement: Vec<u8>,
}

impl Fix {
    /// A fix that replaces `span`.
    #[must_use]
    pub fn replace(
        safety: Safety,
        title: impl Into<Cow<'static, str>>,
        span: Span,
        replacement: impl Into<Vec<u8>>,
    ) -> Self {
        Self {
            safety,
            title: safe(title),
            edits: vec![Edit {
                span,
                replacement: replacement.into(),
            }],
        }
    }

    /// A fix that removes `span`.
    #[must_use]
    pub fn remove(safety: Safety, title: impl Into<Cow<'static, str>>, span: Span) -> Self {
        Self::replace(safety, title, span, Vec::new())
    }
}

/// A sentence in which nothing acts or misleads, whatever foreign text a rule puts into it: our own
/// words stay as they are.
pub(crate) fn safe(sentence: impl Into<Cow<'static, str>>) -> Cow<'static, str> {
    match sentence.into() {
        Cow::Owned(text) => visible(text.as_bytes()).into(),
        own @ Cow::Borrowed(_) => own,
    }
}
