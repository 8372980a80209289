//! Decides a usage from the statements that match a path (ACAP-36, ACAP-67 to ACAP-75, ACAP-115,
//! ACAP-116, AMB-ACAP-7, AMB-ACAP-8, AMB-ACAP-13, AMB-ACAP-22 to AMB-ACAP-28, CLA-1, CLA-3).
//!
//! A permission prevails if it beats every prohibition on three axes: narrower on one at least, and
//! wider on none. The axes are the path, the usage (`present-snippet` is narrower than `present`)
//! and the purpose (a sub-record is narrower than the fields before it).

use super::compile::{AcapPolicy, AcapStatement, MatchingStatements};
use super::definition::{MAX_CONDITIONS, Terms};
use super::profile::AcapProfile;
use super::qualifier::{Qualifier, QualifierStatus};
use super::scope::{Reach, Summit, narrowest, total};
use crate::growth;
use crate::moment::Moment;
use crate::verdict::{Condition, Outcome, Reason, Role, Sense, Usage};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The target without its path.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Circumstances {
    pub(crate) now: Option<Moment>,
    pub(crate) first_indexed: Option<Moment>,
    pub(crate) first_copied: Option<Moment>,
    /// Whether it is an HTML page; `None` if that is unknown.
    pub(crate) is_html: Option<bool>,
}

/// The ACAP answer for a usage.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdict {
    pub(crate) outcome: Outcome,
    pub(crate) conditions: Vec<Condition>,
    /// The role of each statement, the deciding one first.
    pub(crate) parts: Vec<(u32, Role, Reason)>,
    /// The patterns by which the statements that decide match.
    pub(crate) patterns: Vec<usize>,
}

/// A matching statement about the usage. Small, because every line of a file can be one.
#[derive(Clone, Copy)]
struct Candidate<'p> {
    statement: &'p AcapStatement,
    number: u32,
    /// The number of its scope.
    scope: u32,
    /// Whether it is about the usage itself, and not about `present` as a whole.
    is_own: bool,
}

/// The patterns by which candidates match.
#[derive(Clone, Copy)]
struct CandidatePatterns<'p> {
    policy: &'p AcapPolicy,
    matching: &'p MatchingStatements,
}

impl<'p> CandidatePatterns<'p> {
    /// The patterns of a candidate, the narrowest first; empty if they are unknown.
    fn of(self, one: &Candidate<'_>) -> &'p [usize] {
        self.matching.patterns(one.scope)
    }

    /// What another candidate has to be narrower than to be narrower than all of these patterns.
    fn summit_of(self, one: &Candidate<'_>) -> Option<Summit<'p>> {
        self.matching.summit(self.policy, one.scope)
    }

    fn symbols(self, pattern: usize) -> &'p [u8] {
        self.policy.symbols(pattern)
    }
}

impl Candidate<'_> {
    fn is_named(&self) -> bool {
        self.statement.name.is_some()
    }

    fn allows(&self) -> bool {
        self.statement.sense == Sense::Allow
    }

    /// Its place on all axes. Equal ones have the same result.
    fn kind(&self) -> (u32, Axes) {
        (self.scope, self.axes())
    }

    /// The axes that are not the path; `true` is narrower than `false`.
    fn axes(&self) -> Axes {
        Axes {
            is_own: self.is_own,
            in_sub_record: self.statement.in_sub_record,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Axes {
    is_own: bool,
    in_sub_record: bool,
}

impl Axes {
    const ALL: [Axes; 4] = {
        const fn axes(is_own: bool, in_sub_record: bool) -> Axes {
            Axes {
                is_own,
                in_sub_record,
            }
        }
        [
            axes(false, false),
            axes(false, true),
            axes(true, false),
            axes(true, true),
        ]
    };

    const fn is_wider_on_some(self, other: Self) -> bool {
        (!self.is_own && other.is_own) || (!self.in_sub_record && other.in_sub_record)
    }
}

/// Of more permissions than this for sets that match by several patterns, all apply together.
const MAX_COMPARED: usize = 256;

impl AcapPolicy {
    /// Decides `usage` from the `matching` statements.
    pub(crate) fn verdict(
        &self,
        usage: Usage,
        matching: &MatchingStatements,
        profile: &AcapProfile,
        circumstances: &Circumstances,
    ) -> Verdict {
        let about = |of: Usage| -> Vec<Candidate<'_>> {
            let own = |statement: &AcapStatement| statement.usage == of;
            let parent = |statement: &AcapStatement| {
                // A field about `present` is about every usage derived from it, and wider
                // (AMB-ACAP-22).
                of.is_derived_from_present() && statement.usage == Usage::Present
            };
            let mut candidates = Vec::new();
            for matched in &matching.matched {
                if let Some(statement) = self.statement(matched.statement)
                    && (own(statement) || parent(statement))
                {
                    let candidate = Candidate {
                        statement,
                        number: matched.statement,
                        scope: matched.scope,
                        is_own: own(statement),
                    };
                    growth::push(&mut candidates, candidate);
                }
            }
            candidates
        };
        let direct = match usage {
            // Every usage reads these fields below.
            Usage::Other => Vec::new(),
            _ => about(usage),
        };
        let contest = Contest {
            patterns: CandidatePatterns {
                policy: self,
                matching,
            },
            usage,
            profile,
            circumstances,
        };
        // With a named field about the usage, what is said about `other` does not count (CLA-1).
        if direct.iter().any(Candidate::is_named) {
            return contest.decide(direct);
        }
        let other = about(Usage::Other);
        if other.iter().any(Candidate::is_named) {
            let (named, any): (Vec<_>, Vec<_>) = other.iter().partition(|one| one.is_named());
            let by_named = contest.decide(named);
            if by_named.outcome == Outcome::Prohibited {
                // Where no named field speaks about the usage, the named fields about `other`
                // prohibit it if they prohibit at all (CLA-1): a narrower `allow-other` sets a
                // `disallow-other` aside (ACAP-67), and one whose qualifier is void prohibits by
                // itself (AMB-ACAP-8).
                return by_named.over(if direct.is_empty() { &any } else { &direct });
            }
        }
        if direct.is_empty() {
            let mut verdict = contest.decide(other);
            // A field about `other` is no crawl field, so no conventional rule is ignored for it
            // (CLA-2).
            verdict.patterns.clear();
            if usage != Usage::Other {
                verdict.attribute_to_other();
            }
            verdict
        } else {
            contest.decide(direct)
        }
    }
}

impl Verdict {
    /// Names the blanket usage `other` as the reason.
    fn attribute_to_other(&mut self) {
        if let Some((.., reason)) = self.parts.first_mut() {
            *reason = Reason::ByOther;
        }
    }

    /// A prohibition by named fields about `other`, with the part that each of the any-crawler
    /// fields in `lost` plays beside it.
    fn over(mut self, lost: &[Candidate<'_>]) -> Self {
        self.patterns.clear();
        self.attribute_to_other();
        self.parts.extend(lost.iter().map(|one| {
            let (role, reason) = if one.allows() {
                (Role::Overridden, Reason::NamedOverAny)
            } else {
                (Role::Agreed, Reason::SaysTheSame)
            };
            (one.number, role, reason)
        }));
        if let Some((_, others)) = self.parts.split_first_mut() {
            others.sort_by_key(|(number, ..)| *number);
        }
        self
    }
}

/// Statements of one usage against each other.
struct Contest<'a> {
    patterns: CandidatePatterns<'a>,
    usage: Usage,
    profile: &'a AcapProfile,
    circumstances: &'a Circumstances,
}

impl Contest<'_> {
    fn decide(&self, mut candidates: Vec<Candidate<'_>>) -> Verdict {
        let set_aside = set_aside(&mut candidates);
        let is_prohibition = |one: &mut Candidate<'_>| !one.allows();
        let prohibitions: Vec<_> = candidates.extract_if(.., is_prohibition).collect();
        let permissions = candidates;
        let bars = Bars::new(self.patterns, &prohibitions);
        // Equal candidates have equal results, and a file can repeat one on every line. So each
        // kind is compared once.
        let mut verdict = if permissions.is_empty() && prohibitions.is_empty() {
            Verdict::default()
        } else if kinds(&permissions)
            .iter()
            .any(|one| bars.are_beaten_by(self.patterns, one))
        {
            self.permit(&permissions, &prohibitions)
        } else {
            self.prohibit(&permissions, &prohibitions)
        };
        let aside = set_aside
            .iter()
            .map(|one| (one.number, Role::Overridden, Reason::NamedOverAny));
        verdict.parts.extend(aside);
        if let Some((first, others)) = verdict.parts.split_first_mut() {
            others.sort_by_key(|(number, ..)| *number);
            if others.is_empty() && first.2 == Reason::NarrowestScope {
                first.2 = Reason::OnlyMatch;
            }
        }
        verdict
    }

    /// The narrowest permissions apply, and their qualifiers with them (CLA-3).
    fn permit(&self, permissions: &[Candidate<'_>], prohibitions: &[Candidate<'_>]) -> Verdict {
        let winning = self.narrowest(permissions);
        let wins = |one: &&Candidate<'_>| winning.contains(&one.kind());
        let mut verdict = Verdict {
            outcome: Outcome::Permitted,
            ..Verdict::default()
        };
        let mut hindered = None;
        let mut known = BTreeSet::new();
        for winner in permissions.iter().filter(wins) {
            verdict.patterns.extend(self.patterns.of(winner));
            let Some(terms) = &winner.statement.terms else {
                continue;
            };
            // Many lines can share the terms of a defined usage. They are joined once.
            if !known.insert((Arc::as_ptr(terms), winner.statement.usage)) {
                continue;
            }
            let honoured = match self.honour(terms, winner.statement.usage) {
                // Many permissions can win together, each with conditions. This bounds their
                // number.
                Ok(()) if verdict.conditions.len() > MAX_CONDITIONS => {
                    Err(Reason::QualifierUnsupported)
                }
                honoured => honoured,
            };
            match honoured {
                Ok(()) => terms
                    .conditions
                    .iter()
                    .for_each(|condition| condition.clone().join(&mut verdict.conditions)),
                // The first one in the file gives the reason.
                Err(reason) => hindered = hindered.or(Some((winner.number, reason))),
            }
        }
        if !verdict.conditions.is_empty() {
            verdict.outcome = Outcome::Conditional;
        }
        // A limit that a stricter one replaces does not decide.
        let conditions = &verdict.conditions;
        let sets_a_condition = |one: &&Candidate<'_>| {
            let terms = one.statement.terms.iter();
            let mut own = terms.flat_map(|terms| &terms.conditions);
            own.any(|condition| conditions.contains(condition))
        };
        let decided = if let Some((number, reason)) = hindered {
            verdict.outcome = Outcome::Prohibited;
            verdict.conditions.clear();
            (number, Role::Decided, reason)
        } else {
            let first = permissions.iter().filter(wins).find(sets_a_condition);
            let first = first.or_else(|| permissions.iter().find(wins));
            let first = first.map_or(u32::MAX, |winner| winner.number);
            (first, Role::Decided, Reason::NarrowestScope)
        };
        let others = permissions.iter().map(|one| match (wins(&one), hindered) {
            // All permissions that win apply together (CLA-3).
            (true, None) => (one.number, Role::Agreed, Reason::AppliesToo),
            (false, None) => (one.number, Role::Agreed, Reason::WiderScope),
            (true, Some(_)) => (one.number, Role::Overridden, Reason::StricterWins),
            (false, Some(_)) => (one.number, Role::Overridden, Reason::WiderScope),
        });
        // If a condition cannot be kept, the prohibitions say the same as the outcome.
        let beaten = prohibitions.iter().map(|one| {
            let role = if hindered.is_some() {
                Role::Agreed
            } else {
                Role::Overridden
            };
            (one.number, role, Reason::WiderScope)
        });
        verdict.parts = Vec::with_capacity(permissions.len().saturating_add(prohibitions.len()));
        verdict.parts.push(decided);
        let rest = others.chain(beaten).filter(|other| other.0 != decided.0);
        verdict.parts.extend(rest);
        verdict
    }

    /// No permission beats all prohibitions (ACAP-74).
    fn prohibit(&self, permissions: &[Candidate<'_>], prohibitions: &[Candidate<'_>]) -> Verdict {
        let order = |a: &&Candidate<'_>, b: &&Candidate<'_>| self.order(a, b);
        let best = permissions.iter().max_by(order);
        // A prohibition that the narrowest permission does not beat explains the answer best.
        let stands = |one: &&Candidate<'_>| {
            best.is_none_or(|best| {
                let bar = std::slice::from_ref(*one);
                !Bars::new(self.patterns, bar).are_beaten_by(self.patterns, best)
            })
        };
        // Of equally narrow ones the first of the file.
        let kinds = kinds(prohibitions);
        let standing = kinds.iter().filter(stands).max_by(order);
        let kind = standing.or(kinds.iter().max_by(order)).map(Candidate::kind);
        let deciding = prohibitions.iter().find(|one| Some(one.kind()) == kind);
        let decided = deciding.map_or(u32::MAX, |one| one.number);
        let reason = match (permissions.is_empty(), prohibitions) {
            (true, [_]) => Reason::OnlyMatch,
            (true, _) => Reason::NarrowestScope,
            (false, _) => Reason::NoNarrowerPermission,
        };
        let same = prohibitions
            .iter()
            .filter(|one| one.number != decided)
            .map(|one| (one.number, Role::Agreed, Reason::SaysTheSame));
        let lost = permissions
            .iter()
            .map(|one| (one.number, Role::Overridden, Reason::NotNarrower));
        Verdict {
            outcome: Outcome::Prohibited,
            parts: std::iter::once((decided, Role::Decided, reason))
                .chain(same)
                .chain(lost)
                .collect(),
            patterns: deciding.map_or_else(Vec::new, |one| self.patterns.of(one).to_vec()),
            ..Verdict::default()
        }
    }

    /// An order that has narrower statements last.
    fn order(&self, a: &Candidate<'_>, b: &Candidate<'_>) -> Ordering {
        let narrowest = |one: &Candidate<'_>| {
            let first = self.patterns.of(one).first();
            first.map_or(&b""[..], |&pattern| self.patterns.symbols(pattern))
        };
        total(narrowest(a), narrowest(b)).then_with(|| a.axes().cmp(&b.axes()))
    }

    /// The kinds of permissions that no other one is narrower than.
    fn narrowest(&self, permissions: &[Candidate<'_>]) -> BTreeSet<(u32, Axes)> {
        let kinds = kinds(permissions);
        let (clear, forked): (Vec<_>, Vec<_>) = kinds
            .iter()
            .partition(|one| self.patterns.of(one).len() == 1);
        let mut kept = self.narrowest_clear(&clear);
        // Each is compared with all others, so their number is bounded.
        let compared = forked.len() <= MAX_COMPARED;
        let beaten = |one: &Candidate<'_>, by: &[Candidate<'_>]| {
            compared && by.iter().any(|other| self.is_narrower(other, one))
        };
        kept.retain(|one| !beaten(one, &forked));
        kept.extend(forked.iter().filter(|one| !beaten(one, &kinds)));
        kept.iter().map(Candidate::kind).collect()
    }

    /// Those that match by one pattern each, and that no other one of them is narrower than.
    /// Without comparing pairs: on each of the other axes, and what is narrower there, the
    /// narrowest patterns.
    fn narrowest_clear<'p>(&self, kinds: &[Candidate<'p>]) -> Vec<Candidate<'p>> {
        let patterns = |of: &dyn Fn(Axes) -> bool| -> BTreeSet<usize> {
            let those = kinds.iter().filter(|one| of(one.axes()));
            those
                .flat_map(|one| self.patterns.of(one))
                .copied()
                .collect()
        };
        let mut kept = Vec::new();
        for axes in Axes::ALL {
            let at_least = |other: Axes| !other.is_wider_on_some(axes);
            let rivals = patterns(&at_least).into_iter().collect();
            let narrowest = narrowest(rivals, |pattern| self.patterns.symbols(*pattern));
            let narrowest: BTreeSet<usize> = narrowest.into_iter().collect();
            // The same pattern is beaten by itself on a narrower axis.
            let narrower = patterns(&|other| at_least(other) && other != axes);
            let stays = |one: &&Candidate<'p>| {
                self.patterns
                    .of(one)
                    .iter()
                    .all(|pattern| narrowest.contains(pattern) && !narrower.contains(pattern))
            };
            let own = kinds.iter().filter(|one| one.axes() == axes);
            kept.extend(own.filter(stays));
        }
        kept
    }

    /// Whether `one` is narrower than `other` on some axis, and wider on none.
    fn is_narrower(&self, one: &Candidate<'_>, other: &Candidate<'_>) -> bool {
        if one.axes().is_wider_on_some(other.axes()) {
            return false;
        }
        if one.scope == other.scope {
            // With the same patterns only another axis can be narrower. None is wider.
            return one.axes() != other.axes();
        }
        self.patterns
            .summit_of(other)
            .is_some_and(|summit| reaches(self.patterns, one, summit, false))
    }

    /// Whether the client can keep to the terms of a permission, now.
    fn honour(&self, terms: &Terms, permitted: Usage) -> Result<(), Reason> {
        if terms.is_void {
            return Err(Reason::QualifierInvalid);
        }
        for condition in &terms.conditions {
            self.can_honour(condition, permitted)?;
        }
        Ok(())
    }

    fn can_honour(&self, condition: &Condition, permitted: Usage) -> Result<(), Reason> {
        if let Some(qualifier) = Qualifier::of(condition) {
            if self.profile.unsupported.contains(&qualifier) {
                return Err(Reason::QualifierUnsupported);
            }
            match qualifier.status(permitted) {
                QualifierStatus::PriorArrangement if !self.profile.prior_arrangement => {
                    return Err(Reason::NoPriorArrangement);
                }
                QualifierStatus::NotReady => return Err(Reason::QualifierNotReady),
                QualifierStatus::Ready | QualifierStatus::PriorArrangement => {}
            }
        }
        match condition {
            Condition::MaxLengthChars(0) | Condition::MaxLengthWords(0) => Err(Reason::NothingLeft),
            Condition::Days(0) => Err(Reason::TimeLimitPassed),
            Condition::MustUse(substitute)
                // If that is unknown, the condition says what to do.
                if substitute.is_element() && self.circumstances.is_html == Some(false) =>
            {
                Err(Reason::NotHtml)
            }
            limit => {
                let known = self.circumstances;
                let first = (known.first_indexed, known.first_copied);
                self.has_not_passed(limit.end(self.usage, first))
            }
        }
    }

    fn has_not_passed(&self, end: Option<Moment>) -> Result<(), Reason> {
        match (end, self.circumstances.now) {
            // A limit holds until its last second is over.
            (Some(end), Some(now)) if now.unix_seconds() > end.unix_seconds() => {
                Err(Reason::TimeLimitPassed)
            }
            // Without the time now, or the first copy, the client has to see to the limit.
            _ => Ok(()),
        }
    }
}

/// The first candidate of each kind, sorted by kind.
fn kinds<'p>(candidates: &[Candidate<'p>]) -> Vec<Candidate<'p>> {
    let mut kinds = BTreeMap::new();
    for one in candidates {
        // Candidates are in the order of the file, so the first one stands for its kind.
        kinds.entry(one.kind()).or_insert(*one);
    }
    kinds.into_values().collect()
}

/// Named fields set any-crawler fields aside that have the same usage type and the same purposes
/// (ACAP-36, CLA-1). Takes those that are set aside from `candidates`.
fn set_aside<'p>(candidates: &mut Vec<Candidate<'p>>) -> Vec<Candidate<'p>> {
    let named = |axes: Axes| {
        candidates
            .iter()
            .any(|one| one.is_named() && one.axes() == axes)
    };
    let spoken: Vec<Axes> = Axes::ALL.into_iter().filter(|axes| named(*axes)).collect();
    let is_set_aside = |one: &mut Candidate<'p>| !one.is_named() && spoken.contains(&one.axes());
    candidates.extract_if(.., is_set_aside).collect()
}

/// Whether every pattern of `one` is narrower than all of a summit, or with `equal` the same as the
/// narrowest of it.
fn reaches(
    patterns: CandidatePatterns<'_>,
    one: &Candidate<'_>,
    summit: Summit<'_>,
    equal: bool,
) -> bool {
    let reach = |pattern: &usize| summit.reached_by(patterns.symbols(*pattern));
    patterns.of(one).iter().all(|pattern| match reach(pattern) {
        Some(Reach::Narrower) => true,
        Some(Reach::Equal) => equal,
        None => false,
    })
}

/// What a permission has to beat: the prohibitions, by what they are on the axes beside the path.
struct Bars<'a>(Vec<Bar<'a>>);

struct Bar<'a> {
    axes: Axes,
    kinds: Vec<Candidate<'a>>,
    /// The narrowest of all their patterns; `None` where nobody knows the patterns of one of them.
    summit: Option<Summit<'a>>,
}

impl<'a> Bars<'a> {
    fn new(patterns: CandidatePatterns<'a>, prohibitions: &[Candidate<'a>]) -> Self {
        let kinds = kinds(prohibitions);
        let bar = |axes: Axes| {
            let own = kinds.iter().filter(|one| one.axes() == axes);
            let kinds: Vec<_> = own.copied().collect();
            (!kinds.is_empty()).then(|| Bar {
                axes,
                summit: summit(patterns, kinds.iter().copied()),
                kinds,
            })
        };
        Self(Axes::ALL.into_iter().filter_map(bar).collect())
    }

    /// Whether a permission is narrower than every prohibition on some axis, and wider on none.
    fn are_beaten_by(&self, patterns: CandidatePatterns<'_>, permission: &Candidate<'_>) -> bool {
        self.0
            .iter()
            .all(|bar| bar.is_beaten_by(patterns, permission))
    }
}

impl Bar<'_> {
    fn is_beaten_by(&self, patterns: CandidatePatterns<'_>, permission: &Candidate<'_>) -> bool {
        let own = permission.axes();
        let narrower = own != self.axes;
        if own.is_wider_on_some(self.axes) {
            return false;
        }
        let twin = |one: &&Candidate<'_>| one.scope == permission.scope;
        // Several patterns are no narrower than themselves, but the same: a summit cannot tell.
        if patterns.of(permission).len() > 1 && self.kinds.iter().any(|one| twin(&one)) {
            let others = || self.kinds.iter().copied().filter(|one| !twin(&one));
            return narrower
                && (others().next().is_none()
                    || summit(patterns, others())
                        .is_some_and(|summit| reaches(patterns, permission, summit, narrower)));
        }
        self.summit
            .is_some_and(|summit| reaches(patterns, permission, summit, narrower))
    }
}

/// The narrowest of all patterns of `kinds`; `None` where nobody knows the patterns of one of them.
fn summit<'p>(
    patterns: CandidatePatterns<'p>,
    kinds: impl Iterator<Item = Candidate<'p>> + Clone,
) -> Option<Summit<'p>> {
    let known = kinds.clone().all(|one| !patterns.of(&one).is_empty());
    let each = kinds.flat_map(|one| patterns.of(&one));
    Summit::of(each.map(|&pattern| patterns.symbols(pattern))).filter(|_| known)
}
