//! Finds the lines of a file that can matter to one client, without reading the others: for tools
//! that ask for thousands of clients.

use super::document::{Line, Robots};
use super::scan::{Addressing, Level};
use crate::client::Client;
use crate::rep::field::{Field, FieldKind};
use crate::rep::token::{AgentKey, is_any};
use crate::text::offset;
use std::collections::BTreeMap;

/// The lines that start groups, by whom they name, and the lines that are for every client. Lines
/// are indices of [`Robots::lines`].
#[derive(Clone, Debug, Default)]
pub(super) struct Starters {
    agents: BTreeMap<AgentKey, Vec<u32>>,
    /// By the value in lower case.
    purposes: BTreeMap<Vec<u8>, Vec<u32>>,
    any: Vec<u32>,
    sitemaps: Vec<u32>,
    /// Lines with a field before the first group.
    outside: Vec<u32>,
    pub(super) has_directives: bool,
}

impl Starters {
    pub(super) fn of(robots: &Robots) -> Self {
        let text = robots.text().as_bytes();
        let mut starters = Self::default();
        for (at, line) in robots.lines().iter().enumerate() {
            let at = offset(at);
            let Some(field) = line.field() else { continue };
            let value = field.value.of(text);
            match field.kind {
                FieldKind::UserAgent => {
                    // The profiles know other blanks behind the star.
                    if is_any(value, |byte| !byte.is_ascii_graphic()) {
                        starters.any.push(at);
                    }
                    for key in AgentKey::of_value(value) {
                        starters.agents.entry(key).or_default().push(at);
                    }
                }
                FieldKind::UserAgentPurpose => {
                    let key = value.to_ascii_lowercase();
                    starters.purposes.entry(key).or_default().push(at);
                }
                FieldKind::AppDirectives => starters.has_directives = true,
                FieldKind::Sitemap => starters.sitemaps.push(at),
                _ => {}
            }
            if line.group.is_none() && field.kind != FieldKind::Acap {
                starters.outside.push(at);
            }
        }
        starters
    }

    /// The lines that may address the client.
    fn naming(&self, client: &Client) -> impl Iterator<Item = u32> {
        let tokens = client.product_tokens().iter();
        let tokens = tokens.filter_map(|token| self.agents.get(&AgentKey::of(token)));
        let purposes = client.purposes().iter();
        let purposes = purposes.filter_map(|one| {
            self.purposes
                .get(one.as_str().to_ascii_lowercase().as_bytes())
        });
        let any = client.any_group().then_some(&self.any);
        tokens.chain(purposes).chain(any).flatten().copied()
    }

    /// The lines to read for a client, in order: those of the groups that count, of other groups
    /// that address it what opens and ends them, and what is for every client. `with_rules` says
    /// whether the rules of the groups that count are among them, and their other records.
    pub(super) fn lines_for(
        &self,
        robots: &Robots,
        client: &Client,
        with_rules: bool,
    ) -> Vec<usize> {
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
        for (group, level) in levels {
            let Some(group) = robots.groups().get(group) else {
                continue;
            };
            read.extend(group.starters.first());
            if with_rules && Some(level) == strongest {
                read.extend(group.rules.iter().chain(&group.others));
            } else {
                // Without any rule, the next group would be part of this one.
                read.extend(group.rules.first());
            }
        }
        if with_rules {
            let all = self.sitemaps.iter().chain(&self.outside);
            read.extend(all.map(|at| *at as usize));
        }
        read.sort_unstable();
        read.dedup();
        read
    }
}

/// The fields of these lines, with the numbers of the lines.
pub(super) fn fields<'r>(
    robots: &'r Robots,
    lines: &'r [usize],
) -> impl Iterator<Item = (&'r Field, u32)> {
    let lines = lines.iter().filter_map(|at| robots.lines().get(*at));
    lines.filter_map(|line: &Line| Some((line.field()?, line.number)))
}
