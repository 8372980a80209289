//! Directives of which one replaces another: two values for the same pages (AMB-APP-7), and lines
//! without a path beside a line for `/` (AMB-APP-8).

use crate::app::DirectiveValue;
use crate::app::field::{Directives, Mention};
use crate::app::groups::Groups;
use crate::diagnostic::{Code, Diagnostic};
use crate::pattern::normal;
use crate::text::Text;
use crate::verdict::Place;
use crate::visible::{quoted, visible};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// How many bytes of values are compared. Lines of a group that many robots share are compared once
/// for each of them, so this is what bounds the work; hardly any file has as many.
const MAX_BYTES: usize = 1 << 20;

/// How many applications and directives are compared.
const MAX_MENTIONS: usize = 20_000;

/// The findings, in no particular order.
pub(super) fn conflicts(text: &Text<'_>, groups: &Groups) -> Vec<Diagnostic> {
    let mut finder = ConflictFinder {
        bytes_left: MAX_BYTES,
        mentions_left: MAX_MENTIONS,
        found: BTreeMap::new(),
    };
    for together in groups.read_together() {
        let lines = together.iter().flat_map(|group| groups.lines_of(*group));
        let lines: Vec<Place> = lines.copied().collect();
        finder.lines(&lines, text.as_bytes());
    }
    finder.found.into_values().collect()
}

/// The pages that a line is about: its pattern in form C1 without its final `$`, and whether it had
/// one. `None` for a line without a path.
type Pages<'t> = Option<(Cow<'t, [u8]>, bool)>;

struct ConflictFinder {
    bytes_left: usize,
    mentions_left: usize,
    /// One finding of a kind on a line says enough.
    found: BTreeMap<(u32, ConflictKind), Diagnostic>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ConflictKind {
    TwoValues,
    NoPath,
}

impl ConflictFinder {
    /// Compares lines that one robot reads together, in file order.
    fn lines(&mut self, lines: &[Place], bytes: &[u8]) {
        let mut values: BTreeMap<(Pages<'_>, &str, &str), (Place, DirectiveValue)> =
            BTreeMap::new();
        // For each application: the line about every page, and those without a path.
        let mut everywhere: BTreeMap<&str, (Option<Place>, Vec<Place>)> = BTreeMap::new();
        for &place in lines {
            let value = place.span.of(bytes);
            let Some(bytes_left) = self.bytes_left.checked_sub(value.len()) else {
                break;
            };
            self.bytes_left = bytes_left;
            let Ok(pattern) = Directives::visit(value, |_| {}) else {
                continue;
            };
            let pages = pattern.map(pages);
            let mut id = None;
            let _ = Directives::visit(value, |mention| {
                let Some(left) = self.mentions_left.checked_sub(1) else {
                    return;
                };
                self.mentions_left = left;
                match (mention, id) {
                    (Mention::Application(named), _) => {
                        id = Some(named);
                        let lines = everywhere.entry(named).or_default();
                        match &pages {
                            None => lines.1.push(place),
                            Some(pages) if is_everything(pages) => lines.0 = Some(place),
                            Some(_) => {}
                        }
                    }
                    (Mention::Other, _) => id = None,
                    (Mention::Directive(name, value), Some(id)) => {
                        let now = (place, DirectiveValue::new(value.into()));
                        let before = values.insert((pages.clone(), id, name), now.clone());
                        if let Some(before) = before.filter(|before| before.1 != now.1) {
                            self.two_values(id, name, &before, &now);
                        }
                    }
                    (Mention::Directive(..), None) => {}
                }
            });
        }
        for (id, (everything, without)) in everywhere {
            for place in everything.iter().flat_map(|_| without.iter().copied()) {
                self.no_path(id, place, everything.map_or(0, |other| other.line));
            }
        }
    }

    fn two_values(
        &mut self,
        id: &str,
        name: &str,
        (before, old): &(Place, DirectiveValue),
        (place, new): &(Place, DirectiveValue),
    ) {
        let [id, name] = [id, name].map(short);
        let [old, new] = [old, new].map(|value| short(&value.to_string()));
        let message = if before.line == place.line {
            format!(
                "the line sets {name} of {id} to {old} and to {new}; only the last value counts"
            )
        } else {
            format!(
                "for the same pages, line {} sets {name} of {id} to {old} and this line sets it to {new}; only the last value counts",
                before.line
            )
        };
        self.say(*place, ConflictKind::TwoValues, message);
    }

    fn no_path(&mut self, id: &str, place: Place, other: u32) {
        let message = format!(
            "line {other} names {} for every path and is more specific than a line without a path, so this line has no effect for it",
            short(id)
        );
        self.say(place, ConflictKind::NoPath, message);
    }

    fn say(&mut self, place: Place, kind: ConflictKind, message: String) {
        let code = Code::AppDirectivesConflict;
        let finding = || Diagnostic::new(code, Some(place.line), place.span, message);
        self.found.entry((place.line, kind)).or_insert_with(finding);
    }
}

fn pages(pattern: &[u8]) -> (Cow<'_, [u8]>, bool) {
    let path = pattern.strip_suffix(b"$");
    let forms = normal::pattern(path.unwrap_or(pattern));
    (forms.c1, path.is_some())
}

/// Whether every path matches: `/`, also with `*` behind it.
fn is_everything((pattern, ends): &(Cow<'_, [u8]>, bool)) -> bool {
    let stars = pattern.strip_prefix(b"/");
    stars
        .is_some_and(|stars| stars.iter().all(|&byte| byte == b'*') && !(*ends && stars.is_empty()))
}

/// Foreign text in a message.
fn short(text: &str) -> String {
    visible(quoted(text.as_bytes()).as_bytes())
}
