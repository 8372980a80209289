//! Which ACAP fields of a file count for a client, for tools.

use super::inspect::Inspect;
use crate::acap::AcapPattern;
use crate::verdict::{Place, SelectedBy, Selection};

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
