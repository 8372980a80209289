//! Reads the sitemaps of `abide lint --sitemap`.

use crate::chunks::Chunk;
use crate::exit::warn;
use crate::file_arg::FileArg;
use crate::lines::Line;
use crate::url_list::UrlList;
use abide::Target;
use abide::explain::visible_url;
use abide_documents::{SITEMAP_LIMIT, SITEMAP_URLS};
use abide_fetch::as_sent;
use anyhow::{Context as _, ensure};

/// The URLs in all sitemaps, as web clients send them. Reports those that cannot be read on stderr.
pub(super) fn urls(sitemaps: &[FileArg]) -> anyhow::Result<Vec<String>> {
    let mut urls = Vec::new();
    for name in sitemaps {
        add_all(name, &mut urls)?;
    }
    Ok(urls)
}

fn add_all(name: &FileArg, urls: &mut Vec<String>) -> anyhow::Result<()> {
    let hint = "--sitemap takes a sitemap, a file of URLs, or \"-\" for stdin";
    let mut input = UrlList::open(name, hint)?.into_input(SITEMAP_LIMIT);
    let mut chunk = Chunk::default();
    let (mut count, mut size) = (0, 0);
    while input.read(&mut chunk) {
        for (number, line, bytes) in chunk.lines() {
            count += usize::from(line != Line::Blank);
            size += bytes.len();
            ensure!(
                line != Line::TooLong && size <= SITEMAP_LIMIT && count <= SITEMAP_URLS,
                "{} has more than {SITEMAP_URLS} URLs or {SITEMAP_LIMIT} bytes, the most that a sitemap \
                 may have; split it",
                name.shown()
            );
            if line == Line::Blank {
                continue;
            }
            let text = String::from_utf8_lossy(bytes);
            let url = text.trim();
            match Target::new(url) {
                Ok(target) => urls.push(as_sent(&target).unwrap_or_else(|| url.to_owned())),
                Err(error) => warn(&format!(
                    "{}, line {number}: {error}: {}",
                    name.shown(),
                    visible_url(url)
                )),
            }
        }
    }
    input
        .into_result()
        .with_context(|| format!("cannot read {}", name.shown()))
}
