//! What ACAP records and robots tags restrict for one crawler.

use crate::compare::NamedClient;
use abide::tag::{FieldLine, Response, Scope, StatedRule};
use abide::write::RobotsTagWriter;
use abide::{Condition, Decision, Outcome, Policy, Robots, Target, Usage};
use std::collections::{BTreeMap, BTreeSet};

/// A crawler, as the records and as robots tags alone bind it.
pub(super) struct Crawler {
    pub(super) name: Option<String>,
    pub(super) by_records: Policy,
    by_tags: Policy,
}

impl Crawler {
    pub(super) fn new(records: &Robots, NamedClient { agent, client, .. }: NamedClient) -> Self {
        let client = client.without_preferences().without_applications();
        Self {
            name: agent,
            by_records: records.policy(&client),
            by_tags: Policy::compile(b"", &client),
        }
    }

    /// What these fields restrict for the crawler.
    pub(super) fn tagged(&self, target: &Target<'_>, fields: &[FieldLine]) -> Restrictions {
        let response = Response::new(fields);
        let target = target.with_response(&response);
        Restrictions::of(&self.by_tags.decide(&target))
    }

    /// What one value of `Robots-Tag` restricts.
    fn tagged_once(&self, target: &Target<'_>, value: &RobotsTagWriter) -> Restrictions {
        match value.robots_tag() {
            Ok(value) => self.tagged(target, &[FieldLine::new("Robots-Tag", value.as_bytes())]),
            Err(_) => Restrictions::default(),
        }
    }

    /// The rules that restrict nothing which the records leave open on this path.
    pub(super) fn wanted(&self, target: &Target<'_>) -> Vec<StatedRule> {
        let records = Restrictions::of(&self.by_records.decide(target));
        let mut rules = candidates(&records);
        rules.retain(|rule| {
            let value = RobotsTagWriter::new().with_rule(Scope::Everyone, rule.clone());
            let tagged = self.tagged_once(target, &value);
            !tagged.0.is_empty() && tagged.is_within(&records)
        });
        rules
    }

    /// What tags for this crawler and this path alone could say.
    pub(super) fn best(&self, target: &Target<'_>) -> Restrictions {
        let rules = self.wanted(target).into_iter();
        let value = rules.fold(RobotsTagWriter::new(), |writer, rule| {
            writer.with_rule(Scope::Everyone, rule)
        });
        self.tagged_once(target, &value)
    }
}

/// The usages that are restricted, other than crawling.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Restrictions(pub(super) BTreeMap<Usage, (Outcome, Vec<Condition>)>);

impl Restrictions {
    pub(super) fn of(decision: &Decision<'_>) -> Self {
        let usages = Usage::ALL.iter().filter(|usage| **usage != Usage::Crawl);
        let restricted = usages.filter_map(|usage| {
            let said = decision.usage(*usage)?;
            let is_open = matches!(said.outcome, Outcome::Permitted | Outcome::Unspecified);
            (!is_open).then(|| (*usage, (said.outcome, said.conditions.clone())))
        });
        Self(restricted.collect())
    }

    /// Whether everything that is restricted here is restricted there at least as much.
    fn is_within(&self, other: &Self) -> bool {
        self.0.iter().all(|(usage, (outcome, conditions))| {
            let Some((of_other, further)) = other.0.get(usage) else {
                return false;
            };
            *of_other == Outcome::Prohibited
                || outcome == of_other && conditions.iter().all(|one| further.contains(one))
        })
    }
}

/// The rules that may say a part of this.
fn candidates(records: &Restrictions) -> Vec<StatedRule> {
    let fixed = [
        ("noindex", None),
        ("nofollow", None),
        ("nosnippet", None),
        ("noarchive", None),
        ("notranslate", None),
        ("max-image-preview", Some("none")),
    ];
    let fixed = fixed.map(|(name, value)| StatedRule::new(name, value.map(str::to_owned)));
    let conditions = records.0.values().flat_map(|(_, conditions)| conditions);
    let lengths: BTreeSet<u64> = conditions
        .filter_map(|condition| match condition {
            Condition::MaxLengthChars(chars) => Some(*chars),
            _ => None,
        })
        .collect();
    let lengths = lengths.into_iter();
    let lengths = lengths.map(|chars| StatedRule::new("max-snippet", Some(chars.to_string())));
    fixed.into_iter().chain(lengths).collect()
}
