//! The documents beside robots.txt that the arguments name.

use crate::args::VocabularyArgs;
use crate::exit::warn;
use crate::page_response;
use crate::source::read_file;
use abide::Target;
use abide::explain::visible_url;
use abide::preference::{Documents, LicenceState, tdmrep};

/// What the files of `--tdmrep` and `--rsl` say.
pub(crate) fn given(args: &VocabularyArgs) -> anyhow::Result<Documents> {
    let mut documents = Documents::default();
    if let Some(name) = &args.tdmrep {
        let body = page_response::read("--tdmrep", name, tdmrep::LIMIT)?;
        documents = abide_documents::add_tdmrep(documents, &body);
    }
    for (url, file) in &args.licences {
        let limit = abide_documents::RSL_LIMIT;
        let body = read_file(file, limit, "--rsl takes URL=FILE")?;
        documents = abide_documents::add_rsl(documents, url, &body);
    }
    Ok(documents)
}

/// Warns of licences for whole URLs if `pages` has paths, whose site nobody knows: such licences do
/// not count for them. `remedy` says what to name instead.
pub(crate) fn warn_of_whole_urls(
    documents: &Documents,
    pages: impl IntoIterator<Item: AsRef<str>>,
    remedy: &str,
) {
    let mut pages = pages.into_iter();
    if !pages.any(|page| page.as_ref().starts_with('/')) {
        return;
    }
    for (url, state) in documents.licences() {
        let LicenceState::Read(document) = state else {
            continue;
        };
        let mut urls = document.contents.iter().map(|content| &*content.url);
        let is_whole = |url: &&str| Target::new(url).is_ok_and(|target| target.is_absolute());
        if let Some(whole) = urls.find(is_whole) {
            warn(&format!(
                "{} licenses whole URLs such as {}, and these licences do not count for paths: {remedy}",
                visible_url(url),
                visible_url(whole)
            ));
        }
    }
}
