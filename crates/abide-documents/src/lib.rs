//! The documents beside robots.txt: `tdmrep.json` (PREF-70 to PREF-85) and RSL licences (PREF-93 to
//! PREF-108), from bytes into the engine's types; and the URLs that a sitemap lists.
//!
//! A site writes these documents, so they are read within limits, in time and memory that grow only
//! with their size. Reading a preference never fails: what cannot be read is a state, and the
//! engine says what that state means.
//!
//! ```
//! use abide::preference::{Documents, PreferenceProfile};
//! use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
//!
//! let client = Client::new(ProductToken::new("ExampleBot")?)
//!     .with_preferences(PreferenceProfile::default());
//! let policy = Policy::compile(b"", &client);
//! let file = br#"[{"location": "/a/", "tdm-reservation": 1}]"#;
//! let documents = Documents::default().with_tdmrep(abide_documents::tdmrep(file));
//! let target = Target::new("https://e.example/a/b")?.with_documents(&documents);
//! assert_eq!(policy.decide(&target).outcome(Usage::Train), Outcome::Prohibited);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - `tdmrep`: JSON to rules.
//! - `encoding`: the bytes of a licence document to text.
//! - `xml`: text to elements, within the limits.
//! - `rsl`: elements to licences.
//! - `sitemap`: elements to the URLs of a sitemap.
//! - `host`: the spellings of the host in a URL of a licence.
//! - `findings`, `tdmrep_findings`, `rsl_findings`: what is wrong with the text of a document.

// What users may match and build completely is said with its reason.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

use abide::preference::Documents;

mod encoding;
mod findings;
mod host;
mod rsl;
mod rsl_findings;
mod sitemap;
mod tdmrep;
mod tdmrep_findings;
mod xml;

pub use findings::{DocumentFinding, DocumentFix};
pub use rsl::{MAX_RSL_BYTES, rsl};
pub use rsl_findings::rsl_findings;
pub use sitemap::{
    MAX_SITEMAP_BYTES, MAX_SITEMAP_URLS, Sitemap, SitemapError, SitemapUrl, sitemap,
    sitemap_or_list, text_sitemap,
};
pub use tdmrep::tdmrep;
pub use tdmrep_findings::tdmrep_findings;

/// Adds a site's `tdmrep.json` to what a client knows, with the findings about its text.
///
/// ```
/// use abide::preference::Documents;
/// let documents = abide_documents::add_tdmrep(Documents::default(), b"{}");
/// assert_eq!(documents.diagnostics()[0].code.name(), "tdmrep-unreadable");
/// ```
#[must_use]
pub fn add_tdmrep(documents: Documents, body: &[u8]) -> Documents {
    let found = tdmrep_findings(body).into_iter();
    documents
        .with_tdmrep(tdmrep(body))
        .with_diagnostics("tdmrep.json", found.map(|found| found.diagnostic))
}

/// Adds the licence document at `url` to what a client knows, with the findings about its text.
///
/// ```
/// use abide::preference::Documents;
/// let url = "https://l.example/a.xml";
/// let documents = abide_documents::add_rsl(Documents::default(), url, b"<html></html>");
/// assert_eq!(documents.diagnostics()[0].code.name(), "licence-not-rsl");
/// ```
#[must_use]
pub fn add_rsl(documents: Documents, url: &str, body: &[u8]) -> Documents {
    let found = rsl_findings(body).into_iter();
    documents
        .with_licence(url, rsl(body))
        .with_diagnostics(url, found.map(|found| found.diagnostic))
}

/// The README's example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
