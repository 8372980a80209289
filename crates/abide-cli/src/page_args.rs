//! The pages that the arguments describe: the response, the documents beside robots.txt, the
//! history with the page, and the time of the decision.

use crate::args::{AcapArgs, TagArgs, VocabularyArgs};
use crate::exit::{note, warn};
use crate::file_arg::FileArg;
use crate::server_config;
use crate::source::{read_file, read_up_to};
use abide::explain::{visible, visible_url};
use abide::preference::{Documents, LicenceState, tdmrep};
use abide::tag::{FieldLine, Response};
use abide::{History, Moment, Target, Version};
use abide_html::Resources;
use anyhow::{Context, anyhow};
use std::io;

/// The largest size of a head, in bytes.
const MAX_HEAD_BYTES: usize = 1 << 20;

/// What the arguments say about every page.
pub(crate) struct PageContext<'a> {
    pub(crate) response: Response,
    pub(crate) documents: Documents,
    pub(crate) now: Moment,
    /// The history with the page, for ACAP.
    pub(crate) acap: Option<&'a AcapArgs>,
}

impl PageContext<'_> {
    /// A URL with all that is known of its page.
    pub(crate) fn described<'t>(&'t self, target: Target<'t>) -> Target<'t> {
        let target = target
            .with_response(&self.response)
            .with_documents(&self.documents)
            .with_now(self.now);
        let Some(acap) = self.acap else {
            return target;
        };
        target.with_history(History {
            first_indexed: acap.first_indexed,
            first_copied: acap.first_copied,
            version: if acap.old_version {
                Version::Old
            } else {
                Version::Latest
            },
        })
    }
}

/// The response that the arguments describe.
pub(crate) fn response(args: &TagArgs) -> anyhow::Result<Response> {
    let mut fields = field_lines(&args.headers)?;
    if let Some(name) = &args.head {
        let bytes = read("--response-head", name, MAX_HEAD_BYTES)?;
        let configured = configured_fields(&bytes, "--response-head")?;
        fields.extend(configured.unwrap_or_else(|| last_head(&bytes)));
    }
    let page = page("--html", args.html.as_ref())?;
    let final_dom = self::page("--rendered-html", args.rendered_html.as_ref())?;
    let final_dom = final_dom.as_deref().map(String::from_utf8_lossy);
    Ok(abide_html::response(
        &fields,
        page.as_deref(),
        final_dom.as_deref(),
    ))
}

/// What the page of `--html` loads.
pub(crate) fn resources(args: &TagArgs) -> anyhow::Result<Resources> {
    let page = page("--html", args.html.as_ref())?;
    let fields = field_lines(&args.headers)?;
    Ok(abide_html::resources(&fields, &page.unwrap_or_default()))
}

fn page(option: &str, name: Option<&FileArg>) -> anyhow::Result<Option<Vec<u8>>> {
    name.map(|name| read(option, name, abide_html::MAX_BYTES))
        .transpose()
}

/// Reads up to `limit` bytes of a file or stdin, and one more if there is one.
fn read(option: &str, name: &FileArg, limit: usize) -> anyhow::Result<Vec<u8>> {
    let hint = format!("{option} takes a file, or \"-\" for stdin");
    let bytes = if name.is_stdin() {
        read_up_to(io::stdin().lock(), 0, limit).context(hint)?
    } else {
        read_file(name, limit, &hint)?
    };
    Ok(bytes.to_vec())
}

/// The field lines given one by one.
pub(crate) fn field_lines(given: &[String]) -> anyhow::Result<Vec<FieldLine>> {
    let line = |line: &String| {
        FieldLine::read(line.as_bytes()).with_context(|| {
            format!("in --header: expected a field line such as \"Robots-Tag: *;noindex\", but found \"{}\"", visible(line.as_bytes()))
        })
    };
    given.iter().map(line).collect()
}

/// The field lines that a configuration of nginx or Apache sets; `None` if `bytes` are none. Warns
/// of a section, because abide does not know whether it serves the page.
pub(crate) fn configured_fields(
    bytes: &[u8],
    source: &str,
) -> anyhow::Result<Option<Vec<FieldLine>>> {
    let Some(read) = server_config::read(bytes) else {
        return Ok(None);
    };
    let configured = read.map_err(|error| anyhow!("{source}, {error}"))?;
    if let Some((section, line)) = configured.section {
        warn(&format!(
            "{source}, line {line}: the fields are set in {section}, which is not considered: they count whatever the path"
        ));
    }
    if let Some(assumption) = configured.assumption {
        note(&format!("note: {source}: {assumption}"));
    }
    Ok(Some(configured.fields))
}

/// The field lines of the last head in `bytes`: `curl -i -L` writes one for every redirect, and
/// only the final response counts (AMB-TAG-16). Ignores a body after the heads.
pub(crate) fn last_head(bytes: &[u8]) -> Vec<FieldLine> {
    let mut lines: Vec<FieldLine> = Vec::new();
    let mut ended = false;
    for line in bytes.split(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let starts = line.starts_with(b"HTTP/");
        if ended && !starts {
            break;
        }
        if starts {
            lines.clear();
            ended = false;
        } else if line.is_empty() {
            ended = true;
        } else if let Some(field) = FieldLine::read(line) {
            lines.push(field);
        }
    }
    lines
}

/// What the files of `--tdmrep` and `--rsl` say.
pub(crate) fn documents(args: &VocabularyArgs) -> anyhow::Result<Documents> {
    let mut documents = Documents::default();
    if let Some(name) = &args.tdmrep {
        let body = read("--tdmrep", name, tdmrep::MAX_BYTES)?;
        documents = abide_documents::add_tdmrep(documents, &body);
    }
    for (url, file) in &args.licences {
        let limit = abide_documents::MAX_RSL_BYTES;
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
