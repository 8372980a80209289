//! The patterns of a search, each once.

use super::glob::{Globs, number};
use abide::Profile;
use abide::syntax::PathPattern;
use std::collections::HashMap;

/// Numbers patterns; patterns that match the same paths share a number.
#[derive(Debug)]
pub(crate) struct Patterns {
    numbers: HashMap<PatternForm, u32>,
    pub(crate) globs: Globs,
    /// Whether patterns have one form only, as in the google profile.
    one_form: bool,
}

/// What distinguishes patterns: form C1, from which form C2 follows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct PatternForm {
    c1: Box<[u8]>,
    anchored: bool,
    folded: bool,
}

impl Patterns {
    pub(crate) fn new(profile: Profile) -> Self {
        Self {
            numbers: HashMap::new(),
            globs: Globs::default(),
            one_form: profile == Profile::Google,
        }
    }

    /// The number of a pattern. `folded`: it is an ACAP pattern, compared in lower case.
    pub(crate) fn number(&mut self, path: &PathPattern<'_>, folded: bool) -> u32 {
        let form = PatternForm {
            c1: (*path.forms().c1).into(),
            anchored: path.is_anchored(),
            folded,
        };
        let next = number(self.numbers.len());
        let number = *self.numbers.entry(form).or_insert(next);
        if number == next {
            self.globs.push(number, path, folded, self.one_form);
        }
        number
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }
}
