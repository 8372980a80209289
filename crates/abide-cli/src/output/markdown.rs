//! Escapes foreign text for Markdown, so that it cannot inject Markdown or HTML, mention people or
//! link anywhere.

use crate::width::cut;
use crate::xml::escaped;
use abide::explain::visible;
use abide_analysis::words::{Phrase, Piece};

/// The largest number of characters of foreign text in one place.
const MAX_TEXT_CHARS: usize = 120;

/// Foreign text as a code span, on one line.
pub(crate) fn code(text: &[u8]) -> String {
    let text = cut(&visible(text), MAX_TEXT_CHARS);
    let longest = text.split(|found| found != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or(0) + 1);
    // A span drops one space at each end if both have one, and a fence must not touch a backtick.
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) || text.is_empty() {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A robot's name: letters, digits and hyphens as they are, anything else as [`code`].
pub(crate) fn name(text: &str) -> String {
    if is_plain(text) {
        text.to_owned()
    } else {
        code(text.as_bytes())
    }
}

/// Whether a name is no Markdown, and no HTML.
fn is_plain(name: &str) -> bool {
    let is_plain = |found: char| found.is_ascii_alphanumeric() || found == '-';
    !name.is_empty() && name.chars().all(is_plain)
}

/// A sentence, in which our own words are no Markdown either.
pub(crate) fn phrase(sentence: &Phrase) -> String {
    let pieces = sentence.pieces().iter().map(|piece| match piece {
        Piece::Words(words) => words.replace('*', "\\*").replace('_', "\\_"),
        Piece::Name(text) => name(text),
        Piece::Quoted(text) => code(text),
    });
    pieces.collect()
}

/// A sentence inside HTML such as `<summary>`, where no Markdown is read.
pub(crate) fn html(sentence: &Phrase) -> String {
    let pieces = sentence.pieces().iter().map(|piece| match piece {
        Piece::Words(words) => escaped(words),
        Piece::Name(text) if is_plain(text) => text.clone(),
        Piece::Name(text) => html_code(text.as_bytes()),
        Piece::Quoted(text) => html_code(text),
    });
    pieces.collect()
}

/// Markdown as a cell of a table, where `|` would end it, even in a code span.
pub(crate) fn cell(markdown: &str) -> String {
    markdown.replace('|', "\\|")
}

/// Foreign text inside HTML such as `<summary>`, where no Markdown is read.
pub(crate) fn html_code(text: &[u8]) -> String {
    let text = escaped(&cut(&visible(text), MAX_TEXT_CHARS));
    format!("<code>{}</code>", text.replace('`', "&#96;"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_stays_text() {
        assert_eq!(code(b"Disallow: /"), "`Disallow: /`");
        assert_eq!(code(b"``x"), "``` ``x ```");
        assert_eq!(code(b"a`b\n# h"), r"``a`b\x0a# h``");
        assert_eq!(code(b""), "`  `");
        assert_eq!(name("GPTBot"), "GPTBot");
        assert_eq!(name("@octocat"), "`@octocat`");
        assert_eq!(name("www.e.example"), "`www.e.example`");
        assert_eq!(cell(&code(b"/a|b")), r"`/a\|b`");
        assert_eq!(
            html_code(b"</summary><img src=x>"),
            "<code>&lt;/summary&gt;&lt;img src=x&gt;</code>"
        );
        assert_eq!(html_code(b"`x`"), "<code>&#96;x&#96;</code>");
        assert_eq!(code(&[b'x'; 500]).chars().count(), 122);
    }
}
