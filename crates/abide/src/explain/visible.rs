//! Foreign text made safe to show: on a terminal it must neither act nor mislead.

use std::fmt::Write;

/// `octets` as text in which nothing is invisible or obeyed: controls, bidirectional overrides and
/// other format characters, line separators and octets that are not UTF-8 appear as escapes such as
/// `\x1b` and `\u{202e}`.
///
/// ```
/// use abide::explain::visible;
/// assert_eq!(visible(b"a\x1b[31mb\xFF"), r"a\x1b[31mb\xff");
/// assert_eq!(visible("/ツ\u{202e}".as_bytes()), r"/ツ\u{202e}");
/// ```
#[must_use]
pub fn visible(octets: &[u8]) -> String {
    let mut shown = String::with_capacity(octets.len());
    for chunk in octets.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character.is_ascii_control() {
                // Writing to a String cannot fail.
                let _ = write!(shown, "\\x{:02x}", u32::from(character));
            } else if misleads(character) {
                let _ = write!(shown, "{}", character.escape_unicode());
            } else {
                shown.push(character);
            }
        }
        for octet in chunk.invalid() {
            let _ = write!(shown, "\\x{octet:02x}");
        }
    }
    shown
}

/// A URL as it may be shown: nothing in it acts, and no user information, which may be a password.
///
/// ```
/// use abide::explain::visible_url;
/// assert_eq!(visible_url("https://me:secret@a.example/\x07"), r"https://a.example/\x07");
/// assert_eq!(visible_url("/path@x"), "/path@x");
/// ```
#[must_use]
pub fn visible_url(url: &str) -> String {
    let visible = visible(url.as_bytes());
    let Some((scheme, rest)) = visible.split_once("://") else {
        return visible;
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
    match authority.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://{host}{path}"),
        None => visible,
    }
}

/// Controls beyond ASCII, separators, and format characters that draw nothing or reorder text.
fn misleads(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}
