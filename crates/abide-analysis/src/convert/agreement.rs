//! Checks that conventional records and ACAP records decide alike about crawling.
//!
//! RFC 9309 permits a URL if some matching permission has at least as many bytes as each matching
//! prohibition. ACAP permits it if some permission is narrower than each prohibition, or is in a
//! named record while the prohibition is not. So both agree on every URL, except for case, if they
//! agree on each pair of a permission and a prohibition that can match together. For the pairs on
//! which they do not, the engine decides URLs that both match. Then all URLs are compared at once
//! (`comparison`), as far as the bound on work allows.

use super::by_literal::ByLiteral;
use super::comparison::compared;
use super::sides::{Sides, crawler, outcome};
use super::{ConversionFinding, GoesOn, Loss, MAX_OF_A_KIND};
use crate::bound::{Bound, Work};
use crate::language::dual::DualPattern;
use abide::acap::{AcapPattern, Narrower};
use abide::syntax::Inspect;
use abide::verdict::Sense;
use abide::{Client, Policy, Robots};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The source of a conventional rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    /// The line of the source.
    pub(super) line: u32,
    /// Whether its ACAP counterpart is in a record with the client's name, and others are not.
    pub(super) is_named: bool,
}

/// The work of comparing all rules of all crawlers, which takes a second or two.
const BOUND: Bound = Bound { work: 280_000_000 };
/// The work of compiling a rule for a crawler, of a look at two rules, and of a closer one.
const RULE: u64 = 100;
const PAIR: u64 = 8;
const CLOSE_LOOK: u64 = 100;
/// The work of asking both sides about a URL, and more for each pattern with wildcards that is
/// tried, and for each rule that matches.
const ASKED: u64 = 500;
const TRIED: u64 = 12;
const MATCHED: u64 = 60;

/// A rule, prepared for comparison.
struct PreparedRule<'r> {
    origin: Origin,
    sense: Sense,
    pattern: DualPattern<'r>,
}

/// Adds disagreements to `findings`, for crawlers with these `names` and for one with another name.
/// If every URL is decided as before whatever its case, removes the warnings that it might not be.
/// `origin` gives the source of each line of the conventional side.
pub(super) fn prove(
    sides: &Sides<'_>,
    names: &BTreeSet<String>,
    origin: impl Fn(u32) -> Origin,
    goes_on: GoesOn<'_>,
    findings: &mut Vec<ConversionFinding>,
) {
    let mut proof = Proof {
        sides,
        findings: Vec::new(),
        reported: BTreeSet::new(),
        refused: BTreeSet::new(),
        precedences: 0,
        decisions: 0,
        fields: None,
        work: Work::new(BOUND),
        goes_on,
        is_exhausted: false,
    };
    let conventional = sides.conventional();
    let mut known: BTreeMap<Vec<usize>, Vec<PreparedRule<'_>>> = BTreeMap::new();
    let mut unnamed = "unnamed".to_owned();
    while names.contains(&unnamed) {
        unnamed.push('x');
    }
    for name in std::iter::once(&unnamed).chain(names) {
        if proof.is_exhausted {
            break;
        }
        let Some(token) = crawler(name) else {
            continue;
        };
        let client = Client::new(token);
        // For the conventional side, crawlers addressed by the same groups are one; for the ACAP
        // side, each name is checked by itself.
        let chosen = conventional.chosen_groups(&client).into_iter();
        let starters = chosen.filter_map(|group| (group.place.line as usize).checked_sub(1));
        let groups = starters.filter_map(|at| conventional.lines().get(at)?.group);
        let groups: Vec<usize> = groups.collect();
        let is_known = known.contains_key(&groups);
        let rules = known.entry(groups.clone());
        let rules = rules.or_insert_with(|| rules_of(conventional, &client, &origin));
        proof.client(
            (&client, name),
            (groups.as_slice(), rules.as_slice()),
            is_known,
        );
    }
    if proof.is_exhausted {
        proof.unproved();
    }
    findings.extend(proof.findings);
    if findings.iter().any(|finding| finding.refuses) {
        return;
    }
    let names = std::iter::once(&unnamed).chain(names);
    let Some(compared) = compared(sides, names, goes_on) else {
        return;
    };
    if compared.is_same {
        findings.retain(|finding| !matches!(finding.loss, Loss::Case | Loss::Unproved));
    }
    findings.extend(compared.findings);
}

/// ACAP fields by what they begin with, to know how long a decision takes: as long as there are
/// fields that match. Those with wildcards have a pattern.
type Fields = ByLiteral<Option<AcapPattern>>;

impl Fields {
    fn of(policy: &Policy) -> Self {
        let text = policy.text().as_bytes();
        let fields = Inspect::of(policy).acap_fields().into_iter();
        fields.fold(Self::default(), |mut fields, (place, _)| {
            let statement = place.span.of(text);
            let value = statement.split(|byte| *byte == b':').nth(1);
            let value = value.unwrap_or_default().trim_ascii_start();
            let mut words = value.split(|byte| matches!(byte, b' ' | b'\t'));
            let value = words.next().unwrap_or_default();
            let ends = |byte: &u8| matches!(byte, b'*' | b'$' | b'%');
            let end = value.iter().position(ends).unwrap_or(value.len());
            let literal = value.get(..end).unwrap_or_default();
            let pattern = AcapPattern::read(value).ok().filter(|_| end < value.len());
            // The name of a set stands for any paths.
            let literal = if literal.starts_with(b"/") {
                literal
            } else {
                b""
            };
            fields.add(literal, pattern);
            fields
        })
    }

    /// The work of a decision about a URL.
    fn work(&self, url: &str) -> u64 {
        let path = url.as_bytes().to_ascii_lowercase();
        let work = self.beginning(&path).map(|pattern| match pattern {
            Some(pattern) if pattern.matches(url.as_bytes()) => TRIED + MATCHED,
            Some(_) => TRIED,
            None => MATCHED,
        });
        ASKED + work.sum::<u64>()
    }
}

/// The rules of a crawler.
fn rules_of<'r>(
    robots: &'r Robots,
    client: &Client,
    origin: &impl Fn(u32) -> Origin,
) -> Vec<PreparedRule<'r>> {
    let rules = robots.rules(&robots.counting_policy(client)).into_iter();
    let rules = rules.filter_map(|rule| {
        Some(PreparedRule {
            origin: origin(rule.line.number),
            sense: rule.sense,
            pattern: DualPattern::new(rule.pattern.ok()?, rule.value)?,
        })
    });
    rules.collect()
}

/// A crawler on both sides.
struct ComparedClient<'c> {
    before: Policy,
    after: Policy,
    name: &'c str,
    rules: &'c [PreparedRule<'c>],
    fields: &'c Fields,
}

struct Proof<'p, 'r> {
    sides: &'p Sides<'r>,
    findings: Vec<ConversionFinding>,
    /// Pairs of lines that have a finding, and lines that are not converted.
    reported: BTreeSet<(u32, u32)>,
    refused: BTreeSet<u32>,
    /// How many findings of two kinds refuse the conversion. No more are listed than
    /// [`MAX_OF_A_KIND`], so no more are looked for.
    precedences: usize,
    decisions: usize,
    /// The ACAP fields of the latest crawler, by its groups.
    fields: Option<(Vec<usize>, Rc<Fields>)>,
    work: Work,
    goes_on: GoesOn<'p>,
    is_exhausted: bool,
}

impl Proof<'_, '_> {
    /// Spends work; returns whether enough was left. Small work does not look at the time.
    fn spend(&mut self, work: u64) -> bool {
        self.is_exhausted |= !self.work.spend(work) || (work > PAIR && !(self.goes_on)());
        !self.is_exhausted
    }

    fn unproved(&mut self) {
        let message = "the file has too many crawlers or rules to compare all decisions";
        self.findings
            .push(ConversionFinding::refusal(Loss::Unproved, None, message));
    }

    fn client(
        &mut self,
        (client, name): (&Client, &str),
        (groups, rules): (&[usize], &[PreparedRule<'_>]),
        is_known: bool,
    ) {
        if !self.spend(RULE * (1 + rules.len() as u64)) {
            return;
        }
        let [before, after] = self
            .sides
            .files
            .map(|robots| robots.counting_policy(client));
        let acap = if self.sides.target_is_acap {
            &after
        } else {
            &before
        };
        // The records for other crawlers are read too.
        if !self.spend(RULE * Inspect::of(acap).acap_fields().len() as u64) {
            return;
        }
        // The same groups become the same records, for all names of them.
        let fields = match self.fields.take() {
            Some((of, fields)) if of == groups => fields,
            _ => Rc::new(Fields::of(acap)),
        };
        self.fields = Some((groups.to_vec(), Rc::clone(&fields)));
        let compared = ComparedClient {
            before,
            after,
            name,
            rules,
            fields: &fields,
        };
        if !is_known {
            self.pairs(&compared);
        }
        let most = if is_known { 4 } else { usize::MAX };
        for rule in rules.iter().take(most) {
            if self.is_exhausted {
                return;
            }
            let line = rule.origin.line;
            for url in rule.pattern.points() {
                let is_known = self.refused.contains(&line) || self.decisions > MAX_OF_A_KIND;
                if !is_known && self.differ(&compared, &url) {
                    self.decided_otherwise(line, &compared, &url);
                }
            }
        }
    }

    fn differ(&mut self, compared: &ComparedClient<'_>, url: &str) -> bool {
        !self.is_exhausted
            && self.spend(compared.fields.work(url))
            && compared.before.allows(url) != compared.after.allows(url)
    }

    fn decided_otherwise(&mut self, line: u32, compared: &ComparedClient<'_>, url: &str) {
        self.refused.insert(line);
        self.decisions += 1;
        let (name, answer) = (compared.name, outcome(&compared.after, url));
        let message = format!("for {name}, {url} would become {answer}");
        self.findings
            .push(ConversionFinding::refusal(Loss::Decision, line, message));
    }

    fn pairs(&mut self, compared: &ComparedClient<'_>) {
        let rules = compared.rules.iter();
        let (permissions, prohibitions): (Vec<_>, Vec<_>) =
            rules.partition(|rule| rule.sense == Sense::Allow);
        let mut by_literal = ByLiteral::default();
        for permission in permissions {
            by_literal.add(permission.pattern.literal().as_bytes(), permission);
        }
        for prohibition in prohibitions {
            let literal = prohibition.pattern.literal().to_ascii_lowercase();
            for permission in by_literal.near(literal.as_bytes()) {
                if !self.spend(PAIR) || self.precedences > MAX_OF_A_KIND {
                    return;
                }
                if !permission.pattern.may_meet(&prohibition.pattern) {
                    continue;
                }
                let bytes = permission.pattern.length() + prohibition.pattern.length();
                if !self.spend(CLOSE_LOOK + bytes as u64) {
                    return;
                }
                if !agree(permission, prohibition) {
                    self.pair(compared, permission, prohibition);
                }
            }
        }
    }

    /// Looks for a URL on which the sides differ because of a pair.
    fn pair(
        &mut self,
        compared: &ComparedClient<'_>,
        permission: &PreparedRule<'_>,
        prohibition: &PreparedRule<'_>,
    ) {
        let lines = (permission.origin.line, prohibition.origin.line);
        if !self.reported.insert(lines) {
            return;
        }
        // Dozens of paths are made, and matched against both patterns.
        let bytes = permission.pattern.length() + prohibition.pattern.length();
        if !self.spend(CLOSE_LOOK * (32 + bytes as u64)) {
            return;
        }
        let urls = permission.pattern.meeting_points(&prohibition.pattern);
        let found = urls.into_iter().find(|url| self.differ(compared, url));
        let (line, other) = (lines.0.max(lines.1), lines.0.min(lines.1));
        let wins = if self.sides.target_is_acap {
            "in ACAP the narrowest field applies, and a prohibition wins if neither is narrower"
        } else {
            "in RFC 9309 the longest rule wins, and Allow wins between rules of the same length"
        };
        let (name, after) = (compared.name, &compared.after);
        let shown =
            found.map(|url| format!("for {name}, {url} would become {}", outcome(after, &url)));
        let refuses = shown.is_some();
        if refuses {
            self.refused.extend([line, other]);
            self.precedences += 1;
        }
        let shown = shown.unwrap_or_else(|| "no URL was found that shows it".to_owned());
        self.findings.push(ConversionFinding {
            loss: if refuses {
                Loss::Precedence
            } else {
                Loss::Unproved
            },
            line: Some(line),
            refuses,
            message: format!("with line {other}: {wins}; {shown}"),
        });
    }
}

/// Whether both specifications prefer the same one of two matching rules.
fn agree(permission: &PreparedRule<'_>, prohibition: &PreparedRule<'_>) -> bool {
    let conventional = permission.pattern.length() >= prohibition.pattern.length();
    let acap = if permission.origin.is_named == prohibition.origin.is_named {
        permission.pattern.scope(&prohibition.pattern) == Narrower::First
    } else {
        permission.origin.is_named
    };
    conventional == acap
}
