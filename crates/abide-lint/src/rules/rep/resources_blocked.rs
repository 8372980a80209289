//! `resources-blocked`: style sheets or scripts that search robots may not fetch.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use crate::sample;
use abide::Severity;
use abide::syntax::Addressee;
use abide::verdict::Sense;
use abide_known_robots::Robot;
use std::collections::BTreeMap;

pub(crate) static RULE: Rule = Rule::new(
    "resources-blocked",
    Severity::Warning,
    include_str!("resources_blocked.md"),
    RuleCheck::File(check),
)
.or(Severity::Info);

fn check(file: &File<'_>, found: &mut Findings) {
    // Groups for the same robot together, so that the file is compiled once for each robot.
    let mut of_robot: BTreeMap<String, (Robot, Vec<Resource<'_>>)> = BTreeMap::new();
    for (rules, addressees) in file.rules.iter().zip(&file.addressees) {
        let Some(who) = addressees.iter().find_map(search_robot) else {
            continue;
        };
        let rules = rules.iter().filter(|rule| rule.sense == Sense::Disallow);
        let rules = rules.filter_map(|rule| Some((rule, resource(rule.value)?)));
        let of_robot = of_robot.entry(who.name());
        of_robot.or_insert((who, Vec::new())).1.extend(rules);
    }
    for (who, rules) in of_robot.into_values() {
        let policy = (!rules.is_empty()).then(|| file.policy_of(&who)).flatten();
        let Some(policy) = policy else { continue };
        for (rule, (what, ending)) in rules {
            // All of them, or those of one folder, which may hold none that pages need.
            let is_every =
                memchr::memmem::find(rule.value, b"*.").is_some() && !rule.value.ends_with(b"/");
            let severity = if is_every {
                Severity::Warning
            } else {
                Severity::Info
            };
            let path = rule.pattern.as_ref().ok().and_then(sample::matching);
            let path = path.map(|path| {
                if path.ends_with(ending) {
                    path
                } else {
                    format!("{path}x{ending}")
                }
            });
            if path.is_some_and(|path| !policy.allows(&path)) {
                let who = match who.row() {
                    Some(known) => known.token,
                    None => "search robots",
                };
                let message = format!("{who} cannot load {what}, and may see a broken page");
                let place = found.say(Some(rule.line.number), File::statement(rule.line), message);
                place.severity(severity);
            }
        }
    }
}

/// A rule about style sheets or scripts: what they are, and how their paths end.
type Resource<'f> = (&'f abide::syntax::Rule<'f>, (&'static str, &'static str));

/// The search robot that a group names, or the robots that no group names.
fn search_robot(addressee: &Addressee<'_>) -> Option<Robot> {
    match addressee {
        Addressee::Anybody => Some(Robot::unnamed()),
        Addressee::Token(token) => {
            let known = abide_known_robots::named(token)?;
            known.searches().then(|| Robot::known(known))
        }
        _ => None,
    }
}

/// What a pattern keeps robots from, if it is plainly style sheets or scripts, and how such paths
/// end. A folder such as `/scripts/` may hold programs of the server.
fn resource(value: &[u8]) -> Option<(&'static str, &'static str)> {
    let value = value.to_ascii_lowercase();
    let value = value.strip_suffix(b"$").unwrap_or(&value);
    let value = value.strip_suffix(b"*").unwrap_or(value);
    let ends = |endings: &[&[u8]]| endings.iter().any(|ending| value.ends_with(ending));
    if ends(&[b"*.css", b"/css", b"/css/", b"/stylesheets/"]) {
        Some(("style sheets", ".css"))
    } else if ends(&[b"*.js", b"/js", b"/js/", b"/javascripts/"]) {
        Some(("scripts", ".js"))
    } else {
        None
    }
}
