//! `unreachable-group`: a group that names no robot.

use crate::file::File;
use crate::rule::{Check, Found, Rule};
use abide::Severity;
use abide::syntax::Addressee;

pub(crate) static RULE: Rule = Rule::new(
    "unreachable-group",
    Severity::Warning,
    include_str!("unreachable_group.md"),
    Check::File(check),
);

fn check(file: &File<'_>, found: &mut Found) {
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
            found.say(Some(first.number), first.span, message);
        }
    }
}
