//! Cases against the bytes of a robots.txt.

use super::case::{Agent, Case, Cases, Expectation, unnamed};
use crate::view::{FileView, words};
use abide::explain::visible;
use abide::tag::Response;
use abide::{Client, Policy, ProductToken, Target};
use std::collections::BTreeMap;

/// What came of one case, for one of its agents and one of its URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The line of the case, from 1.
    pub line: u32,
    /// What the case is called; what it is about, where it has no name.
    pub name: String,
    /// Who asked, as the case writes it.
    pub agent: String,
    /// What was asked about.
    pub url: String,
    /// What is not as it was expected; nothing where all is well.
    pub failures: Vec<Failure>,
    /// Why it is as it is, as `abide explain` tells it; empty where nothing failed.
    pub explanation: Vec<String>,
}

/// An expectation that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The usage, or the application.
    pub about: String,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
}

impl Check {
    /// Whether everything is as it was expected.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

/// Asks what each case expects of the robots.txt in `bytes`, in the order of the cases, their
/// agents and their URLs. The file is compiled once for each agent of a case, and not again where
/// the next case asks the same way.
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
    /// The token under which the agent asks, where the robot of `unnamed` is named nowhere.
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
    // What was read is a target.
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

/// The target at the instant of the case.
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
    let told: Vec<_> = directives
        .iter()
        .map(|(name, value)| visible(format!("{name}={value}").as_bytes()))
        .collect();
    if told.is_empty() {
        "nothing".to_owned()
    } else {
        told.join(", ")
    }
}

/// The lines that decide, quoted, and why: the paragraphs of `abide explain`.
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
