//! W1 to W13: what is timed, and what it should come to. The criterion benches use the same inputs.

pub mod batch;
pub mod cache;
pub mod cold;
pub mod command;
pub mod evidence;
pub mod hostile;
pub mod large;
pub mod lint;
pub mod many;
pub mod memory;
pub mod scan;
pub mod sources;
pub mod warm;

use crate::contest::{Effort, Timing};
use crate::corpus::Corpus;
use crate::peer::Contestant;

/// What all workloads are given.
#[expect(missing_debug_implementations, reason = "contestants have none")]
pub struct Setting {
    /// The files.
    pub corpus: Corpus,
    /// abide first, then its peers.
    pub contestants: Vec<Box<dyn Contestant>>,
    /// How long a contest may take.
    pub effort: Effort,
    /// Whether a short run is asked for, with fewer and smaller inputs.
    pub is_quick: bool,
}

impl Setting {
    /// A small one for criterion, without a process of its own.
    pub fn small() -> anyhow::Result<Self> {
        let contestants = crate::peer::in_process();
        let mut corpus = Corpus::load()?.thinned(200);
        // What one of them refuses cannot be timed.
        let (cases, _) = crate::peer::read_by_all(corpus.one_url_each(), &contestants);
        corpus.files = cases
            .into_iter()
            .map(|case| (case.name, case.bytes.to_vec()))
            .collect();
        Ok(Self {
            corpus,
            contestants,
            effort: Effort::new(1),
            is_quick: true,
        })
    }
}

/// What a figure should come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// At least this much.
    AtLeast(f64),
    /// At most this much.
    AtMost(f64),
}

impl Goal {
    /// Whether `value` reaches it.
    #[must_use]
    pub fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtLeast(least) => value >= least,
            Self::AtMost(most) => value <= most,
        }
    }
}

/// A line of the report.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The workload, such as `W3`.
    pub workload: &'static str,
    /// What was done.
    pub what: String,
    /// Who did it.
    pub who: String,
    /// The median, with its unit.
    pub figure: String,
    /// The ratio to what the row is compared with, with what that is: `12.1 ×`.
    pub ratio: String,
    /// The goal and whether it was met; empty without one.
    pub goal: String,
    /// `met`, or by how much it was missed; empty without a goal.
    pub result: String,
    /// What has to be known about the figure.
    pub note: String,
}

impl Row {
    /// A line with a figure.
    #[must_use]
    pub fn new(workload: &'static str, what: &str, who: &str, figure: String) -> Self {
        Self {
            workload,
            what: what.to_owned(),
            who: who.to_owned(),
            figure,
            ..Self::default()
        }
    }

    /// Adds what the row comes to beside another.
    #[must_use]
    pub fn ratio(mut self, ratio: f64) -> Self {
        self.ratio = format!("{} ×", short(ratio));
        self
    }

    /// Adds a goal for `value`, which is given in `unit`.
    #[must_use]
    pub fn goal(mut self, value: f64, goal: Goal, unit: &str) -> Self {
        self.goal = match goal {
            Goal::AtLeast(least) => format!("≥ {}{unit}", short(least)),
            Goal::AtMost(most) => format!("≤ {}{unit}", short(most)),
        };
        self.result = if goal.is_met(value) {
            "met".to_owned()
        } else {
            format!("**missed**: {}{unit}", short(value))
        };
        self
    }

    /// Adds what has to be known.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }
}

/// Rows of a contest, with goals for the ratio of those named.
#[must_use]
pub fn contest_rows(
    workload: &'static str,
    what: &str,
    timings: &[Timing],
    goals: &[(&str, f64)],
) -> Vec<Row> {
    let row = |(at, timing): (usize, &Timing)| {
        let row = Row::new(workload, what, timing.name, time(timing.nanoseconds));
        if at == 0 {
            return row;
        }
        let mut row = row.ratio(timing.ratio());
        if timing.step > 1 {
            row = row.note(format!("1 of {} items", timing.step));
        }
        match goals.iter().find(|(name, _)| *name == timing.name) {
            Some(&(_, least)) => row.goal(timing.ratio(), Goal::AtLeast(least), " ×"),
            None => row,
        }
    };
    timings.iter().enumerate().map(row).collect()
}

/// Nanoseconds in the unit that is read best.
#[must_use]
pub fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 1e3 => format!("{} ns", short(n)),
        n if n < 1e6 => format!("{} µs", short(n / 1e3)),
        n if n < 1e9 => format!("{} ms", short(n / 1e6)),
        n => format!("{} s", short(n / 1e9)),
    }
}

/// A number in three digits, or all of those before the point.
#[must_use]
pub fn short(number: f64) -> String {
    let digits = match number.abs() {
        n if n >= 100.0 || n.fract().abs() < f64::EPSILON => 0,
        n if n >= 10.0 => 1,
        n if n >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{number:.digits$}");
    // Thousands apart, as they are read.
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut apart = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 && digit.is_ascii_digit() {
            apart.push(',');
        }
        apart.push(digit);
    }
    apart + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown = [1_234_567.8, 123.4, 12.34, 1.234, 0.1234, 3.0].map(short);
        assert_eq!(shown, ["1,234,568", "123", "12.3", "1.23", "0.123", "3"]);
    }

    #[test]
    fn a_missed_goal_says_by_what() {
        let row = Row::new("W1", "", "", String::new()).goal(3.5, Goal::AtMost(3.0), " ×");
        assert_eq!((&*row.goal, &*row.result), ("≤ 3 ×", "**missed**: 3.50 ×"));
    }
}
