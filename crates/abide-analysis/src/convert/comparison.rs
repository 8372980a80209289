//! Compares source and target of a conversion for every URL at once.

use super::sides::{Sides, crawler, outcome};
use super::{ConversionFinding, GoesOn, Loss};
use crate::bound::Bound;
use crate::compare::{self, NamedClient};
use abide::{Client, ProductToken, Robots, Usage};
use std::collections::BTreeMap;

/// The limit on the comparison is low because it only adds to what the pairs of rules show, and
/// most files differ by case in many places.
const BOUND: Bound = Bound { work: 10_000_000 };
/// A client takes at least a hundred units.
const MAX_CLIENTS: usize = 100_001;

/// The result for crawling.
pub(super) struct CrawlComparison {
    /// URLs that are decided differently, not only because of case.
    pub(super) findings: Vec<ConversionFinding>,
    /// Whether every URL is decided as before, whatever its case.
    pub(super) is_same: bool,
}

/// Compares the sides for crawlers with these names. `None` if it ended early.
pub(super) fn compared<'n>(
    sides: &Sides<'_>,
    names: impl Iterator<Item = &'n String>,
    goes_on: GoesOn<'_>,
) -> Option<CrawlComparison> {
    let [old, new] = sides.files;
    // Applications change nothing about crawling.
    let clients = names.filter_map(|name| {
        Some(NamedClient {
            agent: Some(name.clone()),
            purpose: None,
            client: Client::new(crawler(name)?),
            is_implied: false,
            left_out_applications: 0,
        })
    });
    // More are never compared within the bound.
    let clients: Vec<NamedClient> = clients.take(MAX_CLIENTS).collect();
    let differences = compare::files_while(old, new, &clients, BOUND, goes_on)?;
    // In lower case, rules of RFC 9309 match the same paths as ACAP's.
    let folded = Robots::parse(sides.conventional().text().as_bytes().to_ascii_lowercase());
    let acap = sides.acap();
    let mut findings = BTreeMap::new();
    let mut is_same = differences.is_complete();
    for one in &differences.clients {
        let Some(NamedClient { client, .. }) = one.clients.first() else {
            continue;
        };
        let regions = one.comparison.regions.iter();
        let regions: Vec<_> = regions
            .filter(|region| region.usage == Usage::Crawl)
            .collect();
        is_same &= regions.is_empty();
        if regions.is_empty() {
            continue;
        }
        let (folded, acap) = (folded.policy(client), acap.policy(client));
        let new = new.policy(client);
        for region in regions {
            let lower = region.witness.to_ascii_lowercase();
            if folded.allows(&lower) != acap.allows(&lower) {
                let line = region.old.decided_by.as_ref().and_then(|by| by.line);
                let name = client
                    .product_tokens()
                    .first()
                    .map_or("", ProductToken::as_str);
                let (url, answer) = (&region.witness, outcome(&new, &region.witness));
                let message = format!("for {name}, {url} would become {answer}");
                findings.entry(line).or_insert(ConversionFinding::refusal(
                    Loss::Decision,
                    line,
                    message,
                ));
            }
        }
    }
    Some(CrawlComparison {
        findings: findings.into_values().collect(),
        is_same,
    })
}
