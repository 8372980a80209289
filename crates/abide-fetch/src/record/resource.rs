//! What a record is about: the robots.txt of an authority, or a document beside it.

use super::Origin;
use crate::request_url::RequestUrl;
use std::borrow::Borrow;
use std::fmt;

/// A file that is fetched and kept: the robots.txt of an authority, or another document by its URL,
/// such as a `tdmrep.json` (PREF-131). Valid once built.
///
/// Its text is the key of its record. For a robots.txt that is the authority, for a document the
/// URL. The URL of a document has a path and an authority has none, so the two never collide.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Resource(Box<str>);

/// The longest URL of a document, in bytes.
const MAX_URL_BYTES: usize = 8_192;

impl Resource {
    /// The robots.txt of the authority of `url`; `None` if `url` is not an http or https URL.
    #[must_use]
    pub fn robots_txt(url: &str) -> Option<Self> {
        Origin::of(url).map(Self::from)
    }

    /// The document at `url`. Spellings of the authority make no difference, user information and
    /// fragment are dropped, and dot segments are resolved, as in [`RequestUrl`]. `None` if `url`
    /// cannot be requested or has more than 8,192 bytes.
    ///
    /// ```
    /// use abide_fetch::Resource;
    /// let document = Resource::document("HTTPS://me@E.example.:443/a/../licence.xml#x");
    /// let document = document.ok_or("cannot be requested")?;
    /// assert_eq!(document.url(), "https://e.example/licence.xml");
    /// assert!(document.is_document());
    /// assert_eq!(Resource::document("mailto:a@b.example"), None);
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn document(url: &str) -> Option<Self> {
        let sent = RequestUrl::new(url).ok()?;
        let origin = Origin::of(sent.as_str())?;
        let url = format!("{origin}{}", sent.path());
        (url.len() <= MAX_URL_BYTES).then(|| Self(url.into()))
    }

    /// The resource whose record has the key `key`; `None` if no record has it.
    #[must_use]
    pub fn of_key(key: &str) -> Option<Self> {
        let known = [Self::robots_txt(key), Self::document(key)];
        known
            .into_iter()
            .flatten()
            .find(|resource| resource.as_str() == key)
    }

    /// The key of its record.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Where the path begins, if there is one: at the first slash after the two of the scheme.
    fn path_at(&self) -> Option<usize> {
        self.0.match_indices('/').nth(2).map(|(place, _)| place)
    }

    /// Whether it is a document beside a robots.txt.
    #[must_use]
    pub fn is_document(&self) -> bool {
        self.path_at().is_some()
    }

    /// Its authority.
    #[must_use]
    pub fn origin(&self) -> Origin {
        let authority = self.path_at().and_then(|end| self.0.get(..end));
        Origin::of_canonical(authority.unwrap_or(&self.0))
    }

    /// The URL that is fetched (REP-67).
    #[must_use]
    pub fn url(&self) -> String {
        if self.is_document() {
            self.0.to_string()
        } else {
            format!("{}/robots.txt", self.0)
        }
    }
}

impl From<Origin> for Resource {
    /// The robots.txt of `origin`.
    fn from(origin: Origin) -> Self {
        Self(origin.into_text())
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Borrow<str> for Resource {
    fn borrow(&self) -> &str {
        &self.0
    }
}
