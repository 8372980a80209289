//! ACAP lines to definitions and records, with what is wrong with them. One field after the other,
//! without looking back: time and memory follow the length of the file.

use super::definition::{Definitions, LocalUsage, Part, Terms};
use super::field::{AcapLine, Kind, UsageName, kind};
use super::name::{folded, is_name};
use super::qualifier::{Qualifier, Status, Word, first_word, words};
use super::record::{
    AcapFile, CrawlerField, Named, PurposePattern, Record, ReferenceField, Resource, UsageField,
};
use super::reference;
use super::request::{Action, ActionRequest, path};
use super::scope::AcapPattern;
use crate::diagnostic::{Code, Findings, shown};
use crate::text::{Separator, Span, is_blank, is_control};
use crate::verdict::{Condition, Modification, Place, Sense, Usage};
use std::sync::Arc;

/// Reads the ACAP lines of a file. `referring` has the definitions of the file that refers to this
/// one, where one does.
pub(crate) fn read(
    lines: &[AcapLine],
    text: &[u8],
    referring: Option<&Arc<Definitions>>,
    findings: &mut Findings,
) -> AcapFile {
    let mut reader = Reader {
        text,
        findings,
        file: AcapFile {
            has_lines: !lines.is_empty(),
            definitions: referring.map_or_else(Definitions::default, Definitions::referred_by),
            ..AcapFile::default()
        },
        is_referenced: referring.is_some(),
        stage: Stage::Start,
        record: None,
        suggestions: 16,
        seen: Seen::default(),
    };
    for line in lines {
        reader.line(line);
    }
    reader.finish()
}

/// How much of a kind a file may have (ACAP-143). What is beyond is not read, and then nobody knows what
/// the file says (AMB-X-14).
const MOST_DEFINITIONS: u32 = 100_000;
const MOST_RECORDS: u32 = 100_000;
const MOST_FIELDS: u32 = 200_000;
const MOST_REFERENCES: u32 = 100;

/// How much of each kind was seen.
#[derive(Default)]
struct Seen {
    definitions: u32,
    records: u32,
    fields: u32,
    references: u32,
}

/// How far the file is, in the order that ACAP asks for (ACAP-6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Start,
    Definitions,
    Records,
}

/// The record that is being read.
#[derive(Default)]
struct Open {
    record: Record,
    /// Whether anything but crawler fields was seen, so that the next one opens a record (ACAP-24).
    has_body: bool,
    /// Whether the open sub-record has a permission or prohibition (ACAP-27).
    sub_record_filled: bool,
    /// Whether there was a permission or prohibition, effective or not.
    has_statement: bool,
    /// The last usage purpose field.
    purpose: Option<Place>,
}

struct Reader<'t, 'f> {
    text: &'t [u8],
    findings: &'f mut Findings,
    file: AcapFile,
    is_referenced: bool,
    stage: Stage,
    record: Option<Open>,
    /// How many more names are looked up for a suggestion.
    suggestions: u32,
    seen: Seen,
}

impl Reader<'_, '_> {
    fn line(&mut self, line: &AcapLine) {
        let (key, value) = (line.key.of(self.text), line.value.of(self.text));
        let place = line.place();
        if place
            .span
            .of(self.text)
            .iter()
            .any(|&octet| is_control(octet))
        {
            let told = || "a control octet in the line: it is not read".to_owned();
            self.say(Code::ControlChar, place, told);
            return self.void(place, kind(key));
        }
        if !self.is_well_spaced(line, key) {
            return self.void(place, kind(first_word(key).0));
        }
        if self.is_beyond_limits(place, kind(key)) {
            return;
        }
        match kind(key) {
            Kind::IgnoreConventional => self.ignore_conventional(place, value),
            Kind::QualifiedUsage => self.definition(place, value, Self::qualified_usage),
            Kind::CompositeUsage => self.definition(place, value, Self::composite_usage),
            Kind::ResourceSet => self.definition(place, value, Self::resource_set),
            Kind::Crawler => self.crawler(place, value),
            Kind::Reference => self.reference(place, value),
            Kind::Purpose => self.purpose(place, value),
            Kind::Statement(sense, usage) => self.statement(place, sense, usage, value),
            Kind::Request(action) => self.request(place, action, value),
            Kind::Unknown => self.say(Code::AcapUnknownField, place, || {
                format!("{} is no field of ACAP 1.0, and has no effect", shown(key))
            }),
        }
    }

    fn say(&mut self, code: Code, place: Place, message: impl FnOnce() -> String) {
        self.findings
            .say(code, Some(place.line), place.span, message);
    }

    /// Tells of blanks and colons that are not where they belong; whether the line can be read.
    fn is_well_spaced(&mut self, line: &AcapLine, key: &[u8]) -> bool {
        if line.loose {
            let told = || "blanks before the colon or the field's name; leave them out".to_owned();
            self.say(Code::AcapSpace, line.place(), told);
        }
        let needs_colon = kind(key) != Kind::IgnoreConventional;
        if line.separator != Separator::Colon && needs_colon {
            self.say(Code::MissingColon, line.place(), || {
                format!("expected a colon after {}", shown(first_word(key).0))
            });
        }
        line.separator != Separator::None || !needs_colon || !key.iter().any(|&o| is_blank(o))
    }

    /// A line that cannot be read still has its part in dividing the file into records.
    fn void(&mut self, place: Place, kind: Kind<'_>) {
        match (kind, &mut self.record) {
            (Kind::Crawler, _) => self.open(place, Named::Nobody),
            (Kind::Purpose, Some(open)) => open.purpose(place),
            (Kind::Statement(..), Some(open)) => open.statement(),
            (Kind::Request(_) | Kind::Reference, Some(open)) => open.has_body = true,
            _ => {}
        }
    }

    /// Counts a field; whether there are more of its kind than are read.
    fn is_beyond_limits(&mut self, place: Place, kind: Kind<'_>) -> bool {
        let (count, most) = match kind {
            Kind::QualifiedUsage | Kind::CompositeUsage | Kind::ResourceSet => {
                (&mut self.seen.definitions, MOST_DEFINITIONS)
            }
            Kind::Crawler => (&mut self.seen.records, MOST_RECORDS),
            Kind::Reference => (&mut self.seen.references, MOST_REFERENCES),
            _ => (&mut self.seen.fields, MOST_FIELDS),
        };
        *count = count.saturating_add(1);
        let beyond = *count > most;
        if beyond && !self.file.is_beyond_limits {
            self.file.is_beyond_limits = true;
            self.say(Code::AcapTruncated, place, || {
                format!("more than {most} fields of this kind: what may be permitted counts as prohibited")
            });
        }
        beyond
    }

    fn ignore_conventional(&mut self, place: Place, value: &[u8]) {
        if !value.is_empty() {
            let told = || "this field has no value; it counts all the same".to_owned();
            self.say(Code::AcapExtraToken, place, told);
        }
        if self.is_referenced {
            let told = || "this has no effect in a file that another one refers to".to_owned();
            return self.say(Code::AcapIgnoreNotHonoured, place, told);
        }
        if self.stage != Stage::Start {
            let told = || "this belongs before all definitions and records".to_owned();
            self.say(Code::AcapOrder, place, told);
        }
        self.file.ignores_conventional = true;
    }
}

/// Definitions.
impl Reader<'_, '_> {
    fn definition(
        &mut self,
        place: Place,
        value: &[u8],
        define: fn(&mut Self, Place, &[u8], &[u8]),
    ) {
        if self.stage == Stage::Records {
            for code in [Code::AcapLateDefinition, Code::AcapOrder] {
                self.say(code, place, || {
                    "a definition behind the first record is not used; move it up".to_owned()
                });
            }
            return;
        }
        self.stage = Stage::Definitions;
        let (name, rest) = first_word(value);
        if !is_name(name) {
            return self.say(Code::AcapBadName, place, || {
                format!(
                    "{} is no name: a letter, then letters, digits, \"-\", \"_\" and \".\"",
                    shown(name)
                )
            });
        }
        define(self, place, name, rest);
    }

    fn define_usage(&mut self, place: Place, name: &[u8], usage: LocalUsage) {
        if !self.file.definitions.define_usage(folded(name), usage) {
            self.say(Code::AcapDuplicateName, place, || {
                format!(
                    "the usage {} is defined twice; its uses grant nothing",
                    shown(name)
                )
            });
        }
    }

    fn qualified_usage(&mut self, place: Place, name: &[u8], rest: &[u8]) {
        let (word, rest) = first_word(rest);
        let mut local = LocalUsage::default();
        match UsageName::read(word) {
            UsageName::Standard(usage) => {
                let words = words(rest);
                let terms = Some(Arc::new(self.terms(place, usage, &words)));
                local.add(&Part { usage, terms });
                if words.is_empty() {
                    local.void();
                    self.say(Code::AcapNoQualifier, place, || {
                        format!("{} has no qualifier, so its uses are void", shown(name))
                    });
                }
            }
            UsageName::Local(_) | UsageName::Unknown(_) => self.unknown_usage(place, word),
        }
        self.define_usage(place, name, local);
    }

    fn composite_usage(&mut self, place: Place, name: &[u8], mut rest: &[u8]) {
        let mut local = LocalUsage {
            is_composite: true,
            ..LocalUsage::default()
        };
        if first_word(rest).0.is_empty() {
            self.say(Code::AcapUnknownUsage, place, || {
                format!("{} names no usages", shown(name))
            });
        }
        if rest.contains(&b'=') {
            self.say(Code::AcapBadQualifier, place, || {
                format!(
                    "{} has a qualifier, so its uses are void; qualify its parts",
                    shown(name)
                )
            });
        }
        let is_void = rest.contains(&b'=');
        loop {
            let (word, behind) = first_word(rest);
            rest = behind;
            match UsageName::read(word) {
                _ if word.is_empty() => break,
                _ if word.contains(&b'=') => {}
                UsageName::Standard(usage) => local.add(&Part { usage, terms: None }),
                UsageName::Local(part) => self.constituent(place, part, &mut local),
                UsageName::Unknown(_) => self.unknown_usage(place, word),
            }
        }
        if is_void {
            local.void();
        }
        self.define_usage(place, name, local);
    }

    /// A part of a composite usage that is itself defined: it has to be a qualified usage, defined
    /// before (ACAP-124, ACAP-130).
    fn constituent(&mut self, place: Place, name: &[u8], local: &mut LocalUsage) {
        let folded = folded(name);
        match self.file.definitions.usage(&folded) {
            None => self.undefined_usage(place, name),
            Some(other) if other.is_composite => {
                let told = || format!("{} is composite itself; name its parts", shown(name));
                self.say(Code::AcapNestedComposite, place, told);
            }
            Some(other) => {
                let mut other = other.clone();
                if other.is_ambiguous {
                    other.void();
                }
                other.parts.iter().for_each(|part| local.add(part));
                local.constituents.push(folded);
            }
        }
    }

    fn resource_set(&mut self, place: Place, name: &[u8], mut rest: &[u8]) {
        let mut patterns = Vec::new();
        loop {
            let (word, behind) = first_word(rest);
            rest = behind;
            if word.is_empty() {
                break;
            }
            patterns.extend(self.pattern(place, word));
        }
        if patterns.is_empty() {
            return self.say(Code::AcapBadPattern, place, || {
                format!("the set {} has no pattern, and is not defined", shown(name))
            });
        }
        if !self.file.definitions.define_set(folded(name), patterns) {
            self.say(Code::AcapDuplicateName, place, || {
                format!(
                    "the set {} is defined twice; permissions for it grant nothing",
                    shown(name)
                )
            });
        }
    }

    fn unknown_usage(&mut self, place: Place, word: &[u8]) {
        let defined = self.file.definitions.usage(&folded(word)).is_some();
        self.say(Code::AcapUnknownUsage, place, || {
            if defined {
                format!("{0} is no usage of ACAP 1.0; write ({0})", plain(word))
            } else {
                format!("{} is no usage of ACAP 1.0", shown(word))
            }
        });
    }

    fn undefined_usage(&mut self, place: Place, name: &[u8]) {
        let meant = self.suggest(super::definition::Definitions::usage_like, name);
        self.say(Code::AcapUndefinedUsage, place, || {
            format!("no usage {} is defined above this line{meant}", shown(name))
        });
    }

    /// What to write instead of a name that is not defined.
    fn suggest(
        &mut self,
        like: impl for<'d> Fn(&'d Definitions, &[u8]) -> Option<&'d [u8]>,
        wrong: &[u8],
    ) -> String {
        if !self.findings.are_wanted() || self.suggestions == 0 {
            return String::new();
        }
        self.suggestions = self.suggestions.saturating_sub(1);
        like(&self.file.definitions, &folded(wrong)).map_or_else(String::new, |name| {
            format!("; did you mean {}?", shown(name))
        })
    }
}

/// Records.
impl Reader<'_, '_> {
    fn crawler(&mut self, place: Place, value: &[u8]) {
        let named = match value {
            b"*" => Named::Any,
            _ if value.contains(&b'*') => {
                self.say(Code::AcapCrawlerWildcard, place, || {
                    format!("{} names nobody: \"*\" is no wildcard here", shown(value))
                });
                Named::Nobody
            }
            [] => Named::Nobody,
            _ => Named::Crawler(folded(value)),
        };
        if !value.first().is_some_and(u8::is_ascii_alphabetic) && named != Named::Any {
            self.say(Code::AcapBadName, place, || {
                format!(
                    "{} is no crawler name: expected a letter first",
                    shown(value)
                )
            });
        }
        self.open(place, named);
    }

    /// A crawler field: one more of the record, or the first of the next.
    fn open(&mut self, place: Place, named: Named) {
        if self.stage != Stage::Records {
            self.file.definitions.settle();
        }
        self.stage = Stage::Records;
        if self.record.as_ref().is_none_or(|open| open.has_body) {
            self.close();
            self.record = Some(Open::default());
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
        let record = open.record;
        let Some(first) = record.crawlers.first().map(|field| field.place) else {
            return;
        };
        let any = |field: &CrawlerField| field.named == Named::Any;
        if record.crawlers.len() > 1 && record.crawlers.iter().any(any) {
            let told = || "a record for \"*\" has no further crawlers; divide it".to_owned();
            self.say(Code::AcapStarMixed, first, told);
        }
        if !open.has_body {
            let told = || "the record says nothing".to_owned();
            self.say(Code::AcapEmptyRecord, first, told);
        }
        let beside = open.has_statement
            || record.references.len() > 1
            || !record.requests.is_empty()
            || !record.sub_records.is_empty();
        if !record.references.is_empty() && beside {
            let told = || "a record with a reference has no further fields; all count".to_owned();
            self.say(Code::AcapFieldsWithReference, first, told);
        }
        self.check_other(&record);
        self.file.records.push(record);
    }

    fn close_sub_record(&mut self, open: &Open) {
        let is_empty = !open.record.sub_records.is_empty() && !open.sub_record_filled;
        if let Some(place) = open.purpose.filter(|_| is_empty) {
            let told =
                || "a usage purpose without a permission or prohibition behind it".to_owned();
            self.say(Code::AcapEmptyRecord, place, told);
        }
    }

    /// `disallow-other` reaches crawl too, which its writer may not have thought of (AMB-ACAP-25).
    fn check_other(&mut self, record: &Record) {
        let about = |field: &&UsageField, usage| field.parts.iter().any(|part| part.usage == usage);
        let speaks_of_crawl = record.statements.iter().any(|f| about(&f, Usage::Crawl));
        let other = record
            .statements
            .iter()
            .find(|field| field.sense == Sense::Disallow && about(field, Usage::Other));
        if let Some(place) = other.map(|field| field.place).filter(|_| !speaks_of_crawl) {
            let told = || "this prohibits crawl too, for nothing else is said about it".to_owned();
            self.say(Code::AcapOtherBlocksCrawl, place, told);
        }
    }

    /// The record that a field belongs to, unless no crawler field stands before it (AMB-ACAP-36).
    fn owner(&mut self, place: Place) -> Option<&mut Open> {
        if self.record.is_none() {
            let told =
                || "no ACAP-crawler field stands before this one: it has no effect".to_owned();
            self.say(Code::AcapOrphanField, place, told);
        }
        self.record.as_mut()
    }

    fn reference(&mut self, place: Place, value: &[u8]) {
        let (is_referenced, locator) = (self.is_referenced, reference::locator(value));
        let Some(open) = self.owner(place) else {
            return;
        };
        open.has_body = true;
        match locator {
            None => self.say(Code::AcapBadReference, place, || {
                format!(
                    "{} is no path and no URI; \"*\" and \"$\" do not belong here",
                    shown(value)
                )
            }),
            Some(locator) if is_referenced || reference::is_robots_txt(&locator) => {
                let told =
                    || "a referenced file has no references of its own; not followed".to_owned();
                self.say(Code::AcapReferenceChain, place, told);
            }
            Some(locator) => open
                .record
                .references
                .push(ReferenceField { place, locator }),
        }
    }

    fn purpose(&mut self, place: Place, value: &[u8]) {
        let Some(open) = self.owner(place) else {
            return;
        };
        open.purpose(place);
        if value.is_empty() {
            let told = || "expected the name or URI of a purpose".to_owned();
            return self.say(Code::AcapBadName, place, told);
        }
        if let Some(purposes) = open.record.sub_records.last_mut() {
            purposes.push(PurposePattern::new(value));
        }
    }

    fn request(&mut self, place: Place, action: Option<Action>, value: &[u8]) {
        let Some(open) = self.owner(place) else {
            return;
        };
        open.has_body = true;
        if !open.record.sub_records.is_empty() {
            let told = || "action requests stand before all usage purposes; not read".to_owned();
            return self.say(Code::AcapRequestInSubRecord, place, told);
        }
        match (action, path(value)) {
            (None, _) => {
                let told = || "ACAP 1.0 knows the requests take-down and re-crawl only".to_owned();
                self.say(Code::AcapUnknownField, place, told);
            }
            (Some(_), None) => self.say(Code::AcapBadRequest, place, || {
                format!(
                    "{} is no single path; \"*\" and \"$\" do not belong here",
                    shown(value)
                )
            }),
            (Some(action), Some(path)) => open.record.requests.push(ActionRequest {
                action,
                path,
                place,
            }),
        }
    }

    fn finish(mut self) -> AcapFile {
        self.close();
        if self.file.has_lines && self.file.records.is_empty() {
            self.findings
                .say(Code::AcapNoRecords, None, Span::default(), || {
                    "there are ACAP fields, but no record: none of them has an effect".to_owned()
                });
        }
        self.file
    }
}

impl Open {
    /// A usage purpose field: one more of the sub-record, or the first of the next (ACAP-27).
    fn purpose(&mut self, place: Place) {
        self.has_body = true;
        self.purpose = Some(place);
        if self.record.sub_records.is_empty() || self.sub_record_filled {
            self.sub_record_filled = false;
            self.record.sub_records.push(Vec::new());
        }
    }

    fn statement(&mut self) {
        self.has_body = true;
        self.has_statement = true;
        self.sub_record_filled = true;
    }
}

/// Permissions and prohibitions.
impl Reader<'_, '_> {
    fn statement(&mut self, place: Place, sense: Sense, usage: UsageName<'_>, value: &[u8]) {
        let Some(open) = self.owner(place) else {
            return;
        };
        open.statement();
        let sub_record = open.record.sub_records.len().checked_sub(1);
        let (first, rest) = first_word(value);
        let words = words(rest);
        let parts = match sense {
            Sense::Allow => self.permitted(place, usage, &words),
            Sense::Disallow => self.prohibited(place, usage, &words),
        };
        let Some(resource) = self.resource(place, sense, first) else {
            return;
        };
        if let Some(open) = self.record.as_mut().filter(|_| !parts.is_empty()) {
            open.record.statements.push(UsageField {
                place,
                sense,
                parts,
                resource,
                sub_record,
            });
        }
    }

    fn permitted(&mut self, place: Place, usage: UsageName<'_>, words: &[Word<'_>]) -> Vec<Part> {
        match usage {
            UsageName::Standard(usage) => {
                self.hints(place, usage, words);
                let terms = (!words.is_empty()).then(|| Arc::new(self.terms(place, usage, words)));
                vec![Part { usage, terms }]
            }
            UsageName::Local(name) => {
                if !words.is_empty() {
                    let told =
                        || "a permission for a usage in parentheses has no qualifiers".to_owned();
                    self.say(Code::AcapQualifierOnLocal, place, told);
                }
                self.local(place, name).map_or_else(Vec::new, |mut local| {
                    if local.is_ambiguous || !words.is_empty() {
                        local.void();
                    }
                    local.parts
                })
            }
            UsageName::Unknown(word) => {
                self.unknown_usage(place, word);
                Vec::new()
            }
        }
    }

    fn prohibited(&mut self, place: Place, usage: UsageName<'_>, words: &[Word<'_>]) -> Vec<Part> {
        let bare = |word: &Word<'_>| matches!(word, Word::Bare(_));
        if words.iter().any(bare) {
            let told = || "more than one resource; only the first is prohibited".to_owned();
            self.say(Code::AcapExtraToken, place, told);
        } else if !words.is_empty() {
            let told =
                || "a prohibition has no qualifiers; write a permission with them".to_owned();
            self.say(Code::AcapQualifierOnProhibition, place, told);
        }
        match usage {
            UsageName::Standard(usage) => vec![Part { usage, terms: None }],
            UsageName::Local(name) => {
                let told =
                    || "a prohibition names standard usages; those behind it count".to_owned();
                self.say(Code::AcapLocalInProhibition, place, told);
                self.local(place, name)
                    .map_or_else(Vec::new, |local| local.parts)
            }
            UsageName::Unknown(word) => {
                self.unknown_usage(place, word);
                Vec::new()
            }
        }
    }

    fn local(&mut self, place: Place, name: &[u8]) -> Option<LocalUsage> {
        let found = self.file.definitions.usage(&folded(name)).cloned();
        if found.is_none() {
            self.undefined_usage(place, name);
        }
        found
    }

    /// What is valid, and worth a second look.
    fn hints(&mut self, place: Place, usage: Usage, words: &[Word<'_>]) {
        match usage {
            Usage::Preserve if words.is_empty() => {
                let told = || "no limit: copies may be kept for ever".to_owned();
                self.say(Code::AcapUnqualifiedPreserve, place, told);
            }
            Usage::Other => {
                let told = || "this permits every usage that nothing else is said about".to_owned();
                self.say(Code::AcapAllowOther, place, told);
            }
            _ => {}
        }
    }

    /// The terms that qualifiers of a permission of `usage` set.
    fn terms(&mut self, place: Place, usage: Usage, words: &[Word<'_>]) -> Terms {
        let mut terms = Terms::default();
        let mut seen: Vec<Qualifier> = Vec::new();
        for word in words {
            match *word {
                Word::Bare(word) => {
                    terms.is_void = true;
                    self.say(Code::AcapExtraToken, place, || {
                        format!("{} is neither the resource nor a qualifier", shown(word))
                    });
                }
                Word::Qualifier(name, value) => match self.qualifier(place, usage, name, value) {
                    Some((qualifier, condition)) => {
                        self.check_repeated(place, &mut seen, qualifier, &condition, &terms);
                        if !terms.add(condition) {
                            let told = || "more qualifiers than can be kept".to_owned();
                            self.say(Code::AcapBadQualifier, place, told);
                            break;
                        }
                    }
                    None => terms.is_void = true,
                },
            }
        }
        terms
    }

    fn qualifier(
        &mut self,
        place: Place,
        usage: Usage,
        name: &[u8],
        value: &[u8],
    ) -> Option<(Qualifier, Condition)> {
        let known = std::str::from_utf8(name).ok().and_then(Qualifier::named);
        let Some(qualifier) = known else {
            self.say(Code::AcapBadQualifier, place, || {
                format!(
                    "{} is no qualifier of ACAP 1.0; the permission is void",
                    shown(name)
                )
            });
            return None;
        };
        if !qualifier.is_valid_for(usage) {
            self.say(Code::AcapBadQualifier, place, || {
                format!(
                    "{usage} takes no {}; the permission is void",
                    qualifier.name()
                )
            });
            return None;
        }
        let condition = qualifier.condition(value);
        match (&condition, qualifier.status(usage)) {
            (None, _) => self.say(Code::AcapBadQualifier, place, || {
                let name = qualifier.name();
                format!(
                    "{} is no value of {name}; the permission is void",
                    shown(value)
                )
            }),
            (Some(_), Status::PriorArrangement) => self.say(Code::AcapNotReady, place, || {
                format!(
                    "{} on {usage} counts by prior arrangement only",
                    qualifier.name()
                )
            }),
            (Some(_), Status::NotReady) => self.say(Code::AcapNotReady, place, || {
                format!(
                    "{} on {usage} is not ready for use: it prohibits",
                    qualifier.name()
                )
            }),
            (Some(_), Status::Ready) if value.eq_ignore_ascii_case(b"until-recrawl") => {
                let told = || "read as until-recrawled; write it so".to_owned();
                self.say(Code::AcapUntilRecrawl, place, told);
            }
            (Some(_), Status::Ready) => {}
        }
        condition.map(|condition| (qualifier, condition))
    }

    /// A qualifier stands once, but for modifications, of which `any` stands alone (ACAP-102,
    /// ACAP-109).
    fn check_repeated(
        &mut self,
        place: Place,
        seen: &mut Vec<Qualifier>,
        qualifier: Qualifier,
        condition: &Condition,
        terms: &Terms,
    ) {
        let any = Condition::ProhibitedModification(Modification::Any);
        let again = seen.contains(&qualifier);
        let wrong = match qualifier {
            Qualifier::ProhibitedModification => {
                again && (*condition == any || terms.conditions.contains(&any))
            }
            _ => again,
        };
        if wrong {
            self.say(Code::AcapDuplicateQualifier, place, || {
                format!(
                    "{} stands more than once; the stricter counts",
                    qualifier.name()
                )
            });
        }
        if !again {
            seen.push(qualifier);
        }
    }

    fn resource(&mut self, place: Place, sense: Sense, word: &[u8]) -> Option<Resource> {
        let unknown = (sense == Sense::Disallow).then_some(Resource::Unknown);
        let effect = match sense {
            Sense::Allow => "the permission grants nothing",
            Sense::Disallow => "the prohibition holds for every path",
        };
        if let Some(name) = after(word, b"the-acap:resource-set:") {
            let Some(set) = self.file.definitions.set(&folded(name)).cloned() else {
                let meant = self.suggest(super::definition::Definitions::set_like, name);
                self.say(Code::AcapUndefinedSet, place, || {
                    format!("no set {} is defined: {effect}{meant}", shown(name))
                });
                return unknown;
            };
            let grants = sense == Sense::Disallow || !set.is_ambiguous;
            return grants.then_some(Resource::Set(set));
        }
        if after(word, b"acap:resource-set:").is_some() {
            self.say(Code::AcapOldScheme, place, || {
                format!("the scheme is \"the-acap:\" now: {effect}")
            });
            return unknown;
        }
        if after(word, b"the-acap:").is_some() {
            self.say(Code::AcapUndefinedSet, place, || {
                format!(
                    "{} is no set: write the-acap:resource-set:name: {effect}",
                    shown(word)
                )
            });
            return unknown;
        }
        self.pattern(place, word).map(Resource::Pattern)
    }

    fn pattern(&mut self, place: Place, word: &[u8]) -> Option<AcapPattern> {
        let text = std::str::from_utf8(word).unwrap_or_default();
        if resource_is_url(text) {
            self.say(Code::AcapBadPattern, place, || {
                format!("{} is a URL; a pattern is a path of this site", shown(word))
            });
            return None;
        }
        let Ok(pattern) = AcapPattern::read(word) else {
            let told = || "expected a path pattern or a resource set".to_owned();
            self.say(Code::AcapBadPattern, place, told);
            return None;
        };
        if word.contains(&b'?') {
            let told =
                || "patterns of ACAP 1.0 have no query; it is compared all the same".to_owned();
            self.say(Code::AcapQuery, place, told);
        }
        let body = word.strip_suffix(b"$").unwrap_or(word);
        if body.contains(&b'$') {
            let told = || "a \"$\" that does not end the pattern stands for itself".to_owned();
            self.say(Code::AcapDollarInside, place, told);
        }
        Some(pattern)
    }
}

/// A URL where a path belongs.
fn resource_is_url(text: &str) -> bool {
    text.contains("://") && reference::has_scheme(text)
}

fn after<'t>(text: &'t [u8], prefix: &[u8]) -> Option<&'t [u8]> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// A name that is known to be one.
fn plain(name: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(name)
}
