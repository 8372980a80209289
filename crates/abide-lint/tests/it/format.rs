//! Formatting of generated files with hostile bytes.

use crate::generate::{clients, urls};
use abide::{Profile, Robots, Target, Usage};
use abide_lint::format::{self, FormatError};
use proptest::prelude::*;
use proptest::sample::select;

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
fn file() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => prop::collection::vec(select(&PIECES[..]), 0..60).prop_map(|pieces| pieces.concat()),
        3 => prop::collection::vec((select(&PIECES[..]), select(&["\n", "\n", "\n\n", "\r\n", "\r", " \n"][..])), 0..40)
            .prop_map(|lines| lines.iter().flat_map(|(line, end)| [*line, end.as_bytes()]).collect::<Vec<_>>().concat()),
        1 => prop::collection::vec(any::<u8>(), 0..80),
    ]
}

/// The engine's decisions in both profiles, for every client that a file names and all URLs that it
/// mentions.
pub(crate) fn decisions(bytes: &[u8], urls: &[String], most_clients: usize) -> Vec<Vec<u8>> {
    let mut told = decisions_in(Profile::Careful, bytes, urls, most_clients);
    told.extend(decisions_in(Profile::Google, bytes, urls, most_clients));
    told
}

/// The engine's decisions in one profile.
pub(crate) fn decisions_in(
    profile: Profile,
    bytes: &[u8],
    urls: &[String],
    most_clients: usize,
) -> Vec<Vec<u8>> {
    let mut told = Vec::new();
    let robots = Robots::parse_as(bytes, profile, abide::Limits::default());
    for client in clients(&robots, profile, most_clients) {
        let policy = robots.policy(&client);
        told.extend(policy.sitemaps().map(<[u8]>::to_vec));
        told.push(
            policy
                .crawl_delay()
                .map_or(vec![], |(delay, _)| delay.to_string().into_bytes()),
        );
        for url in urls {
            let Ok(target) = Target::new(url) else {
                continue;
            };
            told.push(
                if policy.references().is_empty() && robots.acap_lines().next().is_none() {
                    vec![u8::from(policy.allows(url))]
                } else {
                    let decision = policy.decide(&target);
                    let usages = Usage::ACAP.iter();
                    usages.map(|usage| decision.outcome(*usage) as u8).collect()
                },
            );
        }
    }
    told
}

proptest! {
    #[test]
    fn laying_out_again_changes_nothing(file in file()) {
        match format::format(&file) {
            Ok(formatted) => prop_assert_eq!(&format::format(formatted.as_bytes()), &Ok(formatted.clone())),
            Err(error) => prop_assert_eq!(error, FormatError::Utf16),
        }
    }

    #[test]
    fn the_engine_decides_alike(file in file()) {
        let Ok(formatted) = format::format(&file) else { return Ok(()) };
        let urls = urls(&file, 40);
        prop_assert_eq!(decisions(&file, &urls, 6), decisions(formatted.as_bytes(), &urls, 6));
    }

    #[test]
    fn nothing_is_lost(file in file()) {
        let Ok(formatted) = format::format(&file) else { return Ok(()) };
        let kept = |bytes: &[u8]| {
            let mut kept: Vec<u8> = bytes.iter().filter(|o| !b" \t\r\n".contains(o)).copied().collect();
            kept.make_ascii_lowercase();
            kept
        };
        let (before, after) = (kept(&file), kept(formatted.as_bytes()));
        let unmarked = before.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&before);
        prop_assert!(after == before || after == unmarked);
    }
}
