//! For whom something changes, in words.

use super::clients::NamedClient;
use super::files::Differences;
use super::prominence;
use crate::words::Phrase;
use std::collections::BTreeSet;

/// The largest number of names in a sentence.
const MAX_NAMES: usize = 4;

const UNNAMED: &str = "every robot that neither file names";
const EVERY_ROBOT_EXCEPT: &str = "every robot except ";

/// The robots of a comparison.
pub(super) struct Audience<'d> {
    entries: Vec<ComparedRobots<'d>>,
    /// The entries that the new file has a group for.
    with_own_group: BTreeSet<usize>,
    /// Whether the robots of the comparison are all that the files can distinguish.
    is_everyone: bool,
}

/// Robots that share a comparison.
#[derive(Default)]
struct ComparedRobots<'d> {
    /// The names that people expect: those in a file, or else those that are implied.
    names: Vec<&'d str>,
    /// Whether all names are implied.
    is_implied: bool,
    purposes: Vec<&'d str>,
    /// Whether every robot that no line names belongs here.
    has_unnamed: bool,
    is_complete: bool,
}

impl<'d> ComparedRobots<'d> {
    fn new(clients: &'d [NamedClient], is_complete: bool) -> Self {
        let mut entry = Self {
            is_complete,
            ..Self::default()
        };
        let mut implied = Vec::new();
        for client in clients {
            match (&client.agent, &client.purpose) {
                (Some(name), _) if client.is_implied => implied.push(name.as_str()),
                (Some(name), _) => entry.names.push(name),
                (None, Some(purpose)) => entry.purposes.push(purpose),
                (None, None) => entry.has_unnamed = true,
            }
        }
        // Implied names stand for the entry only if nobody in it has a name that people wrote.
        if entry.names.is_empty() && !entry.has_unnamed {
            entry.is_implied = !implied.is_empty();
            entry.names = implied;
        }
        entry
    }
}

impl<'d> Audience<'d> {
    pub(super) fn new(differences: &'d Differences, is_everyone: bool) -> Self {
        let clients = differences.clients.iter();
        Self {
            entries: clients
                .map(|one| ComparedRobots::new(&one.clients, one.comparison.is_complete))
                .collect(),
            with_own_group: BTreeSet::new(),
            // "Every robot" would be false if some were not compared.
            is_everyone: is_everyone && differences.left_out.is_empty(),
        }
    }

    /// Notes which entries the new file has a group for.
    pub(super) fn with_own_groups(mut self, entries: BTreeSet<usize>) -> Self {
        self.with_own_group = entries;
        self
    }

    /// Whom something concerns, and why the others are not: "every robot except A, which has its
    /// own group".
    pub(super) fn whom_with_reason(&self, concerned: &BTreeSet<usize>) -> Phrase {
        let whom = self.whom(concerned, &|_| false);
        let is_exception = |at: &usize| {
            let entry = self.entries.get(*at);
            let listed = |one: &&ComparedRobots<'_>| !one.is_implied && one.is_complete;
            // An entry that was not compared to the end may be concerned, so it is no exception.
            !concerned.contains(at) && entry.as_ref().is_some_and(listed)
        };
        let others: Vec<usize> = (0..self.entries.len()).filter(is_exception).collect();
        let names = self.names(&others).len();
        let mut entries = others.iter().filter_map(|at| self.entries.get(*at));
        let has_reason = others.iter().all(|at| self.with_own_group.contains(at))
            && entries.all(|one| one.purposes.is_empty());
        // The reason is about the names after "except", so it needs that list.
        let has_list = whom.begins_with(EVERY_ROBOT_EXCEPT);
        match (has_list && has_reason, names) {
            (true, 1) => whom.words(", which has its own group"),
            (true, 2..) => whom.words(", which have their own groups"),
            _ => whom,
        }
    }

    /// Whether an entry has names of control tokens only, which send no requests.
    pub(super) fn is_control_token(&self, at: usize) -> bool {
        let tokens = |entry: &ComparedRobots<'_>| {
            let mut names = entry.names.iter();
            !entry.has_unnamed
                && entry.purposes.is_empty()
                && !entry.names.is_empty()
                && names.all(|name| is_control_token(name))
        };
        self.entries.get(at).is_some_and(tokens)
    }

    /// The robots that fetch pages for the control tokens of entries, in lower case.
    pub(super) fn fetchers_for(&self, entries: &BTreeSet<usize>) -> BTreeSet<String> {
        let entries = entries.iter().filter_map(|at| self.entries.get(*at));
        let names = entries.flat_map(|entry| &entry.names);
        let tokens = names.filter_map(|name| abide_known_robots::named(name));
        let fetchers = tokens.flat_map(|token| token.fetchers);
        fetchers.map(|name| name.to_ascii_lowercase()).collect()
    }

    /// Whether an entry is only of robots with these names, which are in lower case.
    pub(super) fn are_among(&self, at: usize, robots: &BTreeSet<String>) -> bool {
        self.entries.get(at).is_some_and(|entry| {
            let mut names = entry.names.iter();
            !entry.has_unnamed
                && !entry.names.is_empty()
                && names.all(|name| robots.contains(&name.to_ascii_lowercase()))
        })
    }

    /// Whom something concerns, as in "every robot except A, for which it already was disallowed".
    /// `already` says in a few words what is special about an entry that is not concerned.
    pub(super) fn whom(
        &self,
        concerned: &BTreeSet<usize>,
        already: &dyn Fn(usize) -> bool,
    ) -> Phrase {
        if !self.is_everyone || !self.includes_unnamed(concerned) {
            return self.named(concerned);
        }
        let own = self.names(concerned);
        let purposes = self.purposes(concerned);
        let unnamed = Phrase::default().words(UNNAMED);
        let entries = self.entries.iter().enumerate();
        let others = entries
            .filter(|(at, one)| !concerned.contains(at) && !one.is_implied && one.is_complete);
        let others: Vec<usize> = others.map(|(at, _)| at).collect();
        let except = self.purposes(&others);
        let (changed, kept): (Vec<_>, Vec<_>) = others.iter().partition(|at| already(**at));
        let (changed, kept) = (self.names(changed), self.names(kept));
        let count = changed.len() + kept.len();
        if count == 0 && except.is_empty() {
            return Phrase::default().words("every robot");
        }
        // A list of exceptions that nobody reads says less than "every robot that neither file
        // names".
        if own.is_empty() && count > MAX_NAMES {
            return unnamed;
        }
        if count > own.len() && count > MAX_NAMES {
            return unnamed.words(", and also ").then(list(&own, &purposes));
        }
        let suffix = ", for which it already was disallowed";
        let phrase = Phrase::default().words(EVERY_ROBOT_EXCEPT);
        match (changed.is_empty(), kept.is_empty() && except.is_empty()) {
            (false, true) => phrase.then(list(&changed, &[])).words(suffix),
            (true, _) => phrase.then(list(&kept, &except)),
            (false, false) => phrase
                .then(list(&kept, &except))
                .words(", and ")
                .then(list(&changed, &[]))
                .words(suffix),
        }
    }

    /// Whom something concerns, without those whom it does not.
    pub(super) fn named(&self, concerned: &BTreeSet<usize>) -> Phrase {
        let (own, purposes) = (self.names(concerned), self.purposes(concerned));
        let unnamed = Phrase::default().words(UNNAMED);
        match (
            self.includes_unnamed(concerned),
            own.is_empty() && purposes.is_empty(),
        ) {
            (false, _) => list(&own, &purposes),
            (true, true) => unnamed,
            (true, false) => unnamed.words(", and also ").then(list(&own, &purposes)),
        }
    }

    /// Whether [`whom`](Self::whom) takes a verb in the plural, unlike "every robot".
    pub(super) fn is_plural(&self, concerned: &BTreeSet<usize>) -> bool {
        if self.includes_unnamed(concerned) {
            return false;
        }
        // "Robots with the purpose x" is a plural by itself.
        let names = self.names(concerned).len() + 2 * self.purposes(concerned).len();
        names != 1
    }

    /// Whether every robot that no line names is in a set of entries.
    pub(super) fn includes_unnamed(&self, concerned: &BTreeSet<usize>) -> bool {
        concerned.iter().any(|at| self.has_unnamed(*at))
    }

    fn has_unnamed(&self, at: usize) -> bool {
        self.entries.get(at).is_some_and(|entry| entry.has_unnamed)
    }

    /// The names of entries, those that people look for first.
    pub(super) fn names<'a>(&self, entries: impl IntoIterator<Item = &'a usize>) -> Vec<&'d str> {
        let entries = entries.into_iter().filter_map(|at| self.entries.get(*at));
        let mut names: Vec<&str> = entries
            .flat_map(|entry| entry.names.iter().copied())
            .collect();
        names.sort_by_cached_key(|name| prominence(name));
        names
    }

    fn purposes<'a>(&self, entries: impl IntoIterator<Item = &'a usize>) -> Vec<&'d str> {
        let entries = entries.into_iter().filter_map(|at| self.entries.get(*at));
        // There, "every robot" includes those with a purpose.
        let entries = entries.filter(|entry| !entry.has_unnamed);
        entries
            .flat_map(|entry| entry.purposes.iter().copied())
            .collect()
    }
}

/// Whether a name is that of a control token, which sends no requests.
pub(super) fn is_control_token(name: &str) -> bool {
    let known = abide_known_robots::named(name);
    known.is_some_and(abide_known_robots::KnownRobot::is_control_token)
}

/// Names as a list: the first ones, and how many more.
pub(super) fn list(names: &[&str], purposes: &[&str]) -> Phrase {
    let names = names.iter().map(|name| Phrase::default().name(name));
    let purposes = purposes.iter().map(|purpose| {
        Phrase::default()
            .words("robots with the purpose ")
            .name(purpose)
    });
    Phrase::default().list(names.chain(purposes).collect(), MAX_NAMES, " and ", "")
}
