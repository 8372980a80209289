//! Finds paths on which the vocabularies of AI preferences in a robots.txt disagree.

use crate::facts::Disagreement;
use crate::file::File;
use crate::preference_lines::PreferenceAt;
use crate::preference_overlap;
use abide::preference::{ControlToken, PreferenceProfile, Vocabulary};
use abide::syntax::{Addressee, Inspect, PathPattern};
use abide::{Client, Code, Decision, Diagnostic, Policy, ProductToken, Target};
use abide_analysis::language::PathSearch;
use abide_analysis::preferences::{ROBOTS_TXT_VOCABULARIES, latest};
use abide_analysis::sample;
use abide_known_robots::KnownRobot;
use std::collections::BTreeSet;

/// How many robots and paths are tried.
pub(crate) const MAX_AGENTS: usize = 16;
const MAX_PATHS: usize = 64;

impl File<'_> {
    /// Where vocabularies disagree, at most once for each line.
    pub(crate) fn disagreements(&self) -> &[Disagreement] {
        self.disagreements.get_or_init(|| disagreements(self))
    }
}

/// The disagreements in a file, at most one for each line.
fn disagreements(file: &File<'_>) -> Vec<Disagreement> {
    let usage: Vec<_> = file.preferences(Vocabulary::ContentUsage).collect();
    let signals: Vec<_> = file.preferences(Vocabulary::ContentSignal).collect();
    let tokens = control_tokens(file);
    let speak = [!usage.is_empty(), !signals.is_empty(), !tokens.is_empty()];
    // With one vocabulary, or none that a robot can read, there is nothing to compare.
    if speak.iter().filter(|speaks| **speaks).count() < 2
        || (usage.is_empty() && signals.is_empty())
    {
        return Vec::new();
    }
    let stating: BTreeSet<_> = usage
        .iter()
        .chain(&signals)
        .filter_map(|at| at.line.group)
        .collect();
    let paths = paths(file, usage.iter().chain(&signals), &tokens);
    let mut search = preference_overlap::search();
    let mut found: Vec<Disagreement> = Vec::new();
    for (agent, group) in agents(file, &stating).into_iter().take(MAX_AGENTS) {
        let of_group = |lines: &[PreferenceAt<'_>]| wishes(file, lines, group);
        let (own, other) = (of_group(&usage), of_group(&signals));
        let has_same_statements = !own.is_empty() && own == other;
        let Some(policy) = policy_of(file, agent.as_deref(), &tokens) else {
            continue;
        };
        let shared = shared_paths(file, &policy, &mut search);
        for (line, path) in paths.iter().chain(&shared) {
            let Some(one) = disagreement(&policy, *line, path, has_same_statements) else {
                continue;
            };
            if found.iter().all(|known| known.line != one.line) {
                found.push(Disagreement {
                    agent: agent.clone(),
                    ..one
                });
            }
        }
    }
    found
}

/// The control tokens that groups of the file name: only their own rules are statements about use.
fn control_tokens(file: &File<'_>) -> Vec<(&'static KnownRobot, ControlToken)> {
    let mut named: Vec<(&'static KnownRobot, ControlToken)> = Vec::new();
    for addressee in file.addressees.iter().flatten() {
        let Addressee::Token(token) = addressee else {
            continue;
        };
        let known = abide_known_robots::named(token);
        let Some((known, token)) = known.and_then(|known| Some((known, known.control_token()?)))
        else {
            continue;
        };
        if named
            .iter()
            .all(|(present, _)| present.token != known.token)
        {
            named.push((known, token));
        }
    }
    named
}

/// The robots to ask: one of each group with preferences, `None` for the group for `*`.
pub(crate) fn agents(file: &File<'_>, stating: &BTreeSet<usize>) -> Vec<(Option<String>, usize)> {
    let agents = stating.iter().filter_map(|group| {
        if file.is_for_anybody(*group) {
            return Some((None, *group));
        }
        // Control tokens send no requests, so they choose between no statements.
        let fetches = |token: &str| {
            let known = abide_known_robots::named(token);
            !known.is_some_and(KnownRobot::is_control_token)
        };
        let mut named = file.addressees.get(*group)?.iter();
        named.find_map(|addressee| match addressee {
            Addressee::Token(token) if fetches(token) => Some((Some((*token).to_owned()), *group)),
            _ => None,
        })
    });
    agents.collect()
}

/// The statements of the groups that name the same robots as `group`: path, word number, whether
/// it permits. `use` of Content-Signal has no counterpart.
fn wishes(
    file: &File<'_>,
    lines: &[PreferenceAt<'_>],
    group: usize,
) -> BTreeSet<(Option<Vec<u8>>, usize, bool)> {
    const WORDS: [[&str; 3]; 2] = [
        preference_overlap::USAGE_WORDS,
        ["ai-train", "ai-input", "search"],
    ];
    let names = file.addressees.get(group);
    let own = lines.iter().filter(|at| {
        let other = at.line.group.and_then(|other| file.addressees.get(other));
        other.is_some() && other == names
    });
    let wishes = own.flat_map(|at| {
        let words = at.stated.words(latest()).into_iter();
        words.filter_map(|(word, value)| {
            let mut known = WORDS.iter();
            let number = known.find_map(|words| words.iter().position(|known| *known == word))?;
            Some((
                at.stated.path.map(<[u8]>::to_vec),
                number,
                value.starts_with('y'),
            ))
        })
    });
    wishes.collect()
}

/// Paths with the lines that they are made of.
fn paths<'a, 'f: 'a>(
    file: &File<'_>,
    lines: impl Iterator<Item = &'a PreferenceAt<'f>>,
    tokens: &[(&KnownRobot, ControlToken)],
) -> Vec<(u32, String)> {
    let of_lines = lines.map(|at| {
        let path = at.stated.path.unwrap_or(b"/");
        (at.line.number, PathPattern::read(path).ok())
    });
    let is_token = |group: &usize| {
        let mut named = file.addressees.get(*group).into_iter().flatten();
        named.any(|addressee| {
            let is = |name: &str| {
                tokens
                    .iter()
                    .any(|(robot, _)| robot.token.eq_ignore_ascii_case(name))
            };
            matches!(addressee, Addressee::Token(name) if is(name))
        })
    };
    let groups = (0..file.rules.len()).filter(is_token);
    let rules = groups.flat_map(|group| file.rules.get(group).into_iter().flatten());
    let of_rules = rules.map(|rule| (rule.line.number, rule.pattern.clone().ok()));
    let sampled = of_lines
        .chain(of_rules)
        .filter_map(|(line, pattern)| Some((line, sample::matching(&pattern?)?)));
    sampled.take(MAX_PATHS).collect()
}

/// The file for one robot, asking about the vocabularies of robots.txt.
fn policy_of(
    file: &File<'_>,
    agent: Option<&str>,
    tokens: &[(&'static KnownRobot, ControlToken)],
) -> Option<Policy> {
    let token = ProductToken::new(agent.unwrap_or("abide-lint")).ok()?;
    let is_agent = |name: &str| agent.is_some_and(|agent| agent.eq_ignore_ascii_case(name));
    let own_tokens = tokens.iter().filter(|(robot, own)| {
        let mut fetchers = robot.fetchers.iter();
        is_agent(own.token.as_str()) || fetchers.any(|fetcher| is_agent(fetcher))
    });
    let client = Client::new(token).with_preferences(PreferenceProfile {
        vocabularies: Some(ROBOTS_TXT_VOCABULARIES.to_vec()),
        control_tokens: own_tokens.map(|(_, token)| token.clone()).collect(),
        ..PreferenceProfile::default()
    });
    Some(file.robots.policy(&client))
}

/// Paths that lines of several vocabularies share, with a line of each.
fn shared_paths(file: &File<'_>, policy: &Policy, search: &mut PathSearch) -> Vec<(u32, String)> {
    let mut shared = preference_overlap::differing_paths(file, policy, search);
    for (_, token) in Inspect::of(policy).control_tokens() {
        shared.extend(preference_overlap::paths_against_token(
            file, policy, token, search,
        ));
    }
    shared
}

/// What the vocabularies disagree about at a path, if anything.
fn disagreement(
    policy: &Policy,
    line: u32,
    path: &str,
    has_same_statements: bool,
) -> Option<Disagreement> {
    let url = format!("https://site.example{path}");
    let target = Target::new(&url).ok()?;
    // Nobody fetches what is disallowed, so no robot has to choose between the vocabularies.
    if !policy.allows(&url) {
        return None;
    }
    let decision = policy.decide(&target);
    let (line, message) = if has_same_statements {
        (line, differing_words(&decision)?)
    } else {
        let conflict = conflict(policy, &decision)?;
        (conflict.line.unwrap_or(line), conflict.message.to_string())
    };
    Some(Disagreement {
        line,
        agent: None,
        path: path.to_owned(),
        message,
        has_same_statements,
    })
}

fn conflict<'p>(policy: &'p Policy, decision: &Decision<'p>) -> Option<Diagnostic> {
    let mut found = policy.diagnostics_of(decision).into_iter();
    found.find(|found| found.code == Code::PreferencesConflict)
}

/// What Content-Usage and Content-Signal settle, if it is not the same.
fn differing_words(decision: &Decision<'_>) -> Option<String> {
    let answers = &decision.preferences.as_ref()?.vocabularies;
    let words_of = |vocabulary| {
        let answer = answers
            .iter()
            .find(|answer| answer.vocabulary == vocabulary)?;
        let words = answer.words.iter().filter(|(word, _)| *word != "use");
        let mut settled: Vec<_> = words
            .map(|(word, value)| {
                let general = match *word {
                    "train-ai" => "ai-train",
                    "ai-use" => "ai-input",
                    other => other,
                };
                (general.to_owned(), value.starts_with('y'))
            })
            .collect();
        settled.sort_unstable();
        let shown: Vec<_> = answer
            .words
            .iter()
            .map(|(word, value)| format!("{word}={value}"))
            .collect();
        Some((settled, shown.join(", ")))
    };
    let (usage, signal) = (
        words_of(Vocabulary::ContentUsage)?,
        words_of(Vocabulary::ContentSignal)?,
    );
    let shown = |text: &str| match text {
        "" => "nothing".to_owned(),
        text => text.to_owned(),
    };
    (usage.0 != signal.0).then(|| {
        format!(
            "Content-Usage says {} and Content-Signal says {}",
            shown(&usage.1),
            shown(&signal.1)
        )
    })
}
