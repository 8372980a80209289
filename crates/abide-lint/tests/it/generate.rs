//! Robots.txt files and URLs for property tests, rich in what files and parsers get wrong.

use abide::syntax::FieldKind;
use abide::{Client, ProductToken, Profile, Robots};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeSet;

/// Pieces of files: keys, values, spaces, line endings, and bytes that parsers read differently.
const PIECES: [&[u8]; 64] = [
    b"User-agent: *",
    b"user-agent:f",
    b"USER-AGENT : foobot/1.0",
    b"useragent: b",
    b"User-agent f",
    b"User-Agent-Purpose:train",
    b"Disallow: /a",
    b"disallow:/b",
    b"Disalow: /c",
    b"Disallow /d e",
    b"Disallow: ",
    b"disallow:\t ",
    b"allow:",
    b"ALLOW:/a/b",
    b"Allow: /*.gif$",
    b"Allowed: /x",
    b"Allow: /index.html",
    b"app-directives: a;x=1",
    b"Sitemap:https://e.example/s",
    b"Crawl-DELAY:3",
    b"Host:e.example",
    b"Unicorn : x",
    b"https://e.example/",
    b"<p>",
    b"Disallow",
    b"three words here",
    b"##ACAP version=1.0",
    b"ACAP-crawler:*",
    b"acap-CRAWLER: f",
    b"ACAP-allow-crawl:/a",
    b"Acap-disallow-(X) : /b",
    b"ACAP-usage-purpose: news",
    b"ACAP-ignore-conventional-records",
    b"ACAP-resource-set: s /a /b",
    b"ACAP-crawler a b",
    b"ACAP-allow-index: /a  time-limit=3-days",
    b"# comment",
    b"#",
    b" # abide: ignore x",
    b"\n",
    b"\n",
    b"\n",
    b"\n",
    b"\n",
    b"\n",
    b"\r\n",
    b"\r",
    b"\n\n\n",
    b" ",
    b"\t",
    b"  ",
    b"\xEF\xBB\xBF",
    b"\xEF\xBB",
    b"\xEF",
    b"\xFF\xFE",
    b"\xFE",
    b"\0",
    b"\x0B",
    b"\x0C",
    b"\x01",
    b":",
    b"\xE4",
    "ä\u{2028}".as_bytes(),
    b"/x$",
];

/// A file: mostly whole lines, with hostile bytes between them.
pub(crate) fn file() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => prop::collection::vec(select(&PIECES[..]), 0..60).prop_map(|pieces| pieces.concat()),
        3 => prop::collection::vec((select(&PIECES[..]), select(&["\n", "\n", "\n\n", "\r\n", "\r", " \n"][..])), 0..40)
            .prop_map(|lines| lines.iter().flat_map(|(line, end)| [*line, end.as_bytes()]).collect::<Vec<_>>().concat()),
        1 => prop::collection::vec(any::<u8>(), 0..80),
    ]
}

/// Every crawler that a file names, in conventional or ACAP records, and one that it does not name;
/// at most `most`.
pub(crate) fn clients(robots: &Robots, profile: Profile, most: usize) -> Vec<Client> {
    let text = robots.text().as_bytes();
    let mut names: BTreeSet<String> = BTreeSet::new();
    for line in robots.lines() {
        let Some(field) = line.field() else { continue };
        let key = field.key.of(text);
        if field.kind == FieldKind::UserAgent || key.eq_ignore_ascii_case(b"acap-crawler") {
            let value = String::from_utf8_lossy(field.value.of(text)).to_ascii_lowercase();
            let name = value
                .split(|c: char| !(c.is_ascii_alphabetic() || "-_".contains(c)))
                .next();
            names.insert(name.unwrap_or_default().to_owned());
        }
        if names.len() >= most {
            break;
        }
    }
    names.insert("nobody-knows-me".to_owned());
    let client =
        |name: &String| Some(Client::new(ProductToken::new(name).ok()?).with_profile(profile));
    names.iter().filter_map(client).collect()
}

/// URLs from the patterns of the file, with wildcards replaced, ends changed and case swapped; at
/// most `most`.
pub(crate) fn urls(bytes: &[u8], most: usize) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let values = text
        .split(['\n', '\r'])
        .filter_map(|line| line.split_once(':'));
    let patterns: Vec<String> = values
        .map(|(_, value)| value.split('#').next().unwrap_or(value).trim())
        .filter(|value| value.starts_with(['/', '*']))
        .map(|value| {
            value
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .chars()
                .take(300)
                .collect()
        })
        .collect();
    let each = 7;
    let step = patterns.len().div_ceil((most / each).max(1)).max(1);
    let own = patterns.iter().step_by(step).flat_map(|pattern| {
        let path = format!(
            "/{}",
            pattern
                .trim_start_matches('/')
                .replace('*', "q")
                .replace('$', "")
        );
        let short: String = path
            .chars()
            .take(path.chars().count().saturating_sub(1).max(1))
            .collect();
        let bare = format!(
            "/{}",
            pattern.trim_start_matches('/').replace(['*', '$'], "")
        );
        let turned = path.to_ascii_uppercase();
        [
            format!("{path}x?y=1"),
            format!("{path}/a.b"),
            format!("{path}?"),
            short,
            bare,
            turned,
            path,
        ]
    });
    let fixed = ["/", "/robots.txt", "/a/b.html?c=d", "/search?q=a:b"].map(String::from);
    let mut urls: Vec<String> = fixed.into_iter().chain(own).collect();
    urls.truncate(most);
    urls
}
