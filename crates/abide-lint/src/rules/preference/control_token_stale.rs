//! `control-token-stale`: a control token whose row was checked long ago.

use crate::control_tokens::named;
use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::{Day, Severity};

pub(crate) static RULE: Rule = Rule::new(
    "control-token-stale",
    Severity::Info,
    include_str!("control_token_stale.md"),
    RuleCheck::File(check),
);

/// How old a row may be, in seconds.
const MAX_AGE: i64 = 180 * 86_400;

fn check(file: &File<'_>, found: &mut Findings) {
    let Some(now) = file.context.now else {
        return;
    };
    for token in named(file) {
        let Ok(checked) = token.robot.checked.parse::<Day>() else {
            continue;
        };
        let checked = checked.last_second().unix_seconds();
        if now.unix_seconds().saturating_sub(checked) > MAX_AGE {
            let source = token.robot.documentation.unwrap_or("the operator's page");
            let message = format!(
                "abide knows {} as of {}; read {source}",
                token.robot.token, token.robot.checked
            );
            found.say(
                Some(token.line.number),
                File::statement(token.line),
                message,
            );
        }
    }
}
