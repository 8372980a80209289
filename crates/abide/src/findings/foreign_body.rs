//! Bodies that are no robots.txt: what a site serves in its place.

use crate::diagnostic::{Code, Diagnostic};
use crate::policy::Robots;
use crate::text::Text;
use std::fmt;

/// What the body of a robots.txt is, if it is something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ForeignBody {
    /// An HTML page.
    Html,
    /// A sitemap, or an index of sitemaps, in XML.
    Sitemap,
    /// Compressed with gzip, although no field of the response says so.
    Gzip,
    /// Compressed with zstd, in the same way.
    Zstd,
}

crate::named!(
    ForeignBody,
    [
        Html = "html",
        Sitemap = "sitemap",
        Gzip = "gzip",
        Zstd = "zstd"
    ]
);

impl ForeignBody {
    /// The code of the finding about it.
    #[must_use]
    pub const fn code(self) -> Code {
        match self {
            Self::Html => Code::HtmlPage,
            Self::Sitemap => Code::SitemapBody,
            Self::Gzip | Self::Zstd => Code::CompressedBody,
        }
    }

    pub(super) fn diagnostic(self) -> Diagnostic {
        let message = match self {
            Self::Html | Self::Sitemap => format!(
                "this is {self}, not a robots.txt: robots find no rules, and may crawl the whole site"
            ),
            Self::Gzip | Self::Zstd => format!(
                "the body is {self}, and no robot reads it: robots find no rules, and may crawl the \
                 whole site"
            ),
        };
        Diagnostic::of_decision(self.code(), message)
    }
}

/// In words: `an HTML page`, `gzip (1f 8b)`.
impl fmt::Display for ForeignBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Html => "an HTML page",
            Self::Sitemap => "a sitemap",
            Self::Gzip => "gzip (1f 8b)",
            Self::Zstd => "zstd (28 b5 2f fd)",
        })
    }
}

impl Robots {
    /// What the file is, if it is no robots.txt: an HTML page or a sitemap begins like one and
    /// names no robot, and compressed bytes begin with their mark.
    ///
    /// ```
    /// use abide::{Robots, syntax::ForeignBody};
    /// let page = Robots::parse(b"<!doctype html><title>Not found</title>");
    /// assert_eq!(page.foreign_body(), Some(ForeignBody::Html));
    /// let sitemap = Robots::parse(b"<?xml version='1.0'?>\n<urlset></urlset>");
    /// assert_eq!(sitemap.foreign_body(), Some(ForeignBody::Sitemap));
    /// assert_eq!(Robots::parse(b"<b>\nUser-agent: *\nDisallow: /\n").foreign_body(), None);
    /// ```
    #[must_use]
    pub fn foreign_body(&self) -> Option<ForeignBody> {
        foreign_body(self.text(), !self.groups().is_empty())
    }
}

/// What a text is, if it is no robots.txt; `has_groups` says whether it names a robot.
pub(super) fn foreign_body(text: &Text<'_>, has_groups: bool) -> Option<ForeignBody> {
    let bytes = text.as_bytes();
    match bytes {
        [0x1f, 0x8b, ..] => return Some(ForeignBody::Gzip),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => return Some(ForeignBody::Zstd),
        _ => {}
    }
    let start = bytes
        .get(text.body()..)
        .unwrap_or_default()
        .trim_ascii_start();
    let is_tag = matches!(start, [b'<', next, ..] if next.is_ascii_alphabetic() || matches!(next, b'!' | b'?'));
    if !is_tag || has_groups {
        return None;
    }
    Some(match root(start) {
        Some(b"urlset" | b"sitemapindex") => ForeignBody::Sitemap,
        _ => ForeignBody::Html,
    })
}

/// The name of the root element, without its prefix, of a text that begins with a tag.
fn root(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    loop {
        let end: &[u8] = match rest {
            [b'<', b'?', ..] => b"?>",
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'!', ..] => b">",
            [b'<', name @ ..] => {
                let is_end = |byte: &u8| matches!(byte, b'>' | b'/') || byte.is_ascii_whitespace();
                let name = name.split(is_end).next()?;
                return name.rsplit(|byte| *byte == b':').next();
            }
            _ => return None,
        };
        let after = memchr::memmem::find(rest, end)?;
        rest = rest
            .get(after.saturating_add(end.len())..)?
            .trim_ascii_start();
    }
}
