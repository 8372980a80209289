//! What two files say about training, AI input and search: the part of the search that is about
//! preferences.
//!
//! Lines with preferences and the rules for control tokens fall into [`Layer`]s. In each layer the
//! longest matching paths decide, and nothing else of the layer matters. So the files can only
//! differ about preferences where some layer differs, or where crawling does.

use super::sides::{Both, Side};
use super::{CompiledFile, usages};
use crate::language::patterns::Patterns;
use crate::language::rank::{Rank, rank};
use abide::preference::Vocabulary;
use abide::syntax::{Inspect, PathPattern, StatedValues};
use abide::verdict::{SelectedBy, Sense};
use abide::{Policy, Profile, Usage};

/// What a side says in a layer for a path.
type Says = StatedValues;

/// Statements of which those with the longest matching paths decide.
#[derive(Default)]
struct Layer {
    /// For each pattern its strength, and what it says; strength 0 if the side has no such pattern.
    by_pattern: Vec<Both<(Rank, Says)>>,
    /// What a side says if no pattern matches.
    otherwise: Both<Says>,
    /// Whether both sides say the same, on whatever lines.
    is_same: bool,
}

/// The strength of a statement about every path: below that of any path (PREF-26).
const EVERYWHERE: Rank = 1 << 32;

/// A strength without the number of its line.
const fn weight(rank: Rank) -> u64 {
    rank >> 32
}

impl Layer {
    fn of_pattern(&self, pattern: u32) -> Both<(Rank, Says)> {
        self.by_pattern
            .get(pattern as usize)
            .copied()
            .unwrap_or_default()
    }

    fn rank(&self, pattern: u32, side: Side) -> Rank {
        self.of_pattern(pattern).of(side).0
    }

    fn best(&self, matched: &[u32]) -> Both<Rank> {
        let best = |side| {
            matched
                .iter()
                .map(|&pattern| self.rank(pattern, side))
                .max()
        };
        Both {
            old: best(Side::Old).unwrap_or_default(),
            new: best(Side::New).unwrap_or_default(),
        }
    }

    /// Whether a pattern decides on some side, if none but those behind `best` match.
    fn counts(&self, best: Both<Rank>, pattern: u32) -> bool {
        let on = |side| {
            let rank = self.rank(pattern, side);
            rank > 0 && rank >= best.of(side)
        };
        on(Side::Old) || on(Side::New)
    }

    /// What a side says: the strictest of what its longest matching paths say (PREF-24, PREF-61).
    fn says(&self, matched: &[u32], side: Side, best: Rank) -> Says {
        if best == 0 {
            return self.otherwise.of(side);
        }
        // Ranks of preference lines have no line number (see `strength`), so equally long ones all
        // count.
        let strongest = matched
            .iter()
            .map(|&pattern| self.of_pattern(pattern).of(side));
        let strongest = strongest
            .filter(|(rank, _)| *rank == best)
            .map(|(_, says)| says);
        strongest.reduce(Says::strictest).unwrap_or_default()
    }

    fn differs(&self, matched: &[u32]) -> bool {
        let best = self.best(matched);
        !self.is_same
            && self.says(matched, Side::Old, best.old) != self.says(matched, Side::New, best.new)
    }

    /// Whether the sides may differ if any of the patterns in `open` match as well. If the deciding
    /// paths are equally long on both sides and say the same, only a pattern that is not the same
    /// on both sides can change that.
    fn may_differ(&self, matched: &[u32], open: &[u32]) -> bool {
        if self.is_same {
            return false;
        }
        let best = self.best(matched);
        let is_even = weight(best.old) == weight(best.new);
        self.differs(matched)
            || open.iter().any(|&pattern| {
                let Both { old, new } = self.of_pattern(pattern);
                let is_alike = weight(old.0) == weight(new.0) && old.1 == new.1;
                !(is_even && is_alike) && self.counts(best, pattern)
            })
    }

    fn add(&mut self, pattern: u32, side: Side, rank: Rank, says: Says) {
        let at = pattern as usize;
        self.by_pattern
            .resize(self.by_pattern.len().max(at + 1), Both::default());
        let Some(own) = self.by_pattern.get_mut(at).map(|both| both.of_mut(side)) else {
            return;
        };
        *own = match own.0 {
            // The side did not have this pattern.
            0 => (rank, says),
            // Two lines with one path: both count (PREF-24, PREF-61).
            known if known == rank => (rank, own.1.strictest(says)),
            known if known < rank => (rank, says),
            // The stronger one with this pattern stays, as of two rules for a control token.
            _ => *own,
        };
    }

    fn finish(mut self) -> Self {
        let alike = |both: &Both<(Rank, Says)>| {
            weight(both.old.0) == weight(both.new.0) && both.old.1 == both.new.1
        };
        self.is_same =
            self.otherwise.old == self.otherwise.new && self.by_pattern.iter().all(alike);
        self
    }
}

/// What both sides say about preferences.
#[derive(Default)]
pub(super) struct Preferences {
    layers: Vec<Layer>,
    /// Whether licence documents bind the client on one side only. What these say is not known, so
    /// this is a difference on every path.
    differ_by_licence: bool,
}

impl Preferences {
    /// Reads both sides, and numbers their patterns. Empty if the client asks for no preferences.
    pub(super) fn read(sides: [(Side, &CompiledFile<'_>); 2], patterns: &mut Patterns) -> Self {
        let mut layers = Vec::new();
        let (mut usage, mut signals) = (Layer::default(), Vec::new());
        let mut licences = [false; 2];
        for ((side, compared), has_licence) in sides.into_iter().zip(&mut licences) {
            for statement in Inspect::of(&compared.policy).preference_statements() {
                let (pattern, rank) = match statement.pattern() {
                    Some(Ok(path)) => (patterns.number(&path, false), strength(path.length())),
                    None => (everywhere(patterns), EVERYWHERE),
                    Some(Err(_)) => continue,
                };
                // A statement that cannot be read says as little as one without known words.
                let mut says = statement.says;
                says.is_readable = false;
                match statement.vocabulary {
                    Vocabulary::ContentUsage => usage.add(pattern, side, rank, says),
                    Vocabulary::ContentSignal => {
                        let words = words(says);
                        // Every signal has the same words, in the same order.
                        signals.resize_with(words.len(), || None);
                        for (word, says) in signals.iter_mut().zip(words) {
                            let Some(says) = says else { continue };
                            let layer = word.get_or_insert_with(Layer::default);
                            layer.add(pattern, side, rank, says);
                        }
                    }
                    // What the documents say is not known, so only their presence is compared.
                    _ => *has_licence = true,
                }
            }
        }
        layers.push(usage);
        layers.extend(signals.into_iter().flatten());
        layers.extend(tokens(sides, patterns));
        // Each layer costs work in every state of the search.
        layers.retain(|layer| {
            !layer.by_pattern.is_empty() || layer.otherwise.old != layer.otherwise.new
        });
        Self {
            layers: layers.into_iter().map(Layer::finish).collect(),
            differ_by_licence: licences[0] != licences[1],
        }
    }

    /// Whether neither side says anything.
    pub(super) fn is_empty(&self) -> bool {
        self.layers.is_empty() && !self.differ_by_licence
    }

    /// Whether both sides say the same, on whatever lines.
    pub(super) fn are_the_same(&self) -> bool {
        !self.differ_by_licence && self.layers.iter().all(|layer| layer.is_same)
    }

    /// The number of layers: how much more work a state is.
    pub(super) fn len(&self) -> usize {
        self.layers.len()
    }

    /// Calls `keep` for each pattern in `matched` that decides in some layer.
    pub(super) fn deciding(&self, matched: &[u32], mut keep: impl FnMut(u32)) {
        for layer in &self.layers {
            let best = layer.best(matched);
            let deciding = matched
                .iter()
                .filter(|&&pattern| layer.counts(best, pattern));
            deciding.for_each(|&pattern| keep(pattern));
        }
    }

    /// Whether `pattern` decides in some layer if it matches as well.
    pub(super) fn matters(&self, matched: &[u32], pattern: u32) -> bool {
        let mut layers = self.layers.iter();
        layers.any(|layer| layer.counts(layer.best(matched), pattern))
    }

    pub(super) fn may_differ(&self, matched: &[u32], open: &[u32]) -> bool {
        let mut layers = self.layers.iter();
        self.differ_by_licence || layers.any(|layer| layer.may_differ(matched, open))
    }

    pub(super) fn differs(&self, matched: &[u32]) -> bool {
        let mut layers = self.layers.iter();
        self.differ_by_licence || layers.any(|layer| layer.differs(matched))
    }
}

/// The strength of a path of a preference line: all of equal length count (PREF-25).
fn strength(length: usize) -> Rank {
    let length = u64::try_from(length).unwrap_or(u64::MAX).min(1 << 30);
    EVERYWHERE + (length << 32)
}

/// The number of the pattern that matches every path.
fn everywhere(patterns: &mut Patterns) -> u32 {
    let every = PathPattern::read(b"*").ok();
    // `*` is a valid pattern, so there always is a number.
    every.map_or(u32::MAX, |every| patterns.number(&every, false))
}

/// What a signal says, word by word: each is selected by itself (PREF-60).
fn words(says: Says) -> Vec<Option<Says>> {
    let usages = says.each().map(|(usage, permits)| {
        let word = |permits| Says::default().with(usage, permits);
        permits.map(word)
    });
    let max_use = says.max_use.map(|_| {
        let mut word = Says::default();
        word.max_use = says.max_use;
        word
    });
    usages.chain([max_use]).collect()
}

/// One layer for each control token: the strongest rule says whether the token is disallowed, and a
/// group of its own that it is allowed otherwise (PREF-121, PREF-122).
fn tokens(sides: [(Side, &CompiledFile<'_>); 2], patterns: &mut Patterns) -> Vec<Layer> {
    let mut layers: Vec<Layer> = Vec::new();
    for (side, compared) in sides {
        for (at, (_, policy)) in Inspect::of(&compared.policy).control_tokens().enumerate() {
            if layers.len() <= at {
                layers.resize_with(at + 1, Layer::default);
            }
            let Some(layer) = layers.get_mut(at) else {
                continue;
            };
            let says = |permits| {
                let usages = Usage::PREFERENCES.iter();
                usages.fold(Says::default(), |says, usage| says.with(*usage, permits))
            };
            // Without a group of its own, a token is allowed by silence, which is no preference
            // (PREF-122).
            let allowed = if has_own_group(policy) {
                says(true)
            } else {
                Says::default()
            };
            *layer.otherwise.of_mut(side) = allowed;
            for rule in compared.robots.rules(policy) {
                let Ok(path) = &rule.pattern else { continue };
                let rank = rank(path.length(), rule.sense, rule.line.number);
                let says = match rule.sense {
                    Sense::Allow => allowed,
                    Sense::Disallow => says(false),
                };
                layer.add(patterns.number(path, false), side, rank, says);
            }
            if let Some(exempt) = usages::exempt(policy.client().profile()) {
                // No rule can disallow `/robots.txt` (REP-46).
                layer.add(patterns.number(&exempt, false), side, Rank::MAX, allowed);
            }
        }
    }
    layers
}

/// Whether a group of the file names the client.
pub(crate) fn has_own_group(policy: &Policy) -> bool {
    let chosen = policy.chosen_groups();
    let by = chosen.first().map(|group| &group.by);
    matches!(by, Some(SelectedBy::ProductToken(_)))
}

/// Whether the search is exact about preferences. The google profile compares the bytes of a URL as
/// they are written, but matches preference paths in canonical forms (CLA-PREF-12).
pub(super) fn is_search_exact(profile: Profile, preferences: &Preferences) -> bool {
    profile == Profile::Careful || preferences.is_empty()
}
