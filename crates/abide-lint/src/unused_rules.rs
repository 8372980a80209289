//! Finds rules that decide nothing, because other rules of the group do (REP-41 to REP-44).
//!
//! Every rule it reports decides nothing. It only compares pairs of rules, so it may miss some.

use crate::facts::UnusedRule;
use crate::file::File;
use abide::syntax::PathPattern;
use abide::syntax::{Addressee, Line, Rule};
use abide::verdict::Sense;
use abide_analysis::language::Language;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Pairs of rules of one group that are looked at, at most, where a wildcard is among them.
const MAX_PAIRS: usize = 100_000;

/// Rules and pairs that are looked at in a file, at most, so that the time is linear in its size.
/// A file of 500 KiB has at most 50,000 rules: only one in which many groups share parts of their
/// names reaches this.
const MAX_COMPARED: usize = 5_000_000;

/// A rule with what its comparison needs.
struct RankedRule<'r> {
    rule: &'r Rule<'r>,
    pattern: &'r PathPattern<'r>,
    language: Language<'r>,
    /// Whether it wins against one of the other sense on the same paths, and so decides something.
    cancels: bool,
    is_own: bool,
}

impl RankedRule<'_> {
    /// What decides between two rules that match: bytes, then allow (REP-42, REP-44, AMB-REP-4).
    fn rank(&self) -> (usize, Sense) {
        (self.pattern.length(), self.rule.sense)
    }

    fn line(&self) -> u32 {
        self.rule.line.number
    }

    /// Whether the pattern is all literal. With two forms, a rule can meet another that does not
    /// begin like it; with a `*` at its end, it can be stronger than longer ones.
    fn is_plain(&self) -> bool {
        self.language.is_literal()
    }
}

/// The rules of a file that decide nothing, by line, with why.
pub(crate) fn unused_rules(file: &File<'_>) -> Vec<(u32, UnusedRule)> {
    let starters: Vec<BTreeSet<String>> = file.addressees.iter().map(|all| names(all)).collect();
    let mut groups_of: HashMap<&str, Vec<usize>> = HashMap::new();
    // Groups for the same names count together, so their rules are compared once.
    let mut alike: BTreeMap<&BTreeSet<String>, Vec<usize>> = BTreeMap::new();
    for (group, names) in starters.iter().enumerate() {
        alike.entry(names).or_default().push(group);
        for name in names {
            groups_of.entry(name).or_default().push(group);
        }
    }
    let mut found = Vec::new();
    let mut budget = MAX_COMPARED;
    for (names, own) in alike {
        let related: Vec<&Vec<usize>> = names
            .iter()
            .filter_map(|name| groups_of.get(name.as_str()))
            .collect();
        let Some(fewest) = related.iter().min_by_key(|groups| groups.len()) else {
            continue;
        };
        let is_joined = |other: &usize| {
            let theirs = starters.get(*other);
            theirs.is_some_and(|theirs| names.is_subset(theirs))
        };
        let joined: Vec<usize> = fewest.iter().copied().filter(is_joined).collect();
        // Where some of its robots obey further groups, these may need what is redundant for the
        // others.
        let is_alone = related.iter().all(|groups| {
            let mut groups = groups.iter();
            groups.all(|other| joined.binary_search(other).is_ok())
        });
        let mut of_groups = of_groups(file, &own, &joined, &mut budget);
        of_groups.retain(|(_, why)| is_alone || !matches!(why, UnusedRule::Redundant(_)));
        found.append(&mut of_groups);
    }
    found.sort_by_key(|(line, _)| *line);
    found
}

fn names(addressees: &[Addressee<'_>]) -> BTreeSet<String> {
    addressees
        .iter()
        .filter_map(|addressee| match addressee {
            Addressee::Anybody => Some("*".to_owned()),
            Addressee::Token(token) => Some(token.to_ascii_lowercase()),
            Addressee::Purpose(purpose) => {
                Some(format!("purpose {}", purpose.to_ascii_lowercase()))
            }
            Addressee::Nobody => None,
        })
        .collect()
}

/// The rules of the groups `own`, which name the same robots, that decide nothing for these robots;
/// `joined` are the groups that count for all of them, `own` included. Takes what it compares off
/// the `budget`, and finds nothing if that is spent.
fn of_groups(
    file: &File<'_>,
    own: &[usize],
    joined: &[usize],
    budget: &mut usize,
) -> Vec<(u32, UnusedRule)> {
    let groups = joined.iter().filter_map(|group| file.rules.get(*group));
    let Some(left) = budget.checked_sub(groups.map(Vec::len).sum()) else {
        return Vec::new();
    };
    *budget = left;
    let mut rules: Vec<RankedRule<'_>> = Vec::new();
    for &other in joined {
        for rule in file.rules.get(other).into_iter().flatten() {
            if let Ok(pattern) = &rule.pattern {
                rules.push(RankedRule {
                    rule,
                    pattern,
                    language: Language::of(pattern),
                    cancels: false,
                    is_own: own.binary_search(&other).is_ok(),
                });
            }
        }
    }
    let mut found = same_paths(&mut rules);
    rules.sort_by(|a, b| {
        a.language
            .prefix()
            .cmp(b.language.prefix())
            .then_with(|| a.line().cmp(&b.line()))
    });
    let wild: Vec<&RankedRule<'_>> = rules.iter().filter(|rule| !rule.is_plain()).collect();
    let pairs = wild.len().saturating_mul(rules.len());
    let looks = pairs <= MAX_PAIRS.min(*budget);
    if looks {
        *budget -= pairs;
    }
    let mut above: Vec<&RankedRule<'_>> = Vec::new();
    for rule in &rules {
        above.retain(|outer| rule.language.prefix().starts_with(outer.language.prefix()));
        if rule.is_own && looks {
            let standing = beside(rule, &above, &rules, &wild);
            found.extend(standing.map(|standing| (rule.line(), standing)));
        }
        if rule.is_plain() {
            above.push(rule);
        }
    }
    found
}

/// Finds the rules that cover the same paths as a stronger one, and takes them out.
fn same_paths(rules: &mut Vec<RankedRule<'_>>) -> Vec<(u32, UnusedRule)> {
    let strongest = strongest(rules);
    let mut found = Vec::new();
    for (at, &best) in strongest.iter().enumerate() {
        let (Some(rule), Some(other)) = (rules.get(at), rules.get(best)) else {
            continue;
        };
        let (cancels, line, by) = (
            other.rule.sense != rule.rule.sense,
            rule.line(),
            other.line(),
        );
        if at != best && rule.is_own {
            found.push(if cancels {
                (line, UnusedRule::Cancelled(by))
            } else {
                (line, UnusedRule::Duplicate(by))
            });
        }
        if let (true, Some(other)) = (cancels, rules.get_mut(best)) {
            other.cancels = true;
        }
    }
    let mut at = 0..;
    rules.retain(|_| at.next().is_none_or(|at| strongest.get(at) == Some(&at)));
    found
}

/// For each rule, the strongest of those that cover the same paths; of equals the first.
fn strongest(rules: &[RankedRule<'_>]) -> Vec<usize> {
    let mut order: Vec<(usize, &RankedRule<'_>)> = rules.iter().enumerate().collect();
    order.sort_by(|(_, a), (_, b)| {
        let strength = b.rank().cmp(&a.rank()).then(a.line().cmp(&b.line()));
        a.language.form().cmp(b.language.form()).then(strength)
    });
    let mut strongest = vec![0; rules.len()];
    for run in order.chunk_by(|(_, a), (_, b)| a.language.form() == b.language.form()) {
        let Some((best, _)) = run.first() else {
            continue;
        };
        for (at, _) in run {
            if let Some(of) = strongest.get_mut(*at) {
                *of = *best;
            }
        }
    }
    strongest
}

/// How a rule stands that no other covers the same paths as. `above` are the plain rules that its
/// prefix begins with, the longest last.
fn beside(
    rule: &RankedRule<'_>,
    above: &[&RankedRule<'_>],
    rules: &[RankedRule<'_>],
    wild: &[&RankedRule<'_>],
) -> Option<UnusedRule> {
    let over = wild.iter().find(|other| {
        other.line() != rule.line()
            && other.rank() >= rule.rank()
            && other.language.contains(&rule.language)
    });
    if let Some(over) = over {
        return Some(UnusedRule::Shadowed(over.line()));
    }
    if rule.language.has_c2() || rule.cancels {
        return None;
    }
    let under = wild
        .iter()
        .copied()
        .chain(above.last().copied())
        .filter(|other| {
            other.rule.sense == rule.rule.sense
                && other.rank() < rule.rank()
                && other.language.contains(&rule.language)
        });
    let under = under.max_by_key(|other| (other.rank(), std::cmp::Reverse(other.line())));
    let floor = match (under, rule.rule.sense) {
        (Some(under), _) => under.rank(),
        // What no rule speaks about is allowed (REP-45).
        (None, Sense::Allow) => (0, Sense::Disallow),
        (None, Sense::Disallow) => return None,
    };
    let is_between = |other: &RankedRule<'_>| {
        other.rule.sense != rule.rule.sense
            && other.rank() > floor
            && other.rank() < rule.rank()
            && other.language.may_meet(&rule.language)
    };
    let is_met = if rule.is_plain() {
        // Of the plain rules, only those that it begins with are shorter and meet it.
        wild.iter().chain(above).any(|other| is_between(other))
    } else {
        rules.iter().any(is_between)
    };
    (!is_met).then(|| UnusedRule::Redundant(under.map(RankedRule::line)))
}

impl<'a> File<'a> {
    /// The rules that decide nothing, with why.
    pub(crate) fn unused_rules(&self) -> &[(&'a Line, UnusedRule)] {
        self.unused_rules.get_or_init(|| {
            let found = unused_rules(self).into_iter();
            found
                .filter_map(|(line, why)| Some((self.line(line)?, why)))
                .collect()
        })
    }
}
