//! AI preferences: what sites say about training, AI input and search (docs/spec/preferences.md).
//!
//! Sites state preferences in six vocabularies. Each module reads one of them, and none knows
//! another: `content_usage`, `content_signal`, [`tdmrep`], [`rsl`], `vendor_tag` and
//! `control_token`. `decide` combines them.
//!
//! A decision has answers for [`Usage::PREFERENCES`](crate::Usage::PREFERENCES) only if its client
//! has a [`PreferenceProfile`]:
//!
//! ```
//! use abide::preference::PreferenceProfile;
//! use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
//!
//! let robots_txt = b"User-agent: *\nContent-Usage: train-ai=n, search=y\n";
//! let client = Client::new(ProductToken::new("ExampleBot")?)
//!     .with_preferences(PreferenceProfile::default());
//! let policy = Policy::compile(robots_txt, &client);
//! let decision = policy.decide(&Target::new("https://e.example/x")?);
//! assert_eq!(decision.outcome(Usage::Train), Outcome::Prohibited);
//! assert_eq!(decision.outcome(Usage::AiInput), Outcome::Unspecified);
//! assert_eq!(decision.outcome(Usage::Search), Outcome::Permitted);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`PreferenceProfile`]: what the client asks for.
//! - [`Documents`]: what the client knows of a site's `tdmrep.json` and licence documents.
//! - `page`: the preferences of a response and its page, as they came.
//! - `line`: the lines of robots.txt that carry preferences.
//! - `usage_member`: one `word=value` of a `Content-Usage` statement, as it is written.

pub(crate) mod content_signal;
pub(crate) mod content_usage;
mod control_token;
pub(crate) mod documents;
pub(crate) mod line;
pub(crate) mod link;
pub(crate) mod page;
mod profile;
pub(crate) mod revision;
pub mod rsl;
mod stated;
pub mod tdmrep;
pub(crate) mod usage_member;
pub(crate) mod vendor_tag;

pub use crate::verdict::condition::UseLevel;
pub use crate::verdict::vocabulary::Vocabulary;
pub use control_token::ControlToken;
pub use documents::{Documents, LicenceState, TdmrepState};
pub use page::LicenceLink;
pub use profile::{PreferenceProfile, SignalScope};
pub use revision::Revision;

pub(crate) use stated::{Preference, StatedUsages};

use crate::verdict::Usage;

/// The words with which lines of robots.txt state AI preferences, in `Content-Usage` lines of any
/// revision and in `Content-Signal` lines, each with its usage.
pub fn robots_txt_words() -> impl Iterator<Item = (&'static str, Usage)> {
    let content_usage = Revision::ALL.iter().flat_map(|revision| revision.words);
    content_usage.chain(&content_signal::WORDS).copied()
}
