//! Patterns as automata that read a path byte by byte.
//!
//! The literals between the `*` of a pattern are searched from left to right, each as early as it
//! can be, as the engine does (REP-59). So how far a pattern has got is one number, its *place*:
//! how many of its literal bytes were read.

use abide::syntax::PathPattern;

/// Which text a pattern is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reads {
    /// Form C2 of the path, and not form C1 (AMB-REP-1).
    pub(super) second: bool,
    /// The path in lower case, as ACAP has it.
    pub(super) folded: bool,
}

impl Reads {
    pub(super) const ALL: [Self; 4] = {
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

    /// The byte as this text has it.
    pub(super) const fn byte(self, byte: u8) -> u8 {
        if self.folded {
            byte.to_ascii_lowercase()
        } else {
            byte
        }
    }
}

/// What an byte does at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// On to another place of the same literal.
    To(u32),
    /// Nothing is read of a literal that is searched: it may begin anywhere.
    Rests,
    /// The literal is complete; the next one is searched from this place on.
    Opens(u32),
    /// The pattern matches, whatever follows.
    Matches,
    /// The pattern cannot match any more.
    Dies,
}

/// One place in a pattern.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The pattern's number.
    pattern: u32,
    reads: Reads,
    /// The byte that leads on; `None` at the end of an anchored pattern.
    expects: Option<u8>,
    hit: Step,
    /// Where to look again where another byte came.
    miss: Step,
    /// Where the literal begins that is searched; `None` for the first one of a pattern, which is
    /// not searched.
    segment: Option<u32>,
}

/// The places of all patterns.
#[derive(Clone, Debug, Default)]
pub(super) struct Globs {
    places: Vec<Place>,
    /// Where each automaton begins.
    pub(super) begins: Vec<u32>,
    /// The patterns that match every path.
    pub(super) always: Vec<u32>,
    /// Whether a pattern has a `%` that begins no escape.
    pub(super) has_stray: bool,
}

impl Globs {
    /// Adds the automata of pattern number `pattern`: one for each form that can tell something of
    /// its own.
    pub(super) fn push(&mut self, pattern: u32, path: &PathPattern<'_>, folded: bool) {
        let forms = path.forms();
        let anchored = path.is_anchored();
        let reads = |second| Reads { second, folded };
        self.has_stray |= has_stray(&forms.c1);
        self.add(pattern, reads(false), &forms.c1, anchored);
        if forms.c2.is_some() || may_match_c2_alone(&forms.c1) {
            self.add(pattern, reads(true), forms.c2(), anchored);
        }
    }

    fn add(&mut self, pattern: u32, reads: Reads, bytes: &[u8], anchored: bool) {
        let segments: Vec<&[u8]> = bytes.split(|byte| *byte == b'*').collect();
        let begins_free = segments.len() > 1;
        let ends_free = segments.last().is_some_and(|last| last.is_empty()) && begins_free;
        let anchored = anchored && !ends_free;
        let first_is_searched = segments.first().is_some_and(|first| first.is_empty());
        let literals: Vec<&[u8]> = segments
            .into_iter()
            .filter(|literal| !literal.is_empty())
            .collect();
        if literals.is_empty() {
            self.always.push(pattern);
            return;
        }
        self.begins.push(number(self.places.len()));
        let count = literals.len();
        for (at, literal) in literals.into_iter().enumerate() {
            let place = Place {
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

    /// The places of one literal; of one that is searched, with the places to look again (Knuth,
    /// Morris, Pratt), such that no look is in vain.
    fn literal(&mut self, like: Place, literal: &[u8], searched: bool, ends: Ends) {
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
                (true, _) if literal.get(border) == Some(&byte) => self.miss_at(place(border)),
                (true, _) => Step::To(place(border)),
            };
            self.places.push(Place {
                expects: Some(byte),
                hit,
                miss,
                segment: searched.then_some(start),
                ..like
            });
            if at > 0 {
                border = next_border(self, start, border, byte, literal);
            }
        }
        if ends == Ends::WithPath {
            let miss = if searched {
                Step::To(place(border))
            } else {
                Step::Dies
            };
            self.places.push(Place {
                miss,
                segment: searched.then_some(start),
                ..like
            });
        }
    }

    fn miss_at(&self, place: u32) -> Step {
        self.at(place).map_or(Step::Dies, |place| place.miss)
    }

    fn at(&self, place: u32) -> Option<&Place> {
        self.places.get(place as usize)
    }

    /// What `byte` does at `place`, and how many places were looked at.
    pub(super) fn step(&self, place: u32, byte: u8) -> Step {
        let mut place = place;
        while let Some(here) = self.at(place) {
            match here.miss {
                _ if here.expects == Some(byte) => return here.hit,
                Step::To(border) => place = border,
                other => return other,
            }
        }
        Step::Dies
    }

    /// Shows every byte that does not lead to rest or death at `place`.
    pub(super) fn each_expected(&self, place: u32, mut see: impl FnMut(u8)) {
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

    /// The number of the pattern that a place belongs to.
    pub(super) fn pattern(&self, place: u32) -> u32 {
        self.at(place).map_or(u32::MAX, |place| place.pattern)
    }

    pub(super) fn reads(&self, place: u32) -> Reads {
        self.at(place).map_or(Reads::ALL[0], |place| place.reads)
    }

    /// Where the literal of a place begins, where it is searched.
    pub(super) fn segment(&self, place: u32) -> Option<u32> {
        self.at(place)?.segment
    }

    /// The byte that a place expects.
    pub(super) fn expects(&self, place: u32) -> Option<u8> {
        self.at(place)?.expects
    }

    /// Whether the pattern matches a path that ends here.
    pub(super) fn is_end(&self, place: u32) -> bool {
        self.at(place).is_some_and(|place| place.expects.is_none())
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }
}

/// What stands behind a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    /// A `*`, and another literal.
    OnStar,
    /// The end of the path.
    WithPath,
    /// Anything.
    Anyhow,
}

/// How long the longest border of a literal is when `byte` was added to it; it was `border` before.
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

/// Whether a pattern that is the same in both forms can match form C2 of a path and not its form
/// C1. In C2 a path has escapes where C1 has reserved bytes, so some literal must hold an escape,
/// or begin inside of one.
fn may_match_c2_alone(c1: &[u8]) -> bool {
    let mut literals = c1.split(|byte| *byte == b'*');
    c1.contains(&b'%')
        || literals
            .by_ref()
            .skip(1)
            .any(|literal| literal.first().is_some_and(u8::is_ascii_hexdigit))
}

/// Whether a literal has a `%` without two digits behind it.
fn has_stray(c1: &[u8]) -> bool {
    let begins_escape = |at: usize| {
        let digits = c1.get(at.saturating_add(1)..at.saturating_add(3));
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let mut percents = (0..c1.len()).filter(|at| c1.get(*at) == Some(&b'%'));
    percents.any(|at| !begins_escape(at))
}

/// Places are fewer than patterns have bytes, and files are read up to a limit far below.
pub(super) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
