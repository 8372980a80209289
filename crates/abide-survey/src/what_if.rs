//! What would change in a file if a document were adopted, or an ambiguous point read otherwise.

use crate::options::WhatIf;
use crate::schema::ChangeRow;
use abide::preference::{Revision, Vocabulary};
use abide::syntax::{FieldKind, Line, preference_vocabulary};
use abide::{Client, Policy, ProductToken, PurposeToken, Reading, Robots, Target, Usage};
use abide_analysis::{matrix, preferences, sample};
use std::collections::{BTreeMap, BTreeSet};

/// How many of the robots are asked that groups near a line name.
pub(crate) const MAX_NAMED: usize = 50;
/// How many paths are asked about: those of the survey, and one for each pattern.
const MAX_PATHS: usize = 200;
const USAGES: [Usage; 4] = [Usage::Crawl, Usage::Train, Usage::AiInput, Usage::Search];

/// A robot that the survey asks about: its name, and its rules in a reading.
pub(crate) type AskedRobot<'a> = (String, &'a dyn Fn(Reading) -> Policy);

/// One row for each robot and usage whose answer changes, with the first path where it does. The
/// robots are those of the survey, and those that groups name which a line of the document is in or
/// next to; these claim `purposes` too. Files without such a line are not compiled: their answers
/// cannot change.
pub(crate) fn changes(
    robots: &Robots,
    what_if: WhatIf,
    asked: &[AskedRobot<'_>],
    purposes: &[PurposeToken],
    paths: &[String],
) -> Vec<ChangeRow<'static>> {
    let Some(readings) = what_if.readings().map(<[Reading; 2]>::from) else {
        return Vec::new();
    };
    let groups = affected_groups(robots, what_if);
    if groups.is_empty() {
        return Vec::new();
    }
    let paths = sampled(robots, paths);
    let mut rows = Vec::new();
    for (name, policy) in asked {
        let policies = readings.map(policy);
        add_changes(robots, what_if, name, &policies, &paths, &mut rows);
    }
    for name in named(robots, &groups) {
        if asked
            .iter()
            .any(|(asked, _)| asked.eq_ignore_ascii_case(&name))
        {
            continue;
        }
        let Ok(token) = ProductToken::nonstandard(&name) else {
            continue;
        };
        let client = asking(&Client::new(token), purposes);
        let policies = readings.map(|reading| robots.policy(&client.clone().with_reading(reading)));
        add_changes(robots, what_if, &name, &policies, &paths, &mut rows);
    }
    rows
}

/// The client, claiming these purposes, and asking for the preferences that robots.txt itself
/// states.
pub(crate) fn asking(client: &Client, purposes: &[PurposeToken]) -> Client {
    let vocabularies = preferences::ROBOTS_TXT_VOCABULARIES.to_vec();
    let client = preferences::with_preferences(client, Some(vocabularies));
    purposes.iter().cloned().fold(client, Client::with_purpose)
}

/// The groups that have a line which the readings differ about, and their neighbours.
fn affected_groups(robots: &Robots, what_if: WhatIf) -> BTreeSet<usize> {
    let bytes = robots.text().as_bytes();
    let is_read_otherwise = |line: &&Line| {
        line.field().is_some_and(|field| match what_if {
            WhatIf::Attach => {
                preference_vocabulary(field.key.of(bytes)) == Some(Vocabulary::ContentUsage)
            }
            WhatIf::PlanB => field.kind == FieldKind::AppDirectives,
            WhatIf::Purpose => field.kind == FieldKind::UserAgentPurpose,
            WhatIf::Repext => false,
        })
    };
    let lines = robots.lines().iter().filter(is_read_otherwise);
    let groups = lines.filter_map(|line| line.group);
    groups
        .flat_map(|group| group.saturating_sub(1)..=group + 1)
        .filter(|group| *group < robots.groups().len())
        .collect()
}

/// The robots that these groups name, each once.
fn named(robots: &Robots, groups: &BTreeSet<usize>) -> Vec<String> {
    let groups = groups.iter().filter_map(|at| robots.groups().get(*at));
    let starters = groups.flat_map(|group| &group.starters);
    let lines = starters.filter_map(|at| robots.lines().get(*at));
    // Robots compare names without case.
    let mut named = BTreeMap::new();
    for name in lines.filter_map(|line| matrix::named_robot(robots, line)) {
        named.entry(name.to_ascii_lowercase()).or_insert(name);
        if named.len() == MAX_NAMED {
            break;
        }
    }
    named.into_values().collect()
}

/// The paths of the survey, and one for each pattern of the file.
fn sampled(robots: &Robots, paths: &[String]) -> Vec<String> {
    let rules = robots.lines().iter().filter_map(|line| robots.rule(line));
    let patterns = rules.filter_map(|rule| rule.pattern.ok());
    let preferred = robots.lines().iter().filter_map(|line| {
        let statement = robots.preference_statement(line, Revision::latest())?;
        sample::matching(&statement.pattern()?.ok()?)
    });
    let root = ["/".to_owned(), "/page".to_owned()].into_iter();
    let sampled = root.chain(paths.iter().cloned());
    let sampled = sampled.chain(patterns.filter_map(|pattern| sample::matching(&pattern)));
    let mut seen = BTreeSet::new();
    let sampled = sampled.chain(preferred);
    sampled
        .filter(|path| seen.insert(path.clone()))
        .take(MAX_PATHS)
        .collect()
}

/// Adds a row for each usage whose answer differs between the two policies.
fn add_changes(
    robots: &Robots,
    what_if: WhatIf,
    robot: &str,
    [before, after]: &[Policy; 2],
    paths: &[String],
    rows: &mut Vec<ChangeRow<'static>>,
) {
    let mut open = USAGES.to_vec();
    for path in paths {
        let Ok(target) = Target::new(path) else {
            continue;
        };
        let decisions = [before.decide(&target), after.decide(&target)];
        open.retain(|&usage| {
            let [before, after] = [&decisions[0], &decisions[1]].map(|said| said.outcome(usage));
            if before == after {
                return true;
            }
            // The line that decides if the document is adopted; or else the one that did before. A
            // permission without a rule has the line of its group, which does not tell why.
            let deciding = decisions.iter().rev().find_map(|said| {
                let evidence = said.usage(usage)?.evidence.first()?;
                let is_rule = usage != Usage::Crawl || evidence.bytes.is_some();
                evidence.place.filter(|_| is_rule).map(|place| place.line)
            });
            let line = deciding.and_then(|line| robots.lines().get(line as usize - 1));
            rows.push(ChangeRow {
                what_if: what_if.name().into(),
                robot: robot.to_owned().into(),
                usage: usage.name().into(),
                path: path.clone().into(),
                before: before.name().into(),
                after: after.name().into(),
                line: deciding.map(Into::into),
                group: line.and_then(|line| i64::try_from(line.group?).ok()),
            });
            false
        });
        if open.is_empty() {
            return;
        }
    }
}
