//! Why answers change: regions that have one cause, together.

use super::CompiledFile;
use super::audience::{Audience, list};
use super::bound::Work;
use super::files::{ClientDifferences, Differences};
use super::openness::{AccessSurvey, Openness};
use super::phrase::Phrase;
use super::preference_cause::{self, PreferenceLines, is_of_group, is_void};
use super::preference_effect;
use super::report::{Chosen, Region};
use crate::short_answer::ShortAnswer;
use abide::syntax::FieldKind;
use abide::verdict::{SelectionLevel, Sense, Source};
use abide::{Outcome, Robots, Target, Usage};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

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
                rules: reasons.rules,
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
            { regions }.all(preference_effect::is_by_control_token)
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

/// What a rule says: its pattern in form C1, whether it is anchored, and its sense.
type RuleKey = (Vec<u8>, bool, Sense);

/// A cause: its kind, a line, and the statement on it.
pub(super) type Reason = (CauseKind, Option<u32>, Vec<u8>);

/// Finds the causes of the regions of one entry.
struct Reasons {
    /// The cause of all regions about crawling, if there is one.
    all: Option<Reason>,
    /// The lines of the old and of the new file about preferences.
    preferences: [PreferenceLines; 2],
    /// The rules of the old and of the new file, by line.
    lines: [HashMap<u32, RuleKey>; 2],
    said: [HashSet<RuleKey>; 2],
    /// The number of rules of the group for `*` that is gained or lost.
    rules: usize,
}

impl Reasons {
    fn new(
        one: &ClientDifferences,
        old: &CompiledFile<'_>,
        new: &CompiledFile<'_>,
        new_access: &mut AccessSurvey<'_>,
        work: &mut Work,
    ) -> Self {
        let mut reasons = Self {
            all: None,
            preferences: [old, new].map(PreferenceLines::of),
            lines: Default::default(),
            said: Default::default(),
            rules: 0,
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
            reasons.rules = of.robots.rules(&of.policy).len();
            let line = of.policy.chosen_groups();
            let line = line.first().map(|group| group.place.line);
            reasons.all = Some((kind, line, Vec::new()));
        } else {
            reasons.read(old, new, work);
        }
        reasons
    }

    fn read(&mut self, old: &CompiledFile<'_>, new: &CompiledFile<'_>, work: &mut Work) {
        let sides = self.lines.iter_mut().zip(&mut self.said);
        for (compared, (lines, said)) in [old, new].into_iter().zip(sides) {
            for rule in compared.robots.rules(&compared.policy) {
                let Ok(pattern) = rule.pattern.as_ref() else {
                    continue;
                };
                if !work.spend(20) {
                    return;
                }
                let key = (
                    pattern.forms().c1.to_vec(),
                    pattern.is_anchored(),
                    rule.sense,
                );
                lines.insert(rule.line.number, key.clone());
                said.insert(key);
            }
        }
    }

    fn of(&self, region: &Region, sides: [&CompiledFile<'_>; 2]) -> Reason {
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
        let [old_said, new_said] = &self.said;
        let [old_lines, new_lines] = &self.lines;
        // An added line is in the file that counts from now on, so it comes before a removed one.
        if let Some((line, statement)) = only_in(new, new_lines, old_said) {
            return Some((CauseKind::RuleAdded, Some(line), statement));
        }
        let (line, statement) = only_in(old, old_lines, new_said)?;
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
        preference_cause::cause(region, &self.preferences, sides)
    }
}

/// Whether the whole site becomes closed to robots to which it was not.
pub(super) fn closes_site(
    one: &ClientDifferences,
    new: &CompiledFile<'_>,
    new_access: &mut AccessSurvey<'_>,
) -> bool {
    // Two quick looks, because finding out about the whole site can take a search.
    if !one.comparison.regions.iter().any(closes) || new.policy.allows("/") {
        return false;
    }
    let access = new_access.access_of(&new.policy);
    access.class == Openness::Closed && access.is_exact
}

/// Whether URLs become closed.
pub(super) fn closes(region: &Region) -> bool {
    let is_closed = |answer: &ShortAnswer| answer.outcome == Outcome::Prohibited;
    region.usage == Usage::Crawl && !is_closed(&region.old) && is_closed(&region.new)
}

/// Whether URLs become open.
pub(super) fn opens(region: &Region) -> bool {
    let is_closed = |answer: &ShortAnswer| answer.outcome == Outcome::Prohibited;
    region.usage == Usage::Crawl && is_closed(&region.old) && !is_closed(&region.new)
}

/// The deciding rule, if only this side has it.
fn only_in(
    answer: &ShortAnswer,
    lines: &HashMap<u32, RuleKey>,
    others: &HashSet<RuleKey>,
) -> Option<(u32, Vec<u8>)> {
    let by = answer.decided_by.as_ref()?;
    // A default is no rule, whatever line it names.
    let line = by.line.filter(|_| by.source != Source::Default)?;
    let said = lines.get(&line)?;
    (!others.contains(said)).then(|| (line, by.statement.clone()))
}

fn sentence(
    kind: CauseKind,
    line: Option<u32>,
    found: &CauseFacts,
    audience: &Audience<'_>,
) -> Phrase {
    let place = |file: &str| line.map_or_else(String::new, |line| format!(" ({file}line {line})"));
    let statement = |what: &str, place: &str| {
        let phrase = Phrase::default().words(what);
        phrase.quoted(&found.statement).words(place)
    };
    match kind {
        CauseKind::SiteClosed => site_closed(found, &place("")),
        CauseKind::OwnGroup => follows_everyone(
            found,
            audience,
            [
                " has its own group, and no longer follows ",
                " have groups of their own, and no longer follow ",
            ],
        ),
        CauseKind::GroupLost => follows_everyone(
            found,
            audience,
            [
                " has no group of its own any more, and follows ",
                " have no groups of their own any more, and follow ",
            ],
        ),
        CauseKind::OtherGroup => other_group(found, audience),
        CauseKind::RuleAdded => statement(&format!("{} added: ", what(found)), &place("")),
        CauseKind::RuleRemoved => statement(&format!("{} removed: ", what(found)), &place("old ")),
        CauseKind::PreferenceAdded => statement("Preference added: ", &place("")),
        CauseKind::PreferenceRemoved => statement("Preference removed: ", &place("old ")),
        CauseKind::Other => Phrase::default().words("Other changes"),
    }
}

/// What a statement is. The line that begins the group of a control token counts by itself.
fn what(found: &CauseFacts) -> &'static str {
    let key = b"user-agent";
    let own = found.statement.get(..key.len()).unwrap_or_default();
    if own.eq_ignore_ascii_case(key) {
        "Group"
    } else {
        "Rule"
    }
}

fn site_closed(found: &CauseFacts, place: &str) -> Phrase {
    let chosen = found.chosen.as_ref();
    let phrase = Phrase::default().words("The group for ");
    let names: Vec<&str> = found.group.iter().map(String::as_str).collect();
    let phrase = match chosen.filter(|chosen| chosen.by != SelectionLevel::AnyCrawler) {
        Some(chosen) if names.is_empty() => phrase.name(&chosen.token),
        Some(_) => phrase.then(list(&names, &[])),
        None => phrase.quoted(b"*"),
    };
    let phrase = phrase.words(" disallows the whole site");
    if found.statement.is_empty() {
        phrase.words(place)
    } else {
        phrase.words(": ").quoted(&found.statement).words(place)
    }
}

/// Who follows the rules of `*`, or no longer does, by a verb for one robot and for several.
fn follows_everyone(found: &CauseFacts, audience: &Audience<'_>, verb: [&str; 2]) -> Phrase {
    let [of_one, of_several] = verb;
    let rules = match found.rules {
        1 => "the 1 rule".to_owned(),
        rules => format!("the {rules} rules"),
    };
    let is_plural = audience.is_plural(&found.clients);
    let verb = if is_plural { of_several } else { of_one };
    let phrase = robots(found, audience).words(verb);
    phrase.words(&rules).words(" of ").quoted(b"*")
}

fn other_group(found: &CauseFacts, audience: &Audience<'_>) -> Phrase {
    let is_plural = audience.is_plural(&found.clients);
    let Some(chosen) = &found.chosen else {
        let verb = if is_plural { "follow" } else { "follows" };
        let verb = format!(" had a group before, and now {verb} none");
        return robots(found, audience).words(&verb);
    };
    let verb = match (found.had_group, is_plural) {
        (true, true) => " follow another group: that for ",
        (true, false) => " follows another group: that for ",
        (false, true) => " had no group before, and now follow that for ",
        (false, false) => " had no group before, and now follows that for ",
    };
    let phrase = robots(found, audience).words(verb);
    match chosen.by {
        SelectionLevel::AnyCrawler => phrase.quoted(b"*"),
        SelectionLevel::Purpose => phrase.words("the purpose ").name(&chosen.token),
        _ => phrase.name(&chosen.token),
    }
}

/// The robots that the cause affects, at the beginning of a sentence.
fn robots(found: &CauseFacts, audience: &Audience<'_>) -> Phrase {
    audience.whom(&found.clients, &|_| false).capital()
}
