//! Makes other HTTP clients respect robots.txt: they ask before each request, and send it only if
//! the current rules allow it. And tells robots what they may do with the responses of a server.
//!
//! - `RobotsLayer` (feature `tower`): in front of any service for requests of the crate `http`.
//! - `RobotsMiddleware` (feature `reqwest-middleware`): in front of a client of `reqwest`.
//! - `FieldsLayer` (feature `tower`): in front of a server. It fetches nothing.
//!
//! The first two ask only about crawling. Nothing is allowed by accident: an unreachable site is
//! disallowed ([`AdapterError::Disallowed`]), and a URL without a robots.txt is an error
//! ([`AdapterError::NoRobotsTxt`]). A request for `/robots.txt` itself always goes through.
//!
//! If the [`RobotsCache`] has a [`Pacer`](crate::pace::Pacer), each request waits for its turn, and
//! so does each hop of a redirect that an adapter follows. A request for `/robots.txt` takes no
//! turn here: the cache may fetch through this client, and has taken one.
//!
//! The extensions of each response, except that of a `/robots.txt`, have the [`SiteRules`] that
//! allowed its last request: the policy, the hash of its file and its times, for a proof.
//!
//! The [`RobotsCache`] of an adapter fetches with its own client. To which addresses the other
//! client connects, and which name it sends, is up to that client: let it send the product token of
//! the [`RobotsCache`]. A `User-Agent` field of a request without it is
//! reported ([`Observer::misnamed`](crate::Observer::misnamed)). What a client adds later is not
//! seen: `ClientBuilder::user_agent` of `reqwest` is such a field, one of the request is not.

#[cfg(feature = "tower")]
mod fields;
#[cfg(feature = "reqwest-middleware")]
mod reqwest;
mod sentence;
#[cfg(feature = "tower")]
mod tower;

#[cfg(feature = "tower")]
pub use self::fields::{FieldsLayer, FieldsService};
#[cfg(feature = "reqwest-middleware")]
pub use self::reqwest::RobotsMiddleware;
#[cfg(feature = "tower")]
pub use self::tower::{RobotsLayer, RobotsService};

use crate::machine::Field;
use crate::pace::{TurnError, Visit};
use crate::record::key;
use crate::robots::MAX_EXPIRED;
use crate::{RequestUrl, RobotsCache, SiteRules};
use abide::tag::{FieldLine, Response};
use abide::{Decision, Moment, Target};
use sentence::shown;
use std::fmt;

/// Any error of the inner client.
type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Why there is no response.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AdapterError {
    /// The current rules disallow it.
    #[error(transparent)]
    Disallowed(Box<DisallowedError>),
    /// The URL has no robots.txt.
    #[error(transparent)]
    NoRobotsTxt(NoRobotsTxtError),
    /// The pacer has no turn for the request.
    #[error(transparent)]
    NoTurn(TurnError),
    /// The request was allowed, and the inner service failed. The middleware for `reqwest` passes
    /// on such an error unchanged.
    #[error("the client failed")]
    Inner(#[source] BoxError),
}

/// A request for something other than an absolute http or https URL, such as a path alone: it has
/// no site whose rules apply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a request for an absolute URL such as https://example.com/page, whose robots.txt can be asked, but found {}",
    shown(.url)
)]
#[non_exhaustive]
pub struct NoRobotsTxtError {
    /// The URL of the request.
    pub url: String,
}

/// A URL that a site disallows, with the evidence.
#[derive(Clone)]
pub struct DisallowedError {
    url_rules: UrlRules,
    redirected_from: Option<String>,
}

impl DisallowedError {
    /// The URL that would have been requested.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url_rules.url
    }

    /// The rules, their site, the hash of their file, and since when they apply.
    #[must_use]
    pub fn site_rules(&self) -> &SiteRules {
        &self.url_rules.site_rules
    }

    /// The full decision: the outcome for crawl, the deciding line, and what it overrides.
    #[must_use]
    pub fn decision(&self) -> Decision<'_> {
        self.url_rules
            .site_rules
            .policy
            .decide(&self.url_rules.target())
    }

    /// The URL that redirected here, if this is the target of a redirect.
    #[must_use]
    pub fn redirected_from(&self) -> Option<&str> {
        self.redirected_from.as_deref()
    }
}

impl std::error::Error for DisallowedError {}

/// Leaves out the policy, which contains the whole file.
impl fmt::Debug for DisallowedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DisallowedError")
            .field("url_rules", &self.url_rules)
            .field(
                "redirected_from",
                &self.redirected_from.as_deref().map(shown),
            )
            .finish()
    }
}

/// The robots tags of a response, from its `Robots-Tag` and `X-Robots-Tag` fields. An adapter that
/// reads tags puts them into the extensions of the response.
#[derive(Clone)]
pub struct Tags {
    url_rules: UrlRules,
    /// The fields, from which `response` was read.
    #[cfg(feature = "html")]
    fields: Vec<FieldLine>,
    response: Response,
}

impl Tags {
    /// The URL that the response came from.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url_rules.url
    }

    /// The rules that allowed the request.
    #[must_use]
    pub fn site_rules(&self) -> &SiteRules {
        &self.url_rules.site_rules
    }

    /// These tags with those of the meta elements in the page, whose source is `body`. Only the
    /// first [`abide_html::MAX_BYTES`] are read.
    ///
    /// ```no_run
    /// use abide_fetch::{adapters::Tags, http::now};
    /// # async fn ask(response: reqwest::Response) -> Result<(), Box<dyn std::error::Error>> {
    /// let tags = response.extensions().get::<Tags>().cloned().ok_or("no tags are read")?;
    /// let tags = tags.with_page(&response.bytes().await?);
    /// println!("{:?}", tags.decision(now()).outcome(abide::Usage::Index));
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "html")]
    #[must_use]
    pub fn with_page(mut self, body: &[u8]) -> Self {
        self.response = abide_html::response(&self.fields, Some(body), None);
        self
    }

    /// The statements.
    #[must_use]
    pub fn response(&self) -> &Response {
        &self.response
    }

    /// What the client may do with the response at `now`, for each usage: robots.txt and tags
    /// combined.
    #[must_use]
    pub fn decision(&self, now: Moment) -> Decision<'_> {
        let target = self
            .url_rules
            .target()
            .with_response(&self.response)
            .with_now(now);
        self.url_rules.site_rules.policy.decide(&target)
    }
}

impl fmt::Debug for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tags")
            .field("url_rules", &self.url_rules)
            .field("response", &self.response)
            .finish_non_exhaustive()
    }
}

/// A URL with a robots.txt, and the rules that apply to it.
#[derive(Clone)]
struct UrlRules {
    url: String,
    site_rules: SiteRules,
}

impl UrlRules {
    #[expect(clippy::expect_used, reason = "`UrlChecker::ask` has read it")]
    fn target(&self) -> Target<'_> {
        Target::new(&self.url).expect("a URL with a robots.txt is a target")
    }
}

impl fmt::Debug for UrlRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UrlRules")
            .field("url", &shown(&self.url))
            .field("why", &self.site_rules.why)
            .field("sha256", &self.site_rules.sha256)
            .finish_non_exhaustive()
    }
}

/// Checks URLs against the rules of their sites, for both adapters.
#[derive(Clone, Debug)]
struct UrlChecker {
    robots: RobotsCache,
    reads_tags: bool,
}

impl UrlChecker {
    fn new(robots: RobotsCache) -> Self {
        Self {
            robots,
            reads_tags: false,
        }
    }

    /// Asks whether `url`, to which `redirected_from` redirected, may be fetched. `None` for a
    /// robots.txt, which is not checked: a [`RobotsCache`] may itself fetch through this client.
    ///
    /// Some clients send dot segments unchanged, and some servers resolve them. So the URL must be
    /// allowed both as given and with dot segments resolved (AMB-REP-24).
    async fn ask(
        &self,
        url: String,
        redirected_from: Option<&str>,
    ) -> Result<Option<UrlRules>, AdapterError> {
        let (Ok(target), Some(_)) = (Target::new(&url), key(&url)) else {
            return Err(AdapterError::NoRobotsTxt(NoRobotsTxtError { url }));
        };
        if target.path_and_query() == "/robots.txt" {
            return Ok(None);
        }
        let Ok(sent) = RequestUrl::new(&url) else {
            return Err(AdapterError::NoRobotsTxt(NoRobotsTxtError { url }));
        };
        let site_rules = self.robots.site_rules(&url).await;
        let is_permitted = |url: &str| site_rules.policy.allows(url);
        let (is_permitted, url) = match (is_permitted(&url), is_permitted(sent.as_str())) {
            (true, false) => (false, sent.as_str().to_owned()),
            (is_permitted, _) => (is_permitted, url),
        };
        let url_rules = UrlRules { url, site_rules };
        if is_permitted {
            return Ok(Some(url_rules));
        }
        let UrlRules { url, site_rules } = &url_rules;
        self.robots
            .report_refusal(url, &site_rules.policy, site_rules.is_local);
        let redirected_from = redirected_from.map(str::to_owned);
        Err(AdapterError::Disallowed(Box::new(DisallowedError {
            url_rules,
            redirected_from,
        })))
    }

    /// Asks like [`UrlChecker::ask`], and waits for a turn if there is a pacer. Rules that expire
    /// meanwhile are asked for again. The `fields` of the request should name the robot.
    async fn turn(
        &self,
        url: String,
        redirected_from: Option<&str>,
        fields: &::http::HeaderMap,
    ) -> Result<(Option<UrlRules>, Option<Visit>), AdapterError> {
        for line in fields.get_all(::http::header::USER_AGENT) {
            self.robots
                .check_name(&String::from_utf8_lossy(line.as_bytes()));
        }
        for _ in 0..MAX_EXPIRED {
            let url_rules = self.ask(url.clone(), redirected_from).await?;
            let (Some(pacer), Some(rules)) = (self.robots.pacer(), &url_rules) else {
                return Ok((url_rules, None));
            };
            let Ok(sent) = RequestUrl::new(&rules.url) else {
                return Err(AdapterError::NoRobotsTxt(NoRobotsTxtError { url }));
            };
            let visit = self.robots.visit(pacer, &sent).await;
            let visit = visit.map_err(AdapterError::NoTurn)?;
            let UrlRules { url, site_rules } = rules.clone();
            if let Some(site_rules) = self.robots.still_allowed(site_rules, sent.as_str()) {
                return Ok((Some(UrlRules { url, site_rules }), Some(visit)));
            }
            visit.give_back();
        }
        Err(AdapterError::NoTurn(TurnError::Expired))
    }

    /// The tags in `fields`; `None` if the adapter does not read tags.
    fn tags(&self, url_rules: Option<UrlRules>, fields: &::http::HeaderMap) -> Option<Tags> {
        let url_rules = url_rules.filter(|_| self.reads_tags)?;
        let lines: Vec<_> = fields
            .iter()
            .map(|(name, value)| FieldLine::new(name.as_str(), value.as_bytes()))
            .collect();
        let response = Response::new(&lines);
        Some(Tags {
            url_rules,
            #[cfg(feature = "html")]
            fields: lines,
            response,
        })
    }
}

/// Puts the rules that let a request pass, and the tags of its response, into the extensions of
/// the response.
fn describe(
    extensions: &mut ::http::Extensions,
    site_rules: Option<SiteRules>,
    tags: Option<Tags>,
) {
    if let Some(site_rules) = site_rules {
        extensions.insert(site_rules);
    }
    if let Some(tags) = tags {
        extensions.insert(tags);
    }
}

/// Notes for the pacer how a request went that has a response.
fn note(visit: Option<&mut Visit>, status: ::http::StatusCode, fields: &::http::HeaderMap) {
    if let Some(visit) = visit {
        let waits = fields.get_all(::http::header::RETRY_AFTER).iter();
        let waits: Vec<_> = waits
            .map(|value| Field::new("Retry-After", value.as_bytes()))
            .collect();
        visit.answered(status.as_u16(), &waits);
    }
}
