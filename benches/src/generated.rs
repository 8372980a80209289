//! Files by recipe: large ones, a stand-in for the corpus, and ones that are made to hurt.

use crate::random::SplitMix64;
use crate::urls::WORDS;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Bytes of a file that parsers have to read (RFC 9309, 2.5), and that abide reads.
pub const MAX_FILE_BYTES: usize = 512_000;

/// A file with `count` different rules without `*`, such as `Disallow: /news/tag-5k1/`, one of
/// eight an `Allow`. 15,000 stay below [`MAX_FILE_BYTES`].
#[must_use]
pub fn prefixes(count: usize) -> Vec<u8> {
    let mut random = SplitMix64::named("prefixes");
    file(count, &mut random, |random| {
        let (first, second) = (random.pick(&WORDS), random.pick(&WORDS));
        let number = base36(random.below(36 * 36 * 36));
        // 23 bytes are what a rule may have, so that 15,000 fit.
        let path = match random.below(4) {
            0 => format!("/{first}/{second}-{number}/"),
            1 => format!("/{first}/{number}/"),
            2 => format!("/{second}-{number}"),
            _ => format!("/{first}/{number}.html"),
        };
        path.get(..path.len().min(22))
            .unwrap_or_default()
            .to_owned()
    })
}

/// A file with `count` different rules with a `*` inside, such as `/*/tag-512/*.html` and
/// `/*?id=17`.
#[must_use]
pub fn wildcards(count: usize) -> Vec<u8> {
    let mut random = SplitMix64::named("wildcards");
    file(count, &mut random, |random| {
        let (first, second) = (random.pick(&WORDS), random.pick(&WORDS));
        let number = random.below(10_000);
        match random.below(8) {
            0 => format!("/*/{first}-{number}/*.html"),
            1 => format!("/*?{first}={number}"),
            2 => format!("/{first}/*/{second}-{number}/"),
            3 => format!("/*/{first}/{number}$"),
            4 => format!("*/{first}/*/{second}{number}"),
            5 => format!("/{first}*{second}={number}*"),
            6 => format!("/*{first}-{second}-{number}.pdf$"),
            _ => format!("/{first}/{number}/*?*{second}="),
        }
    })
}

/// Different patterns, one of eight allowed.
fn file(
    count: usize,
    random: &mut SplitMix64,
    pattern: impl Fn(&mut SplitMix64) -> String,
) -> Vec<u8> {
    let mut seen = BTreeSet::new();
    let mut text = String::from("User-agent: *\n");
    while seen.len() < count {
        let path = pattern(random);
        if seen.insert(path.clone()) {
            let sense = if random.below(8) == 0 {
                "Allow"
            } else {
                "Disallow"
            };
            let _ = writeln!(text, "{sense}: {path}");
        }
    }
    text.into_bytes()
}

fn base36(mut number: usize) -> String {
    let mut digits = String::new();
    for _ in 0..3 {
        digits.extend(
            u32::try_from(number % 36)
                .ok()
                .and_then(|digit| char::from_digit(digit, 36)),
        );
        number /= 36;
    }
    digits
}

/// `count` files in place of a corpus: with 0 to 300 rules, most of them with few, in one to four
/// groups, with comments, sitemaps and blank lines between.
#[must_use]
pub fn sites(count: usize) -> Vec<(String, Vec<u8>)> {
    let site = |number: usize| {
        let name = format!("generated-{number:04}.example");
        let bytes = one_site(&mut SplitMix64::named(&name));
        (name, bytes)
    };
    (0..count).map(site).collect()
}

fn one_site(random: &mut SplitMix64) -> Vec<u8> {
    let mut text = String::from("# robots.txt, generated\n\n");
    let agents = ["Googlebot", "Bingbot", "AhrefsBot"];
    let groups = 1 + random.below(4);
    for agent in agents.into_iter().take(groups - 1).chain(["*"]) {
        let _ = writeln!(text, "User-agent: {agent}");
        let largest = [8, 24, 80, 300][random.below(4)];
        for _ in 0..random.below(largest) {
            let (first, second) = (random.pick(&WORDS), random.pick(&WORDS));
            let _ = match random.below(8) {
                0 => writeln!(text, "Allow: /{first}/{second}.html$"),
                1 => writeln!(text, "Disallow: /*?{first}="),
                2 => writeln!(text, "Disallow: /{first}/*/{second}  # {first}"),
                3 => writeln!(text, "Allow: /{first}/"),
                4 => writeln!(text, "disallow:/{first}{second}"),
                _ => writeln!(text, "Disallow: /{first}/{second}/"),
            };
        }
        text.push('\n');
    }
    text.push_str("Sitemap: https://www.example.com/sitemap.xml\n");
    text.into_bytes()
}

/// A group for every robot, filled with numbered rules as long as they fit into [`MAX_FILE_BYTES`]
/// bytes.
#[must_use]
pub fn filled_with(count: usize, mut pattern: impl FnMut(usize) -> String) -> Vec<u8> {
    let mut text = String::from("User-agent: *\n");
    for number in 0..count {
        let line = format!("Disallow: {}\n", pattern(number));
        if text.len() + line.len() > MAX_FILE_BYTES {
            break;
        }
        text.push_str(&line);
    }
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_files_hold_what_they_say_and_stay_below_the_limit() {
        for (bytes, count) in [(prefixes(15_000), 15_000), (wildcards(5_000), 5_000)] {
            assert!(bytes.len() < MAX_FILE_BYTES, "{}", bytes.len());
            assert_eq!(crate::corpus::rules(&bytes), count);
        }
    }

    #[test]
    fn generated_sites_differ() {
        let sites = sites(40);
        let different: BTreeSet<_> = sites.iter().map(|(_, bytes)| bytes).collect();
        assert!(different.len() > 30);
    }
}
