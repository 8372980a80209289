//! Lists of URLs: text with one URL per line, or a sitemap. Either may be compressed with gzip.
//! What a list is, its first bytes say.

use crate::chunks::Input;
use crate::file_arg::FileArg;
use crate::lines;
use crate::source::read_up_to;
use abide::explain::{counted, visible_url};
use abide_documents::{SITEMAP_LIMIT, Sitemap, SitemapUrl};
use anyhow::{Context as _, bail};
use flate2::read::MultiGzDecoder;
use std::io::{self, Cursor, Read};

/// How a gzip file begins.
const GZIP: &[u8] = b"\x1f\x8b";

/// A list of URLs.
pub(crate) enum UrlList {
    /// Text, and its size, if it is known.
    Lines(Box<dyn Read + Send>, Option<u64>),
    /// The pages of a sitemap.
    Sitemap(Vec<SitemapUrl>),
    /// Arguments; each counts as a line.
    Arguments(Vec<String>),
}

impl UrlList {
    /// Opens the list in the file `name`, or on stdin. Text is read later; a sitemap is read at
    /// once and as a whole, so that one that is broken has no answers. `hint` is the advice in the
    /// error if the file does not exist.
    pub(crate) fn open(name: &FileArg, hint: &str) -> anyhow::Result<Self> {
        let cannot_read = || format!("cannot read {}", name.shown());
        let (input, mut size) = lines::open(name, hint)?;
        let (is_gzip, mut input) = begins(input, is_gzip).with_context(cannot_read)?;
        if is_gzip {
            input = Box::new(MultiGzDecoder::new(input));
            size = None;
        }
        let (is_xml, input) = begins(input, is_xml).with_context(cannot_read)?;
        if !is_xml {
            return Ok(Self::Lines(input, size));
        }
        let bytes = read_up_to(input, 0, SITEMAP_LIMIT).with_context(cannot_read)?;
        match abide_documents::sitemap(&bytes) {
            Ok(Sitemap::Pages(pages)) => Ok(Self::Sitemap(pages)),
            Ok(Sitemap::Index(sitemaps)) => bail!(index(name, &sitemaps)),
            Ok(_) => bail!("{name} is a sitemap of a kind that abide does not know"),
            Err(error) => bail!("{}, {error}", name.shown()),
        }
    }

    /// Whether it is a sitemap.
    pub(crate) fn is_sitemap(&self) -> bool {
        matches!(self, Self::Sitemap(_))
    }

    /// The number of bytes that are read, if it is known.
    pub(crate) fn size(&self) -> Option<u64> {
        match self {
            Self::Lines(_, size) => *size,
            Self::Sitemap(_) | Self::Arguments(_) => None,
        }
    }

    /// The URLs, each with the number of its line. A line of text may have `longest` bytes.
    pub(crate) fn into_input(self, longest: usize) -> Input {
        match self {
            Self::Lines(lines, _) => Input::new(lines, longest),
            Self::Sitemap(pages) => {
                let pages = pages.into_iter().map(|page| (page.line, page.url));
                Input::listed(pages.collect(), longest)
            }
            Self::Arguments(urls) => Input::listed((1..).zip(urls).collect(), longest),
        }
    }
}

/// Why a sitemap index has no pages, and what to name instead.
fn index(name: &FileArg, sitemaps: &[SitemapUrl]) -> String {
    const SHOWN: usize = 10;
    let first = sitemaps.iter().take(SHOWN);
    let first: Vec<_> = first.map(|one| visible_url(&one.url)).collect();
    let more = match sitemaps.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "{} is a sitemap index, which lists no pages; save the {} that it lists, and name each: {}{more}",
        name.shown(),
        counted(sitemaps.len() as u64, "sitemap"),
        first.join(", ")
    )
}

/// Whether an input begins as `is` says, and the whole input. `is` gets what was read so far, and
/// says `None` if that is not enough. No more is read than that takes: a program may write one URL
/// and wait for its answer.
fn begins(
    mut input: Box<dyn Read + Send>,
    is: fn(&[u8]) -> Option<bool>,
) -> io::Result<(bool, Box<dyn Read + Send>)> {
    const MOST: usize = 64 << 10;
    let mut start = Vec::new();
    let mut room = [0; 4096];
    while is(&start).is_none() && start.len() < MOST {
        match input.read(&mut room) {
            Ok(0) => break,
            Ok(read) => start.extend_from_slice(room.get(..read).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let is = is(&start) == Some(true);
    Ok((is, Box::new(Cursor::new(start).chain(input))))
}

fn is_gzip(start: &[u8]) -> Option<bool> {
    let is_part = start.len() < GZIP.len() && GZIP.starts_with(start);
    (!is_part).then(|| start.starts_with(GZIP))
}

/// Whether the first character behind a byte order mark and blanks is `<`, with which no URL
/// begins.
fn is_xml(start: &[u8]) -> Option<bool> {
    const MARKS: [&[u8]; 3] = [b"\xEF\xBB\xBF", b"\xFE\xFF", b"\xFF\xFE"];
    let is_part = |mark: &&[u8]| start.len() < mark.len() && mark.starts_with(start);
    if MARKS.iter().any(is_part) {
        return None;
    }
    let mark = MARKS.iter().find(|mark| start.starts_with(mark));
    let mut rest = start.iter().skip(mark.map_or(0, |mark| mark.len()));
    // UTF-16 has NUL bytes between its characters.
    let first = rest.find(|byte| !byte.is_ascii_whitespace() && **byte != 0)?;
    Some(*first == b'<')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_what_its_first_bytes_say() {
        for (start, is) in [
            (&b""[..], None),
            (b"<", Some(true)),
            (b" \r\n\t<urlset>", Some(true)),
            (b"\xEF\xBB\xBF<", Some(true)),
            (b"\xEF\xBB", None),
            (b"\xEF\xBB\xBF", None),
            (b"\xFF\xFE<\0", Some(true)),
            (b"\xFE\xFF\0<", Some(true)),
            (b"/<a>", Some(false)),
            (b"\n/", Some(false)),
            (b"\xEF\xBC", Some(false)),
        ] {
            assert_eq!(is_xml(start), is, "{start:?}");
        }
        assert_eq!(
            [&b""[..], b"\x1f", b"\x1f\x8b", b"/"].map(is_gzip),
            [None, None, Some(true), Some(false)]
        );
    }
}
