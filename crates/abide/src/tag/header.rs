//! Reads response fields as statements (TAG-3 to TAG-23, AMB-TAG-1 to AMB-TAG-9, AMB-TAG-17).

use super::rule::{RuleKind, StatedRule, is_known_rule, takes_value};
use super::{FieldLine, Scope, Statement, TagPlace, legacy};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::structured::{self, Member};
use crate::text::{Part as _, Span};
use crate::verdict::Source;
use crate::visible::{shown, visible};
use sfv::BareItem;
use std::borrow::Cow;
use thiserror::Error;

/// How many bytes of a field are read, over all its lines (TAG-13).
///
/// ```
/// use abide::tag::header::FieldLimit;
/// assert!(FieldLimit::new(8_191).is_err());
/// assert_eq!(FieldLimit::new(8_192)?, FieldLimit::default());
/// # Ok::<(), abide::tag::header::FieldLimitError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FieldLimit(usize);

impl FieldLimit {
    /// The least limit that the draft allows, and the default: 8 KiB (TAG-14).
    pub const FLOOR: usize = 8_192;

    /// A limit of `bytes`.
    ///
    /// # Errors
    /// [`FieldLimitError`] below [`FieldLimit::FLOOR`].
    pub fn new(bytes: usize) -> Result<Self, FieldLimitError> {
        if bytes < Self::FLOOR {
            return Err(FieldLimitError { bytes });
        }
        Ok(Self(bytes))
    }

    /// The limit in bytes.
    #[must_use]
    pub const fn bytes(self) -> usize {
        self.0
    }
}

impl Default for FieldLimit {
    fn default() -> Self {
        Self(Self::FLOOR)
    }
}

/// A limit below the least limit of the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a limit of at least 8192 bytes (draft-illyes-repext, 3.1.1), but found {bytes}")]
pub struct FieldLimitError {
    bytes: usize,
}

/// Reads the fields of a response. Returns the statements and the findings, of which there are none
/// without the feature `findings`.
#[must_use]
pub fn read(lines: &[FieldLine]) -> (Vec<Statement>, Vec<Diagnostic>) {
    read_within(lines, FieldLimit::default())
}

/// Reads like [`read()`], with another limit.
#[must_use]
pub fn read_within(lines: &[FieldLine], limit: FieldLimit) -> (Vec<Statement>, Vec<Diagnostic>) {
    let mut reader = TagReader {
        limit,
        statements: Vec::new(),
        findings: Findings::kept(),
    };
    let of = |name: &str| -> Vec<&[u8]> {
        let named = lines
            .iter()
            .filter(|line| line.name.trim().eq_ignore_ascii_case(name));
        named.map(|line| line.value.as_slice()).collect()
    };
    reader.robots_tag(&of("robots-tag"));
    reader.x_robots_tag(&of("x-robots-tag"));
    (reader.statements, reader.findings.into_vec())
}

#[derive(Debug)]
struct TagReader {
    limit: FieldLimit,
    statements: Vec<Statement>,
    findings: Findings,
}

impl TagReader {
    fn say<M: Into<Cow<'static, str>>>(&mut self, code: Code, message: impl FnOnce() -> M) {
        self.findings.say(code, None, Span::default(), message);
    }

    /// All lines of `Robots-Tag` are one List (TAG-5), whose members count up to the first mistake
    /// (AMB-TAG-6).
    fn robots_tag(&mut self, lines: &[&[u8]]) {
        let limit = self.limit.bytes();
        let (value, starts) = combined(lines);
        if !value.is_empty() && lines.iter().any(|line| is_blank(line)) {
            // The lines are joined with commas, and a list has no empty member (RFC 9651, 4.2).
            let message = || {
                "Robots-Tag: other parsers drop the whole field for the empty line in it; remove that line".to_owned()
            };
            self.say(Code::RobotsTagMalformed, message);
        }
        let line_of = |at: usize| starts.partition_point(|start| *start <= at);
        for (number, span) in (1_u32..).zip(structured::members(&value, limit)) {
            if !span.whole {
                let message = || {
                    format!(
                        "Robots-Tag is longer than {limit} bytes; the member at the limit, and all after it, are ignored"
                    )
                };
                self.say(Code::RobotsTagSizeLimit, message);
                return;
            }
            let text = value.part(span.start..span.end);
            let folded = structured::with_folded_keys(text);
            let Some(member) = structured::read(folded.as_deref().unwrap_or(text)) else {
                let message = || {
                    format!(
                        "Robots-Tag: {} is not a member of a structured list; it and all after it are ignored",
                        shown(text)
                    )
                };
                self.say(Code::RobotsTagMalformed, message);
                return;
            };
            if folded.is_some() {
                let message = || {
                    format!(
                        "Robots-Tag: rules are written in lower case, unlike in {}; other parsers drop the whole field",
                        shown(text)
                    )
                };
                self.say(Code::RobotsTagKeyCase, message);
            }
            let line = u32::try_from(line_of(span.start)).unwrap_or(u32::MAX);
            let place = TagPlace::Field {
                line,
                member: number,
            };
            self.member(Source::RobotsTag, place, member, text);
        }
    }

    /// Each line of `X-Robots-Tag` is read on its own, in both grammars (AMB-TAG-3).
    fn x_robots_tag(&mut self, lines: &[&[u8]]) {
        let limit = self.limit.bytes();
        if !lines.is_empty() {
            let message = || {
                "X-Robots-Tag is deprecated by draft-illyes-repext; write Robots-Tag as well"
                    .to_owned()
            };
            self.say(Code::XRobotsTagDeprecated, message);
        }
        let mut room = limit;
        for (number, line) in (1_u32..).zip(lines) {
            let (kept, cut) = whole_segments(line, room);
            if cut {
                let message = || {
                    format!(
                        "X-Robots-Tag is longer than {limit} bytes; the part at the limit, and all after it, are ignored"
                    )
                };
                self.say(Code::RobotsTagSizeLimit, message);
            }
            self.x_robots_tag_line(number, kept);
            if cut {
                return;
            }
            room = room.saturating_sub(line.len());
        }
    }

    fn x_robots_tag_line(&mut self, line: u32, value: &[u8]) {
        let source = Source::XRobotsTag;
        for (number, span) in (1_u32..).zip(structured::members(value, usize::MAX)) {
            let text = value.part(span.start..span.end);
            let folded = structured::with_folded_keys(text);
            let member = structured::read(folded.as_deref().unwrap_or(text));
            match member {
                // Members without parameters are historical rules that are also tokens.
                Some(Member::Item(_, ref rules)) if rules.is_empty() => {}
                Some(member) => self.member(
                    source,
                    TagPlace::Field {
                        line,
                        member: number,
                    },
                    member,
                    text,
                ),
                None => break,
            }
        }
        let text = String::from_utf8_lossy(value);
        let mut names_robots = false;
        for (number, segment) in (1_u32..).zip(legacy::line(&text)) {
            self.check_separator(&segment.text);
            names_robots |= segment.scope == Scope::Token("robots".to_owned());
            // A segment with parameters belongs to the other grammar.
            if segment.rule.name.contains(';') {
                continue;
            }
            self.statements.push(Statement {
                source,
                place: TagPlace::Field {
                    line,
                    member: number,
                },
                scope: segment.scope,
                rules: vec![segment.rule],
                text: segment.text,
            });
        }
        if names_robots {
            self.robots_is_a_name();
        }
    }

    /// A field names `robots`, which is everybody in a meta element only (AMB-TAG-9).
    fn robots_is_a_name(&mut self) {
        let message =
            || "in a field, all robots are \"*\"; \"robots\" is a product token".to_owned();
        self.say(Code::RobotsTagGlobal, message);
    }

    /// Rules of `X-Robots-Tag` that a `;` joins: the field separates them with `,`.
    fn check_separator(&mut self, segment: &str) {
        let joined = segment.split_once(';');
        if joined.is_some_and(|(first, _)| legacy::names_rule(first)) {
            let message = || legacy::joined_rules("X-Robots-Tag", segment);
            self.say(Code::RobotsTagSeparator, message);
        }
    }

    fn member(&mut self, source: Source, place: TagPlace, member: Member, text: &[u8]) {
        let (name, params) = match member {
            Member::Item(BareItem::Token(name), params) => (name.to_string(), params),
            Member::Item(BareItem::String(name), params) => (name.to_string(), params),
            _ => {
                let message = || {
                    format!(
                        "{} names no product token, so it has no effect",
                        shown(text)
                    )
                };
                self.say(Code::RobotsTagMember, message);
                return;
            }
        };
        if !params.is_empty() && source == Source::RobotsTag && is_known_rule(&name) {
            let message = || {
                format!(
                    "{} names a robot called {}; for all robots write {}",
                    shown(text),
                    shown(name.as_bytes()),
                    shown(&[b"*;", text].concat())
                )
            };
            self.say(Code::RobotsTagSeparator, message);
        }
        if params.is_empty() && is_known_rule(&name) {
            let message = || {
                format!(
                    "{} names a product token without rules; for a rule write {}",
                    shown(text),
                    shown(format!("*;{name}").as_bytes())
                )
            };
            self.say(Code::RobotsTagBareRule, message);
        }
        if name.eq_ignore_ascii_case("robots") {
            self.robots_is_a_name();
        }
        if names_nobody(&name) {
            let message = || {
                format!(
                    "{} names no robot, so it has no effect: a product token has letters, '-' and '_' only",
                    shown(text)
                )
            };
            self.say(Code::RobotsTagMember, message);
        }
        let rules = params
            .into_iter()
            .filter_map(|(name, value)| self.rule(name, &value))
            .collect();
        self.statements.push(Statement {
            source,
            place,
            scope: if name == "*" {
                Scope::Everyone
            } else {
                Scope::Token(name)
            },
            rules,
            text: String::from_utf8_lossy(text).into_owned(),
        });
    }

    /// Dates and Display Strings are newer than RFC 8941, which the draft cites (AMB-TAG-13).
    fn check_type(&mut self, name: &str, value: &BareItem) {
        let (kind, instead) = match value {
            BareItem::Date(_) => ("a Date", "\"25 Jun 2030 15:00:00 GMT\""),
            BareItem::DisplayString(_) => ("a Display String", "\"text\""),
            _ => return,
        };
        let message = || {
            format!(
                "{} has {kind} of RFC 9651; parsers of the older RFC 8941 drop the whole field for it, so write text in quotes, such as {instead}",
                visible(name.as_bytes())
            )
        };
        self.say(Code::RobotsTagNewerType, message);
    }

    /// A parameter as a rule: `?0` is dropped, `?1` is a rule without a value (AMB-TAG-5).
    fn rule(&mut self, name: String, value: &BareItem) -> Option<StatedRule> {
        match value {
            BareItem::Boolean(true) => Some(StatedRule { name, value: None }),
            BareItem::Boolean(false) => {
                let message = || {
                    format!(
                        "{}=?0 has no effect; remove the rule",
                        visible(name.as_bytes())
                    )
                };
                self.say(Code::RobotsTagValue, message);
                None
            }
            value => {
                self.check_type(&name, value);
                let is_bare =
                    !matches!(RuleKind::of(&name), RuleKind::Unknown) && !takes_value(&name);
                if is_bare {
                    let message = || {
                        format!(
                            "{} takes no value; the rule still counts",
                            visible(name.as_bytes())
                        )
                    };
                    self.say(Code::RobotsTagValue, message);
                }
                Some(StatedRule {
                    name,
                    value: Some(structured::shown(value)),
                })
            }
        }
    }
}

/// Whether a member that is a Token or String addresses no robot: nothing before the first byte
/// that product tokens cannot have (AMB-TAG-2). Many a robot has a name that begins with a digit,
/// and finds its rules all the same.
fn names_nobody(name: &str) -> bool {
    name != "*"
        && !name.starts_with(|first: char| first.is_ascii_alphanumeric() || "-_".contains(first))
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// The lines of a field as one value, and where each begins. Empty lines are ignored.
fn combined(lines: &[&[u8]]) -> (Vec<u8>, Vec<usize>) {
    let (mut value, mut starts) = (Vec::new(), Vec::new());
    for line in lines {
        let blank = is_blank(line);
        if !value.is_empty() && !blank {
            value.extend_from_slice(b", ");
        }
        starts.push(value.len());
        if !blank {
            value.extend_from_slice(line);
        }
    }
    (value, starts)
}

/// The whole segments of a line that fit into `room`, and whether something was cut.
fn whole_segments(line: &[u8], room: usize) -> (&[u8], bool) {
    let Some(kept) = line.get(..room).filter(|kept| kept.len() < line.len()) else {
        return (line, false);
    };
    let next = line
        .iter()
        .skip(room)
        .find(|byte| !matches!(byte, b' ' | b'\t'));
    if matches!(next, None | Some(b',')) {
        return (kept, true);
    }
    let end = memchr::memrchr(b',', kept).unwrap_or(0);
    (line.part(..end), true)
}
