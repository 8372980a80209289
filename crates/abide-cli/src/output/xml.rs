//! Escapes text for XML.

use abide::explain::visible;

/// Escapes text for XML 1.0, attributes included. Control characters and noncharacters, which XML
/// cannot contain, are made visible.
pub(crate) fn escaped(text: &str) -> String {
    let mut xml = String::with_capacity(text.len());
    for character in visible(text.as_bytes()).chars() {
        match character {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\'' => xml.push_str("&apos;"),
            '\u{fffe}' | '\u{ffff}' => xml.extend(character.escape_unicode()),
            other => xml.push(other),
        }
    }
    xml
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_foreign_breaks_the_xml() {
        assert_eq!(
            escaped("a<b>&\"'\u{1b}]\u{ffff}ä"),
            r"a&lt;b&gt;&amp;&quot;&apos;\x1b]\u{ffff}ä"
        );
    }
}
