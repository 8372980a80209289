//! The robots tags of one response.

use super::header::{FieldLimit, FieldTags};
use super::{FieldLine, MAX_MISTAKES, Meta, MisspeltMeta, Statement, StoredTags, header, misspelt};
use crate::client::Client;
use crate::diagnostic::{Code, Diagnostic};
use crate::preference::LicenceLink;
use crate::preference::page::PageStatements;
use crate::reading::Reading;
use crate::verdict::Source;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The statements of a response: its fields, and the robots meta elements of its page.
///
/// ```
/// use abide::tag::{FieldLine, Meta, Response};
/// let meta = Meta {
///     name: "robots".into(),
///     content: "noindex".into(),
///     offset: 120,
/// };
/// let fields = [FieldLine::new("Robots-Tag", "ExampleBot;nosnippet")];
/// let response = Response::new(&fields).with_source_metas(&[meta]);
/// assert_eq!(response.statements().len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Response {
    statements: Vec<Statement>,
    /// Meta elements outside the head.
    outside: Vec<Statement>,
    is_no_list: bool,
    bare_words: Vec<Statement>,
    diagnostics: Vec<Diagnostic>,
    is_html: Option<bool>,
    /// Whether the tags were stored at an earlier visit.
    is_stored: bool,
    preferences: PageStatements,
}

impl Response {
    /// Reads the field lines of the final response (AMB-TAG-16).
    #[must_use]
    pub fn new(fields: &[FieldLine]) -> Self {
        let FieldTags {
            statements,
            findings,
            is_no_list,
            bare_words,
        } = header::read_all(fields, FieldLimit::default());
        let media_type = media_type(fields);
        let mut preferences = PageStatements::default();
        for field in fields {
            preferences.add_field(&field.name, &field.value);
        }
        preferences.is_image = media_type.is_some_and(is_image);
        Self {
            statements,
            outside: Vec::new(),
            is_no_list,
            bare_words,
            diagnostics: findings,
            is_html: media_type.map(is_html),
            is_stored: false,
            preferences,
        }
    }

    /// What the response and its page say about AI preferences.
    pub(crate) fn preferences(&self) -> &PageStatements {
        &self.preferences
    }

    /// Adds the licence documents that the page names or contains, in the order of the page.
    #[must_use]
    pub fn with_licences(mut self, links: impl IntoIterator<Item = LicenceLink>) -> Self {
        self.preferences.links.extend(links);
        self
    }

    /// Adds licences outside the head of the page. They do not count, and are reported (PREF-90).
    #[must_use]
    pub fn with_scoped_licences(mut self, links: impl IntoIterator<Item = LicenceLink>) -> Self {
        self.preferences.scoped_licences.extend(links);
        self
    }

    /// Adds the targets of licence links in the head that do not have the type of RSL. They do not
    /// count; those that seem to lead to an RSL document are reported (PREF-90).
    #[must_use]
    pub fn with_untyped_licences(mut self, urls: impl IntoIterator<Item = String>) -> Self {
        self.preferences.untyped_licences.extend(urls);
        self
    }

    /// Whether the `Content-Type` says that the resource is an HTML page; `None` without one.
    pub(crate) fn is_html(&self) -> Option<bool> {
        self.is_html
    }

    /// Whether the tags were stored at an earlier visit, so that the client has seen them.
    pub(crate) fn is_stored(&self) -> bool {
        self.is_stored
    }

    /// Tags that were stored at an earlier visit (TAG-44). They count even if the resource may not
    /// be crawled any more, because the client has seen them (CLA-11).
    #[must_use]
    pub fn from_stored(tags: &StoredTags) -> Self {
        Self {
            statements: tags.statements().to_vec(),
            is_stored: true,
            ..Self::default()
        }
    }

    /// Adds the robots meta elements of the initial source.
    #[must_use]
    pub fn with_source_metas(self, metas: &[Meta]) -> Self {
        self.metas(metas, Source::Meta)
    }

    /// Adds the robots meta elements of the rendered page. They never replace the initial ones
    /// (TAG-32, TAG-33).
    #[must_use]
    pub fn with_rendered_metas(self, metas: &[Meta]) -> Self {
        self.metas(metas, Source::RenderedMeta)
    }

    /// Adds the meta elements with `http-equiv`, by that attribute instead of `name`. None of them
    /// counts; those that state AI preferences are reported (PREF-43).
    #[must_use]
    pub fn with_http_equivs(mut self, metas: &[Meta]) -> Self {
        for meta in metas {
            self.preferences.add_http_equiv(&meta.name, &meta.content);
        }
        let named = |meta: &&Meta| misspelt::is_robots(&meta.name);
        let misspelt = metas.iter().filter(named);
        self.add_misspelt(misspelt.map(|meta| ("http-equiv", &*meta.name, &*meta.content)));
        self
    }

    /// Adds elements that name robots in an attribute other than `name`, or state rules in one
    /// other than `content`. They say nothing to robots, and are reported (TAG-24).
    #[must_use]
    pub fn with_misspelt_metas(mut self, metas: &[MisspeltMeta]) -> Self {
        let metas = metas.iter();
        self.add_misspelt(metas.map(|meta| (meta.attribute, &*meta.value, &*meta.rules)));
        self
    }

    /// Reports elements by an attribute, its value, and the rules that they were to state.
    fn add_misspelt<'m>(&mut self, metas: impl Iterator<Item = (&'m str, &'m str, &'m str)>) {
        if !cfg!(feature = "findings") {
            return;
        }
        let metas = metas.filter(|(_, _, rules)| misspelt::names_any_rule(rules));
        // The same mistake in many elements is reported once; only a hostile page has many.
        let messages: BTreeSet<String> = metas
            .take(MAX_MISTAKES)
            .map(|(attribute, value, rules)| misspelt::element(attribute, value, rules))
            .collect();
        for message in messages {
            self.say(Code::RobotsMetaMisspelt, || message);
        }
    }

    /// Adds meta elements outside the head. They only count for a client with
    /// [`Client::with_body_metas`](crate::Client::with_body_metas), and are reported (TAG-31).
    #[must_use]
    pub fn with_body_metas(mut self, metas: &[Meta], source: Source) -> Self {
        self.outside
            .extend(metas.iter().map(|meta| meta.statement(source)));
        self
    }

    /// Reports that a page was longer than the limit (TAG-34).
    #[must_use]
    pub fn with_cut_at(mut self, bytes: usize) -> Self {
        self.say(Code::RobotsTagSizeLimit, || {
            format!("the page is longer than {bytes} bytes; the rest was ignored")
        });
        self
    }

    fn say<M: Into<Cow<'static, str>>>(&mut self, code: Code, message: impl FnOnce() -> M) {
        if cfg!(feature = "findings") {
            self.diagnostics
                .push(Diagnostic::of_decision(code, message()));
        }
    }

    pub(crate) fn outside_statements(&self) -> &[Statement] {
        &self.outside
    }

    fn metas(mut self, metas: &[Meta], source: Source) -> Self {
        self.statements
            .extend(metas.iter().map(|meta| meta.statement(source)));
        for meta in metas {
            let Meta {
                name,
                content,
                offset,
            } = meta;
            self.preferences.add_meta(name, content, *offset);
        }
        let named = |meta: &&Meta| misspelt::is_nearly_robots(&meta.name);
        let misspelt = metas.iter().filter(named);
        self.add_misspelt(misspelt.map(|meta| ("name", &*meta.name, &*meta.content)));
        // All robots are `robots` here, and `*` in fields (AMB-TAG-9).
        if metas.iter().any(|meta| meta.name.trim() == "*") {
            self.say(Code::RobotsTagGlobal, || {
                "a meta element with the name \"*\" has no effect; for all robots write name=\"robots\""
            });
        }
        self
    }

    /// The statements that count for `client`, as it reads the fields (AMB-TAG-6, AMB-TAG-7).
    pub(crate) fn statements_for(&self, client: &Client) -> impl Iterator<Item = &Statement> {
        let is_void = self.is_no_list && client.reads(Reading::ListVoid);
        let words = self.bare_words.iter();
        let words = words.filter(|_| client.reads(Reading::BareWordIsRule));
        let all = self.statements.iter().chain(words);
        all.filter(move |statement| !is_void || statement.source != Source::RobotsTag)
    }

    /// All statements, in the order of their places.
    #[must_use]
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// Findings about the fields. Empty without the feature `findings`.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

/// The last media type that the fields name, without parameters.
fn media_type(fields: &[FieldLine]) -> Option<&[u8]> {
    let named = |field: &&FieldLine| field.name.eq_ignore_ascii_case("content-type");
    let value = &fields.iter().rev().find(named)?.value;
    let end = value.iter().position(|&byte| byte == b';');
    let media_type = value.get(..end.unwrap_or(value.len()))?.trim_ascii();
    (!media_type.is_empty()).then_some(media_type)
}

fn is_image(media_type: &[u8]) -> bool {
    let kind = media_type.get(.."image/".len());
    kind.is_some_and(|kind| kind.eq_ignore_ascii_case(b"image/"))
}

fn is_html(media_type: &[u8]) -> bool {
    [&b"text/html"[..], b"application/xhtml+xml"]
        .iter()
        .any(|html| media_type.eq_ignore_ascii_case(html))
}
