//! Which line of two files is the cause of a change.

use super::super::CompiledFile;
use crate::bound::Work;
use crate::compare::effect::{closes_site, is_of_group, is_void};
use crate::compare::files::ClientDifferences;
use crate::compare::openness::AccessSurvey;
use crate::compare::preferences::has_own_group;
use crate::compare::report::{Chosen, Region};
use crate::short_answer::ShortAnswer;
use abide::preference::Vocabulary;
use abide::syntax::{Inspect, PreferenceStatement, Rule, StatedValues};
use abide::verdict::{SelectionLevel, Sense, Source};
use abide::{Outcome, Target, Usage};
use std::collections::{HashMap, HashSet};

/// A kind of cause, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CauseKind {
    /// A rule disallows the whole site.
    SiteClosed,
    /// Robots have a group of their own now, and no longer follow that for `*`.
    OwnGroup,
    /// Robots have no group of their own any more, and follow that for `*`.
    GroupLost,
    /// Another group addresses the robots, for another reason.
    OtherGroup,
    /// A rule was added.
    RuleAdded,
    /// A rule was removed.
    RuleRemoved,
    /// A line with a preference or a licence was added.
    PreferenceAdded,
    /// A line with a preference or a licence was removed.
    PreferenceRemoved,
    /// No single cause is clear.
    Other,
}

abide::named!(
    CauseKind,
    "kind of cause",
    [
        SiteClosed = "site-closed",
        OwnGroup = "own-group",
        GroupLost = "group-lost",
        OtherGroup = "other-group",
        RuleAdded = "rule-added",
        RuleRemoved = "rule-removed",
        PreferenceAdded = "preference-added",
        PreferenceRemoved = "preference-removed",
        Other = "other"
    ]
);

/// A cause: its kind, a line, and the statement on it.
pub(super) type Reason = (CauseKind, Option<u32>, Vec<u8>);

/// What a line says, wherever it is: in two files it is the same statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum StatementKey {
    /// A rule about a pattern: for the robot itself, or for a control token.
    Rule {
        token: Option<String>,
        c1: Vec<u8>,
        is_anchored: bool,
        sense: Sense,
    },
    /// The group of a control token.
    Group(String),
    /// A `Content-Usage` or `Content-Signal` line: its vocabulary, path and words.
    Preference(&'static str, Option<(Vec<u8>, bool)>, StatedValues),
    /// A `License` line.
    Licence(Vec<u8>),
}

impl StatementKey {
    /// `None` for a rule that matches nothing.
    fn of_rule(token: Option<&str>, rule: &Rule<'_>) -> Option<Self> {
        let pattern = rule.pattern.as_ref().ok()?;
        Some(Self::Rule {
            token: token.map(str::to_owned),
            c1: pattern.forms().c1.to_vec(),
            is_anchored: pattern.is_anchored(),
            sense: rule.sense,
        })
    }

    fn of_preference(statement: &PreferenceStatement<'_>) -> Self {
        if statement.vocabulary == Vocabulary::Rsl {
            return Self::Licence(statement.statement.to_vec());
        }
        let pattern = statement.pattern().and_then(Result::ok);
        let path = pattern.map(|path| (path.forms().c1.to_vec(), path.is_anchored()));
        Self::Preference(statement.vocabulary.name(), path, statement.says)
    }
}

/// What the lines of one file say.
#[derive(Default)]
struct Statements {
    by_line: HashMap<u32, StatementKey>,
    all: HashSet<StatementKey>,
}

impl Statements {
    /// What the rules for the robot say. `None` if the work is spent: a part of the rules would
    /// make the others look added or removed.
    fn of_rules(compared: &CompiledFile<'_>, work: &mut Work) -> Option<Self> {
        let mut statements = Self::default();
        for rule in compared.robots.rules(&compared.policy) {
            let Some(key) = StatementKey::of_rule(None, &rule) else {
                continue;
            };
            if !work.spend(20) {
                return None;
            }
            statements.add(rule.line.number, key);
        }
        Some(statements)
    }

    /// What the file says about preferences.
    fn of_preferences(compared: &CompiledFile<'_>) -> Self {
        let mut statements = Self::default();
        for statement in Inspect::of(&compared.policy).preference_statements() {
            statements.add(statement.line, StatementKey::of_preference(&statement));
        }
        for (token, policy) in Inspect::of(&compared.policy).control_tokens() {
            let name = token.token.as_str();
            for rule in compared.robots.rules(policy) {
                if let Some(key) = StatementKey::of_rule(Some(name), &rule) {
                    statements.add(rule.line.number, key);
                }
            }
            if has_own_group(policy) {
                for group in policy.chosen_groups() {
                    statements.add(group.place.line, StatementKey::Group(name.to_owned()));
                }
            }
        }
        statements
    }

    fn add(&mut self, line: u32, key: StatementKey) {
        self.all.insert(key.clone());
        self.by_line.insert(line, key);
    }

    fn is_missing_in(&self, line: u32, other: &Self) -> bool {
        let key = self.by_line.get(&line);
        key.is_some_and(|key| !other.all.contains(key))
    }

    /// The line with a preference as a cause.
    fn reason(&self, line: u32, compared: &CompiledFile<'_>, is_new: bool) -> Reason {
        let is_rule = matches!(
            self.by_line.get(&line),
            Some(StatementKey::Rule { .. } | StatementKey::Group(_))
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

/// Finds the causes of the regions of one entry.
pub(super) struct Reasons {
    /// The cause of all regions about crawling, if there is one.
    all: Option<Reason>,
    /// What the old and the new file say about preferences.
    preferences: [Statements; 2],
    /// The rules of the old and of the new file; none if one cause explains everything, or if the
    /// work was spent before all were read.
    rules: [Statements; 2],
    /// The number of rules of the group for `*` that is gained or lost.
    pub(super) rules_of_everyone: usize,
}

impl Reasons {
    pub(super) fn new(
        one: &ClientDifferences,
        old: &CompiledFile<'_>,
        new: &CompiledFile<'_>,
        new_access: &mut AccessSurvey<'_>,
        work: &mut Work,
    ) -> Self {
        let mut reasons = Self {
            all: None,
            preferences: [old, new].map(Statements::of_preferences),
            rules: Default::default(),
            rules_of_everyone: 0,
        };
        // A closed site explains every region about crawling, so this is asked first.
        if closes_site(one, new, new_access) {
            let line = new_access.access_of(&new.policy).line;
            let by = one.comparison.regions.iter();
            let by = by.filter_map(|region| region.new.decided_by.as_ref());
            let statement = { by }.find(|by| by.line == line);
            let statement = statement.map_or_else(Vec::new, |by| by.statement.clone());
            reasons.all = Some((CauseKind::SiteClosed, line, statement));
        } else if let Some(groups) = &one.comparison.groups {
            let by = |chosen: &Option<Chosen>| chosen.as_ref().map(|chosen| chosen.by);
            let (kind, of) = match (by(&groups.old), by(&groups.new)) {
                (Some(SelectionLevel::AnyCrawler), Some(SelectionLevel::ProductToken)) => {
                    // The group that these robots no longer follow is in the old file.
                    (CauseKind::OwnGroup, old)
                }
                (Some(SelectionLevel::ProductToken), Some(SelectionLevel::AnyCrawler)) => {
                    (CauseKind::GroupLost, new)
                }
                _ => (CauseKind::OtherGroup, new),
            };
            reasons.rules_of_everyone = of.robots.rules(&of.policy).len();
            let line = of.policy.chosen_groups();
            let line = line.first().map(|group| group.place.line);
            reasons.all = Some((kind, line, Vec::new()));
        } else if let [Some(old), Some(new)] =
            [old, new].map(|side| Statements::of_rules(side, work))
        {
            reasons.rules = [old, new];
        }
        reasons
    }

    pub(super) fn of(&self, region: &Region, sides: [&CompiledFile<'_>; 2]) -> Reason {
        let found = match region.usage {
            Usage::Crawl => self.of_crawl(&region.old, &region.new),
            usage if Usage::PREFERENCES.contains(&usage) => self.of_preference(region, sides),
            _ => None,
        };
        found.unwrap_or((CauseKind::Other, None, Vec::new()))
    }

    fn of_crawl(&self, old: &ShortAnswer, new: &ShortAnswer) -> Option<Reason> {
        if let Some(all) = &self.all {
            return Some(all.clone());
        }
        let [old_rules, new_rules] = &self.rules;
        // An added line is in the file that counts from now on, so it comes before a removed one.
        if let Some((line, statement)) = only_in(new, new_rules, old_rules) {
            return Some((CauseKind::RuleAdded, Some(line), statement));
        }
        let (line, statement) = only_in(old, old_rules, new_rules)?;
        Some((CauseKind::RuleRemoved, Some(line), statement))
    }

    fn of_preference(&self, region: &Region, sides: [&CompiledFile<'_>; 2]) -> Option<Reason> {
        // Content-Usage is silent where crawling is disallowed, so the cause is that of crawling.
        if is_void(&region.old) || is_void(&region.new) {
            let target = Target::new(&region.witness).ok()?;
            let [old, new] = sides.map(|side| {
                let decision = side.policy.decide(&target);
                ShortAnswer::in_effect(decision.usages.crawl())
            });
            return self.of_crawl(&old, &new);
        }
        let is_of_group = is_of_group(&region.old) || is_of_group(&region.new);
        let is_group = |(kind, ..): &&Reason| *kind != CauseKind::SiteClosed;
        if let Some(group) = self.all.as_ref().filter(is_group).filter(|_| is_of_group) {
            return Some(group.clone());
        }
        of_statement(region, &self.preferences, sides)
    }
}

/// The deciding rule, if only this side has it.
fn only_in(answer: &ShortAnswer, own: &Statements, other: &Statements) -> Option<(u32, Vec<u8>)> {
    let by = answer.decided_by.as_ref()?;
    // A default is no rule, whatever line it names.
    let line = by.line.filter(|_| by.source != Source::Default)?;
    own.is_missing_in(line, other)
        .then(|| (line, by.statement.clone()))
}

/// The line of one of the files that makes the difference in a region of preferences.
fn of_statement(
    region: &Region,
    statements: &[Statements; 2],
    sides: [&CompiledFile<'_>; 2],
) -> Option<Reason> {
    let [of_old, of_new] = statements;
    let [old, new] = sides;
    // An added line comes before a removed one, as for crawling.
    let both = [
        (of_new, of_old, &region.new, new, true),
        (of_old, of_new, &region.old, old, false),
    ];
    let decides = both.iter().find_map(|(own, other, answer, side, is_new)| {
        let mut lines = deciding(answer, side, &region.witness).into_iter();
        let line = lines.find(|line| own.is_missing_in(*line, other))?;
        Some(own.reason(line, side, *is_new))
    });
    // The line may be silent about the usage, and hide another that is not.
    decides.or_else(|| {
        both.iter().find_map(|(own, other, _, side, is_new)| {
            let inspect = Inspect::of(&side.policy);
            let statements = inspect.preference_statements().into_iter();
            let matching = statements.filter(|one| matches(one, &region.witness));
            let missing = matching.filter(|one| own.is_missing_in(one.line, other));
            // The longest path decides, so it hides the others.
            let longest = missing.max_by_key(|one| one.path.map(<[u8]>::len))?;
            Some(own.reason(longest.line, side, *is_new))
        })
    })
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
