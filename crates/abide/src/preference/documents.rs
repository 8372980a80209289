//! What a client knows of the documents beside a robots.txt.

use super::rsl::RslDocument;
use super::tdmrep::TdmrepFile;
use crate::diagnostic::Diagnostic;
use crate::visible::visible;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A site's `tdmrep.json` and the licence documents that the site names. Cheap to clone.
///
/// ```
/// use abide::preference::{Documents, LicenceState, PreferenceProfile, TdmrepState};
/// use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
///
/// let client = Client::new(ProductToken::new("ExampleBot")?)
///     .with_preferences(PreferenceProfile::default());
/// let policy = Policy::compile(b"License: https://l.example/a.xml\n", &client);
/// let target = Target::new("https://e.example/x")?;
/// assert_eq!(policy.decide(&target).needs, ["https://l.example/a.xml"]);
///
/// let documents = Documents::default()
///     .with_tdmrep(TdmrepState::Absent)
///     .with_licence("https://l.example/a.xml", LicenceState::Unreadable);
/// let target = target.with_documents(&documents);
/// assert_eq!(policy.decide(&target).outcome(Usage::Train), Outcome::Prohibited);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Documents {
    tdmrep: Option<TdmrepState>,
    licences: BTreeMap<String, LicenceState>,
    diagnostics: Vec<Diagnostic>,
}

/// What is known of a site's `tdmrep.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum TdmrepState {
    /// The client has not read it, or could not reach it (PREF-82, PREF-132).
    NotKnown,
    /// The client could not reach it, and has read it before: what it prohibited stays prohibited
    /// (CLA-PREF-15).
    LastKnown(Arc<TdmrepFile>),
    /// It is missing, or is not a JSON array (PREF-81).
    Absent,
    /// It is longer than [`MAX_BYTES`](super::tdmrep::MAX_BYTES), or nests deeper than
    /// [`MAX_DEPTH`](super::tdmrep::MAX_DEPTH) (PREF-85).
    TooLarge,
    /// It was read.
    File(Arc<TdmrepFile>),
}

/// What is known of a licence document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum LicenceState {
    /// The client has not asked for it.
    NotKnown,
    /// It cannot be had, or is not a readable RSL document (PREF-94).
    Unreadable,
    /// It was read.
    Read(Arc<RslDocument>),
}

impl Documents {
    /// Sets what is known of the site's `tdmrep.json`. Without it, the file is unknown if the
    /// client names the vocabulary, and counts as absent otherwise (CLA-PREF-1).
    #[must_use]
    pub fn with_tdmrep(mut self, state: TdmrepState) -> Self {
        self.tdmrep = Some(state);
        self
    }

    /// Sets what is known of the licence document at `url`, as the site writes it.
    #[must_use]
    pub fn with_licence(mut self, url: impl Into<String>, state: LicenceState) -> Self {
        self.licences.insert(url.into(), state);
        self
    }

    /// Adds findings about the text of a document, which decisions then report. `document` is its
    /// name in messages, because their lines are not lines of robots.txt.
    #[must_use]
    pub fn with_diagnostics(
        mut self,
        document: &str,
        found: impl IntoIterator<Item = Diagnostic>,
    ) -> Self {
        let named = found.into_iter().map(|finding| naming(document, &finding));
        self.diagnostics.extend(named);
        self
    }

    /// The findings about the texts of documents.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// What is known of the site's `tdmrep.json`.
    #[must_use]
    pub fn tdmrep(&self) -> Option<&TdmrepState> {
        self.tdmrep.as_ref()
    }

    /// The licence documents that something is known of, with their URLs, in the order of the URLs.
    pub fn licences(&self) -> impl Iterator<Item = (&str, &LicenceState)> {
        self.licences.iter().map(|(url, state)| (&**url, state))
    }

    /// What is known of the licence document at `url`.
    #[must_use]
    pub fn licence(&self, url: &str) -> Option<&LicenceState> {
        self.licences.get(url)
    }
}

/// A finding about the text of `document`, as decisions report it: its line is not one of
/// robots.txt, so it becomes part of the message.
pub(crate) fn naming(document: &str, finding: &Diagnostic) -> Diagnostic {
    let place = match finding.line {
        Some(line) => format!("{document}, line {line}"),
        None => document.to_owned(),
    };
    let message = format!("{}: {}", visible(place.as_bytes()), finding.message);
    Diagnostic::of_decision(finding.code, message).with_severity(finding.severity)
}
