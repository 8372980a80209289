//! What two files ask of applications. Of the lines that name an application, those with the
//! longest pattern count (APP-16, AMB-APP-5).

use super::CompiledFile;
use super::report::{DirectiveRegion, Directives};
use super::sides::{Both, Side};
use crate::bound::Work;
use crate::language::alphabet::Alphabet;
use crate::language::patterns::Patterns;
use crate::language::search::{Contest, Search};
use abide::app::Application;
use abide::app::{ApplicationDecision, field};
use abide::syntax::{FieldKind, Inspect, Line, PathPattern};
use abide::{Profile, Robots, Target};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// The work of reading every App-Directives line of a file, which is done for each application.
pub(super) fn reading(robots: &Robots) -> u64 {
    /// Units for each byte: structured fields are read member by member.
    const BYTE: u64 = 8;
    let fields = robots.lines().iter().filter_map(Line::field);
    let lines = fields.filter(|field| field.kind == FieldKind::AppDirectives);
    let bytes = lines.map(|field| u64::from(field.value.end - field.value.start));
    bytes.sum::<u64>().saturating_mul(BYTE)
}

/// The length of the longest pattern in bytes, plus one, on each side; 0 if a side has no such
/// pattern.
struct Longest(Vec<Both<usize>>);

impl Longest {
    fn length(&self, pattern: u32) -> Both<usize> {
        self.0.get(pattern as usize).copied().unwrap_or_default()
    }

    fn best(&self, matched: &[u32]) -> Both<usize> {
        let lengths = matched.iter().map(|pattern| self.length(*pattern));
        lengths.fold(Both::default(), |best, length| Both {
            old: best.old.max(length.old),
            new: best.new.max(length.new),
        })
    }

    fn counts(&self, best: Both<usize>, pattern: u32) -> bool {
        let length = self.length(pattern);
        let on = |side| length.of(side) > 0 && length.of(side) >= best.of(side);
        on(Side::Old) || on(Side::New)
    }
}

impl Contest for Longest {
    fn reduce(&self, matched: &mut Vec<u32>) {
        let best = self.best(matched);
        matched.retain(|pattern| self.counts(best, *pattern));
    }

    fn matters(&self, matched: &[u32], pattern: u32) -> bool {
        self.counts(self.best(matched), pattern)
    }

    fn may_differ(&self, _: &[u32], _: &mut dyn Iterator<Item = u32>) -> bool {
        true
    }

    fn differs(&self, _: &[u32]) -> bool {
        true
    }
}

/// The lines of a file that name an application, in order: the pattern and the directives.
type DirectiveLines<'f> = Vec<(Option<&'f [u8]>, field::Directives<'f>)>;

fn lines<'f>(compared: &CompiledFile<'f>, application: &Application) -> DirectiveLines<'f> {
    let text = compared.robots.text().as_bytes();
    let all = Inspect::of(&compared.policy)
        .directive_lines(application)
        .into_iter();
    let read = all.filter_map(|place| field::Directives::read(place.span.of(text)));
    let mut own: Vec<_> = read.map(|line| (line.path, line)).collect();
    for (_, line) in &mut own {
        // A line can name thousands of applications, and each is compared by itself.
        line.applications.retain(|(id, _)| id == application.id());
    }
    own.retain(|(_, line)| !line.applications.is_empty());
    own
}

/// The regions in which two files ask `application` for different things, and whether the list is
/// complete.
pub(super) fn compare(
    old: &CompiledFile<'_>,
    new: &CompiledFile<'_>,
    application: &Application,
    alphabet: &Alphabet,
    work: &mut Work,
) -> (Vec<DirectiveRegion>, bool) {
    let (old_lines, new_lines) = (lines(old, application), lines(new, application));
    // Equal lines ask for the same, which needs no search.
    if old_lines == new_lines {
        return (Vec::new(), true);
    }
    let mut patterns = Patterns::new(Profile::Careful);
    let mut lengths: Vec<Both<usize>> = Vec::new();
    for (side, lines) in [(Side::Old, &old_lines), (Side::New, &new_lines)] {
        for (path, _) in lines {
            // A line without a pattern covers every path, and is weaker than any pattern
            // (AMB-APP-8).
            let Ok(read) = PathPattern::read(path.unwrap_or(b"*")) else {
                continue;
            };
            // One more, because 0 means that the side has no such pattern.
            let length = path.map_or(1, |_| read.length() + 1);
            let number = patterns.number(&read, false) as usize;
            lengths.resize(lengths.len().max(number + 1), Both::default());
            if let Some(both) = lengths.get_mut(number) {
                // One pattern has one length, on whatever line.
                *both.of_mut(side) = length;
            }
        }
    }
    if !work.spend((patterns.globs.len() as u64) * 4) {
        return (Vec::new(), false);
    }
    let contest = Longest(lengths);
    let (mut found, mut known) = (Vec::new(), HashSet::new());
    // Each decision reads all lines.
    let read = reading(old.robots) + reading(new.robots);
    let cost = 500 + 100 * (old_lines.len() + new_lines.len()) as u64 + read;
    let mut search = Search::new(&patterns.globs, alphabet, &contest);
    // The shortest path comes first, so later ones with the same lines are left out.
    let is_complete =
        search.run(work, |work, _, path| {
            work.spend(cost);
            found.extend(region(old, new, application, path).filter(|region| {
                known.insert((region.old.lines.clone(), region.new.lines.clone()))
            }));
            ControlFlow::Continue(())
        });
    (found, is_complete)
}

fn region(
    old: &CompiledFile<'_>,
    new: &CompiledFile<'_>,
    application: &Application,
    path: &str,
) -> Option<DirectiveRegion> {
    let target = Target::new(path).ok()?;
    let answer = |compared: &CompiledFile<'_>| {
        let decision = compared.policy.decide(&target);
        let mut applications = decision.applications.into_iter();
        let own = applications.find(|own| own.id == application.id());
        own.map(as_directives)
    };
    let (old, new) = (answer(old)?, answer(new)?);
    (old.values != new.values).then(|| DirectiveRegion {
        application: application.id().to_owned(),
        old,
        new,
        witness: path.to_owned(),
    })
}

fn as_directives(decision: ApplicationDecision<'_>) -> Directives {
    let applies = decision.rules.iter().filter(|rule| rule.applies);
    Directives {
        lines: applies.map(|rule| rule.place.line).collect(),
        values: decision.directives,
    }
}
