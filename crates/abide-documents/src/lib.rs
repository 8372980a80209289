//! The documents beside robots.txt: `tdmrep.json` (PREF-70 to PREF-85) and RSL licences (PREF-93 to
//! PREF-108), from bytes into the engine's types.
//!
//! A site writes these documents, so they are read within limits, in time and memory that grow only
//! with their size. Reading never fails: what cannot be read is a state, and the engine says what
//! that state means.
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
//! - `findings`, `tdmrep_findings`, `rsl_findings`: what is wrong with the text of a document.

mod encoding;
mod findings;
mod rsl;
mod rsl_findings;
mod tdmrep;
mod tdmrep_findings;
mod xml;

pub use findings::{DocumentFinding, DocumentFix};
pub use rsl::{RSL_LIMIT, rsl};
pub use rsl_findings::rsl_findings;
pub use tdmrep::tdmrep;
pub use tdmrep_findings::tdmrep_findings;

/// The README's example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
