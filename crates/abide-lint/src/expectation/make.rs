//! Writes cases from the current answers, as a start for whoever begins to test a robots.txt.

use super::case::{Agent, Case, Expectation, Setting, unnamed};
use crate::sample;
use abide::explain::visible;
use abide::syntax::FieldKind;
use abide::syntax::PathPattern;
use abide::{Outcome, Policy, ProductToken, PurposeToken, Robots, Target, Usage};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

/// The largest number of cases written, and of robots asked about.
const MOST: usize = 200;

/// Writes a file of cases that `bytes` currently passes: whether an unnamed robot, and every robot
/// and purpose in the file, may fetch URLs that its patterns match or just fail to match. `name` is
/// the name of the robots.txt in the comment at the top.
///
/// Equal bytes give equal text. At most 200 cases are written, shared among the robots; a
/// comment says how many were left out.
#[must_use]
pub fn make(bytes: &[u8], name: &str) -> String {
    let token = unnamed(bytes);
    let robots = Robots::parse(bytes);
    let asking = Asking::all(&robots);
    // Each policy is compiled twice: keeping two hundred of them would take too much memory.
    let asked: Vec<_> = asking.all.iter().take(MOST).collect();
    let bytes: Arc<[u8]> = bytes.into();
    let policy = |asker: &Asker| asker.policy(&token, &bytes);
    let samples: Vec<_> = asked
        .iter()
        .map(|asker| samples(&robots, &policy(asker)))
        .collect();
    let shares = shares(&samples.iter().map(Vec::len).collect::<Vec<_>>());
    let mut written = String::new();
    for ((asker, samples), share) in asked.iter().zip(&samples).zip(&shares) {
        let policy = policy(asker);
        for sample in samples.iter().take(*share) {
            written.push_str(&asker.case(sample, &policy));
        }
    }
    let cases: usize = shares.iter().sum();
    head(name, &asking, samples.iter().map(Vec::len).sum(), cases) + &written
}

/// The comment at the top.
fn head(name: &str, asking: &Asking, possible: usize, cases: usize) -> String {
    let name = visible(name.as_bytes());
    let mut head = format!(
        "# What {name} says, as it did when this file was written.\n\
         # Test it with: abide test THIS-FILE {name}\n"
    );
    let mut say = |line: String| head.push_str(&line);
    if asking.all.len() > MOST {
        say(format!(
            "# Of {} robots and purposes that it names, {MOST} are here.\n",
            asking.all.len()
        ));
    }
    if asking.unusable > 0 {
        say(format!(
            "# {} of its names cannot be asked for, and are left out.\n",
            asking.unusable
        ));
    }
    if possible > cases {
        say(format!(
            "# Of {possible} cases, {cases} are here, the first of each robot's.\n"
        ));
    }
    head
}

/// A URL, and what it is an example of.
struct Sample {
    url: String,
    what: String,
}

/// The robots that cases are written for.
struct Asking {
    all: Vec<Asker>,
    /// The robots' names, in lower case.
    robots: BTreeSet<String>,
    /// The number of names in the file that no client can have.
    unusable: usize,
}

struct Asker {
    agent: Agent,
    purpose: Option<PurposeToken>,
    nonstandard: bool,
}

impl Asking {
    /// The unnamed robot, then all names and purposes in the order of the file, each once.
    fn all(robots: &Robots) -> Self {
        let text = robots.text().as_bytes();
        let mut asking = Self {
            all: vec![Asker {
                agent: Agent::Unnamed,
                purpose: None,
                nonstandard: false,
            }],
            robots: BTreeSet::new(),
            unusable: 0,
        };
        let mut seen = BTreeSet::new();
        for field in robots.lines().iter().filter_map(abide::syntax::Line::field) {
            let key = field.key.of(text);
            let value = field.value.of(text);
            let is_new = |seen: &mut BTreeSet<_>, purpose| {
                value != b"*"
                    && !value.is_empty()
                    && seen.insert((purpose, value.to_ascii_lowercase()))
            };
            match field.kind {
                FieldKind::UserAgent if is_new(&mut seen, false) => asking.robot(value),
                FieldKind::Acap
                    if key.eq_ignore_ascii_case(b"acap-crawler") && is_new(&mut seen, false) =>
                {
                    asking.robot(value);
                }
                FieldKind::UserAgentPurpose if is_new(&mut seen, true) => asking.purpose(value),
                _ => {}
            }
        }
        asking
    }

    /// Adds the robot that a user-agent value names, without its version: `ExampleBot` for
    /// `ExampleBot/1.0`.
    fn robot(&mut self, value: &[u8]) {
        let end = value.iter().position(|byte| b"/ \t".contains(byte));
        let word = end.and_then(|end| value.get(..end)).unwrap_or(value);
        let word = std::str::from_utf8(word).unwrap_or_default();
        let shows = visible(word.as_bytes()) == word;
        let standard = ProductToken::new(word);
        let nonstandard = standard.is_err();
        let token = standard.or_else(|_| ProductToken::nonstandard(word));
        match token {
            _ if !self.robots.insert(word.to_ascii_lowercase()) => {}
            Ok(token) if shows => self.all.push(Asker {
                agent: Agent::Named(token),
                purpose: None,
                nonstandard,
            }),
            _ => self.unusable += 1,
        }
    }

    fn purpose(&mut self, value: &[u8]) {
        match PurposeToken::new(std::str::from_utf8(value).unwrap_or_default()) {
            Ok(purpose) => self.all.push(Asker {
                agent: Agent::Unnamed,
                purpose: Some(purpose),
                nonstandard: false,
            }),
            Err(_) => self.unusable += 1,
        }
    }
}

impl Asker {
    fn blank(&self) -> Case {
        Case {
            line: 0,
            name: None,
            agents: vec![self.agent.clone()],
            urls: Vec::new(),
            setting: Setting {
                purposes: self.purpose.iter().cloned().collect(),
                ..Setting::default()
            },
            expected: Vec::new(),
        }
    }

    fn policy(&self, unnamed: &ProductToken, bytes: &Arc<[u8]>) -> Policy {
        Policy::compile_shared(bytes, &self.blank().client(self.agent.token(unnamed)))
    }

    /// A case, as TOML.
    fn case(&self, sample: &Sample, policy: &Policy) -> String {
        let who = match (&self.agent, &self.purpose) {
            (_, Some(purpose)) => format!("purpose {purpose}"),
            (Agent::Unnamed, _) => "any other robot".to_owned(),
            (agent, _) => agent.name().to_owned(),
        };
        let mut case = format!(
            "\n[[case]]\nname = {}\n",
            text(&format!("{who}: {}", sample.what))
        );
        let mut say = |key: &str, value: &str| {
            // Writing to a String cannot fail.
            let _ = writeln!(case, "{key} = {value}");
        };
        say("agent", &text(self.agent.name()));
        if self.nonstandard {
            say("nonstandard_token", "true");
        }
        if let Some(purpose) = &self.purpose {
            say("purpose", &text(purpose.as_str()));
        }
        say("url", &text(&sample.url));
        for expected in expected(policy, &sample.url) {
            if let Expectation::Outcome(usage, outcome) = expected {
                say(usage.name(), &text(outcome.name()));
            }
        }
        case
    }
}

/// The current outcomes: of crawl, and of every usage that some source mentions.
fn expected(policy: &Policy, url: &str) -> Vec<Expectation> {
    let Ok(target) = Target::new(url) else {
        return Vec::new();
    };
    let decision = policy.decide(&target);
    let spoken = decision
        .usages
        .iter()
        .filter(|said| said.usage == Usage::Crawl || said.outcome != Outcome::Unspecified);
    spoken
        .map(|said| Expectation::Outcome(said.usage, said.outcome))
        .collect()
}

/// The front page, then for each rule and ACAP field of the client a URL that it matches and one
/// that it just fails to match. Each URL occurs once, and there are no more than could be written.
fn samples(robots: &Robots, policy: &Policy) -> Vec<Sample> {
    let mut samples = vec![Sample {
        url: "/".to_owned(),
        what: "the front page".to_owned(),
    }];
    let mut seen = BTreeSet::from(["/".to_owned()]);
    let text = policy.text().as_bytes();
    let fields = policy.acap_fields();
    let resources = fields.iter().filter_map(|(place, _)| {
        let statement = place.span.of(text);
        Some((statement, acap_pattern(statement)?))
    });
    let rules = robots.rules(policy);
    let rules = rules.iter().filter_map(|rule| {
        let statement = policy.statement(rule.line.number).span.of(text);
        Some((statement, rule.pattern.clone().ok()?))
    });
    for (statement, pattern) in rules.chain(resources) {
        let statement = shown(statement);
        let hit = sample::matching(&pattern).map(|url| (url, statement.clone()));
        let miss = sample::missing(&pattern).map(|url| (url, format!("just beside {statement}")));
        for (url, what) in hit.into_iter().chain(miss) {
            if Target::new(&url).is_ok() && seen.insert(url.clone()) {
                samples.push(Sample { url, what });
            }
        }
        if samples.len() > MOST {
            break;
        }
    }
    samples
}

/// The first pattern of an ACAP field, if it begins at the root.
fn acap_pattern(statement: &[u8]) -> Option<PathPattern<'_>> {
    let colon = statement.iter().position(|&byte| byte == b':')?;
    let value = statement.get(colon + 1..)?.trim_ascii_start();
    let end = value
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(value.len());
    PathPattern::read(value.get(..end)?).ok()
}

/// The number of samples for each robot: all get their first before any gets a second.
fn shares(wanted: &[usize]) -> Vec<usize> {
    let mut shares = vec![0; wanted.len()];
    let mut left = MOST;
    while left > 0 {
        let before = left;
        for (share, wanted) in shares.iter_mut().zip(wanted) {
            if *share < *wanted && left > 0 {
                *share += 1;
                left -= 1;
            }
        }
        if left == before {
            break;
        }
    }
    shares
}

fn shown(statement: &[u8]) -> String {
    const SHOWN: usize = 60;
    let text = visible(statement);
    if text.chars().count() <= SHOWN {
        return text;
    }
    text.chars().take(SHOWN - 1).chain(['…']).collect()
}

/// A TOML string.
fn text(text: &str) -> String {
    toml::Value::from(text).to_string()
}
