//! Paths that the patterns of several preference lines share.
//!
//! Two lines with wildcards can be about the same path although neither path begins with the other:
//! `/docs/` and `/*.pdf` share `/docs/x.pdf`. A search through all paths finds out, and the engine
//! decides about the path that it finds.

use crate::file::File;
use abide::preference::{PreferenceProfile, Vocabulary};
use abide::syntax::{Inspect, PathPattern, PreferenceStatement, Rule, StatedValues};
use abide::verdict::Sense;
use abide::{Client, Policy, ProductToken, Target, Usage};
use abide_analysis::Bound;
use abide_analysis::language::{PathSearch, Wanted, Witness, may_overlap, strength};
use abide_analysis::preferences::latest;

/// How many lines of a robot are compared with each other.
const MAX_COMPARED: usize = 200;

/// The work for all searches in a file.
const BOUND: Bound = Bound { work: 20_000_000 };

/// The words of `Content-Usage` in the default revision, in the order of [`Usage::PREFERENCES`].
pub(crate) const USAGE_WORDS: [&str; 3] = ["train-ai", "ai-use", "search"];

pub(crate) fn search() -> PathSearch {
    PathSearch::new(BOUND)
}

/// A line with preferences that counts for a robot.
#[derive(Debug)]
pub(crate) struct StatedPath<'p> {
    pub(crate) line: u32,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) pattern: PathPattern<'p>,
    /// By what lines are compared: 0 for a line about every path (PREF-26).
    pub(crate) length: usize,
    pub(crate) says: StatedValues,
    pub(crate) statement: &'p [u8],
}

impl<'p> StatedPath<'p> {
    fn read(statement: &PreferenceStatement<'p>) -> Option<Self> {
        let (pattern, length) = match statement.path {
            Some(path) => {
                let pattern = PathPattern::read(path).ok()?;
                let length = pattern.length();
                (pattern, length)
            }
            None => (PathPattern::read(b"*").ok()?, 0),
        };
        Some(Self {
            line: statement.line,
            vocabulary: statement.vocabulary,
            pattern,
            length,
            says: statement.says,
            statement: statement.statement,
        })
    }

    /// Whether it permits a usage; `None` if it does not say.
    fn about(&self, usage: Usage) -> Option<bool> {
        self.says.permits(usage)
    }

    /// Whether another line of its vocabulary replaces what this one says about a usage: it is
    /// longer, or equally long and stricter. In Content-Usage the longest line decides about all
    /// words, in Content-Signal the longest that has the word (PREF-23, PREF-60).
    fn is_replaced_by(&self, other: &Self, usage: Usage) -> bool {
        let has_word = other.about(usage).is_some();
        let is_selected = self.vocabulary == Vocabulary::ContentUsage || has_word;
        let is_stricter = has_word && self.about(usage) != Some(false);
        (other.length > self.length && is_selected)
            || (other.length == self.length && is_stricter && other.line != self.line)
    }
}

/// The preference lines of a file that count for `policy`, without licences.
pub(crate) fn stated(policy: &Policy) -> Vec<StatedPath<'_>> {
    let statements = Inspect::of(policy).preference_statements();
    let stated = statements.iter().filter_map(StatedPath::read);
    let stated = stated.filter(|one| one.vocabulary != Vocabulary::Rsl);
    stated.take(MAX_COMPARED).collect()
}

/// The client with a product token, or any other robot, that asks for the vocabularies of these
/// lines.
pub(crate) fn client(agent: Option<&str>) -> Option<Client> {
    let token = ProductToken::new(agent.unwrap_or("abide-lint")).ok()?;
    Some(Client::new(token).with_preferences(PreferenceProfile {
        vocabularies: Some(vec![Vocabulary::ContentUsage, Vocabulary::ContentSignal]),
        revision: latest(),
        ..PreferenceProfile::default()
    }))
}

/// Whether a search can find more than a look at the longer of the two patterns.
fn needs_search(one: &PathPattern<'_>, other: &PathPattern<'_>) -> bool {
    let has_wildcard = |pattern: &PathPattern<'_>| {
        pattern.is_anchored()
            || pattern
                .forms()
                .c1
                .get(1..)
                .unwrap_or_default()
                .contains(&b'*')
    };
    may_overlap(one, other) && (has_wildcard(one) || has_wildcard(other))
}

/// A path that both patterns match, none of `excluded` matches, and the policy allows.
///
/// Rules take most of the time, so they are searched only if the first path is disallowed.
fn shared_path(
    search: &mut PathSearch,
    file: &File<'_>,
    policy: &Policy,
    both: [&PathPattern<'_>; 2],
    excluded: &[&PathPattern<'_>],
) -> Option<String> {
    let mut wanted = Wanted {
        required: both.to_vec(),
        excluded: excluded.to_vec(),
        rules: &[],
    };
    let rules: Vec<Rule<'_>>;
    let mut found = search.find(&wanted);
    if matches!(&found, Witness::Path(path) if !policy.allows(path)) {
        rules = file.robots.rules(policy);
        wanted.rules = &rules;
        found = search.find(&wanted);
    }
    let Witness::Path(path) = found else {
        return None;
    };
    // A name before the ending reads better than a bare ending.
    let named = path.replace("/.", "/x.");
    let is_alike = |path: &str| {
        let matches = |pattern: &&PathPattern<'_>| pattern.matches(path.as_bytes());
        both.iter().all(matches) && !excluded.iter().any(matches)
    };
    let best = if is_alike(&named) && policy.allows(&named) {
        named
    } else {
        path
    };
    (policy.allows(&best) && is_alike(&best)).then_some(best)
}

/// A word that a longer `Content-Usage` line leaves open where a shorter one says `n`.
#[derive(Debug)]
pub(crate) struct DroppedWord {
    /// The longer line.
    pub(crate) line: u32,
    /// The shorter line.
    pub(crate) from: u32,
    pub(crate) word: &'static str,
    pub(crate) path: String,
}

/// The words that lines of a robot drop on paths that they share with a shorter line, one for each
/// line. Leaves out lines in `known`.
pub(crate) fn dropped_words(
    file: &File<'_>,
    policy: &Policy,
    known: &dyn Fn(u32) -> bool,
    search: &mut PathSearch,
) -> Vec<DroppedWord> {
    let mut lines = stated(policy);
    lines.retain(|one| one.vocabulary == Vocabulary::ContentUsage);
    let mut found = Vec::new();
    for line in lines
        .iter()
        .filter(|one| one.says.is_readable && !known(one.line))
    {
        let dropped = lines.iter().find_map(|shorter| {
            if search.is_spent() {
                return None;
            }
            dropped_word(file, policy, &lines, [line, shorter], search)
        });
        found.extend(dropped);
    }
    found
}

fn dropped_word(
    file: &File<'_>,
    policy: &Policy,
    lines: &[StatedPath<'_>],
    [line, shorter]: [&StatedPath<'_>; 2],
    search: &mut PathSearch,
) -> Option<DroppedWord> {
    if shorter.length >= line.length || !needs_search(&line.pattern, &shorter.pattern) {
        return None;
    }
    let mut words = Usage::PREFERENCES.iter().copied().zip(USAGE_WORDS);
    let (usage, word) = words.find(|(usage, word)| {
        let is_dropped = line.about(*usage).is_none() && shorter.about(*usage) == Some(false);
        is_dropped && !mentions(line.statement, word)
    })?;
    // Lines that decide instead, or that permit what the shorter one does not.
    let excluded: Vec<_> = lines
        .iter()
        .filter(|other| {
            let has_word = other.about(usage).is_some();
            let decides = other.length > line.length || (other.length == line.length && has_word);
            let permits = other.length > shorter.length && other.about(usage) == Some(true);
            other.line != line.line && (decides || permits)
        })
        .map(|other| &other.pattern)
        .collect();
    let both = [&line.pattern, &shorter.pattern];
    let path = shared_path(search, file, policy, both, &excluded)?;
    leaves_open(policy, &path, word)?;
    Some(DroppedWord {
        line: line.line,
        from: shorter.line,
        word,
        path,
    })
}

/// `Some` if the engine says that the Content-Usage lines state nothing for a word on a path.
fn leaves_open(policy: &Policy, path: &str, word: &str) -> Option<()> {
    let target = Target::new(path).ok()?;
    let decision = policy.decide(&target);
    let mut answers = decision.preferences.as_ref()?.vocabularies.iter();
    let answer = answers.find(|answer| answer.vocabulary == Vocabulary::ContentUsage)?;
    let mut words = answer.words.iter();
    (!words.any(|(known, _)| *known == word)).then_some(())
}

/// Whether a statement has a word, whatever its value.
fn mentions(statement: &[u8], word: &str) -> bool {
    let mut parts =
        statement.split(|byte| !byte.is_ascii_alphanumeric() && !b"-_.*".contains(byte));
    parts.any(|part| part == word.as_bytes())
}

/// Paths on which lines of two vocabularies of a robot differ, with the lines. The engine has to
/// confirm each.
pub(crate) fn differing_paths(
    file: &File<'_>,
    policy: &Policy,
    search: &mut PathSearch,
) -> Vec<(u32, String)> {
    /// How many paths are worth asking about.
    const MAX_PATHS: usize = 64;
    let lines = stated(policy);
    let of = |vocabulary| lines.iter().filter(move |one| one.vocabulary == vocabulary);
    let mut found = Vec::new();
    for usage_line in of(Vocabulary::ContentUsage) {
        for signal in of(Vocabulary::ContentSignal) {
            if found.len() >= MAX_PATHS || search.is_spent() {
                return found;
            }
            let path = differing_path(file, policy, &lines, [usage_line, signal], search);
            found.extend(path.map(|path| (usage_line.line, path)));
        }
    }
    found
}

/// A path on which two lines decide about a usage, and differ.
fn differing_path(
    file: &File<'_>,
    policy: &Policy,
    lines: &[StatedPath<'_>],
    pair: [&StatedPath<'_>; 2],
    search: &mut PathSearch,
) -> Option<String> {
    let both = pair.map(|one| &one.pattern);
    if !needs_search(both[0], both[1]) {
        return None;
    }
    Usage::PREFERENCES.iter().find_map(|&usage| {
        if pair[0].about(usage) == pair[1].about(usage) {
            return None;
        }
        let replacing = lines.iter().filter(|other| {
            let mut own = pair.iter().filter(|one| one.vocabulary == other.vocabulary);
            own.any(|one| one.is_replaced_by(other, usage))
        });
        let excluded: Vec<_> = replacing.map(|other| &other.pattern).collect();
        shared_path(search, file, policy, both, &excluded)
    })
}

/// Paths on which a line of a robot and the rules of a control token contradict each other, with
/// the lines. The engine has to confirm each.
pub(crate) fn paths_against_token(
    file: &File<'_>,
    policy: &Policy,
    token: &Policy,
    search: &mut PathSearch,
) -> Vec<(u32, String)> {
    const MAX_PATHS: usize = 64;
    let lines = stated(policy);
    let rules = file.robots.rules(token);
    let rules = rules.iter().filter_map(|rule| {
        let pattern = rule.pattern.as_ref().ok()?;
        let strength = strength(pattern, rule.sense, rule.line.number);
        Some((rule.sense, strength, pattern))
    });
    let rules: Vec<_> = rules.take(MAX_COMPARED).collect();
    let mut found = Vec::new();
    for line in &lines {
        for (sense, own, pattern) in &rules {
            if found.len() >= MAX_PATHS || search.is_spent() {
                return found;
            }
            let permits = *sense == Sense::Allow;
            let mut usages = Usage::PREFERENCES.iter().copied();
            let usage = usages.find(|usage| line.about(*usage) == Some(!permits));
            let Some(usage) = usage.filter(|_| needs_search(&line.pattern, pattern)) else {
                continue;
            };
            let stronger = rules
                .iter()
                .filter(|(other, strength, _)| other != sense && strength > own);
            let replacing = lines.iter().filter(|other| {
                other.vocabulary == line.vocabulary && line.is_replaced_by(other, usage)
            });
            let excluded: Vec<_> = stronger
                .map(|(.., pattern)| *pattern)
                .chain(replacing.map(|other| &other.pattern))
                .collect();
            let path = shared_path(search, file, policy, [&line.pattern, pattern], &excluded);
            found.extend(path.map(|path| (line.line, path)));
        }
    }
    found
}
