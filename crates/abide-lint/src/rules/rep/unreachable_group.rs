//! `unreachable-group`: a group that names no robot.

use crate::crawlers;
use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::{Addressee, Group, Line};

pub(crate) static RULE: Rule = Rule::new(
    "unreachable-group",
    Severity::Warning,
    include_str!("unreachable_group.md"),
    RuleCheck::File(check),
)
.instead_of(&["ua-invalid-token"])
.or(Severity::Info);

fn check(file: &File<'_>, found: &mut Findings) {
    for (group, addressees) in file.robots.groups().iter().zip(&file.addressees) {
        let first = group
            .starters
            .first()
            .and_then(|at| file.robots.lines().get(*at));
        let is_nobodys = addressees.iter().all(|one| *one == Addressee::Nobody);
        if let (true, false, Some(first)) = (is_nobodys, group.rules.is_empty(), first) {
            let rules = group.rules.len();
            let effect = match rules {
                1 => "its rule has no effect".to_owned(),
                _ => format!("its {rules} rules have no effect"),
            };
            let message = match name_between_stars(file, first) {
                Some(name) => {
                    format!("no robot reads a name with \"*\" before it, so {effect}; write {name}")
                }
                None => format!("this group names no robot, so {effect}"),
            };
            let place = found.say(Some(first.number), first.span, message);
            // A robot whose name is not a product token may still find itself.
            if names_robots(file, group) {
                place.severity(Severity::Info);
            }
        }
    }
}

/// The name in `*ExampleBot*`, which somebody wrote as if names were patterns.
fn name_between_stars<'f>(file: &File<'f>, line: &Line) -> Option<&'f str> {
    let value = line.field()?.value.of(file.text());
    let name = std::str::from_utf8(value.strip_prefix(b"*")?).ok()?;
    let name = name.trim_end_matches('*');
    let is_of_name = |found: char| found.is_ascii_alphanumeric() || "-_.".contains(found);
    (!name.is_empty() && name.chars().all(is_of_name)).then_some(name)
}

/// Whether every name of the group may be that of a robot: it is known, or begins with a letter or
/// digit.
fn names_robots(file: &File<'_>, group: &Group) -> bool {
    let lines = group
        .starters
        .iter()
        .filter_map(|at| file.robots.lines().get(*at));
    let mut values = lines.filter_map(|line| Some(line.field()?.value.of(file.text())));
    values.all(|value| {
        let is_known = std::str::from_utf8(value).is_ok_and(|name| crawlers::known(name).is_some());
        is_known || value.first().is_some_and(u8::is_ascii_alphanumeric)
    })
}
