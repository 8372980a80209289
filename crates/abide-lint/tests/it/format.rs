//! Formatting of generated files with hostile bytes.

use crate::generate::{clients, file, urls};
use abide::{Profile, Robots, Target, Usage};
use abide_lint::format::{self, FormatError};
use proptest::prelude::*;

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
