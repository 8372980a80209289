//! The groups of a file and their `App-Directives` lines (APP-12 to APP-15, AMB-APP-18).

use super::Application;
use super::field::Directives;
use crate::profile::Profile;
use crate::reading::Readings;
use crate::rep::field::{Content, Field, FieldKind, Fields, KeyedLine};
use crate::rep::group::Grouping;
use crate::rep::token::{self, AgentKey};
use crate::text::{Lines, Span, Text};
use crate::verdict::Place;
use std::collections::{BTreeMap, BTreeSet};

/// The groups of a file: whom each is for, and its `App-Directives` lines.
pub(crate) struct Groups {
    /// Each group's App-Directives lines.
    lines: Vec<Vec<Place>>,
    /// The groups of `*`, in file order.
    pub(crate) for_all: Vec<usize>,
    /// The groups that name a product token, in file order. A map, because comparing every
    /// application with every group would take minutes for a hostile file.
    named: BTreeMap<AgentKey, Vec<usize>>,
}

/// Follows the fields of a file.
#[derive(Default)]
struct GroupReader {
    grouping: Grouping,
    lines: Vec<Vec<Place>>,
    agents: Vec<(usize, Span)>,
}

impl GroupReader {
    fn field(&mut self, field: &Field, ends_head: bool, line: u32) {
        let Field { kind, value, .. } = *field;
        if kind.starts_group() && self.grouping.starter() {
            self.lines.push(Vec::new());
        }
        let in_group = if ends_head {
            self.grouping.rule()
        } else {
            self.grouping.is_open()
        };
        let Some(number) = self.lines.len().checked_sub(1).filter(|_| in_group) else {
            return;
        };
        match (kind, self.lines.last_mut()) {
            (FieldKind::UserAgent, _) => self.agents.push((number, value)),
            (FieldKind::AppDirectives, Some(lines)) => lines.push(Place { line, span: value }),
            _ => {}
        }
    }

    fn finish(self, text: &[u8], readings: Readings) -> Groups {
        let mut groups = Groups {
            lines: self.lines,
            for_all: Vec::new(),
            named: BTreeMap::new(),
        };
        for (number, value) in self.agents {
            groups.add_agent(number, value.of(text), readings);
        }
        groups
    }
}

impl Groups {
    pub(crate) fn read(text: &Text<'_>) -> Self {
        let bytes = text.as_bytes();
        let mut reader = GroupReader::default();
        for raw in Lines::new(bytes, text.body()) {
            let read = KeyedLine::new(bytes, &raw, Profile::Careful);
            let field = read.and_then(|keyed| keyed.field(bytes, &raw, Profile::Careful));
            if let Some(field) = field {
                reader.field(&field, field.kind.is_rule(), raw.number);
            }
        }
        reader.finish(bytes, Readings::default())
    }

    /// Reads the groups as a client with these readings does. `read` says what a field is to it,
    /// and whether the field ends a run of user-agent lines.
    pub(crate) fn read_as(
        text: &Text<'_>,
        readings: Readings,
        read: impl Fn(Field) -> (Field, bool),
    ) -> Self {
        if readings.is_empty() {
            return Self::read(text);
        }
        let mut reader = GroupReader::default();
        Fields::new(text, Profile::Careful).for_each(|line| {
            if let Content::Field(field) = line.content {
                let (field, ends_head) = read(field);
                reader.field(&field, ends_head, line.raw.number);
            }
        });
        reader.finish(text.as_bytes(), readings)
    }

    fn add_agent(&mut self, number: usize, value: &[u8], readings: Readings) {
        if token::is_any_as(value, readings) {
            add(&mut self.for_all, number);
        } else if !token::is_unusable(value) {
            for key in AgentKey::of_value_as(value, readings) {
                add(self.named.entry(key).or_default(), number);
            }
        }
    }

    /// The groups that name one of `tokens`, in file order.
    pub(crate) fn naming(&self, tokens: &[token::ProductToken]) -> Vec<usize> {
        let own = tokens
            .iter()
            .filter_map(|token| self.named.get(&AgentKey::of(token)));
        let mut groups: Vec<usize> = own.flatten().copied().collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// The groups whose directives count: those of the first product token with a group, else those
    /// of `*` (APP-12 to APP-15). Purposes do not matter (AMB-APP-18).
    pub(crate) fn chosen(&self, application: &Application) -> &[usize] {
        let mut tokens = application.product_tokens().iter();
        let own = tokens.find_map(|token| self.named.get(&AgentKey::of(token)));
        own.unwrap_or(&self.for_all)
    }

    /// The App-Directives lines of a group.
    pub(crate) fn lines_of(&self, group: usize) -> &[Place] {
        self.lines.get(group).map_or(&[], Vec::as_slice)
    }

    /// Which groups with directives are read together, because they name the same robot. A list
    /// of groups that several robots read is there once.
    pub(crate) fn read_together(&self) -> BTreeSet<Vec<usize>> {
        let lists = self.named.values().chain(std::iter::once(&self.for_all));
        let with_directives = lists.map(|groups| {
            let has_some = |group: &usize| !self.lines_of(*group).is_empty();
            groups.iter().copied().filter(has_some).collect()
        });
        with_directives.collect()
    }

    /// Every App-Directives line that can be read, with the number of its group, in file order.
    pub(crate) fn directives<'t>(
        &'t self,
        text: &'t Text<'_>,
    ) -> impl Iterator<Item = (usize, Place, Directives<'t>)> {
        let bytes = text.as_bytes();
        self.places().filter_map(|(group, place)| {
            Some((group, place, Directives::read(place.span.of(bytes))?))
        })
    }

    /// Every App-Directives line, with the number of its group, in file order.
    pub(crate) fn places(&self) -> impl Iterator<Item = (usize, Place)> {
        let lines = self.lines.iter().enumerate();
        lines.flat_map(|(group, lines)| lines.iter().map(move |place| (group, *place)))
    }
}

/// Adds a group's number, which is the last one or a later one.
fn add(groups: &mut Vec<usize>, number: usize) {
    if groups.last() != Some(&number) {
        groups.push(number);
    }
}
