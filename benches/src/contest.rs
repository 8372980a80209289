//! How contestants are timed: in rounds, each once a round, so that a machine that gets slower for
//! a while gets slower for all. Of each, the median over the rounds is taken.
//!
//! Who is slow does not get all items but a sample of them, so that a round stays short. abide is
//! then timed on the same sample too, and the ratio is made of these two.

use crate::clock::{ToF64, median};
use crate::corpus::Case;

/// Work done, and the CPU time it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pass {
    /// Files or decisions.
    pub items: u64,
    /// CPU time of the thread, in nanoseconds.
    pub nanoseconds: u64,
}

impl Pass {
    /// Nanoseconds an item.
    #[must_use]
    pub fn per_item(self) -> f64 {
        self.nanoseconds.to_f64() / self.items.max(1).to_f64()
    }
}

/// Which of the cases and of their URLs take part: every nth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// From one case to the next.
    pub case_step: usize,
    /// From one URL of a case to the next.
    pub url_step: usize,
}

impl Sample {
    /// Everything.
    pub const ALL: Self = Self {
        case_step: 1,
        url_step: 1,
    };

    /// The cases that take part.
    pub fn cases<'c>(&self, cases: &'c [Case]) -> impl Iterator<Item = &'c Case> {
        cases.iter().step_by(self.case_step)
    }

    /// The URLs of a case that take part.
    pub fn urls<'c>(&self, case: &'c Case) -> impl Iterator<Item = &'c String> {
        case.urls.iter().step_by(self.url_step)
    }
}

/// Whether a slow contestant gets fewer files, or fewer URLs of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thinned {
    /// Fewer files.
    Cases,
    /// Fewer URLs of each file.
    Urls,
}

impl Thinned {
    fn sample(self, step: usize) -> Sample {
        match self {
            Self::Cases => Sample {
                case_step: step,
                ..Sample::ALL
            },
            Self::Urls => Sample {
                url_step: step,
                ..Sample::ALL
            },
        }
    }
}

/// One who takes part.
pub struct Entry<'e> {
    /// The name in tables.
    pub name: &'static str,
    /// Does the work on a sample.
    pub pass: Box<dyn FnMut(&Sample) -> Pass + 'e>,
}

impl std::fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// What came of a contest for one contestant.
#[derive(Clone, Debug)]
pub struct Timing {
    /// The contestant.
    pub name: &'static str,
    /// Median CPU time of an item, in nanoseconds.
    pub nanoseconds: f64,
    /// Median CPU time of the first contestant on these items, in nanoseconds.
    pub first: f64,
    /// Every nth item was timed.
    pub step: usize,
}

impl Timing {
    /// How often the first contestant does the work in the same time.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.nanoseconds / self.first.max(f64::MIN_POSITIVE)
    }
}

/// How long a contest may take.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Rounds, of which the median is taken.
    pub rounds: usize,
    /// CPU time that one contestant may take in one round, in nanoseconds.
    pub budget: u64,
}

impl Effort {
    /// For the report: 0.2 seconds for each in each round.
    #[must_use]
    pub fn new(rounds: usize) -> Self {
        Self {
            rounds,
            budget: 200_000_000,
        }
    }
}

/// Times everybody; the first of `entries` is who the others are compared with.
pub fn run(
    entries: &mut [Entry<'_>],
    thinned: Thinned,
    largest: usize,
    effort: Effort,
) -> Vec<Timing> {
    let steps: Vec<usize> = entries
        .iter_mut()
        .map(|entry| step(entry, thinned, largest, effort.budget))
        .collect();
    let mut times = vec![(Vec::new(), Vec::new()); entries.len()];
    for _ in 0..effort.rounds {
        let whole = lasting(&mut entries[0], thinned.sample(steps[0]));
        for at in 0..entries.len() {
            let sample = thinned.sample(steps[at]);
            let own = match at {
                0 => whole,
                _ => lasting(&mut entries[at], sample),
            };
            let first = if steps[at] == steps[0] {
                whole
            } else {
                lasting(&mut entries[0], sample)
            };
            times[at].0.push(own);
            times[at].1.push(first);
        }
    }
    let mut timings = Vec::new();
    for ((entry, step), (own, first)) in entries.iter().zip(steps).zip(times) {
        timings.push(Timing {
            name: entry.name,
            nanoseconds: median(own),
            first: median(first),
            step,
        });
    }
    timings
}

/// The smallest power of two of which every nth item keeps within the budget.
fn step(entry: &mut Entry<'_>, thinned: Thinned, largest: usize, budget: u64) -> usize {
    let mut step = largest.next_power_of_two();
    loop {
        let spent = (entry.pass)(&thinned.sample(step)).nanoseconds;
        if step == 1 || spent > budget / 2 {
            return step;
        }
        // Going down by the factor that is sure to fit saves most of the trials.
        let room = (budget / spent.max(1)).max(2);
        let factor = usize::try_from(room).map_or(step, |room| (room / 2).next_power_of_two());
        step = (step / factor.clamp(2, step)).max(1);
    }
}

/// Time of an item, over as many passes as the clock needs to be exact.
fn lasting(entry: &mut Entry<'_>, sample: Sample) -> f64 {
    const MIN_NANOSECONDS: u64 = 3_000_000;
    let mut sum = Pass::default();
    while sum.nanoseconds < MIN_NANOSECONDS {
        let pass = (entry.pass)(&sample);
        sum.items += pass.items;
        sum.nanoseconds += pass.nanoseconds.max(1);
    }
    sum.per_item()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &'static str, nanoseconds: u64) -> Entry<'static> {
        let pass = move |sample: &Sample| Pass {
            items: 1_024 / sample.url_step as u64,
            nanoseconds: nanoseconds * (1_024 / sample.url_step as u64),
        };
        Entry {
            name,
            pass: Box::new(pass),
        }
    }

    #[test]
    fn who_is_slow_gets_a_sample_and_the_ratio_stays() {
        let mut entries = [entry("fast", 10_000), entry("slow", 50_000_000)];
        let timings = run(&mut entries, Thinned::Urls, 1_024, Effort::new(3));
        assert_eq!(timings[0].step, 1);
        assert!(timings[1].step >= 256);
        assert!((timings[1].ratio() - 5_000.0).abs() < 1e-6);
    }
}
