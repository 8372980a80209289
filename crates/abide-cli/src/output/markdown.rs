//! Escapes foreign text for Markdown, so that it cannot inject Markdown or HTML, mention people or
//! link anywhere.

use crate::width::cut;
use abide::explain::visible;

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
    let is_plain = |found: char| found.is_ascii_alphanumeric() || found == '-';
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        code(text.as_bytes())
    }
}

/// Markdown as a cell of a table, where `|` would end it, even in a code span.
pub(crate) fn cell(markdown: &str) -> String {
    markdown.replace('|', "\\|")
}

/// Foreign text inside HTML such as `<summary>`, where no Markdown is read.
pub(crate) fn html_code(text: &[u8]) -> String {
    let text = crate::xml::escaped(&cut(&visible(text), MAX_TEXT_CHARS));
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
