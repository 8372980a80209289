//! Checks a robots.txt against cases.

use super::case::{Agent, Case, Cases, Expectation, unnamed};
use crate::view::{FileView, words};
use abide::explain::visible;
use abide::tag::Response;
use abide::{Client, Policy, ProductToken, Target};
use std::collections::BTreeMap;

/// The result of one case for one of its agents and one of its URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Check {
    /// The line of the case, starting from 1.
    pub line: u32,
    /// The name of the case; if it has none, a description.
    pub name: String,
    /// The agent, as the case writes it.
    pub agent: String,
    /// The URL.
    pub url: String,
    /// The expectations that failed; empty if the check passed.
    pub failures: Vec<Failure>,
    /// The reasons, in the words of `abide explain`; empty if the check passed.
    pub explanation: Vec<String>,
}

/// An expectation that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The usage, or the application.
    pub about: String,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
}

impl Check {
    /// Whether all expectations hold.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

/// Checks the robots.txt in `bytes` against all cases, in the order of the cases, their agents and
/// their URLs. The file is compiled once for each agent of a case, and reused if the next case asks
/// for the same client.
#[must_use]
pub fn run(cases: &Cases, bytes: &[u8]) -> Vec<Check> {
    let unnamed = unnamed(bytes);
    let mut checks = Vec::new();
    let mut known: Option<(Client, Policy)> = None;
    for case in &cases.cases {
        let response = case.response();
        for agent in &case.agents {
            let client = case.client(agent.token(&unnamed));
            let same = known.take().filter(|(before, _)| *before == client);
            let policy = same.map_or_else(|| Policy::compile(bytes, &client), |(_, policy)| policy);
            let urls = case.urls.iter();
            checks.extend(urls.map(|url| check(case, agent, url, &policy, &response)));
            known = Some((client, policy));
        }
    }
    checks
}

impl Agent {
    /// The agent's token; `unnamed` for a robot that the file does not name.
    pub(super) fn token<'t>(&'t self, unnamed: &'t ProductToken) -> &'t ProductToken {
        match self {
            Self::Named(token) => token,
            Self::Unnamed => unnamed,
        }
    }
}

fn check(case: &Case, agent: &Agent, url: &str, policy: &Policy, response: &Response) -> Check {
    let name = match &case.name {
        Some(name) => visible(name.as_bytes()),
        None => format!(
            "{} {}",
            visible(agent.name().as_bytes()),
            words::shown_url(url)
        ),
    };
    let mut check = Check {
        line: case.line,
        name,
        agent: agent.name().to_owned(),
        url: url.to_owned(),
        failures: Vec::new(),
        explanation: Vec::new(),
    };
    // `Cases::read` checked every URL.
    let Ok(target) = Target::new(url) else {
        return check;
    };
    let target = with_setting(case, target.with_response(response));
    let decision = policy.decide(&target);
    let failures = case.expected.iter().filter_map(|expected| match expected {
        Expectation::Outcome(usage, outcome) => {
            let found = decision.outcome(*usage);
            (found != *outcome).then(|| Failure {
                about: usage.name().to_owned(),
                expected: outcome.name().to_owned(),
                found: found.name().to_owned(),
            })
        }
        Expectation::Directives(id, expected) => directives(id, expected, &decision),
    });
    check.failures = failures.collect();
    if !check.passed() {
        check.explanation = explanation(policy, &target);
    }
    check
}

/// The target at the case's time and with its response.
pub(super) fn with_setting<'t>(case: &Case, target: Target<'t>) -> Target<'t> {
    match case.setting.now {
        Some(now) => target.with_now(now),
        None => target,
    }
}

fn directives(
    id: &str,
    expected: &BTreeMap<String, String>,
    decision: &abide::Decision<'_>,
) -> Option<Failure> {
    let said = decision.applications.iter().find(|said| said.id == id);
    let found: BTreeMap<String, String> = said
        .into_iter()
        .flat_map(|said| &said.directives)
        .map(|(name, value)| (name.clone(), value.to_string()))
        .collect();
    (found != *expected).then(|| Failure {
        about: visible(id.as_bytes()),
        expected: listed(expected),
        found: listed(&found),
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

/// The deciding lines, quoted, and the reasons: the paragraphs of `abide explain`.
fn explanation(policy: &Policy, target: &Target<'_>) -> Vec<String> {
    let reading = FileView::of(policy);
    let page = reading.page(target);
    let deciding = reading.lines().filter(|line| {
        let mut parts = page.of_line(line.number);
        parts.any(|part| part.role == abide::verdict::Role::Decided)
    });
    let quoted = deciding.map(|line| {
        let text = visible(line.bytes.trim_ascii());
        format!("line {}: {}", line.number, words::cut(&text))
    });
    let why = [words::groups(&reading), words::page(&page)];
    quoted.chain(std::iter::once(why.join(" "))).collect()
}
