//! Whether two files mean the same: the one definition that the linter, the formatter and their
//! guides use.
//!
//! Two files mean the same if, in both profiles, every robot gets the same answer for every URL,
//! and the same delays, sitemaps, directives and requests. It does not matter how a robot finds its
//! answer, nor what the file says to people.
//!
//! Known robots need no care of their own: what is documented about them only selects groups
//! (another name's, or none), so each of them reads the file as some name in it does, or as a robot
//! without a group. So do control tokens.
//!
//! AI preferences are part of the meaning: what each vocabulary says, and the licence documents.

use crate::bound::{Bound, GoesOn};
use crate::compare::{self, NamedClient};
use abide::preference::{ControlToken, PreferenceProfile, Vocabulary};
use abide::syntax::{Content, FieldKind, Line, Separator, StatedValues};
use abide::verdict::Sense;
use abide::{Client, Limits, ProductToken, Profile, Robots, Usage};
use std::collections::{BTreeMap, BTreeSet};

/// A file in the readings of both profiles.
#[derive(Debug)]
pub struct Readings([Robots; 2]);

impl Readings {
    /// Reads the file in both profiles.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let read = |profile| Robots::parse_as(bytes, profile, Limits::default());
        Self([Profile::Careful, Profile::Google].map(read))
    }
}

/// Whether two files provably mean the same. `bound` limits the work; false if it is not enough, or
/// if `goes_on` ends it.
pub fn same(before: &Readings, after: &Readings, bound: Bound, goes_on: GoesOn<'_>) -> bool {
    DifferingReadings::of(before, after).means_the_same(bound, goes_on)
}

/// The readings in which the lines of two files do not say the same, group by group. If there are
/// none, the files mean the same; if there are, they still may.
#[derive(Debug)]
pub struct DifferingReadings<'r>(Vec<(&'r Robots, &'r Robots)>);

impl<'r> DifferingReadings<'r> {
    /// Compares the lines of two files.
    #[must_use]
    pub fn of(before: &'r Readings, after: &'r Readings) -> Self {
        let pairs = before.0.iter().zip(&after.0);
        let differing = pairs.filter(|(before, after)| Outline::of(before) != Outline::of(after));
        Self(differing.collect())
    }

    /// Whether there is no such reading.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether every robot gets the same answers nevertheless. `bound` limits the work for each
    /// reading; false if it is not enough, or if `goes_on` ends it.
    pub fn means_the_same(&self, bound: Bound, goes_on: GoesOn<'_>) -> bool {
        let mut pairs = self.0.iter();
        pairs.all(|(before, after)| same_answers(before, after, bound, goes_on))
    }
}

/// What the lines of a file say, without order and repetitions. Groups that name the same robots
/// are one, as they are for every robot (REP-30).
#[derive(Debug, PartialEq, Eq)]
struct Outline<'r> {
    groups: BTreeMap<Starters, GroupStatements<'r>>,
    sitemaps: Vec<&'r [u8]>,
    /// Preferences before the first group.
    outside: BTreeSet<Preference<'r>>,
    /// ACAP records, whose order matters.
    acap: Vec<AcapFieldMeaning<'r>>,
    is_truncated: bool,
}

/// The names of a group, in lower case, and whether each is a purpose.
pub(crate) type Starters = BTreeSet<(bool, Vec<u8>)>;

/// What groups say.
#[derive(Debug, Default, PartialEq, Eq)]
struct GroupStatements<'r> {
    rules: BTreeSet<(Sense, Box<[u8]>, bool)>,
    /// App-Directives and delays.
    others: BTreeSet<(&'static str, &'r [u8])>,
    preferences: BTreeSet<Preference<'r>>,
}

/// A line with a preference: its vocabulary, canonical path with whether it ends with `$`, what it
/// says, and the URL of a licence.
type Preference<'r> = (
    Vocabulary,
    Option<(Box<[u8]>, bool)>,
    StatedValues,
    &'r [u8],
);

/// The preference on a line; `None` if it is none, or can say nothing.
fn preference<'r>(robots: &'r Robots, line: &Line) -> Option<Preference<'r>> {
    let found = robots.preference_statement(line, PreferenceProfile::default().revision)?;
    let path = match found.pattern() {
        None => None,
        Some(pattern) => {
            let pattern = pattern.ok()?;
            Some(((*pattern.forms().c1).into(), pattern.is_anchored()))
        }
    };
    let is_licence = found.vocabulary == Vocabulary::Rsl;
    let url = found.statement.get(..).filter(|_| is_licence);
    Some((found.vocabulary, path, found.says, url.unwrap_or_default()))
}

impl<'r> Outline<'r> {
    fn of(robots: &'r Robots) -> Self {
        let text = robots.text().as_bytes();
        let lines = robots.lines();
        let of = |members: &[usize]| -> Vec<&'r Line> {
            members.iter().filter_map(|at| lines.get(*at)).collect()
        };
        let mut groups: BTreeMap<Starters, GroupStatements<'r>> = BTreeMap::new();
        for group in robots.groups() {
            let starters = of(&group.starters).into_iter();
            let starters = starters.filter_map(|line| starter(line, text)).collect();
            let own_group = groups.entry(starters).or_default();
            let rules = of(&group.rules);
            own_group
                .rules
                .extend(rules.iter().filter_map(|line| rule(robots, line)));
            let records = of(&group.others);
            let preferences = records.iter();
            own_group
                .preferences
                .extend(preferences.filter_map(|line| preference(robots, line)));
            let others = rules.into_iter().chain(records);
            own_group
                .others
                .extend(others.filter_map(|line| other(line, text)));
        }
        let before = lines.iter().take_while(|line| line.group.is_none());
        Self {
            groups,
            outside: before.filter_map(|line| preference(robots, line)).collect(),
            sitemaps: robots.sitemaps().map(|(_, value)| value).collect(),
            acap: robots
                .acap_lines()
                .filter_map(|line| acap(line, text))
                .collect(),
            is_truncated: robots.text().is_truncated(),
        }
    }
}

/// The key in lower case, the separator and the value of an ACAP line.
type AcapFieldMeaning<'r> = (Vec<u8>, Separator, &'r [u8]);

fn acap<'r>(line: &Line, text: &'r [u8]) -> Option<AcapFieldMeaning<'r>> {
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
fn same_answers(before: &Robots, after: &Robots, bound: Bound, goes_on: GoesOn<'_>) -> bool {
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
    // Paths of preferences are read in canonical forms, which a comparison in Google's reading does
    // not have. So there every group has to say the same.
    let is_alike = before.profile() == Profile::Careful || same_preferences(before, after);
    let compared = || compare::files_while(before, after, &robots, bound, goes_on);
    is_alike && compared().is_some_and(|found| found.is_equivalent())
}

/// Whether the lines of all groups say the same about preferences.
fn same_preferences(before: &Robots, after: &Robots) -> bool {
    let [before, after] = [before, after].map(|robots| {
        let outline = Outline::of(robots);
        let groups = outline.groups.into_iter();
        let groups = groups.map(|(starters, group)| (starters, group.preferences));
        let stating = groups.filter(|(_, preferences)| !preferences.is_empty());
        (stating.collect::<BTreeMap<_, _>>(), outline.outside)
    });
    before == after
}

/// google/robotstxt knows no names with other characters than letters, `-` and `_`.
fn in_profile(robot: NamedClient, profile: Profile) -> NamedClient {
    match (&robot.agent, profile) {
        (Some(name), Profile::Google) => NamedClient {
            client: Client::new(ProductToken::verbatim(name)).with_profile(profile),
            ..robot
        },
        (None, Profile::Google) => NamedClient {
            client: robot.client.without_preferences(),
            ..robot
        },
        _ => with_own_token(robot),
    }
}

/// A robot that asks for preferences, with its own name as control token: any name may be one, and
/// names that no group has are decided as a robot without a group.
fn with_own_token(robot: NamedClient) -> NamedClient {
    let token = robot.client.product_tokens().first().cloned();
    let (Some(profile), Some(token)) = (robot.client.preferences().cloned(), token) else {
        return robot;
    };
    let own = ControlToken {
        token,
        usages: Usage::PREFERENCES.to_vec(),
    };
    NamedClient {
        client: robot.client.with_preferences(PreferenceProfile {
            control_tokens: vec![own],
            ..profile
        }),
        ..robot
    }
}

/// Whether two lines say the same, wherever they are in a file except at its beginning: in both
/// profiles they have the same kind, and a value that means the same.
pub fn same_line(before: &[u8], after: &[u8]) -> bool {
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
enum LineMeaning<'r> {
    Nothing,
    Starter(bool, Vec<u8>),
    Rule(Option<(Sense, Box<[u8]>, bool)>),
    Field(FieldKind, &'r [u8]),
    Preference(Preference<'r>),
    Acap(Option<AcapFieldMeaning<'r>>),
}

fn says<'r>(robots: &'r Robots, line: &Line) -> LineMeaning<'r> {
    let text = robots.text().as_bytes();
    let Content::Field(field) = &line.content else {
        return LineMeaning::Nothing;
    };
    let value = field.value.of(text);
    match field.kind {
        FieldKind::Other => {
            preference(robots, line).map_or(LineMeaning::Nothing, LineMeaning::Preference)
        }
        FieldKind::Acap => LineMeaning::Acap(acap(line, text)),
        kind if kind.starts_group() => {
            let (is_purpose, name) = starter(line, text).unwrap_or_default();
            LineMeaning::Starter(is_purpose, name)
        }
        FieldKind::Allow | FieldKind::Disallow => LineMeaning::Rule(rule(robots, line)),
        kind => LineMeaning::Field(kind, value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same_files(before: &str, after: &str) -> bool {
        let read = |text: &str| Readings::of(text.as_bytes());
        same(&read(before), &read(after), Bound::default(), &|| true)
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

    /// What one vocabulary says counts, also if another is as strict.
    #[test]
    fn preferences_count() {
        let file = "License: https://l.example/a\nUser-agent: *\nContent-Usage: train-ai=n\n\
            Content-Signal: ai-train=no\nDisallow: /p\n";
        let respelt = "License: https://l.example/a\nUser-agent: *\ncontent-signal: AI-train = No\n\
            Content-Usage: train-ai=n;a=b\nDisallow: /p\n";
        assert!(same_files(file, respelt));
        for other in [
            "License: https://l.example/b\nUser-agent: *\nContent-Usage: train-ai=n\n\
                Content-Signal: ai-train=no\nDisallow: /p\n",
            "License: https://l.example/a\nUser-agent: *\nContent-Usage: train-ai=n\nDisallow: /p\n",
            "License: https://l.example/a\nUser-agent: *\nContent-Usage: train-ai=n\n\
                Content-Signal: /x ai-train=no\nDisallow: /p\n",
        ] {
            assert!(!same_files(file, other), "{other}");
        }
        assert!(same_line(
            b"Content-Signal: AI-train=No",
            b"Content-Signal: ai-train=no"
        ));
        assert!(!same_line(
            b"Content-Signal: ai-train=n",
            b"Content-Signal: ai-train=no"
        ));
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
