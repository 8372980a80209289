//! The names in a `User-Agent` line (RFC 9110, 10.1.5; CLA-23).

use super::software::{Software, software};
use super::token::ProductToken;
use std::collections::BTreeSet;

/// What a name in a `User-Agent` line is. The first kind is most likely the sender's own name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NameKind {
    /// A product that is no browser, library or crawling software.
    Product,
    /// Another word of the line.
    Word,
    /// A library, or software that anybody can crawl with, such as `curl` or `Nutch`.
    Software,
    /// A browser, or a word that browsers send, such as `Mozilla` or `Linux`.
    Browser,
}

/// A `User-Agent` line: the names in it, the sender's own before those of its software.
///
/// Products are what RFC 9110 calls so, which is every word outside comments; and what robots write
/// in comments: a name with a version, a name after `compatible;`, and a name that ends in `bot`,
/// `crawler` or `spider`.
///
/// ```
/// use abide::rep::UserAgentLine;
/// let line = UserAgentLine::new("MyCrawler/Nutch-1.19 (My crawler; https://bot.example/)");
/// assert_eq!(line.own(), Some("MyCrawler"));
/// assert_eq!(line.software(), None);
/// assert!(line.names().any(|(name, _)| name == "Nutch"));
/// assert!(line.is_marked());
/// ```
#[derive(Clone, Debug, Default)]
pub struct UserAgentLine<'l> {
    names: Vec<Name<'l>>,
    is_marked: bool,
}

#[derive(Clone, Copy, Debug)]
struct Name<'l> {
    text: &'l str,
    kind: NameKind,
    is_product: bool,
    /// Whether it is more than one of several words: it has a version, or is where names are.
    is_prominent: bool,
}

/// What begins and ends comments.
const OPENING: [char; 3] = ['(', '[', '{'];
const CLOSING: [char; 3] = [')', ']', '}'];
/// What separates the parts of a comment.
const PARTS: [char; 2] = [';', ','];
/// What else separates words: logs of IIS write `+` for a blank.
const BLANKS: [char; 5] = [' ', '\t', '+', '<', '>'];
/// What may be around a name.
const AROUND: [char; 8] = ['"', '\'', '`', ':', '.', '!', '-', '*'];
/// What the names of robots have in them.
const MARKS: [&str; 3] = ["bot", "crawler", "spider"];

impl<'l> UserAgentLine<'l> {
    /// Reads a line.
    #[must_use]
    pub fn new(text: &'l str) -> Self {
        let mut reader = Reader::default();
        reader.read(without_key(text.trim()));
        let Reader {
            mut names,
            is_marked,
            ..
        } = reader;
        names.sort_by_key(|name| (name.kind, !name.is_prominent));
        let mut seen = BTreeSet::new();
        names.retain(|name| seen.insert(name.text.to_ascii_lowercase()));
        Self { names, is_marked }
    }

    /// The names by which the groups of a file can address the sender, in the order in which they
    /// count. Each is a token of [`ProductToken::nonstandard`].
    pub fn names(&self) -> impl Iterator<Item = (&'l str, NameKind)> {
        self.names.iter().map(|name| (name.text, name.kind))
    }

    /// The first product that is no browser, library or crawling software.
    #[must_use]
    pub fn own(&self) -> Option<&'l str> {
        self.first(NameKind::Product)
    }

    /// The first product that is a library or crawling software.
    #[must_use]
    pub fn software(&self) -> Option<&'l str> {
        self.first(NameKind::Software)
    }

    fn first(&self, kind: NameKind) -> Option<&'l str> {
        let mut names = self.names.iter();
        let found = names.find(|name| name.is_product && name.kind == kind)?;
        Some(found.text)
    }

    /// Whether the line has what robots write and browsers do not: the address of a page about the
    /// robot, a product after `compatible;`, a product whose name has `bot`, `crawler` or `spider`
    /// in it, or crawling software.
    #[must_use]
    pub fn is_marked(&self) -> bool {
        self.is_marked
    }
}

/// A line from a log or a tool may still have the name of the field.
fn without_key(line: &str) -> &str {
    const KEY: &str = "user-agent:";
    match line.split_at_checked(KEY.len()) {
        Some((key, value)) if key.eq_ignore_ascii_case(KEY) => value,
        _ => line,
    }
}

/// Reads a line from left to right.
#[derive(Debug, Default)]
struct Reader<'l> {
    names: Vec<Name<'l>>,
    is_marked: bool,
    /// How many comments are open.
    depth: u32,
    /// The words of the part that is being read.
    part: Vec<&'l str>,
    is_after_compatible: bool,
}

impl<'l> Reader<'l> {
    fn read(&mut self, mut rest: &'l str) {
        while let Some(first) = rest.chars().next() {
            let (_, behind) = rest.split_at_checked(first.len_utf8()).unwrap_or_default();
            if is_url(rest) {
                self.is_marked = true;
                rest = behind_url(rest);
            } else if BLANKS.contains(&first) {
                rest = behind;
            } else if PARTS.contains(&first) {
                self.end_part();
                rest = behind;
            } else if OPENING.contains(&first) {
                self.end_part();
                self.depth = self.depth.saturating_add(1);
                rest = behind;
            } else if CLOSING.contains(&first) {
                self.end_part();
                self.depth = self.depth.saturating_sub(1);
                rest = behind;
            } else {
                let end = rest.find(ends_word).unwrap_or(rest.len());
                let (word, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
                self.part.push(word);
                rest = behind;
            }
        }
        self.end_part();
    }

    /// Ends a part of a comment, or of what is outside comments.
    fn end_part(&mut self) {
        let part = std::mem::take(&mut self.part);
        let is_after_compatible = std::mem::take(&mut self.is_after_compatible);
        let [first, others @ ..] = part.as_slice() else {
            return;
        };
        self.is_after_compatible = others.is_empty() && first.eq_ignore_ascii_case("compatible");
        let is_bot = others.iter().all(|word| is_version(word)) && is_named_as_robot(first);
        let is_outside = self.depth == 0;
        let before = self.names.len();
        let is_prominent = is_after_compatible || is_bot || (is_outside && before == 0);
        self.word(first, is_outside || is_prominent, is_prominent);
        let stated = self.names.get(before..).unwrap_or_default();
        let is_stated = |name: &Name<'_>| name.is_product && name.kind == NameKind::Product;
        self.is_marked |= is_after_compatible && stated.iter().any(is_stated);
        for word in others {
            self.word(word, is_outside, is_outside && is_named_as_robot(word));
        }
    }

    /// Adds the names in a word: what is before its version, and products in the version, as in
    /// `MyCrawler/Nutch-1.19`.
    fn word(&mut self, word: &'l str, is_product: bool, is_prominent: bool) {
        let mut segments = word.split('/');
        let name = segments.next().unwrap_or_default();
        let has_version = name.len() < word.len();
        let is_product = (is_product || has_version) && !word.contains('@') && !is_version(word);
        let is_prominent = is_product && (is_prominent || has_version);
        let name = name.trim_matches(AROUND);
        let bare = without_version(name);
        if has_version || bare.contains(char::is_alphabetic) {
            self.add(bare, is_product, is_prominent);
        }
        let whole = (bare.len() < name.len()).then_some(name);
        let others = segments.flat_map(|segment| {
            let segment = segment.trim_matches(AROUND);
            [without_version(segment), segment]
        });
        let has_letter = |name: &&str| name.contains(char::is_alphabetic);
        for name in whole.into_iter().chain(others).filter(has_letter) {
            self.add(name, false, false);
        }
    }

    fn add(&mut self, text: &'l str, is_product: bool, is_prominent: bool) {
        if ProductToken::nonstandard(text).is_err() {
            return;
        }
        let software = software(text);
        let kind = match software {
            Some(Software::Browser) => NameKind::Browser,
            Some(Software::Library | Software::Crawler) => NameKind::Software,
            None if is_product => NameKind::Product,
            None => NameKind::Word,
        };
        let lower = text.to_ascii_lowercase();
        self.is_marked |= match kind {
            NameKind::Product => MARKS.iter().any(|mark| lower.contains(mark)),
            NameKind::Software => is_product && software == Some(Software::Crawler),
            NameKind::Word | NameKind::Browser => false,
        };
        self.names.push(Name {
            text,
            kind,
            is_product,
            is_prominent,
        });
    }
}

fn ends_word(found: char) -> bool {
    BLANKS.contains(&found)
        || PARTS.contains(&found)
        || OPENING.contains(&found)
        || CLOSING.contains(&found)
}

fn is_digit(found: char) -> bool {
    found.is_ascii_digit()
}

/// Whether a word is the version of the word before it: `v2.9.0`, `1.2`.
fn is_version(word: &str) -> bool {
    let number = word.strip_prefix(['v', 'V']).unwrap_or(word);
    let is_part = |found: char| is_digit(found) || ".-_".contains(found);
    number.starts_with(is_digit) && number.chars().all(is_part)
}

/// Whether a word ends as the names of robots do.
fn is_named_as_robot(word: &str) -> bool {
    let name = word.split('/').next().unwrap_or_default();
    let name = without_version(name).to_ascii_lowercase();
    MARKS.iter().any(|mark| name.ends_with(mark))
}

fn is_url(text: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        let start = text.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

fn behind_url(text: &str) -> &str {
    let ends = |found: char| found.is_whitespace() || ";)>,".contains(found);
    let end = text.find(ends).unwrap_or(text.len());
    text.get(end..).unwrap_or_default()
}

/// A name without the version that follows it without a `/`: `grub-client` of `grub-client-0.3.0`.
/// A number is part of the name, as in `MJ12bot` and `IAHarvester2024`, unless a separator is
/// before it or a dot in it.
fn without_version(name: &str) -> &str {
    const MIN_NAME_BYTES: usize = 3;
    const MAX_NAME_BYTES: usize = 256;
    if name.len() > MAX_NAME_BYTES {
        return name;
    }
    let mut numbers = name.match_indices(is_digit).filter_map(|(at, _)| {
        let (before, version) = name.split_at_checked(at)?;
        let number = version.split(['-', '_']).next()?;
        let is_number = number.chars().all(|found| is_digit(found) || found == '.');
        let is_separator = |found: char| matches!(found, '-' | '_' | '.');
        let before = match before.strip_suffix(['v', 'V']) {
            Some(start) if start.ends_with(is_separator) => start,
            _ => before,
        };
        let bare = before.trim_end_matches(is_separator);
        let is_version = bare.len() < before.len() || number.contains('.');
        let is_name = bare.len() >= MIN_NAME_BYTES && bare.contains(char::is_alphabetic);
        (is_number && is_version && is_name).then_some(bare)
    });
    numbers.next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_behind_names() {
        for (name, bare) in [
            ("Nutch-1.19", "Nutch"),
            ("grub-client-0.3.0", "grub-client"),
            ("trendictionbot0.5.0", "trendictionbot"),
            ("foo-v2", "foo"),
            ("MJ12bot", "MJ12bot"),
            ("Win64", "Win64"),
            ("360Spider", "360Spider"),
            ("é9", "é9"),
        ] {
            assert_eq!(without_version(name), bare);
        }
    }

    #[test]
    fn hostile_lines_take_linear_time() {
        let long = "((((1a-1/".repeat(20_000);
        assert!(UserAgentLine::new(&long).own().is_some());
        let digits = "1".repeat(200_000);
        assert_eq!(UserAgentLine::new(&digits).own(), None);
    }
}
