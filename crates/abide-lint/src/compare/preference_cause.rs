//! Which line of two files is the cause of a change of preferences.

use super::Compared;
use super::cause::CauseKind;
use super::preferences::has_own_group;
use super::report::{Answer, DecidedBy};
use abide::syntax::{PreferenceStatement, Rule, Stating};
use abide::verdict::{Reason, Sense, Source};
use std::collections::{HashMap, HashSet};

/// What a line says, wherever it is: in two files it is the same statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Said {
    /// A `Content-Usage` or `Content-Signal` line: its vocabulary, path and words.
    Preference(&'static str, Option<(Vec<u8>, bool)>, Stating),
    /// A `License` line.
    Licence(Vec<u8>),
    /// A rule for a control token.
    Rule(String, Vec<u8>, bool, Sense),
    /// The group of a control token.
    Group(String),
}

/// What the lines of one file say about preferences.
#[derive(Default)]
pub(super) struct Lines {
    said: HashMap<u32, Said>,
    all: HashSet<Said>,
}

impl Lines {
    pub(super) fn of(compared: &Compared<'_>) -> Self {
        let mut lines = Self::default();
        for statement in compared.policy.preference_statements() {
            lines.add(statement.line, said(&statement));
        }
        for (token, policy) in compared.policy.control_tokens() {
            let name = token.token.as_str();
            for rule in compared.robots.rules(policy) {
                let number = rule.line.number;
                said_of_rule(name, &rule)
                    .into_iter()
                    .for_each(|said| lines.add(number, said));
            }
            if has_own_group(policy) {
                for group in policy.chosen_groups() {
                    lines.add(group.place.line, Said::Group(name.to_owned()));
                }
            }
        }
        lines
    }

    fn add(&mut self, line: u32, said: Said) {
        self.all.insert(said.clone());
        self.said.insert(line, said);
    }
}

fn said(statement: &PreferenceStatement<'_>) -> Said {
    if statement.vocabulary == abide::preference::Vocabulary::Rsl {
        return Said::Licence(statement.statement.to_vec());
    }
    let pattern = statement.pattern().and_then(Result::ok);
    let path = pattern.map(|path| (path.forms().c1.to_vec(), path.is_anchored()));
    Said::Preference(statement.vocabulary.name(), path, statement.says)
}

fn said_of_rule(token: &str, rule: &Rule<'_>) -> Option<Said> {
    let path = rule.pattern.as_ref().ok()?;
    let c1 = path.forms().c1.to_vec();
    Some(Said::Rule(
        token.to_owned(),
        c1,
        path.is_anchored(),
        rule.sense,
    ))
}

/// The line that decides in one file, if the other file does not say what it says.
pub(super) fn only_in(
    answer: &Answer,
    own: &Lines,
    other: &Lines,
    is_new: bool,
) -> Option<(CauseKind, Option<u32>, Vec<u8>)> {
    let by = answer.decided_by.as_ref()?;
    let line = by.line?;
    let said = own.said.get(&line)?;
    if other.all.contains(said) {
        return None;
    }
    let kind = match (said, is_new) {
        (Said::Rule(..) | Said::Group(_), true) => CauseKind::RuleAdded,
        (Said::Rule(..) | Said::Group(_), false) => CauseKind::RuleRemoved,
        (_, true) => CauseKind::PreferenceAdded,
        (_, false) => CauseKind::PreferenceRemoved,
    };
    Some((kind, Some(line), by.statement.clone()))
}

/// Whether an answer comes from the robot's own groups, so that another group changes it.
pub(super) fn is_of_group(answer: &Answer) -> bool {
    let by_group = |by: &DecidedBy| {
        matches!(
            by.source,
            Source::ContentUsage | Source::ContentSignal | Source::Rsl
        )
    };
    answer.decided_by.as_ref().is_some_and(by_group)
}

/// Whether a preference does not apply because crawling is disallowed.
pub(super) fn is_void(answer: &Answer) -> bool {
    let by = answer.decided_by.as_ref();
    by.is_some_and(|by| by.reason == Reason::CrawlProhibited)
}
