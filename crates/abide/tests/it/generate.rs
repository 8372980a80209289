//! Robots.txt files, tokens and paths for property tests, rich in what files and parsers get wrong.

use proptest::prelude::*;
use proptest::sample::select;

/// Names that clients and files share, so that clients often find a group.
pub(crate) const TOKENS: [&str; 5] = ["f", "foobot", "foobot-news", "Foo_Bar", "x"];
pub(crate) const PURPOSES: [&str; 3] = ["P1", "train", "x"];

/// Pieces of paths and patterns: few enough to match each other often, unusual enough to matter.
const PIECES: [&str; 34] = [
    "/",
    "a",
    "b",
    "ab",
    "A",
    ".",
    "..",
    "//",
    "?",
    "=",
    "&",
    ":",
    "+",
    ",",
    "%",
    "%2F",
    "%2f",
    "%61",
    "%41",
    "%7E",
    "~",
    "%2A",
    "%24",
    "%3A",
    "%25",
    "%6",
    "3A",
    "ä",
    "%C3%A4",
    "%c3%a4",
    " ",
    "x",
    "!",
    "robots.txt",
];

fn pieces() -> impl Strategy<Value = String> {
    prop::collection::vec(select(&PIECES[..]), 0..6).prop_map(|pieces| pieces.concat())
}

/// A path with query, as written in a URL.
pub(crate) fn path() -> impl Strategy<Value = String> {
    let special = select(&["", "*", "$", "?x=*", "/robots.txt"][..]);
    prop_oneof![
        6 => (pieces(), special).prop_map(|(path, end)| format!("/{path}{end}")),
        1 => Just("/robots.txt".to_owned()),
        1 => Just("/".to_owned()),
    ]
}

/// The value of a rule.
pub(crate) fn pattern() -> impl Strategy<Value = String> {
    let piece =
        prop_oneof![3 => pieces(), 2 => select(&["*", "**", "$", "/*"][..]).prop_map(String::from)];
    (
        select(&["/", "/", "/", "*", "", "a"][..]),
        prop::collection::vec(piece, 0..4),
        any::<bool>(),
    )
        .prop_map(|(first, rest, anchored)| {
            format!(
                "{first}{}{}",
                rest.concat(),
                if anchored { "$" } else { "" }
            )
        })
}

fn line() -> impl Strategy<Value = String> {
    const AGENTS: &[&str] = &[
        "*",
        "f",
        "FOOBOT",
        "foobot/1.0",
        "foobot-news",
        "Foo_Bar x",
        "* x",
        "*x",
        "",
        "5x",
        "x",
    ];
    const VALUES: &[&str] = &["P1", "p1", "Train", "*", "x", "P 1", ""];
    const OTHERS: &[&str] = &[
        "",
        "   ",
        "# comment",
        "Sitemap: https://e.example/s.xml",
        "Crawl-delay: 10",
        "Unicorn: /x",
        "<html>",
        "Disallow",
        ":",
        ": /",
        "ACAP-crawler: *",
        "ACAP-crawler: foobot",
        "ACAP-disallow-crawl: /",
        "ACAP-permissions-reference: /f.txt",
        "Content-Usage: train-ai=n",
        "Content-Usage: /a train-ai=y, search=n",
        "Content-Signal: /a ai-train=no",
        "License: https://e.example/l.xml",
        "Host: e.example",
        "App-Directives: a;x=1",
        "app-directive: /a a;x=1",
        "Request-rate: 1/5",
        "Disallowed: /",
    ];
    prop_oneof![
        3 => (select(&["User-agent", "user-agent", "useragent", "User Agent", "USER-AGENT"][..]), select(AGENTS))
            .prop_map(|(key, value)| format!("{key}: {value}")),
        1 => select(VALUES).prop_map(|value| format!("User-Agent-Purpose: {value}")),
        6 => (select(&["Disallow", "Allow", "disallow", "Disalow", "ALLOW"][..]), separator(), pattern(), tail())
            .prop_map(|(key, separator, value, tail)| format!("{key}{separator}{value}{tail}")),
        2 => select(OTHERS).prop_map(String::from),
    ]
}

fn separator() -> impl Strategy<Value = &'static str> {
    select(&[": ", ":", " : ", "\t:\t", " "][..])
}

fn tail() -> impl Strategy<Value = &'static str> {
    prop_oneof![8 => Just(""), 1 => Just(" # why"), 1 => Just("#x#y"), 1 => Just(" \t"), 1 => Just("\u{1}"), 1 => Just("\u{b}")]
}

/// A robots.txt with line endings of every kind.
pub(crate) fn robots() -> impl Strategy<Value = Vec<u8>> {
    let ending = select(&["\n", "\n", "\n", "\r\n", "\r"][..]);
    let bom = prop_oneof![9 => Just(&b""[..]), 1 => Just(&b"\xEF\xBB\xBF"[..])];
    (
        bom,
        prop::collection::vec((line(), ending), 0..14),
        any::<bool>(),
    )
        .prop_map(|(bom, lines, ended)| {
            let mut bytes = bom.to_vec();
            for (line, ending) in &lines {
                bytes.extend_from_slice(line.as_bytes());
                bytes.extend_from_slice(ending.as_bytes());
            }
            if !ended {
                bytes.extend_from_slice(b"User-agent: *\nDisallow: /x");
            }
            bytes
        })
}

/// Arbitrary bytes: generated files with some bytes changed, and plain noise.
pub(crate) fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let mutated = (
        robots(),
        prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
    )
        .prop_map(|(mut bytes, changes)| {
            for (at, byte) in changes {
                if !bytes.is_empty() {
                    let at = at.index(bytes.len());
                    bytes[at] = byte;
                }
            }
            bytes
        });
    prop_oneof![4 => mutated, 1 => prop::collection::vec(any::<u8>(), 0..200)]
}

pub(crate) fn token() -> impl Strategy<Value = &'static str> {
    select(&TOKENS[..])
}

/// The product tokens and purposes of a client.
pub(crate) fn names() -> impl Strategy<Value = (Vec<&'static str>, Vec<&'static str>)> {
    (
        prop::collection::vec(token(), 1..3),
        prop::collection::vec(select(&PURPOSES[..]), 0..3),
    )
}
