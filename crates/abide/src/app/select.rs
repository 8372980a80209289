//! Which directives count for an application (APP-10 to APP-19, APP-33, AMB-APP-3, AMB-APP-5 to
//! AMB-APP-8, AMB-APP-13, AMB-APP-15 to AMB-APP-18).

use super::field::{Directives, Mention};
use super::{Application, DirectiveStatus, DirectiveValue, Registry};
use crate::diagnostic::{Code, Diagnostic};
use crate::growth;
use crate::profile::Profile;
use crate::rep::field::{Field, FieldKind, KeyedLine};
use crate::rep::group::Grouping;
use crate::rep::token::{self, AgentKey};
use crate::text::{Lines, Text, is_blank};
use crate::verdict::Place;
use crate::visible::{quoted, visible};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The directives of a file for one application and one resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApplicationDecision<'p> {
    /// The application's identifier.
    pub id: &'p str,
    /// The directives that apply, by name.
    pub directives: BTreeMap<String, DirectiveValue>,
    /// The lines of these directives, and the lines that a longer pattern overrides, in file order.
    pub rules: Vec<DirectiveRule>,
    /// Notes from the registry, if there is one.
    pub notes: Vec<DirectiveNote>,
    /// Whether the client may not even fetch the resource (AMB-APP-15).
    pub crawl_disallowed: bool,
}

impl<'p> ApplicationDecision<'p> {
    /// There are no directives for `application`.
    pub(crate) fn silent(application: &'p Application) -> Self {
        Self {
            id: application.id(),
            ..Self::default()
        }
    }

    /// Findings about the directives that apply.
    pub(crate) fn diagnostics(&self) -> Vec<Diagnostic> {
        let place = self
            .rules
            .iter()
            .find(|rule| rule.applies)
            .map(|rule| rule.place);
        let said = |note: &DirectiveNote| {
            let (code, what) = match note.kind {
                NoteKind::Deprecated => (Code::DirectiveDeprecated, "is deprecated"),
                NoteKind::TypeMismatch => (
                    Code::DirectiveType,
                    "has a value of another type, so it does not apply",
                ),
                NoteKind::Unregistered | NoteKind::Overrides(_) => return None,
            };
            Some(Diagnostic {
                code,
                line: place.map(|place| place.line),
                span: place.map(|place| place.span).unwrap_or_default(),
                message: format!(
                    "the directive {} of {} {what}",
                    quoted(note.name.as_bytes()),
                    quoted(self.id.as_bytes())
                )
                .into(),
            })
        };
        self.notes.iter().filter_map(said).collect()
    }
}

/// A line that names the application and covers the resource.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DirectiveRule {
    /// The line.
    pub place: Place,
    /// The length of its pattern in bytes; zero for a line without one.
    pub bytes: usize,
    /// Whether it applies: its pattern is the longest (APP-16).
    pub applies: bool,
}

/// A note of the registry on a directive.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DirectiveNote {
    /// The directive.
    pub name: String,
    /// The note.
    pub kind: NoteKind,
}

/// Kinds of notes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// Not registered; still listed (APP-24).
    Unregistered,
    /// Registered as deprecated; still listed (APP-29).
    Deprecated,
    /// A value of another type than registered; does not apply (APP-32, AMB-APP-16).
    TypeMismatch,
    /// Overrides these categories of AI preferences in the same file (APP-22, AMB-APP-14).
    Overrides(Vec<String>),
}

/// The groups of a file: whom each is for, and its `App-Directives` lines.
struct Groups {
    /// Each group's App-Directives lines.
    lines: Vec<Vec<Place>>,
    /// The groups of `*`, in file order.
    for_all: Vec<usize>,
    /// The groups that name a product token, in file order. A map, because comparing every
    /// application with every group would take minutes for a hostile file.
    named: BTreeMap<AgentKey, Vec<usize>>,
}

impl Groups {
    fn read(text: &Text<'_>) -> Self {
        let bytes = text.as_bytes();
        let (mut lines, mut agents) = (Vec::<Vec<Place>>::new(), Vec::new());
        let mut grouping = Grouping::default();
        for raw in Lines::new(bytes, text.body()) {
            let read = KeyedLine::new(bytes, &raw, Profile::Careful);
            let Some(Field { kind, value, .. }) =
                read.and_then(|keyed| keyed.field(bytes, &raw, Profile::Careful))
            else {
                continue;
            };
            if kind.starts_group() && grouping.starter() {
                lines.push(Vec::new());
            }
            let in_group = if kind.is_rule() {
                grouping.rule()
            } else {
                grouping.is_open()
            };
            let Some(number) = lines.len().checked_sub(1).filter(|_| in_group) else {
                continue;
            };
            match (kind, lines.last_mut()) {
                (FieldKind::UserAgent, _) => agents.push((number, value)),
                (FieldKind::AppDirectives, Some(lines)) => lines.push(Place {
                    line: raw.number,
                    span: value,
                }),
                _ => {}
            }
        }
        let mut groups = Self {
            lines,
            for_all: Vec::new(),
            named: BTreeMap::new(),
        };
        for (number, value) in agents {
            groups.add_agent(number, value.of(bytes));
        }
        groups
    }

    fn add_agent(&mut self, number: usize, value: &[u8]) {
        if token::is_any(value, is_blank) {
            add(&mut self.for_all, number);
        } else if !token::is_unusable(value) {
            for key in AgentKey::of_value(value) {
                add(self.named.entry(key).or_default(), number);
            }
        }
    }

    /// The groups that name one of `tokens`, in file order.
    fn naming(&self, tokens: &[token::ProductToken]) -> Vec<usize> {
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
    fn chosen(&self, application: &Application) -> &[usize] {
        let mut tokens = application.product_tokens().iter();
        let own = tokens.find_map(|token| self.named.get(&AgentKey::of(token)));
        own.unwrap_or(&self.for_all)
    }

    /// Every App-Directives line that can be read, with the number of its group, in file order.
    fn directives<'t>(
        &'t self,
        text: &'t Text<'_>,
    ) -> impl Iterator<Item = (usize, Place, Directives<'t>)> {
        let bytes = text.as_bytes();
        self.places().filter_map(|(group, place)| {
            Some((group, place, Directives::read(place.span.of(bytes))?))
        })
    }

    /// Every App-Directives line, with the number of its group, in file order.
    fn places(&self) -> impl Iterator<Item = (usize, Place)> {
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

/// The lines that count for `application`, whatever the path, in file order.
pub(crate) fn concerning(text: &Text<'_>, application: &Application) -> Vec<Place> {
    let groups = Groups::read(text);
    let chosen = groups.chosen(application);
    let lines = groups.directives(text).filter(|(group, _, line)| {
        let mut ids = line.applications.iter().map(|(id, _)| id);
        chosen.binary_search(group).is_ok() && ids.any(|id| id == application.id())
    });
    lines.map(|(_, place, _)| place).collect()
}

/// The directives for each of `applications` and the resource at `path`. Reads the file once for
/// all of them.
pub(crate) fn select<'p>(
    text: &Text<'_>,
    path: &[u8],
    applications: &'p [Application],
    registry: Option<&Registry>,
) -> Vec<ApplicationDecision<'p>> {
    let groups = Groups::read(text);
    let selections = applications
        .iter()
        .map(|application| Selecting::new(application, &groups));
    let mut selections: Vec<_> = selections.collect();
    let mut by_id: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, application) in applications.iter().enumerate() {
        by_id.entry(application.id()).or_default().push(number);
    }
    for (group, place) in groups.places() {
        // A line that names an application again adds to what it asks, and is one line still:
        // evidence for each mention would be quadratic.
        let mut asked: BTreeMap<&str, BTreeMap<String, DirectiveValue>> = BTreeMap::new();
        let mut current = None;
        let value = place.span.of(text.as_bytes());
        let pattern = Directives::visit(value, |mention| match mention {
            Mention::Application(id) => {
                current = by_id.get_key_value(id).map(|(id, _)| *id);
                if let Some(id) = current {
                    asked.entry(id).or_default();
                }
            }
            Mention::Directive(name, value) => {
                if let Some(directives) = current.and_then(|id| asked.get_mut(id)) {
                    directives.insert(name.to_owned(), DirectiveValue::new(value.into()));
                }
            }
        });
        let Some(length) = pattern
            .ok()
            .and_then(|pattern| Directives::bytes_if_matching(pattern, path))
        else {
            continue;
        };
        for (id, directives) in asked {
            let numbers = by_id.get(id).map_or(&[][..], Vec::as_slice);
            let copies = std::iter::repeat_n(directives, numbers.len());
            for (number, directives) in numbers.iter().zip(copies) {
                if let Some(selecting) = selections.get_mut(*number) {
                    selecting.add(group, place, length, directives);
                }
            }
        }
    }
    let said = selections.into_iter().map(|selecting| {
        let mut decision = selecting.decided();
        if let Some(registry) = registry {
            consult(registry, &mut decision);
        }
        decision
    });
    said.collect()
}

/// What the lines say to an application, as they are read. Only the directives of the longest
/// pattern are kept: every short line of a file can name an application.
struct Selecting<'g, 'p> {
    /// The groups in which the application looks.
    chosen: &'g [usize],
    longest: Option<usize>,
    decision: ApplicationDecision<'p>,
}

impl<'g, 'p> Selecting<'g, 'p> {
    fn new(application: &'p Application, groups: &'g Groups) -> Self {
        Self {
            chosen: groups.chosen(application),
            longest: None,
            decision: ApplicationDecision::silent(application),
        }
    }

    /// Adds a line that names the application and covers the resource. Of the lines in its groups
    /// those with the longest pattern apply, all of them (APP-16).
    fn add(
        &mut self,
        group: usize,
        place: Place,
        bytes: usize,
        directives: BTreeMap<String, DirectiveValue>,
    ) {
        if self.chosen.binary_search(&group).is_err() {
            return;
        }
        self.decision.rules.push(DirectiveRule {
            place,
            bytes,
            applies: false,
        });
        match self.longest.cmp(&Some(bytes)) {
            Ordering::Less => {
                self.longest = Some(bytes);
                self.decision.directives = directives;
            }
            Ordering::Equal => self.decision.directives.extend(directives),
            Ordering::Greater => {}
        }
    }

    fn decided(mut self) -> ApplicationDecision<'p> {
        for rule in &mut self.decision.rules {
            rule.applies = Some(rule.bytes) == self.longest;
        }
        self.decision
    }
}

/// Takes out what is of the wrong type, and notes the rest.
fn consult(registry: &Registry, decision: &mut ApplicationDecision<'_>) {
    let entry = registry.get(decision.id);
    let notes = &mut decision.notes;
    decision.directives.retain(|name, value| {
        let mut note = |kind| {
            notes.push(DirectiveNote {
                name: name.clone(),
                kind,
            });
        };
        let Some(known) = entry.and_then(|entry| entry.directives.get(name)) else {
            note(NoteKind::Unregistered);
            return true;
        };
        if !known.value_type.admits(value) {
            note(NoteKind::TypeMismatch);
            return false;
        }
        if known.status == DirectiveStatus::Deprecated {
            note(NoteKind::Deprecated);
        }
        if !known.overrides.is_empty() {
            note(NoteKind::Overrides(known.overrides.clone()));
        }
        true
    });
}

/// Findings about the directives of a file: invalid lines, and groups in which the application does
/// not look (APP-20, APP-21, AMB-APP-6).
pub(crate) fn diagnostics(
    text: &Text<'_>,
    applications: &[Application],
    registry: Option<&Registry>,
) -> Vec<Diagnostic> {
    let bytes = text.as_bytes();
    let groups = Groups::read(text);
    // The first application of an identifier speaks for it.
    let mut asked: BTreeMap<&str, &[token::ProductToken]> = BTreeMap::new();
    for application in applications {
        asked
            .entry(application.id())
            .or_insert(application.product_tokens());
    }
    let tokens_of = |id: &str| {
        let registered = registry.and_then(|registry| registry.get(id));
        let tokens = registered.map(|entry| entry.product_tokens.as_slice());
        let tokens = tokens.or_else(|| asked.get(id).copied());
        tokens.filter(|tokens| !tokens.is_empty())
    };
    // Worked out once for each identifier: a file may name one on every line.
    let mut own_groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut found = Vec::new();
    for (group, place) in groups.places() {
        let mut say = |code, message: Cow<'static, str>| {
            let finding = Diagnostic::new(code, Some(place.line), place.span, message);
            growth::push(&mut found, finding);
        };
        let (mut is_empty, mut known) = (true, BTreeSet::new());
        let mut ids = Vec::new();
        let line = Directives::visit(place.span.of(bytes), |mention| {
            let Mention::Application(id) = mention else {
                return;
            };
            is_empty = false;
            if tokens_of(id).is_some() && known.insert(id.to_owned()) {
                ids.push(id.to_owned());
            }
        });
        if line.is_err() {
            say(
                Code::AppDirectivesMalformed,
                "the directives are not a structured list, so they are ignored".into(),
            );
            continue;
        }
        if is_empty {
            say(
                Code::AppDirectivesMalformed,
                "the line names no application".into(),
            );
        }
        let is_for_all = groups.for_all.binary_search(&group).is_ok();
        if !is_for_all {
            let message = "most applications only look for directives in a group for \"*\"";
            say(Code::AppDirectivesNotUnderStar, message.into());
        }
        for id in ids {
            let own = own_groups
                .entry(id.clone())
                .or_insert_with(|| tokens_of(&id).map_or_else(Vec::new, |own| groups.naming(own)));
            let shown = visible(id.as_bytes());
            let is_own = own.binary_search(&group).is_ok();
            if is_for_all && !own.is_empty() && !is_own {
                say(
                    Code::AppDirectivesShadowed,
                    format!(
                        "{shown} has a group of its own, so it does not look for directives under \"*\""
                    ).into(),
                );
            } else if !is_for_all && !is_own {
                say(
                    Code::AppDirectivesUnreachable,
                    format!("{shown} does not look for directives in this group").into(),
                );
            }
        }
    }
    found
}
