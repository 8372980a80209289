//! Which directives count for an application (APP-10 to APP-19, APP-33, AMB-APP-3, AMB-APP-5 to
//! AMB-APP-8, AMB-APP-13, AMB-APP-15 to AMB-APP-18).

use super::field::Directives;
use super::{Application, DirectiveValue, Registry, Status};
use crate::diagnostic::{Code, Diagnostic};
use crate::explain::visible;
use crate::profile::Profile;
use crate::rep::field::{Field, FieldKind, Keyed};
use crate::rep::group::Grouping;
use crate::rep::token;
use crate::text::{Lines, Span, Text, is_blank};
use crate::verdict::Place;
use std::collections::BTreeMap;

/// What a file asks one application to do with a resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApplicationDecision<'p> {
    /// The application's identifier.
    pub id: &'p str,
    /// The directives that apply, by name.
    pub directives: BTreeMap<String, DirectiveValue>,
    /// The lines that they stem from, and those that a longer pattern sets aside, in file order.
    pub rules: Vec<DirectiveRule>,
    /// What the registry says to them, where there is one.
    pub notes: Vec<DirectiveNote>,
    /// Whether the client may not even fetch the resource (AMB-APP-15).
    pub crawl_disallowed: bool,
}

impl<'p> ApplicationDecision<'p> {
    /// Nothing is said to `application`.
    pub(crate) fn silent(application: &'p Application) -> Self {
        Self {
            id: application.id(),
            ..Self::default()
        }
    }

    /// What is odd about the directives that apply.
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
                    "has a value of another type, and does not apply",
                ),
                NoteKind::Unregistered | NoteKind::Overrides(_) => return None,
            };
            Some(Diagnostic {
                code,
                line: place.map(|place| place.line),
                span: place.map(|place| place.span).unwrap_or_default(),
                message: format!("the directive {} of {} {what}", note.name, self.id),
            })
        };
        self.notes.iter().filter_map(said).collect()
    }
}

/// A line that names the application and covers the resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectiveRule {
    /// The line.
    pub place: Place,
    /// Octets of its pattern; none for a line without one.
    pub octets: usize,
    /// Whether it applies: its pattern is the longest (APP-16).
    pub applies: bool,
}

/// What the registry says to a directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectiveNote {
    /// The directive.
    pub name: String,
    /// What is said.
    pub kind: NoteKind,
}

/// Kinds of notes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// Not registered; delivered all the same (APP-24).
    Unregistered,
    /// Registered as deprecated; delivered all the same (APP-29).
    Deprecated,
    /// A value of another type than registered; not applied (APP-32, AMB-APP-16).
    TypeMismatch,
    /// Overrides these categories of AI preferences of the same file (APP-22, AMB-APP-14).
    Overrides(Vec<String>),
}

/// A group's starters and its App-Directives lines.
#[derive(Debug, Default)]
struct Group {
    agents: Vec<Span>,
    lines: Vec<Place>,
}

impl Group {
    fn is_named_by(&self, text: &[u8], wanted: impl Fn(&[u8]) -> bool) -> bool {
        self.agents.iter().any(|value| wanted(value.of(text)))
    }

    fn is_for_all(&self, text: &[u8]) -> bool {
        self.is_named_by(text, |value| token::is_any(value, is_blank))
    }

    fn is_for(&self, text: &[u8], application: &[token::ProductToken]) -> bool {
        application
            .iter()
            .any(|token| self.is_named_by(text, |value| names(value, token)))
    }
}

fn names(value: &[u8], wanted: &token::ProductToken) -> bool {
    !token::is_unusable(value) && !token::is_any(value, is_blank) && wanted.is_named_by(value)
}

fn groups(text: &Text<'_>) -> Vec<Group> {
    let octets = text.octets();
    let (mut groups, mut grouping) = (Vec::<Group>::new(), Grouping::default());
    for raw in Lines::new(octets, text.body()) {
        let read = Keyed::new(octets, &raw, Profile::Careful);
        let Some(Field { kind, value, .. }) =
            read.and_then(|keyed| keyed.field(octets, &raw, Profile::Careful))
        else {
            continue;
        };
        if kind.starts_group() && grouping.starter() {
            groups.push(Group::default());
        }
        let in_group = if kind.is_rule() {
            grouping.rule()
        } else {
            grouping.is_open()
        };
        let Some(group) = groups.last_mut().filter(|_| in_group) else {
            continue;
        };
        match kind {
            FieldKind::UserAgent => group.agents.push(value),
            FieldKind::AppDirectives => group.lines.push(Place {
                line: raw.number,
                span: value,
            }),
            _ => {}
        }
    }
    groups
}

/// The groups whose directives count: those of the first product token that has any, else those of
/// `*` (APP-12 to APP-15). Purposes have no say (AMB-APP-18).
fn chosen<'g>(groups: &'g [Group], text: &[u8], application: &Application) -> Vec<&'g Group> {
    for token in application.product_tokens() {
        let own: Vec<_> = groups
            .iter()
            .filter(|group| group.is_for(text, std::slice::from_ref(token)))
            .collect();
        if !own.is_empty() {
            return own;
        }
    }
    groups
        .iter()
        .filter(|group| group.is_for_all(text))
        .collect()
}

/// The lines that count for `application`, whatever the path, in file order.
pub(crate) fn concerning(text: &Text<'_>, application: &Application) -> Vec<Place> {
    let octets = text.octets();
    let groups = groups(text);
    let names = |place: &&Place| {
        Directives::read(place.span.of(octets)).is_some_and(|line| {
            let mut ids = line.applications.iter().map(|(id, _)| id);
            ids.any(|id| id == application.id())
        })
    };
    let lines = chosen(&groups, octets, application);
    let lines = lines.iter().flat_map(|group| &group.lines);
    lines.filter(names).copied().collect()
}

/// What the file asks `application` to do with the resource at `path`.
pub(crate) fn select<'p>(
    text: &Text<'_>,
    path: &[u8],
    application: &'p Application,
    registry: Option<&Registry>,
) -> ApplicationDecision<'p> {
    let octets = text.octets();
    let groups = groups(text);
    let mut found = Vec::new();
    for place in chosen(&groups, octets, application)
        .iter()
        .flat_map(|group| &group.lines)
    {
        let Some(line) = Directives::read(place.span.of(octets)) else {
            continue;
        };
        let Some(length) = line.octets_if_matching(path) else {
            continue;
        };
        let own = line
            .applications
            .into_iter()
            .filter(|(id, _)| id == application.id());
        found.extend(own.map(|(_, directives)| (*place, length, directives)));
    }
    let longest = found.iter().map(|(_, length, _)| *length).max();
    let mut decision = ApplicationDecision::silent(application);
    for (place, length, directives) in found {
        let applies = Some(length) == longest;
        decision.rules.push(DirectiveRule {
            place,
            octets: length,
            applies,
        });
        if applies {
            decision.directives.extend(directives);
        }
    }
    if let Some(registry) = registry {
        consult(registry, &mut decision);
    }
    decision
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
        if known.status == Status::Deprecated {
            note(NoteKind::Deprecated);
        }
        if !known.overrides.is_empty() {
            note(NoteKind::Overrides(known.overrides.clone()));
        }
        true
    });
}

/// What is odd about the file's directives: lines that are none, and groups in which they do not
/// reach whom they name (APP-20, APP-21, AMB-APP-6).
pub(crate) fn diagnostics(
    text: &Text<'_>,
    applications: &[Application],
    registry: Option<&Registry>,
) -> Vec<Diagnostic> {
    let octets = text.octets();
    let groups = groups(text);
    let mut found = Vec::new();
    for group in &groups {
        for place in &group.lines {
            let mut say = |code, message: String| {
                found.push(Diagnostic {
                    code,
                    line: Some(place.line),
                    span: place.span,
                    message,
                });
            };
            let Some(line) = Directives::read(place.span.of(octets)) else {
                say(
                    Code::AppDirectivesMalformed,
                    "the directives are no structured list, and are not read".to_owned(),
                );
                continue;
            };
            if line.applications.is_empty() {
                say(
                    Code::AppDirectivesMalformed,
                    "the line names no application".to_owned(),
                );
            }
            if !group.is_for_all(octets) {
                let message = "directives reach most applications from a group of \"*\"".to_owned();
                say(Code::AppDirectivesNotUnderStar, message);
            }
            for (id, _) in &line.applications {
                let registered = registry.and_then(|registry| registry.get(id));
                let tokens = registered.map(|entry| entry.product_tokens.as_slice());
                let asked = applications
                    .iter()
                    .find(|application| application.id() == id);
                let tokens = tokens.or_else(|| asked.map(Application::product_tokens));
                let Some(tokens) = tokens.filter(|tokens| !tokens.is_empty()) else {
                    continue;
                };
                let own = groups.iter().any(|other| other.is_for(octets, tokens));
                let shown = visible(id.as_bytes());
                if group.is_for_all(octets) && own && !group.is_for(octets, tokens) {
                    say(
                        Code::AppDirectivesShadowed,
                        format!(
                            "{shown} has a group of its own, and does not look for directives under \"*\""
                        ),
                    );
                } else if !group.is_for_all(octets) && !group.is_for(octets, tokens) {
                    say(
                        Code::AppDirectivesUnreachable,
                        format!("{shown} does not look for directives in this group"),
                    );
                }
            }
        }
    }
    found
}
