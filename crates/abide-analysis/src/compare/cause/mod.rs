//! Why answers change: regions that have one cause, together.

mod reason;
mod sentence;

pub use reason::CauseKind;

use super::audience::Audience;
use super::files::{ClientDifferences, Differences};
use super::openness::AccessSurvey;
use super::report::Chosen;
use super::{CompiledFile, effect};
use crate::bound::Work;
use crate::words::Phrase;
use abide::Robots;
use abide::syntax::FieldKind;
use reason::Reasons;
use sentence::sentence;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Why the answers of some regions change. Each region has one cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Cause {
    /// The kind of cause.
    pub kind: CauseKind,
    /// The cause in words.
    pub sentence: Phrase,
    /// For whom.
    pub whom: Phrase,
    /// The number of a line: of the old file for `rule-removed`, `preference-removed` and
    /// `own-group`, else of the new one.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub line: Option<u32>,
    /// The regions, at least one.
    pub regions: Vec<RegionPlace>,
}

/// The place of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RegionPlace {
    /// The index in the member `clients`.
    pub clients: usize,
    /// The index in the regions of these clients.
    pub region: usize,
}

/// What distinguishes causes: the kind and a line of a file.
type CauseKey = (CauseKind, Option<u32>);

/// What is known of a cause before it is put into words.
struct CauseFacts {
    statement: Vec<u8>,
    /// The number of rules of the group for `*`.
    rules: usize,
    /// Whether a group addressed the robots in the old file.
    had_group: bool,
    /// How the robots find their group in the new file.
    chosen: Option<Chosen>,
    /// If the site is closed, the names of the group in the new file that has the line.
    group: Vec<String>,
    clients: BTreeSet<usize>,
    regions: Vec<RegionPlace>,
}

/// The causes of all regions, the gravest first, then in the order of lines.
pub(super) fn causes<'r>(
    differences: &Differences,
    compared: &dyn Fn(&ClientDifferences) -> Option<[CompiledFile<'r>; 2]>,
    new_access: &mut AccessSurvey<'_>,
    audience: &Audience<'_>,
    work: &mut Work,
) -> Vec<Cause> {
    let mut found: BTreeMap<CauseKey, CauseFacts> = BTreeMap::new();
    for (at, one) in differences.clients.iter().enumerate() {
        if one.comparison.regions.is_empty() {
            continue;
        }
        // Nobody waits for the answer any more.
        let Some([old, new]) = compared(one) else {
            continue;
        };
        let reasons = Reasons::new(one, &old, &new, new_access, work);
        for (region_at, region) in one.comparison.regions.iter().enumerate() {
            let (kind, line, statement) = reasons.of(region, [&old, &new]);
            let cause = found.entry((kind, line)).or_insert_with(|| CauseFacts {
                statement,
                rules: reasons.rules_of_everyone,
                had_group: !old.policy.chosen_groups().is_empty(),
                chosen: Chosen::of(&new.policy),
                // A line can be in a group of thousands.
                group: if kind == CauseKind::SiteClosed {
                    group_names(new.robots, line)
                } else {
                    Vec::new()
                },
                clients: BTreeSet::new(),
                regions: Vec::new(),
            });
            cause.clients.insert(at);
            cause.regions.push(RegionPlace {
                clients: at,
                region: region_at,
            });
        }
    }
    // A map, so the gravest come first, and then the lines in order.
    let causes = with_one_cause_per_line(found).into_iter();
    // Thousands of lines can concern the same robots.
    let mut whom: BTreeMap<BTreeSet<usize>, Phrase> = BTreeMap::new();
    let causes = causes.map(|((kind, line), found)| Cause {
        kind,
        sentence: sentence(kind, line, &found, audience),
        whom: whom
            .entry(found.named(differences, audience))
            .or_insert_with_key(|named| audience.whom(named, &|_| false))
            .clone(),
        line,
        regions: found.regions,
    });
    causes.collect()
}

/// A rule that closes the site to robots and also disallows a use to control tokens is one cause.
fn with_one_cause_per_line(
    mut found: BTreeMap<CauseKey, CauseFacts>,
) -> BTreeMap<CauseKey, CauseFacts> {
    let closing: Vec<Option<u32>> = found
        .keys()
        .filter(|(kind, line)| *kind == CauseKind::SiteClosed && line.is_some())
        .map(|(_, line)| *line)
        .collect();
    for line in closing {
        let Some(same) = found.remove(&(CauseKind::RuleAdded, line)) else {
            continue;
        };
        if let Some(cause) = found.get_mut(&(CauseKind::SiteClosed, line)) {
            cause.clients.extend(same.clients);
            cause.regions.extend(same.regions);
            cause.regions.sort();
        }
    }
    found
}

impl CauseFacts {
    /// The entries to name. If all that changes for a robot is what a control token says, and the
    /// token is named, the robot is not.
    fn named(&self, differences: &Differences, audience: &Audience<'_>) -> BTreeSet<usize> {
        let is_by_token = |at: usize| {
            let places = self.regions.iter().filter(|place| place.clients == at);
            let regions = places.filter_map(|place| {
                let one = differences.clients.get(place.clients)?;
                one.comparison.regions.get(place.region)
            });
            { regions }.all(effect::is_by_control_token)
        };
        let fetchers = audience.fetchers_for(&self.clients);
        let clients = self.clients.iter().copied();
        let clients =
            clients.filter(|at| !(audience.are_among(*at, &fetchers) && is_by_token(*at)));
        clients.collect()
    }
}

/// The names of the group that a line is in.
fn group_names(robots: &Robots, line: Option<u32>) -> Vec<String> {
    let number = line.and_then(|line| (line as usize).checked_sub(1));
    let group = number.and_then(|at| robots.lines().get(at)?.group);
    let group = group.and_then(|group| robots.groups().get(group));
    let starters = group.map_or(&[][..], |group| &group.starters).iter();
    let fields = starters.filter_map(|at| robots.lines().get(*at)?.field());
    let names = fields.filter(|field| field.kind == FieldKind::UserAgent);
    let names = names.map(|field| field.value.of(robots.text().as_bytes()));
    names
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect()
}
