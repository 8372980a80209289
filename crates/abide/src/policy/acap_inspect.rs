//! Which ACAP fields of a file count for a client, for tools.

use super::document::Robots;
use super::inspect::Inspect;
use crate::acap::AcapPattern;
use crate::verdict::{Condition, Place, SelectedBy, Selection, Sense, Usage};

/// What a permission or prohibition field of an ACAP record says about one usage. A local name
/// stands for several.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AcapStatement<'r> {
    /// The place of the field.
    pub place: Place,
    /// The place of the first crawler field of its record.
    pub crawler: Place,
    /// The usage.
    pub usage: Usage,
    /// Whether the field permits or prohibits.
    pub sense: Sense,
    /// The conditions of a permission.
    pub conditions: &'r [Condition],
    /// Whether nothing in it is invalid. A permission with a mistake permits nothing (AMB-ACAP-8).
    pub is_valid: bool,
}

impl Robots {
    /// What the ACAP records of the file say about each usage, in file order.
    ///
    /// ```
    /// use abide::{Robots, Usage};
    /// let robots = Robots::parse(
    ///     b"ACAP-crawler: *\nACAP-allow-index: / time-limit=3-days\nACAP-disallow-crawl: /x\n",
    /// );
    /// let said = robots.acap_statements();
    /// let usages: Vec<_> = said.iter().map(|one| (one.usage, one.conditions.len())).collect();
    /// assert_eq!(usages, [(Usage::Index, 1), (Usage::Crawl, 0)]);
    /// ```
    #[must_use]
    pub fn acap_statements(&self) -> Vec<AcapStatement<'_>> {
        let records = self.acap_file().records.iter();
        let statements = records.flat_map(|record| {
            // A crawler field opens a record, so every record has one.
            let crawler = record.crawlers.first().map(|field| field.place);
            let fields = record.statements.iter();
            let of_record = crawler.map(|crawler| (crawler, fields)).into_iter();
            of_record.flat_map(|(crawler, fields)| fields.map(move |field| (crawler, field)))
        });
        let statements = statements.flat_map(|(crawler, field)| {
            field.parts.iter().map(move |part| AcapStatement {
                place: field.place,
                crawler,
                usage: part.usage,
                sense: field.sense,
                conditions: part.terms.as_ref().map_or(&[], |terms| &terms.conditions),
                is_valid: field.is_valid && !part.is_void(),
            })
        });
        statements.collect()
    }
}

impl<'p> Inspect<'p> {
    /// The patterns of ACAP fields for the client, and of sets that such fields name, each once.
    /// `None` if the client reads no ACAP records. The ACAP answer for a path depends only on which
    /// of these patterns match it.
    ///
    /// ```
    /// use abide::{Client, Policy, ProductToken, syntax::Inspect};
    /// let client = Client::new(ProductToken::new("ExampleBot")?);
    /// let policy = Policy::compile(b"ACAP-crawler: *\nACAP-disallow-index: Drafts/\n", &client);
    /// let patterns = Inspect::of(&policy).acap_patterns().unwrap();
    /// assert_eq!(&*patterns[0].path_pattern().forms().c1, b"/drafts/");
    /// let policy = Policy::compile(b"User-agent: *\n", &client);
    /// assert!(Inspect::of(&policy).acap_patterns().is_none());
    /// # Ok::<(), abide::ProductTokenError>(())
    /// ```
    #[must_use]
    pub fn acap_patterns(self) -> Option<Vec<AcapPattern>> {
        let side = self.0.acap()?;
        // The symbols are the canonical form of a pattern, which reads as the same pattern.
        let read = |symbols| AcapPattern::read(symbols).ok();
        Some(side.policy.patterns().filter_map(read).collect())
    }

    /// The ACAP fields of the file that concern the client, in file order, each once, with the
    /// crawler field of their record (ACAP-29, ACAP-36). Fields of files that it refers to are not
    /// included.
    #[must_use]
    pub fn acap_fields(self) -> Vec<(Place, Selection<'p>)> {
        let Some((side, asker)) = self.0.acap().zip(self.0.client().for_acap()) else {
            return Vec::new();
        };
        let by = |name: Option<u32>| {
            name.and_then(|at| asker.names().nth(at as usize))
                .map_or(SelectedBy::AnyCrawler, SelectedBy::CrawlerName)
        };
        let statements = side.policy.statements().iter();
        let mut fields: Vec<_> = statements
            .filter(|statement| statement.file == 0)
            .map(|statement| {
                let (by, place) = (by(statement.name), statement.starter);
                (statement.place, Selection { by, place })
            })
            .collect();
        fields.sort_by_key(|(place, _)| *place);
        fields.dedup_by_key(|(place, _)| *place);
        fields
    }
}
