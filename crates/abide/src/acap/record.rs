//! The ACAP stream of a file: records and sub-records (ACAP-22 to ACAP-37, AMB-ACAP-16,
//! AMB-ACAP-20, AMB-ACAP-21).

use super::definition::{Definitions, ResourceSet, UsagePart};
use super::request::ActionRequest;
use super::scope::AcapPattern;
use crate::text::offset;
use crate::verdict::{Place, Sense};
use std::collections::HashMap;
use std::sync::Arc;

/// The ACAP stream of a file, read.
#[derive(Clone, Debug, Default)]
pub(crate) struct AcapFile {
    /// Whether there is any ACAP line at all.
    pub(crate) has_lines: bool,
    /// Whether it exceeds a limit (ACAP-143).
    pub(crate) is_beyond_limits: bool,
    /// Whether it asks to ignore conventional records (ACAP-15).
    pub(crate) ignores_conventional: bool,
    pub(crate) definitions: Definitions,
    pub(crate) records: Vec<Record>,
    /// Which records name whom, if many clients will ask.
    pub(super) index: Option<RecordIndex>,
}

/// The indices of records in [`AcapFile::records`], by whom they name.
#[derive(Clone, Debug, Default)]
pub(super) struct RecordIndex {
    any: Vec<u32>,
    crawlers: HashMap<Box<[u8]>, Vec<u32>>,
}

impl AcapFile {
    /// The file, prepared to answer many clients.
    pub(super) fn indexed(mut self) -> Self {
        let mut index = RecordIndex::default();
        for (at, record) in self.records.iter().enumerate() {
            for field in &record.crawlers {
                match &field.named {
                    CrawlerNames::Any => index.any.push(offset(at)),
                    CrawlerNames::Crawler(name) => {
                        let of_crawler = index.crawlers.entry(name.clone()).or_default();
                        of_crawler.push(offset(at));
                    }
                    CrawlerNames::Nobody => {}
                }
            }
        }
        self.index = Some(index);
        self
    }

    /// The records that may be for a crawler with these names, in order. Names are in lower case.
    pub(super) fn records_for<'f>(
        &'f self,
        names: &[Box<[u8]>],
    ) -> Box<dyn Iterator<Item = &'f Record> + 'f> {
        let Some(index) = &self.index else {
            return Box::new(self.records.iter());
        };
        let mut numbers = index.any.clone();
        let of_crawlers = names.iter().filter_map(|name| index.crawlers.get(name));
        numbers.extend(of_crawlers.flatten());
        numbers.sort_unstable();
        numbers.dedup();
        let records = numbers.into_iter();
        Box::new(records.filter_map(|at| self.records.get(at as usize)))
    }
}

/// A record: the crawlers it is for, and its fields.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(crate) crawlers: Vec<CrawlerField>,
    pub(crate) statements: Vec<UsageField>,
    /// The purposes of each sub-record.
    pub(crate) sub_records: Vec<Vec<PurposePattern>>,
    pub(crate) references: Vec<ReferenceField>,
    pub(crate) requests: Vec<ActionRequest>,
}

/// A crawler identification field.
#[derive(Clone, Debug)]
pub(crate) struct CrawlerField {
    pub(crate) place: Place,
    pub(crate) named: CrawlerNames,
}

/// Whom a crawler identification field names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CrawlerNames {
    /// `*` (ACAP-30).
    Any,
    /// This crawler; the name is in lower case (ACAP-33).
    Crawler(Box<[u8]>),
    /// No crawler: the name is invalid (AMB-ACAP-35).
    Nobody,
}

/// A permission or prohibition field.
#[derive(Clone, Debug)]
pub(crate) struct UsageField {
    pub(crate) place: Place,
    pub(crate) sense: Sense,
    /// The usages, with the terms of a permission. Empty if the field has no effect.
    pub(crate) parts: Box<[UsagePart]>,
    pub(crate) resource: Resource,
    /// Whether nothing in it is invalid. An invalid field can only prohibit (AMB-ACAP-8).
    pub(crate) is_valid: bool,
    /// The index of its sub-record in the record.
    pub(crate) sub_record: Option<u32>,
}

/// What a permission or prohibition is about.
#[derive(Clone, Debug)]
pub(crate) enum Resource {
    /// The paths of a pattern.
    Pattern(AcapPattern),
    /// The paths of a set.
    Set(Arc<ResourceSet>),
    /// A set that is not defined: a prohibition may mean any path (AMB-ACAP-5).
    Unknown,
}

impl Resource {
    /// Its known patterns.
    pub(crate) fn patterns(&self) -> &[AcapPattern] {
        match self {
            Self::Pattern(pattern) => std::slice::from_ref(pattern),
            Self::Set(set) => &set.patterns,
            Self::Unknown => &[],
        }
    }
}

/// A permissions reference field.
#[derive(Clone, Debug)]
pub(crate) struct ReferenceField {
    pub(crate) place: Place,
    pub(crate) locator: String,
}

/// A usage purpose pattern, in lower case (ACAP-45, ACAP-47).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PurposePattern(Box<[u8]>);

impl PurposePattern {
    /// A final `$` says what is meant anyhow (AMB-ACAP-11).
    pub(crate) fn new(text: &[u8]) -> Self {
        let body = text.strip_suffix(b"$").unwrap_or(text);
        Self(body.to_ascii_lowercase().into_boxed_slice())
    }

    /// Whether the pattern matches the whole of `purpose`, which is in lower case.
    pub(crate) fn matches(&self, purpose: &[u8]) -> bool {
        crate::pattern::matches(&self.0, true, purpose)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amb_acap_11_purposes_match_whole() {
        let matches =
            |pattern: &[u8], purpose: &[u8]| PurposePattern::new(pattern).matches(purpose);
        assert!(matches(b"NEWS", b"news"));
        assert!(matches(b"news$", b"news"));
        assert!(!matches(b"news", b"newsletter"));
        assert!(matches(
            b"http://news.search.*/*",
            b"http://news.search.example/uk"
        ));
        assert!(matches(b"*news", b"daily-news"));
    }
}
