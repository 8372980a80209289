//! `unreachable-group`: a group that names no robot.

use crate::crawlers;
use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::{Addressee, Group};

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
            let message = match rules {
                1 => "this group names no robot, so its rule has no effect".to_owned(),
                _ => format!("this group names no robot, so its {rules} rules have no effect"),
            };
            let place = found.say(Some(first.number), first.span, message);
            // A robot whose name is not a product token may still find itself.
            if names_robots(file, group) {
                place.severity(Severity::Info);
            }
        }
    }
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
