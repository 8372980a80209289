//! Foreign text made safe to show: on a terminal it must neither act nor mislead.

use crate::text::Part as _;
use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;

/// `bytes` as text in which nothing is invisible or obeyed: controls, bidirectional overrides and
/// other format characters, line separators and bytes that are not UTF-8 appear as escapes such as
/// `\x1b` and `\u{202e}`.
///
/// ```
/// use abide::explain::visible;
/// assert_eq!(visible(b"a\x1b[31mb\xFF"), r"a\x1b[31mb\xff");
/// assert_eq!(visible("/ツ\u{202e}".as_bytes()), r"/ツ\u{202e}");
/// ```
#[must_use]
pub fn visible(bytes: &[u8]) -> String {
    let mut shown = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
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
        for byte in chunk.invalid() {
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    shown
}

/// A path in which nothing is invisible or obeyed, like [`visible`]: a name can contain anything.
#[must_use]
pub fn visible_path(path: &Path) -> String {
    visible(path.as_os_str().as_encoded_bytes())
}

/// `text` as evidence quotes it: all of it up to 256 bytes. A longer text is cut and ends with `…`,
/// because one statement can be evidence many times: for each rule in it, and for each application
/// or usage that it names.
///
/// ```
/// use abide::explain::quoted;
/// assert_eq!(quoted(b"noindex"), "noindex");
/// assert_eq!(quoted("ü".repeat(200).as_bytes()), format!("{}…", "ü".repeat(128)));
/// ```
#[must_use]
pub fn quoted(text: &[u8]) -> Cow<'_, str> {
    let (kept, more) = cut(text, 256);
    match String::from_utf8_lossy(kept) {
        whole if more.is_empty() => whole,
        kept => Cow::Owned(format!("{kept}{more}")),
    }
}

/// Foreign text as the message of a finding quotes it: visible, in quotation marks, at most 80
/// bytes.
///
/// ```
/// use abide::explain::shown;
/// assert_eq!(shown(b"Disalow\x07"), r#""Disalow\x07""#);
/// assert_eq!(shown("ü".repeat(50).as_bytes()), format!("\"{}…\"", "ü".repeat(40)));
/// ```
#[must_use]
pub fn shown(text: &[u8]) -> String {
    let (kept, more) = cut(text, 80);
    format!("\"{}{more}\"", visible(kept))
}

/// At most `max_bytes` of the text, without half a character at the end, and `…` if more follows.
fn cut(text: &[u8], max_bytes: usize) -> (&[u8], &'static str) {
    if text.len() <= max_bytes {
        return (text, "");
    }
    let is_inside = |at: &usize| text.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let starts = (max_bytes.saturating_sub(3)..=max_bytes).rev();
    // Bytes that are not UTF-8 have no character to keep whole.
    let end = starts
        .filter(|at| !is_inside(at))
        .max()
        .unwrap_or(max_bytes);
    (text.part(..end), "…")
}

/// A URL as it may be shown: nothing in it acts, and no user information, which may be a password.
/// The text may be one that no parser takes, because errors show those: whatever may be meant as
/// user information is dropped.
///
/// ```
/// use abide::explain::visible_url;
/// assert_eq!(visible_url("https://me:secret@a.example/\x07"), r"https://a.example/\x07");
/// assert_eq!(visible_url("//me:secret@a.example/"), "//a.example/");
/// assert_eq!(visible_url("https://me:sec#ret@a.example/"), "https://a.example/");
/// assert_eq!(visible_url("me:secret@a.example"), "a.example");
/// assert_eq!(visible_url("https://a.example/@me"), "https://a.example/@me");
/// assert_eq!(visible_url("/path@x"), "/path@x");
/// ```
#[must_use]
pub fn visible_url(url: &str) -> String {
    // URL parsers remove these, so they may stand anywhere in a scheme or behind it.
    let read: String = url
        .trim_start_matches(|c: char| c <= ' ')
        .chars()
        .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
        .collect();
    match user_information(&read) {
        Some(dropped) => {
            let shown = [read.part(..dropped.start), read.part(dropped.end..)].concat();
            visible(shown.as_bytes())
        }
        None => visible(url.as_bytes()),
    }
}

/// What may be user information, with the `@` behind it.
fn user_information(url: &str) -> Option<Range<usize>> {
    let is_slash = |c: char| matches!(c, '/' | '\\');
    let end = url.rfind('@')?.saturating_add(1);
    if url.starts_with(is_slash) && !url.part(1..).starts_with(is_slash) {
        return None;
    }
    let start = authority_start(url);
    let before = url.part(..end);
    if start == url.len() {
        let is_mail = url
            .get(..7)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("mailto:"));
        return (before.contains(':') && !is_mail).then_some(0..end);
    }
    let rest = url.part(start..);
    let authority = rest.part(..rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len()));
    // Behind a host and a port, `@` is part of the path. Anything else may be a password with a
    // `/`, `?` or `#` in it.
    let port = match authority.rsplit_once(':') {
        Some((_, port)) if !port.ends_with(']') => port,
        _ => "",
    };
    let has_host = !authority.contains('@') && (port.is_empty() || port.parse::<u16>().is_ok());
    (!has_host && start < end).then_some(start..end)
}

/// Where the authority of a URL begins, in any spelling that some client reads: with one slash or
/// none behind the scheme, with backslashes, without a scheme. The end of the text if it has no
/// authority.
fn authority_start(url: &str) -> usize {
    let is_slash = |c: char| matches!(c, '/' | '\\');
    let scheme = url.split_once(':').map_or("", |(scheme, _)| scheme.trim());
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    let behind = match url.split_once(':').filter(|_| is_scheme) {
        Some((scheme, _)) => scheme.len().saturating_add(1),
        None => 0,
    };
    let rest = url.part(behind..);
    let path = rest.trim_start_matches(is_slash);
    let slashes = rest.len().saturating_sub(path.len());
    // `mailto:a@b` has no authority; `https:a@b` has one for a browser.
    let has_authority = slashes >= 2
        || (is_scheme
            && (slashes == 1
                || ["http", "https", "redis", "rediss"]
                    .iter()
                    .any(|web| scheme.eq_ignore_ascii_case(web))));
    if has_authority {
        behind.saturating_add(slashes)
    } else {
        url.len()
    }
}

/// Whether a character beyond ASCII must not be shown as it is: controls, separators, and format
/// characters that draw nothing or reorder text.
#[must_use]
pub fn misleads(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}
