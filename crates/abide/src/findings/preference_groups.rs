//! Findings about the preference lines of a group beside each other, and beside its rules.

use crate::diagnostic::{Code, Diagnostic};
use crate::growth;
use crate::preference::content_signal::{Signal, WORDS};
use crate::preference::{Preference, PreferenceProfile, StatedUsages, UseLevel};
use crate::text::Span;
use crate::verdict::{Sense, Usage};
use std::collections::{BTreeMap, BTreeSet};

/// How many preference lines, and how many rules, of a group are compared with each other. Bounds
/// the work for hostile files.
const MAX_COMPARED: usize = 200;

/// Whether a starter names a purpose, and its value in lower case.
pub(super) type Name = (bool, Vec<u8>);

/// A path in form C1, and whether it ends with `$`. `None` for every path.
pub(super) type Path = Option<(Vec<u8>, bool)>;

/// A `Content-Usage` line.
#[derive(Debug)]
pub(super) struct UsageLine {
    pub(super) line: u32,
    pub(super) value: Span,
    pub(super) path: Path,
    /// `None` if its statement cannot be parsed.
    pub(super) stated: Option<StatedUsages>,
    /// Which of [`Usage::PREFERENCES`] it has words for, whatever their values.
    pub(super) mentioned: [bool; 3],
}

/// A `Content-Signal` line.
#[derive(Debug)]
pub(super) struct SignalLine {
    pub(super) line: u32,
    pub(super) value: Span,
    pub(super) path: Path,
    pub(super) signal: Signal,
}

/// An `Allow` or `Disallow` line whose pattern can match.
#[derive(Debug)]
pub(super) struct GroupRule {
    pub(super) sense: Sense,
    pub(super) pattern: Vec<u8>,
    pub(super) is_anchored: bool,
    pub(super) line: u32,
}

/// A group of the file, or several that name the same robots.
#[derive(Debug)]
pub(super) struct PreferenceGroup {
    /// Whom it names, in the order of the file. A set, which takes 400 bytes for one name, would be
    /// much for a file of short groups.
    pub(super) names: Vec<Name>,
    /// Number and span of its first starter.
    starter: (u32, Span),
    pub(super) rules: Vec<GroupRule>,
    pub(super) usage: Vec<UsageLine>,
    pub(super) signals: Vec<SignalLine>,
    /// How many rules and `Content-Usage` lines its first part in the file has.
    first: (usize, usize),
}

impl PreferenceGroup {
    pub(super) fn new(line: u32, span: Span) -> Self {
        Self {
            names: Vec::with_capacity(1),
            starter: (line, span),
            rules: Vec::new(),
            usage: Vec::new(),
            signals: Vec::new(),
            first: (0, 0),
        }
    }

    /// Whether `other` differs from the first part of this group in `Content-Usage` only. Compares
    /// no more than `other` has, so all groups of a file take linear time.
    fn differs_in_usage(&self, other: &Self) -> bool {
        let (rules, usage) = self.first;
        if other.usage.is_empty() || usage == 0 || other.rules.len() != rules {
            return false;
        }
        let outline = |group: &Self| -> BTreeSet<(Sense, Vec<u8>, bool)> {
            let rules = group.rules.iter().take(rules);
            rules
                .map(|rule| (rule.sense, rule.pattern.clone(), rule.is_anchored))
                .collect()
        };
        let own = self.usage.iter().take(usage);
        let own = own.map(|line| (&line.path, line.stated));
        let others = other.usage.iter().map(|line| (&line.path, line.stated));
        !own.eq(others)
            && self.signals.is_empty() == other.signals.is_empty()
            && outline(self) == outline(other)
    }
}

/// The findings about the groups of a file.
pub(super) fn findings(
    groups: Vec<PreferenceGroup>,
    profile: &PreferenceProfile,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let merged = merged(groups, &mut found);
    let elsewhere = named_elsewhere(&merged);
    for group in &merged {
        dropped_words(group, profile, &mut found);
        signals(group, &mut found);
        if !group.names.iter().any(|name| elsewhere.contains(name)) {
            on_disallowed_paths(group, &mut found);
        }
    }
    found
}

/// Joins groups that name the same robots, as robots do (REP-30). Reports those that differ in
/// Content-Usage only.
fn merged(groups: Vec<PreferenceGroup>, found: &mut Vec<Diagnostic>) -> Vec<PreferenceGroup> {
    let mut places: BTreeMap<Vec<Name>, usize> = BTreeMap::new();
    let mut merged: Vec<PreferenceGroup> = Vec::new();
    for mut group in groups {
        group.names.sort_unstable();
        group.names.dedup();
        group.first = (group.rules.len(), group.usage.len());
        let place = places.get(&group.names);
        let Some(present) = place.and_then(|at| merged.get_mut(*at)) else {
            places.insert(group.names.clone(), merged.len());
            growth::push(&mut merged, group);
            continue;
        };
        if present.differs_in_usage(&group) {
            let (line, span) = group.starter;
            found.push(Diagnostic::new(
                Code::ContentUsageGroupLevel,
                Some(line),
                span,
                format!(
                    "differs from the group on line {} in Content-Usage only; robots merge the two, and the stricter words count",
                    present.starter.0
                ),
            ));
        }
        present.rules.extend(group.rules);
        present.usage.extend(group.usage);
        present.signals.extend(group.signals);
    }
    merged
}

/// The names that are in several groups with different names, one of which allows something: what
/// is disallowed for one of these robots may be allowed by another group.
fn named_elsewhere(groups: &[PreferenceGroup]) -> BTreeSet<&Name> {
    let mut seen: BTreeMap<&Name, (usize, bool)> = BTreeMap::new();
    for group in groups {
        let allows = group.rules.iter().any(|rule| rule.sense == Sense::Allow);
        for name in &group.names {
            let (count, any) = seen.entry(name).or_default();
            *count = count.saturating_add(1);
            *any |= allows;
        }
    }
    let several = seen
        .into_iter()
        .filter(|(_, (count, any))| *count > 1 && *any);
    several.map(|(name, _)| name).collect()
}

/// Whether every path that `inner` is about is one that `outer` is about. Only the plainest case:
/// `outer` is a beginning of `inner`.
fn covers(outer: &Path, inner: &Path) -> bool {
    match (outer, inner) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some((outer, is_anchored)), Some((inner, _))) => !is_anchored && inner.starts_with(outer),
    }
}

fn length(path: &Path) -> usize {
    let bytes = |(bytes, is_anchored): &(Vec<u8>, bool)| {
        bytes.len().saturating_add(usize::from(*is_anchored))
    };
    path.as_ref().map_or(0, bytes)
}

/// Lines that leave open what a shorter path prohibits (PREF-23).
fn dropped_words(
    group: &PreferenceGroup,
    profile: &PreferenceProfile,
    found: &mut Vec<Diagnostic>,
) {
    let lines = || group.usage.iter().take(MAX_COMPARED);
    for line in lines() {
        let Some(stated) = line.stated else { continue };
        let wider: Vec<_> = lines()
            .filter(|other| covers(&other.path, &line.path) && other.line != line.line)
            .filter_map(|other| Some((length(&other.path), other.stated?, other.line)))
            .collect();
        let mut dropped = Vec::new();
        let mut from = None;
        for (usage, mentioned) in Usage::OF_PREFERENCES.into_iter().zip(line.mentioned) {
            let stating = wider
                .iter()
                .filter_map(|(bytes, stated, from)| Some((*bytes, stated.about(usage)?, *from)));
            let inherited = stating.max_by_key(|(bytes, preference, _)| (*bytes, *preference));
            let Some((bytes, Preference::No, shorter)) = inherited else {
                continue;
            };
            if bytes < length(&line.path)
                && stated.about(usage).is_none()
                && !mentioned
                && let Some(word) = profile.revision.word_for(usage)
            {
                dropped.push(format!("{word}=n"));
                from.get_or_insert(shorter);
            }
        }
        if let Some(shorter) = from {
            let words = dropped.join(" and ");
            found.push(Diagnostic::new(
                Code::ContentUsageDroppedWord,
                Some(line.line),
                line.value,
                format!(
                    "{words} on line {shorter} does not count for this longer path; repeat it here"
                ),
            ));
        }
    }
}

/// What the lines with one path say together, and the last line.
#[derive(Default)]
struct Together {
    values: [Option<Preference>; 3],
    level: Option<UseLevel>,
    last: Option<(u32, Span)>,
}

/// Signals for one path that contradict each other, and a permission that a limit takes back.
fn signals(group: &PreferenceGroup, found: &mut Vec<Diagnostic>) {
    let mut paths: BTreeMap<&Path, Together> = BTreeMap::new();
    for line in &group.signals {
        let together = paths.entry(&line.path).or_default();
        let mut conflicts = Vec::new();
        for ((word, usage), known) in WORDS.iter().zip(&mut together.values) {
            let own = line.signal.stated.about(*usage);
            if own.is_some() && known.is_some() && own != *known {
                conflicts.push(*word);
            }
            *known = (*known).max(own);
        }
        let own = line.signal.max_use;
        if own.is_some() && together.level.is_some() && own != together.level {
            conflicts.push("use");
        }
        together.level = together.level.into_iter().chain(own).min();
        let before = together.last.replace((line.line, line.value));
        if let Some((before, _)) = before.filter(|_| !conflicts.is_empty()) {
            found.push(Diagnostic::new(
                Code::SignalConflict,
                Some(line.line),
                line.value,
                format!(
                    "{} has another value above, on line {before} or before it: the stricter one counts, for other robots the last one",
                    conflicts.join(" and ")
                ),
            ));
        }
    }
    for together in paths.into_values() {
        let train = WORDS.iter().position(|(_, usage)| *usage == Usage::Train);
        let train = train.and_then(|at| *together.values.get(at)?);
        if let (Some(Preference::Yes), Some(UseLevel::Immediate), Some((line, span))) =
            (train, together.level, together.last)
        {
            found.push(Diagnostic::new(
                Code::SignalPermitsClosed,
                Some(line),
                span,
                "use=immediate takes back what ai-train=yes allows",
            ));
        }
    }
}

/// Lines that are only about paths that the group disallows (PREF-20, AMB-PREF-4).
fn on_disallowed_paths(group: &PreferenceGroup, found: &mut Vec<Diagnostic>) {
    let usage = group.usage.iter().map(|line| {
        let effect = "so robots ignore this line";
        (line.line, line.value, &line.path, effect)
    });
    // A prohibition there is harmless: it repeats, for content from elsewhere, what the rule asks.
    let permits = |line: &&SignalLine| {
        let mut usages = Usage::OF_PREFERENCES.into_iter();
        usages.any(|usage| line.signal.stated.about(usage) == Some(Preference::Yes))
    };
    let signals = group.signals.iter().filter(permits).map(|line| {
        let effect = "so robots that honour it never fetch what this line is about";
        (line.line, line.value, &line.path, effect)
    });
    for (line, span, path, effect) in usage.take(MAX_COMPARED).chain(signals.take(MAX_COMPARED)) {
        if let Some(rule) = disallowing(group, path) {
            found.push(Diagnostic::new(
                Code::PreferenceOnDisallowedPath,
                Some(line),
                span,
                format!("line {rule} disallows crawling all of these paths, {effect}"),
            ));
        }
    }
}

/// The line of a rule that disallows every path of `path`, if no rule can allow any of them.
fn disallowing(group: &PreferenceGroup, path: &Path) -> Option<u32> {
    let own = path.as_ref().map_or(&b"/"[..], |(path, _)| path);
    let mut rules = group.rules.iter().take(MAX_COMPARED);
    let closing = rules.find(|rule| {
        let is_whole = matches!(rule.pattern.as_slice(), b"/" | b"*" | b"/*");
        let covers = is_whole || own.starts_with(&rule.pattern);
        rule.sense == Sense::Disallow && !rule.is_anchored && covers
    })?;
    // Without wildcards two patterns share a path only if one begins with the other.
    let may_share = |rule: &GroupRule| {
        let has_wildcard = own.contains(&b'*') || rule.pattern.contains(&b'*');
        has_wildcard || own.starts_with(&rule.pattern) || rule.pattern.starts_with(own)
    };
    let mut allows = group.rules.iter().filter(|rule| rule.sense == Sense::Allow);
    let reaches = allows.any(|rule| rule.pattern.len() >= closing.pattern.len() && may_share(rule));
    (!reaches).then_some(closing.line)
}
