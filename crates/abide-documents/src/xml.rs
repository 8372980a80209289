//! XML to elements: well-formed, with namespaces, without a document type, within the limits
//! (PREF-94, PREF-108).
//!
//! `quick-xml` finds where markup begins and ends, and compares the names of tags. What it leaves
//! to its callers is checked here: characters, names, attributes, references, what may stand
//! outside of the root, and namespaces.

use quick_xml::XmlVersion;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesRef, Event};
use quick_xml::name::QName;
use quick_xml::reader::Reader;
use std::borrow::Cow;

/// How deep elements may nest.
const MAX_DEPTH: usize = 32;

/// How many elements a document may have, unless its reader says otherwise.
const MAX_ELEMENTS: usize = 10_000;

/// How many attributes an element may have, namespace declarations included.
const MAX_ATTRIBUTES: usize = 64;

/// How many namespace declarations may be in force at one place. A prefix is looked up among them,
/// so they bound the work per name.
const MAX_NAMESPACES: usize = 128;

/// The text is not a document: not well-formed, with a document type, or beyond a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable;

/// A part of a document.
#[derive(Debug)]
pub(crate) enum Part<'d> {
    /// A start tag. One of an empty element is followed by an `End`.
    Start(Element<'d>),
    /// An end tag, and the byte behind it.
    End(usize),
    /// Text without references.
    Text(&'d str),
    /// A reference to a character.
    Character(char),
}

/// A start tag.
#[derive(Debug)]
pub(crate) struct Element<'d> {
    /// The name, without a prefix.
    pub(crate) name: &'d str,
    pub(crate) namespace: Namespace,
    /// The byte at which it begins.
    pub(crate) start: usize,
    attributes: Vec<(&'d str, Cow<'d, str>)>,
}

impl Element<'_> {
    /// Whether it is in the namespace that the reader was asked for.
    pub(crate) fn is_own(&self) -> bool {
        self.namespace == Namespace::Own
    }

    /// The value of the attribute with this name and no prefix.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(known, _)| *known == name);
        found.map(|(_, value)| &**value)
    }
}

/// A namespace declaration in force.
#[derive(Debug)]
struct Binding<'d> {
    /// Depth of the element that has it.
    depth: usize,
    /// Empty for the default namespace.
    prefix: &'d str,
    name: Cow<'d, str>,
    namespace: Namespace,
}

/// A namespace, by number: names can be as long as the document, and comparing them for each
/// attribute would take quadratic time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Namespace {
    None,
    /// The namespace that the reader was asked for.
    Own,
    /// The namespace of the prefix `xml`.
    Xml,
    /// The namespace of declarations.
    Xmlns,
    /// The one of the first declaration in force that has this name.
    Declared(usize),
}

/// Reads the parts of a document.
#[derive(Debug)]
pub(crate) struct Parts<'d> {
    text: &'d str,
    events: Reader<&'d [u8]>,
    /// The namespace of elements that are `is_own`.
    own: &'static str,
    /// The byte at which the last event begins.
    reached: usize,
    depth: usize,
    elements: usize,
    most_elements: usize,
    bindings: Vec<Binding<'d>>,
}

impl<'d> Parts<'d> {
    pub(crate) fn new(text: &'d str, own: &'static str) -> Result<Self, Unreadable> {
        if !text.chars().all(is_char) {
            return Err(Unreadable);
        }
        let mut events = Reader::from_str(text);
        events.config_mut().expand_empty_elements = true;
        events.config_mut().check_comments = true;
        Ok(Self {
            text,
            events,
            own,
            reached: 0,
            depth: 0,
            elements: 0,
            most_elements: MAX_ELEMENTS,
            bindings: Vec::new(),
        })
    }

    /// Reads so many elements at most.
    pub(crate) fn with_most_elements(self, most_elements: usize) -> Self {
        Self {
            most_elements,
            ..self
        }
    }

    /// The next part; `None` at the end of the document.
    pub(crate) fn next(&mut self) -> Result<Option<Part<'d>>, Unreadable> {
        loop {
            let start = self.position()?;
            self.reached = start;
            let event = self.events.read_event().map_err(|_| Unreadable)?;
            let raw = self.text.get(start..self.position()?).ok_or(Unreadable)?;
            let is_outside = self.depth == 0;
            match event {
                Event::Start(_) | Event::Empty(_) => {
                    return self
                        .start(raw, start)
                        .map(|element| Some(Part::Start(element)));
                }
                Event::End(_) => return self.end().map(Some),
                Event::Text(_) if is_outside => check(raw.chars().all(is_blank))?,
                Event::Text(_) => {
                    check(!raw.contains("]]>"))?;
                    return Ok(Some(Part::Text(raw)));
                }
                Event::CData(_) => {
                    let inner = raw.strip_prefix("<![CDATA[");
                    let inner = inner.and_then(|inner| inner.strip_suffix("]]>"));
                    check(!is_outside)?;
                    return inner.map(|inner| Some(Part::Text(inner))).ok_or(Unreadable);
                }
                Event::GeneralRef(reference) => {
                    check(!is_outside)?;
                    return character(&reference).map(|c| Some(Part::Character(c)));
                }
                Event::Comment(_) => {}
                Event::Decl(_) => check(start == 0 && is_declaration(raw))?,
                Event::PI(instruction) => {
                    let target = instruction.target();
                    check(is_ncname(target) && !target.eq_ignore_ascii_case("xml"))?;
                }
                // Before anything that it declares is looked at.
                Event::DocType(_) => return Err(Unreadable),
                Event::Eof => {
                    check(is_outside && self.elements > 0)?;
                    return Ok(None);
                }
            }
        }
    }

    /// The byte at which the last part begins, or what cannot be read.
    pub(crate) fn reached(&self) -> usize {
        self.reached
    }

    /// The byte behind what was read.
    pub(crate) fn position(&self) -> Result<usize, Unreadable> {
        usize::try_from(self.events.buffer_position()).map_err(|_| Unreadable)
    }

    /// Reads a start tag, `<name attributes>` or `<name attributes/>`.
    fn start(&mut self, tag: &'d str, start: usize) -> Result<Element<'d>, Unreadable> {
        // A second root is no part of a document.
        check(self.depth > 0 || self.elements == 0)?;
        self.depth += 1;
        self.elements += 1;
        check(self.depth <= MAX_DEPTH && self.elements <= self.most_elements)?;

        let inner = tag.strip_prefix('<').and_then(|tag| tag.strip_suffix('>'));
        let inner = inner.ok_or(Unreadable)?;
        let inner = inner.strip_suffix('/').unwrap_or(inner);
        let (name, rest) = inner.split_at(inner.find(is_blank).unwrap_or(inner.len()));
        let attributes = attributes(rest)?;
        self.bind(&attributes)?;
        self.check_names(&attributes)?;
        let (prefix, name) = qname(name)?;
        Ok(Element {
            name,
            namespace: self.namespace(prefix)?,
            start,
            attributes,
        })
    }

    fn end(&mut self) -> Result<Part<'d>, Unreadable> {
        let depth = self.depth;
        let of_others = self.bindings.iter().rposition(|known| known.depth < depth);
        self.bindings.truncate(of_others.map_or(0, |last| last + 1));
        self.depth = depth.checked_sub(1).ok_or(Unreadable)?;
        self.position().map(Part::End)
    }

    /// Takes over the namespaces that a tag declares.
    fn bind(&mut self, attributes: &[(&'d str, Cow<'d, str>)]) -> Result<(), Unreadable> {
        for (name, namespace) in attributes {
            let (prefix, local) = qname(name)?;
            let prefix = match (prefix, local) {
                ("", "xmlns") => "",
                ("xmlns", "xml") => {
                    check(namespace == XML)?;
                    continue;
                }
                ("xmlns", prefix) => {
                    // Only the default namespace can be taken back.
                    check(prefix != "xmlns" && !namespace.is_empty())?;
                    prefix
                }
                _ => continue,
            };
            check(namespace != XML && namespace != XMLNS)?;
            check(self.bindings.len() < MAX_NAMESPACES)?;
            self.bindings.push(Binding {
                depth: self.depth,
                prefix,
                name: namespace.clone(),
                namespace: self.numbered(namespace),
            });
        }
        Ok(())
    }

    fn numbered(&self, name: &str) -> Namespace {
        if name.is_empty() {
            return Namespace::None;
        }
        if name == self.own {
            return Namespace::Own;
        }
        let first = self.bindings.iter().position(|known| known.name == name);
        Namespace::Declared(first.unwrap_or(self.bindings.len()))
    }

    /// Checks that no two attributes have one name, and that their prefixes are declared.
    fn check_names(&self, attributes: &[(&'d str, Cow<'d, str>)]) -> Result<(), Unreadable> {
        let mut names = Vec::with_capacity(attributes.len());
        for (name, _) in attributes {
            let (prefix, local) = qname(name)?;
            let namespace = match prefix {
                // The default namespace is not that of attributes.
                "" => Namespace::None,
                "xmlns" => Namespace::Xmlns,
                _ => self.namespace(prefix)?,
            };
            names.push((namespace, local));
        }
        names.sort_unstable();
        check(names.windows(2).all(|pair| pair.first() != pair.last()))
    }

    /// The namespace of a prefix; the default one if it is empty.
    fn namespace(&self, prefix: &str) -> Result<Namespace, Unreadable> {
        let mut bindings = self.bindings.iter().rev();
        match bindings.find(|known| known.prefix == prefix) {
            Some(known) => Ok(known.namespace),
            None if prefix.is_empty() => Ok(Namespace::None),
            None if prefix == "xml" => Ok(Namespace::Xml),
            None => Err(Unreadable),
        }
    }
}

/// Why a document cannot be read from byte `at` on.
pub(crate) fn why_unreadable(text: &str, at: usize) -> &'static str {
    let rest = text.get(at..).unwrap_or_default();
    let is_at = |markup: &str| {
        let start = rest.trim_start().get(..markup.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(markup))
    };
    if is_at("<!DOCTYPE html") || is_at("<html") {
        "this is a web page"
    } else if is_at("<!DOCTYPE") {
        "it has a document type declaration, which abide does not read"
    } else if text.trim().is_empty() {
        "it is empty"
    } else {
        "it is not well-formed XML from here on, or it is too large"
    }
}

/// The namespace of the prefix `xml`, which needs no declaration.
const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// The namespace of declarations.
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

fn check(is_fulfilled: bool) -> Result<(), Unreadable> {
    is_fulfilled.then_some(()).ok_or(Unreadable)
}

/// The attributes behind the name of a tag, with their values normalised.
fn attributes(text: &str) -> Result<Vec<(&str, Cow<'_, str>)>, Unreadable> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        let next = rest.trim_start_matches(is_blank);
        if next.is_empty() {
            return Ok(found);
        }
        check(next.len() < rest.len() && found.len() < MAX_ATTRIBUTES)?;
        let (name, value) = next.split_once('=').ok_or(Unreadable)?;
        let value = value.trim_start_matches(is_blank);
        let quote = if value.starts_with('\'') { '\'' } else { '"' };
        let value = value.strip_prefix(quote).ok_or(Unreadable)?;
        let (value, behind) = value.split_once(quote).ok_or(Unreadable)?;
        found.push((name.trim_end_matches(is_blank), normalised(value)?));
        rest = behind;
    }
}

/// The value of an attribute: references resolved, line ends and tabs as spaces.
fn normalised(value: &str) -> Result<Cow<'_, str>, Unreadable> {
    check(!value.contains('<'))?;
    let attribute = Attribute {
        key: QName(""),
        value: Cow::Borrowed(value),
    };
    let value = attribute.normalized_value(XmlVersion::Explicit1_0);
    // A reference can name a character that no document may contain.
    let value = value.ok().filter(|value| value.chars().all(is_char));
    value.ok_or(Unreadable)
}

/// The character that a reference stands for: by its number, or one of five names.
fn character(reference: &BytesRef<'_>) -> Result<char, Unreadable> {
    let by_number = reference.resolve_char_ref().map_err(|_| Unreadable)?;
    let named = || match &**reference {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "apos" => Some('\''),
        "quot" => Some('"'),
        _ => None,
    };
    let character = by_number.or_else(named).filter(|c| is_char(*c));
    character.ok_or(Unreadable)
}

/// Whether this is an XML declaration. Which encoding it names means nothing.
fn is_declaration(raw: &str) -> bool {
    let inner = raw.strip_prefix("<?xml");
    let Some(inner) = inner.and_then(|inner| inner.strip_suffix("?>")) else {
        return false;
    };
    let is_version = |value: &str| {
        let minor = value.strip_prefix("1.").unwrap_or_default();
        !minor.is_empty() && minor.bytes().all(|digit| digit.is_ascii_digit())
    };
    let is_encoding = |value: &str| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        value.starts_with(|c: char| c.is_ascii_alphabetic()) && value.chars().all(is_part)
    };
    let Ok(found) = attributes(inner) else {
        return false;
    };
    let mut rest = found
        .iter()
        .map(|(name, value)| (*name, &**value))
        .peekable();
    let has_version = rest
        .next()
        .is_some_and(|(name, value)| name == "version" && is_version(value));
    rest.next_if(|(name, value)| *name == "encoding" && is_encoding(value));
    rest.next_if(|(name, value)| *name == "standalone" && matches!(*value, "yes" | "no"));
    has_version && rest.next().is_none()
}

/// Splits a name into prefix and local name. The prefix is empty where there is none.
fn qname(name: &str) -> Result<(&str, &str), Unreadable> {
    let (prefix, local) = match name.split_once(':') {
        Some((prefix, local)) => {
            check(is_ncname(prefix))?;
            (prefix, local)
        }
        None => ("", name),
    };
    check(is_ncname(local))?;
    Ok((prefix, local))
}

/// Whether this is a name without a colon.
fn is_ncname(name: &str) -> bool {
    name.starts_with(begins_name)
        && name.chars().all(|c| {
            let continues = matches!(
                c,
                '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}'
            );
            begins_name(c) || continues
        })
}

fn begins_name(c: char) -> bool {
    matches!(
        c,
        'A'..='Z'
            | '_'
            | 'a'..='z'
            | '\u{C0}'..='\u{D6}'
            | '\u{D8}'..='\u{F6}'
            | '\u{F8}'..='\u{2FF}'
            | '\u{370}'..='\u{37D}'
            | '\u{37F}'..='\u{1FFF}'
            | '\u{200C}'..='\u{200D}'
            | '\u{2070}'..='\u{218F}'
            | '\u{2C00}'..='\u{2FEF}'
            | '\u{3001}'..='\u{D7FF}'
            | '\u{F900}'..='\u{FDCF}'
            | '\u{FDF0}'..='\u{FFFD}'
            | '\u{10000}'..='\u{EFFFF}'
    )
}

/// White space of XML.
pub(crate) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Whether a document may contain a character.
pub(crate) fn is_char(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => true,
        '\u{FFFE}' | '\u{FFFF}' => false,
        _ => c >= ' ',
    }
}
