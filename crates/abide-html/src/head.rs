//! Tokens to meta elements and licences, by the insertion modes of the HTML standard that come
//! before the body (sections "before html" to "after head" of its tree construction).

use crate::encoding::Piece;
use abide::preference::rsl::MAX_DOCUMENTS;
use abide::preference::{LicenceLink, LicenceState};
use abide::tag::{Meta, MisspeltMeta};
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
pub(crate) struct Elements {
    pub(crate) metas: Vec<Meta>,
    pub(crate) outside: Vec<Meta>,
    pub(crate) http_equivs: Vec<Meta>,
    pub(crate) misspelt: Vec<MisspeltMeta>,
    pub(crate) licences: Vec<LicenceLink>,
    pub(crate) scoped_licences: Vec<LicenceLink>,
    /// Links of the head with the relation `license` and another type: where each begins, and its
    /// target.
    pub(crate) untyped_licences: Vec<(u64, String)>,
}

/// The media type of RSL documents.
const RSL: &str = "application/rsl+xml";

/// Reads the meta elements and licences of a page up to the byte `end`, behind which none begins.
/// `is_cut` says whether the page goes on behind the last piece.
pub(crate) fn read(
    pieces: impl Iterator<Item = Piece>,
    scripting: Scripting,
    end: usize,
    is_cut: bool,
) -> Elements {
    let tokenizer = Tokenizer::new(Builder::new(scripting), TokenizerOpts::default());
    let queue = BufferQueue::default();
    for piece in pieces {
        if piece.offset >= end as u64 && tokenizer.sink.document.borrow().is_none() {
            break;
        }
        tokenizer.sink.at_piece(&piece);
        queue.push_back(StrTendril::from(piece.text.as_str()));
        // Scripts are not run, so the tokenizer never has to wait for one.
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    // A script without an end tag ends with the page; what a limit cuts was not seen whole.
    tokenizer.sink.end_document(is_cut);
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
    /// Byte at which the last piece begins that begins with `<`.
    last_start: Cell<u64>,
    /// The licence document that is being read.
    document: RefCell<Option<Document>>,
    found: RefCell<Elements>,
}

/// A script that contains a licence document.
struct Document {
    text: String,
    offset: u64,
    is_in_head: bool,
}

impl Builder {
    fn new(scripting: Scripting) -> Self {
        Self {
            scripting,
            mode: Cell::new(Mode::BeforeHead),
            templates: Cell::new(0),
            in_text: Cell::new(false),
            tag_start: Cell::new(None),
            last_start: Cell::new(0),
            document: RefCell::default(),
            found: RefCell::default(),
        }
    }

    /// The first piece since the last token that can begin a tag is where one begins: a later one
    /// stands in an attribute.
    fn at_piece(&self, piece: &Piece) {
        let mark = piece.text.find('<').and_then(|at| piece.text.get(at..));
        if mark.is_some_and(|text| self.in_text.get() || begins_markup(text)) {
            self.last_start.set(piece.offset);
            if self.tag_start.get().is_none() {
                self.tag_start.set(Some(piece.offset));
            }
        }
    }

    fn text(&self, text: &str) {
        if let Some(document) = &mut *self.document.borrow_mut() {
            document.text.push_str(text);
            return;
        }
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
            "link" => self.link(tag),
            "script" => self.script(tag),
            "template" => self.templates.set(1),
            _ => {}
        }
        self.content_of(name)
    }

    fn end(&self, name: &str) {
        if self.in_text.replace(false) {
            self.end_document(false);
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
        let mut found = self.found.borrow_mut();
        found.misspelt.extend(misspelt(tag));
        let Some(content) = attribute(tag, "content") else {
            return;
        };
        let meta = |name: &str| Meta {
            name: name.to_owned(),
            content: content.to_owned(),
            offset: self.offset(),
        };
        let Some(name) = attribute(tag, "name") else {
            found
                .http_equivs
                .extend(attribute(tag, "http-equiv").map(meta));
            return;
        };
        let meta = meta(name);
        if self.mode.get() == Mode::InBody {
            found.outside.push(meta);
        } else {
            found.metas.push(meta);
        }
    }

    /// A link to a licence document (PREF-90), or to another licence.
    fn link(&self, tag: &Tag) {
        let words = attribute(tag, "rel").unwrap_or_default();
        let mut words = words.split_ascii_whitespace();
        let is_licence = words.any(|word| word.eq_ignore_ascii_case("license"));
        let Some(href) = attribute(tag, "href").filter(|_| is_licence) else {
            return;
        };
        // Browsers remove blanks around a URL (the URL Standard, 4.4).
        let (url, offset) = (href.trim_ascii().to_owned(), self.offset());
        let is_in_head = self.mode.get() != Mode::InBody;
        if is_rsl(tag) {
            self.licence(LicenceLink::Element { url, offset }, is_in_head);
        } else if is_in_head {
            let mut found = self.found.borrow_mut();
            found.untyped_licences.push((offset, url));
        }
    }

    /// A script that contains a licence document (PREF-91). One with a `src` contains none.
    fn script(&self, tag: &Tag) {
        if is_rsl(tag) && attribute(tag, "src").is_none() {
            self.document.replace(Some(Document {
                text: String::new(),
                offset: self.offset(),
                is_in_head: self.mode.get() != Mode::InBody,
            }));
        }
    }

    /// Reads the licence document whose script ends here. One that is cut is unreadable, for what
    /// is missing could change what it says.
    fn end_document(&self, is_cut: bool) {
        let Some(document) = self.document.take() else {
            return;
        };
        let text = document.text.as_bytes();
        let state = if is_cut {
            LicenceState::Unreadable
        } else {
            abide_documents::rsl(text)
        };
        // Nobody asks what is wrong with a document that does not count.
        let counts = document.is_in_head && self.found.borrow().licences.len() < MAX_DOCUMENTS;
        let findings = if counts && !is_cut {
            abide_documents::rsl_findings(text)
        } else {
            Vec::new()
        };
        let link = LicenceLink::Inline {
            document: state,
            findings: findings.into_iter().map(|found| found.diagnostic).collect(),
            offset: document.offset,
        };
        self.licence(link, document.is_in_head);
    }

    fn licence(&self, link: LicenceLink, is_in_head: bool) {
        let mut found = self.found.borrow_mut();
        if is_in_head {
            found.licences.push(link);
        } else {
            found.scoped_licences.push(link);
        }
    }

    /// The byte at which the tag begins that was read.
    fn offset(&self) -> u64 {
        self.tag_start.get().unwrap_or_default()
    }

    /// Forgets where the token began that was read. Outside elements whose content is text, no tag
    /// becomes text, and text that comes now stood before the tag: the `&amp` of `&amp<link>` is
    /// known only when the tag begins. Within them, `<` is a token of text, known as such when the
    /// next one begins the end tag.
    fn end_token(&self, is_text: bool) {
        if is_text && !self.in_text.get() {
            return;
        }
        let last = self.last_start.get();
        let next = self
            .tag_start
            .get()
            .filter(|start| is_text && *start < last);
        self.tag_start.set(next.map(|_| last));
    }

    /// Tells the tokenizer what an element's content is, where it is text.
    fn content_of(&self, name: &str) -> TokenSinkResult<()> {
        let content = content_of(name, self.scripting);
        if !matches!(content, TokenSinkResult::Continue) {
            self.in_text.set(true);
        }
        content
    }
}

/// Whether a tag, a comment or a declaration begins with this text, where tags are read (the HTML
/// Standard, "tag open state"). Nothing comes of `</>`.
fn begins_markup(text: &str) -> bool {
    let rest = text.strip_prefix('<').unwrap_or_default();
    rest.starts_with(|next: char| next.is_ascii_alphabetic() || "/!?".contains(next))
        && !rest.starts_with("/>")
}

/// What an element's content is, where it is text.
pub(crate) fn content_of(name: &str, scripting: Scripting) -> TokenSinkResult<()> {
    let kind = match name {
        "title" | "textarea" => RawKind::Rcdata,
        "style" | "noframes" | "iframe" | "xmp" | "noembed" => RawKind::Rawtext,
        "noscript" if scripting == Scripting::On => RawKind::Rawtext,
        "script" => RawKind::ScriptData,
        "plaintext" => return TokenSinkResult::Plaintext,
        _ => return TokenSinkResult::Continue,
    };
    TokenSinkResult::RawData(kind)
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
            let is_text = matches!(token, Token::CharacterTokens(_) | Token::NullCharacterToken);
            self.end_token(is_text);
        }
        result
    }
}

pub(crate) fn attribute<'t>(tag: &'t Tag, name: &str) -> Option<&'t str> {
    let mut attributes = tag.attrs.iter();
    let found = attributes.find(|attribute| &*attribute.name.local == name);
    found.map(|attribute| &*attribute.value)
}

/// A meta element that was probably meant for robots: `value` instead of `content`, `property`
/// instead of `name`, or an attribute `robots`.
fn misspelt(tag: &Tag) -> Option<MisspeltMeta> {
    let is_robots = |name: &str| name.trim_ascii().eq_ignore_ascii_case("robots");
    let named = attribute(tag, "name").is_some_and(is_robots);
    let (name, content) = (attribute(tag, "name"), attribute(tag, "content"));
    let property = attribute(tag, "property").filter(|name| is_robots(name));
    let (attribute, value, rules) = match (name, property, content) {
        (Some(_), _, None) if named => {
            let value = attribute(tag, "value")?;
            ("value", value, value)
        }
        (None, Some(property), Some(content)) => ("property", property, content),
        (None, _, None) => {
            let value = attribute(tag, "robots")?;
            ("robots", value, value)
        }
        _ => return None,
    };
    Some(MisspeltMeta {
        attribute,
        value: value.to_owned(),
        rules: rules.to_owned(),
    })
}

/// Whether the type of an element is that of RSL documents, in any case.
fn is_rsl(tag: &Tag) -> bool {
    let kind = attribute(tag, "type");
    kind.is_some_and(|kind| kind.trim_ascii().eq_ignore_ascii_case(RSL))
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
