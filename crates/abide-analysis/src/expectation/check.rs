//! Checks a robots.txt against cases.

use super::case::{Agent, Case, CaseSettings, Cases, Expectation};
use super::mistake::{CaseMistake, CaseProblem, CasesError};
use super::read::MAX_CHECKS;
use crate::view::{FileView, sentences};
use crate::words;
use abide::explain::{self, visible};
use abide::preference::{Documents, Vocabulary};
use abide::syntax::Inspect;
use abide::tag::Response;
use abide::verdict::{Role, SelectedBy};
use abide::{Decision, Outcome, Policy, Target, Usage};
use abide_known_robots::Robot;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

/// The result of one case for one of its agents and one of its URLs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Check {
    /// The line on which the case begins, starting from 1.
    pub line: u32,
    /// The name of the case; if it has none, a description.
    pub name: String,
    /// The agent: a name, names in order of preference such as `NewsBot>Bot`, or `*`.
    pub agent: String,
    /// The URL.
    pub url: String,
    /// Whether all expectations hold.
    pub passed: bool,
    /// The expectations that failed; empty if the check passed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failure>,
    /// Which groups apply to the robot, and what is decided and why, in the words of
    /// `abide explain`; empty if the check passed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub explanation: Vec<String>,
    /// Findings about the URL, such as that web clients send another one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
}

/// An expectation that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Failure {
    /// The usage, or the application.
    pub about: String,
    /// What was expected.
    pub expected: CaseAnswer,
    /// What was found.
    pub found: CaseAnswer,
    /// What decided: ``line 2: `Disallow: /` ``, or the reason if no line did.
    pub cause: String,
    /// For training, AI input and search: the vocabulary of what decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vocabulary: Option<Vocabulary>,
}

/// What a site says about a page, as a case expects it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum CaseAnswer {
    /// The outcome of a usage.
    Outcome(Outcome),
    /// The directives for an application, as `App-Directives` writes them.
    Directives(String),
}

/// The answer in the words of people: `allowed`, `disallowed`.
impl fmt::Display for CaseAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outcome(outcome) => outcome.fmt(f),
            Self::Directives(directives) => f.write_str(directives),
        }
    }
}

/// `expected disallowed, got allowed`, with the usage in front if it is not crawl.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usage = self.about.parse::<Usage>().ok();
        match usage {
            Some(Usage::Crawl) => {}
            Some(usage) => write!(f, "{}: ", words::usage(usage))?,
            None => write!(f, "{}: ", self.about)?,
        }
        let shown = |answer: &CaseAnswer| match (usage, answer) {
            (Some(usage), CaseAnswer::Outcome(outcome)) => words::outcome(usage, *outcome),
            (_, other) => other.to_string(),
        };
        write!(
            f,
            "expected {}, got {}",
            shown(&self.expected),
            shown(&self.found)
        )?;
        match self.cause.as_str() {
            "" => Ok(()),
            cause => write!(f, " ({cause})"),
        }
    }
}

impl Check {
    /// The agent as reports name it: `any other robot` for `*`.
    #[must_use]
    pub fn robot(&self) -> String {
        match self.agent.as_str() {
            "*" => "any other robot".to_owned(),
            name => visible(name.as_bytes()),
        }
    }
}

/// Checks the robots.txt in `bytes` against all cases, in the order of the cases, their agents and
/// their URLs.
///
/// # Errors
/// [`CasesError`] for every robot with a name that robots.txt files cannot have, or that is almost
/// that of a known robot, if the robots.txt does not have it.
#[expect(clippy::missing_panics_doc, reason = "nothing ends the run early")]
pub fn run(cases: &Cases, bytes: &[u8]) -> Result<Vec<Check>, CasesError> {
    let all = run_while(cases, bytes, || true)?;
    Ok(all.expect("nothing ends the run early"))
}

/// Like [`run`], but stops when `goes_on` returns false before a check, and returns `None`: a
/// failed check takes milliseconds if the robots.txt is large, and there is one for each robot and
/// URL of a case.
///
/// # Errors
/// The errors of [`run`].
pub fn run_while(
    cases: &Cases,
    bytes: &[u8],
    goes_on: impl Fn() -> bool,
) -> Result<Option<Vec<Check>>, CasesError> {
    let bytes: Arc<[u8]> = bytes.into();
    let mut checks = Vec::new();
    let mut mistakes = unready(cases);
    if !mistakes.is_empty() {
        return Err(CasesError { mistakes });
    }
    let mut compiled = PolicyCache::default();
    for case in &cases.cases {
        let response = case.response();
        for agent in &case.agents {
            match compiled.policy(case, agent, &bytes) {
                Ok(policy) => {
                    let beside = (&response, &cases.documents);
                    for url in &case.urls {
                        if !goes_on() {
                            return Ok(None);
                        }
                        checks.push(check(case, agent, url, &policy, beside));
                    }
                }
                Err(problem) => mistakes.push(CaseMistake {
                    line: agent.line,
                    problem,
                }),
            }
        }
    }
    mistakes.dedup();
    if mistakes.is_empty() {
        Ok(Some(checks))
    } else {
        Err(CasesError { mistakes })
    }
}

/// What stops the whole run: sitemaps that nobody read, and more checks than one run makes.
fn unready(cases: &Cases) -> Vec<CaseMistake> {
    let mut checks = 0_usize;
    let mut mistakes = Vec::new();
    for case in &cases.cases {
        checks = checks.saturating_add(case.agents.len().saturating_mul(case.urls.len()));
        let problem = match &case.sitemap {
            Some(name) => Some(CaseProblem::SitemapNotRead { name: name.clone() }),
            None if checks > MAX_CHECKS => Some(CaseProblem::TooMany { most: MAX_CHECKS }),
            None => None,
        };
        let line = case.line;
        mistakes.extend(problem.map(|problem| CaseMistake { line, problem }));
        if checks > MAX_CHECKS {
            break;
        }
    }
    mistakes
}

/// The policies of the robots of the last cases, so that cases about the same robots compile the
/// file once.
#[derive(Default)]
struct PolicyCache {
    /// What the policies depend on beside the robot.
    settings: Option<(CaseSettings, Vec<Expectation>)>,
    policies: Vec<(Robot, Rc<Policy>)>,
}

impl PolicyCache {
    /// The largest number of policies that are kept: each takes as much memory as its rules.
    const MAX_POLICIES: usize = 64;

    fn policy(
        &mut self,
        case: &Case,
        agent: &Agent,
        bytes: &Arc<[u8]>,
    ) -> Result<Rc<Policy>, CaseProblem> {
        let applications = case.expected.iter();
        let applications = applications.filter(|one| matches!(one, Expectation::Directives(..)));
        let settings = (case.settings.clone(), applications.cloned().collect());
        if self.settings.as_ref() != Some(&settings) || self.policies.len() >= Self::MAX_POLICIES {
            self.policies.clear();
            self.settings = Some(settings);
        }
        let known = self.policies.iter();
        let mut known = known.filter(|(robot, _)| *robot == agent.robot);
        let policy = if let Some((_, policy)) = known.next() {
            Rc::clone(policy)
        } else {
            let policy = case
                .policy(&agent.robot, bytes)
                .map_err(CaseProblem::Robot)?;
            let policy = Rc::new(policy);
            self.policies
                .push((agent.robot.clone(), Rc::clone(&policy)));
            policy
        };
        match misspelt(agent, || is_named(&policy)) {
            Some(problem) => Err(problem),
            None => Ok(policy),
        }
    }
}

/// A name that neither the file nor the table has, and that is almost one of the table.
/// `is_named` says whether the file has it.
pub(super) fn misspelt(agent: &Agent, is_named: impl FnOnce() -> bool) -> Option<CaseProblem> {
    let name = agent.robot.name();
    let is_taken_as_it_is = agent.is_literal || agent.robot.user_agent_line().is_some();
    if name == "*" || is_taken_as_it_is || is_named() {
        return None;
    }
    let mut unknown = name
        .split('>')
        .filter(|name| abide_known_robots::named(name).is_none());
    unknown.find_map(|name| {
        Some(CaseProblem::UnknownRobot {
            name: name.to_owned(),
            near: abide_known_robots::nearest(name)?,
        })
    })
}

/// Whether a group or a record of the file names the client.
pub(super) fn is_named(policy: &Policy) -> bool {
    let groups = policy.chosen_groups().into_iter().map(|group| group.by);
    let records = Inspect::of(policy)
        .acap_fields()
        .into_iter()
        .map(|(_, record)| record.by);
    let has_name = |by: &SelectedBy<'_>| {
        matches!(by, SelectedBy::ProductToken(_) | SelectedBy::CrawlerName(_))
    };
    groups.chain(records).any(|by| has_name(&by))
}

fn check(
    case: &Case,
    agent: &Agent,
    url: &str,
    policy: &Policy,
    (response, documents): (&Response, &Documents),
) -> Check {
    let own = agent.robot.in_file(policy).name();
    let mut check = Check {
        line: case.line,
        name: String::new(),
        agent: own,
        url: url.to_owned(),
        passed: true,
        failures: Vec::new(),
        explanation: Vec::new(),
        findings: Vec::new(),
    };
    check.name = match &case.name {
        Some(name) => visible(name.as_bytes()),
        None => format!("{}, {}", check.robot(), words::shown_url(url)),
    };
    // `Cases::read` checked every URL.
    let Ok(target) = Target::new(url) else {
        return check;
    };
    let target = target.with_response(response).with_documents(documents);
    let target = with_setting(case, target);
    let decision = policy.decide(&target);
    let failures = case.expected.iter().filter_map(|expected| match expected {
        Expectation::Outcome(usage, outcome) => {
            let found = decision.outcome(*usage);
            (found != *outcome).then(|| Failure {
                about: usage.name().to_owned(),
                expected: CaseAnswer::Outcome(*outcome),
                found: CaseAnswer::Outcome(found),
                cause: cause(policy, &decision, *usage),
                vocabulary: vocabulary(&decision, *usage),
            })
        }
        Expectation::Directives(id, expected) => directives(id, expected, &decision),
    });
    check.failures = failures.collect();
    check.passed = check.failures.is_empty();
    check.findings = sentences::findings(policy, &decision);
    if !check.passed {
        // The view reads the whole file again, so only failures have one.
        let view = FileView::for_robot(policy, &agent.robot);
        let page = view.page(&target);
        check.explanation = vec![sentences::groups(&view), sentences::page(&page)];
        if case.settings.asks_preferences {
            let preferences = sentences::page_preferences(&view, &page);
            check.explanation.extend(preferences);
        }
    }
    check
}

/// The target at the case's time and with its response.
pub(super) fn with_setting<'t>(case: &Case, target: Target<'t>) -> Target<'t> {
    match case.settings.now {
        Some(now) => target.with_now(now),
        None => target,
    }
}

/// What decided about a usage: a line of the file with its text, or else the reason.
fn cause(policy: &Policy, decision: &Decision<'_>, usage: Usage) -> String {
    let usage_decision = decision.usage(usage);
    let Some(first) = usage_decision.and_then(|usage_decision| usage_decision.evidence.first())
    else {
        return "no line is about it".to_owned();
    };
    match (first.place, first.locator()) {
        (Some(place), None) if sentences::is_statement(first) => {
            let line = format!(
                "line {}: {}",
                place.line,
                sentences::quoted(policy, place.line)
            );
            match first.vocabulary {
                Some(_) if first.role != Role::Decided => {
                    format!("{line}: {}", explain::why(first))
                }
                Some(Vocabulary::ControlToken) => {
                    format!("{}, {line}", control_token(policy, usage))
                }
                Some(known) => format!("{}, {line}", words::vocabulary(known)),
                None => line,
            }
        }
        (Some(place), Some(url)) if first.vocabulary == Some(Vocabulary::Rsl) => {
            let url = words::shown_url(url);
            format!("RSL, line {}: {url}, {}", place.line, explain::why(first))
        }
        _ => explain::why(first),
    }
}

/// The vocabulary of what decided.
fn vocabulary(decision: &Decision<'_>, usage: Usage) -> Option<Vocabulary> {
    let usage_decision = decision.usage(usage)?;
    let first = usage_decision.evidence.first();
    // One in a group that does not apply decides nothing.
    first
        .filter(|first| first.role != Role::Overridden)?
        .vocabulary
}

/// The control token whose rules are about `usage`.
fn control_token(policy: &Policy, usage: Usage) -> String {
    let mut tokens = Inspect::of(policy).control_tokens();
    let token = tokens.find(|(token, _)| token.usages.contains(&usage));
    token.map_or_else(
        || "control token".to_owned(),
        |(token, _)| format!("control token {}", visible(token.token.as_str().as_bytes())),
    )
}

fn directives(
    id: &str,
    expected: &BTreeMap<String, String>,
    decision: &Decision<'_>,
) -> Option<Failure> {
    let application = decision
        .applications
        .iter()
        .find(|application| application.id == id);
    let found: BTreeMap<String, String> = application
        .into_iter()
        .flat_map(|application| &application.directives)
        .map(|(name, value)| (name.clone(), value.to_string()))
        .collect();
    let by = application
        .into_iter()
        .flat_map(|application| &application.rules);
    let by: Vec<u32> = by
        .filter(|rule| rule.applies)
        .map(|rule| rule.place.line)
        .collect();
    (found != *expected).then(|| Failure {
        about: visible(id.as_bytes()),
        expected: CaseAnswer::Directives(listed(expected)),
        found: CaseAnswer::Directives(listed(&found)),
        cause: words::lines(&by),
        vocabulary: None,
    })
}

fn listed(directives: &BTreeMap<String, String>) -> String {
    let found: Vec<_> = directives
        .iter()
        .map(|(name, value)| visible(format!("{name}={value}").as_bytes()))
        .collect();
    if found.is_empty() {
        "nothing".to_owned()
    } else {
        found.join(", ")
    }
}
