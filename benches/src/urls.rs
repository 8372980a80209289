//! URL lists, the same in every run.
//!
//! Three URLs of four come from the file's own patterns, the values of its `allow` and `disallow`
//! lines. A pattern is drawn, each `*` is filled with nothing, a word, a word and a number, or two
//! words with `/` between; a `$` at the end is dropped. Then one thing is done to the path, each as
//! likely as the others:
//!
//! 1. nothing;
//! 2. it is cut at a place drawn at random, but not before the first `/`;
//! 3. it is extended by a word, half of the time behind `/`;
//! 4. one byte is changed to a letter drawn at random;
//! 5. the case of one letter is changed;
//! 6. a query is added, or a parameter where there is one;
//! 7. one letter or digit is percent-encoded, half of the time in lower case hexadecimals.
//!
//! One of four is a random path: one to four common words with `/` between, half of the time with
//! an ending or a query.
//!
//! What a client would not send as it stands (bytes outside of ASCII, controls, blanks and ``
//! "<>\^`{|} ``) is percent-encoded, a `#` too; a path keeps 300 bytes of its pattern. Every URL
//! begins with `https://www.example.com`. The generator is seeded by the file's name.

use crate::random::SplitMix64;
use std::fmt::Write;

/// Scheme and host of all URLs.
pub const SITE: &str = "https://www.example.com";

/// Longest piece of a pattern that a URL is made of, in bytes.
const MAX_PIECE_BYTES: usize = 300;

/// Words that paths are made of.
pub const WORDS: [&str; 48] = [
    "about", "account", "admin", "api", "archive", "article", "assets", "author", "blog", "cart",
    "category", "checkout", "comments", "contact", "content", "css", "download", "events", "feed",
    "files", "forum", "gallery", "help", "home", "images", "index", "item", "jobs", "js", "lang",
    "list", "login", "media", "member", "news", "order", "page", "post", "print", "private",
    "product", "profile", "review", "search", "shop", "static", "tag", "user",
];

const ENDINGS: [&str; 6] = [".html", ".php", ".pdf", ".jpg", "/", "/index.html"];
const PARAMETERS: [&str; 6] = ["id", "page", "q", "sort", "ref", "lang"];

/// `count` URLs for a file called `name` with these `bytes`, by the recipe of the module.
#[must_use]
pub fn list(name: &str, bytes: &[u8], count: usize) -> Vec<String> {
    let patterns = patterns(bytes);
    let mut random = SplitMix64::named(name);
    (0..count)
        .map(|_| {
            let path = if patterns.is_empty() || random.below(4) == 0 {
                random_path(&mut random)
            } else {
                let pattern = &patterns[random.below(patterns.len())];
                mutated(filled(pattern, &mut random), &mut random)
            };
            let mut url = SITE.to_owned();
            push_sent(&mut url, &path);
            url
        })
        .collect()
}

/// `count` URLs of the file's own patterns alone, mutated.
#[must_use]
pub fn own(name: &str, bytes: &[u8], count: usize) -> Vec<String> {
    let patterns = patterns(bytes);
    let mut random = SplitMix64::named(name);
    let path = |_| match patterns.len() {
        0 => random_path(&mut random),
        length => {
            let pattern = &patterns[random.below(length)];
            mutated(filled(pattern, &mut random), &mut random)
        }
    };
    let sent = |path: Vec<u8>| {
        let mut url = SITE.to_owned();
        push_sent(&mut url, &path);
        url
    };
    (0..count).map(path).map(sent).collect()
}

/// Values of `allow` and `disallow` lines that begin as patterns do.
#[must_use]
pub fn patterns(bytes: &[u8]) -> Vec<Vec<u8>> {
    let lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r'));
    lines
        .filter_map(|line| {
            let line = line.split(|&byte| byte == b'#').next().unwrap_or(line);
            let colon = memchr::memchr(b':', line)?;
            let key = line[..colon].trim_ascii();
            let is_rule = [&b"allow"[..], b"disallow"].into_iter();
            let mut is_rule = is_rule.map(|rule| key.eq_ignore_ascii_case(rule));
            let value = line[colon + 1..].trim_ascii();
            let value = &value[..value.len().min(MAX_PIECE_BYTES)];
            let begins = value.starts_with(b"/") || value.starts_with(b"*");
            (begins && is_rule.any(|is| is)).then(|| value.to_vec())
        })
        .collect()
}

/// A path that the pattern matches: `*` filled in, the anchor dropped.
fn filled(pattern: &[u8], random: &mut SplitMix64) -> Vec<u8> {
    let pattern = pattern.strip_suffix(b"$").unwrap_or(pattern);
    let mut path = Vec::new();
    if !pattern.starts_with(b"/") {
        path.push(b'/');
    }
    for &byte in pattern {
        if byte == b'*' {
            path.extend_from_slice(filling(random).as_bytes());
        } else {
            path.push(byte);
        }
    }
    path
}

fn filling(random: &mut SplitMix64) -> String {
    let word = random.pick(&WORDS);
    match random.below(4) {
        0 => String::new(),
        1 => word.to_owned(),
        2 => format!("{word}-{}", random.below(1_000)),
        _ => format!("{word}/{}", random.pick(&WORDS)),
    }
}

fn mutated(mut path: Vec<u8>, random: &mut SplitMix64) -> Vec<u8> {
    match random.below(7) {
        0 => {}
        1 => path.truncate(1 + random.below(path.len())),
        2 => {
            if random.below(2) == 0 {
                path.push(b'/');
            }
            path.extend_from_slice(random.pick(&WORDS).as_bytes());
        }
        3 => {
            let at = 1 + random.below(path.len() - 1);
            if let Some(byte) = path.get_mut(at) {
                *byte = letter(random);
            }
        }
        4 => change_case(&mut path, random),
        5 => {
            path.push(if path.contains(&b'?') { b'&' } else { b'?' });
            let parameter = random.pick(&PARAMETERS);
            path.extend(format!("{parameter}={}", random.below(1_000)).bytes());
        }
        _ => encode_one(&mut path, random),
    }
    path
}

fn letter(random: &mut SplitMix64) -> u8 {
    b'a' + u8::try_from(random.below(26)).unwrap_or(0)
}

/// Places in `path` whose byte is a letter, or a letter or digit.
fn places(path: &[u8], suits: impl Fn(&u8) -> bool) -> Vec<usize> {
    let all = path.iter().enumerate();
    all.filter(|(_, byte)| suits(byte))
        .map(|(at, _)| at)
        .collect()
}

fn change_case(path: &mut [u8], random: &mut SplitMix64) {
    let letters = places(path, u8::is_ascii_alphabetic);
    if !letters.is_empty() {
        path[letters[random.below(letters.len())]] ^= 0x20;
    }
}

fn encode_one(path: &mut Vec<u8>, random: &mut SplitMix64) {
    // Not those of an escape that is there already: `%4%31` is none.
    let free = |at: &usize| {
        path.get(at.saturating_sub(2)..*at)
            .is_none_or(|two| !two.contains(&b'%'))
    };
    let plain = places(path, u8::is_ascii_alphanumeric);
    let plain: Vec<usize> = plain.into_iter().filter(free).collect();
    if plain.is_empty() {
        return;
    }
    let at = plain[random.below(plain.len())];
    let byte = path[at];
    let escape = if random.below(2) == 0 {
        format!("%{byte:02x}")
    } else {
        format!("%{byte:02X}")
    };
    path.splice(at..=at, escape.bytes());
}

fn random_path(random: &mut SplitMix64) -> Vec<u8> {
    let mut path = String::new();
    for _ in 0..=random.below(4) {
        path.push('/');
        path.push_str(random.pick(&WORDS));
    }
    match random.below(4) {
        0 => path.push_str(random.pick(&ENDINGS)),
        1 => {
            let parameter = random.pick(&PARAMETERS);
            let _ = write!(path, "?{parameter}={}", random.below(1_000));
        }
        _ => {}
    }
    path.into_bytes()
}

/// Adds `path` to `url` as a client would send it.
fn push_sent(url: &mut String, path: &[u8]) {
    for &byte in path {
        if byte.is_ascii_graphic() && !b"\"#<>\\^`{|}".contains(&byte) {
            url.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(url, "%{byte:02X}");
        }
    }
}

/// Whether `url` is written in the only way that there is: no escapes, no reserved bytes but `/` in
/// the path, the first `?`, and `=` and `&` behind it. Nothing has to be rewritten before it is
/// compared.
#[must_use]
pub fn is_canonical(url: &str) -> bool {
    let path = url.strip_prefix(SITE).unwrap_or(url);
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let all = |text: &str, more: &[u8]| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        text.bytes().all(|byte| plain(byte) || more.contains(&byte))
    };
    all(path, b"/") && all(query, b"=&")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &[u8] = b"User-agent: *\nDisallow: /a b/*/\xC3\xA4.html$ # why\nAllow: *?id=#\n\
        disallow: /%7Ejoe/\nDisallow:\nCrawl-delay: 2\nDisallow: relative\n";

    #[test]
    fn lists_are_the_same_in_every_run_and_differ_between_files() {
        assert_eq!(list("x", FILE, 50), list("x", FILE, 50));
        assert_ne!(list("x", FILE, 50), list("y", FILE, 50));
        assert_eq!(list("x", FILE, 50)[..20], list("x", FILE, 20)[..]);
    }

    #[test]
    fn every_url_is_a_target_of_ascii() {
        for url in list("x", FILE, 2_000).iter().chain(&own("x", FILE, 2_000)) {
            assert!(abide::Target::new(url).is_ok(), "{url}");
            assert!(url.is_ascii() && !url.contains(['#', ' ']), "{url}");
        }
    }

    #[test]
    fn patterns_are_the_values_of_rules() {
        let found = patterns(FILE);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0], b"/a b/*/\xC3\xA4.html$");
        assert_eq!(found[1], b"*?id=");
    }

    #[test]
    fn a_file_without_patterns_has_urls_too() {
        assert_eq!(list("x", b"<html>", 10).len(), 10);
        assert_eq!(own("x", b"", 10).len(), 10);
    }
}
