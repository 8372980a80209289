//! Tokens to meta elements, by the insertion modes of the HTML standard that come before the body
//! (sections "before html" to "after head" of its tree construction).

use crate::encoding::Piece;
use abide::tag::Meta;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use std::cell::{Cell, RefCell};

/// Whether scripts run, which decides what a `noscript` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scripting {
    On,
    Off,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) metas: Vec<Meta>,
    pub(crate) outside: Vec<Meta>,
    pub(crate) http_equivs: Vec<Meta>,
}

/// Reads the meta elements of a page.
pub(crate) fn read(pieces: impl Iterator<Item = Piece>, scripting: Scripting) -> Found {
    let tokenizer = Tokenizer::new(Builder::new(scripting), TokenizerOpts::default());
    let queue = BufferQueue::default();
    for piece in pieces {
        tokenizer.sink.at_piece(&piece);
        queue.push_back(StrTendril::from(piece.text.as_str()));
        // Scripts are not run, so the tokenizer never has to wait for one.
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    tokenizer.sink.found.into_inner()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Before the head: "initial", "before html" and "before head" differ in nothing here.
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    /// From here on no meta element is in the head.
    InBody,
}

/// What the tokens so far mean.
struct Builder {
    scripting: Scripting,
    mode: Cell<Mode>,
    /// Template elements that are open. What is in them is no part of the page (AMB-TAG-10).
    templates: Cell<u32>,
    /// Whether an element is open whose content is text.
    in_text: Cell<bool>,
    /// Byte at which the tag begins that is being read.
    tag_start: Cell<Option<u64>>,
    found: RefCell<Found>,
}

impl Builder {
    fn new(scripting: Scripting) -> Self {
        Self {
            scripting,
            mode: Cell::new(Mode::BeforeHead),
            templates: Cell::new(0),
            in_text: Cell::new(false),
            tag_start: Cell::new(None),
            found: RefCell::default(),
        }
    }

    /// The first piece since the last token that begins with `<` is where a tag begins: a later one
    /// stands in an attribute.
    fn at_piece(&self, piece: &Piece) {
        if self.tag_start.get().is_none() && piece.text.starts_with('<') {
            self.tag_start.set(Some(piece.offset));
        }
    }

    fn text(&self, text: &str) {
        let blank = text
            .chars()
            .all(|c| matches!(c, '\t' | '\n' | '\u{c}' | '\r' | ' '));
        if !blank && !self.in_text.get() && self.templates.get() == 0 {
            self.mode.set(Mode::InBody);
        }
    }

    fn start(&self, tag: &Tag) -> TokenSinkResult<()> {
        let name = &*tag.name;
        if self.templates.get() > 0 {
            if name == "template" {
                self.templates.set(self.templates.get().saturating_add(1));
            }
            return self.content_of(name);
        }
        if self.mode.get() == Mode::InHeadNoscript && !allowed_in_noscript(name) {
            self.mode.set(Mode::InHead);
        }
        let in_noscript = self.mode.get() == Mode::InHeadNoscript;
        match name {
            "html" => return TokenSinkResult::Continue,
            "head" => {
                if self.mode.get() == Mode::BeforeHead {
                    self.mode.set(Mode::InHead);
                }
                return TokenSinkResult::Continue;
            }
            "noscript"
                if self.mode.get() == Mode::BeforeHead || self.mode.get() == Mode::InHead =>
            {
                let off = self.scripting == Scripting::Off;
                self.mode.set(if off {
                    Mode::InHeadNoscript
                } else {
                    Mode::InHead
                });
            }
            "noscript" if in_noscript => return TokenSinkResult::Continue,
            _ if belongs_to_head(name) => {
                if self.mode.get() == Mode::BeforeHead {
                    self.mode.set(Mode::InHead);
                }
            }
            _ => self.mode.set(Mode::InBody),
        }
        match name {
            "meta" => self.meta(tag),
            "template" => self.templates.set(1),
            _ => {}
        }
        self.content_of(name)
    }

    fn end(&self, name: &str) {
        if self.in_text.replace(false) {
            return;
        }
        if self.templates.get() > 0 {
            if name == "template" {
                self.templates.set(self.templates.get().saturating_sub(1));
            }
            return;
        }
        let mode = self.mode.get();
        match (mode, name) {
            (Mode::InHeadNoscript, "noscript") => self.mode.set(Mode::InHead),
            (Mode::BeforeHead | Mode::InHead, "head") => self.mode.set(Mode::AfterHead),
            (Mode::InHeadNoscript, "br") => self.mode.set(Mode::InBody),
            (Mode::InHeadNoscript, _) => {}
            (_, "body" | "html" | "br") => self.mode.set(Mode::InBody),
            _ => {}
        }
    }

    fn meta(&self, tag: &Tag) {
        let attribute = |name: &str| {
            let found = tag
                .attrs
                .iter()
                .find(|attribute| &*attribute.name.local == name);
            found.map(|attribute| attribute.value.to_string())
        };
        let Some(content) = attribute("content") else {
            return;
        };
        let offset = self.tag_start.get().unwrap_or_default();
        let meta = |name| Meta {
            name,
            content,
            offset,
        };
        let mut found = self.found.borrow_mut();
        let Some(name) = attribute("name") else {
            found.http_equivs.extend(attribute("http-equiv").map(meta));
            return;
        };
        let meta = meta(name);
        if self.mode.get() == Mode::InBody {
            found.outside.push(meta);
        } else {
            found.metas.push(meta);
        }
    }

    /// Tells the tokenizer what an element's content is, where it is text.
    fn content_of(&self, name: &str) -> TokenSinkResult<()> {
        let kind = match name {
            "title" | "textarea" => RawKind::Rcdata,
            "style" | "noframes" | "iframe" | "xmp" | "noembed" => RawKind::Rawtext,
            "noscript" if self.scripting == Scripting::On => RawKind::Rawtext,
            "script" => RawKind::ScriptData,
            "plaintext" => {
                self.in_text.set(true);
                return TokenSinkResult::Plaintext;
            }
            _ => return TokenSinkResult::Continue,
        };
        self.in_text.set(true);
        TokenSinkResult::RawData(kind)
    }
}

impl TokenSink for Builder {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let result = match &token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => self.start(tag),
            Token::TagToken(tag) => {
                self.end(&tag.name);
                TokenSinkResult::Continue
            }
            Token::CharacterTokens(text) => {
                self.text(text);
                TokenSinkResult::Continue
            }
            Token::NullCharacterToken => {
                self.text("\0");
                TokenSinkResult::Continue
            }
            _ => TokenSinkResult::Continue,
        };
        if !matches!(token, Token::ParseError(_)) {
            self.tag_start.set(None);
        }
        result
    }
}

/// Elements that are put into the head, before its end tag or behind it.
fn belongs_to_head(name: &str) -> bool {
    matches!(
        name,
        "base"
            | "basefont"
            | "bgsound"
            | "link"
            | "meta"
            | "noframes"
            | "script"
            | "style"
            | "template"
            | "title"
    )
}

/// Start tags that leave a `noscript` of the head open; `head` and `noscript` are ignored there.
fn allowed_in_noscript(name: &str) -> bool {
    matches!(
        name,
        "html"
            | "basefont"
            | "bgsound"
            | "link"
            | "meta"
            | "noframes"
            | "style"
            | "head"
            | "noscript"
    )
}
