//! Reads a list of URLs.

use crate::chunks::Chunk;
use crate::exit::warn;
use crate::file_arg::FileArg;
use crate::lines::Line;
use crate::url_list::UrlList;
use abide::Target;
use abide::explain::visible_url;
use abide_lint::compare::ChangedUrls;
use anyhow::{Context, ensure};

/// The largest size of a list of URLs, in bytes: those that change are kept.
const LIMIT: usize = 64 << 20;

/// Adds the URLs in the file `name` to `urls`. Reports invalid lines on stderr and skips them.
pub(super) fn add_all(name: &FileArg, urls: &mut ChangedUrls) -> anyhow::Result<()> {
    let hint = "--urls takes a file of URLs, one a line, or a sitemap";
    let mut input = UrlList::open(name, hint)?.into_input(LIMIT);
    let mut chunk = Chunk::default();
    let mut size = 0;
    while input.read(&mut chunk) {
        for (number, line, bytes) in chunk.lines() {
            size += bytes.len();
            ensure!(
                line != Line::TooLong && size <= LIMIT,
                "{name} is longer than {LIMIT} bytes; split it"
            );
            if line == Line::Blank {
                continue;
            }
            let text = String::from_utf8_lossy(bytes);
            let url = text.trim();
            match Target::new(url) {
                Ok(target) => urls.add(&target),
                Err(error) => warn(&format!(
                    "{name}, line {number}: {error}: {}",
                    visible_url(url)
                )),
            }
        }
    }
    input
        .into_result()
        .with_context(|| format!("cannot read {name}"))
}
