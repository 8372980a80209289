//! Every case that some patterns can tell apart, with a shortest path for each.

use crate::bound::Work;
use crate::language::alphabet::Alphabet;
use crate::language::patterns::Patterns;
use crate::language::search::{Contest, Search};
use abide::Profile;
use abide::syntax::PathPattern;
use std::ops::ControlFlow;

/// Finds every set of patterns that can match together.
struct All;

impl Contest for All {
    fn reduce(&self, _: &mut Vec<u32>) {}

    fn matters(&self, _: &[u32], _: u32) -> bool {
        true
    }

    fn may_differ(&self, _: &[u32], _: &mut dyn Iterator<Item = u32>) -> bool {
        true
    }

    fn differs(&self, _: &[u32]) -> bool {
        true
    }
}

/// Passes to `found` a shortest path for each set of `patterns` that can match together, in the
/// careful profile. Returns false if the work was spent before the end.
pub(crate) fn each_case<'p>(
    patterns: impl IntoIterator<Item = PathPattern<'p>>,
    work: &mut Work,
    mut found: impl FnMut(&str),
) -> bool {
    /// Work of asking the engine about one path.
    const ASKED: u64 = 1_000;
    let mut numbered = Patterns::new(Profile::Careful);
    for pattern in patterns {
        numbered.number(&pattern, false);
    }
    if !work.spend(numbered.globs.len() as u64 * 4) {
        return false;
    }
    let mut search = Search::new(&numbered.globs, Alphabet::of(Profile::Careful), &All);
    let mut is_within = true;
    let is_complete = search.run(work, |work, _, path| {
        // The search goes on until it notices, because it spends from the same work.
        is_within &= work.spend(ASKED);
        if is_within {
            found(path);
        }
        ControlFlow::Continue(())
    });
    is_complete && is_within
}
