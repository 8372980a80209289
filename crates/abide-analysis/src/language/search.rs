//! Finds the paths that two files may treat differently, breadth first, so that the shortest are
//! found first.
//!
//! A state of the search is everything about the bytes read so far that can matter for the rest:
//! how far each pattern has matched, and which patterns match whatever follows. Two paths in the
//! same state have the same future, so each state is visited once, and there are finitely many. A
//! [`Contest`] says which of this cannot change an answer, and the search drops it.

use super::alphabet::{Alphabet, Set, Spelling};
use super::glob::{Globs, Reads, Step};
use crate::bound::Work;
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;
use std::rc::Rc;

/// What patterns mean to two files: which paths are worth asking the engine about.
pub(crate) trait Contest {
    /// Removes the matching patterns that can no longer change an answer.
    fn reduce(&self, matched: &mut Vec<u32>);

    /// Whether an answer can change if `pattern` matches as well.
    fn matters(&self, matched: &[u32], pattern: u32) -> bool;

    /// Whether the files may differ if the patterns in `matched` match and any of the patterns in
    /// `open`. May return true although they do not differ.
    fn may_differ(&self, matched: &[u32], open: &mut dyn Iterator<Item = u32>) -> bool;

    /// Whether the files may differ if exactly these patterns match.
    fn differs(&self, matched: &[u32]) -> bool;

    /// How many times a state has to be looked at, for each byte.
    fn passes(&self) -> u64 {
        1
    }
}

/// Literals that are being searched and may begin anywhere. States share these sets.
#[derive(Debug, Default)]
struct Open {
    /// Where each literal begins, sorted.
    starts: Vec<u32>,
    /// The starts, by the text that is read and the byte that is expected.
    by_byte: Vec<(Reads, u8, u32)>,
    /// The expected bytes, for each of the four texts.
    expected: [Set; 4],
    reads_second: bool,
}

impl Open {
    fn new(starts: Vec<u32>, globs: &Globs) -> Self {
        let mut open = Self::default();
        for &start in &starts {
            let reads = globs.reads(start);
            if let Some(byte) = globs.expects(start) {
                open.by_byte.push((reads, byte, start));
                for (kind, expected) in Reads::ALL.iter().zip(&mut open.expected) {
                    if *kind == reads {
                        expected.insert(byte);
                    }
                }
            }
            open.reads_second |= reads.second;
        }
        open.by_byte.sort_unstable();
        open.starts = starts;
        open
    }

    fn beginning_with(&self, reads: Reads, byte: u8) -> impl Iterator<Item = u32> {
        let key = |entry: &(Reads, u8, u32)| (entry.0, entry.1);
        let from = self
            .by_byte
            .partition_point(|entry| key(entry) < (reads, byte));
        let rest = self.by_byte.get(from..).unwrap_or_default().iter();
        rest.take_while(move |entry| key(entry) == (reads, byte))
            .map(|entry| entry.2)
    }
}

/// Interns lists of numbers.
#[derive(Debug)]
struct Interner<T> {
    numbers: HashMap<Rc<[u32]>, u32>,
    items: Vec<T>,
    /// Work for lists added since this was last counted.
    added: u64,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self {
            numbers: HashMap::new(),
            items: Vec::new(),
            added: 0,
        }
    }
}

impl<T> Interner<T> {
    fn number(&mut self, list: &[u32], make: impl FnOnce(Vec<u32>) -> T) -> u32 {
        if let Some(&number) = self.numbers.get(list) {
            return number;
        }
        let number = super::glob::number(self.items.len());
        self.numbers.insert(list.into(), number);
        self.items.push(make(list.to_vec()));
        self.added += 16 + list.len() as u64 * 4;
        number
    }

    fn get(&self, number: u32) -> Option<&T> {
        self.items.get(number as usize)
    }
}

/// A state as one list: the numbers of its open literals, of its matching patterns and of its
/// spelling, then the places of the patterns, sorted.
type StateKey = Rc<[u32]>;

/// A state, read from its list.
struct State<'k> {
    open: Rc<Open>,
    matched: Rc<[u32]>,
    spelling: Spelling,
    moving: &'k [u32],
}

/// What a byte changed: the open literals and the matching patterns.
#[derive(Default)]
struct Changes {
    moving: Vec<u32>,
    opened: Vec<u32>,
    closed: Vec<u32>,
    matched: Vec<u32>,
}

/// A search, and what it has found so far.
pub(crate) struct Search<'s, C> {
    globs: &'s Globs,
    alphabet: &'s Alphabet,
    contest: &'s C,
    kinds: Vec<Reads>,
    opens: Interner<Rc<Open>>,
    matches: Interner<Rc<[u32]>>,
    seen: HashSet<StateKey>,
    queue: VecDeque<(StateKey, u32)>,
    /// For each state, the state and the byte from which it was first reached.
    reached: Vec<(u32, u8)>,
    /// Work for memory used since this was last counted.
    kept: u64,
}

impl<'s, C: Contest> Search<'s, C> {
    pub(crate) fn new(globs: &'s Globs, alphabet: &'s Alphabet, contest: &'s C) -> Self {
        let used = |kind: &Reads| {
            globs
                .begins
                .iter()
                .any(|begin| globs.reads(*begin) == *kind)
        };
        Self {
            globs,
            alphabet,
            contest,
            kinds: Reads::ALL.into_iter().filter(used).collect(),
            opens: Interner::default(),
            matches: Interner::default(),
            seen: HashSet::new(),
            queue: VecDeque::new(),
            reached: Vec::new(),
            kept: 0,
        }
    }

    /// Passes to the caller every set of patterns that match some path and may make a difference,
    /// once each, with a shortest such path in form C1 that a client may send, until it breaks off.
    /// Returns false if the allowed work was spent before the end.
    pub(crate) fn run(
        &mut self,
        work: &mut Work,
        mut found: impl FnMut(&mut Work, &[u32], &str) -> ControlFlow<()>,
    ) -> bool {
        let start = self.start();
        // Every path begins with a slash.
        let Some(first) = self.after(&start, b'/') else {
            return true;
        };
        self.reach(first, 0, b'/');
        let mut seen: HashSet<Vec<u32>> = HashSet::new();
        while let Some((key, number)) = self.queue.pop_front() {
            let matched = self.matched_at_end(&key);
            let may_end = self
                .state(&key)
                .is_some_and(|state| state.spelling.may_end());
            // The same patterns give the same answers. Only the first path, a shortest one, is
            // worth asking.
            if may_end && self.contest.differs(&matched) && !seen.contains(&matched) {
                if found(work, &matched, &self.path(number)).is_break() {
                    return true;
                }
                seen.insert(matched);
            }
            for byte in self.bytes(&key) {
                // Paid before the step: a state can be as large as all patterns together.
                if !work.spend(self.cost(&key) + std::mem::take(&mut self.kept)) {
                    return false;
                }
                if let Some(next) = self.after(&key, byte) {
                    self.reach(next, number, byte);
                }
            }
        }
        true
    }

    /// The work for one byte: places visited, and memory used.
    fn cost(&self, key: &[u32]) -> u64 {
        let open = key.first().and_then(|number| self.opens.get(*number));
        let open = open.map_or(0, |open| open.starts.len());
        16 + (key.len() as u64 * 4 + open as u64) * self.contest.passes()
    }

    fn reach(&mut self, key: StateKey, from: u32, byte: u8) {
        // The future depends on the state alone, so a second way to it finds nothing new.
        if self.seen.insert(Rc::clone(&key)) {
            let number = super::glob::number(self.reached.len());
            self.reached.push((from, byte));
            self.queue.push_back((key, number));
        }
    }

    /// The path by which a state was reached first.
    fn path(&self, number: u32) -> String {
        let (mut number, mut bytes) = (number, Vec::new());
        while let Some(&(from, byte)) = self.reached.get(number as usize) {
            bytes.push(byte);
            if number == 0 {
                break;
            }
            number = from;
        }
        bytes.reverse();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn start(&mut self) -> StateKey {
        let (open, moving): (Vec<u32>, Vec<u32>) = self
            .globs
            .begins
            .iter()
            // A pattern that begins with `*` is searched for from the start. Others have to begin
            // here.
            .partition(|begin| self.globs.segment(**begin).is_some());
        let mut matched = self.globs.always.clone();
        matched.sort_unstable();
        matched.dedup();
        self.contest.reduce(&mut matched);
        self.key(open, &matched, Spelling::default(), &moving)
    }

    fn key(
        &mut self,
        mut open: Vec<u32>,
        matched: &[u32],
        spelling: Spelling,
        moving: &[u32],
    ) -> StateKey {
        // Sorted, so that the same set is the same list, and the same state.
        open.sort_unstable();
        let globs = self.globs;
        let open = self
            .opens
            .number(&open, |starts| Rc::new(Open::new(starts, globs)));
        let matched = self.matches.number(matched, Rc::from);
        self.kept +=
            std::mem::take(&mut self.opens.added) + std::mem::take(&mut self.matches.added);
        [open, matched, spelling.number()]
            .iter()
            .chain(moving)
            .copied()
            .collect()
    }

    fn state<'k>(&self, key: &'k [u32]) -> Option<State<'k>> {
        let [open, matched, spelling, moving @ ..] = key else {
            return None;
        };
        Some(State {
            open: Rc::clone(self.opens.get(*open)?),
            matched: Rc::clone(self.matches.get(*matched)?),
            spelling: Spelling::of(*spelling),
            moving,
        })
    }

    /// The patterns that match a path that ends here.
    fn matched_at_end(&self, key: &[u32]) -> Vec<u32> {
        let Some(state) = self.state(key) else {
            return Vec::new();
        };
        let mut all = state.matched.to_vec();
        let ends = state
            .moving
            .iter()
            .filter(|place| self.globs.is_end(**place));
        all.extend(ends.map(|place| self.globs.pattern(*place)));
        all.sort_unstable();
        all.dedup();
        self.contest.reduce(&mut all);
        all
    }

    /// The bytes to try: every byte that some pattern distinguishes, and one for all others.
    fn bytes(&self, key: &[u32]) -> Vec<u8> {
        let Some(state) = self.state(key) else {
            return Vec::new();
        };
        let spelling = state.spelling;
        let distinct = self.told_apart(&state);
        let in_escape = spelling.is_in_escape();
        let may_follow = |byte: &&u8| self.alphabet.read(spelling, **byte).is_some();
        let is_digit = |byte: &u8| in_escape && byte.is_ascii_hexdigit();
        let mut others = Vec::new();
        let mut bytes = Vec::new();
        for &byte in self.alphabet.readable().iter().filter(may_follow) {
            if distinct.has(byte) {
                bytes.push(byte);
            } else {
                others.push(byte);
            }
        }
        // One byte stands for all that no pattern tells apart. In an escape not a digit, which goes
        // on with the escape.
        let plain = others.iter().copied().find(|byte| !is_digit(byte));
        bytes.extend(plain.or_else(|| others.first().copied()));
        if in_escape && self.globs.has_stray {
            // The digit after a stray "%" decides which escapes may follow.
            bytes.extend(others.iter().copied().filter(is_digit));
        }
        bytes.dedup();
        bytes
    }

    /// The bytes that some pattern distinguishes.
    fn told_apart(&self, state: &State<'_>) -> Set {
        let State {
            open,
            spelling,
            moving,
            ..
        } = state;
        let mut expected = open.expected;
        for &place in *moving {
            let reads = self.globs.reads(place);
            for (kind, expected) in Reads::ALL.iter().zip(&mut expected) {
                if *kind == reads {
                    self.globs
                        .each_expected(place, |byte| expected.insert(byte));
                }
            }
        }
        let (mut distinct, mut second) = (Set::default(), Set::default());
        for (kind, expected) in Reads::ALL.iter().zip(&expected) {
            let both_cases = if kind.folded {
                expected.in_both_cases()
            } else {
                *expected
            };
            distinct.extend(&both_cases);
            if kind.second {
                second.extend(&both_cases);
            }
        }
        // Form C2 writes a reserved byte as an escape, and some pattern waits for a part of one.
        if !second.is_disjoint(&Set::IN_ESCAPES) {
            self.alphabet.add_encoded(*spelling, &mut distinct);
        }
        let reads_second = open.reads_second || self.read_second(moving);
        // After the first `?` form C2 encodes other bytes.
        if reads_second && !spelling.is_in_query() {
            distinct.insert(b'?');
        }
        if self.globs.has_stray {
            distinct.insert(b'%');
        }
        distinct
    }

    fn read_second(&self, places: &[u32]) -> bool {
        places.iter().any(|place| self.globs.reads(*place).second)
    }

    /// The state after `byte`; `None` if the byte is impossible there, or no difference can follow.
    fn after(&mut self, key: &[u32], byte: u8) -> Option<StateKey> {
        let State {
            open,
            matched,
            spelling,
            moving,
        } = self.state(key)?;
        let after = self.alphabet.read(spelling, byte)?;
        let mut changes = Changes::default();
        for &reads in &self.kinds {
            let (written, len) = self.alphabet.written(spelling, byte, reads);
            let own = moving.iter().copied();
            let mut places: Vec<u32> = own
                .filter(|place| self.globs.reads(*place) == reads)
                .collect();
            // One byte of form C1 can be the three bytes of an escape in form C2.
            for &byte in written.iter().take(len) {
                places = self.read(reads, &places, byte, &open, &mut changes);
            }
            changes.moving.extend(places);
        }
        self.settle(&open, &matched, after, changes)
    }

    /// Reads one byte of one of the texts.
    fn read(
        &self,
        reads: Reads,
        places: &[u32],
        byte: u8,
        open: &Open,
        changes: &mut Changes,
    ) -> Vec<u32> {
        let mut next = Vec::with_capacity(places.len());
        let mut busy: Vec<u32> = places
            .iter()
            .filter_map(|place| self.globs.segment(*place))
            .collect();
        // A literal that is being read must not begin a second time: its automaton knows where it
        // restarts.
        busy.sort_unstable();
        // In form C2 a literal can be opened by one byte of an escape, and begin with the next.
        let opened = changes.opened.iter().copied();
        let opened = opened.filter(|start| {
            self.globs.reads(*start) == reads && self.globs.expects(*start) == Some(byte)
        });
        let at_rest = open.beginning_with(reads, byte).chain(opened);
        let at_rest: Vec<u32> = at_rest
            .filter(|start| busy.binary_search(start).is_err() && !changes.closed.contains(start))
            .collect();
        for &place in places.iter().chain(&at_rest) {
            match self.globs.step(place, byte) {
                Step::To(place) => next.push(place),
                Step::Opens(start) => {
                    // Found at its first place, as the engine does. Later places can only leave
                    // less room.
                    changes.closed.extend(self.globs.segment(place));
                    changes.opened.push(start);
                }
                Step::Matches => changes.matched.push(self.globs.pattern(place)),
                Step::Rests | Step::Dies => {}
            }
        }
        next
    }

    /// Makes a state from what was read, without anything that cannot matter any more.
    fn settle(
        &mut self,
        open: &Open,
        matched: &[u32],
        spelling: Spelling,
        changes: Changes,
    ) -> Option<StateKey> {
        let Changes {
            mut moving,
            opened,
            mut closed,
            matched: new,
        } = changes;
        closed.sort_unstable();
        let is_open = |start: &u32| closed.binary_search(start).is_err();
        let mut starts: Vec<u32> = open
            .starts
            .iter()
            .chain(&opened)
            .copied()
            .filter(is_open)
            .collect();
        let mut all = matched.to_vec();
        if !new.is_empty() {
            all.extend(&new);
            all.sort_unstable();
            all.dedup();
            self.contest.reduce(&mut all);
            let matters = |place: &u32| {
                let pattern = self.globs.pattern(*place);
                // What matches already is not searched for any more.
                !new.contains(&pattern) && self.contest.matters(&all, pattern)
            };
            starts.retain(matters);
            moving.retain(matters);
        }
        let patterns = starts
            .iter()
            .chain(&moving)
            .map(|place| self.globs.pattern(*place));
        if !self.contest.may_differ(&all, &mut { patterns }) {
            return None;
        }
        moving.sort_unstable();
        let reads_second = self.read_second(&moving) || self.read_second(&starts);
        // Fewer states: without an automaton of form C2 nobody asks whether this is the query.
        let spelling = if reads_second {
            spelling
        } else {
            spelling.without_query()
        };
        Some(self.key(starts, &all, spelling, &moving))
    }
}
