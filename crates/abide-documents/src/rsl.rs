//! RSL 1.0: elements to licences (PREF-93 to PREF-108).

use crate::encoding;
use crate::host::other_spellings;
use crate::xml::{Element, Part, Parts, Unreadable, is_blank};
use abide::preference::LicenceState;
use abide::preference::rsl::{RslContent, RslDocument, RslLicence};
use std::sync::Arc;

/// How many bytes a licence document may have (PREF-108). A longer one is unreadable.
pub const MAX_RSL_BYTES: usize = 512_000;

/// How many `content` elements a document may have.
const MAX_CONTENTS: usize = 1_024;

/// The namespace of RSL.
pub(crate) const NAMESPACE: &str = "https://rslstandard.org/rsl";

/// Elements of RSL 1.0 that decide something. Each counts in its place only.
const DECIDING: [&str; 7] = [
    "content",
    "license",
    "payment",
    "permits",
    "prohibits",
    "reporting",
    "rsl",
];

/// Elements of RSL 1.0 that decide nothing (PREF-106). They are skipped wherever they stand.
const SKIPPED: [&str; 9] = [
    "accepts",
    "alternate",
    "amount",
    "copyright",
    "custom",
    "legal",
    "schema",
    "standard",
    "terms",
];

/// Reads a licence document (PREF-93, PREF-94, PREF-104, PREF-108, CLA-PREF-19, CLA-PREF-20).
///
/// - An XML declaration cannot change the encoding: the bytes are UTF-8, or UTF-16 with a byte
///   order mark.
/// - An element of RSL that decides something counts in its place only. Anywhere else it makes the
///   document unreadable.
/// - An unknown element in the root, a `content` or a `license` is skipped with all that is in it.
///   Elsewhere it makes the document unreadable, and so does a `license` with no other elements.
/// - Several `permits` or `prohibits` of one type in one licence are one list. One of an unknown
///   type says nothing; if it is a `permits`, the list of usages is closed all the same.
/// - An element in another namespace is passed over with all that is in it; so is text where RSL
///   has none, and so are attributes that RSL does not have.
/// - `max-age` is an attribute of `rsl` (RSL §3.2) and is given to each [`RslContent`]. Where a
///   `content` has one too, the lesser counts.
/// - A `payment` with a blank `type` has none. A `reporting` without a `type` is a report of the
///   type `custom`, so that it is not lost.
///
/// ```
/// use abide::preference::LicenceState;
/// let document = abide_documents::rsl(
///     br#"<r:rsl xmlns:r="https://rslstandard.org/rsl"><r:content url="/"><r:license>
///         <r:permits type="usage">search</r:permits><r:payment type="crawl"/>
///     </r:license></r:content></r:rsl>"#,
/// );
/// let LicenceState::Read(document) = document else { return Err("unreadable") };
/// assert_eq!(document.contents[0].licences[0].payments, [Some("crawl".to_owned())]);
/// assert_eq!(abide_documents::rsl(b"<rsl/>"), LicenceState::Unreadable);
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn rsl(body: &[u8]) -> LicenceState {
    if body.len() > MAX_RSL_BYTES {
        return LicenceState::Unreadable;
    }
    let read = encoding::text(body).map(|text| read(&text));
    match read {
        Some(Ok(document)) => LicenceState::Read(Arc::new(document)),
        Some(Err(Unreadable)) | None => LicenceState::Unreadable,
    }
}

fn read(text: &str) -> Result<RslDocument, Unreadable> {
    let mut parts = Parts::new(text, NAMESPACE)?;
    let mut builder = Builder::default();
    while let Some(part) = parts.next()? {
        match part {
            Part::Start(element) => builder.start(&element)?,
            Part::End(end) => builder.end(text, end)?,
            Part::Text(words) => builder.text(words),
            Part::Character(character) => builder.text(character.encode_utf8(&mut [0; 4])),
        }
    }
    Ok(RslDocument::new(builder.contents))
}

/// What an open element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Rsl,
    Content,
    /// A `license`, and the byte at which it begins.
    Licence(usize),
    /// A `permits` or `prohibits`.
    Words(WordList),
    /// An element of RSL whose content means nothing. Its names are checked.
    Skipped,
    /// An element that RSL does not have, or a list of a type that RSL does not have.
    Unknown,
    /// An element of another namespace.
    Foreign,
}

/// A list of words in a licence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WordList {
    PermitsUsage,
    PermitsUser,
    PermitsGeo,
    ProhibitsUsage,
    ProhibitsUser,
    ProhibitsGeo,
}

impl WordList {
    fn of(name: &str, kind: Option<&str>) -> Option<Self> {
        match (name, kind) {
            ("permits", Some("usage")) => Some(Self::PermitsUsage),
            ("permits", Some("user")) => Some(Self::PermitsUser),
            ("permits", Some("geo")) => Some(Self::PermitsGeo),
            ("prohibits", Some("usage")) => Some(Self::ProhibitsUsage),
            ("prohibits", Some("user")) => Some(Self::ProhibitsUser),
            ("prohibits", Some("geo")) => Some(Self::ProhibitsGeo),
            _ => None,
        }
    }

    /// The words of this list in a licence.
    fn in_licence(self, licence: &mut RslLicence) -> &mut Vec<String> {
        match self {
            Self::PermitsUsage => licence.permits_usage.get_or_insert_default(),
            Self::PermitsUser => &mut licence.permits_user,
            Self::PermitsGeo => &mut licence.permits_geo,
            Self::ProhibitsUsage => &mut licence.prohibits_usage,
            Self::ProhibitsUser => &mut licence.prohibits_user,
            Self::ProhibitsGeo => &mut licence.prohibits_geo,
        }
    }

    /// A word as the list has it: codes of countries are upper case (ISO 3166).
    fn spelled(self, word: &str) -> String {
        match self {
            Self::PermitsGeo | Self::ProhibitsGeo => word.to_ascii_uppercase(),
            _ => word.to_ascii_lowercase(),
        }
    }
}

/// The document so far.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    contents: Vec<RslContent>,
    /// The `max-age` of the root.
    max_age: Option<u64>,
    open: Vec<Place>,
    /// Whether the licence that is open has an element that decides something, and an unknown one.
    has_deciding: bool,
    has_unknown: bool,
    /// The text of the list that is open.
    words: String,
}

impl Builder {
    pub(crate) fn start(&mut self, element: &Element<'_>) -> Result<(), Unreadable> {
        let parent = self.open.last().copied();
        if let Some(Place::Words(_)) = parent {
            // An element in a list separates words.
            self.words.push(' ');
        }
        let place = self.place(parent, element)?;
        self.open.push(place);
        Ok(())
    }

    fn place(&mut self, parent: Option<Place>, element: &Element<'_>) -> Result<Place, Unreadable> {
        let Some(parent) = parent else {
            return self.root(element);
        };
        if parent == Place::Foreign || !element.is_own() {
            return Ok(Place::Foreign);
        }
        match (parent, element.name) {
            (Place::Rsl, "content") => self.content(element),
            (Place::Content, "license") => {
                (self.has_deciding, self.has_unknown) = (false, false);
                let content = self.contents.last_mut().ok_or(Unreadable)?;
                content.licences.push(RslLicence::default());
                Ok(Place::Licence(element.start))
            }
            (Place::Licence(_), "permits" | "prohibits" | "payment" | "reporting") => {
                self.has_deciding = true;
                self.term(element)
            }
            (Place::Unknown, name) if !DECIDING.contains(&name) => Ok(Place::Unknown),
            (_, name) if SKIPPED.contains(&name) => Ok(Place::Skipped),
            (Place::Rsl | Place::Content | Place::Licence(_), name)
                if !DECIDING.contains(&name) =>
            {
                self.has_unknown = true;
                Ok(Place::Unknown)
            }
            // In a list or a payment, or out of place: skipping a `prohibits` beside its licence
            // would lose what it says.
            _ => Err(Unreadable),
        }
    }

    /// An element of a licence that decides something.
    fn term(&mut self, element: &Element<'_>) -> Result<Place, Unreadable> {
        let kind = kind(element);
        let list = WordList::of(element.name, element.attribute("type"));
        let licence = self.licence()?;
        match (element.name, list) {
            ("payment", _) => licence.payments.push(kind),
            ("reporting", _) => {
                let kind = kind.unwrap_or_else(|| "custom".to_owned());
                licence.reporting.push(kind);
            }
            (_, Some(list)) => {
                self.words.clear();
                return Ok(Place::Words(list));
            }
            (name, None) => {
                if name == "permits" {
                    licence.permits_usage.get_or_insert_default();
                    licence.has_unread_permits = true;
                }
                return Ok(Place::Unknown);
            }
        }
        Ok(Place::Skipped)
    }

    fn root(&mut self, element: &Element<'_>) -> Result<Place, Unreadable> {
        if !element.is_own() || element.name != "rsl" {
            return Err(Unreadable);
        }
        self.max_age = max_age(element);
        Ok(Place::Rsl)
    }

    fn content(&mut self, element: &Element<'_>) -> Result<Place, Unreadable> {
        if self.contents.len() == MAX_CONTENTS {
            return Err(Unreadable);
        }
        let trimmed = |name| {
            element
                .attribute(name)
                .map(|value| value.trim_matches(is_blank))
        };
        let stated = [self.max_age, max_age(element)];
        let url = trimmed("url").ok_or(Unreadable)?;
        let mut content = RslContent::new(url, Vec::new());
        content.other_spellings = other_spellings(url);
        content.server = trimmed("server").map(str::to_owned);
        content.max_age = stated.into_iter().flatten().min();
        self.contents.push(content);
        Ok(Place::Content)
    }

    pub(crate) fn text(&mut self, text: &str) {
        if let Some(Place::Words(_)) = self.open.last() {
            self.words.push_str(text);
        }
    }

    pub(crate) fn end(&mut self, text: &str, end: usize) -> Result<(), Unreadable> {
        match self.open.pop() {
            Some(Place::Rsl) if self.contents.is_empty() => return Err(Unreadable),
            Some(Place::Content) => {
                let content = self.contents.last().ok_or(Unreadable)?;
                if content.licences.is_empty() {
                    return Err(Unreadable);
                }
            }
            Some(Place::Licence(_)) if self.has_unknown && !self.has_deciding => {
                return Err(Unreadable);
            }
            Some(Place::Licence(start)) => {
                let source = text.get(start..end).ok_or(Unreadable)?;
                source.clone_into(&mut self.licence()?.text);
            }
            Some(Place::Words(list)) => {
                let text = std::mem::take(&mut self.words);
                let words = words(&text).map(|word| list.spelled(word));
                list.in_licence(self.licence()?).extend(words);
            }
            _ => {}
        }
        Ok(())
    }

    /// The `content` elements so far.
    pub(crate) fn contents(&self) -> &[RslContent] {
        &self.contents
    }

    /// Whether the innermost open element is a `content`.
    pub(crate) fn is_in_content(&self) -> bool {
        self.open.last() == Some(&Place::Content)
    }

    /// Whether the innermost open element is a `license`.
    pub(crate) fn is_in_licence(&self) -> bool {
        matches!(self.open.last(), Some(Place::Licence(_)))
    }

    /// Whether the innermost open element is a `permits` or `prohibits`.
    pub(crate) fn is_in_list(&self) -> bool {
        matches!(self.open.last(), Some(Place::Words(_)))
    }

    /// Whether the innermost open element is unknown, or a list of an unknown type.
    pub(crate) fn is_in_unknown(&self) -> bool {
        self.open.last() == Some(&Place::Unknown)
    }

    /// Whether the licence that is open has elements, and none that decides something.
    pub(crate) fn has_only_unknown(&self) -> bool {
        self.is_in_licence() && self.has_unknown && !self.has_deciding
    }

    /// The licence that is open.
    fn licence(&mut self) -> Result<&mut RslLicence, Unreadable> {
        let content = self.contents.last_mut();
        let licence = content.and_then(|content| content.licences.last_mut());
        licence.ok_or(Unreadable)
    }
}

/// The words of a list. RSL 0.9 separated them by commas.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c| is_blank(c) || c == ',');
    words.filter(|word| !word.is_empty())
}

/// The `type` of a payment or a report.
fn kind(element: &Element<'_>) -> Option<String> {
    let kind = element.attribute("type")?.trim_matches(is_blank);
    (!kind.is_empty()).then(|| kind.to_ascii_lowercase())
}

/// The `max-age` of an element, in days. What is not a number says nothing.
fn max_age(element: &Element<'_>) -> Option<u64> {
    let days = element.attribute("max-age")?.trim_matches(is_blank);
    let is_number = days.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| days.parse().ok()).flatten()
}
