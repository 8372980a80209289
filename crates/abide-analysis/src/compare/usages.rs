//! What two files say about usages: conventional rules about crawling, ACAP records about every
//! usage.

use super::CompiledFile;
use super::preferences::{Preferences, is_search_exact};
use super::report::{Region, VocabularyChange};
use super::sides::{Both, Side};
use crate::bound::Work;
use crate::language::alphabet::Alphabet;
use crate::language::patterns::Patterns;
use crate::language::rank::{Rank, allows, rank, weight};
use crate::language::search::{Contest, Search};
use crate::short_answer::ShortAnswer;
use abide::syntax::{Inspect, PathPattern};
use abide::verdict::Sense;
use abide::{Policy, Profile, Robots, Target};
use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

/// The rules and fields of both sides.
struct Rules {
    /// The ranks of each pattern, by its number.
    ranks: Vec<Both<Rank>>,
    /// Patterns that always matter, such as those of ACAP fields.
    kept: Vec<bool>,
    /// Patterns whose conventional rules an ACAP field may override (ACAP-21), so that weaker rules
    /// decide.
    fragile: Vec<bool>,
    /// Whether either side has ACAP records for the client.
    has_acap: bool,
    /// All rules of each side: pattern and sense.
    all: [BTreeSet<(u32, Sense)>; 2],
    /// What both sides say about training, AI input and search.
    preferences: Preferences,
}

impl Rules {
    fn rank(&self, pattern: u32) -> Both<Rank> {
        let rank = self.ranks.get(pattern as usize);
        rank.copied().unwrap_or_default()
    }

    fn is_kept(&self, pattern: u32) -> bool {
        self.kept.get(pattern as usize) == Some(&true)
    }

    fn is_fragile(&self, pattern: u32) -> bool {
        self.fragile.get(pattern as usize) == Some(&true)
    }

    /// The strongest rules that nothing can override.
    fn best(&self, matched: &[u32]) -> Both<Rank> {
        // A fragile rule may turn out to be ignored, so weaker rules have to be kept beside it.
        let firm = matched.iter().filter(|pattern| !self.is_fragile(**pattern));
        let ranks = firm.map(|pattern| self.rank(*pattern));
        ranks.fold(Both::default(), |best, rank| Both {
            old: best.old.max(rank.old),
            new: best.new.max(rank.new),
        })
    }
}

impl Contest for Rules {
    fn reduce(&self, matched: &mut Vec<u32>) {
        let best = self.best(matched);
        let mut deciding = HashSet::new();
        self.preferences.deciding(matched, |pattern| {
            deciding.insert(pattern);
        });
        matched.retain(|&pattern| {
            let rank = self.rank(pattern);
            let on = |side| rank.of(side) > 0 && rank.of(side) >= best.of(side);
            let is_preference = deciding.contains(&pattern);
            self.is_kept(pattern) || on(Side::Old) || on(Side::New) || is_preference
        });
    }

    fn matters(&self, matched: &[u32], pattern: u32) -> bool {
        let (best, rank) = (self.best(matched), self.rank(pattern));
        self.is_kept(pattern)
            || rank.old > best.old
            || rank.new > best.new
            || self.preferences.matters(matched, pattern)
    }

    /// Without ACAP: whether a rule that only one side has can decide there, while a weaker rule of
    /// the other sense can decide on the other side. A rule on both sides decides on both, unless a
    /// stronger one exists on one side only.
    fn may_differ(&self, matched: &[u32], open: &mut dyn Iterator<Item = u32>) -> bool {
        // ACAP compares patterns in its own way, so that any of them may make a difference.
        if self.has_acap {
            return true;
        }
        let best = self.best(matched);
        let best = Both {
            old: weight(best.old),
            new: weight(best.new),
        };
        let mut duel = Duel::new(best);
        let mut all = Vec::new();
        for pattern in open {
            if duel.add(self.rank(pattern)) {
                return true;
            }
            // Most files state no preferences, and then nothing is collected.
            if !self.preferences.is_empty() {
                all.push(pattern);
            }
        }
        duel.is_open() || self.preferences.may_differ(matched, &all)
    }

    fn differs(&self, matched: &[u32]) -> bool {
        let best = self.best(matched);
        self.has_acap
            || allows(weight(best.old)) != allows(weight(best.new))
            || self.preferences.differs(matched)
    }

    fn passes(&self) -> u64 {
        1 + self.preferences.len() as u64
    }
}

/// By sense: the strongest rule that may decide on one side only, and the weakest that may decide
/// on the other.
struct Duel {
    best: Both<u64>,
    strongest: [Both<u64>; 2],
    weakest: [Both<u64>; 2],
}

impl Duel {
    fn new(best: Both<u64>) -> Self {
        let (none, all) = (
            Both { old: 0, new: 0 },
            Both {
                old: u64::MAX,
                new: u64::MAX,
            },
        );
        let mut duel = Self {
            best,
            strongest: [none; 2],
            weakest: [all; 2],
        };
        for side in [Side::Old, Side::New] {
            // The strongest rule that matches already, or the default, decides if no other one
            // follows.
            duel.may_decide(side, best.of(side), true);
        }
        duel
    }

    fn may_decide(&mut self, side: Side, weight: u64, alone: bool) {
        let sense = usize::from(allows(weight));
        if let Some(weakest) = self.weakest.get_mut(sense).map(|both| both.of_mut(side)) {
            *weakest = weight.min(*weakest);
        }
        if let Some(strongest) = self.strongest.get_mut(sense).map(|both| both.of_mut(side))
            && alone
        {
            *strongest = weight.max(*strongest);
        }
    }

    /// Adds a rule that may match; returns whether the sides may now differ.
    fn add(&mut self, rank: Both<Rank>) -> bool {
        let on = |side| rank.of(side) > 0;
        let weight = |side| weight(rank.of(side));
        let matters = |side| on(side) && weight(side) > self.best.of(side);
        let (old, new) = (matters(Side::Old), matters(Side::New));
        let both = on(Side::Old) && on(Side::New);
        // One pattern with two strengths: a rule between them decides on one side only.
        if both && weight(Side::Old) != weight(Side::New) && (old || new) {
            return true;
        }
        if old {
            self.may_decide(Side::Old, weight(Side::Old), !both);
        }
        if new {
            self.may_decide(Side::New, weight(Side::New), !both);
        }
        false
    }

    fn is_open(&self) -> bool {
        let [disallow, allow] = &self.strongest;
        let [disallow_at_least, allow_at_least] = &self.weakest;
        disallow.old > allow_at_least.new
            || disallow.new > allow_at_least.old
            || allow.old > disallow_at_least.new
            || allow.new > disallow_at_least.old
    }
}

/// What differs about usages.
#[derive(Default)]
pub(super) struct UsageDifferences {
    pub(super) regions: Vec<Region>,
    pub(super) vocabularies: Vec<VocabularyChange>,
    /// Whether everything was found about crawling and ACAP's usages, and about preferences.
    pub(super) is_complete: bool,
    pub(super) has_preferences: bool,
}

/// What two files differ in about usages, on paths that no pattern of `left_out` matches.
pub(super) fn compare(
    left_out: &[PathPattern<'static>],
    old: &CompiledFile<'_>,
    new: &CompiledFile<'_>,
    alphabet: &Alphabet,
    work: &mut Work,
) -> UsageDifferences {
    let (patterns, rules) = read(left_out, old, new);
    let mut differences = UsageDifferences {
        has_preferences: !rules.preferences.is_empty(),
        ..UsageDifferences::default()
    };
    if !work.spend((patterns.globs.len() as u64) * 4 * rules.passes()) {
        return differences;
    }
    // Equal rules give equal answers, and no search is needed.
    if rules.are_the_same() && has_same_records(old.robots, new.robots) {
        differences.is_complete = true;
        return differences;
    }
    let mut found = RegionSet::default();
    let mut search = Search::new(&patterns.globs, alphabet, &rules);
    let is_complete = search.run(work, |work, _, path| {
        // With ACAP records, which ignore case, paths that are left out come up too.
        let folded = path.to_ascii_lowercase();
        if left_out.iter().any(|own| own.matches(folded.as_bytes())) {
            return ControlFlow::Continue(());
        }
        let pieces = found.ask(&old.policy, &new.policy, path);
        work.spend(ASKED * rules.passes() + pieces as u64 * EVIDENCE);
        ControlFlow::Continue(())
    });
    let is_search_exact = is_search_exact(old.robots.profile(), &rules.preferences);
    UsageDifferences {
        regions: found.regions,
        vocabularies: found.vocabularies,
        is_complete: is_complete && is_search_exact,
        ..differences
    }
}

/// Work of asking the engine about one path and storing the answer.
const ASKED: u64 = 500;
/// Work of one piece of evidence, or of one group.
const EVIDENCE: u64 = 20;

fn read(
    left_out: &[PathPattern<'static>],
    old: &CompiledFile<'_>,
    new: &CompiledFile<'_>,
) -> (Patterns, Rules) {
    let profile = old.robots.profile();
    let mut patterns = Patterns::new(profile);
    let mut rules = Rules {
        ranks: Vec::new(),
        kept: Vec::new(),
        fragile: Vec::new(),
        has_acap: false,
        all: Default::default(),
        preferences: Preferences::default(),
    };
    let mut acap = HashSet::new();
    for compared in [old, new] {
        let Some(own) = Inspect::of(&compared.policy).acap_patterns() else {
            continue;
        };
        rules.has_acap = true;
        for pattern in own {
            let path = pattern.path_pattern();
            let number = patterns.number(path, true);
            rules.keep(number);
            acap.insert((path.forms().c1.to_vec(), path.is_anchored()));
        }
    }
    let mut all_rules = [BTreeSet::new(), BTreeSet::new()];
    for ((side, compared), all_rules) in [(Side::Old, old), (Side::New, new)]
        .into_iter()
        .zip(&mut all_rules)
    {
        for rule in compared.robots.rules(&compared.policy) {
            let Ok(path) = &rule.pattern else { continue };
            let number = patterns.number(path, false);
            // In the form of ACAP patterns, which are compared in lower case.
            let folded = path.forms().c1.to_ascii_lowercase();
            let fragile = acap.contains(&(folded, path.is_anchored()));
            let rank = rank(path.length(), rule.sense, rule.line.number);
            rules.add(number, side, rank, fragile);
            all_rules.insert((number, rule.sense));
            if let Some(folder) = &rule.folder {
                let number = patterns.number(folder, false);
                let rank = self::rank(folder.length(), rule.sense, rule.line.number);
                // google/robotstxt allows the folder as well as its index page.
                rules.add(number, side, rank, false);
                all_rules.insert((number, rule.sense));
            }
        }
    }
    rules.all = all_rules;
    let exempt = exempt(profile);
    for own in left_out.iter().chain(&exempt) {
        // Stronger than every rule, and equal on both sides.
        let number = patterns.number(own, false);
        for side in [Side::Old, Side::New] {
            rules.add(number, side, Rank::MAX, false);
        }
        rules.keep(number);
    }
    let sides = [(Side::Old, old), (Side::New, new)];
    rules.preferences = Preferences::read(sides, &mut patterns);
    // Patterns of preferences have no rank, but their numbers are indices of the same tables.
    rules.at(patterns.len().saturating_sub(1));
    (patterns, rules)
}

/// The path that is always allowed: /robots.txt (REP-46).
pub(super) fn exempt(profile: Profile) -> Option<PathPattern<'static>> {
    let own = PathPattern::read(b"/robots.txt$").ok();
    own.filter(|_| profile == Profile::Careful)
}

impl Rules {
    /// Grows the tables so that `pattern` is an index.
    fn at(&mut self, pattern: usize) -> usize {
        let len = self.ranks.len().max(pattern + 1);
        self.ranks.resize(len, Both::default());
        self.kept.resize(len, false);
        self.fragile.resize(len, false);
        pattern
    }

    fn keep(&mut self, pattern: u32) {
        let at = self.at(pattern as usize);
        if let Some(kept) = self.kept.get_mut(at) {
            *kept = true;
        }
    }

    fn add(&mut self, pattern: u32, side: Side, rank: Rank, fragile: bool) {
        let at = self.at(pattern as usize);
        if let Some(own) = self.ranks.get_mut(at).map(|ranks| ranks.of_mut(side)) {
            *own = rank.max(*own);
        }
        if let Some(own) = self.fragile.get_mut(at) {
            *own |= fragile;
        }
    }

    /// Whether both sides have the same rules, on whatever lines.
    fn are_the_same(&self) -> bool {
        let [old, new] = &self.all;
        old == new && self.preferences.are_the_same()
    }
}

/// Whether both files have the same ACAP stream, byte for byte.
fn has_same_records(old: &Robots, new: &Robots) -> bool {
    let lines = |robots: &Robots| -> Vec<Vec<u8>> {
        let text = robots.text().as_bytes();
        let lines = robots.acap_lines();
        lines.map(|line| line.span.of(text).to_vec()).collect()
    };
    // In a file that is cut the same lines can be followed by others.
    let is_cut = old.text().is_truncated() || new.text().is_truncated();
    !is_cut && lines(old) == lines(new)
}

/// Regions by their answers; the first path found represents each.
#[derive(Default)]
struct RegionSet {
    regions: Vec<Region>,
    known: HashSet<String>,
    vocabularies: Vec<VocabularyChange>,
}

impl RegionSet {
    /// Asks the engine about a path; returns the number of pieces of evidence in the answers.
    fn ask(&mut self, old: &Policy, new: &Policy, path: &str) -> usize {
        // google/robotstxt takes the beginning of a path for a host if it can.
        let url = match old.client().profile() {
            Profile::Google => format!("https://example.com{path}"),
            _ => path.to_owned(),
        };
        let Ok(target) = Target::new(&url) else {
            return 0;
        };
        let (old, new) = (old.decide(&target), new.decide(&target));
        let usages = old.usages.iter().chain(&new.usages);
        let pieces = usages.map(|one| one.evidence.len()).sum();
        for (old, new) in old.usages.iter().zip(&new.usages) {
            if old.outcome == new.outcome && old.conditions == new.conditions {
                continue;
            }
            let region = Region {
                usage: old.usage,
                old: ShortAnswer::in_effect(old),
                new: ShortAnswer::in_effect(new),
                witness: path.to_owned(),
            };
            if self.known.insert(region.key()) {
                self.regions.push(region);
            }
        }
        for change in VocabularyChange::all(&old, &new, path) {
            let is_alike = |known: &VocabularyChange| known.is_like(&change);
            if !self.vocabularies.iter().any(is_alike) {
                self.vocabularies.push(change);
            }
        }
        pieces
    }
}
