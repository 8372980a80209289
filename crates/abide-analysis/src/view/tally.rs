//! Counts for many pages which line decided how many.

use super::part::{EvidencePlace, Part, StatementSubject};
use super::{FileView, PageView, data};
use abide::Usage;
use abide::verdict::{Reason, Role};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What the lines of a file did to many pages. Its size depends on the lines, not on the pages.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Tally {
    /// Pages that were counted.
    pub pages: u64,
    /// How many pages had each outcome of crawl.
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<abide::Outcome, u64>"))]
    pub crawl: BTreeMap<&'static str, u64>,
    /// The lines that matched any page, in file order.
    #[serde(serialize_with = "data::each")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<LineCounts>"))]
    pub lines: BTreeMap<u32, LineCounts>,
    /// The rules and fields that count for the client and matched no page, by their lines.
    pub without_hits: BTreeSet<u32>,
    /// Pages that no rule of a group and no ACAP field is about, so that the default applies.
    pub unmatched: u64,
    /// The first of them.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "data::optional_url"
    )]
    pub unmatched_witness: Option<String>,
}

/// What one line did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LineCounts {
    /// The number of the line, from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub line: u32,
    /// Pages about which it decided anything.
    pub decided: u64,
    /// Pages that it matched, and about which it decided nothing.
    pub overridden: u64,
    /// The first page about which it decided; where there is none, the first that it matched.
    #[serde(serialize_with = "data::url")]
    pub witness: String,
}

impl Tally {
    /// No pages yet, which will be pages of `reading`.
    #[must_use]
    pub fn new(reading: &FileView<'_>) -> Self {
        use abide::syntax::FieldKind::{Acap, Allow, AppDirectives, Disallow};
        let says = |line: &super::ReadLine<'_>| {
            let statement = match line.kind {
                Some(Acap) => is_statement(line.bytes),
                kind => matches!(kind, Some(Allow | Disallow | AppDirectives)),
            };
            statement && line.state == super::LineState::Counts
        };
        let lines = reading.lines().filter(says).map(|line| line.number);
        Self {
            pages: 0,
            crawl: BTreeMap::new(),
            lines: BTreeMap::new(),
            without_hits: lines.collect(),
            unmatched: 0,
            unmatched_witness: None,
        }
    }

    /// Counts a page.
    pub fn add(&mut self, page: &PageView<'_>) {
        self.pages = self.pages.saturating_add(1);
        let outcome = page.decision.outcome(Usage::Crawl);
        count(self.crawl.entry(outcome.name()).or_default());
        let mut here: BTreeMap<u32, bool> = BTreeMap::new();
        for part in &page.parts {
            // A rule of a group that does not count hits nothing.
            if let EvidencePlace::Line(line) = part.spot
                && part.reason != Reason::OtherGroup.name()
            {
                *here.entry(line).or_default() |= part.role == Role::Decided;
            }
        }
        for (line, decided) in here {
            self.without_hits.remove(&line);
            let counts = self.lines.entry(line).or_default();
            counts.line = line;
            counts.add(page.url(), decided);
        }
        if is_unmatched(page) {
            count(&mut self.unmatched);
            self.unmatched_witness
                .get_or_insert_with(|| page.url().to_owned());
        }
    }
}

impl LineCounts {
    fn add(&mut self, url: &str, decided: bool) {
        if self.decided == 0 && (decided || self.overridden == 0) {
            url.clone_into(&mut self.witness);
        }
        count(if decided {
            &mut self.decided
        } else {
            &mut self.overridden
        });
    }
}

fn count(number: &mut u64) {
    *number = number.saturating_add(1);
}

/// Whether no statement of a file decided anything but preferences, which are often about every
/// page: for crawl the default stands.
fn is_unmatched(page: &PageView<'_>) -> bool {
    let decides = |part: &Part| {
        part.role == Role::Decided
            && part.vocabulary.is_none()
            && matches!(part.about, StatementSubject::Usages(..))
            && !matches!(part.spot, EvidencePlace::Tag(..) | EvidencePlace::Field(..))
    };
    !page.parts.iter().any(decides)
}

/// Whether an ACAP line permits or prohibits, and neither defines nor refers.
fn is_statement(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    [&b"acap-allow-"[..], b"acap-disallow-"].iter().any(|key| {
        line.get(..key.len())
            .is_some_and(|own| own.eq_ignore_ascii_case(key))
    })
}
