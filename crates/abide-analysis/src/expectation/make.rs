//! Writes cases from the current answers, as a start for whoever begins to test a robots.txt.

use super::case::{Agent, Case, CaseSettings};
use super::check::{is_named, misspelt};
use crate::compare::{AddressedLines, crawler_names};
use crate::preferences;
use crate::sample;
use crate::words;
use abide::explain::visible;
use abide::syntax::PathPattern;
use abide::syntax::{FieldKind, Inspect};
use abide::verdict::{SelectedBy, Sense};
use abide::{Client, Outcome, Policy, PurposeToken, Robots, Target, Usage};
use abide_known_robots::Robot;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::rc::Rc;

/// The largest number of cases written, and of robots asked about.
const MAX_CASES: usize = 200;

/// Writes a file of cases that `bytes` currently passes: whether an unnamed robot, and every robot
/// and purpose in the file, may fetch the front page and a URL that each of its patterns matches.
/// `name` is the name of the robots.txt in the comment at the top.
///
/// Equal bytes give equal text. At most 200 cases are written, shared among the robots; a
/// comment says how many were left out.
#[must_use]
pub fn make(bytes: &[u8], name: &str) -> String {
    let robots = Robots::parse(bytes);
    let asking = CaseRobots::all(&robots);
    // Each policy is compiled several times: keeping two hundred of them would take too much
    // memory.
    let chosen: Vec<_> = asking.all.iter().take(MAX_CASES).collect();
    let mut of_lines = SampleCache::new(&robots);
    let samples: Vec<_> = chosen.iter().map(|one| of_lines.samples(one)).collect();
    let shares = shares(&samples.iter().map(|one| one.kept.len()).collect::<Vec<_>>());
    let mut written = String::new();
    for ((case_robot, samples), share) in chosen.iter().zip(&samples).zip(&shares) {
        let Some(policy) = case_robot.policy(&robots) else {
            continue;
        };
        for sample in samples.kept.iter().take(*share) {
            written.push_str(&case_robot.case(sample, &policy));
        }
    }
    let cases: usize = shares.iter().sum();
    let possible = samples.iter().map(|one| one.possible).sum();
    head(name, &asking, possible, cases) + &written
}

/// The comment at the top.
fn head(name: &str, asking: &CaseRobots, possible: usize, cases: usize) -> String {
    let name = visible(name.as_bytes());
    let mut head = format!(
        "# What {name} says, as it did when this file was written.\n\
         # Test it with: abide test THIS-FILE {name}\n"
    );
    let mut say = |line: String| head.push_str(&line);
    if asking.all.len() > MAX_CASES {
        say(format!(
            "# Of {} robots and purposes that it names, {MAX_CASES} are here.\n",
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

/// The URLs to ask a robot about.
#[derive(Default)]
struct UrlSamples {
    /// No more than could be written.
    kept: Vec<Sample>,
    /// How many there are.
    possible: usize,
}

/// A URL, and the rule that it is an example of.
struct Sample {
    url: String,
    rule: Option<ExampleRule>,
}

/// A rule, for the name of a case.
struct ExampleRule {
    /// What the rule says, if it is a rule of robots.txt.
    outcome: Option<Outcome>,
    /// Its pattern as it is written.
    pattern: String,
}

/// The robots that cases are written for.
struct CaseRobots {
    all: Vec<CaseRobot>,
    /// The robots' names, in lower case.
    robots: BTreeSet<String>,
    /// The number of names in the file that no client can have.
    unusable: usize,
}

struct CaseRobot {
    robot: Robot,
    purpose: Option<PurposeToken>,
    /// Whether the case must say that the name is right.
    nonstandard: bool,
    /// Whether the file states preferences, so that cases expect them.
    asks_preferences: bool,
}

impl CaseRobots {
    /// The unnamed robot, then all names and purposes in the order of the file, each once.
    fn all(robots: &Robots) -> Self {
        let text = robots.text().as_bytes();
        let mut asking = Self {
            all: vec![CaseRobot::new(Robot::unnamed())],
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
                FieldKind::UserAgent if is_new(&mut seen, false) => asking.robot(value, robots),
                FieldKind::Acap
                    if key.eq_ignore_ascii_case(b"acap-crawler") && is_new(&mut seen, false) =>
                {
                    asking.robot(value, robots);
                }
                FieldKind::UserAgentPurpose if is_new(&mut seen, true) => asking.purpose(value),
                _ => {}
            }
        }
        let are_stated = preferences::are_stated(robots);
        for case_robot in &mut asking.all {
            case_robot.asks_preferences = are_stated;
        }
        asking
    }

    /// Adds the robot that a user-agent value names, without its version: `ExampleBot` for
    /// `ExampleBot/1.0`.
    fn robot(&mut self, value: &[u8], file: &Robots) {
        let end = value.iter().position(|byte| b"/ \t".contains(byte));
        let word = end.and_then(|end| value.get(..end)).unwrap_or(value);
        let word = std::str::from_utf8(word).unwrap_or_default();
        let shows = visible(word.as_bytes()) == word;
        if !self.robots.insert(word.to_ascii_lowercase()) {
            return;
        }
        // Some words are no names in files of cases: `@search`, `a>b`.
        let robots = Robot::list(word).unwrap_or_default();
        // Of robots beyond the last that is asked, only the number matters.
        let is_asked = self.all.len() < MAX_CASES;
        let case_robot = match robots.as_slice() {
            [only] if shows && only.name() == word => CaseRobot::of_name(only, file, is_asked),
            _ => None,
        };
        match case_robot {
            Some(case_robot) => self.all.push(case_robot),
            None => self.unusable += 1,
        }
    }

    fn purpose(&mut self, value: &[u8]) {
        match PurposeToken::new(std::str::from_utf8(value).unwrap_or_default()) {
            Ok(purpose) => self.all.push(CaseRobot {
                purpose: Some(purpose),
                ..CaseRobot::new(Robot::unnamed())
            }),
            Err(_) => self.unusable += 1,
        }
    }
}

impl CaseRobot {
    fn new(robot: Robot) -> Self {
        Self {
            robot,
            purpose: None,
            nonstandard: false,
            asks_preferences: false,
        }
    }

    /// A robot that the file names. Names that only ACAP records have may need to be confirmed.
    fn of_name(robot: &Robot, file: &Robots, is_asked: bool) -> Option<Self> {
        let plain = Self::new(robot.clone());
        let confirmed = Self {
            nonstandard: true,
            ..Self::new(robot.clone().with_any_name())
        };
        let can_be_asked = |case_robot: &Self| {
            let Some(client) = case_robot.client(file) else {
                return false;
            };
            // Most names have a group, which is known without compiling any rule.
            let has_group = || {
                let mut chosen = file.chosen_groups(&client).into_iter();
                chosen.any(|group| matches!(group.by, SelectedBy::ProductToken(_)))
            };
            let is_named = || has_group() || is_named(&file.policy(&client));
            let mut agents = case_robot.blank().agents.into_iter();
            agents.all(|agent| misspelt(&agent, is_named).is_none())
        };
        let mut both = [plain, confirmed].into_iter().skip(usize::from(!is_asked));
        both.find(can_be_asked)
    }

    fn blank(&self) -> Case {
        Case {
            line: 0,
            name: None,
            agents: vec![Agent {
                robot: self.robot.clone(),
                line: 0,
                is_literal: self.nonstandard,
            }],
            urls: Vec::new(),
            sitemap: None,
            settings: CaseSettings {
                purposes: self.purpose.iter().cloned().collect(),
                asks_preferences: self.asks_preferences,
                ..CaseSettings::default()
            },
            expected: Vec::new(),
        }
    }

    /// The client; `None` for a name that no client can have.
    fn client(&self, robots: &Robots) -> Option<Client> {
        self.blank().client(&self.robot, robots).ok()
    }

    fn policy(&self, robots: &Robots) -> Option<Policy> {
        Some(robots.policy(&self.client(robots)?))
    }

    /// A case, as TOML.
    fn case(&self, sample: &Sample, policy: &Policy) -> String {
        let expected = expected(policy, &sample.url);
        let mut case = format!(
            "\n[[case]]\nname = {}\n",
            text(&self.intent(sample, &expected))
        );
        let mut say = |key: &str, value: &str| {
            // Writing to a String cannot fail.
            let _ = writeln!(case, "{key} = {value}");
        };
        say("agent", &text(&self.robot.name()));
        if self.nonstandard {
            say("nonstandard_token", "true");
        }
        if let Some(purpose) = &self.purpose {
            say("purpose", &text(purpose.as_str()));
        }
        say("url", &text(&sample.url));
        for (usage, outcome) in expected {
            say(usage.name(), &text(&words::outcome(usage, outcome)));
        }
        case
    }

    /// What the site wants, for the name of the case: `Googlebot may crawl /press/`, `no other
    /// robot may crawl /drafts/`.
    fn intent(&self, sample: &Sample, expected: &[(Usage, Outcome)]) -> String {
        let crawl = expected.iter().find(|(usage, _)| *usage == Usage::Crawl);
        let outcome = crawl.map_or(Outcome::Unknown, |(_, outcome)| *outcome);
        // A name must be true: of a rule that a longer one overrides, it has only the URL.
        let what: &str = match &sample.rule {
            Some(rule) if rule.outcome.is_none_or(|own| own == outcome) => &rule.pattern,
            Some(_) => &sample.url,
            None => "the front page",
        };
        let name = self.robot.name();
        let (some, none) = match &self.purpose {
            Some(purpose) => (
                format!("robots with the purpose {purpose} may"),
                format!("robots with the purpose {purpose} may not"),
            ),
            None if name == "*" => (
                "any other robot may".to_owned(),
                "no other robot may".to_owned(),
            ),
            None => (format!("{name} may"), format!("{name} may not")),
        };
        let sentence = match outcome {
            Outcome::Permitted => format!("{some} crawl {what}"),
            Outcome::Prohibited => format!("{none} crawl {what}"),
            other => format!("{some} crawl {what} ({other})"),
        };
        let others: Vec<_> = expected
            .iter()
            .filter(|(usage, _)| *usage != Usage::Crawl)
            .collect();
        let is_preference = |(usage, _): &&(Usage, Outcome)| Usage::PREFERENCES.contains(usage);
        match others.as_slice() {
            [] => sentence,
            preferences if preferences.iter().all(is_preference) => {
                let each = preferences.iter();
                let each =
                    each.map(|(usage, outcome)| format!("{} {outcome}", words::usage(*usage)));
                format!("{sentence} ({})", each.collect::<Vec<_>>().join(", "))
            }
            [(usage, outcome)] => format!("{sentence} ({usage} {outcome})"),
            several => format!("{sentence} (and {} other usages)", several.len()),
        }
    }
}

/// The current outcomes: of crawl, and of every usage that some source mentions.
fn expected(policy: &Policy, url: &str) -> Vec<(Usage, Outcome)> {
    let Ok(target) = Target::new(url) else {
        return Vec::new();
    };
    let decision = policy.decide(&target);
    let decided = decision
        .usages
        .iter()
        .filter(|usage_decision| match usage_decision.outcome {
            Outcome::Unspecified => usage_decision.usage == Usage::Crawl,
            // The licence documents that the answer needs are not part of the file.
            Outcome::Unknown => !Usage::PREFERENCES.contains(&usage_decision.usage),
            _ => true,
        });
    decided
        .map(|usage_decision| (usage_decision.usage, usage_decision.outcome))
        .collect()
}

/// The samples of robots. Those that the same lines address share them.
struct SampleCache<'r> {
    robots: &'r Robots,
    crawlers: BTreeSet<String>,
    known: BTreeMap<AddressedLines, Rc<UrlSamples>>,
}

impl<'r> SampleCache<'r> {
    fn new(robots: &'r Robots) -> Self {
        Self {
            robots,
            crawlers: crawler_names(&[robots]),
            known: BTreeMap::new(),
        }
    }

    fn samples(&mut self, case_robot: &CaseRobot) -> Rc<UrlSamples> {
        let Some(client) = case_robot.client(self.robots) else {
            return Rc::default();
        };
        let addressed = AddressedLines::of(&client, &[self.robots], &self.crawlers);
        let found = || Rc::new(samples(self.robots, &self.robots.policy(&client)));
        Rc::clone(self.known.entry(addressed).or_insert_with(found))
    }
}

/// The front page, then for each rule and ACAP field of the client a URL that it matches. Each URL
/// occurs once.
fn samples(robots: &Robots, policy: &Policy) -> UrlSamples {
    let mut kept = vec![Sample {
        url: "/".to_owned(),
        rule: None,
    }];
    let mut seen = BTreeSet::from(["/".to_owned()]);
    let text = policy.text().as_bytes();
    let fields = Inspect::of(policy).acap_fields();
    let resources = fields.iter().filter_map(|(place, _)| {
        let pattern = acap_pattern(place.span.of(text))?;
        let written = shown(&pattern.forms().c1);
        Some((pattern, None, written))
    });
    let rules = robots.rules(policy);
    let rules = rules.iter().filter_map(|rule| {
        let outcome = match rule.sense {
            Sense::Allow => Outcome::Permitted,
            Sense::Disallow => Outcome::Prohibited,
        };
        Some((rule.pattern.clone().ok()?, Some(outcome), shown(rule.value)))
    });
    let revision = preferences::latest();
    let lines = Inspect::of(policy).preference_lines().into_iter();
    let lines = lines.filter_map(|number| robots.lines().get(number.checked_sub(1)? as usize));
    let preferences = lines.filter_map(|line| {
        let path = robots.preference_statement(line, revision)?.path?;
        Some((PathPattern::read(path).ok()?, None, shown(path)))
    });
    for (pattern, outcome, written) in rules.chain(resources).chain(preferences) {
        let Some(url) = sample::matching(&pattern) else {
            continue;
        };
        if Target::new(&url).is_ok() && seen.insert(url.clone()) {
            let rule = Some(ExampleRule {
                outcome,
                pattern: written,
            });
            if kept.len() < MAX_CASES {
                kept.push(Sample { url, rule });
            }
        }
    }
    let possible = seen.len();
    UrlSamples { kept, possible }
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
    let mut left = MAX_CASES;
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
    const MAX_SHOWN_CHARS: usize = 60;
    let text = visible(statement);
    if text.chars().count() <= MAX_SHOWN_CHARS {
        return text;
    }
    text.chars()
        .take(MAX_SHOWN_CHARS - 1)
        .chain(['…'])
        .collect()
}

/// A TOML string.
fn text(text: &str) -> String {
    toml::Value::from(text).to_string()
}
