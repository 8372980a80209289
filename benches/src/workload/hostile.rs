//! W5: files and URLs that are made to hurt.
//!
//! Files of 500 KiB: rules with 5, 20 and 100 `*`; 15,000 rules with the same wildcards before
//! different ends; rules whose literals have nothing in common; rules such as `/*1f2bg` that nearly
//! match; `/*a*a*a…b`; rules that differ in their number of `*` alone; and the first file of the
//! recipes r01, r03, r04, r11 and r12 of the test kit. URLs: all `a`; random text over `ab`; over
//! hexadecimal digits; a de Bruijn sequence; and the rules' own literals one after the other.

use super::{Goal, Row, Setting, time};
use crate::clock::timed;
use crate::generated::{MAX_FILE_BYTES, filled_with};
use crate::peer::AGENT;
use crate::random::SplitMix64;
use crate::urls::{WORDS, patterns};
use abide::{Client, Policy, ProductToken};
use abide_testkit::hostile as kit;

/// A hostile file, with the URLs' own beginnings drawn from it.
#[derive(Clone, Debug)]
pub struct Hostile {
    /// The recipe.
    pub name: String,
    /// The file.
    pub bytes: Vec<u8>,
    /// Who is asked for: the recipes of the test kit speak to `f`.
    pub agent: &'static str,
}

/// All files.
#[must_use]
pub fn files() -> Vec<Hostile> {
    let own = |name: &str, bytes| Hostile {
        name: name.to_owned(),
        bytes,
        agent: AGENT,
    };
    let mut files: Vec<Hostile> = [5, 20, 100]
        .map(|stars| own(&format!("{stars} stars a rule"), stars_each(stars)))
        .into();
    files.push(own(
        "15,000 rules, the same wildcards",
        filled_with(15_000, |n| format!("/*a*b*a*b*{n:x}")),
    ));
    files.push(own("no literal in common", unrelated()));
    files.push(own(
        "rules that nearly match",
        filled_with(usize::MAX, |n| format!("/*{:04x}g", n * 7_919 % 65_536)),
    ));
    files.push(own(
        "`/*a*a*a…b`",
        filled_with(usize::MAX, |n| {
            format!("/{}*b{n}", "*a".repeat(20 + n % 80))
        }),
    ));
    files.push(own(
        "more and more stars",
        filled_with(usize::MAX, |n| format!("/{}c", "*ab".repeat(1 + n))),
    ));
    for id in ["r01", "r03", "r04", "r11", "r12"] {
        let bytes = kit::recipe(id).swap_remove(0).robots;
        files.push(Hostile {
            name: format!("recipe {id}"),
            bytes: bytes[..bytes.len().min(MAX_FILE_BYTES)].to_vec(),
            agent: "f",
        });
    }
    files
}

/// Rules with `stars` stars each, between one or two letters of `ab`.
fn stars_each(stars: usize) -> Vec<u8> {
    let mut random = SplitMix64::named("stars");
    filled_with(usize::MAX, |_| {
        let literal = |random: &mut SplitMix64| ["a", "b", "ab", "ba"][random.below(4)];
        let literals: Vec<&str> = (0..stars).map(|_| literal(&mut random)).collect();
        format!("/*{}c", literals.join("*"))
    })
}

/// Thousands of rules with `*`, each with words and numbers of its own.
fn unrelated() -> Vec<u8> {
    let mut random = SplitMix64::named("unrelated");
    filled_with(usize::MAX, |n| {
        let word = random.pick(&WORDS);
        format!(
            "/*{:05x}{word}*{:04x}",
            n * 1_299_709 % 1_048_576,
            n * 7_919 % 65_536
        )
    })
}

/// Kinds of paths of `length` bytes.
#[must_use]
pub fn paths(file: &Hostile, length: usize) -> Vec<(&'static str, String)> {
    let mut random = SplitMix64::new(5);
    let mut over = |alphabet: &str| -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        (1..length)
            .map(|_| letters[random.below(letters.len())])
            .collect()
    };
    let kinds = [
        ("all `a`", "a".repeat(length - 1)),
        ("random `ab`", over("ab")),
        ("random hexadecimals", over("0123456789abcdef")),
        ("de Bruijn", de_bruijn(length - 1)),
        ("own literals", literals(file, length - 1)),
    ];
    kinds.map(|(kind, rest)| (kind, format!("/{rest}"))).into()
}

/// A binary de Bruijn sequence in the letters `a` and `b`, by a shift register that prefers `b`.
fn de_bruijn(length: usize) -> String {
    const ORDER: u32 = 16;
    let mut seen = vec![false; 1 << ORDER];
    let (mut window, mask) = (0_usize, (1 << ORDER) - 1);
    let mut sequence = String::new();
    while sequence.len() < length {
        let one = (window << 1 | 1) & mask;
        let next = if seen[one] { window << 1 & mask } else { one };
        seen[next] = true;
        sequence.push(if next & 1 == 1 { 'b' } else { 'a' });
        window = next;
    }
    sequence
}

/// What stands between the stars of the file's rules, one after the other.
fn literals(file: &Hostile, length: usize) -> String {
    let mut path = String::new();
    let patterns = patterns(&file.bytes);
    for pattern in patterns.iter().cycle() {
        let plain = pattern.iter().filter(|byte| byte.is_ascii_alphanumeric());
        path.extend(plain.map(|&byte| char::from(byte)));
        if path.len() >= length || path.is_empty() {
            break;
        }
    }
    while path.len() < length {
        path.push('a');
    }
    path.truncate(length);
    path
}

/// CPU time of one decision, in nanoseconds: the least of some, for nothing but others can add to
/// it.
fn decision(policy: &Policy, path: &str) -> f64 {
    let tries = if path.len() > 10_000 { 3 } else { 7 };
    let times = (0..tries).map(|_| timed(|| policy.allows(path)).0);
    crate::clock::ToF64::to_f64(times.min().unwrap_or(0))
}

/// The rows of W5: the costliest path of each file.
///
/// # Panics
/// Never: the agents are product tokens.
#[must_use]
pub fn rows(setting: &Setting) -> Vec<Row> {
    let lengths: &[usize] = if setting.is_quick {
        &[2_000]
    } else {
        &[2_000, 8_000, 64_000]
    };
    let mut rows = Vec::new();
    let mut worst = (0.0, String::new());
    let mut steepest = (0.0, String::new());
    for file in files() {
        let token = ProductToken::new(file.agent).expect("a product token");
        let policy = Policy::compile(&file.bytes, &Client::new(token));
        let mut figures = Vec::new();
        for &length in lengths {
            let times = paths(&file, length)
                .into_iter()
                .map(|(kind, path)| (decision(&policy, &path), kind));
            figures.push(
                times
                    .max_by(|one, other| one.0.total_cmp(&other.0))
                    .unwrap_or((0.0, "")),
            );
        }
        let (short, kind) = figures[0];
        if short > worst.0 {
            worst = (short, format!("{}, {kind}", file.name));
        }
        let shown: Vec<String> = figures.iter().map(|(spent, _)| time(*spent)).collect();
        let mut row = Row::new("W5", &file.name, "abide", shown.join(", ")).note(kind);
        if let Some((long, _)) = figures.get(2) {
            let growth = long / short / 32.0;
            if growth > steepest.0 && short > 10_000.0 {
                steepest = (growth, file.name.clone());
            }
            row = row.ratio(growth);
        }
        rows.push(row);
    }
    let millis = worst.0 / 1e6;
    let row = Row::new(
        "W5",
        "worst decision at 2,000 bytes",
        "abide",
        time(worst.0),
    );
    rows.push(row.goal(millis, Goal::AtMost(2.0), " ms").note(worst.1));
    if !setting.is_quick {
        let row = Row::new(
            "W5",
            "time per byte, 64,000 beside 2,000 bytes",
            "abide",
            String::new(),
        );
        let row = row
            .ratio(steepest.0)
            .note(format!("steepest: {}", steepest.1));
        // Linear, with room for caches: twice the time per byte.
        rows.push(row.goal(steepest.0, Goal::AtMost(2.0), " ×"));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_fill_the_limit_and_paths_have_their_length() {
        for file in files() {
            assert!(file.bytes.len() <= MAX_FILE_BYTES, "{}", file.name);
            for (kind, path) in paths(&file, 2_000) {
                assert_eq!(path.len(), 2_000, "{} {kind}", file.name);
            }
        }
    }

    #[test]
    fn no_window_of_a_de_bruijn_sequence_comes_twice() {
        let sequence = de_bruijn(10_000);
        let windows: std::collections::BTreeSet<_> = sequence.as_bytes().windows(16).collect();
        assert!(windows.len() > 9_900);
    }
}
