//! Who is compared: one file each, and what they have in common.

mod abide;
mod protego;
mod robots_txt;
mod robotstxt;
mod robotxt;
mod texting_robots;

pub use abide::{Abide, client};
pub use protego::Protego;
pub use robots_txt::RobotsTxt;
pub use robotstxt::Robotstxt;
pub use robotxt::Robotxt;
pub use texting_robots::TextingRobots;

use crate::clock::timed;
use crate::contest::{Pass, Sample};
use crate::corpus::Case;
use std::hint::black_box;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use crate::corpus::AGENT;

/// A parser of this process.
pub trait Parser: 'static {
    /// Its name on crates.io.
    const NAME: &'static str;
    /// A file, parsed for [`AGENT`].
    type Robots<'o>;

    /// Parses a file; `None` where the parser refuses it.
    fn parse(case: &Case) -> Option<Self::Robots<'_>>;

    /// Whether [`AGENT`] may fetch `url`.
    fn allows(robots: &Self::Robots<'_>, url: &str) -> bool;

    /// One decision from bytes, where the parser has a shorter way than parsing first.
    fn cold(case: &Case, url: &str) -> Option<bool> {
        Self::parse(case).map(|robots| Self::allows(&robots, url))
    }
}

/// Somebody who can be timed and asked. Passes go over many cases, so that the call through this
/// trait costs nothing beside them.
pub trait Contestant {
    /// The name in tables.
    fn name(&self) -> &'static str;

    /// Answers for every URL of a case; `None` where the file is refused, or the parser panics.
    fn answers(&self, case: &Case) -> Option<Vec<bool>>;

    /// Parses each file and asks about its first URL.
    fn cold(&self, cases: &[Case], sample: &Sample) -> Pass;

    /// Parses each file.
    fn compile(&self, cases: &[Case], sample: &Sample) -> Pass;

    /// Parses all files, to be asked about later.
    fn warm<'c>(&self, cases: &'c [Case]) -> Box<dyn Warm + 'c>;
}

/// Parsed files.
pub trait Warm {
    /// Asks about each URL of the sample.
    fn pass(&mut self, sample: &Sample) -> Pass;
}

/// abide, then its peers; protego comes last, and only where Python has it.
#[must_use]
pub fn contestants() -> Vec<Box<dyn Contestant>> {
    let mut all = in_process();
    if let Some(protego) = Protego::start() {
        all.push(Box::new(protego));
    }
    all
}

/// Those of this process.
#[must_use]
pub fn in_process() -> Vec<Box<dyn Contestant>> {
    vec![
        Box::new(InProcess::<Abide>::new()),
        Box::new(InProcess::<Robotxt>::new()),
        Box::new(InProcess::<TextingRobots>::new()),
        Box::new(InProcess::<RobotsTxt>::new()),
        Box::new(InProcess::<Robotstxt>::new()),
    ]
}

/// The cases that everybody reads, and who refuses how many of the others. A contest needs files
/// that all can be timed on.
#[must_use]
pub fn read_by_all(cases: Vec<Case>, contestants: &[Box<dyn Contestant>]) -> (Vec<Case>, String) {
    let mut refused = vec![0_usize; contestants.len()];
    let kept = quietly(|| {
        let mut kept = Vec::new();
        for case in cases {
            let first = case.urls.iter().take(1).cloned().collect();
            let one = Case::with_urls(&case.name, &case.bytes, first);
            let mut is_read = true;
            for (who, refused) in contestants.iter().zip(&mut refused) {
                if who.answers(&one).is_none() {
                    *refused += 1;
                    is_read = false;
                }
            }
            kept.extend(is_read.then_some(case));
        }
        kept
    });
    let told: Vec<String> = contestants
        .iter()
        .zip(refused)
        .filter(|(_, count)| *count > 0)
        .map(|(who, count)| format!("without files that {} refuses: {count}", who.name()))
        .collect();
    (kept, told.join(", "))
}

/// Does `work` without the messages of panics: a peer that panics refuses.
pub fn quietly<T>(work: impl FnOnce() -> T) -> T {
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = work();
    std::panic::set_hook(told);
    result
}

/// A [`Parser`] as a contestant.
#[derive(Debug)]
pub struct InProcess<P>(PhantomData<P>);

impl<P: Parser> InProcess<P> {
    /// The parser as a contestant.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "nobody asks for a default")]
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

impl<P: Parser> Contestant for InProcess<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn answers(&self, case: &Case) -> Option<Vec<bool>> {
        let all = || {
            let robots = P::parse(case)?;
            Some(
                case.urls
                    .iter()
                    .map(|url| P::allows(&robots, url))
                    .collect(),
            )
        };
        catch_unwind(AssertUnwindSafe(all)).ok().flatten()
    }

    fn cold(&self, cases: &[Case], sample: &Sample) -> Pass {
        let (nanoseconds, items) = timed(|| {
            let mut items = 0;
            for case in sample.cases(cases) {
                for url in case.urls.iter().take(1) {
                    black_box(P::cold(case, url));
                    items += 1;
                }
            }
            items
        });
        Pass { items, nanoseconds }
    }

    fn compile(&self, cases: &[Case], sample: &Sample) -> Pass {
        let (nanoseconds, items) = timed(|| {
            let mut items = 0;
            for case in sample.cases(cases) {
                black_box(P::parse(case));
                items += 1;
            }
            items
        });
        Pass { items, nanoseconds }
    }

    fn warm<'c>(&self, cases: &'c [Case]) -> Box<dyn Warm + 'c> {
        let parsed = cases.iter().map(|case| P::parse(case)).collect();
        Box::new(Parsed::<P> { cases, parsed })
    }
}

struct Parsed<'c, P: Parser> {
    cases: &'c [Case],
    parsed: Vec<Option<P::Robots<'c>>>,
}

impl<P: Parser> Warm for Parsed<'_, P> {
    fn pass(&mut self, sample: &Sample) -> Pass {
        let (nanoseconds, items) = timed(|| {
            let mut items = 0;
            for (case, robots) in self.cases.iter().zip(&self.parsed) {
                let Some(robots) = robots else { continue };
                for url in sample.urls(case) {
                    black_box(P::allows(robots, url));
                    items += 1;
                }
            }
            items
        });
        Pass { items, nanoseconds }
    }
}
