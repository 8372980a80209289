//! Who answers what: before anybody is timed, every answer of every peer is compared with abide's,
//! and abide's with the slow model.
//!
//! Where a peer differs, the rule of RFC 9309 that decides is found by taking things away until
//! both agree: the bytes past the limit, everything in the lines but their records, all groups but
//! the one that applies, empty patterns, differences of escaping, all rules but one. What was taken
//! away last is what they differ in. The order is that of the list of [`Class`].

use crate::corpus::{Case, Corpus};
use crate::generated::MAX_FILE_BYTES;
use crate::peer::{AGENT, Abide, Contestant, InProcess, client, quietly};
use crate::urls::SITE;
use abide::acap::{AcapMode, AcapProfile};
use abide::syntax::FieldKind;
use abide::{Policy, Robots};
use abide_testkit::model;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What an answer hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// `/robots.txt` may always be fetched.
    RobotsTxt,
    /// How much of a file is read.
    Limits,
    /// An ACAP record, which RFC 9309 knows nothing of.
    Acap,
    /// What is a record: keys, blanks, comments, line ends, marks of encodings.
    Lines,
    /// Which groups apply.
    Groups,
    /// Rules without a pattern.
    EmptyPattern,
    /// Percent-encoding before comparison.
    PercentEncoding,
    /// `*` and `$`.
    Special,
    /// Case matters in paths.
    Case,
    /// Of equivalent rules allow wins.
    AllowWins,
    /// The match with most bytes wins.
    MostBytes,
    /// Nothing that was taken away made a difference.
    Unknown,
}

impl Class {
    /// The rule, with the section of RFC 9309.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::RobotsTxt => "2.2.2: `/robots.txt` is implicitly allowed",
            Self::Limits => "2.5: at least 500 KiB are parsed; abide drops the rest",
            Self::Acap => "none: an ACAP record decided",
            Self::Lines => {
                "2.2: which lines are fields: keys, blanks, comments, line ends, bytes that are not UTF-8"
            }
            Self::Groups => "2.2.1: product tokens, and groups that are merged",
            Self::EmptyPattern => "2.2: an empty pattern says nothing",
            Self::PercentEncoding => "2.2.2: bytes are compared percent-encoded alike",
            Self::Special => "2.2.3: `*` and `$`",
            Self::Case => "2.2.2: the path is compared with regard to case",
            Self::AllowWins => "2.2.2: of equivalent rules allow is used",
            Self::MostBytes => "2.2.2: the match with most bytes is used",
            Self::Unknown => "not classified",
        }
    }
}

/// One peer beside abide.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The peer.
    pub name: &'static str,
    /// Answers that were compared.
    pub asked: usize,
    /// Files that the peer refused, or on which it panicked.
    pub refused: usize,
    /// Differences by class, with their number and the first of them.
    pub classes: BTreeMap<Class, (usize, String)>,
}

impl Tally {
    /// How many answers differ.
    #[must_use]
    pub fn differences(&self) -> usize {
        self.classes.values().map(|(count, _)| count).sum()
    }
}

/// What abide's own answers were compared with.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Questions asked.
    pub asked: usize,
    /// Answers that were others.
    pub differences: usize,
}

/// Compares everybody with abide, the first of `contestants`, on `urls` URLs of each file.
#[must_use]
pub fn compare(corpus: &Corpus, contestants: &[Box<dyn Contestant>], urls: usize) -> Vec<Tally> {
    quietly(|| tally(corpus, contestants, urls))
}

fn tally(corpus: &Corpus, contestants: &[Box<dyn Contestant>], urls: usize) -> Vec<Tally> {
    let mut tallies: Vec<Tally> = contestants[1..]
        .iter()
        .map(|peer| Tally {
            name: peer.name(),
            ..Tally::default()
        })
        .collect();
    for (name, bytes) in &corpus.files {
        let case = Case::new(name, bytes, urls);
        let Some(own) = contestants[0].answers(&case) else {
            continue;
        };
        let mut rewritten = None;
        for (peer, tally) in contestants[1..].iter().zip(&mut tallies) {
            let Some(theirs) = peer.answers(&case) else {
                tally.refused += 1;
                continue;
            };
            tally.asked += own.len();
            for (url, (own, theirs)) in case.urls.iter().zip(own.iter().zip(theirs)) {
                if *own != theirs {
                    let rewritten = rewritten.get_or_insert_with(|| Rewritten::of(bytes));
                    let class = class(peer.as_ref(), bytes, rewritten, url);
                    let example = || example(name, url, bytes, *own);
                    let entry = tally.classes.entry(class).or_insert_with(|| (0, example()));
                    entry.0 += 1;
                }
            }
        }
    }
    tallies
}

/// Compares abide with the slow model, on two URLs of each file, and one of each large file.
#[must_use]
pub fn with_model(corpus: &Corpus) -> Model {
    let mut result = Model {
        asked: 0,
        differences: 0,
    };
    for (name, bytes) in &corpus.files {
        let case = Case::new(name, bytes, if bytes.len() > 100_000 { 1 } else { 2 });
        let policy = Policy::compile(bytes, client());
        for url in &case.urls {
            let answer = model::decide(&model::Question {
                robots: bytes,
                agents: &[AGENT],
                purposes: &[],
                nonstandard_token: false,
                path: url.strip_prefix(SITE).unwrap_or(url).as_bytes(),
            });
            result.asked += 1;
            result.differences += usize::from(policy.allows(url) != answer.allowed);
        }
    }
    result
}

/// A file with ever less in it.
struct Rewritten {
    /// Its records, one a line, as plainly as can be.
    lines: Vec<u8>,
    /// The rules that apply to the agent: whether they allow, and their patterns.
    rules: Vec<(bool, Vec<u8>)>,
}

impl Rewritten {
    fn of(bytes: &[u8]) -> Self {
        let robots = Robots::parse(bytes);
        let text = robots.text().as_bytes();
        let mut lines = Vec::new();
        for line in robots.lines() {
            let Some(field) = line.field() else { continue };
            let key: &[u8] = match field.kind {
                FieldKind::UserAgent => b"User-agent: ",
                FieldKind::Allow => b"Allow: ",
                FieldKind::Disallow => b"Disallow: ",
                _ => continue,
            };
            lines.extend([key, field.value.of(text), b"\n"].concat());
        }
        Self {
            lines,
            rules: rules(&robots),
        }
    }
}

/// The rules of the groups of the agent, or of those of `*`.
fn rules(robots: &Robots) -> Vec<(bool, Vec<u8>)> {
    let text = robots.text().as_bytes();
    let fields = |indices: &[usize]| -> Vec<(FieldKind, Vec<u8>)> {
        let lines = indices
            .iter()
            .filter_map(|&at| robots.lines().get(at)?.field());
        lines
            .map(|field| (field.kind, field.value.of(text).to_vec()))
            .collect()
    };
    let names = |value: &[u8]| {
        let end = value
            .iter()
            .position(|byte| !byte.is_ascii_alphabetic() && !b"-_".contains(byte));
        value[..end.unwrap_or(value.len())].eq_ignore_ascii_case(AGENT.as_bytes())
    };
    let is_any =
        |value: &[u8]| value == b"*" || value.starts_with(b"* ") || value.starts_with(b"*\t");
    let of = |suits: &dyn Fn(&[u8]) -> bool| -> Vec<(bool, Vec<u8>)> {
        let suiting = robots.groups().iter().filter(|group| {
            let starters = fields(&group.starters);
            let mut starters = starters
                .iter()
                .filter(|(kind, _)| *kind == FieldKind::UserAgent);
            starters.any(|(_, value)| suits(value))
        });
        suiting
            .flat_map(|group| fields(&group.rules))
            .filter(|(kind, _)| matches!(kind, FieldKind::Allow | FieldKind::Disallow))
            .map(|(kind, value)| (kind == FieldKind::Allow, value))
            .collect()
    };
    let is_named = robots.groups().iter().any(|group| {
        let starters = fields(&group.starters);
        starters
            .iter()
            .any(|(kind, value)| *kind == FieldKind::UserAgent && names(value))
    });
    if is_named { of(&names) } else { of(&is_any) }
}

fn file(rules: &[(bool, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = b"User-agent: *\n".to_vec();
    for (allow, pattern) in rules {
        let key = if *allow {
            &b"Allow: "[..]
        } else {
            b"Disallow: "
        };
        bytes.extend([key, pattern, b"\n"].concat());
    }
    bytes
}

/// The answer of somebody about one file and URL.
fn ask(who: &dyn Contestant, bytes: &[u8], url: &str) -> Option<bool> {
    let case = Case::with_urls("", bytes, vec![url.to_owned()]);
    who.answers(&case)?.first().copied()
}

/// What decides where `peer` and abide differ.
fn class(peer: &dyn Contestant, bytes: &[u8], rewritten: &Rewritten, url: &str) -> Class {
    let abide = InProcess::<Abide>::new();
    let agree = |bytes: &[u8], url: &str| ask(peer, bytes, url) == ask(&abide, bytes, url);
    let path = url.split('?').next().unwrap_or(url);
    if normal(path.as_bytes()) == format!("{SITE}/robots.txt").as_bytes() {
        return Class::RobotsTxt;
    }
    if bytes.len() > MAX_FILE_BYTES {
        let end = memchr::memrchr(b'\n', &bytes[..MAX_FILE_BYTES]).unwrap_or(MAX_FILE_BYTES);
        if agree(&bytes[..end], url) {
            return Class::Limits;
        }
    }
    let without = client().clone().with_acap(AcapProfile {
        mode: AcapMode::Off,
        ..AcapProfile::default()
    });
    if Some(Policy::compile(bytes, &without).allows(url)) == ask(peer, bytes, url) {
        return Class::Acap;
    }
    if agree(&rewritten.lines, url) {
        return Class::Lines;
    }
    if agree(&file(&rewritten.rules), url) {
        return Class::Groups;
    }
    let mut rules = rewritten.rules.clone();
    rules.retain(|(_, pattern)| !pattern.is_empty());
    if agree(&file(&rules), url) {
        return Class::EmptyPattern;
    }
    for (_, pattern) in &mut rules {
        *pattern = normal(pattern);
    }
    let url = String::from_utf8(normal(url.as_bytes())).unwrap_or_default();
    if agree(&file(&rules), &url) {
        return Class::PercentEncoding;
    }
    of_rules(&rules, &url, &abide, &agree)
}

/// Classifies a difference that remains when all rules are in their normal form.
fn of_rules(
    rules: &[(bool, Vec<u8>)],
    url: &str,
    abide: &dyn Contestant,
    agree: &dyn Fn(&[u8], &str) -> bool,
) -> Class {
    let path = url.strip_prefix(SITE).unwrap_or(url).as_bytes();
    let lower = path.to_ascii_lowercase();
    let mut matching: Vec<(usize, bool)> = Vec::new();
    for (allow, pattern) in rules {
        let alone = file(&[(false, pattern.clone())]);
        if !agree(&alone, url) {
            let is_special = pattern.contains(&b'*') || pattern.ends_with(b"$");
            let in_any_case =
                !path.starts_with(pattern) && lower.starts_with(&pattern.to_ascii_lowercase());
            return match (is_special, in_any_case) {
                (true, _) => Class::Special,
                (false, true) => Class::Case,
                (false, false) => Class::Unknown,
            };
        }
        if ask(abide, &alone, url) == Some(false) {
            matching.push((pattern.len(), *allow));
        }
    }
    let most = matching.iter().map(|(bytes, _)| *bytes).max();
    let strongest = matching.iter().filter(|(bytes, _)| Some(*bytes) == most);
    let allows = strongest.clone().filter(|(_, allow)| *allow).count();
    match (allows, strongest.count()) {
        _ if matching.len() < 2 => Class::Unknown,
        (allows, all) if allows > 0 && allows < all => Class::AllowWins,
        _ => Class::MostBytes,
    }
}

/// Bytes with escapes written in one way: unreserved characters plain, others in upper case.
fn normal(text: &[u8]) -> Vec<u8> {
    let mut normal = Vec::new();
    let mut rest = text;
    while let Some((&byte, behind)) = rest.split_first() {
        let escaped = behind.get(..2).filter(|_| byte == b'%');
        let digits = escaped.and_then(|digits| std::str::from_utf8(digits).ok());
        let decoded = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let (value, is_escape) = match decoded {
            Some(value) => (value, true),
            None => (byte, false),
        };
        rest = if is_escape { &behind[2..] } else { behind };
        let is_unreserved = value.is_ascii_alphanumeric() || b"-._~".contains(&value);
        let is_plain = value.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&value);
        if is_unreserved || (is_plain && !is_escape) {
            normal.push(value);
        } else {
            normal.extend(format!("%{value:02X}").bytes());
        }
    }
    normal
}

fn example(name: &str, url: &str, bytes: &[u8], own: bool) -> String {
    let verdict = if own { "allowed" } else { "not allowed" };
    let policy = Policy::compile(bytes, client());
    let by = abide::Target::new(url).ok().and_then(|target| {
        let decision = policy.decide(&target);
        let first = decision.usage(abide::Usage::Crawl)?.evidence.first()?;
        let line = first.place.map(|place| place.line)?;
        let statement = String::from_utf8_lossy(first.statement).into_owned();
        Some(format!("line {line}, {}", code(&statement)))
    });
    let by = by.unwrap_or_else(|| "no rule".to_owned());
    let path = url.strip_prefix(SITE).unwrap_or(url);
    format!("{name}: {} is {verdict} by {by}", code(path))
}

/// Foreign text as code in a table of Markdown, cut where it is long.
fn code(text: &str) -> String {
    let shown: String = text.chars().take(60).collect();
    let shown = shown.replace(|c: char| c.is_control() || c == '`', "?");
    let cut = if text.chars().count() > 60 { "…" } else { "" };
    format!("`{}{cut}`", shown.replace('|', "\\|"))
}

/// How many answers differ, in a table.
#[must_use]
pub fn counts(tallies: &[Tally], model: Model) -> String {
    let mut text = String::from(
        "| beside abide | answers compared | others than abide's | files refused |\n|---|--:|--:|--:|\n",
    );
    let _ = writeln!(
        text,
        "| the slow model | {} | {} | 0 |",
        model.asked, model.differences
    );
    for tally in tallies {
        let Tally {
            name,
            asked,
            refused,
            ..
        } = tally;
        let _ = writeln!(
            text,
            "| {name} | {asked} | {} | {refused} |",
            tally.differences()
        );
    }
    text
}

/// Differences by the rule that decides, with an example of each.
#[must_use]
pub fn listing(tallies: &[Tally]) -> String {
    let mut text = String::from(
        "| peer | rule of RFC 9309 | differences | the first, with abide's answer |\n|---|---|--:|---|\n",
    );
    for tally in tallies {
        for (class, (count, example)) in &tally.classes {
            let _ = writeln!(
                text,
                "| {} | {} | {count} | {example} |",
                tally.name,
                class.rule()
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peer::{RobotsTxt, Robotxt, TextingRobots};

    fn class_of(peer: &dyn Contestant, bytes: &str, path: &str) -> Option<Class> {
        let url = format!("{SITE}{path}");
        let abide = InProcess::<Abide>::new();
        let bytes = bytes.as_bytes();
        (ask(peer, bytes, &url) != ask(&abide, bytes, &url))
            .then(|| class(peer, bytes, &Rewritten::of(bytes), &url))
    }

    #[test]
    fn differences_are_put_down_to_what_they_hang_on() {
        let plain = InProcess::<RobotsTxt>::new();
        let star = "User-agent: *\n";
        let table = [
            ("Disallow: /a/*/b\n", "/a/x/b", Class::Special),
            ("Disallow: /Private/\n", "/private/", Class::Case),
            ("Disallow: /a\nAllow: /a/b\n", "/a/b", Class::MostBytes),
            ("Disallow: /a\nAllow: /a\n", "/a", Class::AllowWins),
            ("Disallow: /a%41b\n", "/aAb", Class::PercentEncoding),
            ("Disallow: /a\n", "/robots.txt", Class::RobotsTxt),
        ];
        for (rules, path, class) in table {
            let found = class_of(&plain, &format!("{star}{rules}"), path);
            if class == Class::RobotsTxt {
                assert_eq!(found, None);
            } else {
                assert_eq!(found, Some(class), "{rules} {path}");
            }
        }
        let all = "User-agent: *\nDisallow: /\n";
        assert_eq!(class_of(&plain, all, "/robots.txt"), Some(Class::RobotsTxt));
    }

    #[test]
    fn groups_and_lines_are_told_apart() {
        let texting = InProcess::<TextingRobots>::new();
        let found = class_of(&texting, "User-agent: Googlebot/2.1\nDisallow: /a\n", "/a");
        assert_eq!(found, Some(Class::Groups));
        let robotxt = InProcess::<Robotxt>::new();
        let found = class_of(&robotxt, "User-agent: *\rDisallow: /a\r", "/a");
        assert!(found.is_none_or(|class| class == Class::Lines), "{found:?}");
    }
}
