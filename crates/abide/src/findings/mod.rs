//! What is wrong with a robots.txt, and with the response to a request. No decision needs it, so
//! nothing else in the engine imports this module.
//!
//! - `robots_txt`: a whole file, line by line; `line_filter` skips the lines that need no check,
//!   `foreign_body` finds files that are no robots.txt.
//! - `acap`: the ACAP stream, and the files that it refers to.
//! - `app_directives`, `app_conflicts`: `App-Directives` lines.
//! - `licence_lines`, `preference_lines`, `preference_groups`: lines about AI preferences.
//! - `content_usage`, `content_signal`: what is wrong with a statement (`mistake`).

mod acap;
mod app_conflicts;
mod app_directives;
pub(crate) mod content_signal;
pub(crate) mod content_usage;
mod foreign_body;
mod licence_lines;
mod line_filter;
pub(crate) mod mistake;
mod preference_groups;
mod preference_lines;
mod robots_txt;

pub use foreign_body::ForeignBody;

use crate::client::Client;
use crate::diagnostic::Diagnostic;
use crate::policy::{Policy, Robots};
use crate::preference::{Revision, Vocabulary};

impl Robots {
    /// Returns everything that is wrong or odd about the file, in the order of lines (CLA-17).
    /// `client` decides which purposes are known.
    #[must_use]
    pub fn diagnostics(&self, client: &Client) -> Vec<Diagnostic> {
        robots_txt::findings(self.text(), self.profile(), client, None)
    }
}

impl Policy {
    /// Returns everything that is wrong or odd about the file, in the order of lines (CLA-17).
    /// Computed on the first call.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.diagnostics.get_or_init(|| {
            let (text, client) = (self.text(), self.client());
            let mut found = robots_txt::findings(text, client.profile(), client, self.acap());
            if let Some(side) = self.acap() {
                found.extend(acap::findings_of_references(text, side));
            }
            found.into_boxed_slice()
        })
    }
}

/// The word that `key` most likely means, which is a word of another vocabulary or of an older
/// revision. `None` for words of `vocabulary`, and if no word is close.
///
/// ```
/// use abide::preference::Vocabulary;
/// use abide::syntax::preference_word;
/// assert_eq!(preference_word(Vocabulary::ContentUsage, "ai-train"), Some("train-ai"));
/// assert_eq!(preference_word(Vocabulary::ContentSignal, "train-ai"), Some("ai-train"));
/// assert_eq!(preference_word(Vocabulary::ContentUsage, "bots"), None);
/// ```
#[must_use]
pub fn preference_word(vocabulary: Vocabulary, key: &str) -> Option<&'static str> {
    match vocabulary {
        Vocabulary::ContentUsage => content_usage::meant_by(key, Revision::latest()),
        Vocabulary::ContentSignal => content_signal::meant_by(key.as_bytes()),
        _ => None,
    }
}
