//! `app-directives-misspelt`: almost a known application or directive.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::app::field::Directives;
use abide::app::{Registry, RegistryEntry};
use abide::explain::shown;
use abide::syntax::{FieldKind, Line};
use abide::{Severity, Span};
use abide_analysis::spelling;
use memchr::memmem;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

pub(crate) static RULE: Rule = Rule::new(
    "app-directives-misspelt",
    Severity::Warning,
    include_str!("app_directives_misspelt.md"),
    RuleCheck::File(check),
);

/// Shorter names are too much alike to tell a slip from another name.
const MIN_NAME_BYTES: usize = 4;

fn check(file: &File<'_>, found: &mut Findings) {
    let registry = file.context.registry.as_ref();
    // The first spelling of each name that the registry does not have, by the name in lower case.
    let mut spellings: BTreeMap<String, (String, u32)> = BTreeMap::new();
    for (line, field, value) in file.fields_of(FieldKind::AppDirectives) {
        let Some(directives) = Directives::read(value) else {
            continue;
        };
        let mut names = NamesOfLine {
            line,
            value,
            span: field.value,
            found,
        };
        for (id, stated) in directives.applications {
            if let Some(entry) = registry.and_then(|registry| registry.get(&id)) {
                names.directives(&id, entry, stated.iter().map(|(name, _)| name.as_str()));
            } else if !registry.is_some_and(|registry| names.registered(&id, registry)) {
                match spellings.entry(id.to_ascii_lowercase()) {
                    Entry::Vacant(first) => {
                        first.insert((id, line.number));
                    }
                    Entry::Occupied(first) => names.otherwise_written(&id, first.get()),
                }
            }
        }
    }
}

/// The names on one line.
struct NamesOfLine<'f> {
    line: &'f Line,
    value: &'f [u8],
    span: Span,
    found: &'f mut Findings,
}

impl NamesOfLine<'_> {
    /// Reports a name that is almost that of a registered application.
    fn registered(&mut self, id: &str, registry: &Registry) -> bool {
        let known = registry.iter().map(|(known, _)| known);
        let Some(meant) = nearest(id, known) else {
            return false;
        };
        let shown = shown(id.as_bytes());
        let message = if meant.eq_ignore_ascii_case(id) {
            format!("names of applications are case-sensitive, so {shown} is not {meant}")
        } else {
            format!("the registry has no application {shown}; did you mean {meant}?")
        };
        self.say(id, meant, message);
        true
    }

    /// Reports directives that are almost registered ones of their application.
    fn directives<'n>(
        &mut self,
        id: &str,
        entry: &RegistryEntry,
        names: impl Iterator<Item = &'n str>,
    ) {
        for name in names.filter(|name| !entry.directives.contains_key(*name)) {
            let known = entry.directives.keys().map(String::as_str);
            if let Some(meant) = nearest(name, known) {
                let shown = shown(name.as_bytes());
                let message = format!("{id} has no directive {shown}; did you mean {meant}?");
                self.say(name, meant, message);
            }
        }
    }

    /// Reports a name that another line writes in another case.
    fn otherwise_written(&mut self, id: &str, (first, line): &(String, u32)) {
        if id != first {
            let [id, first] = [id, first].map(|id| shown(id.as_bytes()));
            let message = format!(
                "names of applications are case-sensitive, so {id} is not {first} of line {line}"
            );
            self.found.say(Some(self.line.number), self.span, message);
        }
    }

    fn say(&mut self, name: &str, meant: &str, message: String) {
        let place = self.place_of(name);
        let fix = place.map(|span| {
            let title = format!("write {meant}");
            Fix::replace(Safety::Unsafe, title, span, meant)
        });
        let number = Some(self.line.number);
        let place = self.found.say(number, place.unwrap_or(self.span), message);
        place.fix(fix);
    }

    /// Where a name is, if it is on the line once. `None` for a line so long that nobody wrote it,
    /// because looking for each of its names would take too long.
    fn place_of(&self, name: &str) -> Option<Span> {
        const MAX_LINE_BYTES: usize = 2_000;
        if self.value.len() > MAX_LINE_BYTES {
            return None;
        }
        let is_end = |at: &usize| {
            let before = at.checked_sub(1).and_then(|at| self.value.get(at));
            let after = self.value.get(at + name.len());
            let ends = |byte: Option<&u8>, ends: &[u8]| byte.is_none_or(|byte| ends.contains(byte));
            ends(before, b", \t;") && ends(after, b", \t;=")
        };
        let mut places = memmem::find_iter(self.value, name).filter(is_end);
        let (place, None) = (places.next()?, places.next()) else {
            return None;
        };
        let start = self.span.start.checked_add(u32::try_from(place).ok()?)?;
        let length = u32::try_from(name.len()).ok()?;
        Some(Span::new(start, start.checked_add(length)?))
    }
}

fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let is_long = name.len() >= MIN_NAME_BYTES;
    is_long.then(|| spelling::nearest(name, known)).flatten()
}
