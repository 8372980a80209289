//! Findings about the lines of a robots.txt that state AI preferences: about each statement, and
//! about where the lines are. `preference_groups` compares the lines of a group. Only clients that
//! ask for preferences get them (PREF-2).

use super::content_signal;
use super::content_usage::{UsageCheck, path_without_slash};
use super::mistake::{Mistakes, StatementPlace};
use super::preference_groups::{
    self, GroupRule, Name, Path, PreferenceGroup, SignalLine, UsageLine,
};
use crate::array_windows::array_windows;
use crate::diagnostic::{Code, Diagnostic};
use crate::growth;
use crate::pattern::{PathPattern, normal};
use crate::preference::content_signal::Signal;
use crate::preference::line::{PreferenceLine, split_path};
use crate::preference::{PreferenceProfile, content_usage};
use crate::profile::Profile;
use crate::rep::field::{Content, Field, FieldKind, Fields};
use crate::rep::group::Grouping;
use crate::text::{RawLine, Span, Text, offset};
use crate::verdict::Usage;
use crate::visible::{shown, visible};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The findings about the preference lines of a file, in the reading of `reading`.
pub(super) fn findings(
    text: &Text<'_>,
    reading: Profile,
    profile: &PreferenceProfile,
) -> Vec<Diagnostic> {
    let mut finder = PreferenceFinder::new(text.as_bytes(), profile);
    for line in Fields::new(text, reading) {
        if let Content::Field(field) = line.content {
            finder.field(&field, &line.raw);
        }
    }
    finder.finish()
}

/// Starters of one group without a preference line between them.
#[derive(Default)]
struct StarterRun {
    names: BTreeSet<Name>,
    /// The names as they are written, in the order of the file.
    written: Vec<Vec<u8>>,
    /// Number and span of the first of them.
    starter: Option<(u32, Span)>,
    /// The key of the preference line behind them.
    divider: Option<Vec<u8>>,
}

/// One pass over the fields of a file.
struct PreferenceFinder<'t> {
    bytes: &'t [u8],
    profile: &'t PreferenceProfile,
    check: UsageCheck,
    grouping: Grouping,
    groups: Vec<PreferenceGroup>,
    /// The head of the current group, until its first rule.
    head: Vec<StarterRun>,
    has_preferences: bool,
    found: Vec<Diagnostic>,
}

impl<'t> PreferenceFinder<'t> {
    fn new(bytes: &'t [u8], profile: &'t PreferenceProfile) -> Self {
        Self {
            bytes,
            profile,
            check: UsageCheck::new(profile.revision),
            grouping: Grouping::default(),
            groups: Vec::new(),
            head: Vec::new(),
            has_preferences: false,
            found: Vec::new(),
        }
    }

    fn say(&mut self, code: Code, line: u32, span: Span, message: impl Into<Cow<'static, str>>) {
        let finding = Diagnostic::new(code, Some(line), span, message);
        growth::push(&mut self.found, finding);
    }

    fn field(&mut self, field: &Field, raw: &RawLine) {
        match field.kind {
            kind if kind.starts_group() => self.starter(field, raw),
            FieldKind::Allow | FieldKind::Disallow => self.rule(field, raw.number),
            kind if kind.is_rule() => {
                self.grouping.rule();
                self.end_head();
            }
            FieldKind::Other => {
                if let Some(kind) = PreferenceLine::of(field.key.of(self.bytes)) {
                    self.has_preferences = true;
                    self.preference(kind, field, raw);
                }
            }
            _ => {}
        }
    }

    fn starter(&mut self, field: &Field, raw: &RawLine) {
        if self.grouping.starter() {
            self.head.clear();
            growth::push(&mut self.groups, PreferenceGroup::new(raw.number, raw.span));
        }
        let is_purpose = field.kind == FieldKind::UserAgentPurpose;
        let name = (is_purpose, field.value.of(self.bytes).to_ascii_lowercase());
        if self.head.last().is_none_or(|part| part.divider.is_some()) {
            self.head.push(StarterRun {
                starter: Some((raw.number, raw.span)),
                ..StarterRun::default()
            });
        }
        if let Some(part) = self.head.last_mut()
            && part.names.insert(name.clone())
        {
            part.written.push(field.value.of(self.bytes).to_vec());
        }
        if let Some(group) = self.groups.last_mut() {
            group.names.push(name);
        }
    }

    fn rule(&mut self, field: &Field, line: u32) {
        self.end_head();
        let is_in_group = self.grouping.rule();
        let (Some(group), Some(sense)) = (self.groups.last_mut(), field.kind.sense()) else {
            return;
        };
        if let Ok(pattern) = PathPattern::read(field.value.of(self.bytes))
            && is_in_group
        {
            let rule = GroupRule {
                sense,
                pattern: pattern.forms().c1.to_vec(),
                is_anchored: pattern.is_anchored(),
                line,
            };
            growth::push(&mut group.rules, rule);
        }
    }

    /// Ends the head of the group. Reports parts of it that only preferences divide (PREF-13).
    fn end_head(&mut self) {
        let head = std::mem::take(&mut self.head);
        for [before, next] in array_windows(&head) {
            let (Some(key), Some((line, span))) = (&before.divider, next.starter) else {
                continue;
            };
            if before.names != next.names {
                let message = format!(
                    "{} does not end a group, so {} and {} are one group and share all that follows; write \"Allow:\" before this line",
                    visible(key),
                    listed(&before.written),
                    listed(&next.written)
                );
                self.say(Code::PreferenceOnlyGroup, line, span, message);
            }
        }
    }

    fn preference(&mut self, kind: PreferenceLine, field: &Field, raw: &RawLine) {
        if let Some(part) = self.head.last_mut() {
            part.divider = Some(field.key.of(self.bytes).to_vec());
        }
        match kind {
            PreferenceLine::ContentUsage => self.usage(field, raw),
            PreferenceLine::ContentSignal => self.signal(field, raw),
            PreferenceLine::License => {}
        }
    }

    /// Collects what is wrong with a statement that is the last part of a value.
    fn mistakes(value: Span, statement: &[u8], raw: &RawLine) -> Mistakes<'static> {
        Mistakes::new(StatementPlace::Line {
            number: raw.number,
            start: value.end.saturating_sub(offset(statement.len())),
            whole: Span::new(raw.span.start, value.end),
        })
    }

    fn usage(&mut self, field: &Field, raw: &RawLine) {
        let value = field.value.of(self.bytes);
        if let Some(path) = path_without_slash(value) {
            let message = format!(
                "{} is read as a part of the statement: a path begins with \"/\"",
                shown(path)
            );
            let start = field.value.start;
            let span = Span::new(start, start.saturating_add(offset(path.len())));
            self.say(Code::ContentUsagePath, raw.number, span, message);
            return;
        }
        let (path, statement) = split_path(value);
        self.stray_percent(path, field, raw);
        let mut mistakes = Self::mistakes(field.value, statement, raw);
        self.check.statement(statement, &mut mistakes);
        growth::append(&mut self.found, mistakes.into_findings());
        if !self.grouping.is_open() {
            let message = "a Content-Usage line before the first User-agent line has no effect";
            self.say(Code::RuleOutsideGroup, raw.number, raw.span, message);
        }
        let revision = self.profile.revision;
        if let (Some(group), Some(path)) = (self.groups.last_mut(), read_path(path)) {
            group.usage.push(UsageLine {
                line: raw.number,
                value: field.value,
                path,
                stated: content_usage::read(statement, revision),
                mentioned: Usage::OF_PREFERENCES
                    .map(|usage| content_usage::mentions(statement, usage, revision)),
            });
        }
    }

    fn signal(&mut self, field: &Field, raw: &RawLine) {
        if field.key.of(self.bytes).ends_with(b"s") || field.key.of(self.bytes).ends_with(b"S") {
            let message = "most robots do not know this key; write Content-Signal";
            self.say(Code::ContentSignalMisspelt, raw.number, field.key, message);
        }
        let (path, statement) = split_path(field.value.of(self.bytes));
        self.stray_percent(path, field, raw);
        let mut mistakes = Self::mistakes(field.value, statement, raw);
        content_signal::check(statement, &mut mistakes);
        growth::append(&mut self.found, mistakes.into_findings());
        let signal = Signal::read(statement);
        if signal.is_silent() {
            return;
        }
        if !self.grouping.is_open() {
            let message = "a signal before the first User-agent line has no effect, although some robots apply it to the whole file";
            self.say(
                Code::ContentSignalOutsideGroup,
                raw.number,
                raw.span,
                message,
            );
        }
        if let (Some(group), Some(path)) = (self.groups.last_mut(), read_path(path)) {
            group.signals.push(SignalLine {
                line: raw.number,
                value: field.value,
                path,
                signal,
            });
        }
    }

    /// A `%` that begins no escape, in the path before a statement (CLA-21).
    fn stray_percent(&mut self, path: Option<&[u8]>, field: &Field, raw: &RawLine) {
        if let Some(at) = path.and_then(normal::stray_percent) {
            let start = field.value.start.saturating_add(offset(at));
            let span = Span::new(start, start.saturating_add(1));
            self.say(Code::StrayPercent, raw.number, span, normal::STRAY_PERCENT);
        }
    }

    fn finish(mut self) -> Vec<Diagnostic> {
        self.end_head();
        if self.has_preferences {
            let of_groups = preference_groups::findings(self.groups, self.profile);
            growth::append(&mut self.found, of_groups);
        }
        self.found
    }
}

/// A path in its canonical form. `None` if it matches nothing.
fn read_path(path: Option<&[u8]>) -> Option<Path> {
    let Some(path) = path else {
        return Some(None);
    };
    let pattern = PathPattern::read(path).ok()?;
    Some(Some((pattern.forms().c1.to_vec(), pattern.is_anchored())))
}

/// The first names, and how many more.
fn listed(names: &[Vec<u8>]) -> String {
    let mut first = names.iter().take(2).map(|name| visible(name));
    match (first.next(), first.next(), names.len().saturating_sub(1)) {
        (None, ..) => "nobody".to_owned(),
        (Some(one), None, _) => one,
        (Some(one), Some(other), 1) => format!("{one} and {other}"),
        (Some(one), Some(_), more) => format!("{one} and {more} more"),
    }
}
