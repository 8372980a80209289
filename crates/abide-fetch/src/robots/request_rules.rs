//! What a crawler's loop asks: may this URL be fetched, and exactly which URL is that?

use super::{RobotsCache, SiteRules};
use crate::pace::{Pacer, TurnError, Visit};
use crate::request_url::{RequestUrl, RequestUrlError};
use abide::{Decision, Policy, Target};
use std::sync::Arc;
use tokio::time::Instant;

/// How often rules may expire while a visit waits.
pub(crate) const MAX_EXPIRED: usize = 3;

impl RobotsCache {
    /// Returns the URL to send if the current rules of its site allow it, and `None` if they do not
    /// or if `url` cannot be requested. Fetches the rules like [`RobotsCache::for_url`].
    ///
    /// Clients rewrite a URL before they send it: `/public/../private/x` is sent as `/private/x`.
    /// The rules are asked about the URL that is sent (AMB-REP-24), so **send the URL that this
    /// returns**, not the text that you have.
    ///
    /// ```no_run
    /// # async fn crawl(robots: abide_fetch::RobotsCache) {
    /// let link = "https://news.example/public/../archive/";
    /// if let Some(url) = robots.allows(link).await {
    ///     println!("fetch {url}"); // https://news.example/archive/
    /// }
    /// # }
    /// ```
    pub async fn allows(&self, url: &str) -> Option<RequestUrl> {
        let request = RequestUrl::new(url).ok()?;
        let (policy, is_local) = match self.site(request.as_str()).await {
            Some(site) => (self.policy(&site).await, site.is_local),
            None => (Arc::clone(&self.unknown), false),
        };
        if policy.allows(request.as_str()) {
            return Some(request);
        }
        self.report_refusal(request.as_str(), &policy, is_local);
        None
    }

    /// Waits until the site of `url` may be visited, and returns the URL to send with its visit, if
    /// the rules that then apply allow it; `None` if they do not, or if `url` cannot be requested.
    /// Keep the visit until the answer has been read ([`Visit`]).
    ///
    /// A queue may be longer than the rules apply. They are then fetched again before the visit,
    /// which [`RobotsCache::allows`] followed by [`Pacer::turn`](crate::pace::Pacer::turn) would
    /// miss.
    ///
    /// # Errors
    /// [`TurnError`] if there is no turn, no pacer ([`Builder::pacer`](crate::Builder::pacer)), or
    /// this machine could not ask for the rules.
    pub async fn turn(&self, url: &str) -> Result<Option<(RequestUrl, Visit)>, TurnError> {
        let pacer = self.pacer().ok_or(TurnError::NoPacer)?;
        let Ok(request) = RequestUrl::new(url) else {
            return Ok(None);
        };
        for _ in 0..MAX_EXPIRED {
            let rules = self.site_rules(request.as_str()).await;
            if !rules.policy.allows(request.as_str()) {
                self.report_refusal(request.as_str(), &rules.policy, rules.is_local);
                // The site did not say so: its robots.txt had no turn, for one.
                return if rules.is_local {
                    Err(TurnError::NoRobotsTxt)
                } else {
                    Ok(None)
                };
            }
            let visit = self.visit(pacer, &request).await?;
            if self.still_allowed(rules, request.as_str()).is_some() {
                return Ok(Some((request, visit)));
            }
            visit.give_back();
        }
        Err(TurnError::Expired)
    }

    /// Waits for a turn of `pacer`, and reports how long that took.
    pub(crate) async fn visit(&self, pacer: &Pacer, url: &RequestUrl) -> Result<Visit, TurnError> {
        let began = Instant::now();
        let visit = pacer.turn(url).await?;
        if let Some(observer) = &self.shared.observer {
            observer.waited(url, began.elapsed());
        }
        Ok(visit)
    }

    /// The rules that allow `url` now; `rules` allowed it before. `None` if they have to be asked
    /// for again.
    pub(crate) fn still_allowed(&self, rules: SiteRules, url: &str) -> Option<SiteRules> {
        if let Some(known) = self.known_rules(url) {
            return known.policy.allows(url).then_some(known);
        }
        let now = self.shared.clock.now();
        let is_fresh = rules.fresh_until.is_some_and(|until| now < until);
        is_fresh.then_some(rules)
    }

    /// Returns the URL that is sent for `url`, with the current rules of its site and their
    /// decision. Fetches the rules like [`RobotsCache::for_url`].
    ///
    /// ```no_run
    /// use abide::{Outcome, Usage};
    /// use abide_fetch::{RequestUrlError, RobotsCache};
    ///
    /// # async fn crawl(robots: RobotsCache) -> Result<(), RequestUrlError> {
    /// let asked = robots.decide("https://news.example/archive/").await?;
    /// let decision = asked.decision();
    /// if decision.outcome(Usage::Crawl) == Outcome::Permitted {
    ///     println!("fetch {}, by {:?}", asked.url, decision.usages.crawl().evidence.first());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`RequestUrlError`] if `url` cannot be requested.
    pub async fn decide(&self, url: &str) -> Result<RequestRules, RequestUrlError> {
        let url = RequestUrl::new(url)?;
        let site_rules = self.site_rules(url.as_str()).await;
        Ok(RequestRules { url, site_rules })
    }
}

/// A URL as it is sent, and the current rules of its site. From [`RobotsCache::decide`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RequestRules {
    /// The URL to send.
    pub url: RequestUrl,
    /// The rules of its site, with their origin, reason and age.
    pub site_rules: SiteRules,
}

impl RequestRules {
    /// The rules alone.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.site_rules.policy
    }

    /// What the rules say about the URL, as long as the rules apply ([`SiteRules::valid_until`]).
    #[must_use]
    pub fn decision(&self) -> Decision<'_> {
        self.policy().decide(&self.target())
    }

    /// The URL as a target, to which a time, tags and documents can be added.
    #[must_use]
    pub fn target(&self) -> Target<'_> {
        self.url.target()
    }
}
