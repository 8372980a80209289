//! The ACAP answer for each usage of a target, without other sources: step 4.

use super::access::rules;
use super::fact;
use super::latest::Latest;
use super::ruling::Ruling;
use crate::acap::{
    self, AcapMode, AcapPattern, AcapSide, AcapStatement, Circumstances, MatchingStatements,
    Reading,
};
use crate::pattern::normal::Forms;
use crate::pattern::set::Match;
use crate::policy::Policy;
use crate::rep::Access;
use crate::target::Target;
use crate::verdict::{
    Evidence, Outcome, Place, Provenance, Reason, Role, SelectedBy, Selection, Sense, Source,
    SourceDetails, Usage,
};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// The ACAP records of a policy, for one target.
pub(super) struct AcapSays<'p> {
    policy: &'p Policy,
    side: Option<&'p AcapSide>,
    matching: MatchingStatements,
    /// Evidence of each matching statement, once it is needed: all usages share it.
    evidence: Vec<OnceCell<Evidence<'p>>>,
    selections: Latest<Selection<'p>>,
    details: Latest<SourceDetails<'p>>,
    circumstances: Circumstances,
    /// Why there is no answer, if a reference is missing or unreachable.
    hindered: Option<(Outcome, Evidence<'p>)>,
    /// URLs of references that were not read yet.
    needs: Vec<String>,
}

impl<'p> AcapSays<'p> {
    pub(super) fn new(policy: &'p Policy, path: &Forms<'_>, target: &Target<'_>) -> Self {
        let side = policy.acap();
        let history = target.history();
        let matching = side.map_or_else(MatchingStatements::default, |side| {
            side.policy.matching(path)
        });
        let mut says = Self {
            policy,
            side,
            evidence: vec![OnceCell::new(); matching.matched.len()],
            selections: Latest::default(),
            details: Latest::default(),
            matching,
            circumstances: Circumstances {
                now: target.now(),
                first_indexed: history.first_indexed,
                first_copied: history.first_copied,
                is_html: target.response().and_then(crate::tag::Response::is_html),
            },
            hindered: None,
            needs: Vec::new(),
        };
        if let Some(side) = side {
            says.look_at_references(side, target);
        }
        says
    }

    /// Finds out whether a permissions reference prevents an answer. An unreachable file prohibits
    /// every usage; a file that was not read yet makes every usage unknown, because it may
    /// prohibit. A robots.txt that refers to itself does neither (ACAP-40).
    fn look_at_references(&mut self, side: &'p AcapSide, target: &Target<'_>) {
        let robots_url = target.robots_url();
        let mut known = BTreeSet::new();
        for (reference, reading) in side.policy.references.iter().zip(&side.read) {
            let url = acap::reference_url(&reference.locator, robots_url.as_deref());
            let (outcome, reason, cause) = match reading {
                Reading::Text(_) => continue,
                Reading::Unknown if is_robots_txt(&url, robots_url.as_deref()) => continue,
                Reading::Unknown => (Outcome::Unknown, Reason::ReferenceNotKnown, None),
                Reading::Failed(access) => match access {
                    Access::Unreachable(cause) => (
                        Outcome::Prohibited,
                        Reason::ReferenceUnreachable,
                        Some(*cause),
                    ),
                    _ => continue,
                },
            };
            if outcome == Outcome::Unknown && known.insert(url.clone()) {
                self.needs.push(url);
            }
            let stricter = self
                .hindered
                .as_ref()
                .is_none_or(|(other, _)| outcome > *other);
            if stricter {
                let line = Provenance {
                    place: Some(reference.place),
                    statement: self.quote(0, reference.place),
                    ..Provenance::of(Source::AcapReference)
                };
                let mut evidence = Evidence::new(line, Role::Decided, reason);
                evidence.cause = cause;
                self.hindered = Some((outcome, evidence));
            }
        }
    }

    /// URLs that must be fetched for a better answer. Empty if an unreachable reference prohibits
    /// everything, because nothing can change that (CLA-12).
    pub(super) fn needs(self) -> Vec<String> {
        match self.hindered {
            Some((Outcome::Prohibited, _)) => Vec::new(),
            _ => self.needs,
        }
    }

    /// Answers for `usage`, and returns the patterns of the deciding fields: for crawl, a
    /// conventional rule with one of these patterns is ignored (ACAP-21). A reference that prevents
    /// an answer comes first, then the fields.
    ///
    /// If the file was cut at the parsing limit, the missing part may prohibit. So every usage is
    /// prohibited except crawl, which the conventional rules decide as well (CLA-14).
    pub(super) fn about(&self, usage: Usage) -> (Ruling<'p>, Vec<&'p [u8]>) {
        let Some(side) = self.side else {
            return (Ruling::default(), Vec::new());
        };
        let (mut ruling, symbols) = match &self.hindered {
            Some((outcome, evidence)) => {
                (Ruling::new(*outcome, vec![evidence.clone()]), Vec::new())
            }
            None => self.by_fields(side, usage),
        };
        if side.is_truncated && usage != Usage::Crawl && ruling.outcome != Outcome::Prohibited {
            ruling.prohibit(fact(Source::Acap, Reason::AcapTruncated));
        }
        (ruling, symbols)
    }

    /// Combines conventional rules and ACAP records (ACAP-14 to ACAP-21, AMB-ACAP-15, AMB-ACAP-17,
    /// CLA-2, CLA-15).
    pub(super) fn composed(&self, policy: &'p Policy, path: &Forms<'_>) -> Ruling<'p> {
        let mut matches = policy.matching(path);
        let Some(side) = policy.acap() else {
            return rules(policy, path, &matches, &[]);
        };
        let (ruling, patterns) = self.about(Usage::Crawl);
        if side.ignores_conventional {
            return without_conventional(rules(policy, path, &[], &matches), ruling);
        }
        let sense = match ruling.outcome {
            Outcome::Permitted => Some(Sense::Allow),
            Outcome::Prohibited => Some(Sense::Disallow),
            _ => None,
        };
        let restricts = policy.client().acap().mode == AcapMode::Restrict;
        // If both have the same pattern, the conventional rule is ignored (ACAP-21).
        let is_ignored = |found: &Match| {
            !restricts
                && !patterns.is_empty()
                && sense.is_some_and(|sense| found.sense != sense)
                && pattern_of(policy, found)
                    .is_some_and(|own| patterns.iter().any(|pattern| *pattern == own.symbols()))
        };
        let ignored: Vec<_> = matches.extract_if(.., |found| is_ignored(found)).collect();
        let conventional = rules(policy, path, &matches, &ignored);
        let by_default = conventional
            .evidence
            .first()
            .is_some_and(|evidence| evidence.source == Source::Default);
        match (ruling.outcome, by_default) {
            (Outcome::Unspecified, _) => conventional,
            // A default is not a statement, so it neither agrees nor loses.
            (_, true) => ruling.meet(Ruling {
                evidence: conventional.evidence.into_iter().skip(1).collect(),
                ..conventional
            }),
            (_, false) => conventional.meet(ruling),
        }
    }

    /// Answers for a usage that AI preferences are about: `disallow-other` reaches training and AI
    /// input, and nothing else of ACAP does (PREF-127, PREF-128, CLA-PREF-13).
    pub(super) fn about_preference(&self, usage: Usage) -> Ruling<'p> {
        let Some(side) = self
            .side
            .filter(|_| matches!(usage, Usage::Train | Usage::AiInput))
        else {
            return Ruling::default();
        };
        let (mut ruling, _) = self.by_fields(side, Usage::Other);
        if ruling.outcome != Outcome::Prohibited {
            return Ruling::default();
        }
        ruling
            .evidence
            .retain(|one| matches!(one.role, Role::Decided | Role::Agreed));
        for evidence in &mut ruling.evidence {
            evidence.reason = Reason::ByOther;
        }
        ruling
    }

    /// Answers from the records alone, and quotes each field that took part.
    fn by_fields(&self, side: &'p AcapSide, usage: Usage) -> (Ruling<'p>, Vec<&'p [u8]>) {
        let profile = self.policy.client().acap();
        let verdict = side
            .policy
            .verdict(usage, &self.matching, profile, &self.circumstances);
        let symbols = verdict.patterns.iter().map(|&at| side.policy.symbols(at));
        let symbols = symbols.collect();
        let mut evidence = Vec::with_capacity(verdict.parts.len());
        evidence.extend(
            verdict.parts.into_iter().filter_map(|(at, role, reason)| {
                Some(self.evidence(side, at)?.in_part(role, reason))
            }),
        );
        let ruling = Ruling {
            outcome: verdict.outcome,
            conditions: verdict.conditions,
            evidence,
        };
        (ruling, symbols)
    }

    /// Evidence of the matching statement with this number.
    fn evidence(&self, side: &'p AcapSide, number: u32) -> Option<Evidence<'p>> {
        let matched = &self.matching.matched;
        let at = matched.binary_search_by_key(&number, |matched| matched.statement);
        let kept = self.evidence.get(at.ok()?)?;
        let statement = side.policy.statement(number)?;
        let evidence = kept.get_or_init(|| {
            Evidence::new(
                self.provenance(side, statement),
                Role::Decided,
                Reason::SaysSo,
            )
        });
        Some(evidence.clone())
    }

    fn provenance(&self, side: &'p AcapSide, statement: &'p AcapStatement) -> Provenance<'p> {
        let reference = statement.file.checked_sub(1);
        let reference = reference.and_then(|at| side.policy.references.get(at as usize));
        let asker = self.policy.client().for_acap();
        let name = asker.zip(statement.name);
        let name = name.and_then(|(asker, at)| asker.names().nth(at as usize));
        let source = match reference {
            None => Source::Acap,
            Some(_) => Source::AcapReference,
        };
        let details = reference.map(|reference| SourceDetails {
            locator: Some(Cow::Borrowed(reference.locator.as_str())),
            ..SourceDetails::default()
        });
        let selection = Selection {
            by: name.map_or(SelectedBy::AnyCrawler, SelectedBy::CrawlerName),
            place: statement.starter,
        };
        Provenance {
            place: Some(statement.place),
            statement: self.quote(statement.file, statement.place),
            selected_by: Some(self.selections.shared(selection)),
            details: details.map(|details| self.details.shared(details)),
            ..Provenance::of(source)
        }
    }

    /// The bytes of `place` in a file: 0 is robots.txt, then its references.
    fn quote(&self, file: u32, place: Place) -> &'p [u8] {
        let text = match file.checked_sub(1) {
            None => Some(self.policy.text()),
            Some(at) => match self.side.and_then(|side| side.read.get(at as usize)) {
                Some(Reading::Text(text)) => Some(&**text),
                _ => None,
            },
        };
        text.map_or(b"", |text| place.span.of(text.as_bytes()))
    }
}

/// The answer for a file that asks ACAP crawlers to ignore its conventional rules (ACAP-15).
fn without_conventional<'p>(ignored: Ruling<'p>, ruling: Ruling<'p>) -> Ruling<'p> {
    let mut ruling = match ruling.outcome {
        Outcome::Unspecified => Ruling::new(
            Outcome::Permitted,
            vec![fact(Source::Default, Reason::ConventionalIgnored)],
        ),
        _ => ruling,
    };
    let ignored = ignored.evidence.into_iter().skip(1);
    ruling.evidence.extend(ignored.map(|evidence| {
        let role = evidence.role;
        evidence.in_part(role, Reason::ConventionalIgnored)
    }));
    ruling
}

/// The pattern of a rule in the form in which ACAP compares patterns.
fn pattern_of(policy: &Policy, found: &Match) -> Option<AcapPattern> {
    AcapPattern::read(policy.value_of(found.line)).ok()
}

/// Whether `url` is the robots.txt itself, in any spelling.
fn is_robots_txt(url: &str, robots_url: Option<&str>) -> bool {
    Target::new(url).is_ok_and(|target| {
        target.is_absolute()
            && target.path_and_query() == "/robots.txt"
            && target.robots_url().as_deref() == robots_url
    })
}
