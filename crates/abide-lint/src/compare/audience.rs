//! For whom something changes, in words.

use super::clients::NamedClient;
use super::files::Differences;
use super::phrase::Phrase;
use super::prominence;
use std::collections::BTreeSet;

/// The largest number of names in a sentence.
const NAMES: usize = 4;

const UNNAMED: &str = "every robot that neither file names";

/// The robots of a comparison.
pub(super) struct Audience<'d> {
    entries: Vec<ComparedRobots<'d>>,
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
            is_everyone: is_everyone && differences.left_out.is_empty(),
        }
    }

    /// Whom something concerns, as in "closed to every robot except A, which already was closed".
    /// `already` says in a few words what is special about an entry that is not concerned.
    pub(super) fn whom(
        &self,
        concerned: &BTreeSet<usize>,
        already: &dyn Fn(usize) -> bool,
    ) -> Phrase {
        let is_concerned = |at: usize| concerned.contains(&at);
        if !self.is_everyone || !self.includes_unnamed(concerned) {
            return self.named(concerned);
        }
        let own = self.names(&is_concerned);
        let purposes = self.purposes(&is_concerned);
        let unnamed = Phrase::default().words(UNNAMED);
        let others = |at: usize| {
            let entry = self.entries.get(at);
            !is_concerned(at) && entry.is_some_and(|one| !one.is_implied && one.is_complete)
        };
        let (changed, kept) = (
            self.names(&|at| others(at) && already(at)),
            self.names(&|at| others(at) && !already(at)),
        );
        let except = self.purposes(&others);
        let count = changed.len() + kept.len();
        if count == 0 && except.is_empty() {
            return Phrase::default().words("every robot");
        }
        if own.is_empty() && count > NAMES {
            return unnamed;
        }
        if count > own.len() && count > NAMES {
            return unnamed.words(", and also ").then(list(&own, &purposes));
        }
        let verb = if changed.len() == 1 { "was" } else { "were" };
        let suffix = format!(", which already {verb} closed");
        let phrase = Phrase::default().words("every robot except ");
        match (changed.is_empty(), kept.is_empty() && except.is_empty()) {
            (false, true) => phrase.then(list(&changed, &[])).words(&suffix),
            (true, _) => phrase.then(list(&kept, &except)),
            (false, false) => phrase
                .then(list(&kept, &except))
                .words(", and ")
                .then(list(&changed, &[]))
                .words(&suffix),
        }
    }

    /// Whom something concerns, without those whom it does not.
    pub(super) fn named(&self, concerned: &BTreeSet<usize>) -> Phrase {
        let is_concerned = |at: usize| concerned.contains(&at);
        let (own, purposes) = (self.names(&is_concerned), self.purposes(&is_concerned));
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
        let is_concerned = |at: usize| concerned.contains(&at);
        let names = self.names(&is_concerned).len() + 2 * self.purposes(&is_concerned).len();
        names != 1
    }

    /// Whether every robot that no line names is in a set of entries.
    pub(super) fn includes_unnamed(&self, concerned: &BTreeSet<usize>) -> bool {
        concerned.iter().any(|at| self.has_unnamed(*at))
    }

    fn has_unnamed(&self, at: usize) -> bool {
        self.entries.get(at).is_some_and(|entry| entry.has_unnamed)
    }

    fn names(&self, which: &dyn Fn(usize) -> bool) -> Vec<&'d str> {
        let entries = self.entries.iter().enumerate();
        let entries = entries.filter(|(at, _)| which(*at));
        let mut names: Vec<&str> = entries
            .flat_map(|(_, entry)| entry.names.iter().copied())
            .collect();
        names.sort_by_cached_key(|name| prominence(name));
        names
    }

    fn purposes(&self, which: &dyn Fn(usize) -> bool) -> Vec<&'d str> {
        let entries = self.entries.iter().enumerate();
        let entries = entries.filter(|(at, entry)| which(*at) && !entry.has_unnamed);
        entries
            .flat_map(|(_, entry)| entry.purposes.iter().copied())
            .collect()
    }
}

/// Names as a list: the first ones, and how many more.
pub(super) fn list(names: &[&str], purposes: &[&str]) -> Phrase {
    let names = names.iter().map(|name| Phrase::default().name(name));
    let purposes = purposes.iter().map(|purpose| {
        Phrase::default()
            .words("robots with the purpose ")
            .name(purpose)
    });
    let all: Vec<Phrase> = names.chain(purposes).collect();
    let more = all.len().saturating_sub(NAMES);
    // "and 1 more" is no shorter than the name.
    let most = if more == 1 { NAMES + 1 } else { NAMES };
    let more = all.len().saturating_sub(most);
    let last = all.len().saturating_sub(1);
    let mut phrase = Phrase::default();
    for (at, one) in all.into_iter().take(most).enumerate() {
        phrase = match at {
            0 => phrase,
            _ if at == last => phrase.words(" and "),
            _ => phrase.words(", "),
        };
        phrase = phrase.then(one);
    }
    match more {
        0 => phrase,
        more => phrase.words(&format!(" and {more} more")),
    }
}
