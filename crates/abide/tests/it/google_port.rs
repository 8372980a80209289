//! Compares the google profile with the crate `robotstxt`, a port of an early google/robotstxt.
//!
//! The port has bugs of its own, and google/robotstxt has changed since. [`Corrected`] fixes its
//! matcher; each step of [`readable`] removes one input that the port reads differently, and says
//! why. On everything else both must agree, without exception.

use crate::corpus;
use crate::generate::{path, robots, token};
use abide::{Client, Policy, ProductToken, Profile};
use abide_testkit::model;
use proptest::prelude::*;
use robotstxt::matcher::{RobotsMatchStrategy, RobotsMatcher};

/// The strategy of the port, except for its matcher. That matcher inserts into its list of
/// positions where google/robotstxt overwrites them, so that a `*` before a frequent character
/// loses matches, and it compares characters of the URL with bytes of the pattern.
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
    let client = Client::new(ProductToken::verbatim(agent)).with_profile(Profile::Google);
    Policy::compile(robots, &client)
}

/// Rewrites the file so that the port reads it as google/robotstxt does; `None` if that is
/// impossible.
fn readable(bytes: &[u8]) -> Option<String> {
    // The port accepts only `str`, and counts characters where google/robotstxt counts bytes.
    let text = std::str::from_utf8(bytes).ok()?;
    // It looks for the bytes of a byte order mark among characters, and never finds them.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // google/robotstxt uses C strings, which end at NUL.
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

/// Keys of the port's rules and group starters, which it matches as prefixes.
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
    // The port cuts long lines by a mix of characters and bytes.
    if content.len() > 16_000 {
        return None;
    }
    // It trims all Unicode white space; google/robotstxt trims only ASCII white space.
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
    // It drops a stray "%" and the two characters after it if anything else needs escaping.
    let stray = value.match_indices('%').any(|(at, _)| {
        !value
            .as_bytes()
            .get(at + 1..at + 3)
            .is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit))
    });
    if stray {
        return None;
    }
    // In the version that was ported, other records closed a group, contrary to RFC 9309, 2.2.4.
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
    fn g_12_generated_files(bytes in robots(), agent in token(), paths in prop::collection::vec(path(), 1..5)) {
        let Some(text) = readable(&bytes) else { return Ok(()) };
        let policy = policy(&bytes, agent);
        for path in &paths {
            let url = format!("https://e.example{path}");
            prop_assert_eq!(policy.allows(&url), port_allows(&text, agent, &url), "{}\n{}", url, text);
        }
    }

    /// Reads text that is hardly a URL: the port and google/robotstxt accept all of it.
    #[test]
    fn g_12_odd_urls(url in "[a-z/:?;#.]{0,12}", rule in "/[a-z?;]{0,2}") {
        let robots = format!("user-agent: f\ndisallow: {rule}\n");
        prop_assert_eq!(policy(robots.as_bytes(), "f").allows(&url), port_allows(&robots, "f", &url));
    }
}

#[test]
fn g_12_real_files() {
    let (mut asked, mut skipped) = (0_u32, 0_u32);
    for (name, bytes) in abide_testkit::corpus::files() {
        // The matcher is slow, so large files are left out.
        let small = bytes.len() < 60_000;
        let Some(text) = small.then(|| readable(&bytes)).flatten() else {
            skipped += 1;
            continue;
        };
        for agent in ["Googlebot", "GPTBot"] {
            let policy = policy(&bytes, agent);
            for path in corpus::paths_of(&bytes, 4) {
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
