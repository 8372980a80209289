//! Robots.txt files for property tests, rich in what parsers get wrong.

use proptest::prelude::*;
use proptest::sample::select;

pub(crate) const TOKENS: [&str; 4] = ["f", "foobot", "foobot-news", "Foo_Bar"];

fn pattern() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "/",
        "a",
        "b",
        "A",
        "*",
        "**",
        "$",
        "?x=",
        "%2F",
        "%61",
        "%",
        "%6",
        "ä",
        "%C3%A4",
        " ",
        "//",
        "..",
        "robots.txt",
        "%2A",
        "%24",
        "~",
    ];
    let rest = prop::collection::vec(select(PIECES), 0..6);
    (select(&["/", "/", "*", "", "a"][..]), rest).prop_map(|(first, rest)| {
        let rest: String = rest.concat();
        format!("{first}{rest}")
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
        "",
        "5x",
        "MJ12bot",
        "unnamed-robot",
        "ä",
        "\u{202e}x",
    ];
    const OTHERS: &[&str] = &[
        "",
        "# comment",
        "Sitemap: https://e.example/s.xml",
        "Sitemap:",
        "Crawl-delay: 10",
        "Crawl-delay: x",
        "Unicorn: /x",
        "<html>",
        "Disallow",
        ": /",
        "ACAP-crawler: *",
        "ACAP-crawler: f",
        "ACAP-crawler: Foo Bot",
        "ACAP-disallow-crawl: /a",
        "ACAP-allow-index: /a time-limit=5-days",
        "ACAP-disallow-present-snippet: /b*$",
        "ACAP-ignore-conventional-records",
        "ACAP-permissions-reference: /x.txt",
        "App-Directives: a;x=1",
        "App-Directives: /a a;x=?0, b;y",
        "App-Directives: ;;",
        "\u{1b}[2J",
    ];
    prop_oneof![
        3 => select(AGENTS).prop_map(|value| format!("User-agent: {value}")),
        1 => select(&["P1", "train", "P 1", "*"][..]).prop_map(|value| format!("User-Agent-Purpose: {value}")),
        7 => (select(&["Disallow", "Allow", "Disalow"][..]), pattern(), select(&["", "", " # why"][..]))
            .prop_map(|(key, value, tail)| format!("{key}: {value}{tail}")),
        3 => select(OTHERS).prop_map(String::from),
    ]
}

/// A file as bytes.
pub(crate) fn file() -> impl Strategy<Value = Vec<u8>> {
    let ends = select(&["\n", "\r\n", "\r"][..]);
    let lines = prop::collection::vec((line(), ends), 0..25);
    (select(&["", "\u{feff}"][..]), lines).prop_map(|(first, lines)| {
        let lines: String = lines
            .into_iter()
            .flat_map(|(line, end)| [line, end.to_owned()])
            .collect();
        format!("{first}{lines}").into_bytes()
    })
}

/// A path with query.
pub(crate) fn path() -> impl Strategy<Value = String> {
    pattern().prop_map(|text| format!("/{}", text.trim_start_matches('/').replace(['*', '$'], "c")))
}
