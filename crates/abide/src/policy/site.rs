//! The site that a policy belongs to: its rules say nothing about URLs of other sites.

use super::Policy;
use crate::rep::Access;
use crate::target::Target;
use std::sync::OnceLock;

/// The site whose robots.txt a policy has the rules of.
#[derive(Clone, Debug)]
pub(super) struct Site {
    /// Scheme, host and port, in each spelling.
    origins: Box<[Box<str>]>,
    /// The policy for URLs of other sites: their robots.txt is not known.
    elsewhere: OnceLock<Policy>,
}

impl Site {
    /// Whether the absolute URL `url` is on this site. Text that is no URL is on no other site.
    fn has(&self, url: &str) -> bool {
        let begins_with = |origin: &str| {
            let rest = url.strip_prefix(origin);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
        };
        self.origins.iter().any(|origin| begins_with(origin)) || self.has_spelling(url)
    }

    /// Whether `url` is on this site, in a spelling that only a comparison of the parts shows.
    #[cold]
    fn has_spelling(&self, url: &str) -> bool {
        let Ok(target) = Target::new(url) else {
            return true;
        };
        let mut origins = self.origins.iter();
        !target.is_absolute()
            || origins.any(|origin| Target::new(origin).is_ok_and(|own| target.is_on_site_of(&own)))
    }

    fn memory(&self) -> usize {
        let texts = self.origins.iter().map(|origin| origin.len());
        texts.fold(size_of::<Self>(), usize::saturating_add)
    }
}

impl Policy {
    /// Binds the policy to the site whose robots.txt it was compiled from, by scheme, host and port
    /// (REP-67). About a URL of another site it then says that access is unknown: it does not allow
    /// it, and a decision names the robots.txt that it needs. Without a site, the policy answers
    /// for the path of any URL.
    ///
    /// `origins` are the spellings of one origin. Case, escapes, the default port, a final dot and
    /// the forms of an IPv6 address need no spelling of their own; a name with letters outside
    /// ASCII has two.
    ///
    /// ```
    /// use abide::{Client, Outcome, Policy, ProductToken, Target};
    /// let client = Client::new(ProductToken::new("ExampleBot")?);
    /// let policy = Policy::compile(b"User-agent: *\nAllow: /\n", &client)
    ///     .for_site(["https://example.com"]);
    /// assert!(policy.allows("https://example.com/x") && policy.allows("/x"));
    /// assert!(!policy.allows("https://other.example/x"));
    /// let decision = policy.decide(&Target::new("https://other.example/x")?);
    /// assert_eq!(decision.usages.crawl().outcome, Outcome::Unknown);
    /// assert_eq!(decision.needs, ["https://other.example/robots.txt"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn for_site<S: Into<Box<str>>>(mut self, origins: impl IntoIterator<Item = S>) -> Self {
        self.site = Some(Box::new(Site {
            origins: origins.into_iter().map(Into::into).collect(),
            elsewhere: OnceLock::new(),
        }));
        self
    }

    /// Whether `url` is of another site than the policy.
    #[inline]
    pub(crate) fn is_elsewhere(&self, url: &str) -> bool {
        match &self.site {
            None => false,
            Some(site) => !url.starts_with('/') && !site.has(url),
        }
    }

    /// The policy that answers about `target`, if that is on another site.
    pub(crate) fn elsewhere(&self, target: &Target<'_>) -> Option<&Self> {
        let site = self
            .site
            .as_ref()
            .filter(|_| self.is_elsewhere(target.url()))?;
        let unknown = || Self::without_rules(Access::Unknown, self.client());
        Some(site.elsewhere.get_or_init(unknown))
    }

    /// How many bytes the site takes.
    pub(super) fn site_memory(&self) -> usize {
        self.site.as_ref().map_or(0, |site| site.memory())
    }
}
