//! Other clients that keep to robots.txt: what they are about to fetch is asked about first, and
//! not fetched where the rules in force do not permit it.
//!
//! - `RobotsLayer`, behind the feature `tower`: before any service that takes requests of the crate
//!   `http`.
//! - `RobotsMiddleware`, behind the feature `reqwest-middleware`: before a client of `reqwest`.
//!
//! Both ask about crawl alone, and let through what is permitted. Nothing is allowed by accident: a
//! site that is unreachable is closed ([`AdapterError::Disallowed`]), and so is whatever has no
//! robots.txt to ask ([`AdapterError::NoRobotsTxt`]). A request for `/robots.txt` itself always
//! goes through, and nobody is asked about it.
//!
//! The [`RobotsCache`] behind an adapter fetches with a client of its own. Whatever the other
//! client does beyond the rules, to which addresses it connects and how it names itself, is its own
//! matter; it should send the product token that the [`RobotsCache`] asks for.

#[cfg(feature = "reqwest-middleware")]
mod reqwest;
mod sentence;
#[cfg(feature = "tower")]
mod tower;

#[cfg(feature = "reqwest-middleware")]
pub use self::reqwest::RobotsMiddleware;
#[cfg(feature = "tower")]
pub use self::tower::{RobotsLayer, RobotsService};

use crate::record::key;
use crate::{InEffect, RequestUrl, RobotsCache};
use abide::tag::{FieldLine, Response};
use abide::{Decision, Moment, Target};
use sentence::shown;
use std::fmt;

/// What any other client may fail with.
type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Why there is no response.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AdapterError {
    /// The rules in force do not permit it.
    #[error(transparent)]
    Disallowed(Box<DisallowedError>),
    /// Nobody can be asked whether it is permitted.
    #[error(transparent)]
    NoRobotsTxt(NoRobotsTxtError),
    /// It was permitted, and the service beneath failed. The middleware for `reqwest` hands such an
    /// error on as it is.
    #[error("the client failed")]
    Inner(#[source] BoxError),
}

/// A request for what is no absolute http or https URL: there is no site whose rules could be
/// asked. A path alone is such a request, for whom it is sent to is not known here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a request for an absolute URL such as https://example.com/page, whose robots.txt can be asked, but found {}",
    shown(.url)
)]
#[non_exhaustive]
pub struct NoRobotsTxtError {
    /// What the request is for.
    pub url: String,
}

/// What a site asks not to be fetched, and what that rests on.
#[derive(Clone)]
pub struct DisallowedError {
    asked: Asked,
    redirected_from: Option<String>,
}

impl DisallowedError {
    /// The URL, as it would have been sent.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.asked.url
    }

    /// The rules, whose they are, the hash of their file, and since when they hold.
    #[must_use]
    pub fn in_effect(&self) -> &InEffect {
        &self.asked.in_effect
    }

    /// The whole answer: the outcome for crawl, the line that decided, and what lost.
    #[must_use]
    pub fn decision(&self) -> Decision<'_> {
        self.asked.in_effect.policy.decide(&self.asked.target())
    }

    /// The URL that led here, where this is the target of a redirect.
    #[must_use]
    pub fn redirected_from(&self) -> Option<&str> {
        self.redirected_from.as_deref()
    }
}

impl std::error::Error for DisallowedError {}

/// The policy has the whole file; it is left out.
impl fmt::Debug for DisallowedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DisallowedError")
            .field("asked", &self.asked)
            .field(
                "redirected_from",
                &self.redirected_from.as_deref().map(shown),
            )
            .finish()
    }
}

/// What the robots tags of a response say: the lines of its fields `Robots-Tag` and `X-Robots-Tag`.
/// An adapter that reads tags leaves it in the extensions of the response.
#[derive(Clone)]
pub struct Tags {
    asked: Asked,
    response: Response,
}

impl Tags {
    /// The URL that the response came from.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.asked.url
    }

    /// The rules that permitted to fetch it.
    #[must_use]
    pub fn in_effect(&self) -> &InEffect {
        &self.asked.in_effect
    }

    /// The statements themselves, to which those of the page can be added.
    #[must_use]
    pub fn response(&self) -> &Response {
        &self.response
    }

    /// What may be done with the response at `now`: robots.txt and tags together, usage by usage.
    #[must_use]
    pub fn decision(&self, now: Moment) -> Decision<'_> {
        let target = self
            .asked
            .target()
            .with_response(&self.response)
            .with_now(now);
        self.asked.in_effect.policy.decide(&target)
    }
}

impl fmt::Debug for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tags")
            .field("asked", &self.asked)
            .field("response", &self.response)
            .finish()
    }
}

/// A URL with a robots.txt, and what is in force for it.
#[derive(Clone)]
struct Asked {
    url: String,
    in_effect: InEffect,
    /// What stands in for text that is no target, which `url` is not.
    root: Target<'static>,
}

impl Asked {
    fn target(&self) -> Target<'_> {
        Target::new(&self.url).unwrap_or(self.root)
    }
}

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asked")
            .field("url", &shown(&self.url))
            .field("why", &self.in_effect.why)
            .field("sha256", &self.in_effect.sha256)
            .finish_non_exhaustive()
    }
}

/// What both adapters do.
#[derive(Clone, Debug)]
struct Asker {
    robots: RobotsCache,
    reads_tags: bool,
}

impl Asker {
    fn new(robots: RobotsCache) -> Self {
        Self {
            robots,
            reads_tags: false,
        }
    }

    /// What permits to fetch `url`, which `redirected_from` led to; `None` for a robots.txt, which
    /// nobody is asked about: a [`RobotsCache`] may itself fetch through the client that asks here.
    ///
    /// Some clients send dot segments as they are, and some servers resolve them. So the URL has to
    /// be permitted as given, and as a client that resolves them sends it (AMB-REP-24).
    async fn ask(
        &self,
        url: String,
        redirected_from: Option<&str>,
    ) -> Result<Option<Asked>, AdapterError> {
        let (Ok(target), Ok(root), Some(_)) = (Target::new(&url), Target::new("/"), key(&url))
        else {
            return Err(AdapterError::NoRobotsTxt(NoRobotsTxtError { url }));
        };
        if target.path_and_query() == "/robots.txt" {
            return Ok(None);
        }
        let Ok(sent) = RequestUrl::new(&url) else {
            return Err(AdapterError::NoRobotsTxt(NoRobotsTxtError { url }));
        };
        let in_effect = self.robots.in_effect(&url).await;
        let is_permitted = |url: &str| in_effect.policy.allows(url);
        let (is_permitted, url) = match (is_permitted(&url), is_permitted(sent.as_str())) {
            (true, false) => (false, sent.as_str().to_owned()),
            (is_permitted, _) => (is_permitted, url),
        };
        let asked = Asked {
            url,
            in_effect,
            root,
        };
        if is_permitted {
            return Ok(Some(asked));
        }
        let redirected_from = redirected_from.map(str::to_owned);
        Err(AdapterError::Disallowed(Box::new(DisallowedError {
            asked,
            redirected_from,
        })))
    }

    /// What these fields say of the response that they belong to, for its extensions; `None` where
    /// nobody wants to know.
    fn tags(&self, asked: Option<Asked>, fields: &::http::HeaderMap) -> Option<Tags> {
        let asked = asked.filter(|_| self.reads_tags)?;
        let lines: Vec<_> = fields
            .iter()
            .map(|(name, value)| FieldLine::new(name.as_str(), value.as_bytes()))
            .collect();
        let response = Response::new(&lines);
        Some(Tags { asked, response })
    }
}
