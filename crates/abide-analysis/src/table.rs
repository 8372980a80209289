//! Answers about many URLs for many robots.
//!
//! What decides about crawling is a line of the file, and there are few lines beside the URLs. So
//! the decision about the first URL of each line is kept in brief, and repeated for the others
//! ([`LineMemo`]). Robots that follow the same groups share their answers.
//!
//! ```
//! use abide::{Policy, Profile, Target, Usage};
//! use abide_known_robots::Robot;
//! use abide_analysis::table::{TableRobot, Table};
//! let file = b"User-agent: GPTBot\nDisallow: /private/\n";
//! let robots = Robot::list("GPTBot,CCBot")?.into_iter().map(|robot| {
//!     let policy = robot.policy(Profile::Careful, |client| Policy::compile(file, client))?;
//!     Ok(TableRobot::new(policy, None))
//! });
//! let robots = robots.collect::<Result<Vec<_>, abide_known_robots::RobotError>>()?;
//! let targets = [Target::new("/private/x")?, Target::new("/")?];
//! let table = Table::of(&robots, &targets, Usage::Crawl);
//! // `/`: no rule matches in the group of GPTBot, and no group applies to CCBot.
//! assert_eq!(table.rows, [[0, 1], [2, 1]]);
//! assert_eq!(table.answers[0].first.statement_line(), Some(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::short_answer::ShortAnswer;
use abide::explain::visible_url;
use abide::syntax::Inspect;
use abide::{DecidingRule, Policy, Target, Usage};
use serde::Serialize;
use std::collections::HashMap;

/// What is kept for each policy by deciding line; 0 if no rule matches.
#[derive(Clone, Debug)]
pub struct LineMemo<T>(Vec<Vec<Option<Box<T>>>>);

impl<T> Default for LineMemo<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> LineMemo<T> {
    /// What is kept for the policy with this number and a line, or else what `decide` says, which
    /// is kept.
    pub fn get(&mut self, policy: usize, line: u32, decide: impl FnOnce() -> T) -> &T {
        let line = line as usize;
        if self.0.len() <= policy {
            self.0.resize_with(policy + 1, Vec::new);
        }
        let lines = &mut self.0[policy];
        if lines.len() <= line {
            lines.resize_with(line + 1, || None);
        }
        lines[line].get_or_insert_with(|| Box::new(decide()))
    }
}

/// What to say of the text of a URL that lacks only its scheme: a guess at what was meant.
#[must_use]
pub fn missing_scheme(typed: &str) -> Option<String> {
    let host = typed.split('/').next().unwrap_or_default();
    let is_host = host.contains('.') && !host.contains(char::is_whitespace);
    (is_host && !typed.contains("://")).then(|| {
        let shown: String = visible_url(typed).chars().take(200).collect();
        format!("the URL has no scheme; did you mean https://{shown}?")
    })
}

/// A robot of a table: how it reads the file.
#[derive(Clone, Debug)]
pub struct TableRobot {
    policy: Policy,
    /// The policy of this robot in another profile.
    other: Option<Policy>,
}

impl TableRobot {
    /// A robot with this policy. `other` is its policy in another profile, to find out where the
    /// two differ.
    #[must_use]
    pub const fn new(policy: Policy, other: Option<Policy>) -> Self {
        Self { policy, other }
    }

    /// The policy of the first profile.
    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    fn policies(&self) -> impl Iterator<Item = &Policy> {
        std::iter::once(&self.policy).chain(&self.other)
    }

    /// The lines at which its groups begin, in each profile: robots with the same ones get the same
    /// answers about crawling. `None` if the file has ACAP records, which may name robots too.
    fn groups(&self) -> Option<Vec<Vec<u32>>> {
        let of_policy = |policy: &Policy| {
            let groups = policy.chosen_groups();
            let lines = groups.iter().map(|group| group.place.line).collect();
            Inspect::of(policy)
                .acap_patterns()
                .is_none()
                .then_some(lines)
        };
        self.policies().map(of_policy).collect()
    }
}

/// An answer that cells have.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CellAnswer {
    /// What the file says in the first profile.
    #[serde(flatten)]
    pub first: ShortAnswer,
    /// What it says in the second profile, if the outcome is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differs: Option<ShortAnswer>,
}

/// The answers about URLs for robots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Table {
    /// The different answers, in the order in which cells first have them.
    pub answers: Vec<CellAnswer>,
    /// For each URL, and in it for each robot, the place of its answer in `answers`.
    pub rows: Vec<Vec<u32>>,
}

impl Table {
    /// The answers about `usage` of each of `targets`.
    ///
    /// # Panics
    /// Only on a bug.
    #[must_use]
    pub fn of(robots: &[TableRobot], targets: &[Target<'_>], usage: Usage) -> Self {
        Self::of_while(robots, targets, usage, || true).expect("nothing ends it early")
    }

    /// Like [`Table::of`], but stops when `goes_on` returns false before an answer that has to be
    /// found, and returns `None`: an answer takes a microsecond, or milliseconds if thousands of
    /// rules match.
    #[must_use]
    pub fn of_while(
        robots: &[TableRobot],
        targets: &[Target<'_>],
        usage: Usage,
        goes_on: impl Fn() -> bool,
    ) -> Option<Self> {
        let mut builder = TableBuilder {
            usage,
            numbers: HashMap::new(),
            short: Vec::new(),
            by_line: [LineMemo::default(), LineMemo::default()],
            places: HashMap::new(),
            table: Self::default(),
        };
        let same = sharing(robots, usage);
        for target in targets {
            let mut row: Vec<u32> = Vec::with_capacity(robots.len());
            for (at, robot) in robots.iter().enumerate() {
                let shared = same.get(at).and_then(|first| row.get(*first)).copied();
                if shared.is_none() && !goes_on() {
                    return None;
                }
                row.push(shared.unwrap_or_else(|| builder.place(at, robot, target)));
            }
            builder.table.rows.push(row);
        }
        Some(builder.table)
    }
}

/// For each robot the first one whose answers it has, or itself.
fn sharing(robots: &[TableRobot], usage: Usage) -> Vec<usize> {
    let mut first_with = HashMap::new();
    let first = |(at, robot): (usize, &TableRobot)| match robot.groups() {
        Some(groups) if usage == Usage::Crawl => *first_with.entry(groups).or_insert(at),
        _ => at,
    };
    robots.iter().enumerate().map(first).collect()
}

struct TableBuilder {
    usage: Usage,
    /// The place of each short answer in `short`.
    numbers: HashMap<ShortAnswer, u32>,
    short: Vec<ShortAnswer>,
    /// The short answer of each line, in each profile.
    by_line: [LineMemo<u32>; 2],
    /// Where the answer of two profiles is in the table.
    places: HashMap<(u32, Option<u32>), u32>,
    table: Table,
}

impl TableBuilder {
    /// The place of the answer about a URL for the robot with number `at`.
    fn place(&mut self, at: usize, robot: &TableRobot, target: &Target<'_>) -> u32 {
        let first = self.short(0, at, &robot.policy, target);
        let other = robot.other.as_ref();
        let other = other.map(|other| self.short(1, at, other, target));
        let outcome = |number: u32| self.short[number as usize].outcome;
        let differs = other.filter(|other| outcome(*other) != outcome(first));
        *self.places.entry((first, differs)).or_insert_with(|| {
            let answer = |number: u32| self.short[number as usize].clone();
            self.table.answers.push(CellAnswer {
                first: answer(first),
                differs: differs.map(answer),
            });
            u32::try_from(self.table.answers.len() - 1).unwrap_or(u32::MAX)
        })
    }

    /// The number of the short answer in a profile.
    fn short(&mut self, profile: usize, at: usize, policy: &Policy, target: &Target<'_>) -> u32 {
        let rule = match self.usage {
            Usage::Crawl => policy.deciding_rule(target),
            _ => DecidingRule::Other,
        };
        let line = match rule {
            DecidingRule::Rule { line, .. } => Some(line),
            DecidingRule::NoRule => Some(0),
            DecidingRule::Other => None,
        };
        let mut number = || {
            let decision = policy.decide(target);
            let usage_decision = decision.usage(self.usage);
            let mut answer = usage_decision.map(ShortAnswer::new).unwrap_or_default();
            // Robots about which one line decides share an answer, by whatever name it is theirs.
            if let Some(by) = &mut answer.decided_by {
                by.group = None;
            }
            *self.numbers.entry(answer).or_insert_with_key(|answer| {
                self.short.push(answer.clone());
                u32::try_from(self.short.len() - 1).unwrap_or(u32::MAX)
            })
        };
        match line {
            Some(line) => *self.by_line[profile].get(at, line, number),
            None => number(),
        }
    }
}
