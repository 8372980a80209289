//! Checks that conventional records and ACAP records decide alike about crawling.
//!
//! RFC 9309 permits a URL if some matching permission has at least as many bytes as each matching
//! prohibition. ACAP permits it if some permission is narrower than each prohibition, or is in a
//! named record while the prohibition is not. So both agree on every URL, except for case, if they
//! agree on each pair of a permission and a prohibition that can match together. For the pairs on
//! which they do not, the engine decides URLs that both match. Then all URLs are compared at once
//! (`comparison`), as far as the bound on work allows.

use super::comparison::compared;
use super::meeting::{Pattern, may_meet, meeting_points, points};
use super::sides::{Sides, crawler, outcome};
use super::{ConversionFinding, Loss};
use abide::acap::Narrower;
use abide::verdict::Sense;
use abide::{Client, Policy, Robots};
use std::collections::BTreeSet;

/// The source of a conventional rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    /// The line of the source.
    pub(super) line: u32,
    /// Whether its ACAP counterpart is in a record with the client's name, and others are not.
    pub(super) is_named: bool,
}

/// The largest number of pairs of rules compared, of URLs decided, and of bytes compiled. All of
/// them together take a few seconds.
const MOST_PAIRS: usize = 4_000_000;
const MOST_URLS: usize = 200_000;
const MOST_BYTES: usize = 1 << 29;

/// A rule, prepared for comparison.
struct PreparedRule<'r> {
    origin: Origin,
    sense: Sense,
    pattern: Pattern<'r>,
}

/// Adds disagreements to `findings`, for crawlers with these `names` and for one with another name.
/// If every URL is decided as before whatever its case, removes the warnings that it might not be.
/// `origin` gives the source of each line of the conventional side.
pub(super) fn prove(
    sides: &Sides<'_>,
    names: &BTreeSet<String>,
    origin: impl Fn(u32) -> Origin,
    findings: &mut Vec<ConversionFinding>,
) {
    let mut proof = Proof {
        sides,
        findings: Vec::new(),
        reported: BTreeSet::new(),
        refused: BTreeSet::new(),
        pairs: 0,
        urls: 0,
    };
    let mut known = BTreeSet::new();
    let room = MOST_BYTES / (sides.source.len() + sides.target.len()).max(1);
    let mut unnamed = "unnamed".to_owned();
    while names.contains(&unnamed) {
        unnamed.push('x');
    }
    for (at, name) in std::iter::once(&unnamed).chain(names).enumerate() {
        if at >= room || proof.is_exhausted() {
            proof.unproved();
            break;
        }
        let Some(token) = crawler(name) else {
            continue;
        };
        let client = Client::new(token);
        let rules = rules(sides.conventional, &client, &origin);
        // For the conventional side, crawlers addressed by the same rules are one; for the ACAP
        // side, each name is checked by itself.
        let lines: Vec<u32> = rules.iter().map(|rule| rule.origin.line).collect();
        let is_known = !known.insert(lines);
        proof.client(&client, name, &rules, is_known);
    }
    findings.extend(proof.findings);
    if findings.iter().any(|finding| finding.refuses) {
        return;
    }
    let compared = compared(sides, std::iter::once(&unnamed).chain(names));
    if compared.is_same {
        findings.retain(|finding| !matches!(finding.loss, Loss::Case | Loss::Unproved));
    }
    findings.extend(compared.findings);
}

fn rules<'r>(
    robots: &'r Robots,
    client: &Client,
    origin: &impl Fn(u32) -> Origin,
) -> Vec<PreparedRule<'r>> {
    let rules = robots.rules(&robots.policy(client)).into_iter();
    rules
        .filter_map(|rule| {
            Some(PreparedRule {
                origin: origin(rule.line.number),
                sense: rule.sense,
                pattern: Pattern::new(rule.pattern.ok()?, rule.value)?,
            })
        })
        .collect()
}

struct Proof<'p, 'r> {
    sides: &'p Sides<'r>,
    findings: Vec<ConversionFinding>,
    /// Pairs of lines that have a finding, and lines that are not converted.
    reported: BTreeSet<(u32, u32)>,
    refused: BTreeSet<u32>,
    pairs: usize,
    urls: usize,
}

impl Proof<'_, '_> {
    fn is_exhausted(&self) -> bool {
        self.pairs >= MOST_PAIRS || self.urls >= MOST_URLS
    }

    fn unproved(&mut self) {
        let message = "the file has too many crawlers or rules to compare all decisions";
        self.findings
            .push(ConversionFinding::refusal(Loss::Unproved, None, message));
    }

    fn client(&mut self, client: &Client, name: &str, rules: &[PreparedRule<'_>], is_known: bool) {
        let before = Policy::compile(self.sides.source, client);
        let after = Policy::compile(self.sides.target, client);
        if !is_known {
            self.pairs(&before, &after, name, rules);
        }
        let most = if is_known { 4 } else { usize::MAX };
        for rule in rules.iter().take(most) {
            let line = rule.origin.line;
            for url in points(&rule.pattern) {
                if !self.refused.contains(&line) && self.differ(&before, &after, &url) {
                    self.decided_otherwise(line, name, &after, &url);
                }
            }
        }
        if self.is_exhausted() {
            self.unproved();
        }
    }

    fn differ(&mut self, before: &Policy, after: &Policy, url: &str) -> bool {
        self.urls += 1;
        self.urls < MOST_URLS && before.allows(url) != after.allows(url)
    }

    fn decided_otherwise(&mut self, line: u32, name: &str, after: &Policy, url: &str) {
        self.refused.insert(line);
        let message = format!("for {name}, {url} would become {}", outcome(after, url));
        self.findings
            .push(ConversionFinding::refusal(Loss::Decision, line, message));
    }

    fn pairs(&mut self, before: &Policy, after: &Policy, name: &str, rules: &[PreparedRule<'_>]) {
        let of = |sense| rules.iter().filter(move |rule| rule.sense == sense);
        for prohibition in of(Sense::Disallow) {
            for permission in of(Sense::Allow) {
                self.pairs += 1;
                if self.is_exhausted() {
                    return;
                }
                if may_meet(&permission.pattern, &prohibition.pattern)
                    && !agree(permission, prohibition)
                {
                    self.pair(before, after, name, permission, prohibition);
                }
            }
        }
    }

    /// Looks for a URL on which the sides differ because of a pair.
    fn pair(
        &mut self,
        before: &Policy,
        after: &Policy,
        name: &str,
        permission: &PreparedRule<'_>,
        prohibition: &PreparedRule<'_>,
    ) {
        let lines = (permission.origin.line, prohibition.origin.line);
        if !self.reported.insert(lines) {
            return;
        }
        let urls = meeting_points(&permission.pattern, &prohibition.pattern);
        let found = urls.into_iter().find(|url| self.differ(before, after, url));
        let (line, other) = (lines.0.max(lines.1), lines.0.min(lines.1));
        let wins = if self.sides.target_is_acap {
            "in ACAP the narrowest field applies, and a prohibition wins if neither is narrower"
        } else {
            "in RFC 9309 the longest rule wins, and Allow wins between rules of the same length"
        };
        let shown =
            found.map(|url| format!("for {name}, {url} would become {}", outcome(after, &url)));
        let refuses = shown.is_some();
        if refuses {
            self.refused.extend([line, other]);
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
