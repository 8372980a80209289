//! Reads ACAP lines as definitions and records, and finds what is wrong with them. Reads one field
//! after the other, so time and memory are linear in the length of the file.
//!
//! - `definitions`: names for usages and sets.
//! - `records`: whom fields address, and which belong together.
//! - `statements`: permissions and prohibitions.

mod definitions;
mod records;
mod statements;

use super::definition::Definitions;
use super::field::{AcapFieldKind, AcapLine, kind};
use super::record::{AcapFile, CrawlerNames, Record};
use super::words::first_word;
use crate::diagnostic::{Code, Findings};
use crate::text::{Separator, is_blank, is_control};
use crate::verdict::Place;
use crate::visible::shown;
use std::borrow::Cow;
use std::sync::Arc;

/// Reads the ACAP lines of a file. `referring` has the definitions of the file that refers to it,
/// if any.
pub(crate) fn read(
    lines: &[AcapLine],
    text: &[u8],
    referring: Option<&Arc<Definitions>>,
    findings: &mut Findings,
) -> AcapFile {
    let mut reader = AcapReader {
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
        // More than anybody reads. Each one compares up to a thousand names.
        suggestions: 16,
        seen: LineCounts::default(),
    };
    for line in lines {
        reader.line(line);
    }
    reader.finish()
}

/// How many fields of a kind are read (ACAP-143). If there are more, the answer is not known
/// (AMB-X-14).
const MAX_DEFINITIONS: u32 = 100_000;
const MAX_RECORDS: u32 = 100_000;
const MAX_FIELDS: u32 = 200_000;
const MAX_REFERENCES: u32 = 100;

/// How much of each kind was seen.
#[derive(Default)]
struct LineCounts {
    definitions: u32,
    records: u32,
    fields: u32,
    references: u32,
}

/// The current part of the file, in the order that ACAP requires (ACAP-6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Start,
    Definitions,
    Records,
}

/// The record that is being read.
#[derive(Default)]
struct OpenRecord {
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

struct AcapReader<'t, 'f> {
    text: &'t [u8],
    findings: &'f mut Findings,
    file: AcapFile,
    is_referenced: bool,
    stage: Stage,
    record: Option<OpenRecord>,
    /// How many more names are looked up for a suggestion.
    suggestions: u32,
    seen: LineCounts,
}

impl AcapReader<'_, '_> {
    fn line(&mut self, line: &AcapLine) {
        let (key, value) = (line.key.of(self.text), line.value.of(self.text));
        let place = line.place();
        if place
            .span
            .of(self.text)
            .iter()
            .any(|&byte| is_control(byte))
        {
            let message = || "a control byte in the line: it is not read".to_owned();
            self.say(Code::ControlChar, place, message);
            return self.void(place, kind(key));
        }
        if !self.is_well_spaced(line, key) {
            // Without a colon the key is the whole line, and its first word is the name of the
            // field.
            return self.void(place, kind(first_word(key).0));
        }
        if self.is_beyond_limits(place, kind(key)) {
            return;
        }
        match kind(key) {
            AcapFieldKind::IgnoreConventional => self.ignore_conventional(place, value),
            AcapFieldKind::QualifiedUsage => self.definition(place, value, Self::qualified_usage),
            AcapFieldKind::CompositeUsage => self.definition(place, value, Self::composite_usage),
            AcapFieldKind::ResourceSet => self.definition(place, value, Self::resource_set),
            AcapFieldKind::Crawler => self.crawler(place, value),
            AcapFieldKind::Reference => self.reference(place, value),
            AcapFieldKind::Purpose => self.purpose(place, value),
            AcapFieldKind::Statement(sense, usage) => self.statement(place, sense, usage, value),
            AcapFieldKind::Request(action) => self.request(place, action, value),
            AcapFieldKind::Unknown => self.say(Code::AcapUnknownField, place, || {
                format!(
                    "{} is not a field of ACAP 1.0; it has no effect",
                    shown(key)
                )
            }),
        }
    }

    fn say<M: Into<Cow<'static, str>>>(
        &mut self,
        code: Code,
        place: Place,
        message: impl FnOnce() -> M,
    ) {
        self.findings
            .say(code, Some(place.line), place.span, message);
    }

    /// Reports misplaced blanks and colons. Returns whether the line can be read.
    fn is_well_spaced(&mut self, line: &AcapLine, key: &[u8]) -> bool {
        if line.loose {
            let message =
                || "spaces before the colon or the name of the field; remove them".to_owned();
            self.say(Code::AcapSpace, line.place(), message);
        }
        // This field has no value, so nothing has to be separated.
        let needs_colon = kind(key) != AcapFieldKind::IgnoreConventional;
        if line.separator != Separator::Colon && needs_colon {
            self.say(Code::MissingColon, line.place(), || {
                format!("expected a colon after {}", shown(first_word(key).0))
            });
        }
        line.separator != Separator::None || !needs_colon || !key.iter().any(|&o| is_blank(o))
    }

    /// An unreadable line still divides the file into records.
    fn void(&mut self, place: Place, kind: AcapFieldKind<'_>) {
        match (kind, &mut self.record) {
            (AcapFieldKind::Crawler, _) => self.open(place, CrawlerNames::Nobody),
            (AcapFieldKind::Purpose, Some(open)) => open.purpose(place),
            (AcapFieldKind::Statement(..), Some(open)) => open.statement(),
            (AcapFieldKind::Request(_) | AcapFieldKind::Reference, Some(open)) => {
                open.has_body = true;
            }
            _ => {}
        }
    }

    /// Counts a field. Returns whether the limit of its kind is exceeded.
    fn is_beyond_limits(&mut self, place: Place, kind: AcapFieldKind<'_>) -> bool {
        let (count, most) = match kind {
            AcapFieldKind::QualifiedUsage
            | AcapFieldKind::CompositeUsage
            | AcapFieldKind::ResourceSet => (&mut self.seen.definitions, MAX_DEFINITIONS),
            AcapFieldKind::Crawler => (&mut self.seen.records, MAX_RECORDS),
            AcapFieldKind::Reference => (&mut self.seen.references, MAX_REFERENCES),
            _ => (&mut self.seen.fields, MAX_FIELDS),
        };
        *count = count.saturating_add(1);
        let beyond = *count > most;
        if beyond && !self.file.is_beyond_limits {
            self.file.is_beyond_limits = true;
            self.say(Code::AcapTruncated, place, || {
                format!("more than {most} fields of this kind: anything they might permit counts as prohibited")
            });
        }
        beyond
    }

    fn ignore_conventional(&mut self, place: Place, value: &[u8]) {
        if !value.is_empty() {
            let message = || "this field has no value; it still counts".to_owned();
            self.say(Code::AcapExtraToken, place, message);
        }
        if self.is_referenced {
            let message = || "this has no effect in a file that another one refers to".to_owned();
            return self.say(Code::AcapIgnoreNotHonoured, place, message);
        }
        if self.stage != Stage::Start {
            let message = || "this must come before all definitions and records".to_owned();
            self.say(Code::AcapOrder, place, message);
        }
        // The order is only reported (ACAP-6): the field counts in any place (AMB-ACAP-15).
        self.file.ignores_conventional = true;
    }
}
