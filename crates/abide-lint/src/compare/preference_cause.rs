//! Which line of two files is the cause of a change of preferences.

use super::CompiledFile;
use super::cause::{CauseKind, Reason};
use super::preferences::has_own_group;
use super::report::Region;
use crate::short_answer::{DecidedBy, ShortAnswer};
use abide::preference::Vocabulary;
use abide::syntax::{Inspect, PreferenceStatement, Rule, StatedValues};
use abide::verdict::{Sense, Source};
use abide::{Outcome, Target};
use std::collections::{HashMap, HashSet};

/// What a line says, wherever it is: in two files it is the same statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum StatementKey {
    /// A `Content-Usage` or `Content-Signal` line: its vocabulary, path and words.
    Preference(&'static str, Option<(Vec<u8>, bool)>, StatedValues),
    /// A `License` line.
    Licence(Vec<u8>),
    /// A rule for a control token.
    Rule(String, Vec<u8>, bool, Sense),
    /// The group of a control token.
    Group(String),
}

/// What the lines of one file say about preferences.
#[derive(Default)]
pub(super) struct PreferenceLines {
    said: HashMap<u32, StatementKey>,
    all: HashSet<StatementKey>,
}

impl PreferenceLines {
    pub(super) fn of(compared: &CompiledFile<'_>) -> Self {
        let mut lines = Self::default();
        for statement in Inspect::of(&compared.policy).preference_statements() {
            lines.add(statement.line, said(&statement));
        }
        for (token, policy) in Inspect::of(&compared.policy).control_tokens() {
            let name = token.token.as_str();
            for rule in compared.robots.rules(policy) {
                let number = rule.line.number;
                if let Some(said) = said_of_rule(name, &rule) {
                    lines.add(number, said);
                }
            }
            if has_own_group(policy) {
                for group in policy.chosen_groups() {
                    lines.add(group.place.line, StatementKey::Group(name.to_owned()));
                }
            }
        }
        lines
    }

    fn add(&mut self, line: u32, said: StatementKey) {
        self.all.insert(said.clone());
        self.said.insert(line, said);
    }
}

fn said(statement: &PreferenceStatement<'_>) -> StatementKey {
    if statement.vocabulary == Vocabulary::Rsl {
        return StatementKey::Licence(statement.statement.to_vec());
    }
    let pattern = statement.pattern().and_then(Result::ok);
    let path = pattern.map(|path| (path.forms().c1.to_vec(), path.is_anchored()));
    StatementKey::Preference(statement.vocabulary.name(), path, statement.says)
}

fn said_of_rule(token: &str, rule: &Rule<'_>) -> Option<StatementKey> {
    let path = rule.pattern.as_ref().ok()?;
    let c1 = path.forms().c1.to_vec();
    Some(StatementKey::Rule(
        token.to_owned(),
        c1,
        path.is_anchored(),
        rule.sense,
    ))
}

/// The line of one of the files that makes the difference in a region.
pub(super) fn cause(
    region: &Region,
    lines: &[PreferenceLines; 2],
    sides: [&CompiledFile<'_>; 2],
) -> Option<Reason> {
    let answers = [&region.old, &region.new];
    let [old, new] = sides;
    // An added line comes before a removed one, as for crawling.
    for is_new in [true, false] {
        let (own, other, answer, compared) = match (is_new, lines, answers) {
            (true, [old, own], [_, answer]) => (own, old, answer, new),
            (false, [own, new], [answer, _]) => (own, new, answer, old),
        };
        let places = deciding(answer, compared, &region.witness);
        let only_here = places
            .into_iter()
            .find(|line| own.is_missing_in(*line, other));
        if let Some(line) = only_here {
            return Some(own.reason(line, compared, is_new));
        }
    }
    // The line may be silent about the usage, and hide another that is not.
    let hiding =
        |own: &PreferenceLines, other: &PreferenceLines, compared: &CompiledFile<'_>, is_new| {
            let statements = Inspect::of(&compared.policy)
                .preference_statements()
                .into_iter();
            let matching = statements.filter(|one| matches(one, &region.witness));
            let missing = matching.filter(|one| own.is_missing_in(one.line, other));
            // The longest path decides, so it hides the others.
            let longest = missing.max_by_key(|one| one.path.map(<[u8]>::len))?;
            Some(own.reason(longest.line, compared, is_new))
        };
    let [of_old, of_new] = lines;
    hiding(of_new, of_old, new, true).or_else(|| hiding(of_old, of_new, old, false))
}

/// The lines behind an answer. A control token that is allowed, is so by a rule or by its group.
fn deciding(answer: &ShortAnswer, compared: &CompiledFile<'_>, path: &str) -> Vec<u32> {
    let Some(by) = &answer.decided_by else {
        return Vec::new();
    };
    let mut lines: Vec<u32> = by.line.into_iter().collect();
    if by.source == Source::ControlToken && answer.outcome == Outcome::Permitted {
        for (_, policy) in Inspect::of(&compared.policy).control_tokens() {
            let Ok(target) = Target::new(path) else {
                continue;
            };
            let decision = policy.decide(&target);
            let by = decision.usages.crawl().evidence.first();
            lines.extend(by.and_then(|by| Some(by.place?.line)));
        }
    }
    lines
}

fn matches(statement: &PreferenceStatement<'_>, path: &str) -> bool {
    match statement.pattern() {
        // A licence is no statement about paths.
        None => statement.vocabulary != Vocabulary::Rsl,
        Some(pattern) => pattern.is_ok_and(|pattern| pattern.matches(path.as_bytes())),
    }
}

impl PreferenceLines {
    fn is_missing_in(&self, line: u32, other: &Self) -> bool {
        let said = self.said.get(&line);
        said.is_some_and(|said| !other.all.contains(said))
    }

    fn reason(&self, line: u32, compared: &CompiledFile<'_>, is_new: bool) -> Reason {
        let is_rule = matches!(
            self.said.get(&line),
            Some(StatementKey::Rule(..) | StatementKey::Group(_))
        );
        let kind = match (is_rule, is_new) {
            (true, true) => CauseKind::RuleAdded,
            (true, false) => CauseKind::RuleRemoved,
            (false, true) => CauseKind::PreferenceAdded,
            (false, false) => CauseKind::PreferenceRemoved,
        };
        let place = Inspect::of(&compared.policy).statement_place(line);
        let statement = place.span.of(compared.robots.text().as_bytes());
        (kind, Some(line), statement.to_vec())
    }
}

/// Whether an answer comes from the robot's own groups, so that another group changes it.
pub(super) fn is_of_group(answer: &ShortAnswer) -> bool {
    let by_group = |by: &DecidedBy| {
        matches!(
            by.source,
            Source::ContentUsage | Source::ContentSignal | Source::Rsl
        )
    };
    answer.decided_by.as_ref().is_some_and(by_group)
}

/// Whether a preference does not apply because crawling is disallowed.
pub(super) fn is_void(answer: &ShortAnswer) -> bool {
    let by = answer.decided_by.as_ref();
    by.is_some_and(|by| by.reason == abide::verdict::Reason::CrawlProhibited)
}
