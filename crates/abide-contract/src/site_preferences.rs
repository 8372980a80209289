//! What a tool is asked about the AI preferences of a whole site: its member `preferences`.

use crate::names::{Members, Names};
use crate::preferences::{documents, invalid, revision, signal_scope, vocabularies};
use crate::reference::Reference;
use crate::request_error::RequestError;
use abide::preference::{Documents, Revision, SignalScope, Vocabulary};
use abide_analysis::preferences::SiteQuestion;
use serde::Deserialize;

/// Vocabularies that count, and documents beside robots.txt, with the meaning that they have in a
/// request of `/v1/decide`. They are read as strictly as there.
///
/// ```
/// use abide_contract::SitePreferences;
/// let asked = r#"{"vocabularies":["tdmrep"],"tdmrep":"[]"}"#;
/// let asked: SitePreferences = serde_json::from_str(asked)?;
/// assert!(asked.question()?.documents.tdmrep().is_some());
/// assert!(serde_json::from_str::<SitePreferences>(r#"{"use":"full"}"#).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct SitePreferences {
    /// Vocabularies that count: content-usage, content-signal, tdmrep, rsl, robots-tag,
    /// control-token [default: all]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<String>>"))]
    vocabularies: Option<Names>,
    /// Revision of the words of `Content-Usage`: 08 or 07 [default: 08]
    revision: Option<String>,
    /// For whom a `Content-Usage` or `Content-Signal` line counts: `group`, the robots of its
    /// group, or `file`, every robot whose own groups have no such line [default: group]
    signal_scope: Option<String>,
    /// The site's tdmrep.json as text, or an object with `status` or `error` in its place.
    tdmrep: Option<Reference>,
    /// Licence documents by URL as the site writes it: each as text, or an object with `status` or
    /// `error` in its place.
    rsl: Members<Reference>,
}

impl SitePreferences {
    /// The vocabularies that count; `None` for all.
    ///
    /// # Errors
    /// [`RequestError`] for an unknown name, and an empty list.
    pub fn vocabularies(&self) -> Result<Option<Vec<Vocabulary>>, RequestError> {
        self.vocabularies.as_ref().map(vocabularies).transpose()
    }

    /// The revision of the words of `Content-Usage`; `None` for the latest.
    ///
    /// # Errors
    /// [`RequestError`] for an unknown number.
    pub fn revision(&self) -> Result<Option<&'static Revision>, RequestError> {
        self.revision.as_deref().map(revision).transpose()
    }

    /// For whom `Content-Usage` and `Content-Signal` lines count; `None` for the robots of their
    /// groups.
    ///
    /// # Errors
    /// [`RequestError`] for an unknown name.
    pub fn signal_scope(&self) -> Result<Option<SignalScope>, RequestError> {
        self.signal_scope.as_deref().map(signal_scope).transpose()
    }

    /// The documents beside robots.txt.
    ///
    /// # Errors
    /// [`RequestError`] for an impossible status, and an unknown failure.
    pub fn documents(&self) -> Result<Documents, RequestError> {
        documents(self.tdmrep.as_ref(), &self.rsl)
    }

    /// The question about a site whose origin is not known.
    ///
    /// # Errors
    /// The errors of the other methods; and [`RequestError`] for the vocabulary of robots
    /// tags, which a site as a whole does not have.
    pub fn question(&self) -> Result<SiteQuestion, RequestError> {
        let vocabularies = self.vocabularies()?;
        let wanted = vocabularies.iter().flatten();
        if wanted.into_iter().any(|one| *one == Vocabulary::RobotsTag) {
            let message = "robots-tag has no effect, because no page is read";
            return Err(invalid("/preferences/vocabularies", message));
        }
        let standard = SiteQuestion::default();
        Ok(SiteQuestion {
            vocabularies,
            revision: self.revision()?.unwrap_or(standard.revision),
            signal_scope: self.signal_scope()?.unwrap_or_default(),
            documents: self.documents()?,
            origin: None,
        })
    }
}
