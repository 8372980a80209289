//! `control-token-by-star`: a control token for which the groups for `*` decide.

use crate::control_tokens::named;
use crate::file::File;
use crate::rule::{Findings, Rule};
use abide::syntax::FieldKind;
use abide::verdict::Sense;
use abide::{Client, Code};
use abide_analysis::words::enumerated;

pub(crate) static RULE: Rule = Rule::engine(
    Code::ControlTokenByStar,
    include_str!("control_token_by_star.md"),
)
.with_check(check);

fn check(file: &File<'_>, found: &mut Findings) {
    let named = named(file);
    // Most files disallow something for everybody, and mean nothing by it about AI.
    if named.is_empty() && !states_preferences(file) {
        return;
    }
    let policy = file.robots.policy(&Client::unnamed());
    let rules = file.robots.rules(&policy);
    let disallowing = rules
        .iter()
        .find(|rule| rule.sense == Sense::Disallow && rule.pattern.is_ok());
    let Some(rule) = disallowing else {
        return;
    };
    let known = abide_known_robots::all().iter();
    let left = known
        .filter(|robot| !robot.controls.is_empty() && !named.iter().any(|one| one.robot == *robot));
    let left: Vec<_> = left.map(|robot| robot.token).collect();
    let (have, may) = match left.as_slice() {
        [] => return,
        [_] => ("has no group", "its operator"),
        _ => ("have no groups", "their operators"),
    };
    let tokens = enumerated(&left, MAX_NAMES);
    let message = format!("{tokens} {have}, so the rules for * also say what {may} may use for AI");
    found.say(Some(rule.line.number), File::statement(rule.line), message);
}

/// How many names are in a sentence.
const MAX_NAMES: usize = 4;

/// Whether a line of the file states AI preferences.
fn states_preferences(file: &File<'_>) -> bool {
    const KEYS: [&str; 4] = [
        "content-usage",
        "content-signal",
        "content-signals",
        "license",
    ];
    let mut others = file.fields_of(FieldKind::Other);
    others.any(|(_, field, _)| {
        let key = field.key.of(file.text());
        KEYS.iter()
            .any(|known| key.eq_ignore_ascii_case(known.as_bytes()))
    })
}
