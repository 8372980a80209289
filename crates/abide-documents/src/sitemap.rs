//! Sitemaps (sitemaps.org), from bytes to the URLs in them.

use crate::encoding;
use crate::xml::{Element, Namespace, Part, Parts, Unreadable, is_blank, is_char, why_unreadable};
use abide::explain::visible;
use std::borrow::Cow;
use std::fmt;

/// The largest sitemap that is read, in bytes, as the protocol has it.
pub const MAX_SITEMAP_BYTES: usize = 50 << 20;

/// How many URLs a sitemap may have, as the protocol has it.
pub const MAX_SITEMAP_URLS: usize = 50_000;

/// The namespace of sitemaps. Older ones have others, or none.
const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// What a sitemap lists.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sitemap {
    /// Pages, from a `urlset`.
    Pages(Vec<SitemapUrl>),
    /// Other sitemaps, from a `sitemapindex`.
    Index(Vec<SitemapUrl>),
}

/// A URL in a sitemap.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SitemapUrl {
    /// The text of its `loc`, without spaces around it. Empty if an entry has no `loc`.
    pub url: String,
    /// The number of the line on which the `loc` begins, from 1.
    pub line: u64,
}

/// Why a sitemap cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SitemapError {
    /// The line from which on it cannot be read, from 1.
    pub line: u64,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for SitemapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for SitemapError {}

/// Reads a sitemap. Only the `loc` of a page, or of another sitemap, is a URL in it: those of
/// images, videos and alternates are in elements of other namespaces. Elements belong to the
/// sitemap if they have the namespace of its root, whatever that is.
///
/// ```
/// use abide_documents::Sitemap;
/// let body = b"<urlset><url><loc> https://e.example/?a=1&amp;b=2 </loc></url></urlset>";
/// let Sitemap::Pages(pages) = abide_documents::sitemap(body)? else { return Ok(()) };
/// assert_eq!(pages[0].url, "https://e.example/?a=1&b=2");
/// # Ok::<(), abide_documents::SitemapError>(())
/// ```
///
/// # Errors
/// [`SitemapError`] for a text that is not well-formed, that is not a sitemap, or that is beyond
/// the limits of the protocol. Nothing of it is returned then.
pub fn sitemap(body: &[u8]) -> Result<Sitemap, SitemapError> {
    let error = |line, reason: String| SitemapError { line, reason };
    let text = bounded_text(body)?;
    // Blank lines before the XML declaration are an error for XML, and frequent.
    let whole = &*text;
    let text = whole.trim_start_matches(is_blank);
    let blank = whole.get(..whole.len() - text.len()).unwrap_or_default();
    let first = line_ends(blank.as_bytes()) + 1;
    let line_of = |at: usize| line_ends(text.get(..at).unwrap_or_default().as_bytes()) + first;
    let Ok(mut parts) = Parts::new(text, NAMESPACE) else {
        let at = text.find(|c| !is_char(c)).unwrap_or_default();
        let reason = "it has a character that XML does not allow";
        return Err(error(line_of(at), reason.to_owned()));
    };
    // Its size bounds the elements, too.
    parts = parts.with_most_elements(usize::MAX);
    let mut reader = Reader::new(text, first);
    loop {
        let read = match parts.next() {
            Ok(None) => return Ok(reader.into_sitemap()),
            Ok(Some(part)) => reader.part(&part),
            Err(Unreadable) => Err(why_unreadable(text, parts.reached()).to_owned()),
        };
        read.map_err(|reason| error(line_of(parts.reached()), reason))?;
    }
}

/// Reads a sitemap that is a text: one URL per line. Blank lines are left out.
///
/// ```
/// let body = b"https://e.example/a\n\nhttps://e.example/b\n";
/// let abide_documents::Sitemap::Pages(pages) = abide_documents::text_sitemap(body)? else {
///     return Ok(());
/// };
/// assert_eq!((pages[1].line, &*pages[1].url), (3, "https://e.example/b"));
/// # Ok::<(), abide_documents::SitemapError>(())
/// ```
///
/// # Errors
/// [`SitemapError`] for a text that is not UTF-8, or that is beyond the limits of the protocol.
pub fn text_sitemap(body: &[u8]) -> Result<Sitemap, SitemapError> {
    let text = bounded_text(body)?;
    let lines = (1..).zip(text.lines());
    let lines = lines.map(|(line, url)| (line, url.trim()));
    let lines = lines.filter(|(_, url)| !url.is_empty());
    let mut urls = Vec::new();
    for (line, url) in lines {
        if urls.len() >= MAX_SITEMAP_URLS {
            let reason = too_many();
            return Err(SitemapError { line, reason });
        }
        let url = url.to_owned();
        urls.push(SitemapUrl { url, line });
    }
    Ok(Sitemap::Pages(urls))
}

/// Reads a sitemap in either form: XML if its first character is `<`, with which no URL begins, or
/// else one URL per line.
///
/// ```
/// let body = b"https://e.example/a\n";
/// let pages = abide_documents::sitemap_or_list(body)?;
/// assert_eq!(pages, abide_documents::text_sitemap(body)?);
/// # Ok::<(), abide_documents::SitemapError>(())
/// ```
///
/// # Errors
/// The errors of [`sitemap`] and [`text_sitemap`].
pub fn sitemap_or_list(body: &[u8]) -> Result<Sitemap, SitemapError> {
    if bounded_text(body)?.trim_start().starts_with('<') {
        sitemap(body)
    } else {
        text_sitemap(body)
    }
}

/// The text of a sitemap that is not larger than it may be.
fn bounded_text(body: &[u8]) -> Result<Cow<'_, str>, SitemapError> {
    let error = |line, reason: String| SitemapError { line, reason };
    if body.len() > MAX_SITEMAP_BYTES {
        let reason = format!("it is longer than {MAX_SITEMAP_BYTES} bytes; split it");
        return Err(error(1, reason));
    }
    encoding::text(body).ok_or_else(|| {
        let valid = std::str::from_utf8(body).map_or_else(|error| error.valid_up_to(), str::len);
        let line = line_ends(body.get(..valid).unwrap_or_default()) + 1;
        error(line, "it is not UTF-8 from here on".to_owned())
    })
}

fn too_many() -> String {
    format!("it has more than {MAX_SITEMAP_URLS} URLs, the most that a sitemap may have; split it")
}

fn line_ends(bytes: &[u8]) -> u64 {
    bytes.split(|byte| *byte == b'\n').skip(1).count() as u64
}

/// What an open element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// A `urlset` or `sitemapindex`.
    Root,
    /// A `url` or `sitemap`.
    Entry,
    Loc,
    /// Anything else, and what is in it.
    Other,
}

/// The part of a sitemap that was read.
struct Reader<'d> {
    text: &'d str,
    open: Vec<Place>,
    is_index: bool,
    namespace: Namespace,
    urls: Vec<SitemapUrl>,
    /// The byte at which the entry that is open begins, and the number of URLs before it.
    entry: (usize, usize),
    /// The line of a byte, which later lines are counted from.
    counted: (usize, u64),
}

impl<'d> Reader<'d> {
    fn new(text: &'d str, first_line: u64) -> Self {
        Self {
            text,
            open: Vec::new(),
            is_index: false,
            namespace: Namespace::None,
            urls: Vec::new(),
            entry: (0, 0),
            counted: (0, first_line),
        }
    }

    fn part(&mut self, part: &Part<'_>) -> Result<(), String> {
        match part {
            Part::Start(element) => return self.start(element),
            Part::End(_) => return self.end(),
            Part::Text(text) => self.text(text),
            Part::Character(character) => self.text(character.encode_utf8(&mut [0; 4])),
        }
        Ok(())
    }

    fn start(&mut self, element: &Element<'_>) -> Result<(), String> {
        let is_own = element.namespace == self.namespace;
        let place = match (self.open.last(), element.name) {
            (None, "urlset" | "sitemapindex") => {
                self.is_index = element.name == "sitemapindex";
                self.namespace = element.namespace;
                Place::Root
            }
            (None, name) => {
                let name = visible(name.as_bytes());
                return Err(format!(
                    "expected a sitemap, whose root element is urlset or sitemapindex, not {name}"
                ));
            }
            (Some(Place::Root), "url") if is_own && !self.is_index => Place::Entry,
            (Some(Place::Root), "sitemap") if is_own && self.is_index => Place::Entry,
            (Some(Place::Entry), "loc") if is_own => Place::Loc,
            (Some(Place::Loc), _) => return Err("a loc has an element in it".to_owned()),
            _ => Place::Other,
        };
        match place {
            Place::Entry => self.entry = (element.start, self.urls.len()),
            Place::Loc => self.add(element.start)?,
            Place::Root | Place::Other => {}
        }
        self.open.push(place);
        Ok(())
    }

    fn end(&mut self) -> Result<(), String> {
        match self.open.pop() {
            // Its error is that of an empty URL, so that no entry disappears.
            Some(Place::Entry) if self.urls.len() == self.entry.1 => self.add(self.entry.0),
            Some(Place::Loc) => {
                if let Some(last) = self.urls.last_mut() {
                    last.url = last.url.trim_matches(is_blank).to_owned();
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Adds the URL of a `loc` that begins at byte `at`; its text follows.
    fn add(&mut self, at: usize) -> Result<(), String> {
        if self.urls.len() >= MAX_SITEMAP_URLS {
            return Err(too_many());
        }
        let (from, line) = self.counted;
        let between = self.text.get(from..at).unwrap_or_default();
        let line = line + line_ends(between.as_bytes());
        self.counted = (at, line);
        let url = String::new();
        self.urls.push(SitemapUrl { url, line });
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if self.open.last() == Some(&Place::Loc)
            && let Some(last) = self.urls.last_mut()
        {
            last.url.push_str(text);
        }
    }

    fn into_sitemap(self) -> Sitemap {
        if self.is_index {
            Sitemap::Index(self.urls)
        } else {
            Sitemap::Pages(self.urls)
        }
    }
}
