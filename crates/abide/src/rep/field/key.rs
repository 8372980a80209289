//! Keys: what they mean, and how they may be spelt.

use super::{FieldKind, Spelling};

/// Whether a known key can begin with the first two bytes of `text`.
#[inline]
pub(super) const fn begins_a_key(text: &[u8]) -> bool {
    let [first, second, ..] = text else {
        return false;
    };
    matches!(
        &[*first | CASE, *second | CASE],
        b"us" | b"di" | b"al" | b"si" | b"cr" | b"ac" | b"ap"
    )
}

/// The bit that makes an ASCII letter lower case.
const CASE: u8 = 0x20;

/// Recognises the most frequent keys if they begin the line and a colon follows, by one comparison
/// of eight bytes. Returns the kind and the length of the key. `ahead` begins with the line and
/// goes on behind it, so that short lines need no check of their own.
#[inline]
pub(super) fn frequent(ahead: &[u8], content: &[u8]) -> Option<(FieldKind, usize)> {
    const FIVE: u64 = (1 << 40) - 1;
    const ALLOW: u64 = u64::from_le_bytes(*b"allow\0\0\0");
    const DISALLOW: u64 = u64::from_le_bytes(*b"disallow");
    const USER_AGE: u64 = u64::from_le_bytes(*b"user-age");
    const SITEMAP: u64 = u64::from_le_bytes(*b"sitemap:");
    let first = ahead.first_chunk()?;
    let small = u64::from_le_bytes(*first) | u64::from_le_bytes([CASE; 8]);
    let (kind, len) = if small == DISALLOW {
        (FieldKind::Disallow, 8)
    } else if small & FIVE == ALLOW {
        (FieldKind::Allow, 5)
    } else if small == USER_AGE && content.get(8..10)?.eq_ignore_ascii_case(b"nt") {
        (FieldKind::UserAgent, 10)
    } else if small == SITEMAP {
        (FieldKind::Sitemap, 7)
    } else {
        return None;
    };
    (content.get(len) == Some(&b':')).then_some((kind, len))
}

/// The known keys, in any case (REP-7), and the misspellings that are accepted.
const EXACT: [(&[u8], FieldKind, Spelling); 16] = [
    (b"user-agent", FieldKind::UserAgent, Spelling::Exact),
    (b"disallow", FieldKind::Disallow, Spelling::Exact),
    (b"allow", FieldKind::Allow, Spelling::Exact),
    (b"sitemap", FieldKind::Sitemap, Spelling::Exact),
    (b"crawl-delay", FieldKind::CrawlDelay, Spelling::Exact),
    (
        b"user-agent-purpose",
        FieldKind::UserAgentPurpose,
        Spelling::Exact,
    ),
    (b"app-directives", FieldKind::AppDirectives, Spelling::Exact),
    (b"app-directive", FieldKind::AppDirectives, Spelling::Typo),
    (b"useragent", FieldKind::UserAgent, Spelling::Typo),
    (b"user agent", FieldKind::UserAgent, Spelling::Typo),
    (b"dissallow", FieldKind::Disallow, Spelling::Typo),
    (b"dissalow", FieldKind::Disallow, Spelling::Typo),
    (b"disalow", FieldKind::Disallow, Spelling::Typo),
    (b"diasllow", FieldKind::Disallow, Spelling::Typo),
    (b"disallaw", FieldKind::Disallow, Spelling::Typo),
    (b"site-map", FieldKind::Sitemap, Spelling::Typo),
];

/// The kind of a key.
pub(super) fn exact(key: &[u8]) -> Option<(FieldKind, Spelling)> {
    EXACT
        .iter()
        .find(|(name, ..)| key.eq_ignore_ascii_case(name))
        .map(|&(_, kind, spelling)| (kind, spelling))
}

/// The keys of google/robotstxt, in its order. A key that begins with one of them counts.
const PREFIXES: [(&[u8], FieldKind, Spelling); 12] = [
    (b"user-agent", FieldKind::UserAgent, Spelling::Exact),
    (b"useragent", FieldKind::UserAgent, Spelling::Typo),
    (b"user agent", FieldKind::UserAgent, Spelling::Typo),
    (b"allow", FieldKind::Allow, Spelling::Exact),
    (b"disallow", FieldKind::Disallow, Spelling::Exact),
    (b"dissallow", FieldKind::Disallow, Spelling::Typo),
    (b"dissalow", FieldKind::Disallow, Spelling::Typo),
    (b"disalow", FieldKind::Disallow, Spelling::Typo),
    (b"diasllow", FieldKind::Disallow, Spelling::Typo),
    (b"disallaw", FieldKind::Disallow, Spelling::Typo),
    (b"sitemap", FieldKind::Sitemap, Spelling::Exact),
    (b"site-map", FieldKind::Sitemap, Spelling::Typo),
];

/// The kind of a key for google/robotstxt.
pub(super) fn prefixed(key: &[u8]) -> (FieldKind, Spelling) {
    if let Some(&(name, kind, spelling)) = PREFIXES.iter().find(|(name, ..)| starts_with(key, name))
    {
        let whole = key.len() == name.len();
        return (kind, if whole { spelling } else { Spelling::Prefix });
    }
    if key.eq_ignore_ascii_case(b"crawl-delay") {
        return (FieldKind::CrawlDelay, Spelling::Exact);
    }
    (FieldKind::Other, Spelling::Exact)
}

/// Whether the key is one of ACAP's.
pub(super) fn is_acap(key: &[u8]) -> bool {
    starts_with(key, b"acap-")
}

fn starts_with(text: &[u8], prefix: &[u8]) -> bool {
    text.get(..prefix.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Compares the beginning of the line with each key.
    fn naive(content: &[u8]) -> Option<(FieldKind, usize)> {
        let keys: [(&str, FieldKind); 4] = [
            ("disallow", FieldKind::Disallow),
            ("allow", FieldKind::Allow),
            ("user-agent", FieldKind::UserAgent),
            ("sitemap", FieldKind::Sitemap),
        ];
        let is_it = |key: &str| {
            starts_with(content, key.as_bytes()) && content.get(key.len()) == Some(&b':')
        };
        let found = keys.into_iter().find(|(key, _)| is_it(key));
        found.map(|(key, kind)| (kind, key.len()))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        /// Keys, some with one byte changed, before a value and before the lines that follow.
        #[test]
        fn rep_7_frequent_keys_are_what_comparing_each_key_finds(
            key in "(?i)disallow|allow|user-agent|sitemap|user-age|allo|[a-z-]{0,11}",
            at in 0_usize..12,
            byte in any::<u8>().prop_filter("a line has no line end", |byte| !b"\r\n".contains(byte)),
            changed in any::<bool>(),
            value in ":? ?[/a-z:]{0,6}",
            after in "(\n(?i)(disallow|user-agent)?: ?/?){0,2}",
        ) {
            let mut content = [key.as_bytes(), value.as_bytes()].concat();
            if let Some(one) = content.get_mut(at).filter(|_| changed) {
                *one = byte;
            }
            let ahead = [&content[..], after.as_bytes()].concat();
            let found = frequent(&ahead, &content);
            // The last line of a file may be too short to compare eight bytes.
            if ahead.len() >= 8 || found.is_some() {
                prop_assert_eq!(found, naive(&content), "{}", ahead.escape_ascii());
            }
        }
    }

    #[test]
    fn every_known_key_begins_as_one() {
        let keys = EXACT.iter().chain(&PREFIXES).map(|(key, ..)| *key);
        for key in keys.chain([&b"crawl-delay"[..], b"acap-crawler"]) {
            assert!(begins_a_key(key), "{}", key.escape_ascii());
            assert!(begins_a_key(&key.to_ascii_uppercase()));
        }
    }
}
