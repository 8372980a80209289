//! Whether two files mean the same: the one definition that the linter, the formatter and their
//! guides use.
//!
//! Two files mean the same if, in both profiles, every robot gets the same answer for every URL,
//! and the same delays, sitemaps, directives, requests and AI preferences. It does not matter how a
//! robot finds its answer, nor what the file says to people. Preferences are compared as statements
//! with their paths, group by group, in all vocabularies: other statements for the same answers
//! are not the same.
//!
//! Known robots need no care of their own: what is documented about them only selects groups
//! (another name's, or none), so each of them reads the file as some name in it does, or as a robot
//! without a group.

use crate::compare::{self, Bound, NamedClient};
use abide::preference::Vocabulary;
use abide::syntax::{Content, FieldKind, Line, PathPattern, PreferenceStatement, Separator};
use abide::verdict::Sense;
use abide::{Client, Limits, ProductToken, Profile, Robots};
use std::collections::{BTreeMap, BTreeSet};

/// A file in the readings of both profiles.
#[derive(Debug)]
pub(crate) struct Readings([Robots; 2]);

impl Readings {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let read = |profile| Robots::parse_as(bytes, profile, Limits::default());
        Self([Profile::Careful, Profile::Google].map(read))
    }
}

/// Whether two files provably mean the same. `bound` limits the work; false if it is not enough.
pub(crate) fn same(before: &Readings, after: &Readings, bound: Bound) -> bool {
    Unlike::of(before, after).means_the_same(bound)
}

/// The readings in which the lines of two files do not say the same, group by group. If there are
/// none, the files mean the same; if there are, they still may.
pub(crate) struct Unlike<'r> {
    readings: Vec<(&'r Robots, &'r Robots)>,
    /// Whether the files state other AI preferences. What robots may crawl does not show it.
    in_preferences: bool,
}

impl<'r> Unlike<'r> {
    pub(crate) fn of(before: &'r Readings, after: &'r Readings) -> Self {
        let mut unlike = Self {
            readings: Vec::new(),
            in_preferences: false,
        };
        for (before, after) in before.0.iter().zip(&after.0) {
            if Outline::of(before) != Outline::of(after) {
                unlike.readings.push((before, after));
            }
            unlike.in_preferences |= preferences(before) != preferences(after);
        }
        unlike
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.readings.is_empty() && !self.in_preferences
    }

    /// Whether every robot gets the same answers nevertheless. `bound` limits the work for each
    /// reading; false if it is not enough.
    pub(crate) fn means_the_same(&self, bound: Bound) -> bool {
        let mut pairs = self.readings.iter();
        !self.in_preferences && pairs.all(|(before, after)| same_answers(before, after, bound))
    }
}

/// What the lines of a file say, without order and repetitions. Groups that name the same robots
/// are one, as they are for every robot (REP-30).
#[derive(Debug, PartialEq, Eq)]
struct Outline<'r> {
    groups: BTreeMap<Starters, Statements<'r>>,
    sitemaps: Vec<&'r [u8]>,
    /// ACAP records, whose order matters.
    acap: Vec<AcapField<'r>>,
    is_truncated: bool,
}

/// The names of a group, in lower case, and whether each is a purpose.
type Starters = BTreeSet<(bool, Vec<u8>)>;

/// What groups say.
#[derive(Debug, Default, PartialEq, Eq)]
struct Statements<'r> {
    rules: BTreeSet<(Sense, Box<[u8]>, bool)>,
    /// App-Directives and delays.
    others: BTreeSet<(&'static str, &'r [u8])>,
}

impl<'r> Outline<'r> {
    fn of(robots: &'r Robots) -> Self {
        let text = robots.text().as_bytes();
        let lines = robots.lines();
        let of = |members: &[usize]| -> Vec<&'r Line> {
            members.iter().filter_map(|at| lines.get(*at)).collect()
        };
        let mut groups: BTreeMap<Starters, Statements<'r>> = BTreeMap::new();
        for group in robots.groups() {
            let starters = of(&group.starters).into_iter();
            let starters = starters.filter_map(|line| starter(line, text)).collect();
            let said = groups.entry(starters).or_default();
            let rules = of(&group.rules);
            said.rules
                .extend(rules.iter().filter_map(|line| rule(robots, line)));
            let others = rules.into_iter().chain(of(&group.others));
            said.others
                .extend(others.filter_map(|line| other(line, text)));
        }
        Self {
            groups,
            sitemaps: robots.sitemaps().map(|(_, value)| value).collect(),
            acap: robots
                .acap_lines()
                .filter_map(|line| acap(line, text))
                .collect(),
            is_truncated: robots.text().is_truncated(),
        }
    }
}

/// The AI preferences of each group that has any, and of the place before all groups, without order
/// and repetitions.
fn preferences(robots: &Robots) -> BTreeMap<Option<Starters>, BTreeSet<Preference<'_>>> {
    let (text, lines) = (robots.text().as_bytes(), robots.lines());
    let mut stated: BTreeMap<_, BTreeSet<Preference<'_>>> = BTreeMap::new();
    // Lines of one group follow each other, so its starters are only read once.
    let mut current: Option<(Option<usize>, Option<Starters>)> = None;
    for line in lines {
        let Some(preference) = preference(robots, line) else {
            continue;
        };
        if current
            .as_ref()
            .is_none_or(|(group, _)| *group != line.group)
        {
            let group = line.group.and_then(|group| robots.groups().get(group));
            let starters = group.map(|group| {
                let lines = group.starters.iter().filter_map(|at| lines.get(*at));
                lines.filter_map(|line| starter(line, text)).collect()
            });
            current = Some((line.group, starters));
        }
        let starters = current.as_ref().and_then(|(_, starters)| starters.clone());
        stated.entry(starters).or_default().insert(preference);
    }
    stated
}

/// What a line says about AI preferences.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Preference<'r> {
    vocabulary: &'static str,
    path: StatedPath<'r>,
    said: SaidWords<'r>,
}

/// The path of a statement.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum StatedPath<'r> {
    Everything,
    /// The canonical pattern, and whether it ends with `$`.
    Pattern(Box<[u8]>, bool),
    /// A path that matches nothing.
    Nothing(&'r [u8]),
}

/// What a statement says.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SaidWords<'r> {
    Words(Vec<(&'static str, &'static str)>),
    /// It cannot be parsed, but hides statements for shorter paths.
    Unparsable,
    Licence(&'r [u8]),
}

fn preference<'r>(robots: &'r Robots, line: &Line) -> Option<Preference<'r>> {
    let PreferenceStatement {
        vocabulary,
        path,
        statement,
        words,
        ..
    } = robots.preference(line)?;
    let path = path.map_or(StatedPath::Everything, |path| {
        match PathPattern::read(path) {
            Ok(pattern) => StatedPath::Pattern((*pattern.forms().c1).into(), pattern.is_anchored()),
            Err(_) => StatedPath::Nothing(path),
        }
    });
    let said = match words {
        _ if vocabulary == Vocabulary::Rsl => SaidWords::Licence(statement),
        Some(words) => SaidWords::Words(words),
        None => SaidWords::Unparsable,
    };
    let vocabulary = vocabulary.name();
    Some(Preference {
        vocabulary,
        path,
        said,
    })
}

/// The key in lower case, the separator and the value of an ACAP line.
type AcapField<'r> = (Vec<u8>, Separator, &'r [u8]);

fn acap<'r>(line: &Line, text: &'r [u8]) -> Option<AcapField<'r>> {
    let field = line.field()?;
    let key = field.key.of(text).to_ascii_lowercase();
    Some((key, field.separator, field.value.of(text)))
}

fn starter(line: &Line, text: &[u8]) -> Option<(bool, Vec<u8>)> {
    let field = line.field()?;
    let is_purpose = field.kind == FieldKind::UserAgentPurpose;
    Some((is_purpose, field.value.of(text).to_ascii_lowercase()))
}

/// A rule that can match: sense, canonical pattern, and whether it ends with `$`.
fn rule(robots: &Robots, line: &Line) -> Option<(Sense, Box<[u8]>, bool)> {
    let field = line.field()?;
    if field.has_control(robots.text().as_bytes()) && robots.profile() == Profile::Careful {
        return None;
    }
    let rule = robots.rule(line)?;
    let pattern = rule.pattern.ok()?;
    let is_anchored = pattern.is_anchored();
    Some((rule.sense, (*pattern.forms().c1).into(), is_anchored))
}

fn other<'r>(line: &Line, text: &'r [u8]) -> Option<(&'static str, &'r [u8])> {
    let field = line.field()?;
    let is_other = matches!(field.kind, FieldKind::AppDirectives | FieldKind::CrawlDelay);
    is_other.then(|| Some((field.kind.name()?, field.value.of(text))))?
}

/// Whether all robots get the same answers, by comparing all paths for each robot that either file
/// names, and for those that neither names.
fn same_answers(before: &Robots, after: &Robots, bound: Bound) -> bool {
    let names = |robots: &Robots| -> BTreeSet<String> {
        let tokens = compare::clients(robots, robots);
        tokens.into_iter().filter_map(|one| one.agent).collect()
    };
    // With other names, a robot that falls back to another name could find another group.
    if names(before) != names(after) {
        return false;
    }
    let robots = compare::clients(before, after).into_iter();
    let robots: Vec<_> = robots
        .map(|one| in_profile(one, before.profile()))
        .collect();
    compare::files(before, after, &robots, bound).is_equivalent()
}

/// google/robotstxt knows no names with other characters than letters, `-` and `_`.
fn in_profile(robot: NamedClient, profile: Profile) -> NamedClient {
    match (&robot.agent, profile) {
        (Some(name), Profile::Google) => NamedClient {
            client: Client::new(ProductToken::verbatim(name)).with_profile(profile),
            ..robot
        },
        _ => robot,
    }
}

/// Whether two lines say the same, wherever they are in a file except at its beginning: in both
/// profiles they have the same kind, and a value that means the same.
pub(crate) fn same_line(before: &[u8], after: &[u8]) -> bool {
    let (before, after) = (Readings::of(before), Readings::of(after));
    let mut pairs = before.0.iter().zip(&after.0);
    pairs.all(|(before, after)| match (before.lines(), after.lines()) {
        ([own], [other]) => says(before, own) == says(after, other),
        ([], []) => true,
        _ => false,
    })
}

/// What a line says on its own.
#[derive(Debug, PartialEq, Eq)]
enum Said<'r> {
    Nothing,
    Starter(bool, Vec<u8>),
    Rule(Option<(Sense, Box<[u8]>, bool)>),
    Field(FieldKind, &'r [u8]),
    Acap(Option<AcapField<'r>>),
    Preference(Preference<'r>),
}

fn says<'r>(robots: &'r Robots, line: &Line) -> Said<'r> {
    let text = robots.text().as_bytes();
    let Content::Field(field) = &line.content else {
        return Said::Nothing;
    };
    let value = field.value.of(text);
    match field.kind {
        FieldKind::Other => preference(robots, line).map_or(Said::Nothing, Said::Preference),
        FieldKind::Acap => Said::Acap(acap(line, text)),
        kind if kind.starts_group() => {
            let (is_purpose, name) = starter(line, text).unwrap_or_default();
            Said::Starter(is_purpose, name)
        }
        FieldKind::Allow | FieldKind::Disallow => Said::Rule(rule(robots, line)),
        kind => Said::Field(kind, value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same_files(before: &str, after: &str) -> bool {
        let read = |text: &str| Readings::of(text.as_bytes());
        same(&read(before), &read(after), Bound::default())
    }

    #[test]
    fn spelling_order_and_repetition_do_not_matter() {
        let file = "User-agent: a\nDisallow: /x\nDisallow: /y\n\nUser-agent: *\nDisallow: /\n";
        for other in [
            "user-agent:a\r\nDisallow: /y\r\nDisallow: /x\r\nDisallow: /x\r\nUser-agent: *\r\nDisallow: /\r\n",
            "User-agent: A # c\nDisalow: /x\nDisallow: /y\nUnknown: 1\nUser-agent: *\nDisallow: /\n",
            // Not the same lines, but the same answers.
            "User-agent: a\nDisallow: /x\nDisallow: /x/z\nDisallow: /y\nUser-agent: *\nDisallow: /*\n",
        ] {
            assert!(same_files(file, other), "{other}");
        }
        for other in [
            "User-agent: a\nDisallow: /x\n\nUser-agent: *\nDisallow: /\n",
            "User-agent: b\nDisallow: /x\nDisallow: /y\n\nUser-agent: *\nDisallow: /\n",
            "User-agent: a\nDisallow: /x\nDisallow: /y\n\nUser-agent: *\nDisallow: /\nSitemap: /s\n",
            "User-agent: a\nDisallow: /x\nDisallow: /y\nCrawl-delay: 1\n\nUser-agent: *\nDisallow: /\n",
        ] {
            assert!(!same_files(file, other), "{other}");
        }
    }

    #[test]
    fn ai_preferences_count() {
        let file = "User-agent: a\nContent-Usage: /x train-ai=n\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: *\nLicense: https://l.example/a\nAllow: /\n";
        let changed = |from: &str, to: &str| same_files(file, &file.replacen(from, to, 1));
        for (from, to) in [
            (
                "Content-Usage: /x train-ai=n",
                "content-usage:/x   train-ai=n # c",
            ),
            ("Content-Usage: /x", "Content-Usage: /%78"),
            ("ai-train=no", "AI-Train=No"),
            ("Content-Signal", "Content-Signals"),
            (
                "Content-Signal: ai-train=no\nAllow: /\n",
                "Allow: /\n\nContent-Signal: ai-train=no;\n",
            ),
        ] {
            assert!(changed(from, to), "{from} to {to}");
        }
        for (from, to) in [
            ("train-ai=n", "train-ai=y"),
            ("train-ai=n", "train-ai=n,"),
            ("/x train-ai", "/y train-ai"),
            ("Content-Usage: /x train-ai=n\n", ""),
            ("ai-train=no", "ai-train=no, search=yes"),
            ("https://l.example/a", "https://l.example/A"),
            // To another group, and before all groups.
            ("License: https://l.example/a\n", ""),
            (
                "User-agent: a\nContent",
                "License: https://l.example/a\nUser-agent: a\nContent",
            ),
        ] {
            assert!(!changed(from, to), "{from} to {to}");
        }
        assert!(same_line(
            b"Content-Signal: AI-Train=No",
            b"Content-Signal: ai-train=no"
        ));
        assert!(!same_line(
            b"Content-Signal: ai-train=no",
            b"Content-Signal: ai-train=yes"
        ));
        assert!(!same_line(b"Content-Signal: ai-train=no", b""));
    }

    /// The careful profile reads a space as %20 and `~` as `%7E`; Google does not.
    #[test]
    fn both_profiles_count() {
        let rule = |value: &str| format!("User-agent: *\nDisallow: {value}\n");
        assert!(!same_files(
            &rule("/annual report/"),
            &rule("/annual%20report/")
        ));
        let both = "User-agent: *\nDisallow: /~\nDisallow: /%7E\n";
        assert!(!same_files(both, &rule("/~")));
        assert!(same_files(&rule("/a%3a"), &rule("/a%3A")));
        assert!(!same_line(
            b"Disallow: /annual report/",
            b"Disallow: /annual%20report/"
        ));
        assert!(same_line(b"Disalow : /x # c", b"Disallow: /x"));
        assert!(!same_line(b"Disallow: /x", b"Allow: /x"));
        assert!(!same_line(b"Alow: /x", b"Allow: /x"));
    }
}
