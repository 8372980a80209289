//! Tokens to the style sheets, scripts and images that a page loads.

use crate::encoding::Piece;
use crate::head::{Scripting, attribute, content_of};
use crate::{Resource, ResourceKind};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The target of the first `base` element that has one.
    pub(crate) base: Option<String>,
    pub(crate) resources: Vec<Resource>,
    known: BTreeSet<Resource>,
    /// Template elements that are open: what is in them is not loaded.
    templates: u32,
}

/// Reads what a page loads when scripts run, as they do for search robots: what a `noscript`
/// holds is not loaded.
pub(crate) fn read(pieces: impl Iterator<Item = Piece>) -> Found {
    let tokenizer = Tokenizer::new(Loader::default(), TokenizerOpts::default());
    let queue = BufferQueue::default();
    for piece in pieces {
        queue.push_back(StrTendril::from(piece.text.as_str()));
        // Scripts are not run, so the tokenizer never has to wait for one.
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}

#[derive(Default)]
struct Loader(RefCell<Found>);

impl TokenSink for Loader {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        match &token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                self.start(tag);
                content_of(&tag.name, Scripting::On)
            }
            Token::TagToken(tag) if &*tag.name == "template" => {
                let mut found = self.0.borrow_mut();
                found.templates = found.templates.saturating_sub(1);
                TokenSinkResult::Continue
            }
            _ => TokenSinkResult::Continue,
        }
    }
}

impl Loader {
    fn start(&self, tag: &Tag) {
        let mut found = self.0.borrow_mut();
        match &*tag.name {
            "template" => found.templates = found.templates.saturating_add(1),
            _ if found.templates > 0 => {}
            "base" => {
                let target = attribute(tag, "href").map(str::to_owned);
                found.base = found.base.take().or(target);
            }
            _ => loaded(tag, |kind, url| found.add(kind, url)),
        }
    }
}

impl Found {
    fn add(&mut self, kind: ResourceKind, url: &str) {
        // Browsers remove blanks around a URL (the URL Standard, 4.4).
        let url = url.trim_ascii().to_owned();
        let resource = Resource { kind, url };
        if !resource.url.is_empty() && self.known.insert(resource.clone()) {
            self.resources.push(resource);
        }
    }
}

/// Calls `add` for what an element loads, or may load.
fn loaded(tag: &Tag, mut add: impl FnMut(ResourceKind, &str)) {
    let (kind, url, candidates) = match &*tag.name {
        "script" if is_program(tag) => (ResourceKind::Script, Some("src"), None),
        "img" => (ResourceKind::Image, Some("src"), Some("srcset")),
        // In a `picture`: that of audio and video has no `srcset`.
        "source" => (ResourceKind::Image, None, Some("srcset")),
        "link" => match linked(tag) {
            Some(ResourceKind::Image) => (ResourceKind::Image, Some("href"), Some("imagesrcset")),
            Some(kind) => (kind, Some("href"), None),
            None => return,
        },
        _ => return,
    };
    if let Some(url) = url.and_then(|name| attribute(tag, name)) {
        add(kind, url);
    }
    if let Some(all) = candidates.and_then(|name| attribute(tag, name)) {
        image_candidates(all).for_each(|url| add(kind, url));
    }
}

/// The URLs of a `srcset` (the HTML Standard, 4.8.4.3.10).
fn image_candidates(mut rest: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c == ',' || c.is_ascii_whitespace());
        let end = rest.find(|c: char| c.is_ascii_whitespace());
        let (url, behind) = rest.split_at(end.unwrap_or(rest.len()));
        let bare = url.trim_end_matches(',');
        let mut is_within = false;
        let is_end = |c: char| {
            is_within = c == '(' || (is_within && c != ')');
            c == ',' && !is_within
        };
        // A comma at its end says that no descriptor comes.
        let next = if bare == url {
            behind.find(is_end)
        } else {
            Some(0)
        };
        rest = next.and_then(|at| behind.get(at..)).unwrap_or_default();
        (!bare.is_empty()).then_some(bare)
    })
}

/// Whether browsers run a script: by its type it is JavaScript, or a module.
fn is_program(tag: &Tag) -> bool {
    let kind = attribute(tag, "type").unwrap_or_default().trim_ascii();
    let kind = kind.to_ascii_lowercase();
    kind.is_empty()
        || kind == "module"
        || kind.ends_with("javascript")
        || kind.ends_with("ecmascript")
}

/// What a `link` loads.
fn linked(tag: &Tag) -> Option<ResourceKind> {
    let words = attribute(tag, "rel").unwrap_or_default();
    let is = |name| {
        let mut words = words.split_ascii_whitespace();
        words.any(|word| word.eq_ignore_ascii_case(name))
    };
    if is("stylesheet") {
        return Some(ResourceKind::Style);
    }
    if is("modulepreload") {
        return Some(ResourceKind::Script);
    }
    let destination = attribute(tag, "as").filter(|_| is("preload"))?;
    match &*destination.to_ascii_lowercase() {
        "style" => Some(ResourceKind::Style),
        "script" => Some(ResourceKind::Script),
        "image" => Some(ResourceKind::Image),
        _ => None,
    }
}
