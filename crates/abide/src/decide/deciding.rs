//! Which rule decides about crawling a URL, without the evidence around it: for lists of many URLs.
//! A property test holds it to the answer of [`Policy::decide`].

use crate::acap::AcapSide;
use crate::policy::Policy;
use crate::rep::Access;
use crate::target::Target;
use crate::verdict::Sense;

/// What decides about crawling a URL. See [`Policy::deciding_rule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum DecidingRule {
    /// A rule of the file.
    Rule {
        /// Number of its line, from 1.
        line: u32,
        /// What it says.
        sense: Sense,
    },
    /// The file has no rule that matches, so crawling is allowed (REP-45).
    NoRule,
    /// Something else: there is no file, an ACAP record may count, or the URL is that of the
    /// robots.txt itself. [`Policy::decide`] has the answer.
    Other,
}

impl Policy {
    /// Returns the rule that decides whether the client may fetch `target`. This is the line of the
    /// first piece of evidence that [`Policy::decide`] has for crawl, at a fraction of its cost: it
    /// allocates only for a URL that has to be rewritten to be compared.
    ///
    /// ```
    /// use abide::verdict::Sense;
    /// use abide::{Client, DecidingRule, Policy, ProductToken, Target};
    /// let client = Client::new(ProductToken::new("ExampleBot")?);
    /// let policy = Policy::compile(b"User-agent: *\nDisallow: /private/\n", &client);
    /// let rule = policy.deciding_rule(&Target::new("https://example.com/private/x")?);
    /// assert_eq!(rule, DecidingRule::Rule { line: 2, sense: Sense::Disallow });
    /// let rule = policy.deciding_rule(&Target::new("https://example.com/")?);
    /// assert_eq!(rule, DecidingRule::NoRule);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn deciding_rule(&self, target: &Target<'_>) -> DecidingRule {
        let needs_decision =
            self.access() != Access::Rules || self.acap().is_some_and(AcapSide::concerns_crawl);
        if needs_decision || self.is_elsewhere(target.url()) {
            return DecidingRule::Other;
        }
        let requested = target.requested(self.client().profile());
        let path = self.normalise(requested.as_bytes());
        if self.is_exempt(&path.c1) {
            return DecidingRule::Other;
        }
        match self.rules().first(&path) {
            Some(found) => DecidingRule::Rule {
                line: found.line,
                sense: found.sense,
            },
            None => DecidingRule::NoRule,
        }
    }
}
