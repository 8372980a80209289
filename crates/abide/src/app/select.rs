//! Which directives count for an application (APP-10 to APP-19, APP-33, AMB-APP-3, AMB-APP-5 to
//! AMB-APP-8, AMB-APP-13, AMB-APP-15 to AMB-APP-18).

use super::field::{Directives, Mention};
use super::groups::Groups;
use super::{Application, DirectiveStatus, DirectiveValue, Registry};
use crate::text::Text;
use crate::verdict::{Place, Usage, UsageDecision};
use std::cmp::Ordering;
use std::collections::BTreeMap;

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
    /// What the site prefers for the application, for each of [`Usage::PREFERENCES`]: the answer
    /// for the client, in which directives of the application override words of robots.txt
    /// (AMB-APP-24). The evidence is what decides, and the directives with the words that they
    /// override or agree with. Empty if the client does not ask for preferences.
    pub preferences: Vec<UsageDecision<'p>>,
}

impl<'p> ApplicationDecision<'p> {
    /// There are no directives for `application`.
    pub(crate) fn silent(application: &'p Application) -> Self {
        Self {
            id: application.id(),
            ..Self::default()
        }
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
    /// The line that states the directive.
    pub place: Place,
    /// The usages of the preferences that it overrides or may override.
    pub usages: Vec<Usage>,
    /// The address of its documentation, if the registry has one.
    pub documentation: Option<String>,
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
    /// Says the opposite of these words of AI preferences in the same file, and overrides them
    /// (APP-22, AMB-APP-14).
    Overrides(Vec<String>),
    /// Covers these words of AI preferences in the same file. The registry does not say what the
    /// value means, so it is not known whether it says the opposite.
    MayOverride(Vec<String>),
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

/// The directives for each of `applications` and the resource at `path`, in a file with these
/// groups.
pub(crate) fn select<'p>(
    text: &Text<'_>,
    groups: &Groups,
    path: &[u8],
    applications: &'p [Application],
    registry: Option<&Registry>,
) -> Vec<ApplicationDecision<'p>> {
    let selections = applications
        .iter()
        .map(|application| Selecting::new(application, groups, registry.is_some()));
    let mut selections: Vec<_> = selections.collect();
    let mut by_id: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, application) in applications.iter().enumerate() {
        by_id.entry(application.id()).or_default().push(number);
    }
    for (group, place) in groups.places() {
        // A line that names an application again adds to what it asks, and is one line still:
        // evidence for each mention would be quadratic.
        let mut stated: BTreeMap<&str, BTreeMap<String, DirectiveValue>> = BTreeMap::new();
        let mut current = None;
        let value = place.span.of(text.as_bytes());
        let pattern = Directives::visit(value, |mention| match mention {
            Mention::Application(id) => {
                current = by_id.get_key_value(id).map(|(id, _)| *id);
                if let Some(id) = current {
                    stated.entry(id).or_default();
                }
            }
            Mention::Directive(name, value) => {
                if let Some(directives) = current.and_then(|id| stated.get_mut(id)) {
                    directives.insert(name.to_owned(), DirectiveValue::new(value.into()));
                }
            }
            Mention::Other => {}
        });
        let Some(length) = pattern
            .ok()
            .and_then(|pattern| Directives::bytes_if_matching(pattern, path))
        else {
            continue;
        };
        for (id, directives) in stated {
            let numbers = by_id.get(id).map_or(&[][..], Vec::as_slice);
            let copies = std::iter::repeat_n(directives, numbers.len());
            for (number, directives) in numbers.iter().zip(copies) {
                if let Some(selecting) = selections.get_mut(*number) {
                    selecting.add(group, place, length, directives);
                }
            }
        }
    }
    let decisions = selections.into_iter().map(|selecting| {
        let (mut decision, stated_at) = selecting.decided();
        if let Some((registry, stated_at)) = registry.zip(stated_at) {
            consult(registry, &mut decision, &stated_at);
        }
        decision
    });
    decisions.collect()
}

/// What the lines say to an application, as they are read. Only the directives of the longest
/// pattern are kept: every short line of a file can name an application.
struct Selecting<'g, 'p> {
    /// The groups in which the application looks.
    chosen: &'g [usize],
    longest: Option<usize>,
    decision: ApplicationDecision<'p>,
    /// Where each of the directives is stated, for the notes of a registry.
    stated_at: Option<BTreeMap<String, Place>>,
}

impl<'g, 'p> Selecting<'g, 'p> {
    fn new(application: &'p Application, groups: &'g Groups, has_registry: bool) -> Self {
        Self {
            chosen: groups.chosen(application),
            longest: None,
            decision: ApplicationDecision::silent(application),
            stated_at: has_registry.then(BTreeMap::new),
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
        let order = self.longest.cmp(&Some(bytes));
        if let Some(stated_at) = self.stated_at.as_mut().filter(|_| order.is_le()) {
            if order.is_lt() {
                stated_at.clear();
            }
            let names = directives.keys().cloned();
            stated_at.extend(names.map(|name| (name, place)));
        }
        match order {
            Ordering::Less => {
                self.longest = Some(bytes);
                self.decision.directives = directives;
            }
            Ordering::Equal => self.decision.directives.extend(directives),
            Ordering::Greater => {}
        }
    }

    fn decided(mut self) -> (ApplicationDecision<'p>, Option<BTreeMap<String, Place>>) {
        for rule in &mut self.decision.rules {
            rule.applies = Some(rule.bytes) == self.longest;
        }
        (self.decision, self.stated_at)
    }
}

/// Takes out what is of the wrong type, and notes the rest.
fn consult(
    registry: &Registry,
    decision: &mut ApplicationDecision<'_>,
    stated_at: &BTreeMap<String, Place>,
) {
    let entry = registry.get(decision.id);
    let notes = &mut decision.notes;
    decision.directives.retain(|name, value| {
        let Some(&place) = stated_at.get(name) else {
            return true;
        };
        let known = entry.and_then(|entry| entry.directives.get(name));
        let mut note = |kind| {
            notes.push(DirectiveNote {
                name: name.clone(),
                kind,
                place,
                usages: Vec::new(),
                documentation: known.and_then(|known| known.documentation.clone()),
            });
        };
        let Some(known) = known else {
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
