//! The preferences of a response and its page, as they came. `decide` reads them if the client asks
//! for preferences.

use super::LicenceState;
use crate::diagnostic::Diagnostic;

/// A response field that carries preferences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PreferenceField {
    ContentUsage,
    ContentSignal,
    TdmReservation,
    TdmPolicy,
    Link,
}

impl PreferenceField {
    /// The field with this name, in any case.
    fn of(name: &str) -> Option<Self> {
        const NAMES: [(&str, PreferenceField); 5] = [
            ("content-usage", PreferenceField::ContentUsage),
            ("content-signal", PreferenceField::ContentSignal),
            ("tdm-reservation", PreferenceField::TdmReservation),
            ("tdm-policy", PreferenceField::TdmPolicy),
            ("link", PreferenceField::Link),
        ];
        let found = NAMES
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|&(_, field)| field)
    }
}

/// A line of such a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatedField {
    pub(crate) field: PreferenceField,
    /// Which of the lines of that name, from 1.
    pub(crate) line: u32,
    pub(crate) value: Vec<u8>,
    /// The line: name, colon, value.
    pub(crate) text: Vec<u8>,
}

/// A `tdm-reservation` or `tdm-policy` meta element of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TdmMeta {
    pub(crate) is_policy: bool,
    pub(crate) content: String,
    pub(crate) offset: u64,
    pub(crate) text: String,
}

/// A licence document that a page names or contains (PREF-90, PREF-91).
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers build it")]
pub enum LicenceLink {
    /// A `<link rel="license" type="application/rsl+xml">` in the head.
    Element {
        /// The `href`, as written.
        url: String,
        /// Byte of the page at which the element begins.
        offset: u64,
    },
    /// A `<script type="application/rsl+xml">` in the head, and what it contains.
    Inline {
        /// The document.
        document: LicenceState,
        /// What is wrong with its text, with the lines and spans of the text.
        findings: Vec<Diagnostic>,
        /// Byte of the page at which the element begins.
        offset: u64,
    },
}

/// What a response and its page say about preferences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PageStatements {
    pub(crate) fields: Vec<StatedField>,
    pub(crate) metas: Vec<TdmMeta>,
    /// Meta elements that state preferences in a form that nobody reads (PREF-43), as text.
    pub(crate) unread_metas: Vec<String>,
    pub(crate) links: Vec<LicenceLink>,
    /// Licences outside the head, which do not count (PREF-90).
    pub(crate) scoped_licences: Vec<LicenceLink>,
    /// Targets of licence links in the head that do not have the type of RSL, so that no robot
    /// reads them.
    pub(crate) untyped_licences: Vec<String>,
    /// Whether the `Content-Type` says that the resource is an image.
    pub(crate) is_image: bool,
}

impl PageStatements {
    /// Whether nothing in the response or its page is about preferences.
    pub(crate) fn is_empty(&self) -> bool {
        self.fields.is_empty()
            && self.metas.is_empty()
            && self.unread_metas.is_empty()
            && self.links.is_empty()
            && self.scoped_licences.is_empty()
            && self.untyped_licences.is_empty()
    }

    /// Adds a field line, if it carries preferences.
    pub(crate) fn add_field(&mut self, name: &str, value: &[u8]) {
        let Some(field) = PreferenceField::of(name) else {
            return;
        };
        let before = self.lines(field).map(|present| present.line).last();
        self.fields.push(StatedField {
            field,
            line: before.unwrap_or_default().saturating_add(1),
            value: value.to_vec(),
            text: [name.as_bytes(), b": ", value].concat(),
        });
    }

    /// Adds a meta element, if it is about TDMRep. Keeps others that state preferences for
    /// findings.
    pub(crate) fn add_meta(&mut self, name: &str, content: &str, offset: u64) {
        let is = |known: &str| name.trim_ascii().eq_ignore_ascii_case(known);
        if is("content-usage") || is("content-signal") {
            self.unread_metas
                .push(format!("<meta name=\"{name}\" content=\"{content}\">"));
        }
        let is_policy = is("tdm-policy");
        if is_policy || is("tdm-reservation") {
            self.metas.push(TdmMeta {
                is_policy,
                content: content.to_owned(),
                offset,
                text: format!("<meta name=\"{name}\" content=\"{content}\">"),
            });
        }
    }

    /// Keeps a meta element with `http-equiv` for findings, if it states preferences.
    pub(crate) fn add_http_equiv(&mut self, name: &str, content: &str) {
        let is = |known: &str| name.trim_ascii().eq_ignore_ascii_case(known);
        if is("content-usage") || is("content-signal") {
            self.unread_metas.push(format!(
                "<meta http-equiv=\"{name}\" content=\"{content}\">"
            ));
        }
    }

    /// The lines of `field`, in order.
    pub(crate) fn lines(
        &self,
        field: PreferenceField,
    ) -> impl Iterator<Item = &StatedField> + Clone {
        self.fields.iter().filter(move |line| line.field == field)
    }
}
