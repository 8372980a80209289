//! Records and sub-records: whom fields address, and which belong together.

use super::{AcapReader, OpenRecord, Stage};
use crate::acap::name::{folded, is_name};
use crate::acap::record::{
    AcapFile, CrawlerField, CrawlerNames, PurposePattern, Record, ReferenceField, Resource,
    UsageField,
};
use crate::acap::reference;
use crate::acap::request::{Action, ActionRequest, path};
use crate::acap::scope::AcapPattern;
use crate::diagnostic::Code;
use crate::growth;
use crate::pattern::normal;
use crate::text::Span;
use crate::verdict::{Place, Sense, Usage};
use crate::visible::shown;

impl AcapReader<'_, '_> {
    pub(super) fn crawler(&mut self, place: Place, value: &[u8]) {
        let named = match value {
            b"*" => CrawlerNames::Any,
            _ if value.contains(&b'*') => {
                self.say(Code::AcapCrawlerWildcard, place, || {
                    format!(
                        "{} names no crawler: \"*\" is not a wildcard here",
                        shown(value)
                    )
                });
                CrawlerNames::Nobody
            }
            [] => CrawlerNames::Nobody,
            _ => CrawlerNames::Crawler(folded(value)),
        };
        if !value.first().is_some_and(u8::is_ascii_alphabetic) && named != CrawlerNames::Any {
            self.say(Code::AcapBadName, place, || {
                format!(
                    "{} is not a crawler name: it must begin with a letter",
                    shown(value)
                )
            });
        }
        self.open(place, named);
    }

    /// A crawler field: one more of the record, or the first of the next.
    pub(super) fn open(&mut self, place: Place, named: CrawlerNames) {
        // Definitions after this field are ignored, so every ambiguity is known now.
        if self.stage != Stage::Records {
            self.file.definitions.settle();
        }
        self.stage = Stage::Records;
        if self.record.as_ref().is_none_or(|open| open.has_body) {
            self.close();
            self.record = Some(OpenRecord::default());
        }
        if let Some(open) = &mut self.record {
            open.record.crawlers.push(CrawlerField { place, named });
        }
    }

    fn close(&mut self) {
        let Some(open) = self.record.take() else {
            return;
        };
        self.close_sub_record(&open);
        let mut record = open.record;
        // A file can have a record for every few bytes.
        record.crawlers.shrink_to_fit();
        record.statements.shrink_to_fit();
        // A crawler field opens a record, so every record has one.
        let Some(first) = record.crawlers.first().map(|field| field.place) else {
            return;
        };
        let any = |field: &CrawlerField| field.named == CrawlerNames::Any;
        if record.crawlers.len() > 1 && record.crawlers.iter().any(any) {
            let message = || "a record for \"*\" cannot name other crawlers; split it".to_owned();
            self.say(Code::AcapStarMixed, first, message);
        }
        if !open.has_body {
            let message = || "the record has no effect".to_owned();
            self.say(Code::AcapEmptyRecord, first, message);
        }
        let beside = open.has_statement
            || record.references.len() > 1
            || !record.requests.is_empty()
            || !record.sub_records.is_empty();
        if !record.references.is_empty() && beside {
            let message = || {
                "a record with a reference should have no other fields; all of them count"
                    .to_owned()
            };
            self.say(Code::AcapFieldsWithReference, first, message);
        }
        self.check_other(&record);
        growth::push(&mut self.file.records, record);
    }

    fn close_sub_record(&mut self, open: &OpenRecord) {
        let is_empty = !open.record.sub_records.is_empty() && !open.sub_record_filled;
        if let Some(place) = open.purpose.filter(|_| is_empty) {
            let message =
                || "a usage purpose without a permission or prohibition after it".to_owned();
            self.say(Code::AcapEmptyRecord, place, message);
        }
    }

    /// `disallow-other` reaches crawl too, wherever the record says nothing else about crawl. Its
    /// writer may not have thought of that (AMB-ACAP-25).
    fn check_other(&mut self, record: &Record) {
        let about = |field: &UsageField, usage| field.parts.iter().any(|part| part.usage == usage);
        // Permissions too: they also say something about crawl.
        let of_crawl: Vec<&UsageField> = record
            .statements
            .iter()
            .filter(|field| about(field, Usage::Crawl))
            .collect();
        let other = record.statements.iter().find(|field| {
            field.sense == Sense::Disallow
                && about(field, Usage::Other)
                && !of_crawl.iter().any(|crawl| covers(crawl, field))
        });
        if let Some(place) = other.map(|field| field.place) {
            self.say(Code::AcapOtherBlocksCrawl, place, || {
                "this prohibits crawl too, wherever the record says nothing else about it"
                    .to_owned()
            });
        }
    }

    /// The record that a field belongs to, unless no crawler field stands before it (AMB-ACAP-36).
    pub(super) fn owner(&mut self, place: Place) -> Option<&mut OpenRecord> {
        if self.record.is_none() {
            let message =
                || "no effect: there is no ACAP-crawler field before this field".to_owned();
            self.say(Code::AcapOrphanField, place, message);
        }
        self.record.as_mut()
    }

    pub(super) fn reference(&mut self, place: Place, value: &[u8]) {
        let (is_referenced, locator) = (self.is_referenced, reference::single(value));
        let Some(open) = self.owner(place) else {
            return;
        };
        open.has_body = true;
        match locator {
            None => self.say(Code::AcapBadReference, place, || {
                format!(
                    "{} is neither a path nor a URI; \"*\" and \"$\" are not allowed here",
                    shown(value)
                )
            }),
            Some(locator) if is_referenced || reference::is_robots_txt(locator) => {
                let message = if is_referenced {
                    "a referenced file cannot have references of its own; this one is ignored"
                } else {
                    "the reference leads back to this robots.txt, so it is ignored"
                };
                self.say(Code::AcapReferenceChain, place, || message.to_owned());
            }
            Some(locator) => open.record.references.push(ReferenceField {
                place,
                locator: locator.to_owned(),
            }),
        }
    }

    pub(super) fn purpose(&mut self, place: Place, value: &[u8]) {
        let Some(open) = self.owner(place) else {
            return;
        };
        // Before its value is read: an invalid purpose also begins a sub-record.
        open.purpose(place);
        if value.is_empty() {
            let message = || "expected the name or URI of a purpose".to_owned();
            return self.say(Code::AcapBadName, place, message);
        }
        if let Some(purposes) = open.record.sub_records.last_mut() {
            purposes.push(PurposePattern::new(value));
        }
        if !is_name(value) && !is_uri_pattern(value) {
            self.say(Code::AcapBadName, place, || {
                let value = shown(value);
                format!("{value} is neither the name of a purpose nor a URI; write each purpose on a line of its own")
            });
        }
    }

    pub(super) fn request(&mut self, place: Place, action: Option<Action>, value: &[u8]) {
        let Some(open) = self.owner(place) else {
            return;
        };
        open.has_body = true;
        if !open.record.sub_records.is_empty() {
            let message = || {
                "action requests must come before all usage purposes; this one is ignored"
                    .to_owned()
            };
            return self.say(Code::AcapRequestInSubRecord, place, message);
        }
        match (action, path(value)) {
            (None, _) => {
                let message = || "ACAP 1.0 only has the requests take-down and re-crawl".to_owned();
                self.say(Code::AcapUnknownField, place, message);
            }
            (Some(_), None) => self.say(Code::AcapBadRequest, place, || {
                format!(
                    "{} is not a single path; \"*\" and \"$\" are not allowed here",
                    shown(value)
                )
            }),
            (Some(action), Some(path)) => {
                open.record.requests.push(ActionRequest {
                    action,
                    path,
                    place,
                });
                self.check_characters(place, value);
            }
        }
    }

    /// Closes the last record. Reports a file with ACAP fields and no record: nothing in it counts.
    pub(super) fn finish(mut self) -> AcapFile {
        self.close();
        if self.file.has_lines && self.file.records.is_empty() {
            self.findings
                .say(Code::AcapNoRecords, None, Span::default(), || {
                    "there are ACAP fields but no record: none of them has an effect".to_owned()
                });
        }
        self.file
    }
}

/// Whether a value is a URI in which `*` may stand for anything: a scheme, `:`, and characters of
/// URIs (ACAP-44).
fn is_uri_pattern(value: &[u8]) -> bool {
    let colon = value.iter().position(|byte| *byte == b':');
    let Some((scheme, rest)) = colon.and_then(|colon| value.split_at_checked(colon)) else {
        return false;
    };
    let in_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(in_scheme)
        && !rest.iter().any(|byte| normal::is_foreign(*byte))
        && normal::stray_percent(rest).is_none()
}

/// Whether `field` covers `other`: all its paths, and its purposes or every purpose.
fn covers(field: &UsageField, other: &UsageField) -> bool {
    let reaches = |wide: &[u8], narrow: &[u8]| {
        // A pattern matches whatever begins like it, unless it ends with `$`.
        wide == narrow || (!wide.ends_with(b"$") && narrow.starts_with(wide))
    };
    let own = field.resource.patterns();
    let is_reached = |narrow: &AcapPattern| {
        own.iter()
            .any(|wide| reaches(wide.symbols(), narrow.symbols()))
    };
    (field.sub_record.is_none() || field.sub_record == other.sub_record)
        && !matches!(other.resource, Resource::Unknown)
        && other.resource.patterns().iter().all(is_reached)
}

impl OpenRecord {
    /// A usage purpose field: one more of the sub-record, or the first of the next (ACAP-27).
    pub(super) fn purpose(&mut self, place: Place) {
        self.has_body = true;
        self.purpose = Some(place);
        if self.record.sub_records.is_empty() || self.sub_record_filled {
            self.sub_record_filled = false;
            self.record.sub_records.push(Vec::new());
        }
    }

    pub(super) fn statement(&mut self) {
        self.has_body = true;
        self.has_statement = true;
        self.sub_record_filled = true;
    }
}
