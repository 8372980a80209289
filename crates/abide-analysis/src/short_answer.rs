//! The short answer: what a file says about one usage of a page, and what decides it.

use crate::data;
use abide::verdict::{Reason, Role, Source};
use abide::{Condition, Evidence, Outcome, Usage, UsageDecision};
use serde::Serialize;

/// What a file says about one usage of a page, in short.
///
/// ```
/// use abide::{Client, Policy, ProductToken, Target};
/// use abide_analysis::ShortAnswer;
/// let client = Client::new(ProductToken::new("ExampleBot")?);
/// let policy = Policy::compile(b"User-agent: *\nDisallow: /private/\n", &client);
/// let decision = policy.decide(&Target::new("/private/x")?);
/// let answer = ShortAnswer::new(decision.usages.crawl());
/// assert_eq!(answer.statement_line(), Some(2));
/// assert_eq!(answer.decided_by.unwrap().group.as_deref(), Some("*"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers read answers from JSON too"
)]
pub struct ShortAnswer {
    /// The outcome.
    pub outcome: Outcome,
    /// The conditions of a conditional outcome.
    pub conditions: Vec<Condition>,
    /// What decided the outcome; null if no source says anything.
    pub decided_by: Option<DecidedBy>,
}

/// What decided an outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers read answers from JSON too"
)]
pub struct DecidedBy {
    /// The kind of source.
    pub source: Source,
    /// Why it decided, as in a decision.
    pub reason: Reason,
    /// Why the file is unavailable or unreachable, as in a decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// The number of the line, in the robots.txt or a header field; null if the source has no
    /// lines. If no rule of a group matches, the group's first line.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub line: Option<u32>,
    /// The statement on it; null if there is none.
    #[serde(serialize_with = "data::text_or_null")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub statement: Vec<u8>,
    /// The name through which its group applies; absent if no group does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

impl ShortAnswer {
    /// The answer about a usage: what [`ShortAnswer::deciding`] says.
    #[must_use]
    pub fn new(decision: &UsageDecision<'_>) -> Self {
        Self::by(decision, Self::deciding(decision).map(DecidedBy::new))
    }

    /// The evidence that decides: the first, unless it is in a group that does not apply.
    #[must_use]
    pub fn deciding<'e, 'p>(decision: &'e UsageDecision<'p>) -> Option<&'e Evidence<'p>> {
        let mut evidence = decision.evidence.iter();
        evidence.find(|one| one.reason != Reason::OtherGroup)
    }

    /// The answer about a usage, whose preferences only statements with an effect decide. Where
    /// crawling is disallowed there are none: that decides then, and no line.
    pub(crate) fn in_effect(decision: &UsageDecision<'_>) -> Self {
        if !Usage::PREFERENCES.contains(&decision.usage) {
            return Self::by(decision, decision.evidence.first().map(DecidedBy::new));
        }
        let first = |is: fn(&Evidence<'_>) -> bool| decision.evidence.iter().find(|one| is(one));
        let decided = first(|one| one.role == Role::Decided).map(DecidedBy::new);
        let void = || first(|one| one.reason == Reason::CrawlProhibited);
        let by = decided.or_else(|| {
            Some(DecidedBy {
                line: None,
                statement: Vec::new(),
                ..DecidedBy::new(void()?)
            })
        });
        Self::by(decision, by)
    }

    fn by(decision: &UsageDecision<'_>, decided_by: Option<DecidedBy>) -> Self {
        Self {
            outcome: decision.outcome,
            conditions: decision.conditions.clone(),
            decided_by,
        }
    }

    /// The statement that decides. `None` if none does, so that [`DecidedBy::reason`] is all there
    /// is to say.
    #[must_use]
    pub fn statement(&self) -> Option<&[u8]> {
        let by = self.decided_by.as_ref()?;
        let states = !matches!(by.source, Source::Default | Source::Fetch);
        (states && !by.statement.is_empty()).then_some(&by.statement)
    }

    /// The number of the line with the statement that decides.
    #[must_use]
    pub fn statement_line(&self) -> Option<u32> {
        self.statement()?;
        self.decided_by.as_ref()?.line
    }
}

impl DecidedBy {
    fn new(evidence: &Evidence<'_>) -> Self {
        let place = evidence.place.map(|place| place.line);
        let group = evidence.selected_by.as_ref();
        Self {
            source: evidence.source,
            reason: evidence.reason,
            cause: evidence.cause.map(|cause| cause.to_string()),
            line: place.or(evidence.field_line()),
            statement: evidence.statement.to_vec(),
            group: group.map(|group| group.by.token().to_owned()),
        }
    }

    /// The reason as data has it, and what caused it: `unreachable (HTTP status 503)`.
    #[must_use]
    pub fn reason_with_cause(&self) -> String {
        match &self.cause {
            Some(cause) => format!("{} ({cause})", self.reason.name()),
            None => self.reason.name().to_owned(),
        }
    }
}
