//! The order of robots in short lists: those that people look for come first.

/// Robots that site owners ask about first.
const FIRST: [&str; 24] = [
    "googlebot",
    "bingbot",
    "applebot",
    "duckduckbot",
    "yandexbot",
    "baiduspider",
    "gptbot",
    "claudebot",
    "google-extended",
    "ccbot",
    "meta-externalagent",
    "bytespider",
    "amazonbot",
    "applebot-extended",
    "oai-searchbot",
    "perplexitybot",
    "chatgpt-user",
    "claude-user",
    "facebookexternalhit",
    "twitterbot",
    "linkedinbot",
    "archive.org_bot",
    "ahrefsbot",
    "semrushbot",
];

/// Sorts names: first the robots that people look for, then other known robots, then the rest.
#[must_use]
pub fn prominence(name: &str) -> (usize, String) {
    let name = name.to_ascii_lowercase();
    let first = FIRST.iter().position(|one| *one == name);
    let place = first.unwrap_or_else(|| {
        let is_known = abide_known_robots::named(&name).is_some();
        FIRST.len() + usize::from(!is_known)
    });
    (place, name)
}
