//! `invisible-character`: a character that looks like a space, like nothing or like a quote, at the
//! edge of a key or value.

use super::unknown_field;
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::syntax::{FieldKind, Line};
use abide::{Robots, Severity, Span};

pub(crate) static RULE: Rule = Rule::new(
    "invisible-character",
    Severity::Error,
    include_str!("invisible_character.md"),
    RuleCheck::File(check),
)
.instead_of(&[
    "crawl-delay-value",
    "crawler-misspelt",
    "misspelt-field",
    "missing-colon",
    "not-utf8",
    "pattern-no-slash",
    "pattern-space",
    "readings-differ",
    "sitemap-not-absolute",
    "ua-invalid-token",
    "unknown-field",
    "unreachable-group",
    "url-not-as-sent",
    "user-agent-line",
])
.doubting_line();

const CURLY_QUOTE: &str = "curly quote";

/// Characters that a word processor, a web page or a content management system leaves behind, with
/// their names.
const CHARACTERS: [(&[u8], &str); 20] = [
    ("\u{a0}".as_bytes(), "no-break space"),
    ("\u{ad}".as_bytes(), "soft hyphen"),
    ("\u{2002}".as_bytes(), "en space"),
    ("\u{2003}".as_bytes(), "em space"),
    ("\u{2007}".as_bytes(), "figure space"),
    ("\u{2009}".as_bytes(), "thin space"),
    ("\u{200b}".as_bytes(), "zero-width space"),
    ("\u{200c}".as_bytes(), "zero-width non-joiner"),
    ("\u{200d}".as_bytes(), "zero-width joiner"),
    ("\u{200e}".as_bytes(), "left-to-right mark"),
    ("\u{200f}".as_bytes(), "right-to-left mark"),
    ("\u{2028}".as_bytes(), "line separator"),
    ("\u{202f}".as_bytes(), "narrow no-break space"),
    ("\u{2060}".as_bytes(), "word joiner"),
    ("\u{3000}".as_bytes(), "ideographic space"),
    ("\u{feff}".as_bytes(), "byte order mark"),
    ("\u{2018}".as_bytes(), CURLY_QUOTE),
    ("\u{2019}".as_bytes(), CURLY_QUOTE),
    ("\u{201c}".as_bytes(), CURLY_QUOTE),
    ("\u{201d}".as_bytes(), CURLY_QUOTE),
];

fn check(file: &File<'_>, found: &mut Findings) {
    for (line, field) in file.fields() {
        let key = edges(field.key.of(file.text()), FieldKind::Other);
        let Some(kind) = key.as_ref().map_or(Some(field.kind), meant_kind) else {
            continue;
        };
        let is_quoted = key.as_ref().is_some_and(|key| key.name == CURLY_QUOTE);
        if let Some(key) = key {
            say(found, line, field.key, "key", &key);
        }
        // The value of a field that robots do not know does not matter.
        let value = edges(field.value.of(file.text()), kind);
        let value = value.filter(|_| kind != FieldKind::Other);
        // The quote at the end belongs to the one in front of the key.
        if let Some(value) = value.filter(|value| is_quoted || !closes_all(value, kind)) {
            say(found, line, field.value, "value", &value);
        }
    }
}

/// Whether a rule may mean the character, and would close or open the whole site without it.
fn closes_all(value: &Edges<'_>, kind: FieldKind) -> bool {
    let is_rule = matches!(kind, FieldKind::Allow | FieldKind::Disallow);
    let is_wide = value.inner == b"/" || value.inner.ends_with(b"*");
    is_rule && is_wide && !value.has_front
}

/// The kind of the field that a key means; `None` if no robot knows the key even without the
/// characters.
fn meant_kind(key: &Edges<'_>) -> Option<FieldKind> {
    let robots = Robots::parse([key.inner, b":"].concat());
    let field = robots.lines().first().and_then(Line::field);
    let kind = field.map_or(FieldKind::Other, |field| field.kind);
    let text = || std::str::from_utf8(key.inner).ok();
    let is_known = kind != FieldKind::Other || text().is_some_and(unknown_field::is_elsewhere);
    is_known.then_some(kind)
}

fn say(found: &mut Findings, line: &Line, span: Span, what: &str, edges: &Edges<'_>) {
    let name = edges.name;
    let message = format!(
        "there is a {name} at the edge of this {what}, which robots read as part of it; delete it"
    );
    let place = found.say(Some(line.number), File::statement(line), message);
    let title = format!("delete the {name}");
    place.fix(Fix::replace(Safety::Unsafe, title, span, edges.inner));
}

/// What is at the edges of a text.
struct Edges<'t> {
    /// The first of the characters.
    name: &'static str,
    /// Whether one of them is in front.
    has_front: bool,
    /// The text without them.
    inner: &'t [u8],
}

/// The characters at the edges of a text; `None` if there are none.
fn edges(text: &[u8], kind: FieldKind) -> Option<Edges<'_>> {
    // Robots read a text in Latin-1 as UTF-8. In UTF-8, the byte A0 ends other characters.
    let is_latin = std::str::from_utf8(text).is_err();
    let latin: &[(&[u8], &str)] = &[(b"\xa0", "no-break space")];
    let latin = if is_latin { latin } else { &[] };
    let mut inner = text;
    let mut first = None;
    let mut has_front = false;
    loop {
        let mut known = CHARACTERS.iter().chain(latin);
        let found = known.find_map(|(bytes, name)| {
            let (rest, is_front) = match inner.strip_prefix(*bytes) {
                Some(rest) => (rest, true),
                None => (inner.strip_suffix(*bytes)?, false),
            };
            Some((rest, *name, is_front))
        });
        let backslash = || Some((without_backslash(inner, kind)?, "backslash", false));
        let Some((rest, name, is_front)) = found.or_else(backslash) else {
            break;
        };
        inner = rest.trim_ascii();
        first = first.or(Some(name));
        has_front |= is_front;
    }
    Some(Edges {
        name: first?,
        has_front,
        inner,
    })
}

/// A name or path without the backslash at its end: `*\` and `/cart\` are lines of an RTF
/// document. The path `/*\` may be meant.
fn without_backslash(text: &[u8], kind: FieldKind) -> Option<&[u8]> {
    let is_name = kind == FieldKind::UserAgent;
    let is_path = matches!(kind, FieldKind::Allow | FieldKind::Disallow);
    let rest = text.strip_suffix(b"\\")?;
    let last = *rest.last()?;
    let is_behind_word = last.is_ascii_alphanumeric() || (is_name && last == b'*');
    (is_behind_word && (is_name || is_path)).then_some(rest)
}
