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
        let (kind, url) = match &*tag.name {
            "template" => {
                found.templates = found.templates.saturating_add(1);
                return;
            }
            _ if found.templates > 0 => return,
            "base" => {
                let target = attribute(tag, "href").map(str::to_owned);
                found.base = found.base.take().or(target);
                return;
            }
            "script" if is_program(tag) => (ResourceKind::Script, attribute(tag, "src")),
            "img" => (ResourceKind::Image, attribute(tag, "src")),
            "link" if is_style_sheet(tag) => (ResourceKind::Style, attribute(tag, "href")),
            _ => return,
        };
        // Browsers remove blanks around a URL (the URL Standard, 4.4).
        let Some(url) = url.map(str::trim_ascii).filter(|url| !url.is_empty()) else {
            return;
        };
        let url = url.to_owned();
        let resource = Resource { kind, url };
        if found.known.insert(resource.clone()) {
            found.resources.push(resource);
        }
    }
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

fn is_style_sheet(tag: &Tag) -> bool {
    let words = attribute(tag, "rel").unwrap_or_default();
    let mut words = words.split_ascii_whitespace();
    words.any(|word| word.eq_ignore_ascii_case("stylesheet"))
}
