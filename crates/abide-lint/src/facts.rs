//! What the analyses of a file find: rules that decide nothing, URLs on which parsers differ, and
//! paths on which vocabularies of preferences do.

/// Why a rule decides nothing. Numbers are lines of other rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnusedRule {
    /// A rule of the same sense covers the same paths.
    Duplicate(u32),
    /// A rule of the other sense covers the same paths, and wins.
    Cancelled(u32),
    /// A stronger rule covers all its paths, and more.
    Shadowed(u32),
    /// Without it all its paths get the same answer: because of a weaker rule of the same sense, or
    /// because nothing disallows them.
    Redundant(Option<u32>),
}

/// A robot and a path that parsers answer differently.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "one answer for each reading")]
pub(crate) struct ParserDifference {
    /// The robot's product token; `*` for one that no group names.
    pub(crate) agent: String,
    /// The path.
    pub(crate) path: String,
    /// The line that the path was made of.
    pub(crate) line: u32,
    /// Whether it is allowed, with the extensions.
    pub(crate) aware: bool,
    /// Whether it is allowed by RFC 9309 alone.
    pub(crate) legacy: bool,
    /// Whether google/robotstxt allows it.
    pub(crate) google: bool,
    /// Whether ACAP records leave it allowed.
    pub(crate) acap: bool,
}

/// A robot and a path for which two vocabularies say different things.
#[derive(Clone, Debug)]
pub(crate) struct Disagreement {
    /// The line that the path was made of, or that decides.
    pub(crate) line: u32,
    /// The product token; `None` for robots that no group names.
    pub(crate) agent: Option<String>,
    pub(crate) path: String,
    /// What the engine reports.
    pub(crate) message: String,
    /// Whether both vocabularies have the same statements for the same paths, and only choose
    /// between them in other ways.
    pub(crate) has_same_statements: bool,
}

impl Disagreement {
    /// For whom, as people read it.
    pub(crate) fn who(&self) -> &str {
        self.agent.as_deref().unwrap_or("robots without a group")
    }
}
