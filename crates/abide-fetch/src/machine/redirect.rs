//! Redirects, hop by hop (REP-71 to REP-73, AMB-REP-16). Only HTTP redirects count, not meta
//! elements, scripts or a `Refresh` field.

use super::settings::RetrievalSettings;
use crate::request_url::RequestUrl;
use abide::rep::Cause;
use std::collections::BTreeSet;

/// How many redirects are followed (REP-71).
const MAX_REDIRECTS: usize = 5;

/// The URLs of one retrieval, beginning with `/robots.txt` of the site. The file at the end is
/// about the first site only (REP-72).
#[derive(Clone, Debug)]
pub struct Chain {
    urls: Vec<RequestUrl>,
    seen: BTreeSet<String>,
    downgraded: bool,
}

/// Where a redirect leads.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Hop {
    /// The next URL.
    Follow(RequestUrl),
    /// Nowhere, and why.
    End(Cause),
}

impl Chain {
    /// Begins at `url`, an http or https URL, of which user information and fragment are dropped.
    ///
    /// # Errors
    /// [`Cause::BadRedirect`] for any other URL.
    pub fn new(url: &str) -> Result<Self, Cause> {
        let first = RequestUrl::new(url).map_err(|_| Cause::BadRedirect)?;
        Ok(Self::from_request(first))
    }

    /// Begins at `url`.
    #[must_use]
    pub fn from_request(url: RequestUrl) -> Self {
        Self {
            seen: BTreeSet::from([url.as_str().to_owned()]),
            urls: vec![url],
            downgraded: false,
        }
    }

    /// All URLs, the first one first.
    #[must_use]
    pub fn urls(&self) -> &[RequestUrl] {
        &self.urls
    }

    /// Whether some hop went from https to http.
    #[must_use]
    pub fn is_downgraded(&self) -> bool {
        self.downgraded
    }

    /// Whether `status` redirects, so that [`Chain::follow`] has to be asked. 300, 304, 305 and 306
    /// do not.
    #[must_use]
    pub const fn redirects(status: u16) -> bool {
        matches!(status, 301 | 302 | 303 | 307 | 308)
    }

    /// The next hop, for a redirecting response with these values of `Location`.
    ///
    /// A loop, and a sixth redirect, are a missing file; a missing, repeated or unusable `Location`
    /// is an unreachable one.
    ///
    /// ```
    /// use abide::rep::Cause;
    /// use abide_fetch::machine::{Chain, Hop, RetrievalSettings};
    /// let mut chain = Chain::new("https://a.example/robots.txt")?;
    /// let hop = chain.follow(&[b"//www.a.example/robots.txt"], &RetrievalSettings::default());
    /// let next = "https://www.a.example/robots.txt";
    /// assert!(matches!(hop, Hop::Follow(url) if url.as_str() == next));
    /// let hop = chain.follow(&[b"file:///etc/passwd"], &RetrievalSettings::default());
    /// assert_eq!(hop, Hop::End(Cause::BadRedirect));
    /// # Ok::<(), Cause>(())
    /// ```
    pub fn follow(&mut self, locations: &[&[u8]], settings: &RetrievalSettings) -> Hop {
        let [location] = locations else {
            return Hop::End(Cause::BadRedirect);
        };
        if self.urls.len() > MAX_REDIRECTS {
            return Hop::End(Cause::RedirectLimit);
        }
        let Some(next) = self.resolve(location) else {
            return Hop::End(Cause::BadRedirect);
        };
        let from_https = self.urls.last().is_some_and(RequestUrl::is_https);
        if from_https && !next.is_https() {
            if !settings.follows_downgrade {
                return Hop::End(Cause::BadRedirect);
            }
            self.downgraded = true;
        }
        if !self.seen.insert(next.as_str().to_owned()) {
            return Hop::End(Cause::RedirectLimit);
        }
        self.urls.push(next.clone());
        Hop::Follow(next)
    }

    /// A `Location` against the URL that sent it: text of bounded length without controls and
    /// blanks.
    fn resolve(&self, location: &[u8]) -> Option<RequestUrl> {
        const MAX_LOCATION_BYTES: usize = 8_192;
        let text = std::str::from_utf8(location).ok()?;
        let clean = text.chars().all(|c| !c.is_control() && !c.is_whitespace());
        if !clean || text.is_empty() || text.len() > MAX_LOCATION_BYTES {
            return None;
        }
        RequestUrl::of(self.urls.last()?.url().join(text).ok()?)
    }
}
