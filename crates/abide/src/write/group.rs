//! Writes groups of robots.txt.

use super::error::{WriteError, WriteFault};
use super::item::{self, is_one_word};
use super::{DirectivesWriter, PreferenceWriter};
use crate::purpose::PurposeToken;
use crate::rep::token::ProductToken;
use crate::verdict::Sense;

const FIELD: &str = "a group";

/// A group: for whom it is, and what it says.
///
/// ```
/// use abide::PurposeToken;
/// use abide::verdict::Sense;
/// use abide::write::GroupWriter;
/// let group = GroupWriter::new()
///     .for_purpose(&PurposeToken::new("EXAMPLE-PURPOSE-1")?)
///     .with_rule(Sense::Disallow, "/")
///     .with_rule(Sense::Allow, "/public/");
/// assert_eq!(
///     group.text()?,
///     "User-Agent-Purpose: EXAMPLE-PURPOSE-1\nDisallow: /\nAllow: /public/\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupWriter {
    starters: Vec<String>,
    members: Vec<Member>,
}

/// A line below the starters.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Member {
    Rule(Sense, String),
    Directives(DirectivesWriter),
    Preference(PreferenceWriter),
}

impl GroupWriter {
    /// A group for nobody, without rules.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Addresses robots that claim a purpose (PUR-2). Robots that do not know such lines read the
    /// group as a part of the one before, so write it first.
    #[must_use]
    pub fn for_purpose(self, purpose: &PurposeToken) -> Self {
        self.for_value("User-Agent-Purpose", purpose.as_str())
    }

    /// Addresses a robot.
    #[must_use]
    pub fn for_robot(self, token: &ProductToken) -> Self {
        self.for_value("User-agent", token.as_str())
    }

    /// Addresses every robot that no other group names.
    #[must_use]
    pub fn for_everyone(self) -> Self {
        self.for_value("User-agent", "*")
    }

    fn for_value(mut self, key: &str, value: &str) -> Self {
        self.starters.push(format!("{key}: {value}"));
        self
    }

    /// Adds a rule with a pattern, which may be empty: `Disallow:` disallows nothing.
    #[must_use]
    pub fn with_rule(mut self, sense: Sense, pattern: impl Into<String>) -> Self {
        self.members.push(Member::Rule(sense, pattern.into()));
        self
    }

    /// Adds a line for applications.
    #[must_use]
    pub fn with_directives(mut self, directives: DirectivesWriter) -> Self {
        self.members.push(Member::Directives(directives));
        self
    }

    /// Adds a line about AI preferences.
    #[must_use]
    pub fn with_preference(mut self, preference: PreferenceWriter) -> Self {
        self.members.push(Member::Preference(preference));
        self
    }

    /// The lines of the group, each with LF.
    ///
    /// # Errors
    /// [`WriteError`] if it is for nobody, or has no line: its `User-agent` lines would belong to
    /// the group below. Also for a product token that no line can name, a pattern that does not
    /// begin with `/` or `*` or has blanks, control characters or `#`, and a line that cannot be
    /// written.
    pub fn text(&self) -> Result<String, WriteError> {
        let whole = |fault| WriteError::whole(FIELD, fault);
        if self.starters.is_empty() {
            return Err(whole(WriteFault::Empty("a robot or a purpose")));
        }
        if self.members.is_empty() {
            return Err(whole(WriteFault::Empty("a rule")));
        }
        let mut lines = Vec::new();
        for starter in &self.starters {
            let value = starter.split_once(": ").map_or("", |(_, value)| value);
            if !is_one_word(value) || value.is_empty() {
                let expected = "a product token such as ExampleBot";
                return Err(whole(WriteFault::unexpected(expected, value)));
            }
            lines.push(starter.clone());
        }
        for (number, member) in (1_usize..).zip(&self.members) {
            lines.push(match member {
                Member::Rule(sense, pattern) => rule(*sense, pattern).map_err(|fault| {
                    WriteError::at(FIELD, format!("line {number} below its names"), fault)
                })?,
                Member::Directives(directives) => directives.line()?,
                Member::Preference(preference) => preference.line()?,
            });
        }
        lines.push(String::new());
        Ok(lines.join("\n"))
    }
}

/// A rule (REP-18).
fn rule(sense: Sense, pattern: &str) -> Result<String, WriteFault> {
    let key = match sense {
        Sense::Allow => "Allow",
        Sense::Disallow => "Disallow",
    };
    if pattern.is_empty() {
        return Ok(format!("{key}:"));
    }
    Ok(format!("{key}: {}", item::pattern(pattern)?))
}
