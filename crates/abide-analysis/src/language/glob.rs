//! Patterns as automata that read a path byte by byte.
//!
//! The literals between the `*` of a pattern are searched from left to right, each as early as
//! possible, as the engine does (REP-59). So one number says how far a pattern has matched: its
//! *place*, the number of its literal bytes that were read.

use abide::syntax::PathPattern;

/// The text that a pattern is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reads {
    /// Form C2 of the path instead of form C1 (AMB-REP-1).
    pub(crate) second: bool,
    /// The path in lower case, for ACAP.
    pub(crate) folded: bool,
}

impl Reads {
    pub(crate) const ALL: [Self; 4] = {
        const fn reads(second: bool, folded: bool) -> Reads {
            Reads { second, folded }
        }
        [
            reads(false, false),
            reads(false, true),
            reads(true, false),
            reads(true, true),
        ]
    };

    /// The byte in this text.
    pub(crate) const fn byte(self, byte: u8) -> u8 {
        if self.folded {
            byte.to_ascii_lowercase()
        } else {
            byte
        }
    }
}

/// What a byte does at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Goes on to another place of the same literal.
    To(u32),
    /// Nothing of the searched literal has matched; it may begin anywhere.
    Rests,
    /// The literal is complete. The next one is searched from this place on.
    Opens(u32),
    /// The pattern matches, whatever follows.
    Matches,
    /// The pattern can no longer match.
    Dies,
}

/// One place in a pattern.
#[derive(Clone, Copy, Debug)]
struct PatternPlace {
    /// The pattern's number.
    pattern: u32,
    reads: Reads,
    /// The byte that goes on; `None` at the end of an anchored pattern.
    expects: Option<u8>,
    hit: Step,
    /// Where to go if another byte is read.
    miss: Step,
    /// Where the searched literal begins; `None` for the first literal of a pattern, which has a
    /// fixed position.
    segment: Option<u32>,
}

/// The places of all patterns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Globs {
    places: Vec<PatternPlace>,
    /// The first place of each automaton.
    pub(crate) begins: Vec<u32>,
    /// The patterns that match every path.
    pub(crate) always: Vec<u32>,
    /// Whether a pattern has a `%` that does not begin an escape.
    pub(crate) has_stray: bool,
}

impl Globs {
    /// Adds the automata of pattern number `pattern`: one for each form that can match something
    /// that the other forms cannot. In the google profile there is `one_form`.
    pub(crate) fn push(
        &mut self,
        pattern: u32,
        path: &PathPattern<'_>,
        folded: bool,
        one_form: bool,
    ) {
        let forms = path.forms();
        let anchored = path.is_anchored();
        let reads = |second| Reads { second, folded };
        // google/robotstxt compares one form of a pattern with the URL as it is written.
        if one_form {
            return self.add(pattern, reads(false), &forms.c1, anchored);
        }
        self.has_stray |= path.has_stray_percent();
        self.add(pattern, reads(false), &forms.c1, anchored);
        // Each automaton multiplies the states, so one that finds nothing more is left out.
        let may_need_c2 = forms.c2.is_some() || may_match_c2_alone(&forms.c1);
        if may_need_c2 && !path.has_stray_percent() {
            self.add(pattern, reads(true), forms.c2(), anchored);
        }
    }

    fn add(&mut self, pattern: u32, reads: Reads, bytes: &[u8], anchored: bool) {
        let segments: Vec<&[u8]> = bytes.split(|byte| *byte == b'*').collect();
        let begins_free = segments.len() > 1;
        // A `$` after a final `*` anchors nothing.
        let ends_free = segments.last().is_some_and(|last| last.is_empty()) && begins_free;
        let anchored = anchored && !ends_free;
        let first_is_searched = segments.first().is_some_and(|first| first.is_empty());
        let literals: Vec<&[u8]> = segments
            .into_iter()
            .filter(|literal| !literal.is_empty())
            .collect();
        if literals.is_empty() {
            // `$` alone matches the empty path only, which no URL has.
            if !anchored {
                self.always.push(pattern);
            }
            return;
        }
        self.begins.push(number(self.places.len()));
        let count = literals.len();
        for (at, literal) in literals.into_iter().enumerate() {
            let place = PatternPlace {
                pattern,
                reads,
                expects: None,
                hit: Step::Dies,
                miss: Step::Dies,
                segment: None,
            };
            let last = if at + 1 < count {
                Ends::OnStar
            } else if anchored {
                Ends::WithPath
            } else {
                Ends::Anyhow
            };
            self.literal(place, literal, at > 0 || first_is_searched, last);
        }
    }

    /// Adds the places of one literal. A searched literal gets the places to go back to after a
    /// mismatch (Knuth, Morris, Pratt), without any that would fail at once.
    fn literal(&mut self, like: PatternPlace, literal: &[u8], searched: bool, ends: Ends) {
        let start = number(self.places.len());
        let place = |at: usize| start.saturating_add(number(at));
        let mut border = 0_usize;
        for (at, &byte) in literal.iter().enumerate() {
            let is_last = at + 1 == literal.len();
            let hit = match (is_last, ends) {
                (false, _) | (true, Ends::WithPath) => Step::To(place(at + 1)),
                (true, Ends::OnStar) => Step::Opens(place(at + 1)),
                (true, Ends::Anyhow) => Step::Matches,
            };
            let miss = match (searched, at) {
                (false, _) => Step::Dies,
                (true, 0) => Step::Rests,
                // The place to go back to expects the same byte, which has just failed.
                (true, _) if literal.get(border) == Some(&byte) => self.miss_at(place(border)),
                (true, _) => Step::To(place(border)),
            };
            self.places.push(PatternPlace {
                expects: Some(byte),
                hit,
                miss,
                segment: searched.then_some(start),
                ..like
            });
            // The border of one byte is empty, as it is before.
            if at > 0 {
                border = next_border(self, start, border, byte, literal);
            }
        }
        if ends == Ends::WithPath {
            // After the end of the literal the path goes on: it may end with a later occurrence.
            let miss = if searched {
                Step::To(place(border))
            } else {
                Step::Dies
            };
            self.places.push(PatternPlace {
                miss,
                segment: searched.then_some(start),
                ..like
            });
        }
    }

    fn miss_at(&self, place: u32) -> Step {
        self.at(place).map_or(Step::Dies, |place| place.miss)
    }

    fn at(&self, place: u32) -> Option<&PatternPlace> {
        self.places.get(place as usize)
    }

    /// What `byte` does at `place`, and how many places were visited for it.
    pub(crate) fn step(&self, place: u32, byte: u8) -> Step {
        let mut place = place;
        while let Some(here) = self.at(place) {
            match here.miss {
                _ if here.expects == Some(byte) => return here.hit,
                // Each step goes to a shorter border, so this ends.
                Step::To(border) => place = border,
                other => return other,
            }
        }
        Step::Dies
    }

    /// Passes to `see` every byte that goes on to another place, completes a literal or matches.
    pub(crate) fn each_expected(&self, place: u32, mut see: impl FnMut(u8)) {
        let mut next = Some(place);
        while let Some(here) = next.and_then(|place| self.at(place)) {
            if let Some(byte) = here.expects {
                see(byte);
            }
            next = match here.miss {
                Step::To(border) => Some(border),
                _ => None,
            };
        }
    }

    /// The number of the pattern that a place is in.
    pub(crate) fn pattern(&self, place: u32) -> u32 {
        self.at(place).map_or(u32::MAX, |place| place.pattern)
    }

    pub(crate) fn reads(&self, place: u32) -> Reads {
        self.at(place).map_or(Reads::ALL[0], |place| place.reads)
    }

    /// Where the literal of a place begins, if it is searched.
    pub(crate) fn segment(&self, place: u32) -> Option<u32> {
        self.at(place)?.segment
    }

    /// The byte that goes on at a place.
    pub(crate) fn expects(&self, place: u32) -> Option<u8> {
        self.at(place)?.expects
    }

    /// Whether the pattern matches a path that ends here.
    pub(crate) fn is_end(&self, place: u32) -> bool {
        self.at(place).is_some_and(|place| place.expects.is_none())
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }
}

/// What follows a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    /// A `*`, and another literal.
    OnStar,
    /// The end of the path.
    WithPath,
    /// Anything.
    Anyhow,
}

/// The length of the longest border of a literal after `byte` is appended; `border` is the length
/// before. (A border is a proper prefix that is also a suffix.)
fn next_border(globs: &Globs, start: u32, border: usize, byte: u8, literal: &[u8]) -> usize {
    let mut border = border;
    loop {
        if literal.get(border) == Some(&byte) {
            return border + 1;
        }
        match globs.miss_at(start.saturating_add(number(border))) {
            Step::To(shorter) => border = shorter.saturating_sub(start) as usize,
            _ => return 0,
        }
    }
}

/// Whether a pattern that is the same in both forms can match form C2 of a path but not form C1.
/// Where C1 has reserved bytes, C2 has escapes; so some literal must contain an escape, or begin
/// inside one.
fn may_match_c2_alone(c1: &[u8]) -> bool {
    let mut literals = c1.split(|byte| *byte == b'*');
    c1.contains(&b'%')
        || literals
            .by_ref()
            .skip(1)
            .any(|literal| literal.first().is_some_and(u8::is_ascii_hexdigit))
}

/// A pattern has at most as many places as bytes, and the parsing limit is far below 4 GiB.
pub(crate) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
