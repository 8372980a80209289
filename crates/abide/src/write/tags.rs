//! Writes `Robots-Tag` and `X-Robots-Tag`.

use super::error::{WriteError, WriteFault};
use super::item;
use crate::app::DirectiveValue;
use crate::rep::token::ProductToken;
use crate::tag::header::{self, FieldLimit};
use crate::tag::{FieldLine, Scope, StatedRule};
use std::collections::BTreeSet;

const ROBOTS_TAG: &str = "Robots-Tag";
const X_ROBOTS_TAG: &str = "X-Robots-Tag";
const A_RULE: WriteFault = WriteFault::Empty("a rule");

/// The robots tags of a response: which robots get which rules.
///
/// ```
/// use abide::tag::{Scope, StatedRule};
/// use abide::write::RobotsTagWriter;
/// let tags = RobotsTagWriter::new()
///     .with_rule(Scope::Everyone, StatedRule::new("noindex", None))
///     .with_rule(Scope::Token("MJ12bot".to_owned()), StatedRule::new("nofollow", None));
/// assert_eq!(tags.robots_tag()?, "*;noindex, \"MJ12bot\";nofollow");
/// assert_eq!(tags.x_robots_tag()?, ["noindex", "MJ12bot: nofollow"]);
/// # Ok::<(), abide::write::WriteError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RobotsTagWriter {
    members: Vec<(Scope, Vec<StatedRule>)>,
}

impl RobotsTagWriter {
    /// No rules yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a rule for the robots of `scope`, behind the rules that they have.
    #[must_use]
    pub fn with_rule(mut self, scope: Scope, rule: StatedRule) -> Self {
        match self.members.iter_mut().find(|(known, _)| *known == scope) {
            Some((_, rules)) => rules.push(rule),
            None => self.members.push((scope, vec![rule])),
        }
        self
    }

    /// The value of `Robots-Tag`: one List (TAG-3). A product token that RFC 9309 does not allow is
    /// written as a String; the value of a rule as an Integer or a Token, or else as a String.
    ///
    /// # Errors
    /// [`WriteError`] if there is no rule, and for a name that is no product token, a name of a
    /// rule that is no key of structured fields, a value that no String can hold, a rule that is
    /// repeated for a robot, and a value longer than 8192 bytes (TAG-14).
    pub fn robots_tag(&self) -> Result<String, WriteError> {
        let members: Result<Vec<_>, _> = self
            .members
            .iter()
            .map(|(scope, rules)| member(scope, rules))
            .collect();
        let value = members?.join(", ");
        self.checked(ROBOTS_TAG, &[&value])?;
        Ok(value)
    }

    /// The values of `X-Robots-Tag` fields, one for all robots and one for each product token. The
    /// field is deprecated (TAG-22): it is for robots that do not read `Robots-Tag`.
    ///
    /// # Errors
    /// [`WriteError`] as for [`robots_tag`](Self::robots_tag), and for what its older grammar
    /// cannot say (AMB-TAG-3): a value of a rule that takes none, and a comma in a value.
    pub fn x_robots_tag(&self) -> Result<Vec<String>, WriteError> {
        let lines: Result<Vec<_>, _> = self
            .members
            .iter()
            .map(|(scope, rules)| line(scope, rules))
            .collect();
        let lines = lines?;
        self.checked(X_ROBOTS_TAG, &lines)?;
        Ok(lines)
    }

    /// Checks that there is something to say, and that robots read all of it.
    fn checked(&self, field: &'static str, lines: &[impl AsRef<str>]) -> Result<(), WriteError> {
        if self.members.is_empty() {
            return Err(WriteError::whole(field, A_RULE));
        }
        let bytes = lines.iter().map(|line| line.as_ref().len()).sum();
        let limit = FieldLimit::FLOOR;
        if bytes > limit {
            return Err(WriteError::whole(
                field,
                WriteFault::TooLong { bytes, limit },
            ));
        }
        Ok(())
    }
}

/// A name as messages show it.
fn name_of(scope: &Scope) -> &str {
    match scope {
        Scope::Token(name) => name,
        Scope::Everyone => "*",
    }
}

/// The place of a rule, starting from 1.
fn place(number: usize, scope: &Scope) -> String {
    format!("rule {number} of {}", name_of(scope).escape_debug())
}

/// Checks a name: some robot has to be called like that.
fn check_name(field: &'static str, scope: &Scope) -> Result<(), WriteError> {
    let Scope::Token(name) = scope else {
        return Ok(());
    };
    let begins = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let is_token = ProductToken::nonstandard(name).is_ok();
    if is_token && name.is_ascii() && name.starts_with(begins) {
        return Ok(());
    }
    let expected = "a product token such as ExampleBot";
    Err(WriteError::whole(
        field,
        WriteFault::unexpected(expected, name),
    ))
}

/// Checks that a robot has each rule once.
fn check_repeated(
    field: &'static str,
    scope: &Scope,
    rules: &[StatedRule],
) -> Result<(), WriteError> {
    let mut names = BTreeSet::new();
    for (number, rule) in (1..).zip(rules) {
        if !names.insert(&rule.name) {
            let name = rule.name.as_str().into();
            let fault = WriteFault::Repeated { name };
            return Err(WriteError::at(field, place(number, scope), fault));
        }
    }
    Ok(())
}

/// A member of the List.
fn member(scope: &Scope, rules: &[StatedRule]) -> Result<String, WriteError> {
    check_name(ROBOTS_TAG, scope)?;
    check_repeated(ROBOTS_TAG, scope, rules)?;
    let is_token = |name: &str| {
        ProductToken::new(name).is_ok() && name.starts_with(|c: char| c.is_ascii_alphabetic())
    };
    let mut member = match scope {
        Scope::Token(name) if !is_token(name) => {
            item::string(name).map_err(|fault| WriteError::whole(ROBOTS_TAG, fault))?
        }
        scope => name_of(scope).to_owned(),
    };
    for (number, rule) in (1..).zip(rules) {
        let value = rule.value.as_deref();
        let value = value.map_or(DirectiveValue::Boolean(true), typed);
        let parameter = item::parameter(&rule.name, &value)
            .map_err(|fault| WriteError::at(ROBOTS_TAG, place(number, scope), fault))?;
        member.push_str(&parameter);
    }
    Ok(member)
}

/// A value with the type that reads back as this text.
fn typed(value: &str) -> DirectiveValue {
    const MAX_DIGITS: usize = 15;
    let digits = value.strip_prefix('-').unwrap_or(value);
    let number = value.parse::<i64>().ok();
    let number = number.filter(|number| number.to_string() == value && digits.len() <= MAX_DIGITS);
    let is_token = value.starts_with(|c: char| c.is_ascii_alphabetic())
        && value
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    match number {
        Some(number) => DirectiveValue::Integer(number),
        None if is_token => DirectiveValue::Token(value.to_owned()),
        None => DirectiveValue::String(value.to_owned()),
    }
}

/// A line of the older grammar. It has no delimiters, so what it says is read again.
fn line(scope: &Scope, rules: &[StatedRule]) -> Result<String, WriteError> {
    check_name(X_ROBOTS_TAG, scope)?;
    check_repeated(X_ROBOTS_TAG, scope, rules)?;
    let mut line = match scope {
        Scope::Token(name) => format!("{name}: "),
        Scope::Everyone => String::new(),
    };
    // The older grammar has names in lower case.
    let own = match scope {
        Scope::Token(name) => Scope::Token(name.to_ascii_lowercase()),
        scope => scope.clone(),
    };
    for (number, rule) in (1_usize..).zip(rules) {
        let text = match &rule.value {
            Some(value) => format!("{}: {value}", rule.name),
            None => rule.name.clone(),
        };
        // Only the first rule tells a name from a rule with a value.
        let is_read = match number {
            1 => says(&format!("{line}{text}"), &own, rule),
            _ => says(&text, &Scope::Everyone, rule),
        };
        if !is_read {
            let expected = "a rule that the grammar of X-Robots-Tag can say";
            let fault = WriteFault::unexpected(expected, &text);
            return Err(WriteError::at(X_ROBOTS_TAG, place(number, scope), fault));
        }
        if number > 1 {
            line.push_str(", ");
        }
        line.push_str(&text);
    }
    Ok(line)
}

/// Whether a line states this one rule and nothing else.
fn says(text: &str, scope: &Scope, rule: &StatedRule) -> bool {
    let is_printable = |c: char| c == ' ' || c.is_ascii_graphic();
    let (read, _) = header::read(&[FieldLine::new(X_ROBOTS_TAG, text)]);
    let [statement] = read.as_slice() else {
        return false;
    };
    text.chars().all(is_printable)
        && !text.contains(';')
        && statement.scope == *scope
        && statement.rules.as_slice() == std::slice::from_ref(rule)
}
