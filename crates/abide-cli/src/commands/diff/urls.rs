//! Reads a list of URLs.

use crate::exit::warn;
use crate::file_arg::FileArg;
use crate::source::{read_file, read_up_to};
use abide::Target;
use abide::explain::visible_url;
use abide_lint::compare::ChangedUrls;
use anyhow::{Context, ensure};

/// The largest size of a list of URLs, in bytes.
const LIMIT: usize = 64 << 20;

/// Adds the URLs in the file `name` to `urls`. Reports invalid lines on stderr and skips them.
pub(super) fn add_all(name: &FileArg, urls: &mut ChangedUrls<'_>) -> anyhow::Result<()> {
    let bytes = if name.is_stdin() {
        read_up_to(std::io::stdin().lock(), 0, LIMIT).context("cannot read URLs from stdin")?
    } else {
        read_file(name, LIMIT, "--urls takes a file of URLs, one a line")?
    };
    ensure!(
        bytes.len() <= LIMIT,
        "{name} is longer than {LIMIT} bytes; split it"
    );
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().map(str::trim).enumerate();
    for (at, url) in lines.filter(|(_, line)| !line.is_empty()) {
        match Target::new(url) {
            Ok(target) => urls.add(&target),
            Err(error) => warn(&format!(
                "{name}, line {}: {error}: {}",
                at + 1,
                visible_url(url)
            )),
        }
    }
    Ok(())
}
