//! The google profile against the crate `robotstxt`, a port of an early google/robotstxt.
//!
//! The port has bugs of its own, and its model has moved on since. [`Corrected`] sets its matcher
//! right; each step of [`readable`] removes one thing that it reads differently, and says why; what
//! is left has to be answered alike, without exception.

use crate::corpus;
use crate::generate::{path, robots, token};
use abide::{Client, Policy, ProductToken, Profile};
use abide_testkit::model;
use proptest::prelude::*;
use robotstxt::matcher::{RobotsMatchStrategy, RobotsMatcher};

/// The strategy of the port, but for its matcher. That inserts into its list of positions where its
/// model overwrites them, so that a `*` before a frequent character loses matches, and compares
/// characters of the URL with octets of the pattern.
#[derive(Default)]
struct Corrected;

impl RobotsMatchStrategy for Corrected {
    fn match_allow(&self, path: &str, pattern: &str) -> i32 {
        let body = pattern.strip_suffix('$').unwrap_or(pattern);
        let anchored = body.len() < pattern.len();
        let hit = model::matches(body.as_bytes(), anchored, path.as_bytes());
        if hit {
            i32::try_from(pattern.len()).unwrap()
        } else {
            -1
        }
    }

    fn match_disallow(&self, path: &str, pattern: &str) -> i32 {
        self.match_allow(path, pattern)
    }
}

fn port_allows(robots: &str, agent: &str, url: &str) -> bool {
    RobotsMatcher::<Corrected>::default().one_agent_allowed_by_robots(robots, agent, url)
}

fn policy(robots: &[u8], agent: &str) -> Policy {
    let client = Client::new(ProductToken::verbatim(agent)).profile(Profile::Google);
    Policy::compile(robots, &client)
}

/// The file as the port has to be given it, to read what google/robotstxt reads; `None` where no
/// such form exists.
fn readable(octets: &[u8]) -> Option<String> {
    // The port takes `str` only, and counts characters where its model counts octets.
    let text = std::str::from_utf8(octets).ok()?;
    // It looks for the octets of a byte order mark among characters, and finds none.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Its model works on C strings, which end at NUL.
    if text.contains('\0') {
        return None;
    }
    let mut readable = String::new();
    for line in text.split_inclusive(['\n', '\r']) {
        let content = line.split('#').next().unwrap_or(line);
        let content = content.trim_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}']);
        let kept = readable_line(content)?;
        readable.push_str(kept);
        readable.push_str(if line.ends_with('\r') { "\r" } else { "\n" });
    }
    Some(readable)
}

/// Keys of the port's rules and starters, which count as prefixes.
const KNOWN: [&str; 10] = [
    "user-agent",
    "useragent",
    "user agent",
    "allow",
    "disallow",
    "dissallow",
    "dissalow",
    "disalow",
    "diasllow",
    "disallaw",
];

fn readable_line(content: &str) -> Option<&str> {
    // It cuts long lines by characters and octets mixed.
    if content.len() > 16_000 {
        return None;
    }
    // It trims white space of all of Unicode, its model that of ASCII.
    if content.contains(|c: char| c.is_whitespace() && !c.is_ascii()) || content.contains('\u{85}')
    {
        return None;
    }
    let parts = content
        .split_once(':')
        .or_else(|| content.split_once([' ', '\t']));
    let Some((key, value)) = parts else {
        return Some("");
    };
    // It drops a stray "%" with two characters behind it where anything else has to be escaped.
    let stray = value.match_indices('%').any(|(at, _)| {
        !value
            .as_bytes()
            .get(at + 1..at + 3)
            .is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit))
    });
    if stray {
        return None;
    }
    // Other records closed a group in the version that was ported, against RFC 9309, 2.2.4.
    let key = key.trim().to_ascii_lowercase();
    Some(if KNOWN.iter().any(|known| key.starts_with(known)) {
        content
    } else {
        ""
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn g_12_generated_files(octets in robots(), agent in token(), paths in prop::collection::vec(path(), 1..5)) {
        let Some(text) = readable(&octets) else { return Ok(()) };
        let policy = policy(&octets, agent);
        for path in &paths {
            let url = format!("https://e.example{path}");
            prop_assert_eq!(policy.allows(&url), port_allows(&text, agent, &url), "{}\n{}", url, text);
        }
    }

    /// How text that is hardly a URL is read: the port and its model take it all.
    #[test]
    fn g_12_odd_urls(url in "[a-z/:?;#.]{0,12}", rule in "/[a-z?;]{0,2}") {
        let robots = format!("user-agent: f\ndisallow: {rule}\n");
        prop_assert_eq!(policy(robots.as_bytes(), "f").allows(&url), port_allows(&robots, "f", &url));
    }
}

#[test]
fn g_12_real_files() {
    let (mut asked, mut skipped) = (0_u32, 0_u32);
    for (name, octets) in corpus::files() {
        // The slow matcher takes its time.
        let small = octets.len() < 60_000;
        let Some(text) = small.then(|| readable(&octets)).flatten() else {
            skipped += 1;
            continue;
        };
        for agent in ["Googlebot", "GPTBot"] {
            let policy = policy(&octets, agent);
            for path in corpus::paths_of(&octets, 4) {
                let url = format!("https://{name}{path}");
                assert_eq!(
                    policy.allows(&url),
                    port_allows(&text, agent, &url),
                    "{agent} {url}"
                );
                asked += 1;
            }
        }
    }
    println!("{asked} questions; {skipped} files that the port cannot be given");
}
