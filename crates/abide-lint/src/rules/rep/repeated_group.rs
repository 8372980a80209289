//! `repeated-group`: several groups for one robot.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::Addressee;
use std::collections::HashMap;

pub(crate) static RULE: Rule = Rule::new(
    "repeated-group",
    Severity::Info,
    include_str!("repeated_group.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    let mut first: HashMap<String, (usize, u32)> = HashMap::new();
    for (at, group) in file.robots.groups().iter().enumerate() {
        for line in group
            .starters
            .iter()
            .filter_map(|at| file.robots.lines().get(*at))
        {
            let name = match file.robots.addressee(line) {
                Some(Addressee::Anybody) => "*".to_owned(),
                Some(Addressee::Token(token)) => token.to_ascii_lowercase(),
                _ => continue,
            };
            let (group, before) = *first.entry(name.clone()).or_insert((at, line.number));
            if group != at {
                let message = format!("\"{name}\" already has a group; robots merge the two");
                let place = found.say(Some(line.number), line.span, message);
                file.relate(place, before, "its first group");
            }
        }
    }
}
