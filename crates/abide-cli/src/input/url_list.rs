//! Lists of URLs: text with one URL per line, or a sitemap. Either may be compressed with gzip.
//! What a list is, its first bytes say.

use crate::chunks::{Chunk, Input};
use crate::exit::warn;
use crate::file_arg::FileArg;
use crate::lines::{self, Line};
use crate::source::read_up_to;
use abide::Target;
use abide::explain::{counted, visible_url};
use abide_documents::{MAX_SITEMAP_BYTES, Sitemap, SitemapUrl};
use anyhow::{Context as _, bail, ensure};
use flate2::read::MultiGzDecoder;
use std::io::{self, Cursor, Read};

/// How a gzip file begins.
const GZIP: &[u8] = b"\x1f\x8b";

/// Opens the list of URLs in the file `name`, or on stdin. Text is read later, and a line of it may
/// have `longest` bytes; a sitemap is read at once and as a whole, so that one that is broken has
/// no answers. `hint` is the advice in the error if the file does not exist.
pub(crate) fn open(name: &FileArg, hint: &str, longest: usize) -> anyhow::Result<Input> {
    let shown = name.shown();
    let cannot_read = || format!("cannot read {shown}");
    let (input, mut size) = lines::open(name, hint)?;
    let (is_gzip, mut input) = begins(input, is_gzip).with_context(cannot_read)?;
    if is_gzip {
        input = Box::new(MultiGzDecoder::new(input));
        size = None;
    }
    let (is_xml, input) = begins(input, is_xml).with_context(cannot_read)?;
    if !is_xml {
        let mut input = Input::new(shown, input, longest);
        input.size = size;
        return Ok(input);
    }
    let bytes = read_up_to(input, 0, MAX_SITEMAP_BYTES).with_context(cannot_read)?;
    match abide_documents::sitemap(&bytes) {
        Ok(Sitemap::Pages(pages)) => {
            let pages = pages.into_iter().map(|page| (page.line, page.url));
            let mut input = Input::listed(shown, pages.collect(), longest);
            input.is_sitemap = true;
            Ok(input)
        }
        Ok(Sitemap::Index(sitemaps)) => bail!(index_advice(name, &sitemaps)),
        Ok(_) => bail!("{name} is a sitemap of a kind that abide does not know"),
        Err(error) => bail!("{shown}, {error}"),
    }
}

/// Calls `each` with the URLs of a list that is read as a whole, of at most so many URLs and bytes.
/// Skips lines that are no URLs, and warns of them. `is_too_long` says what a longer list is.
pub(crate) fn read_all(
    name: &FileArg,
    hint: &str,
    (most, bytes): (usize, usize),
    is_too_long: &str,
    mut each: impl FnMut(Target<'_>),
) -> anyhow::Result<()> {
    let mut input = open(name, hint, bytes)?;
    let mut chunk = Chunk::default();
    let (mut count, mut size) = (0, 0);
    while input.read(&mut chunk) {
        for (number, line, text) in chunk.lines() {
            count += usize::from(line != Line::Blank);
            size += text.len();
            ensure!(
                line != Line::TooLong && size <= bytes && count <= most,
                "{} {is_too_long}; split it",
                input.name
            );
            let text = String::from_utf8_lossy(text);
            let url = text.trim();
            match Target::new(url) {
                _ if line == Line::Blank => {}
                Ok(target) => each(target),
                Err(error) => warn(&format!(
                    "{}, line {number}: {error}: {}",
                    input.name,
                    visible_url(url)
                )),
            }
        }
    }
    input.into_result()
}

/// Why a sitemap index has no pages, and what to name instead.
pub(crate) fn index_advice(name: &FileArg, sitemaps: &[SitemapUrl]) -> String {
    const MAX_SHOWN: usize = 10;
    let first = sitemaps.iter().take(MAX_SHOWN);
    let first: Vec<_> = first.map(|one| visible_url(&one.url)).collect();
    let more = match sitemaps.len().saturating_sub(MAX_SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "{} is a sitemap index, which lists no pages; name it by its URL after --sitemap, or save the {} \
         that it lists and name each: {}{more}",
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
    const MAX_START_BYTES: usize = 64 << 10;
    let mut start = Vec::new();
    let mut room = [0; 4096];
    while is(&start).is_none() && start.len() < MAX_START_BYTES {
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

pub(crate) fn is_gzip(start: &[u8]) -> Option<bool> {
    let is_part = start.len() < GZIP.len() && GZIP.starts_with(start);
    (!is_part).then(|| start.starts_with(GZIP))
}

/// Whether the first character behind a byte order mark and blanks is `<`, with which no URL
/// begins.
pub(crate) fn is_xml(start: &[u8]) -> Option<bool> {
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
