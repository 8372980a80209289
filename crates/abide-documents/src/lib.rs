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

mod encoding;
mod rsl;
mod tdmrep;
mod xml;

pub use rsl::{RSL_LIMIT, rsl};
pub use tdmrep::tdmrep;

/// The README's example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
