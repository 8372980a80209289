//! Finds the lines of a file that can matter to one client, without reading the others: for tools
//! that ask for thousands of clients.

use super::document::{Group, Line, Robots};
use super::preference_lines::preference_vocabulary;
use super::scan::{Addressing, Level};
use crate::client::Client;
use crate::profile::Profile;
use crate::rep::field::{Field, FieldKind, google_space};
use crate::rep::token::{AgentKey, is_any, is_unusable};
use crate::text::{is_blank, offset};
use std::collections::BTreeMap;

/// What a caller wants to know of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Which groups count.
    Groups,
    /// Also what they say.
    Outcomes,
    /// Also what does not count, and why.
    Evidence,
}

/// The lines that start groups, by whom they name, and the lines that are for every client. Lines
/// are indices of [`Robots::lines`].
#[derive(Clone, Debug, Default)]
pub(super) struct Starters {
    agents: BTreeMap<AgentKey, Vec<u32>>,
    /// By the value in lower case.
    purposes: BTreeMap<Vec<u8>, Vec<u32>>,
    /// The groups for `*`, and in order the lines that show where they are and that they are.
    any_groups: Vec<u32>,
    any: Vec<u32>,
    sitemaps: Vec<u32>,
    /// Lines with a field before the first group that may mean something there.
    outside: Vec<u32>,
    /// The lines of AI preferences, and of their groups what opens and ends them: what they state
    /// is evidence for every client (CLA-25).
    stating: Vec<u32>,
    pub(super) has_directives: bool,
}

impl Starters {
    pub(super) fn of(robots: &Robots) -> Self {
        let text = robots.text().as_bytes();
        let is_google = robots.profile() == Profile::Google;
        let blank: fn(u8) -> bool = if is_google { google_space } else { is_blank };
        let mut starters = Self::default();
        for (at, line) in robots.lines().iter().enumerate() {
            let at = offset(at);
            let Some(field) = line.field() else { continue };
            let value = field.value.of(text);
            match (field.kind, line.group) {
                (FieldKind::UserAgent, Some(group)) => {
                    if is_any(value, blank) && (is_google || !is_unusable(value)) {
                        starters.any.push(at);
                        starters.any_groups.push(offset(group));
                    }
                    for key in AgentKey::of_value(value) {
                        starters.agents.entry(key).or_default().push(at);
                    }
                }
                (FieldKind::UserAgentPurpose, _) => {
                    let key = value.to_ascii_lowercase();
                    starters.purposes.entry(key).or_default().push(at);
                }
                (FieldKind::AppDirectives, _) => starters.has_directives = true,
                (FieldKind::Sitemap, _) => starters.sitemaps.push(at),
                _ => {}
            }
            let states = field.kind == FieldKind::Other && states_preference(field.key.of(text));
            let means_nothing = match field.kind {
                FieldKind::Acap => true,
                FieldKind::Other => !states,
                _ => false,
            };
            if line.group.is_none() && !means_nothing {
                starters.outside.push(at);
            }
            if states {
                starters.stating.push(at);
                let group = line.group.and_then(|group| robots.groups().get(group));
                let bounds = group.map(bounds).into_iter().flatten();
                starters.stating.extend(bounds.map(|at| offset(*at)));
            }
        }
        starters.stating.sort_unstable();
        starters.stating.dedup();
        starters.any_groups.dedup();
        for group in &starters.any_groups {
            let group = robots.groups().get(*group as usize);
            let bounds = group.map(bounds).into_iter().flatten();
            starters.any.extend(bounds.map(|at| offset(*at)));
        }
        starters.any.sort_unstable();
        starters.any.dedup();
        starters
    }

    /// The lines that may address the client by a name or a purpose.
    fn naming(&self, client: &Client) -> impl Iterator<Item = u32> {
        let names = client.group_names();
        let tokens = names.filter_map(|token| self.agents.get(&AgentKey::of(token)));
        let purposes = client.purposes().iter();
        let purposes = purposes.filter_map(|one| {
            self.purposes
                .get(one.as_str().to_ascii_lowercase().as_bytes())
        });
        tokens.chain(purposes).flatten().copied()
    }

    /// The lines to read for a client, in order: those of the groups that count, of other groups
    /// that address it what opens and ends them, and what is for every client.
    pub(super) fn lines_for(&self, robots: &Robots, client: &Client, wanted: Wanted) -> Vec<usize> {
        let text = robots.text().as_bytes();
        let line = |at: u32| robots.lines().get(at as usize);
        let addressing = Addressing::new(client);
        let mut levels: BTreeMap<usize, Level> = BTreeMap::new();
        let mut read: Vec<usize> = Vec::new();
        for at in self.naming(client) {
            let named = line(at).and_then(|line| Some((line.field()?, line.group?)));
            let Some((Field { kind, value, .. }, group)) = named else {
                continue;
            };
            let level = addressing.level_of(*kind, value.of(text));
            if level != Level::NONE {
                let strongest = levels.entry(group).or_insert(level);
                *strongest = level.min(*strongest);
                read.push(at as usize);
            }
        }
        let strongest = levels.values().min().copied();
        if client.any_group() && (wanted == Wanted::Evidence || strongest.is_none()) {
            read.extend(self.any.iter().map(|at| *at as usize));
        }
        let mut chosen: Vec<&Group> = Vec::new();
        if strongest.is_none() && client.any_group() {
            let groups = self.any_groups.iter();
            chosen.extend(groups.filter_map(|at| robots.groups().get(*at as usize)));
        }
        for (group, level) in levels {
            let Some(group) = robots.groups().get(group) else {
                continue;
            };
            read.extend(bounds(group));
            if Some(level) == strongest {
                chosen.push(group);
            }
        }
        if wanted == Wanted::Evidence {
            read.extend(self.sitemaps.iter().map(|at| *at as usize));
        }
        if wanted != Wanted::Groups {
            read.extend(self.outside.iter().map(|at| *at as usize));
            read.extend(chosen.iter().flat_map(|group| &group.rules));
            read.extend(chosen.iter().flat_map(|group| &group.others));
        }
        read.sort_unstable();
        read.dedup();
        read
    }

    /// These lines, and those that matter for the preferences of every client, in order.
    pub(super) fn with_stating(&self, lines: &[usize]) -> Vec<usize> {
        let stating = self.stating.iter().map(|at| *at as usize);
        let mut all: Vec<usize> = lines.iter().copied().chain(stating).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

fn states_preference(key: &[u8]) -> bool {
    preference_vocabulary(key).is_some()
}

/// The lines that open and end a group. Without any rule, the next group would be part of it.
fn bounds(group: &Group) -> impl Iterator<Item = &usize> {
    group
        .starters
        .first()
        .into_iter()
        .chain(group.rules.first())
}

/// The fields of these lines, with the numbers of the lines.
pub(super) fn fields<'r>(
    robots: &'r Robots,
    lines: &'r [usize],
) -> impl Iterator<Item = (&'r Field, u32)> {
    let lines = lines.iter().filter_map(|at| robots.lines().get(*at));
    lines.filter_map(|line: &Line| Some((line.field()?, line.number)))
}
