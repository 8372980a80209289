//! Which fields the responses of a site get, by path.

use super::error::{WriteError, WriteFault};
use super::item;
use crate::pattern::PathPattern;
use crate::preference::content_usage;
use crate::structured::{self, Member};
use crate::tag::{FieldLine, header};
use crate::text::Part as _;
use sfv::BareItem;

/// A field of a response that says what robots may do with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResponseField {
    /// `Robots-Tag`.
    RobotsTag,
    /// `X-Robots-Tag`, for robots that do not read `Robots-Tag`.
    XRobotsTag,
    /// `Content-Usage`.
    ContentUsage,
}

crate::named!(
    ResponseField,
    "field",
    [
        RobotsTag = "Robots-Tag",
        XRobotsTag = "X-Robots-Tag",
        ContentUsage = "Content-Usage"
    ]
);

/// Rules that say which responses of a site get which fields. Of the patterns that match the path
/// of a request, the longest decides about its field, as in RFC 9309 (REP-41), and of two that are
/// equally long the first.
///
/// ```
/// use abide::write::{FieldRules, ResponseField};
/// let rules = FieldRules::new()
///     .with("/", ResponseField::RobotsTag, &["*;noai"])?
///     .with("/drafts/", ResponseField::RobotsTag, &["*;noindex"])?
///     .with("/drafts/open$", ResponseField::RobotsTag, &[])?;
/// let of = |path| rules.fields(path).map(|(_, value)| value).collect::<Vec<_>>();
/// assert_eq!(of("/drafts/1?x"), ["*;noindex"]);
/// assert_eq!(of("/about"), ["*;noai"]);
/// assert!(of("/drafts/open").is_empty());
/// # Ok::<(), abide::write::WriteError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldRules {
    rules: Vec<FieldRule>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct FieldRule {
    pattern: String,
    field: ResponseField,
    values: Vec<String>,
}

impl FieldRules {
    /// No response gets a field.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the responses of paths that match `pattern` these values of a field, each in a line of
    /// its own. Without values they get none, whatever shorter patterns say.
    ///
    /// # Errors
    /// [`WriteError`] for a pattern that does not begin with `/` or `*`, or has a rule for this
    /// field already; for a value that robots would read with a finding, such as `noindex` in
    /// `Robots-Tag`, where it names a robot; and for one that is not printable ASCII.
    pub fn with(
        mut self,
        pattern: &str,
        field: ResponseField,
        values: &[&str],
    ) -> Result<Self, WriteError> {
        let at = |fault| WriteError::at(field.name(), pattern.escape_debug().to_string(), fault);
        item::pattern(pattern).map_err(at)?;
        let is_known = |rule: &FieldRule| rule.field == field && rule.pattern == pattern;
        if self.rules.iter().any(is_known) {
            let name = pattern.into();
            return Err(at(WriteFault::Repeated { name }));
        }
        for value in values {
            check(field, value).map_err(at)?;
        }
        self.rules.push(FieldRule {
            pattern: pattern.to_owned(),
            field,
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        });
        Ok(self)
    }

    /// The fields for a response to a request for `path`, with its query, in the order of
    /// [`ResponseField::ALL`]. Values are printable ASCII.
    pub fn fields(&self, path: &str) -> impl Iterator<Item = (ResponseField, &str)> {
        let strongest = ResponseField::ALL.iter().filter_map(|field| {
            let of_field = self.rules.iter().rev().filter(|rule| rule.field == *field);
            let matching = of_field.filter_map(|rule| {
                let pattern = PathPattern::read(rule.pattern.as_bytes()).ok()?;
                let matches = pattern.matches(path.as_bytes());
                matches.then_some((pattern.length(), rule))
            });
            // The last of the longest, and the rules are reversed.
            matching.max_by_key(|(length, _)| *length)
        });
        strongest.flat_map(|(_, rule)| rule.values.iter().map(|value| (rule.field, &**value)))
    }
}

/// Checks that robots read a value as it is meant.
fn check(field: ResponseField, value: &str) -> Result<(), WriteFault> {
    item::string(value)?;
    let (expected, is_readable) = match field {
        ResponseField::RobotsTag => (
            "a value such as \"*;noindex, ExampleBot;nosnippet\"",
            is_list_of_rules(value),
        ),
        ResponseField::XRobotsTag => (
            "a value such as \"noindex\" or \"ExampleBot: nosnippet\"",
            !header::read(&[FieldLine::new(field.name(), value)])
                .0
                .is_empty(),
        ),
        ResponseField::ContentUsage => (
            "a value such as \"train-ai=n\"",
            content_usage::is_dictionary(value.as_bytes()),
        ),
    };
    if is_readable {
        return Ok(());
    }
    Err(WriteFault::unexpected(expected, value))
}

/// Whether a value is a List (TAG-3) of robots that have rules. A member without one was probably
/// meant as a rule.
fn is_list_of_rules(value: &str) -> bool {
    let value = value.as_bytes();
    let mut members = structured::members(value, usize::MAX).peekable();
    let is_some = members.peek().is_some();
    let mut members = members.map(|span| structured::read(value.part(span.start..span.end)));
    let is_robot = |item: &BareItem| matches!(item, BareItem::Token(_) | BareItem::String(_));
    is_some
        && members.all(|member| {
            matches!(member, Some(Member::Item(name, rules)) if is_robot(&name) && !rules.is_empty())
        })
}
