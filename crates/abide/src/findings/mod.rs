//! What is wrong with a robots.txt, and with the response to a request. No decision needs it, so
//! nothing else in the engine imports this module.
//!
//! - `robots_txt`: a whole file, line by line; `line_filter` skips the lines that need no check,
//!   `foreign_body` finds files that are no robots.txt.
//! - `acap`: the ACAP stream, and the files that it refers to.
//! - `app_directives`, `app_conflicts`: `App-Directives` lines.
//! - `licence_lines`, `preference_lines`, `preference_groups`: lines about AI preferences.
//! - `content_usage`, `content_signal`: what is wrong with a statement (`mistake`).
//! - `decision`: the URL and the response of a decision; `robots_tags`: the tags in it.
//! - `preferences`: the AI preferences of a decision; `response`, `tdmrep`, `rsl` and
//!   `control_tokens`: those of one vocabulary.

#[cfg_attr(not(feature = "acap"), path = "no_acap.rs")]
mod acap;
mod app_conflicts;
mod app_directives;
mod content_signal;
mod content_usage;
mod control_tokens;
mod decision;
mod foreign_body;
mod licence_lines;
mod line_filter;
mod mistake;
mod preference_groups;
mod preference_lines;
mod preferences;
mod response;
mod robots_tags;
mod robots_txt;
mod rsl;
mod tdmrep;

pub use foreign_body::ForeignBody;

use crate::client::Client;
use crate::decide::Decision;
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

    /// Returns what is wrong or odd about the URL of a decision, and about the robots tags and
    /// preferences of its response. `decision` is one of this policy.
    ///
    /// ```
    /// use abide::tag::{FieldLine, Response};
    /// use abide::{Client, Code, Policy, ProductToken, Target};
    /// let client = Client::new(ProductToken::new("ExampleBot")?);
    /// let policy = Policy::compile(b"User-agent: *\nDisallow: /\n", &client);
    /// let response = Response::new(&[FieldLine::new("Robots-Tag", "*;noindex")]);
    /// let target = Target::new("https://e.example/x")?.with_response(&response);
    /// let found = policy.diagnostics_of(&policy.decide(&target));
    /// assert_eq!(found[0].code, Code::NoindexBehindDisallow);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn diagnostics_of<'p>(&'p self, decision: &Decision<'p>) -> Vec<Diagnostic> {
        decision::findings(self, decision)
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
