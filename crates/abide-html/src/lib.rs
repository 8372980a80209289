//! Robots meta elements of HTML pages (TAG-24 to TAG-34, AMB-TAG-9, AMB-TAG-10, CLA-19), and the
//! RSL licences that pages name or contain (PREF-90, PREF-91, CLA-PREF-9).
//!
//! Only elements in the head count, and HTML's own rules say where the head ends: text, a
//! `<div>`, an end tag `</br>` begin the body whatever was meant. This crate follows these rules
//! with a tokenizer and the few insertion modes before the body, and builds no tree, for a page can
//! make that take quadratic time. It looks at a bounded part of a page ([`MAX_BYTES`]) in linear
//! time.
//!
//! ```
//! let page = abide_html::initial(b"<title>x</title><META NAME=Robots CONTENT=noindex><p>", None);
//! assert_eq!(page.metas[0].content, "noindex");
//! assert_eq!(page.metas[0].offset, 16);
//! ```
//!
//! - `reach`: how far a page must be read. `encoding`: bytes to text.
//! - `head`: tokens to elements. `resources`: tokens to what a page loads.

// What users may match and build completely is said with its reason.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

mod encoding;
mod head;
mod reach;
mod resources;

use abide::preference::LicenceLink;
use abide::tag::{FieldLine, Meta, MisspeltMeta, Response};
use abide::verdict::Source;
use head::Elements;
use reach::Reach;
use std::collections::BTreeSet;

/// How many bytes of a page are read: 512 KiB. The floor is 8 KiB (TAG-34).
pub const MAX_BYTES: usize = 512 << 10;

/// What was found in a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// Meta elements of the head that have a name and a content, in order.
    pub metas: Vec<Meta>,
    /// Those outside of the head, which do not count (TAG-31).
    pub outside: Vec<Meta>,
    /// Meta elements anywhere with `http-equiv` and without a name. [`Meta::name`] is that
    /// attribute.
    pub http_equivs: Vec<Meta>,
    /// Elements anywhere that were probably meant as robots meta elements, and are none.
    pub misspelt: Vec<MisspeltMeta>,
    /// The RSL licences of the head, in order: links, and in the source also the documents that
    /// scripts contain. A document that [`MAX_BYTES`] cuts is unreadable.
    pub licences: Vec<LicenceLink>,
    /// Those outside of the head. They are about a part of the page, and do not count (PREF-90).
    pub scoped_licences: Vec<LicenceLink>,
    /// Targets of links in the head that have the relation `license`, and another type than that of
    /// RSL or none. They do not count (PREF-90).
    pub untyped_licences: Vec<String>,
    /// Whether the page is longer than [`MAX_BYTES`]; the rest was not read.
    pub truncated: bool,
}

/// What a page loads, in the order in which it names it, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resources {
    /// What relative URLs are relative to, as the page says it; `None` for the page's own URL.
    pub base: Option<String>,
    /// Style sheets, scripts and images.
    pub resources: Vec<Resource>,
}

/// A style sheet, a script or an image.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Resource {
    /// What it is.
    pub kind: ResourceKind,
    /// Its URL, as written, without the blanks around it.
    pub url: String,
}

/// What a resource is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ResourceKind {
    /// `<link rel=stylesheet href=…>`, or `rel=preload as=style`
    Style,
    /// `<script src=…>`, or `<link rel=modulepreload href=…>`, or `rel=preload as=script`
    Script,
    /// `<img src=… srcset=…>`, `<source srcset=…>`, or `<link rel=preload as=image href=…>`
    Image,
}

/// What a page loads, from its source as it came; `fields` are those of its response. What style
/// sheets and scripts load in turn is not known, nor what is behind [`MAX_BYTES`].
///
/// ```
/// let page = b"<link rel=stylesheet href=/a.css><script src='app.js'></script><img src=x.png>";
/// let loaded = abide_html::resources(&[], page);
/// let urls: Vec<&str> = loaded.resources.iter().map(|one| one.url.as_str()).collect();
/// assert_eq!(urls, ["/a.css", "app.js", "x.png"]);
/// ```
#[must_use]
pub fn resources(fields: &[FieldLine], page: &[u8]) -> Resources {
    let kept = page.get(..MAX_BYTES).unwrap_or(page);
    let found = resources::read(encoding::pieces(kept, charset(fields).as_deref()));
    Resources {
        base: found.base,
        resources: found.resources,
    }
}

/// What a response says: its fields, its page as it came, and the page's final DOM, serialised.
///
/// ```
/// use abide::tag::FieldLine;
/// let fields = [FieldLine::new("Content-Type", "text/html; charset=utf-8")];
/// let page = b"<meta name=robots content=noindex>";
/// let response = abide_html::response(&fields, Some(page), None);
/// assert_eq!(response.statements().len(), 1);
/// ```
#[must_use]
pub fn response(fields: &[FieldLine], page: Option<&[u8]>, final_dom: Option<&str>) -> Response {
    let mut response = match page {
        Some(bytes) => response_and_page(fields, bytes).0,
        None => Response::new(fields),
    };
    if let Some(text) = final_dom {
        let page = rendered(text);
        response = response.with_rendered_metas(&page.metas);
        response = with_rest(response, page, Source::RenderedMeta);
    }
    response
}

/// What a response says, and what was found in its page, as it came.
///
/// ```
/// let page = b"<meta name=tdm-reservation content=1>";
/// let (_, found) = abide_html::response_and_page(&[], page);
/// assert_eq!(found.metas[0].content, "1");
/// ```
#[must_use]
pub fn response_and_page(fields: &[FieldLine], page: &[u8]) -> (Response, Page) {
    let page = initial(page, charset(fields).as_deref());
    let response = Response::new(fields).with_source_metas(&page.metas);
    (with_rest(response, page.clone(), Source::Meta), page)
}

/// Adds what `page` has beside the metas of its head.
fn with_rest(response: Response, page: Page, source: Source) -> Response {
    let response = response
        .with_body_metas(&page.outside, source)
        .with_http_equivs(&page.http_equivs)
        .with_misspelt_metas(&page.misspelt)
        .with_licences(page.licences)
        .with_scoped_licences(page.scoped_licences)
        .with_untyped_licences(page.untyped_licences);
    if page.truncated {
        response.with_cut_at(MAX_BYTES)
    } else {
        response
    }
}

/// The charset that the fields name.
fn charset(fields: &[FieldLine]) -> Option<String> {
    let field = fields
        .iter()
        .find(|field| field.name.eq_ignore_ascii_case("content-type"))?;
    let value = String::from_utf8_lossy(&field.value).to_ascii_lowercase();
    let (_, label) = value.split_once("charset=")?;
    Some(label.split(';').next()?.trim().trim_matches('"').to_owned())
}

/// Reads the source of a page as it came. `charset` is what the response's `Content-Type` names.
///
/// A source with a `noscript` is read twice, as a client reads it that runs scripts and as one that
/// does not, and an element in the head of either counts: an image in a `noscript` must not hide a
/// later `noindex` (CLA-19).
#[must_use]
pub fn initial(page: &[u8], charset: Option<&str>) -> Page {
    let kept = page.get(..MAX_BYTES).unwrap_or(page);
    let reach = encoding::pieces(kept, charset).reach();
    read_source(kept, charset, reach, kept.len() < page.len())
}

/// Reads the source of a page as far as `reach` says.
fn read_source(kept: &[u8], charset: Option<&str>, reach: Reach, truncated: bool) -> Page {
    let pieces = || encoding::pieces(kept, charset);
    let read = |scripting| head::read(pieces(), scripting, reach.end, truncated);
    let without = read(head::Scripting::Off);
    // Without a `noscript`, both clients read the same.
    let with = if reach.has_noscript {
        read(head::Scripting::On)
    } else {
        Elements::default()
    };
    let metas = in_either(without.metas, with.metas, meta_offset);
    let licences = in_either(without.licences, with.licences, licence_offset);
    let untyped = in_either(
        without.untyped_licences,
        with.untyped_licences,
        |&(offset, _)| offset,
    );
    Page {
        outside: not_in(without.outside, &metas, meta_offset),
        scoped_licences: not_in(without.scoped_licences, &licences, licence_offset),
        metas,
        http_equivs: without.http_equivs,
        misspelt: without.misspelt,
        licences,
        untyped_licences: targets(untyped),
        truncated,
    }
}

/// Reads the final DOM of a page, serialised: scripts have run. Licence documents in scripts are
/// those of the source (PREF-91).
#[must_use]
pub fn rendered(page: &str) -> Page {
    let bytes = page.as_bytes();
    let kept = bytes.get(..MAX_BYTES).unwrap_or(bytes);
    let truncated = kept.len() < bytes.len();
    let pieces = encoding::pieces(kept, Some("utf-8"));
    let end = pieces.reach().end;
    let mut found = head::read(pieces, head::Scripting::On, end, truncated);
    found.licences.retain(is_element);
    found.scoped_licences.retain(is_element);
    Page {
        metas: found.metas,
        outside: found.outside,
        http_equivs: found.http_equivs,
        misspelt: found.misspelt,
        licences: found.licences,
        scoped_licences: found.scoped_licences,
        untyped_licences: targets(found.untyped_licences),
        truncated,
    }
}

fn meta_offset(meta: &Meta) -> u64 {
    meta.offset
}

fn licence_offset(link: &LicenceLink) -> u64 {
    match link {
        LicenceLink::Element { offset, .. } | LicenceLink::Inline { offset, .. } => *offset,
    }
}

/// The targets of links.
fn targets(links: Vec<(u64, String)>) -> Vec<String> {
    links.into_iter().map(|(_, target)| target).collect()
}

fn is_element(link: &LicenceLink) -> bool {
    matches!(link, LicenceLink::Element { .. })
}

/// What either reading of a source has found, each element once, in order.
fn in_either<T>(mut first: Vec<T>, second: Vec<T>, offset: fn(&T) -> u64) -> Vec<T> {
    first.extend(not_in(second, &first, offset));
    first.sort_by_key(offset);
    first
}

/// What is in `found` but not among `others`.
fn not_in<T>(mut found: Vec<T>, others: &[T], offset: fn(&T) -> u64) -> Vec<T> {
    let others: BTreeSet<u64> = others.iter().map(offset).collect();
    found.retain(|one| !others.contains(&offset(one)));
    found
}

/// The README's example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
