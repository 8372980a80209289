//! `invisible-character`: a character that looks like a space, like nothing or like a quote, at the
//! edge of a key or value.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::FieldKind;

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
    ("\u{2018}".as_bytes(), "curly quote"),
    ("\u{2019}".as_bytes(), "curly quote"),
    ("\u{201c}".as_bytes(), "curly quote"),
    ("\u{201d}".as_bytes(), "curly quote"),
];

fn check(file: &File<'_>, found: &mut Findings) {
    for (line, field) in file.fields() {
        let parts = [(field.key, "key"), (field.value, "value")];
        let is_read = field.kind != FieldKind::Other;
        for (span, what) in parts {
            let text = span.of(file.text());
            // The value of a field that robots do not know does not matter.
            if what == "value" && !is_read {
                continue;
            }
            let Some(edges) = edges(text, field.kind) else {
                continue;
            };
            let Edges { name, inner } = edges;
            let message = format!(
                "there is a {name} at the edge of this {what}, which robots read as part of it; delete it"
            );
            let place = found.say(Some(line.number), File::statement(line), message);
            let title = format!("delete the {name}");
            place.fix(Fix::replace(Safety::Unsafe, title, span, inner));
        }
    }
}

/// What is at the edges of a text.
struct Edges<'t> {
    /// The first of the characters.
    name: &'static str,
    /// The text without them.
    inner: &'t [u8],
}

/// The characters at the edges of a text; `None` if there are none.
fn edges(text: &[u8], kind: FieldKind) -> Option<Edges<'_>> {
    // Robots read a text in Latin-1 as UTF-8. In UTF-8, the byte A0 ends other characters.
    let is_latin = std::str::from_utf8(text).is_err();
    let mut inner = text;
    let mut first = None;
    loop {
        let mut known = CHARACTERS.iter();
        let found = known.find_map(|(bytes, name)| {
            let rest = inner
                .strip_prefix(*bytes)
                .or_else(|| inner.strip_suffix(*bytes));
            Some((rest?, *name))
        });
        let byte = || {
            inner
                .strip_prefix(b"\xa0")
                .or_else(|| inner.strip_suffix(b"\xa0"))
        };
        let byte = is_latin.then(byte).flatten();
        let found = found.or_else(|| Some((byte?, "no-break space")));
        // `*\` and `/cart\` are lines of an RTF document.
        let is_path = matches!(
            kind,
            FieldKind::UserAgent | FieldKind::Allow | FieldKind::Disallow
        );
        let is_behind_word = |rest: &&[u8]| {
            let last = rest.last();
            last.is_some_and(|last| last.is_ascii_alphanumeric() || *last == b'*')
        };
        let backslash = inner.strip_suffix(b"\\").filter(is_behind_word);
        let backslash = backslash.filter(|_| is_path);
        let found = found.or_else(|| Some((backslash?, "backslash")));
        let Some((rest, name)) = found else { break };
        inner = rest.trim_ascii();
        first = first.or(Some(name));
    }
    Some(Edges {
        name: first?,
        inner,
    })
}
